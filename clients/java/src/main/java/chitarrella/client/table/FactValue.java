// What a fact may say.
package chitarrella.client.table;

import java.util.List;

/** What a fact may say: a word, a number or an amount of money, or amounts by person. */
public sealed interface FactValue {
  /**
   * A word.
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
   * @param number how many, or how much
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
      return new Words().addAll(shares).toString();
    }
  }
}
