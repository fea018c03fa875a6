package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current trick, as far as it is known.
 *
 * @param cards the cards in order of play; empty for a lead
 * @param leader the seat that leads it; null if the seat of the question is the one to play
 * @param declaredSuit the suit that the leader of the trump card has declared, empty for none; null
 *     if it is unknown
 */
public record PartialTrick(
    List<String> cards, @Nullable Integer leader, @Nullable String declaredSuit) {

  /** Copies the cards. */
  public PartialTrick {
    cards = List.copyOf(cards);
  }
}
