// Where one stands who watches a match.
package chitarrella.client.internal;

import chitarrella.client.answers.Seen;
import chitarrella.client.answers.Told;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.TooMuchException;
import chitarrella.client.errors.Trouble;
import chitarrella.client.errors.UnavailableException;
import chitarrella.v1.WatchMatchResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One who watches a match: where it stands, and how long it has been cut off. */
public final class Following {
  /**
   * What a stream may end with when the way is cut; if the service itself says one of these, it
   * sends details.
   */
  private static final Set<Status.Code> CUT =
      EnumSet.of(
          Status.Code.UNAVAILABLE,
          Status.Code.UNKNOWN,
          Status.Code.INTERNAL,
          Status.Code.CANCELLED,
          Status.Code.DEADLINE_EXCEEDED);

  private static final Trouble ENDED =
      Trouble.of("unavailable", "The service has ended the stream.");

  private final @Nullable Duration giveUp;
  private volatile String cursor;
  private volatile boolean over;
  private boolean overBefore;
  private int failures;
  private long since;

  /**
   * Goes on after {@code cursor}; when cut off for as long as {@code giveUp}, gives up (null:
   * never).
   */
  public Following(String cursor, @Nullable Duration giveUp) {
    this.cursor = cursor;
    this.giveUp = giveUp;
  }

  /** Gives the place behind the last thing that was told. */
  public String cursor() {
    return cursor;
  }

  /** Tells whether nothing more will be told. */
  public boolean over() {
    return over;
  }

  /** Takes note that the service speaks; gives what it tells, null for a heartbeat. */
  public @Nullable Told heard(WatchMatchResponse message) {
    failures = 0;
    if (message.getEventsCount() == 0) {
      return null;
    }
    cursor = message.getCursor();
    return Reading.told(message);
  }

  /**
   * Says how many milliseconds to wait before watching again; throws the error where that would not
   * help.
   */
  public long cut(ChitarrellaException error) {
    if (!passing(error)) {
      throw error;
    }
    var now = System.nanoTime();
    since = failures == 0 ? now : since;
    failures += 1;
    var pause = Backoff.pause(failures);
    var away = Duration.ofNanos(now - since).plusMillis(pause);
    if (giveUp != null && away.compareTo(giveUp) > 0) {
      throw error;
    }
    return pause;
  }

  /**
   * Takes note of how the match stands after a stream has ended well; says how many milliseconds to
   * wait before watching again.
   *
   * <p>A stream ends when the match is over, but also when the service stops; and if the match came
   * to its end only after the stream's, there is something left to be heard.
   */
  public long ended(Seen seen) {
    over = seen.over() && (overBefore || seen.cursor().equals(cursor));
    overBefore = seen.over();
    return seen.over() ? 0 : cut(endedWell());
  }

  /** Makes the error for who has no patience with a stream that ends before the match. */
  public static ChitarrellaException endedWell() {
    return new UnavailableException(ENDED);
  }

  /** Tells whether this may be different on another connection, or a little later. */
  private static boolean passing(ChitarrellaException error) {
    if (error.fromService() || error.trouble().status() == null) {
      return error instanceof UnavailableException || error instanceof TooMuchException;
    }
    return CUT.contains(error.trouble().status());
  }
}
