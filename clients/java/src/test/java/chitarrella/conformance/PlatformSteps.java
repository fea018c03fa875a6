// Runs the steps of a platform: about its matches and its webhooks.
package chitarrella.conformance;

import static chitarrella.conformance.ScenarioJson.map;
import static chitarrella.conformance.ScenarioJson.number;
import static chitarrella.conformance.ScenarioJson.text;
import static chitarrella.conformance.ScenarioJson.texts;

import chitarrella.client.Chitarrella;
import chitarrella.client.Match;
import chitarrella.client.MatchChanges;
import chitarrella.client.MatchFilter;
import chitarrella.client.Webhooks.WebhookChanges;
import chitarrella.client.answers.MatchAnswers.MatchDetails;
import chitarrella.client.answers.MatchAnswers.MatchResult;
import chitarrella.client.answers.MatchAnswers.MatchSeat;
import chitarrella.client.answers.MatchAnswers.MatchState;
import chitarrella.client.answers.MatchAnswers.PlatformUpdate;
import chitarrella.client.answers.WebhookAnswers.Delivery;
import chitarrella.client.answers.WebhookAnswers.DeliveryState;
import chitarrella.client.table.Event;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a platform does. Other matches and webhooks than those of the scenario are left out of every
 * result, and what is left is sorted by name.
 */
final class PlatformSteps {
  /** The result of a step that is no other one. */
  static final Object NONE = new Object();

  private final Map<String, Match> matches;
  private final Function<JsonObject, Match> as;
  private final Function<JsonObject, @Nullable Object> run;
  private final Map<String, String> webhooks = new HashMap<>();

  /** With the matches of the scenario, the match with the key of a step, and what runs a step. */
  PlatformSteps(
      Map<String, Match> matches,
      Function<JsonObject, Match> as,
      Function<JsonObject, @Nullable Object> run) {
    this.matches = matches;
    this.as = as;
    this.run = run;
  }

  /** The result of a step; {@link #NONE} if it is not one of these. */
  @Nullable Object result(Chitarrella client, JsonObject step) {
    return switch (step.get("op").getAsString()) {
      case "describe_match" -> describeMatch(step);
      case "list_matches" -> listMatches(client, step);
      case "get_matches" -> getMatches(client, step);
      case "watch_matches" -> watchMatches(client, step);
      case "abort_match" -> map("revision", as.apply(step).abort().revision());
      case "join_match" -> managed(as.apply(step).join(text(step, "player_name", "")));
      case "resign_match" -> managed(as.apply(step).resign());
      case "decide_match" -> managed(decideMatch(step));
      case "update_match" -> managed(as.apply(step).update(changes(step)));
      case "pause_clock" -> managed(pauseClock(step));
      case "add_time" ->
          managed(as.apply(step).addTime(step.get("seat").getAsInt(), seconds(step)));
      case "rotate_key" -> rotateKey(step);
      case "advance_clock" -> advanceClock(step);
      case "create_webhook" -> createWebhook(client, step);
      case "list_webhooks" -> listWebhooks(client);
      case "update_webhook" -> updateWebhook(client, step);
      case "rotate_webhook_secret" ->
          map("has_secret", isSecret(client.webhooks().rotateSecret(webhook(step))));
      case "test_webhook" -> delivery(client.webhooks().test(webhook(step)));
      case "list_deliveries" -> deliveries(client, step).map(PlatformSteps::delivery).toList();
      case "resend_delivery" -> resendDelivery(client, step);
      case "delete_webhook" -> deleteWebhook(client, step);
      default -> NONE;
    };
  }

