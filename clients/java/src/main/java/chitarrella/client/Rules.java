package chitarrella.client;

import chitarrella.client.answers.MatchAnswers.Shuffle;
import chitarrella.client.answers.Positions.AnyPosition;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.answers.Positions.SeatMove;
import chitarrella.client.answers.RulesAnswers.AppliedMoves;
import chitarrella.client.answers.RulesAnswers.BatchAnswers;
import chitarrella.client.answers.RulesAnswers.CardScores;
import chitarrella.client.answers.RulesAnswers.ExplainedHand;
import chitarrella.client.answers.RulesAnswers.GameStart;
import chitarrella.client.answers.RulesAnswers.LegalMoves;
import chitarrella.client.answers.RulesAnswers.MoveValidation;
import chitarrella.client.answers.RulesAnswers.ShuffleVerification;
import chitarrella.client.answers.RulesAnswers.TrickResult;
import chitarrella.client.internal.Batches;
import chitarrella.client.internal.Mapper;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.RulesMapper;
import chitarrella.client.table.Move;
import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View;
import chitarrella.v1.RulesServiceGrpc;
import chitarrella.v1.StartGameRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules, for those who store matches themselves: a position goes in, a position comes out. */
public final class Rules {
  private final Transport transport;

  Rules(Transport transport) {
    this.transport = transport;
  }

  /** The initial position and the move that chance has to make. */
  public GameStart startGame(RuleSet ruleSet) {
    var request = StartGameRequest.newBuilder().setRuleSet(Requests.ruleSet(ruleSet)).build();
    return transport.call(RulesServiceGrpc.getStartGameMethod(), request, RulesMapper::gameStart);
  }

  /** The legal moves of a seat; null for the seat to move, or for the only hand that is known. */
  public LegalMoves legalMoves(AnyPosition position, @Nullable Integer seat) {
    var request = Requests.legalMoves(position, seat);
    return transport.call(
        RulesServiceGrpc.getListLegalMovesMethod(), request, RulesMapper::legalMoves);
  }

  /**
   * Explains every card of a hand and every other possible move; null for the seat to move, or for
   * the only hand that is known.
   */
  public ExplainedHand explainHand(AnyPosition position, @Nullable Integer seat) {
    var request = Requests.explainHand(position, seat);
    return transport.call(
        RulesServiceGrpc.getExplainHandMethod(), request, RulesMapper::explainedHand);
  }

  /** Validates a move of a seat; null for chance, or for the only hand that is known. */
  public MoveValidation validateMove(AnyPosition position, Move move, @Nullable Integer seat) {
    var request = Requests.validateMove(position, move, seat);
    return transport.call(
        RulesServiceGrpc.getValidateMoveMethod(), request, RulesMapper::moveValidation);
  }

  /** Plays moves one after the other until one is refused. */
  public AppliedMoves applyMoves(Position position, List<SeatMove> moves) {
    var request = Requests.applyMoves(position, moves);
    return transport.call(
        RulesServiceGrpc.getApplyMovesMethod(), request, RulesMapper::appliedMoves);
  }

  /** The view of a seat; null for the public. */
  public View getView(Position position, @Nullable Integer seat) {
    return view(Requests.getView(position, seat));
  }

  /** The view of the referee: everything. */
  public View getViewAsReferee(Position position) {
    return view(Requests.getViewAsReferee(position));
  }

  private View view(chitarrella.v1.GetViewRequest request) {
    var method = RulesServiceGrpc.getGetViewMethod();
    return transport.call(method, request, response -> Mapper.view(response.getView()));
  }

  /** Has the service verify a shuffle; {@link Fairness} does it locally. */
  public ShuffleVerification verifyShuffle(String gameId, Shuffle shuffle) {
    var method = RulesServiceGrpc.getVerifyShuffleMethod();
    var request = Requests.verifyShuffle(gameId, shuffle);
    return transport.call(method, request, m -> new ShuffleVerification(m.getFair(), m.getCode()));
  }

  /**
   * Returns, without a position, which card takes a trick, in a game without a single trump card;
   * {@code trump} is empty for none, null if it is unknown.
   */
  public TrickResult resolveTrick(RuleSet ruleSet, List<String> cards, @Nullable String trump) {
    return resolveTrick(ruleSet, cards, trump, null);
  }

  /**
   * Returns, without a position, which card takes a trick.
   *
   * @param ruleSet what is played
   * @param cards the cards in order of play
   * @param trump the trump suit; empty for none, null if it is unknown
   * @param trumpCard the trump card, in games where the trump is a single card; empty for none,
   *     null if it is unknown
   */
  public TrickResult resolveTrick(
      RuleSet ruleSet, List<String> cards, @Nullable String trump, @Nullable String trumpCard) {
    var request = Requests.resolveTrick(ruleSet, cards, trump, trumpCard);
    return transport.call(
        RulesServiceGrpc.getResolveTrickMethod(), request, RulesMapper::trickResult);
  }

  /**
   * Returns, without a position, what cards count; {@code trump} is empty for none, null if it is
   * unknown.
   */
  public CardScores scoreCards(RuleSet ruleSet, List<String> cards, @Nullable String trump) {
    var request = Requests.scoreCards(ruleSet, cards, trump);
    return transport.call(RulesServiceGrpc.getScoreCardsMethod(), request, RulesMapper::cardScores);
  }

  /**
   * Asks many questions in one call; each has its own answer or error.
   *
   * @throws IllegalArgumentException if a question is given twice, or has the position of one that
   *     is not before it
   */
  public BatchAnswers batch(Question<?>... questions) {
    var asked = List.of(questions);
    return transport.call(
        RulesServiceGrpc.getBatchMethod(),
        Batches.request(asked),
        response -> Batches.answers(asked, response));
  }
}
