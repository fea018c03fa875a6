// A game with all that can be known of it, the whole rule book included.
package chitarrella.client.answers;

import chitarrella.client.table.Clause;
import java.util.List;

/**
 * A game with all that can be known of it, the whole rule book included.
 *
 * @param summary its line in the list
 * @param pack every card in canonical order
 * @param options what the table may agree upon
 * @param moves the moves there are
 * @param reasons every reason for which a move may be refused
 * @param clauses the rule book
 * @param editions the versions there have been; the last is the current one
 */
public record Game(
    GameSummary summary,
    List<String> pack,
    List<Option> options,
    List<MoveForm> moves,
    List<ReasonCode> reasons,
    List<Clause> clauses,
    List<Edition> editions) {}
