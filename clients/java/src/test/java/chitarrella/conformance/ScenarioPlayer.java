// Runs the steps of one scenario with the client.
package chitarrella.conformance;

import static chitarrella.conformance.ScenarioJson.agreement;
import static chitarrella.conformance.ScenarioJson.map;
import static chitarrella.conformance.ScenarioJson.number;
import static chitarrella.conformance.ScenarioJson.text;
import static chitarrella.conformance.ScenarioJson.texts;

import chitarrella.client.Chitarrella;
import chitarrella.client.Fairness;
import chitarrella.client.Match;
import chitarrella.client.NewMatch;
import chitarrella.client.PackSource;
import chitarrella.client.Pictures;
import chitarrella.client.PlayOptions;
import chitarrella.client.answers.GameSummary;
import chitarrella.client.answers.Position;
import chitarrella.client.answers.Tally;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.table.Event;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Plays one scenario. */
final class ScenarioPlayer {
  private final Chitarrella client;
  private final Runnable cut;
  private final Supplier<Chitarrella> connectTls;
  private final Map<String, Match> matches = new HashMap<>();

  ScenarioPlayer(Chitarrella client, Runnable cut, Supplier<Chitarrella> connectTls) {
    this.client = client;
    this.cut = cut;
    this.connectTls = connectTls;
  }

  /** Runs a step; a call that fails gives its code as the result. */
  Object run(JsonObject step) {
    try {
      return result(step);
    } catch (ChitarrellaException error) {
      return map("error", map("code", error.code(), "field", error.field()));
    }
  }

  private Object result(JsonObject step) {
    return switch (step.get("op").getAsString()) {
      case "games" -> client.games().map(GameSummary::game).toList();
      case "start" -> start(step);
      case "legal_moves" -> legalMoves(step);
      case "explain" ->
          ScenarioJson.explained(
              client.rules().explain(position(step), number(step, "seat")).moves());
      case "judge" -> judge(step);
      case "playable" ->
          ScenarioJson.explained(
              client
                  .rules()
                  .playable(
                      agreement(step), texts(step, "hand"), texts(step, "trick"), trump(step)));
      case "trick" -> trick(step);
      case "count" ->
          tallies(client.rules().count(agreement(step), texts(step, "cards"), trump(step)));
      case "picture" ->
          texts(step, "cards").stream()
              .map(card -> Pictures.picture(card, step.get("pack").getAsString()))
              .toList();
      case "open" -> open(step);
      case "look" -> look(step);
      case "moves" -> moves(step);
      case "play" -> play(step);
      case "play_out" -> playOut(step);
      case "watch" -> watch(step);
      case "verify" -> verify(step);
      case "record" -> as(step).record();
      case "take_back" -> takeBack(step);
      case "tls" -> tls();
      default -> throw new IllegalArgumentException("no such operation: " + step);
    };
  }

  /** Returns the match with the key of the step's viewer. */
  private Match as(JsonObject step) {
    var opened = matches.get(step.get("match").getAsString());
    var who = text(step, "who", "referee");
    if (step.has("key")) {
      return client.match(opened.id(), step.get("key").getAsString());
    }
    return switch (who) {
      case "public" -> client.match(opened.id(), "");
      case "referee" -> opened;
      default -> client.match(opened.id(), opened.keys().get(Integer.valueOf(who)));
    };
  }

  private static Position position(JsonObject step) {
    return new Position(agreement(step), step.get("position").getAsString());
  }

  private static String trump(JsonObject step) {
    return text(step, "trump", "");
  }

  private Object start(JsonObject step) {
    var start = client.rules().start(agreement(step));
    var wanted = start.wanted();
    return map("line", start.position().line(), "wanted", wanted == null ? null : wanted.verb());
  }

  private Object legalMoves(JsonObject step) {
    var found = client.rules().legalMoves(position(step), number(step, "seat"));
    return map("seat", found.seat(), "moves", ScenarioJson.moves(found.moves()));
  }

