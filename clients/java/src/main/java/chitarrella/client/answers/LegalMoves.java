package chitarrella.client.answers;

import chitarrella.client.table.ExplainedMove;
import chitarrella.client.table.Move;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The legal moves in a position.
 *
 * @param moves the legal moves
 * @param seat the seat to move; null if none is
 * @param chanceRequest the move that chance has to make; null for none
 * @param undecided for a partial position, the moves whose legality depends on an unknown part;
 *     they are not among the moves
 * @param dependsOn the unknown parts of a partial position without which nothing can be listed:
 *     "hands", "trick"
 */
public record LegalMoves(
    List<Move> moves,
    @Nullable Integer seat,
    @Nullable ChanceRequest chanceRequest,
    List<ExplainedMove> undecided,
    List<String> dependsOn) {}
