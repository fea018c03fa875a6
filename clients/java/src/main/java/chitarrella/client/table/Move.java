// What a seat does.
package chitarrella.client.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a seat does: a verb and its arguments.
 *
 * @param verb such as "play_card"; the catalogue says which verbs a game has
 * @param cards the cards, in the notation of their pack
 * @param word a suit, a rank or an answer; empty for none
 * @param amount a number: a bid, a cut, a lot; null for none
 * @param seat the seat whose card is moved, where it is not the mover's own: a dummy's
 * @param shares amounts by person
 */
public record Move(
    String verb,
    List<String> cards,
    String word,
    @Nullable Integer amount,
    @Nullable Integer seat,
    List<Share> shares) {

  /** Keeps the lists as they are now. */
  public Move {
    cards = List.copyOf(cards);
    shares = List.copyOf(shares);
  }

  /** Makes a move of a verb and, where it takes them, cards. */
  public static Move of(String verb, String... cards) {
    return new Move(verb, List.of(cards), "", null, null, List.of());
  }

  /** Makes a move of a verb and cards. */
  public static Move of(String verb, List<String> cards) {
    return new Move(verb, cards, "", null, null, List.of());
  }

  /** Adds a suit, a rank or an answer. */
  public Move withWord(String word) {
    return new Move(verb, cards, word, amount, seat, shares);
  }

  /** Adds a number. */
  public Move withAmount(int amount) {
    return new Move(verb, cards, word, amount, seat, shares);
  }

  /** Names the seat whose card is moved. */
  public Move ofSeat(int seat) {
    return new Move(verb, cards, word, amount, seat, shares);
  }

  /** Adds amounts by person. */
  public Move withShares(Share... shares) {
    return new Move(verb, cards, word, amount, seat, List.of(shares));
  }

  /** Writes it in the notation: {@code play_card Ab}. */
  @Override
  public String toString() {
    var words = new Words().add(verb).addAll(cards).add(word).add(amount).addAll(shares);
    return (seat == null ? words : words.add("@" + seat)).toString();
  }
}
