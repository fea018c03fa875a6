// Every card of a hand, and every other act within reach, each with the clauses against it.
package chitarrella.client.answers;

import chitarrella.client.table.ExplainedMove;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every card of a hand, and every other act within reach, each with the clauses against it.
 *
 * @param moves what the seat might do
 * @param seat the seat that was explained
 */
public record ExplainedHand(List<ExplainedMove> moves, @Nullable Integer seat) {}
