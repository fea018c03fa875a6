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
 * @param zones where the cards lie
 * @param facts all other values
 * @param scores the score of the match by seat
 * @param outcome the outcome; null until the match is finished
 */
public record View(
    String phase,
    Waiting waiting,
    @Nullable Integer turn,
    List<Zone> zones,
    List<Fact> facts,
    List<Integer> scores,
    @Nullable Outcome outcome) {

  /** Whether the match is finished. */
  public boolean finished() {
    return waiting == Waiting.NOBODY;
  }

  /** The common zone with this name; an empty one if there is none. */
  public Zone zone(String name) {
    return zone(name, null);
  }

  /** The zone with this name and seat; an empty one if there is none. */
  public Zone zone(String name, @Nullable Integer seat) {
    return zones.stream()
        .filter(zone -> zone.name().equals(name) && Objects.equals(zone.seat(), seat))
        .findFirst()
        .orElseGet(() -> new Zone(name, seat, List.of(), 0, null));
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

  /** One zone or fact a line. */
  @Override
  public String toString() {
    var lines =
        new StringJoiner("\n").add(phase + (turn == null ? "" : ", seat " + turn + " to move"));
    zones.forEach(zone -> lines.add(zone.toString()));
    facts.forEach(fact -> lines.add(fact.toString()));
    if (outcome != null) {
      var winners = new TextBuilder().addAll(outcome.winners()).toString();
      lines.add("won by: " + (winners.isEmpty() ? "nobody" : winners));
    }
    return lines.toString();
  }
}
