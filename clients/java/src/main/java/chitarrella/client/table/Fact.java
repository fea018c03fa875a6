// Anything else that is true of the table.
package chitarrella.client.table;

import org.jspecify.annotations.Nullable;

/**
 * Anything else that is true of the table: "trump", "dealer", "deals_won" and what else a game has.
 *
 * @param name what is told
 * @param seat the seat it is true of; null for the table
 * @param value a word, a number or an amount of money, or amounts by person
 */
public record Fact(String name, @Nullable Integer seat, FactValue value) {

  /** Says what it is of, then its value. */
  @Override
  public String toString() {
    return Words.owned(name, seat) + ": " + value;
  }
}
