// Runs the steps of one scenario with the client.
package chitarrella.conformance;

import static chitarrella.conformance.PositionSteps.anyPosition;
import static chitarrella.conformance.ScenarioJson.map;
import static chitarrella.conformance.ScenarioJson.number;
import static chitarrella.conformance.ScenarioJson.position;
import static chitarrella.conformance.ScenarioJson.ruleSet;
import static chitarrella.conformance.ScenarioJson.text;
import static chitarrella.conformance.ScenarioJson.texts;

import chitarrella.client.CardImages;
import chitarrella.client.Chitarrella;
import chitarrella.client.Fairness;
import chitarrella.client.Match;
import chitarrella.client.PlayOptions;
import chitarrella.client.answers.Catalogue.GameSummary;
import chitarrella.client.answers.RulesAnswers.Score;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.table.Event;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plays one scenario. */
final class ScenarioPlayer implements AutoCloseable {
  private final Runnable cut;
  private final Supplier<Chitarrella> connectTls;
  private final Supplier<Chitarrella> connectPlatform;
  private final Map<String, Match> matches = new HashMap<>();
  private final PlatformSteps platform = new PlatformSteps(matches, this::as, this::run);
  private Chitarrella client;

  ScenarioPlayer(
      Chitarrella client,
      Runnable cut,
      Supplier<Chitarrella> connectTls,
      Supplier<Chitarrella> connectPlatform) {
    this.client = client;
    this.cut = cut;
    this.connectTls = connectTls;
    this.connectPlatform = connectPlatform;
  }

  @Override
  public void close() {
    client.close();
  }

  /** Runs a step; a call that fails gives its code as the result. */
  @Nullable Object run(JsonObject step) {
    try {
      var answer = PositionSteps.result(client, step);
      var result = answer == null ? platform.result(client, step) : answer;
      return result == PlatformSteps.NONE ? result(step) : result;
    } catch (ChitarrellaException error) {
      return map("error", map("code", error.code(), "field", error.field()));
    }
  }

  private @Nullable Object result(JsonObject step) {
    return switch (step.get("op").getAsString()) {
      case "list_games" -> client.games().map(GameSummary::gameId).toList();
      case "start_game" -> startGame(step);
      case "list_legal_moves" -> listLegalMoves(step);
      case "explain_hand" ->
          ScenarioJson.explained(
              client.rules().explainHand(anyPosition(step), number(step, "seat")).moves());
      case "validate_move" -> validateMove(step);
      case "resolve_trick" -> resolveTrick(step);
      case "score_cards" -> scoreCards(step);
      case "card_images" ->
          texts(step, "cards").stream()
              .map(card -> CardImages.cardImage(card, step.get("pack").getAsString()))
              .toList();
      case "create_match" ->
          created(step, client.createMatch(ruleSet(step), ScenarioJson.newMatch(step)));
      case "import_match" -> {
        var record = match(step).record();
        yield created(
            step,
            client.importMatch(record, number(step, "move_count"), ScenarioJson.newMatch(step)));
      }
      case "connect_platform" -> {
        client.close();
        client = connectPlatform.get();
        yield null;
      }
      case "get_match" -> getMatch(step);
      case "list_match_moves" -> listMatchMoves(step);
      case "suggest_move" -> as(step).explainHand(true).suggested() != null;
      case "play_move" -> playMove(step);
      case "play_out" -> playOut(step);
      case "watch_match" -> watchMatch(step);
      case "verify_shuffles" -> verifyShuffles(step);
      case "get_record" -> as(step).record();
      case "take_back" -> takeBack(step);
      case "tls" -> tls();
      default -> throw new IllegalArgumentException("no such operation: " + step);
    };
  }

  private Match match(JsonObject step) {
    return matches.get(step.get("match").getAsString());
  }

  /** Returns the match with the key of the step's viewer. */
  private Match as(JsonObject step) {
    var match = match(step);
    var who = text(step, "who", "referee");
    if (step.has("key")) {
      return client.match(match.id(), step.get("key").getAsString());
    }
    return switch (who) {
      case "public" -> client.match(match.id(), "");
      case "referee" -> match;
      default -> client.match(match.id(), match.keys().get(Integer.valueOf(who)));
    };
  }

  private static @Nullable String trump(JsonObject step) {
    return step.has("trump") ? step.get("trump").getAsString() : null;
  }

  private Object startGame(JsonObject step) {
    var start = client.rules().startGame(ruleSet(step));
    var request = start.chanceRequest();
    return map(
        "text", start.position().text(), "chance_request", request == null ? null : request.verb());
  }

  private Object listLegalMoves(JsonObject step) {
    var found = client.rules().legalMoves(position(step), number(step, "seat"));
    return map("seat", found.seat(), "moves", ScenarioJson.moves(found.moves()));
  }

