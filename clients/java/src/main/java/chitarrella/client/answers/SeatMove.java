package chitarrella.client.answers;

import chitarrella.client.table.Move;
import org.jspecify.annotations.Nullable;

/**
 * A move and its seat.
 *
 * @param seat the seat; null for chance
 * @param move the move
 */
public record SeatMove(@Nullable Integer seat, Move move) {}
