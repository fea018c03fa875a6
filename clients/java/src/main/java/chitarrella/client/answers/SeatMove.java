// A move and who makes it.
package chitarrella.client.answers;

import chitarrella.client.table.Move;
import org.jspecify.annotations.Nullable;

/**
 * A move and who makes it.
 *
 * @param seat the seat; null for the table itself
 * @param move what it does
 */
public record SeatMove(@Nullable Integer seat, Move move) {}
