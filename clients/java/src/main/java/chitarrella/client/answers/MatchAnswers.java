package chitarrella.client.answers;

import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.table.Event;
import chitarrella.client.table.Move;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.Refusal.ExplainedMove;
import chitarrella.client.table.Refusal.Verdict;
import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What there is to know of matches. */
public final class MatchAnswers {
  private MatchAnswers() {}

  /**
   * A match as visible to one viewer.
   *
   * @param matchId the id of the match
   * @param ruleSet its rule set
   * @param revision the number of its last public change
   * @param view the view of the table
   * @param seat of the viewer; null for the public and the referee
   * @param aborted whether it was aborted
   * @param cursor to watch from here
   * @param nextCommitment the commitment to the next shuffle; empty if the referee supplies packs
   * @param awaitingSeedsFrom the seats whose seeds the next shuffle awaits
   * @param deadline of the seat to move, or of the awaited seeds; null if no clock runs
   * @param bank the remaining bank of each seat
   * @param takebackRequest the pending takeback request; null for none
   * @param bots the seats played by bots
   * @param externalId the platform's own id of the match; only for the referee and that platform
   * @param labels the labels of the match; only for the referee and its platform
   * @param playerNames the names of the players, in the order of seats
   * @param sandbox whether it is a test
   */
  public record MatchState(
      String matchId,
      RuleSet ruleSet,
      int revision,
      View view,
      @Nullable Integer seat,
      boolean aborted,
      String cursor,
      String nextCommitment,
      List<Integer> awaitingSeedsFrom,
      @Nullable Instant deadline,
      List<Duration> bank,
      @Nullable PendingTakeback takebackRequest,
      List<BotSeat> bots,
      String externalId,
      Map<String, String> labels,
      List<PlayerName> playerNames,
      boolean sandbox) {

    /** Whether the match is finished or aborted. */
    public boolean over() {
      return aborted || view.finished();
    }
  }

  /**
   * A request to take back the last decision.
   *
   * @param seat the seat that made the decision and the request
   * @param awaitingAnswersFrom the seats that have not answered yet
   */
  public record PendingTakeback(int seat, List<Integer> awaitingAnswersFrom) {}

  /**
   * A seat played by a bot.
   *
   * @param seat the seat
   * @param bot the bot: "random", "greedy" or "search"
   * @param think its time for a move; zero for the service's default
   */
  public record BotSeat(int seat, String bot, Duration think) {}

  /**
   * The name of the player at a seat. It is personal data.
   *
   * @param seat the seat
   * @param name the name
   */
  public record PlayerName(int seat, String name) {}

  /**
   * An entry of the list of a platform's matches.
   *
   * @param matchId its id
   * @param ruleSet its rule set
   * @param revision the number of its last public change
   * @param createTime when it was created, in whole seconds
   * @param finished whether it was played to its end
   * @param aborted whether it was aborted
   * @param isPrivate whether it is hidden from everybody without a key
   * @param externalId the platform's own id of the match
   * @param labels the labels of the match
   * @param playerNames the names of the players, in the order of seats
   * @param sandbox whether it is a test
   */
  public record MatchSummary(
      String matchId,
      RuleSet ruleSet,
      int revision,
      Instant createTime,
      boolean finished,
      boolean aborted,
      boolean isPrivate,
      String externalId,
      Map<String, String> labels,
      List<PlayerName> playerNames,
      boolean sandbox) {}

  /**
   * The result for one match of a batch.
   *
   * @param state the match; null if there is an error
   * @param error why it is not returned; null if it is
   */
  public record FoundMatch(@Nullable MatchState state, @Nullable ChitarrellaException error) {

    /**
     * The match.
     *
     * @throws ChitarrellaException if there is an error
     */
    public MatchState get() {
      if (error != null) {
        throw error;
      }
      if (state == null) {
        throw new IllegalStateException("neither a match nor an error");
      }
      return state;
    }
  }

  /**
   * The legal moves in a match.
   *
   * @param moves the legal moves; empty if it is not the seat's turn
   * @param seat the seat to move; null if none is
   * @param revision of the match
   */
  public record MatchMoves(List<Move> moves, @Nullable Integer seat, int revision) {}

