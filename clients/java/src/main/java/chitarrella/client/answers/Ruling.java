package chitarrella.client.answers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of enforcing the clock.
 *
 * @param ruled whether the seat was out of time, so that its default move was played
 * @param revision the revision after it
 * @param deadline of the seat now to move; null if none is
 */
public record Ruling(boolean ruled, int revision, @Nullable Instant deadline) {}
