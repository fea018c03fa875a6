package chitarrella.client.table;

import chitarrella.client.table.Move.Share;
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

  /** Who is to move. */
  public enum Waiting {
    /** A value of a newer service. */
    UNKNOWN,
    /** A seat is to move. */
    SEAT,
    /** Chance is to move: a pack or a lot is awaited. */
    CHANCE,
    /** The match is finished. */
    NOBODY
  }

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

  /**
   * A named value of the view: "trump", "dealer", "deals_won" and others.
   *
   * @param name its name
   * @param seat the seat it belongs to; null for the table
   * @param value a string, a number or an amount of money, or amounts by person
   */
  public record Fact(String name, @Nullable Integer seat, FactValue value) {

    /** The name, the seat and the value. */
    @Override
    public String toString() {
      return TextBuilder.nameOf(name, seat) + ": " + value;
    }
  }

  /** The value of a fact: a string, a number or an amount of money, or amounts by person. */
  public sealed interface FactValue {
    /**
     * A string.
     *
     * @param word such as a suit
     */
    record Word(String word) implements FactValue {
      @Override
      public String toString() {
        return word;
      }
    }

    /**
     * A number, or an amount in the smallest unit of money.
     *
     * @param number its value, or how much
     */
    record Number(long number) implements FactValue {
      @Override
      public String toString() {
        return Long.toString(number);
      }
    }

    /**
     * Amounts by person.
     *
     * @param shares seats first, in order, then everybody else by name
     */
    record Shares(List<Share> shares) implements FactValue {
      @Override
      public String toString() {
        return new TextBuilder().addAll(shares).toString();
      }
    }
  }

  /**
   * The outcome of a match.
   *
   * @param winners the seats that have won; empty for a draw
   * @param ending by what it ended
   */
  public record Outcome(List<Integer> winners, Ending ending) {}

  /** By what a match ended. */
  public enum Ending {
    /** A value of a newer service. */
    UNKNOWN,
    /** It was played to its end. */
    PLAYED,
    /** All sides but one have resigned. */
    RESIGNED,
    /** Its referee or its platform decided it. */
    DECIDED
  }
}
