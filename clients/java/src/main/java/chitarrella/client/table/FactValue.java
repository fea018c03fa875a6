package chitarrella.client.table;

import java.util.List;

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
