package chitarrella.client.answers;

import chitarrella.client.table.Clause;
import org.jspecify.annotations.Nullable;

/**
 * A difference between two games; empty on the side that lacks it.
 *
 * @param kind "pack", "players", "option", "move", "reason" or "clause"
 * @param name the name of the option, the verb of the move, the code of the reason
 * @param first its text in the first game
 * @param second its text in the second game
 * @param firstClause the clause of the first; null for none
 * @param secondClause the clause of the second; null for none
 */
public record Difference(
    String kind,
    String name,
    String first,
    String second,
    @Nullable Clause firstClause,
    @Nullable Clause secondClause) {}
