package chitarrella.client.answers;

import chitarrella.client.table.Clause;
import java.util.List;

/**
 * The description of a game, with the whole rule book.
 *
 * @param summary its entry in the list of games
 * @param pack every card in canonical order
 * @param options its options
 * @param moves its kinds of moves
 * @param reasons every reason of a refusal
 * @param clauses the rule book
 * @param editions its editions; the last is the current one
 */
public record Game(
    GameSummary summary,
    List<String> pack,
    List<Option> options,
    List<MoveSpec> moves,
    List<ReasonCode> reasons,
    List<Clause> clauses,
    List<Edition> editions) {}
