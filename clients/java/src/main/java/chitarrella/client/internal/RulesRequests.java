package chitarrella.client.internal;

import chitarrella.client.answers.Position;
import chitarrella.client.answers.SeatMove;
import chitarrella.client.answers.Shuffle;
import chitarrella.client.table.Move;
import chitarrella.client.table.RuleSet;
import chitarrella.v1.ApplyMovesRequest;
import chitarrella.v1.ClientSeed;
import chitarrella.v1.ExplainHandRequest;
import chitarrella.v1.GetViewRequest;
import chitarrella.v1.ListLegalMovesRequest;
import chitarrella.v1.ListPlayableCardsRequest;
import chitarrella.v1.ResolveTrickRequest;
import chitarrella.v1.ScoreCardsRequest;
import chitarrella.v1.ValidateMoveRequest;
import chitarrella.v1.VerifyShuffleRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds requests about positions and cards. */
public final class RulesRequests {
  private RulesRequests() {}

  private static chitarrella.v1.Position position(Position position) {
    return chitarrella.v1.Position.newBuilder()
        .setRuleSet(MatchRequests.ruleSet(position.ruleSet()))
        .setText(position.text())
        .build();
  }

  /** Lists legal moves; null for the seat to move. */
  public static ListLegalMovesRequest legalMoves(Position position, @Nullable Integer seat) {
    var m = ListLegalMovesRequest.newBuilder().setPosition(position(position));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Explains a hand; null for the seat to move. */
  public static ExplainHandRequest explainHand(Position position, @Nullable Integer seat) {
    var m = ExplainHandRequest.newBuilder().setPosition(position(position));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Validates a move; null for chance. */
  public static ValidateMoveRequest validateMove(
      Position position, Move move, @Nullable Integer seat) {
    var m =
        ValidateMoveRequest.newBuilder()
            .setPosition(position(position))
            .setMove(MatchRequests.move(move));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Plays moves. */
  public static ApplyMovesRequest applyMoves(Position position, List<SeatMove> moves) {
    var m = ApplyMovesRequest.newBuilder().setPosition(position(position));
    for (var one : moves) {
      var made = chitarrella.v1.SeatMove.newBuilder().setMove(MatchRequests.move(one.move()));
      m.addMoves(one.seat() == null ? made : made.setSeat(one.seat()));
    }
    return m.build();
  }

  /** The view of a seat; null for the public. */
  public static GetViewRequest getView(Position position, @Nullable Integer seat) {
    var m = GetViewRequest.newBuilder().setPosition(position(position));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** The view of the referee. */
  public static GetViewRequest getViewAsReferee(Position position) {
    return GetViewRequest.newBuilder().setPosition(position(position)).setReferee(true).build();
  }

  /** Which cards may be played to a trick. */
  public static ListPlayableCardsRequest playableCards(
      RuleSet ruleSet, List<String> hand, List<String> trick, String trump) {
    return ListPlayableCardsRequest.newBuilder()
        .setRuleSet(MatchRequests.ruleSet(ruleSet))
        .addAllHand(hand)
        .addAllTrick(trick)
        .setTrump(trump)
        .build();
  }

  /** Which card takes a trick. */
  public static ResolveTrickRequest resolveTrick(
      RuleSet ruleSet, List<String> cards, String trump) {
    return ResolveTrickRequest.newBuilder()
        .setRuleSet(MatchRequests.ruleSet(ruleSet))
        .addAllCards(cards)
        .setTrump(trump)
        .build();
  }

  /** What cards count. */
  public static ScoreCardsRequest scoreCards(RuleSet ruleSet, List<String> cards, String trump) {
    return ScoreCardsRequest.newBuilder()
        .setRuleSet(MatchRequests.ruleSet(ruleSet))
        .addAllCards(cards)
        .setTrump(trump)
        .build();
  }

  /** Verifies a shuffle. */
  public static VerifyShuffleRequest verifyShuffle(String gameId, Shuffle shuffle) {
    var m =
        VerifyShuffleRequest.newBuilder()
            .setGameId(gameId)
            .setCommitment(shuffle.commitment())
            .setNonce(shuffle.nonce())
            .setNumber(shuffle.number())
            .addAllCards(shuffle.cards())
            .addAllLots(shuffle.lots());
    for (var one : shuffle.clientSeeds()) {
      m.addClientSeeds(ClientSeed.newBuilder().setSeat(one.seat()).setSeed(one.seed()));
    }
    return (shuffle.amount() == null ? m : m.setAmount(shuffle.amount())).build();
  }
}