  /**
   * The explained hand of a seat in a match.
   *
   * @param moves the moves, legal or not
   * @param seat the seat whose hand this is
   * @param revision of the match
   */
  public record MatchHand(List<ExplainedMove> moves, @Nullable Integer seat, int revision) {}

  /**
   * The result of validating a move in a match.
   *
   * @param verdict whether it would be accepted
   * @param refusals every clause it breaks
   * @param revision of the match
   */
  public record MatchMoveValidation(Verdict verdict, List<Refusal> refusals, int revision) {}

  /**
   * The result of a move.
   *
   * @param accepted whether it was played
   * @param refusals every clause it breaks; if it was accepted, breaches that stand but are
   *     penalised
   * @param revision the revision after it
   * @param events the events, as visible to the mover
   * @param view the view after it, if requested
   * @param repeatedRequest whether the request id was used before: the first result is returned,
   *     nothing was played again
   */
  public record MoveResult(
      boolean accepted,
      List<Refusal> refusals,
      int revision,
      List<Event> events,
      @Nullable View view,
      boolean repeatedRequest) {}

  /**
   * An update: the visible events of one move.
   *
   * @param revision after the move
   * @param cursor to resume behind it
   * @param events the visible events
   */
  public record MatchUpdate(int revision, String cursor, List<Event> events) {}

  /**
   * An update of one of the matches of a platform, or a heartbeat.
   *
   * @param matchId its id; empty for a heartbeat
   * @param update the events of one move, as the public sees them; null if the match was aborted,
   *     and for a heartbeat
   * @param finished whether the match is finished with it
   * @param aborted whether the match was aborted
   */
  public record PlatformUpdate(
      String matchId, @Nullable MatchUpdate update, boolean finished, boolean aborted) {

    /** Whether it only says that the stream is alive. */
    public boolean heartbeat() {
      return matchId.isEmpty();
    }
  }

  /**
   * The result of adding a seed to a shuffle.
   *
   * @param revision the revision after it
   * @param awaitingSeedsFrom the seats whose seeds are still awaited; empty once the shuffle is
   *     made
   */
  public record SeedResult(int revision, List<Integer> awaitingSeedsFrom) {}

  /**
   * A shuffle of a pack, or a lot; {@link chitarrella.client.Fairness} verifies it.
   *
   * @param number counts the shuffles and lots of the match from 1
   * @param revision the revision after it
   * @param verb the verb of its move
   * @param supplied whether it was supplied, by the referee or with the match, so that there is no
   *     proof
   * @param commitment published before the shuffle, in hexadecimal digits
   * @param clientSeeds the seeds of the seats, in the order of seats
   * @param nonce empty as long as it would reveal hidden cards
   * @param cards the shuffled pack; empty as long as it would reveal hidden cards
   * @param amount the lot; null for a pack
   * @param lots the possible lots
   */
  public record Shuffle(
      int number,
      int revision,
      String verb,
      boolean supplied,
      String commitment,
      List<ClientSeed> clientSeeds,
      String nonce,
      List<String> cards,
      @Nullable Integer amount,
      List<Integer> lots) {}

  /**
   * A seed that a seat has added to a shuffle.
   *
   * @param seat the seat
   * @param seed its seed
   */
  public record ClientSeed(int seat, String seed) {}

  /**
   * The shuffles of a match.
   *
   * @param shuffles in order
   * @param nextCommitment the commitment to the next one; empty if the referee supplies packs
   */
  public record Shuffles(List<Shuffle> shuffles, String nextCommitment) {}

  /**
   * The result of a takeback request.
   *
   * @param revision the revision after it
   * @param takenBack whether the decision was taken back
   * @param awaitingAnswersFrom the seats that have not answered yet
   */
  public record TakebackResult(
      int revision, boolean takenBack, List<Integer> awaitingAnswersFrom) {}

  /**
   * The result of enforcing the clock.
   *
   * @param timedOut whether the time was used up, so that a move was played or a shuffle made
   * @param revision the revision after it
   * @param deadline the present deadline; null if no clock runs
   */
  public record ClockResult(boolean timedOut, int revision, @Nullable Instant deadline) {}

  /**
   * The result of moving the clock of a test.
   *
   * @param time the time of the match now
   * @param revision the revision now
   * @param timedOut whether a deadline was passed, so that a move was played or a shuffle made
   */
  public record ClockAdvance(Instant time, int revision, boolean timedOut) {}
}
