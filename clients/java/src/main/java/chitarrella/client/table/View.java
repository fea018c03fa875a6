package chitarrella.client.table;

import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The state of a match as visible to one viewer.
 *
 * @param phase the phase of the game
 * @param waiting who is to move
 * @param turn the seat to move; null if none is
 * @param piles the cards
 * @param facts all other values
 * @param scores the score of the match by seat
 * @param outcome the outcome; null until the match is over
 */
public record View(
    String phase,
    Waiting waiting,
    @Nullable Integer turn,
    List<Pile> piles,
    List<Fact> facts,
    List<Integer> scores,
    @Nullable Outcome outcome) {

  /** Whether the match is over. */
  public boolean over() {
    return waiting == Waiting.NOBODY;
  }

  /** The common pile with this name; an empty one if there is none. */
  public Pile pile(String name) {
    return pile(name, null);
  }

  /** The pile with this name and seat; an empty one if there is none. */
  public Pile pile(String name, @Nullable Integer seat) {
    return piles.stream()
        .filter(pile -> pile.name().equals(name) && Objects.equals(pile.seat(), seat))
        .findFirst()
        .orElseGet(() -> new Pile(name, seat, List.of(), 0, null));
  }

  /** The fact of the table with this name; null if there is none. */
  public @Nullable FactValue fact(String name) {
    return fact(name, null);
  }

  /** The fact with this name and seat; null if there is none. */
  public @Nullable FactValue fact(String name, @Nullable Integer seat) {
    return facts.stream()
        .filter(fact -> fact.name().equals(name) && Objects.equals(fact.seat(), seat))
        .map(Fact::value)
        .findFirst()
        .orElse(null);
  }

  /** One pile or fact a line. */
  @Override
  public String toString() {
    var lines =
        new StringJoiner("\n").add(phase + (turn == null ? "" : ", seat " + turn + " to move"));
    piles.forEach(pile -> lines.add(pile.toString()));
    facts.forEach(fact -> lines.add(fact.toString()));
    if (outcome != null) {
      var winners = new TextBuilder().addAll(outcome.winners()).toString();
      lines.add("won by: " + (winners.isEmpty() ? "nobody" : winners));
    }
    return lines.toString();
  }
}
