package chitarrella.client.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A broken clause with details.
 *
 * @param code the reason code, such as "must_follow_suit": stable; see also {@link #reason}
 * @param clause the clause that forbids it
 * @param message the explanation, in the language of the client
 * @param allowedCards the cards of this hand that may be played instead
 * @param offendingCards the cards of this hand that are at fault
 * @param word the suit, rank, card or phase concerned; empty for none
 * @param amount the number concerned; null for none
 * @param penalty whether the move stands, at the penalty of the clause
 * @param page the REST path of the clause in the rule book
 */
public record Refusal(
    String code,
    Clause clause,
    String message,
    List<String> allowedCards,
    List<String> offendingCards,
    String word,
    @Nullable Integer amount,
    boolean penalty,
    String page) {

  /** The reason; {@link RefusalCode#OTHER} for one that is special to a game. */
  public RefusalCode reason() {
    return RefusalCode.of(code);
  }

  /** The explanation, the code and the clause. */
  @Override
  public String toString() {
    return message + " [" + code + ", " + clause.key() + "]";
  }
}
