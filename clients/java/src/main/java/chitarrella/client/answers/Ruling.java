// A ruling on time.
package chitarrella.client.answers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A ruling on time.
 *
 * @param ruled the time was over, and a move was made for the seat on turn
 * @param revision the revision after it
 * @param deadline until when the seat that is on turn now may think; null where nobody is
 */
public record Ruling(boolean ruled, int revision, @Nullable Instant deadline) {}
