package chitarrella.client.answers;

import chitarrella.client.table.Clause;
import java.util.List;
import java.util.NoSuchElementException;

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
 * @param cards each different card, in canonical order
 * @param suits the suits that cards count as
 * @param partnerships the partners at each number of players where they are fixed
 * @param zones the kinds of zones
 */
public record Game(
    GameSummary summary,
    List<String> pack,
    List<Option> options,
    List<MoveSpec> moves,
    List<ReasonCode> reasons,
    List<Clause> clauses,
    List<Edition> editions,
    List<Card> cards,
    List<Suit> suits,
    List<Partnership> partnerships,
    List<ZoneSpec> zones) {

  /**
   * The card with a notation, such as "Ab".
   *
   * @throws NoSuchElementException if the game has no such card
   */
  public Card card(String code) {
    return cards.stream()
        .filter(card -> card.code().equals(code))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException(code));
  }
}
