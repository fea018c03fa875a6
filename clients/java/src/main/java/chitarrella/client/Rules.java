package chitarrella.client;

import chitarrella.client.answers.Draw;
import chitarrella.client.answers.DrawVerdict;
import chitarrella.client.answers.ExplainedHand;
import chitarrella.client.answers.LegalMoves;
import chitarrella.client.answers.PlayedMoves;
import chitarrella.client.answers.Position;
import chitarrella.client.answers.SeatMove;
import chitarrella.client.answers.Start;
import chitarrella.client.answers.Tally;
import chitarrella.client.answers.Trick;
import chitarrella.client.answers.Verdict;
import chitarrella.client.internal.MatchRequests;
import chitarrella.client.internal.RulesMapper;
import chitarrella.client.internal.RulesRequests;
import chitarrella.client.internal.TableMapper;
import chitarrella.client.table.Agreement;
import chitarrella.client.table.ExplainedMove;
import chitarrella.client.table.Move;
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

  /** The initial position and the result of chance that it awaits. */
  public Start start(Agreement agreement) {
    var request =
        StartGameRequest.newBuilder().setAgreement(MatchRequests.agreement(agreement)).build();
    return transport.call(RulesServiceGrpc.getStartGameMethod(), request, RulesMapper::start);
  }

  /** The legal moves of a seat; null for the seat to move. */
  public LegalMoves legalMoves(Position position, @Nullable Integer seat) {
    var request = RulesRequests.legalMoves(position, seat);
    return transport.call(
        RulesServiceGrpc.getListLegalMovesMethod(), request, RulesMapper::legalMoves);
  }

  /** Explains every card of a hand and every other possible move; null for the seat to move. */
  public ExplainedHand explain(Position position, @Nullable Integer seat) {
    var request = RulesRequests.explain(position, seat);
    return transport.call(RulesServiceGrpc.getExplainHandMethod(), request, RulesMapper::hand);
  }

  /** Checks a move of a seat; null for chance. */
  public Verdict judge(Position position, Move move, @Nullable Integer seat) {
    var request = RulesRequests.judge(position, move, seat);
    return transport.call(RulesServiceGrpc.getJudgeMethod(), request, RulesMapper::verdict);
  }

  /** Plays moves one after the other until one is refused. */
  public PlayedMoves play(Position position, List<SeatMove> moves) {
    var request = RulesRequests.play(position, moves);
    return transport.call(RulesServiceGrpc.getPlayMovesMethod(), request, RulesMapper::playedMoves);
  }

  /** The view of a seat; null for the public. */
  public View look(Position position, @Nullable Integer seat) {
    return view(RulesRequests.look(position, seat));
  }

  /** The view of the referee: everything. */
  public View lookAsReferee(Position position) {
    return view(RulesRequests.lookAsReferee(position));
  }

  private View view(chitarrella.v1.LookRequest request) {
    var method = RulesServiceGrpc.getLookMethod();
    return transport.call(method, request, response -> TableMapper.view(response.getView()));
  }

  /** Has the service verify a draw; {@link Fairness} does it locally. */
  public DrawVerdict verifyDraw(String game, Draw draw) {
    var method = RulesServiceGrpc.getVerifyDrawMethod();
    var request = RulesRequests.verify(game, draw);
    return transport.call(method, request, m -> new DrawVerdict(m.getFair(), m.getCode()));
  }

  /**
   * Returns, without a position, which cards of a hand may be played to a trick; {@code trump} is
   * empty for none.
   */
  public List<ExplainedMove> playable(
      Agreement agreement, List<String> hand, List<String> trick, String trump) {
    var request = RulesRequests.playable(agreement, hand, trick, trump);
    var method = RulesServiceGrpc.getListPlayableCardsMethod();
    return transport.call(
        method, request, response -> TableMapper.explained(response.getMovesList()));
  }

  /** Returns, without a position, which card takes a trick; {@code trump} is empty for none. */
  public Trick trick(Agreement agreement, List<String> cards, String trump) {
    var request = RulesRequests.trick(agreement, cards, trump);
    return transport.call(RulesServiceGrpc.getResolveTrickMethod(), request, RulesMapper::trick);
  }

  /** The worth of a pile of cards; {@code trump} is empty for none. */
  public List<Tally> count(Agreement agreement, List<String> cards, String trump) {
    var request = RulesRequests.count(agreement, cards, trump);
    var method = RulesServiceGrpc.getCountPileMethod();
    return transport.call(
        method, request, response -> RulesMapper.tallies(response.getTalliesList()));
  }
}
