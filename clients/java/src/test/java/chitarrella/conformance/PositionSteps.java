// Runs the steps about moves in positions, batches, cards, and what is known of a position.
package chitarrella.conformance;

import static chitarrella.conformance.ScenarioJson.map;
import static chitarrella.conformance.ScenarioJson.number;
import static chitarrella.conformance.ScenarioJson.position;
import static chitarrella.conformance.ScenarioJson.ruleSet;
import static chitarrella.conformance.ScenarioJson.texts;

import chitarrella.client.Chitarrella;
import chitarrella.client.Question;
import chitarrella.client.answers.Positions.AnyPosition;
import chitarrella.client.answers.Positions.PartialPosition;
import chitarrella.client.answers.Positions.SeatMove;
import chitarrella.client.answers.RulesAnswers.AppliedMoves;
import chitarrella.client.answers.RulesAnswers.BatchAnswers;
import chitarrella.client.answers.RulesAnswers.GameStart;
import chitarrella.client.answers.RulesAnswers.LegalMoves;
import chitarrella.client.errors.ChitarrellaException;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about positions. */
final class PositionSteps {
  private PositionSteps() {}

  /** The result of a step; null if it is not one of these. */
  static @Nullable Object result(Chitarrella client, JsonObject step) {
    return switch (step.get("op").getAsString()) {
      case "describe_cards" -> describeCards(client, step);
      case "list_known_moves" -> listKnownMoves(client, step);
      case "apply_moves" -> applied(client.rules().applyMoves(position(step), seatMoves(step)));
      case "batch" -> batch(client, step);
      default -> null;
    };
  }

  private static Object describeCards(Chitarrella client, JsonObject step) {
    var game = client.game(step.get("game_id").getAsString());
    return texts(step, "cards").stream()
        .map(game::card)
        .map(
            card ->
                map(
                    "code",
                    card.code(),
                    "name",
                    card.name(),
                    "suit",
                    card.suit(),
                    "order",
                    card.order(),
                    "points",
                    card.points()))
        .toList();
  }

  private static Object listKnownMoves(Chitarrella client, JsonObject step) {
    var found = client.rules().legalMoves(anyPosition(step), number(step, "seat"));
    var undecided =
        found.undecided().stream()
            .map(one -> map("move", ScenarioJson.move(one.move()), "depends_on", one.dependsOn()))
            .toList();
    return map(
        "seat",
        found.seat(),
        "moves",
        ScenarioJson.moves(found.moves()),
        "undecided",
        undecided,
        "depends_on",
        found.dependsOn());
  }

  /** Reads the position of a step, or what it knows of one. */
  static AnyPosition anyPosition(JsonObject step) {
    if (!step.has("known")) {
      return position(step);
    }
    var known = step.getAsJsonObject("known");
    var position = PartialPosition.of(ruleSet(step));
    var hands = known.getAsJsonObject("hands");
    for (var seat : hands.keySet()) {
      position = position.withHand(Integer.parseInt(seat), texts(hands, seat));
    }
    if (known.has("trick")) {
      position = position.withTrick(texts(known, "trick"));
    }
    if (known.has("trump")) {
      position = position.withTrump(known.get("trump").getAsString());
    }
    var stock = number(known, "stock_size");
    return stock == null ? position : position.withStockSize(stock);
  }

  private static List<SeatMove> seatMoves(JsonObject step) {
    return step.getAsJsonArray("moves").asList().stream()
        .map(one -> seatMove(one.getAsJsonObject()))
        .toList();
  }

  private static SeatMove seatMove(JsonObject json) {
    return new SeatMove(number(json, "seat"), ScenarioJson.move(json.getAsJsonObject("move")));
  }

  private static Object applied(AppliedMoves value) {
    return map(
        "text",
        value.position().text(),
        "applied",
        value.applied(),
        "refusals",
        ScenarioJson.refusals(value.refusals()),
        "legal_moves",
        ScenarioJson.moves(value.legalMoves()));
  }

  private static Object batch(Chitarrella client, JsonObject step) {
    var questions = new ArrayList<Question<?>>();
    for (var one : step.getAsJsonArray("questions")) {
      questions.add(question(one.getAsJsonObject(), questions));
    }
    var answers = client.rules().batch(questions.toArray(Question<?>[]::new));
    return questions.stream().map(question -> answer(answers, question)).toList();
  }

  /** A question about the position of the step, or about that of an earlier answer. */
  private static Question<?> question(JsonObject step, List<Question<?>> earlier) {
    var place = number(step, "position_of");
    var op = step.get("op").getAsString();
    if (op.equals("start_game")) {
      return Question.startGame(ruleSet(step));
    }
    if (op.equals("apply_moves")) {
      return place == null
          ? Question.applyMoves(position(step), seatMoves(step))
          : Question.applyMoves(earlier.get(place), seatMoves(step));
    }
    var seat = number(step, "seat");
    return place == null
        ? Question.legalMoves(position(step), seat)
        : Question.legalMoves(earlier.get(place), seat);
  }

  private static Object answer(BatchAnswers answers, Question<?> question) {
    try {
      return written(answers.get(question));
    } catch (ChitarrellaException error) {
      return map("error", map("code", error.code(), "field", error.field()));
    }
  }

  private static Object written(Object answer) {
    if (answer instanceof GameStart start) {
      return start.position().text();
    }
    if (answer instanceof AppliedMoves moves) {
      return applied(moves);
    }
    var found = (LegalMoves) answer;
    return map("seat", found.seat(), "moves", ScenarioJson.moves(found.moves()));
  }
}