  private Object validateMove(JsonObject step) {
    var move = ScenarioJson.move(step.getAsJsonObject("move"));
    var result = client.rules().validateMove(anyPosition(step), move, number(step, "seat"));
    return map(
        "verdict",
        ScenarioJson.name(result.verdict()),
        "refusals",
        ScenarioJson.refusals(result.refusals()),
        "depends_on",
        result.dependsOn());
  }

  private Object resolveTrick(JsonObject step) {
    var found = client.rules().resolveTrick(ruleSet(step), texts(step, "cards"), trump(step));
    return map(
        "winning_index",
        found.winningIndex(),
        "winning_card",
        found.winningCard(),
        "scores",
        scores(found.scores()));
  }

  private Object scoreCards(JsonObject step) {
    var found = client.rules().scoreCards(ruleSet(step), texts(step, "cards"), trump(step));
    return map("scores", scores(found.scores()), "depends_on", found.dependsOn());
  }

  private static Object scores(List<Score> scores) {
    var values = new TreeMap<String, Integer>();
    scores.forEach(one -> values.put(one.name(), one.value()));
    return values;
  }

  private Object created(JsonObject step, Match match) {
    matches.put(step.get("as").getAsString(), match);
    var state = match.get();
    var seats = match.keys().keySet().stream().sorted().toList();
    return map(
        "seats",
        seats,
        "revision",
        state.revision(),
        "waiting",
        ScenarioJson.name(state.view().waiting()),
        "turn",
        state.view().turn());
  }

  private Object getMatch(JsonObject step) {
    var state = as(step).get();
    var view = state.view();
    var outcome = view.outcome();
    var hand = state.viewer() == null ? List.of() : view.zone("hand", state.viewer()).cards();
    return map(
        "revision",
        state.revision(),
        "phase",
        view.phase(),
        "waiting",
        ScenarioJson.name(view.waiting()),
        "turn",
        view.turn(),
        "scores",
        view.scores(),
        "winners",
        outcome == null ? null : outcome.winners(),
        "hand",
        hand);
  }

  private Object listMatchMoves(JsonObject step) {
    var found = as(step).legalMoves();
    return map(
        "seat",
        found.seat(),
        "moves",
        ScenarioJson.moves(found.moves()),
        "revision",
        found.revision());
  }

  private Object playMove(JsonObject step) {
    var how =
        PlayOptions.USUAL
            .withExpectedRevision(number(step, "expected_revision"))
            .withRequestId(text(step, "request_id", ""));
    var result = as(step).play(ScenarioJson.move(step.getAsJsonObject("move")), how);
    return map(
        "accepted",
        result.accepted(),
        "revision",
        result.revision(),
        "repeated_request",
        result.repeatedRequest(),
        "refusals",
        ScenarioJson.refusals(result.refusals()),
        "events",
        ScenarioJson.events(result.events()));
  }

  private Object playOut(JsonObject step) {
    var match = match(step);
    for (var found = match.legalMoves(); found.seat() != null; found = match.legalMoves()) {
      client.match(match.id(), match.keys().get(found.seat())).play(found.moves().get(0));
    }
    return map("finished", match.get().over());
  }

  private Object watchMatch(JsonObject step) {
    var messages = step.get("messages").getAsInt();
    var updates = new ArrayList<>();
    try (var watch = as(step).watch()) {
      for (var one : watch) {
        var kinds = one.events().stream().map(Event::kind).toList();
        updates.add(map("revision", one.revision(), "kinds", kinds));
        if (updates.size() == step.get("cut_after").getAsInt()) {
          cut.run();
        }
        if (updates.size() == messages) {
          break;
        }
      }
    }
    return updates;
  }

  private Object verifyShuffles(JsonObject step) {
    var match = match(step);
    var pack = client.game(match.get().ruleSet().gameId()).pack();
    return match.shuffles().shuffles().stream()
        .map(
            one ->
                map(
                    "number",
                    one.number(),
                    "supplied",
                    one.supplied(),
                    "fair",
                    Fairness.isFair(one, pack)))
        .toList();
  }

  private Object takeBack(JsonObject step) {
    var decline = step.has("decline") && step.get("decline").getAsBoolean();
    var result = as(step).takeBack(decline, PlayOptions.USUAL);
    var request = result.match().takebackRequest();
    return map(
        "revision",
        result.match().revision(),
        "taken_back",
        result.takenBack(),
        "awaiting_answers_from",
        request == null ? List.of() : request.awaitingAnswersFrom());
  }

  private Object tls() {
    try (var other = connectTls.get()) {
      return other.games().count();
    }
  }
}
