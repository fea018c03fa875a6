// A place where cards lie.
package chitarrella.client.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place where cards lie.
 *
 * @param name such as "hand", "stock", "turn_up", "trick", "taken", "pack"
 * @param seat the seat it belongs to; null for the table
 * @param cards the cards that the reader may see: none or all
 * @param size how many cards lie there
 * @param leader the seat that played the first of these cards; null where that means nothing
 */
public record Pile(
    String name, @Nullable Integer seat, List<String> cards, int size, @Nullable Integer leader) {

  /** Says where it is, then the cards or their number. */
  @Override
  public String toString() {
    var words = new Words().add(Words.owned(name, seat) + ":").addAll(cards);
    var backs = size == 0 ? "(empty)" : "(" + size + " hidden)";
    return (cards.isEmpty() ? words.add(backs) : words).toString();
  }
}
