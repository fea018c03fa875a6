// The table as one reader sees it.
package chitarrella.client.table;

import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The table as one reader sees it.
 *
 * @param phase the stretch of the game
 * @param waiting whom the table waits for
 * @param turn the seat to move; null where none is
 * @param piles where the cards lie
 * @param facts what else is true
 * @param scores the score of the match by seat
 * @param outcome how the match ended; null while it lasts
 */
public record View(
    String phase,
    Waiting waiting,
    @Nullable Integer turn,
    List<Pile> piles,
    List<Fact> facts,
    List<Integer> scores,
    @Nullable Outcome outcome) {

  /** Tells whether the match is over. */
  public boolean over() {
    return waiting == Waiting.NOBODY;
  }

  /** Finds the pile of the table that has this name; an empty one where there is none. */
  public Pile pile(String name) {
    return pile(name, null);
  }

  /** Finds the pile of that name, of that seat; an empty one where there is none. */
  public Pile pile(String name, @Nullable Integer seat) {
    return piles.stream()
        .filter(pile -> pile.name().equals(name) && Objects.equals(pile.seat(), seat))
        .findFirst()
        .orElseGet(() -> new Pile(name, seat, List.of(), 0, null));
  }

  /** Finds what is true under that name of the table; null where nothing is. */
  public @Nullable FactValue fact(String name) {
    return fact(name, null);
  }

  /** Finds what is true under that name, of that seat; null where nothing is. */
  public @Nullable FactValue fact(String name, @Nullable Integer seat) {
    return facts.stream()
        .filter(fact -> fact.name().equals(name) && Objects.equals(fact.seat(), seat))
        .map(Fact::value)
        .findFirst()
        .orElse(null);
  }

  /** Shows the table, one pile or fact a line. */
  @Override
  public String toString() {
    var lines =
        new StringJoiner("\n").add(phase + (turn == null ? "" : ", seat " + turn + " to move"));
    piles.forEach(pile -> lines.add(pile.toString()));
    facts.forEach(fact -> lines.add(fact.toString()));
    if (outcome != null) {
      var winners = new Words().addAll(outcome.winners()).toString();
      lines.add("won by: " + (winners.isEmpty() ? "nobody" : winners));
    }
    return lines.toString();
  }
}
