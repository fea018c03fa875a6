// A hand in a match, explained.
package chitarrella.client.answers;

import chitarrella.client.table.ExplainedMove;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hand in a match, explained.
 *
 * @param moves what the seat might do, each with the clauses against it
 * @param seat the seat that was explained
 * @param revision what this holds for
 */
public record MatchHand(List<ExplainedMove> moves, @Nullable Integer seat, int revision) {}
