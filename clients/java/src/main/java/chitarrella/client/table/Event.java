package chitarrella.client.table;

import chitarrella.client.table.Move.Share;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event, as visible to the viewer.
 *
 * @param kind in the past tense, such as "trick_taken"
 * @param seat the seat concerned; null for none
 * @param cards the visible cards
 * @param hidden the number of hidden cards
 * @param word a suit, a rank, or the name of a count; empty for none
 * @param amount a number; null for none
 * @param other the other seat concerned; null for none
 * @param shares amounts by person
 */
public record Event(
    String kind,
    @Nullable Integer seat,
    List<String> cards,
    int hidden,
    String word,
    @Nullable Integer amount,
    @Nullable Integer other,
    List<Share> shares) {

  /** Writes the kind, the seat, then the rest: {@code trick_taken 1 Ab 3c}. */
  @Override
  public String toString() {
    var text = new TextBuilder().add(kind).add(seat).addAll(cards);
    text = hidden == 0 ? text : text.add("(" + hidden + " hidden)");
    return text.add(word).add(amount).add(other).addAll(shares).toString();
  }
}
