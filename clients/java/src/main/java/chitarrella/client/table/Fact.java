package chitarrella.client.table;

import org.jspecify.annotations.Nullable;

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
