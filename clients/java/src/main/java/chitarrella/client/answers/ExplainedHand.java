package chitarrella.client.answers;

import chitarrella.client.table.ExplainedMove;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every card of a hand and every other possible move, each with the clauses it breaks.
 *
 * @param moves the moves, legal or not
 * @param seat the seat whose hand this is
 * @param dependsOn the unknown parts of a partial position without which nothing can be explained:
 *     "hands", "trick"
 */
public record ExplainedHand(
    List<ExplainedMove> moves, @Nullable Integer seat, List<String> dependsOn) {}
