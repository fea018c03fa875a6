package chitarrella.client.answers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of enforcing the clock.
 *
 * @param timedOut whether the time was used up, so that a move was played or a shuffle made
 * @param revision the revision after it
 * @param deadline the present deadline; null if no clock runs
 */
public record ClockResult(boolean timedOut, int revision, @Nullable Instant deadline) {}
