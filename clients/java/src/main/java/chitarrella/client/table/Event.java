// What happened, as the reader may know it.
package chitarrella.client.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened, as the reader may know it.
 *
 * @param kind in the past tense, such as "trick_taken"
 * @param seat whom it concerns; null for nobody in particular
 * @param cards the cards, as far as the reader may see them
 * @param hidden how many cards were involved that the reader may not see
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

  /** Says what happened, whom it concerns, then the rest: {@code trick_taken 1 Ab 3c}. */
  @Override
  public String toString() {
    var words = new Words().add(kind).add(seat).addAll(cards);
    words = hidden == 0 ? words : words.add("(" + hidden + " hidden)");
    return words.add(word).add(amount).add(other).addAll(shares).toString();
  }
}
