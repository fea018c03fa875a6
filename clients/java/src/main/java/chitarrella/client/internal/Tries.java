// When a call is repeated.
package chitarrella.client.internal;

import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.TimedOutException;
import chitarrella.client.errors.UnavailableException;
import io.grpc.Status;

/**
 * One call and its repetitions.
 *
 * <p>Every call may be repeated: reading changes nothing, and a writing call carries a request id,
 * under which the service does a thing once. gRPC's own retry policy is not used, because all its
 * tries share one deadline.
 */
public final class Tries {
  private int left;
  private int failures;

  /** Allows so many repetitions. */
  public Tries(int retries) {
    left = retries;
  }

  /**
   * Says how many milliseconds to wait before the next try; throws the error where there is none.
   */
  public long after(ChitarrellaException error) {
    if (!lost(error) || left == 0) {
      throw error;
    }
    left -= 1;
    failures += 1;
    return Backoff.pause(failures);
  }

  /**
   * Tells whether a call may not have been answered; one that a stopping service lets go is
   * cancelled.
   */
  private static boolean lost(ChitarrellaException error) {
    var cancelled = !error.fromService() && error.trouble().status() == Status.Code.CANCELLED;
    return cancelled || error instanceof UnavailableException || error instanceof TimedOutException;
  }
}
