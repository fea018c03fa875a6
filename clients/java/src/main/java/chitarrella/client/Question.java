package chitarrella.client;

import chitarrella.client.answers.Positions.AnyPosition;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.answers.Positions.SeatMove;
import chitarrella.client.answers.RulesAnswers.AppliedMoves;
import chitarrella.client.answers.RulesAnswers.CardScores;
import chitarrella.client.answers.RulesAnswers.ExplainedHand;
import chitarrella.client.answers.RulesAnswers.GameStart;
import chitarrella.client.answers.RulesAnswers.LegalMoves;
import chitarrella.client.answers.RulesAnswers.MoveValidation;
import chitarrella.client.answers.RulesAnswers.TrickResult;
import chitarrella.client.internal.Batches.BatchItem;
import chitarrella.client.internal.Mapper;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.RulesMapper;
import chitarrella.client.table.Move;
import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View;
import chitarrella.v1.Answer;
import chitarrella.v1.ApplyMovesRequest;
import chitarrella.v1.ExplainHandRequest;
import chitarrella.v1.GetViewRequest;
import chitarrella.v1.ListLegalMovesRequest;
import chitarrella.v1.StartGameRequest;
import chitarrella.v1.ValidateMoveRequest;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A question for {@link Rules#batch}, such as {@code Question.legalMoves(position, null)}. Each
 * asks what the method of {@link Rules} with its name asks.
 *
 * <p>In place of a position an earlier question of the same batch can be given, which starts a game
 * or applies moves: the position is that of its answer.
 *
 * @param <T> the answer
 */
public final class Question<T> extends BatchItem<T> {
  private Question(
      Consumer<chitarrella.v1.Question.Builder> set,
      @Nullable Question<?> earlier,
      Function<Answer, T> read) {
    super(message(set), earlier, read);
  }

  private static chitarrella.v1.Question message(Consumer<chitarrella.v1.Question.Builder> set) {
    var m = chitarrella.v1.Question.newBuilder();
    set.accept(m);
    return m.build();
  }

  /** The initial position and the move that chance has to make. */
  public static Question<GameStart> startGame(RuleSet ruleSet) {
    var request = StartGameRequest.newBuilder().setRuleSet(Requests.ruleSet(ruleSet));
    return new Question<>(
        m -> m.setStartGame(request), null, m -> RulesMapper.gameStart(m.getStartGame()));
  }

  /** The legal moves of a seat; null for the seat to move, or for the only hand that is known. */
  public static Question<LegalMoves> legalMoves(AnyPosition position, @Nullable Integer seat) {
    return legalMoves(Requests.legalMoves(position, seat), null);
  }

  /** The legal moves of a seat after an earlier question; null for the seat to move. */
  public static Question<LegalMoves> legalMoves(Question<?> earlier, @Nullable Integer seat) {
    return legalMoves(Requests.legalMoves(null, seat), earlier);
  }

  private static Question<LegalMoves> legalMoves(
      ListLegalMovesRequest request, @Nullable Question<?> earlier) {
    return new Question<>(
        m -> m.setListLegalMoves(request),
        earlier,
        m -> RulesMapper.legalMoves(m.getListLegalMoves()));
  }

  /** Explains a hand; null for the seat to move, or for the only hand that is known. */
  public static Question<ExplainedHand> explainHand(AnyPosition position, @Nullable Integer seat) {
    return explainHand(Requests.explainHand(position, seat), null);
  }

  /** Explains a hand after an earlier question; null for the seat to move. */
  public static Question<ExplainedHand> explainHand(Question<?> earlier, @Nullable Integer seat) {
    return explainHand(Requests.explainHand(null, seat), earlier);
  }

  private static Question<ExplainedHand> explainHand(
      ExplainHandRequest request, @Nullable Question<?> earlier) {
    return new Question<>(
        m -> m.setExplainHand(request),
        earlier,
        m -> RulesMapper.explainedHand(m.getExplainHand()));
  }

  /** Validates a move of a seat; null for chance, or for the only hand that is known. */
  public static Question<MoveValidation> validateMove(
      AnyPosition position, Move move, @Nullable Integer seat) {
    return validateMove(Requests.validateMove(position, move, seat), null);
  }

  /** Validates a move of a seat after an earlier question; null for chance. */
  public static Question<MoveValidation> validateMove(
      Question<?> earlier, Move move, @Nullable Integer seat) {
    return validateMove(Requests.validateMove(null, move, seat), earlier);
  }

  private static Question<MoveValidation> validateMove(
      ValidateMoveRequest request, @Nullable Question<?> earlier) {
    return new Question<>(
        m -> m.setValidateMove(request),
        earlier,
        m -> RulesMapper.moveValidation(m.getValidateMove()));
  }

  /** Plays moves one after the other until one is refused. */
  public static Question<AppliedMoves> applyMoves(Position position, List<SeatMove> moves) {
    return applyMoves(Requests.applyMoves(position, moves), null);
  }

  /** Plays moves after an earlier question, one after the other until one is refused. */
  public static Question<AppliedMoves> applyMoves(Question<?> earlier, List<SeatMove> moves) {
    return applyMoves(Requests.applyMoves(null, moves), earlier);
  }

  private static Question<AppliedMoves> applyMoves(
      ApplyMovesRequest request, @Nullable Question<?> earlier) {
    return new Question<>(
        m -> m.setApplyMoves(request), earlier, m -> RulesMapper.appliedMoves(m.getApplyMoves()));
  }

  /** The view of a seat; null for the public. */
  public static Question<View> getView(Position position, @Nullable Integer seat) {
    return view(Requests.getView(position, seat), null);
  }

  /** The view of a seat after an earlier question; null for the public. */
  public static Question<View> getView(Question<?> earlier, @Nullable Integer seat) {
    return view(Requests.getView(null, seat), earlier);
  }

  /** The view of the referee: everything. */
  public static Question<View> getViewAsReferee(Position position) {
    return view(Requests.getViewAsReferee(position), null);
  }

  /** The view of the referee after an earlier question. */
  public static Question<View> getViewAsReferee(Question<?> earlier) {
    return view(Requests.getViewAsReferee(null), earlier);
  }

  private static Question<View> view(GetViewRequest request, @Nullable Question<?> earlier) {
    return new Question<>(
        m -> m.setGetView(request), earlier, m -> Mapper.view(m.getGetView().getView()));
  }

  /** Which card takes a trick; trump and trump card are empty for none, null if unknown. */
  public static Question<TrickResult> resolveTrick(
      RuleSet ruleSet, List<String> cards, @Nullable String trump, @Nullable String trumpCard) {
    var request = Requests.resolveTrick(ruleSet, cards, trump, trumpCard);
    return new Question<>(
        m -> m.setResolveTrick(request), null, m -> RulesMapper.trickResult(m.getResolveTrick()));
  }

  /** What cards count; {@code trump} is empty for none, null if it is unknown. */
  public static Question<CardScores> scoreCards(
      RuleSet ruleSet, List<String> cards, @Nullable String trump) {
    var request = Requests.scoreCards(ruleSet, cards, trump);
    return new Question<>(
        m -> m.setScoreCards(request), null, m -> RulesMapper.cardScores(m.getScoreCards()));
  }
}
