// Something that is not the same in two games; what one of them lacks is empty there.
package chitarrella.client.answers;

import chitarrella.client.table.Clause;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not the same in two games; what one of them lacks is empty there.
 *
 * @param about "pack", "players", "option", "move", "reason" or "clause"
 * @param name the name of the option, the verb of the move, the code of the reason
 * @param first how it is in the first
 * @param second how it is in the second
 * @param firstClause the clause of the first; null for none
 * @param secondClause the clause of the second; null for none
 */
public record Difference(
    String about,
    String name,
    String first,
    String second,
    @Nullable Clause firstClause,
    @Nullable Clause secondClause) {}
