package chitarrella.client.answers;

import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
