// Values as the scenarios write them in JSON.
package chitarrella.conformance;

import chitarrella.client.NewMatch;
import chitarrella.client.NewMatch.PackSource;
import chitarrella.client.NewMatch.Restriction;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.table.Event;
import chitarrella.client.table.Move;
import chitarrella.client.table.Move.Share;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.Refusal.ExplainedMove;
import chitarrella.client.table.RuleSet;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads steps from JSON and writes results as JSON. */
final class ScenarioJson {
  private ScenarioJson() {}

  /** A map of names and values, in order; values may be null. */
  static Map<String, Object> map(@Nullable Object... namesAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (var at = 0; at < namesAndValues.length; at += 2) {
      map.put((String) namesAndValues[at], namesAndValues[at + 1]);
    }
    return map;
  }

  static @Nullable Integer number(JsonObject json, String name) {
    var value = json.get(name);
    return value == null || value.isJsonNull() ? null : (Integer) value.getAsInt();
  }

  static String text(JsonObject json, String name, String otherwise) {
    return json.has(name) ? json.get(name).getAsString() : otherwise;
  }

  static List<String> texts(JsonObject json, String name) {
    var array = json.has(name) ? json.getAsJsonArray(name) : new JsonArray();
    return array.asList().stream().map(JsonElement::getAsString).toList();
  }

  /** An object of strings; empty if it is absent. */
  static Map<String, String> strings(JsonObject json, String name) {
    var found = new HashMap<String, String>();
    if (json.has(name)) {
      json.getAsJsonObject(name).asMap().forEach((key, one) -> found.put(key, one.getAsString()));
    }
    return found;
  }

  static RuleSet ruleSet(JsonObject step) {
    var json = step.getAsJsonObject("rule_set");
    var players = number(json, "players");
    var options = strings(json, "options");
    var gameId = json.get("game_id").getAsString();
    return RuleSet.of(gameId, players == null ? 0 : players).withOptions(options);
  }

  static Position position(JsonObject step) {
    return new Position(ruleSet(step), step.get("position").getAsString());
  }

  /** The settings of a new match. */
  static NewMatch newMatch(JsonObject step) {
    var source = text(step, "pack_source", "service").toUpperCase(Locale.ROOT);
    var how =
        NewMatch.builder()
            .packSource(PackSource.valueOf(source))
            .pack(texts(step, "pack"))
            .isPrivate(step.has("private") && step.get("private").getAsBoolean())
            .externalId(text(step, "external_id", ""));
    if (step.has("clock")) {
      var clock = step.getAsJsonArray("clock");
      how.clock(seconds(clock.get(0)), seconds(clock.get(1)));
    }
    if (step.has("sandbox")) {
      how.sandbox(step.get("sandbox").getAsString());
    }
    texts(step, "restrictions")
        .forEach(one -> how.restriction(Restriction.valueOf(one.toUpperCase(Locale.ROOT))));
    strings(step, "labels").forEach(how::label);
    strings(step, "bots").forEach((seat, bot) -> how.bot(Integer.parseInt(seat), bot));
    strings(step, "player_names").forEach((seat, name) -> how.player(Integer.parseInt(seat), name));
    return how.build();
  }

  private static Duration seconds(JsonElement json) {
    return Duration.ofSeconds(json.getAsInt());
  }

  static Move move(JsonObject json) {
    var shares = json.has("shares") ? json.getAsJsonArray("shares") : new JsonArray();
    return new Move(
        json.get("verb").getAsString(),
        texts(json, "cards"),
        text(json, "choice", ""),
        number(json, "amount"),
        number(json, "dummy_seat"),
        shares.asList().stream().map(one -> share(one.getAsJsonObject())).toList());
  }

  private static Share share(JsonObject json) {
    return new Share(json.get("person").getAsString(), json.get("amount").getAsLong());
  }

  static Object move(Move move) {
    var shares =
        move.shares().stream()
            .map(one -> map("person", one.person(), "amount", one.amount()))
            .toList();
    return map(
        "verb",
        move.verb(),
        "cards",
        move.cards(),
        "choice",
        move.choice(),
        "amount",
        move.amount(),
        "dummy_seat",
        move.dummySeat(),
        "shares",
        shares);
  }

  static List<Object> moves(List<Move> moves) {
    return moves.stream().map(ScenarioJson::move).toList();
  }

  static List<?> refusals(List<Refusal> refusals) {
    return refusals.stream()
        .map(
            one ->
                map(
                    "code",
                    one.code(),
                    "clause",
                    one.clause().key(),
                    "allowed_cards",
                    one.allowedCards(),
                    "offending_cards",
                    one.offendingCards(),
                    "word",
                    one.word(),
                    "amount",
                    one.amount(),
                    "penalty",
                    one.penalty(),
                    "undecided",
                    one.undecided()))
        .toList();
  }

  static List<?> explained(List<ExplainedMove> moves) {
    return moves.stream()
        .map(
            one ->
                map(
                    "move",
                    move(one.move()),
                    "verdict",
                    name(one.verdict()),
                    "refusals",
                    refusals(one.refusals()),
                    "depends_on",
                    one.dependsOn()))
        .toList();
  }

  static List<?> events(List<Event> events) {
    return events.stream()
        .map(one -> map("kind", one.kind(), "seat", one.seat(), "cards", one.cards()))
        .toList();
  }

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
