package chitarrella.client.internal;

import chitarrella.client.answers.Draw;
import chitarrella.client.answers.Position;
import chitarrella.client.answers.SeatMove;
import chitarrella.client.table.Agreement;
import chitarrella.client.table.Move;
import chitarrella.v1.Contribution;
import chitarrella.v1.CountPileRequest;
import chitarrella.v1.ExplainHandRequest;
import chitarrella.v1.JudgeRequest;
import chitarrella.v1.ListLegalMovesRequest;
import chitarrella.v1.ListPlayableCardsRequest;
import chitarrella.v1.LookRequest;
import chitarrella.v1.PlayMovesRequest;
import chitarrella.v1.ResolveTrickRequest;
import chitarrella.v1.VerifyDrawRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds requests about positions and cards. */
public final class RulesRequests {
  private RulesRequests() {}

  private static chitarrella.v1.Position position(Position position) {
    return chitarrella.v1.Position.newBuilder()
        .setAgreement(MatchRequests.agreement(position.agreement()))
        .setLine(position.line())
        .build();
  }

  /** Lists legal moves; null for the seat to move. */
  public static ListLegalMovesRequest legalMoves(Position position, @Nullable Integer seat) {
    var m = ListLegalMovesRequest.newBuilder().setPosition(position(position));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Explains a hand; null for the seat to move. */
  public static ExplainHandRequest explain(Position position, @Nullable Integer seat) {
    var m = ExplainHandRequest.newBuilder().setPosition(position(position));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Checks a move; null for chance. */
  public static JudgeRequest judge(Position position, Move move, @Nullable Integer seat) {
    var m =
        JudgeRequest.newBuilder().setPosition(position(position)).setMove(MatchRequests.move(move));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Plays moves. */
  public static PlayMovesRequest play(Position position, List<SeatMove> moves) {
    var m = PlayMovesRequest.newBuilder().setPosition(position(position));
    for (var one : moves) {
      var made = chitarrella.v1.SeatMove.newBuilder().setMove(MatchRequests.move(one.move()));
      m.addMoves(one.seat() == null ? made : made.setSeat(one.seat()));
    }
    return m.build();
  }

  /** The view of a seat; null for the public. */
  public static LookRequest look(Position position, @Nullable Integer seat) {
    var m = LookRequest.newBuilder().setPosition(position(position));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** The view of the referee. */
  public static LookRequest lookAsReferee(Position position) {
    return LookRequest.newBuilder().setPosition(position(position)).setReferee(true).build();
  }

  /** Which cards may be played to a trick. */
  public static ListPlayableCardsRequest playable(
      Agreement agreement, List<String> hand, List<String> trick, String trump) {
    return ListPlayableCardsRequest.newBuilder()
        .setAgreement(MatchRequests.agreement(agreement))
        .addAllHand(hand)
        .addAllTrick(trick)
        .setTrump(trump)
        .build();
  }

  /** Which card takes a trick. */
  public static ResolveTrickRequest trick(Agreement agreement, List<String> cards, String trump) {
    return ResolveTrickRequest.newBuilder()
        .setAgreement(MatchRequests.agreement(agreement))
        .addAllCards(cards)
        .setTrump(trump)
        .build();
  }

  /** The worth of a pile. */
  public static CountPileRequest count(Agreement agreement, List<String> cards, String trump) {
    return CountPileRequest.newBuilder()
        .setAgreement(MatchRequests.agreement(agreement))
        .addAllCards(cards)
        .setTrump(trump)
        .build();
  }

  /** Verifies a draw. */
  public static VerifyDrawRequest verify(String game, Draw draw) {
    var m =
        VerifyDrawRequest.newBuilder()
            .setGame(game)
            .setCommitment(draw.commitment())
            .setNonce(draw.nonce())
            .setNumber(draw.number())
            .addAllCards(draw.cards())
            .addAllLots(draw.lots());
    for (var word : draw.words()) {
      m.addWords(Contribution.newBuilder().setSeat(word.seat()).setWord(word.word()));
    }
    return (draw.amount() == null ? m : m.setAmount(draw.amount())).build();
  }
}
