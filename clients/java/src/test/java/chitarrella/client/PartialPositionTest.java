// What is unknown stays unknown in requests and results.
package chitarrella.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import chitarrella.client.answers.Positions.PartialPosition;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.RulesMapper;
import chitarrella.client.table.Move;
import chitarrella.client.table.Refusal.Verdict;
import chitarrella.client.table.RuleSet;
import chitarrella.v1.ApplyMovesResponse;
import chitarrella.v1.ExplainedMove;
import chitarrella.v1.ListLegalMovesResponse;
import chitarrella.v1.MovePenalty;
import chitarrella.v1.Refusal;
import chitarrella.v1.ResolveTrickResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartialPositionTest {
  private static final RuleSet CUCCU = RuleSet.of("cuccu-a-trionfo");
  private static final Refusal REFUSAL = Refusal.newBuilder().setCode("must_follow_suit").build();

  @Test
  void nothingIsKnownAtFirst() {
    var m = Requests.legalMoves(PartialPosition.of(CUCCU), null);
    assertFalse(m.hasPosition() || m.hasSeat());
    var known = m.getPartialPosition();
    assertEquals("cuccu-a-trionfo", known.getRuleSet().getGameId());
    assertEquals(0, known.getHandsCount());
    assertFalse(known.hasTrick() || known.hasTrump());
    assertFalse(known.hasTrumpCard() || known.hasStockSize());
  }

  @Test
  void everythingThatIsKnownIsSent() {
    var position =
        PartialPosition.of(CUCCU)
            .withHand(2, "IV", "XV")
            .withLeader(1)
            .withDeclaredSuit("numbers")
            .withTrick("MAT")
            .withTrump("")
            .withTrumpCard("MAT")
            .withStockSize(0)
            .withDealtIn(1, 2);
    var known = Requests.explainHand(position, 2).getPartialPosition();
    assertEquals(2, known.getHands(0).getSeat());
    assertEquals(List.of("IV", "XV"), known.getHands(0).getCardsList());
    assertEquals(List.of("MAT"), known.getTrick().getCardsList());
    assertEquals(1, known.getTrick().getLeader());
    assertEquals("numbers", known.getTrick().getDeclaredSuit());
    assertTrue(known.hasTrump() && known.hasStockSize());
    assertEquals("MAT", known.getTrumpCard());
    assertEquals(List.of(1, 2), known.getDealtInList());
  }

  @Test
  void aRequestHasOneFormOfThePosition() {
    var move = Move.of("play_card", "IV");
    var whole = Requests.validateMove(new Position(CUCCU, "text"), move, 0);
    assertTrue(whole.hasPosition() && !whole.hasPartialPosition());
    var lead = Requests.validateMove(PartialPosition.of(CUCCU).withTrick(), move, 0);
    assertTrue(lead.getPartialPosition().hasTrick() && !lead.hasPosition());
  }

  @Test
  void noTrumpsDifferFromUnknownTrumps() {
    var cards = List.of("IV", "MAT");
    var unknown = Requests.resolveTrick(CUCCU, cards, null, null);
    assertFalse(unknown.hasTrump() || unknown.hasTrumpCard());
    var none = Requests.resolveTrick(CUCCU, cards, "", "");
    assertTrue(none.hasTrump() && none.hasTrumpCard());
    assertFalse(Requests.scoreCards(CUCCU, cards, null).hasTrump());
    assertTrue(Requests.scoreCards(CUCCU, cards, "").hasTrump());
  }

  @Test
  void resultsNameWhatTheyDependOn() {
    var trick =
        RulesMapper.trickResult(ResolveTrickResponse.newBuilder().addDependsOn("trump").build());
    assertNull(trick.winningIndex());
    assertEquals(List.of("trump"), trick.dependsOn());
    var first = ResolveTrickResponse.newBuilder().setWinningIndex(0).build();
    assertEquals(0, RulesMapper.trickResult(first).winningIndex());
    var play =
        ExplainedMove.newBuilder()
            .setVerdict(chitarrella.v1.Verdict.VERDICT_UNDECIDED)
            .addRefusals(REFUSAL.toBuilder().setUndecided(true))
            .addDependsOn("trump");
    var found =
        RulesMapper.legalMoves(
            ListLegalMovesResponse.newBuilder().addUndecided(play).addDependsOn("trick").build());
    assertEquals(List.of("trick"), found.dependsOn());
    var undecided = found.undecided().get(0);
    assertEquals(Verdict.UNDECIDED, undecided.verdict());
    assertTrue(undecided.refusals().get(0).undecided());
    assertFalse(undecided.legal());
  }

  @Test
  void appliedMovesHaveLegalMovesAndPenalties() {
    var applied =
        RulesMapper.appliedMoves(
            ApplyMovesResponse.newBuilder()
                .addLegalMoves(chitarrella.v1.Move.newBuilder().setVerb("play_card").addCards("IV"))
                .addPenalties(MovePenalty.newBuilder().setIndex(1).addRefusals(REFUSAL))
                .build());
    assertEquals(List.of(Move.of("play_card", "IV")), applied.legalMoves());
    assertEquals(1, applied.penalties().get(0).index());
    assertEquals("must_follow_suit", applied.penalties().get(0).refusals().get(0).code());
  }
}
