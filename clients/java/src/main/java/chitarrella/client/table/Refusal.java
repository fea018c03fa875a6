package chitarrella.client.table;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A clause that a move breaks, or may break, with details.
 *
 * @param code the reason code, such as "must_follow_suit": stable; see also {@link #reason}
 * @param clause the clause that forbids it
 * @param message the explanation, in the language of the client
 * @param allowedCards the cards of this hand that may be played instead
 * @param offendingCards the cards of this hand that are at fault
 * @param word the suit, rank, card or phase concerned; empty for none
 * @param amount the number concerned; null for none
 * @param penalty whether the move stands, at the penalty of the clause
 * @param pagePath the REST path of the clause in the rule book
 * @param undecided whether it depends on unknown parts of a partial position if the move breaks the
 *     clause
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
    String pagePath,
    boolean undecided) {

  /** The reason; {@link RefusalCode#OTHER} for one that is special to a game. */
  public RefusalCode reason() {
    return RefusalCode.of(code);
  }

  /** The explanation, the code and the clause. */
  @Override
  public String toString() {
    return message + " [" + code + ", " + clause.key() + "]";
  }

  /**
   * The reason of a refusal, common to many games: {@link Refusal#reason}. All other codes are
   * {@link #OTHER}; {@link Refusal#code} has their text.
   */
  public enum RefusalCode {
    /** The match is finished. */
    MATCH_OVER,
    /** The move is not allowed in this phase. */
    WRONG_PHASE,
    /** Another seat is to move. */
    NOT_YOUR_TURN,
    /** The card is not in the hand. */
    NOT_IN_HAND,
    /** The cards are not the pack. */
    BAD_PACK,
    /** Another seat deals. */
    BAD_DEALER,
    /** A card of the suit led must be played. */
    MUST_FOLLOW_SUIT,
    /** Any other code. */
    OTHER;

    /** The constant of a code; {@link #OTHER} if there is none. */
    public static RefusalCode of(String code) {
      for (var one : values()) {
        if (one != OTHER && one.name().toLowerCase(Locale.ROOT).equals(code)) {
          return one;
        }
      }
      return OTHER;
    }
  }

  /**
   * A clause of the rule book.
   *
   * @param key stable, such as "CO-17"
   * @param text the text, in the language of the client
   * @param source its document, or "ruling" if no document says it
   */
  public record Clause(String key, String text, String source) {

    /** The key and the text. */
    @Override
    public String toString() {
      return key + ": " + text;
    }
  }

  /**
   * A move, legal or not, with the clauses it breaks.
   *
   * @param move the move
   * @param verdict whether it is accepted
   * @param refusals every clause it breaks or may break; empty if it is legal
   * @param dependsOn the unknown parts of a partial position that its refusals depend on, such as
   *     "trump"
   */
  public record ExplainedMove(
      Move move, Verdict verdict, List<Refusal> refusals, List<String> dependsOn) {

    /** Whether it breaks no clause, whatever the unknown parts of a partial position are. */
    public boolean legal() {
      return refusals.isEmpty() && dependsOn.isEmpty();
    }
  }

  /** Whether a move is accepted. */
  public enum Verdict {
    /** A value of a newer service. */
    UNKNOWN,
    /** It is, whatever the unknown parts of a partial position are. */
    ACCEPTED,
    /** It is not, whatever they are. */
    REFUSED,
    /** That depends on unknown parts of a partial position. */
    UNDECIDED
  }
}
