package chitarrella.client.answers;

import chitarrella.client.table.Move;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The legal moves in a match.
 *
 * @param moves the legal moves; empty if it is not the seat's turn
 * @param seat the seat to move; null if none is
 * @param revision of the match
 */
public record MatchMoves(List<Move> moves, @Nullable Integer seat, int revision) {}
