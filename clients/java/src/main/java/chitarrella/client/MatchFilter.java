package chitarrella.client;

import chitarrella.client.answers.MatchAnswers.MatchState;
import chitarrella.client.internal.Requests;
import chitarrella.v1.ListMatchesRequest;
import java.time.Instant;
import java.util.function.Consumer;

/** What the matches of a list have in common; what is not given is not a condition. */
public final class MatchFilter {
  /** All matches of the platform, the latest first. */
  public static final MatchFilter ALL = new MatchFilter(ListMatchesRequest.getDefaultInstance());

  private final ListMatchesRequest request;

  private MatchFilter(ListMatchesRequest request) {
    this.request = request;
  }

  /** The request of such a list. */
  ListMatchesRequest.Builder request() {
    return request.toBuilder();
  }

  private MatchFilter with(Consumer<ListMatchesRequest.Builder> condition) {
    var more = request();
    condition.accept(more);
    return new MatchFilter(more.build());
  }

  /** The same with an id of the platform's own. */
  public MatchFilter withExternalId(String externalId) {
    return with(m -> m.setExternalId(externalId));
  }

  /** The same with one more label. */
  public MatchFilter withLabel(String key, String value) {
    return with(m -> m.addLabels(key + "=" + value));
  }

  /** The same with a player of exactly this name. */
  public MatchFilter withPlayerName(String playerName) {
    return with(m -> m.setPlayerName(playerName));
  }

  /** The same with exactly this name of a player who has won. */
  public MatchFilter withWinnerName(String winnerName) {
    return with(m -> m.setWinnerName(winnerName));
  }

  /** The same with a state. */
  public MatchFilter withState(MatchState state) {
    return with(m -> m.setStateValue(state.ordinal()));
  }

  /** The same with a game. */
  public MatchFilter withGame(String gameId) {
    return with(m -> m.setGameId(gameId));
  }

  /** The same, created at this time or later. */
  public MatchFilter createdAfter(Instant time) {
    return with(m -> m.setCreatedAfter(Requests.timestamp(time)));
  }

  /** The same, ended at this time or later. */
  public MatchFilter endedAfter(Instant time) {
    return with(m -> m.setEndedAfter(Requests.timestamp(time)));
  }

  /** The same, the earliest first. */
  public MatchFilter ascending() {
    return with(m -> m.setAscending(true));
  }
}