  private @Nullable String nameOf(String matchId) {
    return matches.entrySet().stream()
        .filter(one -> one.getValue().id().equals(matchId))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  private static Map<String, Object> attached(MatchDetails match) {
    var players = new TreeMap<String, String>();
    match.seats().stream()
        .filter(one -> !one.playerName().isEmpty())
        .forEach(one -> players.put(String.valueOf(one.seat()), one.playerName()));
    return map(
        "external_id",
        match.externalId(),
        "labels",
        match.labels(),
        "player_names",
        players,
        "sandbox",
        match.sandbox());
  }

  private static List<Map<String, Object>> sorted(List<Map<String, Object>> results, String name) {
    return results.stream()
        .sorted(Comparator.comparing((Map<String, Object> one) -> (String) one.get(name)))
        .toList();
  }

  private Object describeMatch(JsonObject step) {
    return attached(as.apply(step).get());
  }

  private static Duration seconds(JsonObject step) {
    return Duration.ofSeconds(step.get("seconds").getAsInt());
  }

  private MatchDetails decideMatch(JsonObject step) {
    var winners =
        step.getAsJsonArray("winners").asList().stream().map(JsonElement::getAsInt).toList();
    return as.apply(step).decide(winners, step.get("reason").getAsString());
  }

  private static MatchChanges changes(JsonObject step) {
    var changes = MatchChanges.NONE;
    if (step.has("external_id")) {
      changes = changes.withExternalId(step.get("external_id").getAsString());
    }
    for (var label : ScenarioJson.strings(step, "labels").entrySet()) {
      changes = changes.withLabel(label.getKey(), label.getValue());
    }
    for (var name : ScenarioJson.strings(step, "player_names").entrySet()) {
      changes = changes.withPlayer(Integer.parseInt(name.getKey()), name.getValue());
    }
    return changes;
  }

  private MatchDetails pauseClock(JsonObject step) {
    var match = as.apply(step);
    var resume = step.has("resume") && step.get("resume").getAsBoolean();
    return resume ? match.resumeClock() : match.pauseClock();
  }

  private static Object managed(MatchDetails match) {
    var outcome = match.outcome();
    var result = attached(match);
    result.putAll(
        map(
            "state",
            ScenarioJson.name(match.state()),
            "winners",
            outcome == null ? null : outcome.winners(),
            "ending",
            outcome == null ? null : ScenarioJson.name(outcome.ending()),
            "end_reason",
            match.endReason(),
            "clock_paused",
            match.clockPaused(),
            "pause_requested_by",
            match.pauseRequestedBy(),
            "restrictions",
            match.restrictions().stream().map(ScenarioJson::name).toList(),
            "joined",
            match.seats().stream().filter(MatchSeat::joined).map(MatchSeat::seat).toList(),
            "resigned",
            match.seats().stream().filter(MatchSeat::resigned).map(MatchSeat::seat).toList(),
            "banks",
            match.seats().stream()
                .flatMap(seat -> Stream.ofNullable(seat.bank()))
                .map(Duration::toSeconds)
                .toList()));
    return result;
  }

  private Object listMatches(Chitarrella client, JsonObject step) {
    var filter =
        MatchFilter.ALL
            .withExternalId(text(step, "external_id", ""))
            .withPlayerName(text(step, "player_name", ""))
            .withWinnerName(text(step, "winner_name", ""))
            .withState(MatchState.valueOf(text(step, "state", "unknown").toUpperCase(Locale.ROOT)));
    for (var label : ScenarioJson.strings(step, "labels").entrySet()) {
      filter = filter.withLabel(label.getKey(), label.getValue());
    }
    var results = new ArrayList<Map<String, Object>>();
    client
        .matches(filter)
        .forEach(
            one -> {
              var name = nameOf(one.matchId());
              if (name != null) {
                var result = attached(one);
                result.put("match", name);
                results.add(result);
              }
            });
    return sorted(results, "match");
  }

  private Object getMatches(Chitarrella client, JsonObject step) {
    var names = texts(step, "matches");
    var ids =
        names.stream().map(one -> matches.containsKey(one) ? matches.get(one).id() : one).toList();
    var found = client.getMatches(ids, as.apply(step).key());
    return IntStream.range(0, names.size())
        .mapToObj(place -> found(names.get(place), found.get(place)))
        .toList();
  }

  private static Object found(String name, MatchResult found) {
    var error = found.error();
    if (error != null) {
      return map("match", name, "error", map("code", error.code(), "field", error.field()));
    }
    return map("match", name, "revision", found.get().revision(), "viewer", found.get().viewer());
  }

  private Object watchMatches(Chitarrella client, JsonObject step) {
    var updates = new ArrayList<Map<String, Object>>();
    try (var watch = client.watchMatches()) {
      watch.iterator().next(); // the first heartbeat: what happens after it is received
      step.getAsJsonArray("steps").forEach(one -> run.apply(one.getAsJsonObject()));
      for (var update : watch) {
        var name = nameOf(update.matchId());
        if (name != null) {
          updates.add(update(name, update));
        }
        if (updates.size() == step.get("messages").getAsInt()) {
          break;
        }
      }
    }
    return sorted(updates, "match");
  }

  private static Map<String, Object> update(String name, PlatformUpdate value) {
    var update = value.update();
    return map(
        "match",
        name,
        "revision",
        update == null ? null : update.revision(),
        "kinds",
        update == null ? List.of() : update.events().stream().map(Event::kind).toList(),
        "state",
        ScenarioJson.name(value.state()));
  }

  private Object rotateKey(JsonObject step) {
    var old = as.apply(step);
    var changed = old.rotateKey(number(step, "seat"), "");
    matches.put(step.get("as").getAsString(), changed);
    var replaced =
        changed.keys().entrySet().stream()
            .filter(one -> !one.getValue().equals(old.keys().get(one.getKey())))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return map("own", !changed.key().equals(old.key()), "replaced", replaced);
  }

  private Object advanceClock(JsonObject step) {
    var result = as.apply(step).advanceClock(seconds(step));
    return map("revision", result.match().revision(), "timed_out", result.timedOut());
  }

  private static boolean isSecret(String text) {
    return text.startsWith("whsec_");
  }

  private Object createWebhook(Chitarrella client, JsonObject step) {
    var created = client.webhooks().create(step.get("url").getAsString());
    var webhook = created.webhook();
    webhooks.put(step.get("as").getAsString(), webhook.webhookId());
    return map(
        "url",
        webhook.url(),
        "disabled",
        webhook.disabled(),
        "configured",
        webhook.configured(),
        "has_secret",
        isSecret(created.secret()));
  }

  private Object listWebhooks(Chitarrella client) {
    var results = new ArrayList<Map<String, Object>>();
    for (var one : client.webhooks().list()) {
      webhooks.forEach(
          (name, id) -> {
            if (id.equals(one.webhookId())) {
              results.add(map("webhook", name, "url", one.url(), "disabled", one.disabled()));
            }
          });
    }
    return sorted(results, "webhook");
  }

  private Object updateWebhook(Chitarrella client, JsonObject step) {
    var url = step.has("url") ? step.get("url").getAsString() : null;
    var disabled = step.has("disabled") ? (Boolean) step.get("disabled").getAsBoolean() : null;
    var webhook =
        client.webhooks().update(webhook(step), new WebhookChanges(url, disabled, List.of()));
    return map("url", webhook.url(), "disabled", webhook.disabled());
  }

  private String webhook(JsonObject step) {
    var name = step.get("webhook").getAsString();
    return webhooks.getOrDefault(name, name);
  }

  private static Object delivery(Delivery value) {
    return map(
        "type",
        value.type(),
        "state",
        value.state().name().toLowerCase(Locale.ROOT),
        "attempts",
        value.attempts(),
        "has_error",
        !value.error().isEmpty());
  }

  private Stream<Delivery> deliveries(Chitarrella client, JsonObject step) {
    var state = text(step, "state", "").toUpperCase(Locale.ROOT);
    return client
        .webhooks()
        .deliveries(webhook(step), state.isEmpty() ? null : DeliveryState.valueOf(state));
  }

  private Object resendDelivery(Chitarrella client, JsonObject step) {
    var id =
        step.has("delivery")
            ? step.get("delivery").getAsString()
            : deliveries(client, step).findFirst().orElseThrow().deliveryId();
    return delivery(client.webhooks().resend(webhook(step), id));
  }

  private @Nullable Object deleteWebhook(Chitarrella client, JsonObject step) {
    client.webhooks().delete(webhook(step));
    return null;
  }
}
