// Questions of a batch keep their order and their types; each has its own answer or error.
package chitarrella.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import chitarrella.client.answers.Positions.PartialPosition;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.answers.Positions.SeatMove;
import chitarrella.client.errors.ChitarrellaException.BadRequestException;
import chitarrella.client.errors.ErrorCode;
import chitarrella.client.internal.Batches;
import chitarrella.client.table.Move;
import chitarrella.client.table.RuleSet;
import chitarrella.v1.Answer;
import chitarrella.v1.BatchResponse;
import chitarrella.v1.Question.KindCase;
import chitarrella.v1.ResolveTrickResponse;
import chitarrella.v1.Score;
import chitarrella.v1.ScoreCardsResponse;
import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final RuleSet BRISCOLA = RuleSet.of("briscola");
  private static final Move MOVE = Move.of("play_card", "3b");

  @Test
  void everyQuestionHasItsRequest() {
    var position = new Position(BRISCOLA, "text");
    var partial = PartialPosition.of(BRISCOLA).withTrick("4b");
    var cards = List.of("Ab", "3b");
    var batch =
        Batches.request(
            List.of(
                Question.startGame(BRISCOLA),
                Question.legalMoves(partial, 1),
                Question.explainHand(position, null),
                Question.validateMove(position, MOVE, 0),
                Question.applyMoves(position, List.of(new SeatMove(0, MOVE))),
                Question.getView(position, 0),
                Question.getViewAsReferee(position),
                Question.resolveTrick(BRISCOLA, cards, "d", null),
                Question.scoreCards(BRISCOLA, cards, "")));
    assertEquals(
        List.of(
            KindCase.START_GAME,
            KindCase.LIST_LEGAL_MOVES,
            KindCase.EXPLAIN_HAND,
            KindCase.VALIDATE_MOVE,
            KindCase.APPLY_MOVES,
            KindCase.GET_VIEW,
            KindCase.GET_VIEW,
            KindCase.RESOLVE_TRICK,
            KindCase.SCORE_CARDS),
        batch.getQuestionsList().stream().map(chitarrella.v1.Question::getKindCase).toList());
    assertTrue(batch.getQuestionsList().stream().noneMatch(one -> one.hasPositionOf()));
    assertTrue(batch.getQuestions(1).getListLegalMoves().hasPartialPosition());
    assertEquals("text", batch.getQuestions(4).getApplyMoves().getPosition().getText());
    assertTrue(batch.getQuestions(6).getGetView().getReferee());
    assertFalse(batch.getQuestions(7).getResolveTrick().hasTrumpCard());
  }

  @Test
  void anEarlierQuestionStandsForItsPosition() {
    var start = Question.startGame(BRISCOLA);
    var applied = Question.applyMoves(start, List.of(new SeatMove(null, MOVE)));
    var batch =
        Batches.request(
            List.of(
                Question.scoreCards(BRISCOLA, List.of(), ""),
                start,
                applied,
                Question.legalMoves(applied, null),
                Question.explainHand(applied, 0),
                Question.validateMove(applied, MOVE, 0),
                Question.getView(start, 0),
                Question.getViewAsReferee(start)));
    var places = batch.getQuestionsList().stream().skip(2).map(one -> one.getPositionOf()).toList();
    assertEquals(List.of(1, 2, 2, 2, 1, 1), places);
    assertFalse(batch.getQuestions(2).getApplyMoves().hasPosition());
    assertFalse(batch.getQuestions(3).getListLegalMoves().hasPosition());
    assertFalse(batch.getQuestions(7).getGetView().hasPosition());
  }

  @Test
  void aQuestionCanOnlyFollowAnEarlierOne() {
    var start = Question.startGame(BRISCOLA);
    var after = Question.legalMoves(start, null);
    for (var questions : List.of(List.of(after), List.of(after, start), List.of(start, start))) {
      assertThrows(IllegalArgumentException.class, () -> Batches.request(questions));
    }
  }

  @Test
  void eachQuestionHasItsAnswerOrItsError() {
    var scores = Question.scoreCards(BRISCOLA, List.of("Ab"), "");
    var bad = Question.scoreCards(BRISCOLA, List.of("Zz"), "");
    var trick = Question.resolveTrick(BRISCOLA, List.of("4b", "Ab"), "d", null);
    var info = ErrorInfo.newBuilder().setDomain("chitarrella").setReason("unknown_card");
    info.putMetadata("field", "cards");
    var error = Status.newBuilder().setCode(3).addDetails(Any.pack(info.build()));
    var points = Score.newBuilder().setName("card_points").setValue(11);
    var answers =
        Batches.answers(
            List.of(scores, bad, trick),
            BatchResponse.newBuilder()
                .addAnswers(
                    Answer.newBuilder()
                        .setScoreCards(ScoreCardsResponse.newBuilder().addScores(points)))
                .addAnswers(Answer.newBuilder().setError(error))
                .addAnswers(
                    Answer.newBuilder()
                        .setResolveTrick(ResolveTrickResponse.newBuilder().setWinningIndex(1)))
                .build());
    assertEquals(11, answers.get(scores).scores().get(0).value());
    assertEquals(1, answers.get(trick).winningIndex());
    var thrown = assertThrows(BadRequestException.class, () -> answers.get(bad));
    assertEquals(ErrorCode.UNKNOWN_CARD, thrown.reason());
    assertEquals("cards", thrown.field());
    assertTrue(thrown.fromService());
    var stranger = Question.startGame(BRISCOLA);
    assertThrows(IllegalArgumentException.class, () -> answers.get(stranger));
  }
}