  private Object judge(JsonObject step) {
    var move = ScenarioJson.move(step.getAsJsonObject("move"));
    var verdict = client.rules().judge(position(step), move, number(step, "seat"));
    return map(
        "accepted", verdict.accepted(), "refusals", ScenarioJson.refusals(verdict.refusals()));
  }

  private Object trick(JsonObject step) {
    var found = client.rules().trick(agreement(step), texts(step, "cards"), trump(step));
    return map("place", found.place(), "card", found.card(), "tallies", tallies(found.tallies()));
  }

  private static Object tallies(List<Tally> tallies) {
    var numbers = new TreeMap<String, Integer>();
    tallies.forEach(one -> numbers.put(one.name(), one.number()));
    return numbers;
  }

  private Object open(JsonObject step) {
    var how =
        NewMatch.builder()
            .packs(PackSource.valueOf(text(step, "packs", "service").toUpperCase(Locale.ROOT)))
            .pack(texts(step, "pack"))
            .isPrivate(step.has("private") && step.get("private").getAsBoolean());
    if (step.has("bots")) {
      step.getAsJsonObject("bots")
          .asMap()
          .forEach((seat, bot) -> how.bot(Integer.parseInt(seat), bot.getAsString()));
    }
    var opened = client.createMatch(agreement(step), how.build());
    matches.put(step.get("as").getAsString(), opened);
    var seen = opened.look();
    var seats = opened.keys().keySet().stream().sorted().toList();
    return map(
        "seats",
        seats,
        "revision",
        seen.revision(),
        "waiting",
        ScenarioJson.waiting(seen.view()),
        "turn",
        seen.view().turn());
  }

  private Object look(JsonObject step) {
    var seen = as(step).look();
    var view = seen.view();
    var outcome = view.outcome();
    var hand = seen.seat() == null ? List.of() : view.pile("hand", seen.seat()).cards();
    return map(
        "revision",
        seen.revision(),
        "phase",
        view.phase(),
        "waiting",
        ScenarioJson.waiting(view),
        "turn",
        view.turn(),
        "scores",
        view.scores(),
        "winners",
        outcome == null ? null : outcome.winners(),
        "hand",
        hand);
  }

  private Object moves(JsonObject step) {
    var found = as(step).moves();
    return map(
        "seat",
        found.seat(),
        "moves",
        ScenarioJson.moves(found.moves()),
        "revision",
        found.revision());
  }

  private Object play(JsonObject step) {
    var how =
        PlayOptions.USUAL
            .withExpectedRevision(number(step, "expected_revision"))
            .withRequestId(text(step, "request_id", ""));
    var played = as(step).play(ScenarioJson.move(step.getAsJsonObject("move")), how);
    return map(
        "accepted",
        played.accepted(),
        "revision",
        played.revision(),
        "repeated",
        played.repeatedRequest(),
        "refusals",
        ScenarioJson.refusals(played.refusals()),
        "events",
        ScenarioJson.events(played.events()));
  }

  private Object playOut(JsonObject step) {
    var opened = matches.get(step.get("match").getAsString());
    for (var found = opened.moves(); found.seat() != null; found = opened.moves()) {
      client.match(opened.id(), opened.keys().get(found.seat())).play(found.moves().get(0));
    }
    return map("over", opened.look().over());
  }

  private Object watch(JsonObject step) {
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

  private Object verify(JsonObject step) {
    var opened = matches.get(step.get("match").getAsString());
    var pack = client.game(opened.look().agreement().game()).pack();
    return opened.draws().draws().stream()
        .map(
            draw ->
                map(
                    "number",
                    draw.number(),
                    "handed_in",
                    draw.handedIn(),
                    "fair",
                    Fairness.isFair(draw, pack)))
        .toList();
  }

  private Object takeBack(JsonObject step) {
    var refuse = step.has("refuse") && step.get("refuse").getAsBoolean();
    var done = as(step).takeBack(refuse, PlayOptions.USUAL);
    return map(
        "revision", done.revision(), "taken_back", done.takenBack(), "awaited", done.awaited());
  }

  private Object tls() {
    try (var other = connectTls.get()) {
      return other.games().count();
    }
  }
}
