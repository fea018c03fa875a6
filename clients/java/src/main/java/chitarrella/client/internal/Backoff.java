// How long to wait before a call is repeated.
package chitarrella.client.internal;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Growing pauses, each a little off, so that those who were cut off together do not come back
 * together.
 */
final class Backoff {
  private static final double FIRST = 200;
  private static final double FACTOR = 2.5;
  private static final double LONGEST = 3_000;

  private Backoff() {}

  /** Says how many milliseconds to wait after so many failures in a row. */
  static long pause(int failures) {
    var grown = FIRST * Math.pow(FACTOR, Math.min(failures - 1, 30));
    return (long) (Math.min(grown, LONGEST) * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
  }
}
