// A match as those eyes see it.
package chitarrella.client.answers;

import chitarrella.client.table.Agreement;
import chitarrella.client.table.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A match as those eyes see it.
 *
 * @param match the name of the match
 * @param agreement what is played
 * @param revision counts the moves that everybody may know of
 * @param view the table
 * @param seat whose eyes; null for the public and the referee
 * @param ended it was ended before its time
 * @param cursor where watching goes on from here
 * @param nextCommitment the commitment to the next draw; empty where the referee deals
 * @param wordsAwaited the seats whose words the next pack is waiting for
 * @param deadline until when the seat on turn may think; null where no clock runs
 * @param bank what is left in the bank of each seat
 * @param askedBack who asks to take back the last decision; null for nobody
 * @param bots the seats that bots play
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

  /** Tells whether nothing more will happen. */
  public boolean over() {
    return ended || view.over();
  }
}
