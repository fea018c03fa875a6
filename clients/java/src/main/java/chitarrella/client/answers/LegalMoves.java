package chitarrella.client.answers;

import chitarrella.client.table.Move;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The legal moves in a position.
 *
 * @param moves the legal moves
 * @param seat the seat to move; null if none is
 * @param chanceRequest the move that chance has to make; null for none
 */
public record LegalMoves(
    List<Move> moves, @Nullable Integer seat, @Nullable ChanceRequest chanceRequest) {}
