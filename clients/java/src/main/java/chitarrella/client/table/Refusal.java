// A broken clause with the particulars.
package chitarrella.client.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A broken clause with the particulars.
 *
 * @param code the reason code, such as "must_follow_suit": stable; see also {@link #reason}
 * @param clause the clause that forbids it
 * @param because the same in a sentence, in the language of the client
 * @param instead the cards of this hand that might be played instead
 * @param held the cards of this hand that are at fault
 * @param word the suit, rank, card or phase that it is about; empty for none
 * @param amount the number that it is about; null for none
 * @param penalty the move is accepted all the same, and costs what the clause says
 * @param page where the clause stands in the rule book, as a path at the REST door
 */
public record Refusal(
    String code,
    Clause clause,
    String because,
    List<String> instead,
    List<String> held,
    String word,
    @Nullable Integer amount,
    boolean penalty,
    String page) {

  /** Gives the reason to switch on: {@link RefusalCode#OTHER} for one that not many games have. */
  public RefusalCode reason() {
    return RefusalCode.of(code);
  }

  /** Says why, and by which clause. */
  @Override
  public String toString() {
    return because + " [" + code + ", " + clause.key() + "]";
  }
}
