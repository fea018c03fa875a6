// What a seat may do in a match now.
package chitarrella.client.answers;

import chitarrella.client.table.Move;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a seat may do in a match now.
 *
 * @param moves the legal moves; none where the seat has to wait
 * @param seat the seat whose person may make them; null where nobody is to move
 * @param revision what this holds for
 */
public record MatchMoves(List<Move> moves, @Nullable Integer seat, int revision) {}
