// What a seat may do in a position.
package chitarrella.client.answers;

import chitarrella.client.table.Move;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a seat may do in a position.
 *
 * @param moves the legal moves
 * @param seat the seat whose person may make them; null where nobody is to move
 * @param wanted what the table has to supply, where it is to move
 */
public record LegalMoves(List<Move> moves, @Nullable Integer seat, @Nullable Wanted wanted) {}
