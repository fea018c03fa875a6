package chitarrella.client.internal;

import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.ChitarrellaException.TimedOutException;
import chitarrella.client.errors.ChitarrellaException.UnavailableException;
import io.grpc.Status;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The retries of one call.
 *
 * <p>Every call may be retried: reading changes nothing, and a writing call carries a request id,
 * under which it takes effect once. gRPC's own retry policy is not used, because its attempts share
 * one deadline.
 */
public final class RetryPolicy {
  private static final double FIRST_DELAY = 200;
  private static final double DELAY_FACTOR = 2.5;
  private static final double LONGEST_DELAY = 3_000;

  private int retriesLeft;
  private int failures;

  /** Allows so many retries. */
  public RetryPolicy(int retries) {
    retriesLeft = retries;
  }

  /**
   * The pause before the next attempt, in milliseconds; throws the error if there is to be none.
   */
  public long delayAfter(ChitarrellaException error) {
    if (!isRetryable(error) || retriesLeft == 0) {
      throw error;
    }
    retriesLeft -= 1;
    failures += 1;
    return backoff(failures);
  }

  /**
   * Whether the call may have gone unanswered; a service that stops cancels the calls in flight.
   */
  private static boolean isRetryable(ChitarrellaException error) {
    var cancelled = !error.fromService() && error.details().status() == Status.Code.CANCELLED;
    return cancelled || error instanceof UnavailableException || error instanceof TimedOutException;
  }

  /**
   * The pause after a number of consecutive failures, in milliseconds: exponential, with jitter, so
   * that clients cut off together do not reconnect together.
   */
  static long backoff(int failures) {
    var delay = FIRST_DELAY * Math.pow(DELAY_FACTOR, Math.min(failures - 1, 30));
    return (long)
        (Math.min(delay, LONGEST_DELAY) * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
  }
}
