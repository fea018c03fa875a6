package chitarrella.client.answers;

import chitarrella.client.table.ExplainedMove;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every card of a hand and every other possible move, each with the clauses it breaks.
 *
 * @param moves the moves, legal or not
 * @param seat the seat whose hand this is
 */
public record ExplainedHand(List<ExplainedMove> moves, @Nullable Integer seat) {}
