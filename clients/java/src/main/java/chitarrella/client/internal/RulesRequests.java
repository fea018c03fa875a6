package chitarrella.client.internal;

import chitarrella.client.answers.MatchAnswers.Shuffle;
import chitarrella.client.answers.Positions.AnyPosition;
import chitarrella.client.answers.Positions.PartialPosition;
import chitarrella.client.answers.Positions.PartialTrick;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.answers.Positions.SeatMove;
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
import chitarrella.v1.SeatCards;
import chitarrella.v1.ValidateMoveRequest;
import chitarrella.v1.VerifyShuffleRequest;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds requests about positions and cards; where a position is null, it is left out. */
public final class RulesRequests {
  private RulesRequests() {}

  private static chitarrella.v1.Position position(Position position) {
    return chitarrella.v1.Position.newBuilder()
        .setRuleSet(MatchRequests.ruleSet(position.ruleSet()))
        .setText(position.text())
        .build();
  }

  private static chitarrella.v1.PartialPosition position(PartialPosition position) {
    var m =
        chitarrella.v1.PartialPosition.newBuilder()
            .setRuleSet(MatchRequests.ruleSet(position.ruleSet()));
    position.hands().forEach((seat, cards) -> m.addHands(seatCards(seat, cards)));
    setIfKnown(position.trick(), trick -> m.setTrick(trick(trick)));
    setIfKnown(position.trump(), m::setTrump);
    setIfKnown(position.trumpCard(), m::setTrumpCard);
    setIfKnown(position.stockSize(), m::setStockSize);
    return m.build();
  }

  private static SeatCards seatCards(int seat, List<String> cards) {
    return SeatCards.newBuilder().setSeat(seat).addAllCards(cards).build();
  }

  private static chitarrella.v1.PartialTrick trick(PartialTrick trick) {
    var m = chitarrella.v1.PartialTrick.newBuilder().addAllCards(trick.cards());
    setIfKnown(trick.leader(), m::setLeader);
    setIfKnown(trick.declaredSuit(), m::setDeclaredSuit);
    return m.build();
  }

  private static <T> void setIfKnown(@Nullable T value, Consumer<T> set) {
    if (value != null) {
      set.accept(value);
    }
  }

  /** Sets the field for a position, or the one for a partial position; neither for null. */
  private static void setPosition(
      @Nullable AnyPosition position,
      Consumer<chitarrella.v1.Position> set,
      Consumer<chitarrella.v1.PartialPosition> setPartial) {
    if (position instanceof PartialPosition partial) {
      setPartial.accept(position(partial));
    } else if (position instanceof Position whole) {
      set.accept(position(whole));
    }
  }

  /** Lists legal moves; null for the seat to move. */
  public static ListLegalMovesRequest legalMoves(
      @Nullable AnyPosition position, @Nullable Integer seat) {
    var m = ListLegalMovesRequest.newBuilder();
    setPosition(position, m::setPosition, m::setPartialPosition);
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Explains a hand; null for the seat to move. */
  public static ExplainHandRequest explainHand(
      @Nullable AnyPosition position, @Nullable Integer seat) {
    var m = ExplainHandRequest.newBuilder();
    setPosition(position, m::setPosition, m::setPartialPosition);
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Validates a move; null for chance, or for the only hand of a partial position. */
  public static ValidateMoveRequest validateMove(
      @Nullable AnyPosition position, Move move, @Nullable Integer seat) {
    var m = ValidateMoveRequest.newBuilder().setMove(MatchRequests.move(move));
    setPosition(position, m::setPosition, m::setPartialPosition);
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Plays moves. */
  public static ApplyMovesRequest applyMoves(@Nullable Position position, List<SeatMove> moves) {
    var m = ApplyMovesRequest.newBuilder();
    setIfKnown(position, whole -> m.setPosition(position(whole)));
    for (var one : moves) {
      var made = chitarrella.v1.SeatMove.newBuilder().setMove(MatchRequests.move(one.move()));
      m.addMoves(one.seat() == null ? made : made.setSeat(one.seat()));
    }
    return m.build();
  }

  /** The view of a seat; null for the public. */
  public static GetViewRequest getView(@Nullable Position position, @Nullable Integer seat) {
    var m = GetViewRequest.newBuilder();
    setIfKnown(position, whole -> m.setPosition(position(whole)));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** The view of the referee. */
  public static GetViewRequest getViewAsReferee(@Nullable Position position) {
    return getView(position, null).toBuilder().setReferee(true).build();
  }

  /** Which cards may be played to a trick; trump, trump card and suit are empty for none. */
  public static ListPlayableCardsRequest playableCards(
      RuleSet ruleSet,
      List<String> hand,
      List<String> trick,
      String trump,
      String trumpCard,
      String declaredSuit,
      boolean stockLeft) {
    return ListPlayableCardsRequest.newBuilder()
        .setRuleSet(MatchRequests.ruleSet(ruleSet))
        .addAllHand(hand)
        .addAllTrick(trick)
        .setTrump(trump)
        .setTrumpCard(trumpCard)
        .setDeclaredSuit(declaredSuit)
        .setStockLeft(stockLeft)
        .build();
  }

  /** Which card takes a trick; trump and trump card are empty for none, null if unknown. */
  public static ResolveTrickRequest resolveTrick(
      RuleSet ruleSet, List<String> cards, @Nullable String trump, @Nullable String trumpCard) {
    var m =
        ResolveTrickRequest.newBuilder()
            .setRuleSet(MatchRequests.ruleSet(ruleSet))
            .addAllCards(cards);
    setIfKnown(trump, m::setTrump);
    setIfKnown(trumpCard, m::setTrumpCard);
    return m.build();
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
