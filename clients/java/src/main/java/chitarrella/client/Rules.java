// Questions about positions and cards.
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
import chitarrella.client.internal.Questions;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.RulesReading;
import chitarrella.client.internal.TableReading;
import chitarrella.client.table.Agreement;
import chitarrella.client.table.ExplainedMove;
import chitarrella.client.table.Move;
import chitarrella.client.table.View;
import chitarrella.v1.RulesServiceGrpc;
import chitarrella.v1.StartGameRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules, for those who keep their own matches: a position goes in, a position comes out,
 * nothing is kept.
 */
public final class Rules {
  private final Line line;

  Rules(Line line) {
    this.line = line;
  }

  /** Gives the position before the first card, and what the table has to supply. */
  public Start start(Agreement agreement) {
    var request = StartGameRequest.newBuilder().setAgreement(Requests.agreement(agreement)).build();
    return line.ask(RulesServiceGrpc.getStartGameMethod(), request, RulesReading::start);
  }

  /** Lists what a seat may do; null for the seat to move. */
  public LegalMoves legalMoves(Position position, @Nullable Integer seat) {
    var request = Questions.legalMoves(position, seat);
    return line.ask(RulesServiceGrpc.getListLegalMovesMethod(), request, RulesReading::legalMoves);
  }

  /** Explains every card of a hand, and every other act within reach; null for the seat to move. */
  public ExplainedHand explain(Position position, @Nullable Integer seat) {
    var request = Questions.explain(position, seat);
    return line.ask(RulesServiceGrpc.getExplainHandMethod(), request, RulesReading::hand);
  }

  /** Judges a move of a seat; null for the table itself. */
  public Verdict judge(Position position, Move move, @Nullable Integer seat) {
    var request = Questions.judge(position, move, seat);
    return line.ask(RulesServiceGrpc.getJudgeMethod(), request, RulesReading::verdict);
  }

  /** Plays moves one after the other until one is refused. */
  public PlayedMoves play(Position position, List<SeatMove> moves) {
    var request = Questions.play(position, moves);
    return line.ask(RulesServiceGrpc.getPlayMovesMethod(), request, RulesReading::playedMoves);
  }

  /** Shows a position as a seat sees it; null for the public. */
  public View look(Position position, @Nullable Integer seat) {
    return shown(Questions.look(position, seat));
  }

  /** Shows a position as the referee sees it: everything. */
  public View lookAsReferee(Position position) {
    return shown(Questions.lookAsReferee(position));
  }

  private View shown(chitarrella.v1.LookRequest request) {
    var method = RulesServiceGrpc.getLookMethod();
    return line.ask(method, request, answer -> TableReading.view(answer.getView()));
  }

  /** Lets the service check that a draw came out as promised; {@link Fairness} does it here. */
  public DrawVerdict verifyDraw(String game, Draw draw) {
    var method = RulesServiceGrpc.getVerifyDrawMethod();
    var request = Questions.verify(game, draw);
    return line.ask(method, request, m -> new DrawVerdict(m.getFair(), m.getCode()));
  }

  /**
   * Says at a glance which cards of a hand may be played to a trick; {@code trump} is empty for
   * none.
   */
  public List<ExplainedMove> playable(
      Agreement agreement, List<String> hand, List<String> trick, String trump) {
    var request = Questions.playable(agreement, hand, trick, trump);
    var method = RulesServiceGrpc.getListPlayableCardsMethod();
    return line.ask(method, request, answer -> TableReading.explained(answer.getMovesList()));
  }

  /** Says at a glance which card takes a trick; {@code trump} is empty for none. */
  public Trick trick(Agreement agreement, List<String> cards, String trump) {
    var request = Questions.trick(agreement, cards, trump);
    return line.ask(RulesServiceGrpc.getResolveTrickMethod(), request, RulesReading::trick);
  }

  /** Says at a glance what a pile of cards is worth; {@code trump} is empty for none. */
  public List<Tally> count(Agreement agreement, List<String> cards, String trump) {
    var request = Questions.count(agreement, cards, trump);
    var method = RulesServiceGrpc.getCountPileMethod();
    return line.ask(method, request, answer -> RulesReading.tallies(answer.getTalliesList()));
  }
}
