package chitarrella.client.table;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A move: a verb and its arguments.
 *
 * @param verb such as "play_card"; the catalogue says which verbs a game has
 * @param cards the cards, in the notation of their pack
 * @param choice a suit, a rank or an answer; empty for none
 * @param amount a number: a bid, a cut, a lot; null for none
 * @param dummySeat the seat whose card is played, if it is not the mover's: a dummy
 * @param shares amounts by person
 */
public record Move(
    String verb,
    List<String> cards,
    String choice,
    @Nullable Integer amount,
    @Nullable Integer dummySeat,
    List<Share> shares) {

  /** Copies the lists. */
  public Move {
    cards = List.copyOf(cards);
    shares = List.copyOf(shares);
  }

  /** A move with a verb and cards. */
  public static Move of(String verb, String... cards) {
    return new Move(verb, List.of(cards), "", null, null, List.of());
  }

  /** A move with a verb and cards. */
  public static Move of(String verb, List<String> cards) {
    return new Move(verb, cards, "", null, null, List.of());
  }

  /** The same with a suit, a rank or an answer. */
  public Move withChoice(String choice) {
    return new Move(verb, cards, choice, amount, dummySeat, shares);
  }

  /** The same with a number. */
  public Move withAmount(int amount) {
    return new Move(verb, cards, choice, amount, dummySeat, shares);
  }

  /** The same with the seat whose card is played. */
  public Move withDummySeat(int dummySeat) {
    return new Move(verb, cards, choice, amount, dummySeat, shares);
  }

  /** The same with amounts by person. */
  public Move withShares(Share... shares) {
    return new Move(verb, cards, choice, amount, dummySeat, List.of(shares));
  }

  /** The notation: {@code play_card Ab}. */
  @Override
  public String toString() {
    var text = new TextBuilder().add(verb).addAll(cards).add(choice).add(amount).addAll(shares);
    return (dummySeat == null ? text : text.add("@" + dummySeat)).toString();
  }

  /**
   * The amount of a person: a seat by its number, anybody else by name.
   *
   * @param person the number of a seat, such as "3", or a name
   * @param amount in points, in percent, or in the smallest unit of money
   */
  public record Share(String person, long amount) {

    /** The notation, without blanks: {@code 3:200}, {@code Anna%20Maria:100}. */
    @Override
    public String toString() {
      return URLEncoder.encode(person, StandardCharsets.UTF_8).replace("+", "%20") + ":" + amount;
    }
  }
}
