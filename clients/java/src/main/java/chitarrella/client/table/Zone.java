package chitarrella.client.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place where cards lie.
 *
 * @param name such as "hand", "stock", "turn_up", "trick", "taken", "pack"
 * @param seat the seat it belongs to; null for the table
 * @param cards the visible cards: none or all
 * @param size the number of cards
 * @param leader the seat that played the first of these cards; null if not applicable
 */
public record Zone(
    String name, @Nullable Integer seat, List<String> cards, int size, @Nullable Integer leader) {

  /** The name, the seat, then the cards or their number. */
  @Override
  public String toString() {
    var text = new TextBuilder().add(TextBuilder.nameOf(name, seat) + ":").addAll(cards);
    var backs = size == 0 ? "(empty)" : "(" + size + " hidden)";
    return (cards.isEmpty() ? text.add(backs) : text).toString();
  }
}
