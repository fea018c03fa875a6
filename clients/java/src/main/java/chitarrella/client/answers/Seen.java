package chitarrella.client.answers;

import chitarrella.client.table.Agreement;
import chitarrella.client.table.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A match as visible to one viewer.
 *
 * @param match the id of the match
 * @param agreement its agreement
 * @param revision the number of public moves
 * @param view the view of the table
 * @param seat of the viewer; null for the public and the referee
 * @param ended whether it was aborted
 * @param cursor to watch from here
 * @param nextCommitment the commitment to the next draw; empty if the referee deals
 * @param wordsAwaited the seats whose words the next shuffle awaits
 * @param deadline of the seat to move; null if no clock runs
 * @param bank the remaining bank of each seat
 * @param askedBack the pending takeback request; null for none
 * @param bots the seats played by bots
 */
public record Seen(
    String match,
    Agreement agreement,
    int revision,
    View view,
    @Nullable Integer seat,
    boolean ended,
    String cursor,
    String nextCommitment,
    List<Integer> wordsAwaited,
    @Nullable Instant deadline,
    List<Duration> bank,
    @Nullable AskedBack askedBack,
    List<BotSeat> bots) {

  /** Whether the match is finished or aborted. */
  public boolean over() {
    return ended || view.over();
  }
}
