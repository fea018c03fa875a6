package chitarrella.client.answers;

import chitarrella.client.answers.Positions.Position;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.internal.Batches.BatchItem;
import chitarrella.client.table.Event;
import chitarrella.client.table.Move;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.Refusal.ExplainedMove;
import chitarrella.client.table.Refusal.Verdict;
import chitarrella.client.table.View;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers of the rules about positions and cards. */
public final class RulesAnswers {
  private RulesAnswers() {}

  /**
   * The start of a game.
   *
   * @param position the initial position
   * @param chanceRequest the move that chance has to make; null for none
   * @param view the public view
   */
  public record GameStart(Position position, @Nullable ChanceRequest chanceRequest, View view) {}

  /**
   * A move that chance has to make: cards in some order, or one of some numbers.
   *
   * @param verb the verb of the move
   * @param cards the cards to be ordered
   * @param amounts the numbers to choose one from
   */
  public record ChanceRequest(String verb, List<String> cards, List<Integer> amounts) {}

  /**
   * The legal moves in a position.
   *
   * @param moves the legal moves
   * @param seat the seat to move; null if none is
   * @param chanceRequest the move that chance has to make; null for none
   * @param undecided for a partial position, the moves whose legality depends on an unknown part;
   *     they are not among the moves
   * @param dependsOn the unknown parts of a partial position without which nothing can be listed:
   *     "hands", "trick"
   */
  public record LegalMoves(
      List<Move> moves,
      @Nullable Integer seat,
      @Nullable ChanceRequest chanceRequest,
      List<ExplainedMove> undecided,
      List<String> dependsOn) {}

  /**
   * Every card of a hand and every other possible move, each with the clauses it breaks.
   *
   * @param moves the moves, legal or not
   * @param seat the seat whose hand this is
   * @param dependsOn the unknown parts of a partial position without which nothing can be
   *     explained: "hands", "trick"
   */
  public record ExplainedHand(
      List<ExplainedMove> moves, @Nullable Integer seat, List<String> dependsOn) {}

  /**
   * The result of validating a move.
   *
   * @param verdict whether it would be accepted
   * @param refusals every clause it breaks or may break, in order
   * @param dependsOn the unknown parts of a partial position that the refusals depend on, such as
   *     "trump"
   */
  public record MoveValidation(Verdict verdict, List<Refusal> refusals, List<String> dependsOn) {}

  /**
   * The result of moves in a position, as visible to the referee.
   *
   * @param position after the last accepted move
   * @param applied how many were accepted
   * @param refusals why the next one was refused; empty if all were accepted
   * @param penalties the accepted moves that break clauses at a price
   * @param events of all moves
   * @param view the view after them
   * @param chanceRequest the move that chance has to make; null for none
   * @param points the points of each seat in this deal, by the first count
   * @param legalMoves the legal moves of the seat to move, which is the turn of the view
   */
  public record AppliedMoves(
      Position position,
      int applied,
      List<Refusal> refusals,
      List<MovePenalty> penalties,
      List<Event> events,
      View view,
      @Nullable ChanceRequest chanceRequest,
      List<Integer> points,
      List<Move> legalMoves) {}

  /**
   * An accepted move that breaks clauses at a price.
   *
   * @param index the index of the move, the first being 0
   * @param refusals the clauses that it breaks
   */
  public record MovePenalty(int index, List<Refusal> refusals) {}

  /**
   * The winner of a trick, and what the trick counts.
   *
   * @param winningIndex the index of the winning card in order of play, the first being 0; null if
   *     it depends on an unknown part
   * @param winningCard the winning card; empty if it depends on an unknown part
   * @param scores a score in each count of the game; empty if they depend on an unknown part
   * @param dependsOn the unknown parts that the result depends on, such as "trump"
   */
  public record TrickResult(
      @Nullable Integer winningIndex,
      String winningCard,
      List<Score> scores,
      List<String> dependsOn) {}

  /**
   * What cards count.
   *
   * @param scores a score in each count of the game; empty if they depend on an unknown part
   * @param dependsOn the unknown parts that the scores depend on, such as "trump"
   */
  public record CardScores(List<Score> scores, List<String> dependsOn) {}

  /**
   * A score in one count.
   *
   * @param name the name of the count, such as "card_points"
   * @param value the score
   */
  public record Score(String name, int value) {}

  /**
   * The result of the verification of a shuffle by the service.
   *
   * @param fair whether it follows from its commitment
   * @param code the reason if not: "commitment_mismatch" or "order_mismatch"; empty if it is fair
   */
  public record ShuffleVerification(boolean fair, String code) {}

  /** The answers to the questions of a batch. */
  public static final class BatchAnswers {
    private final Map<BatchItem<?>, Object> outcomes;

    /** With the answer or the {@link ChitarrellaException} of each question, by identity. */
    public BatchAnswers(Map<BatchItem<?>, Object> outcomes) {
      this.outcomes = outcomes;
    }

    /**
     * The answer to a question of the batch.
     *
     * @throws ChitarrellaException if this question has an error; it has no status
     * @throws IllegalArgumentException if the question is not one of the batch
     */
    @SuppressWarnings("unchecked") // a question stands beside what it has read itself
    public <T> T get(BatchItem<T> question) {
      var outcome = outcomes.get(question);
      if (outcome == null) {
        throw new IllegalArgumentException("this question is not one of the batch");
      }
      if (outcome instanceof ChitarrellaException error) {
        throw error;
      }
      return (T) outcome;
    }
  }
}
