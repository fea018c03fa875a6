// Runs the steps of a platform: about its matches and its webhooks.
package chitarrella.conformance

import chitarrella.client.MatchFilter
import chitarrella.client.answers.Delivery
import chitarrella.client.answers.DeliveryState
import chitarrella.client.answers.FoundMatch
import chitarrella.client.answers.PlatformUpdate
import chitarrella.client.answers.PlayerName
import chitarrella.coroutines.Chitarrella
import chitarrella.coroutines.Match
import com.google.gson.JsonObject
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.mapNotNull
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.withIndex

/**
 * What a platform does with the matches of a scenario. Other matches and webhooks are left out of every result, and what is
 * left is sorted by name.
 */
internal class PlatformSteps(
    private val matches: MutableMap<String, Match>,
    private val matchAs: (JsonObject) -> Match,
    private val run: suspend (List<JsonObject>) -> Unit,
) {
    private val webhooks = mutableMapOf<String, String>()

    /** The result of a step; [NONE] if it is not one of these. */
    suspend fun result(client: Chitarrella, step: JsonObject): Any? =
        when (step.text("op")) {
            "describe_match" -> matchAs(step).get().run { attached(externalId, labels, playerNames, sandbox) }
            "list_matches" -> listMatches(client, step)
            "get_matches" -> getMatches(client, step)
            "watch_matches" -> watchMatches(client, step)
            "abort_match" -> mapOf("revision" to matchAs(step).abort())
            "rotate_key" -> rotateKey(step)
            "advance_clock" -> {
                val result = matchAs(step).advanceClock(step["seconds"].asInt.seconds)
                mapOf("revision" to result.revision, "timed_out" to result.timedOut)
            }
            "create_webhook" -> createWebhook(client, step)
            "list_webhooks" -> listWebhooks(client)
            "update_webhook" -> updateWebhook(client, step)
            "rotate_webhook_secret" ->
                mapOf("has_secret" to client.webhooks.rotateSecret(webhook(step)).startsWith("whsec_"))
            "test_webhook" -> json(client.webhooks.test(webhook(step)))
            "list_deliveries" -> deliveries(client, step).map { json(it) }.toList()
            "resend_delivery" -> {
                val id = step["delivery"]?.asString ?: deliveries(client, step).first().deliveryId
                json(client.webhooks.resend(webhook(step), id))
            }
            "delete_webhook" -> {
                client.webhooks.delete(webhook(step))
                null
            }
            else -> NONE
        }

    private fun nameOf(matchId: String): String? = matches.entries.firstOrNull { it.value.id == matchId }?.key

    private suspend fun listMatches(client: Chitarrella, step: JsonObject): Any {
        val filter = MatchFilter(step.text("external_id"), step.strings("labels"), step.text("player_name"))
        return client.matches(filter)
            .mapNotNull { one ->
                nameOf(one.matchId)?.let {
                    mapOf("match" to it) + attached(one.externalId, one.labels, one.playerNames, one.sandbox)
                }
            }
            .toList()
            .sortedBy { it["match"] as String }
    }

    private suspend fun getMatches(client: Chitarrella, step: JsonObject): Any {
        val names = step.texts("matches")
        val found = client.getMatches(names.map { matches[it]?.id ?: it }, matchAs(step).key)
        return names.zip(found).map { (name, one) -> json(name, one) }
    }

    private suspend fun watchMatches(client: Chitarrella, step: JsonObject): Any =
        client.watchMatches()
            .withIndex()
            .mapNotNull { (index, update) ->
                if (index == 0) run(step.getAsJsonArray("steps").map { it.asJsonObject }) // the first heartbeat
                nameOf(update.matchId)?.let { json(it, update) }
            }
            .take(step["messages"].asInt)
            .toList()
            .sortedBy { it["match"] as String }

    private suspend fun rotateKey(step: JsonObject): Any {
        val old = matchAs(step)
        val changed = old.rotateKey(step.number("seat"))
        matches[step.text("as")] = changed
        val replaced = changed.keys.filter { (seat, key) -> key != old.keys[seat] }.keys.sorted()
        return mapOf("own" to (changed.key != old.key), "replaced" to replaced)
    }

    private suspend fun createWebhook(client: Chitarrella, step: JsonObject): Any {
        val created = client.webhooks.create(step.text("url"))
        val webhook = created.webhook
        webhooks[step.text("as")] = webhook.webhookId
        return mapOf(
            "url" to webhook.url,
            "disabled" to webhook.disabled,
            "configured" to webhook.configured,
            "has_secret" to created.secret.startsWith("whsec_"),
        )
    }

    private suspend fun listWebhooks(client: Chitarrella): Any {
        val found = client.webhooks.list().associateBy { it.webhookId }
        return webhooks.toSortedMap().mapNotNull { (name, id) ->
            found[id]?.let { mapOf("webhook" to name, "url" to it.url, "disabled" to it.disabled) }
        }
    }

    private suspend fun updateWebhook(client: Chitarrella, step: JsonObject): Any {
        val webhook =
            client.webhooks.update(webhook(step), step["url"]?.asString, step["disabled"]?.asBoolean)
        return mapOf("url" to webhook.url, "disabled" to webhook.disabled)
    }

    private fun webhook(step: JsonObject): String = step.text("webhook").let { webhooks[it] ?: it }

    private fun deliveries(client: Chitarrella, step: JsonObject): Flow<Delivery> =
        client.webhooks.deliveries(webhook(step), step["state"]?.asString?.let { DeliveryState.valueOf(it.uppercase()) })

    companion object {
        /** The result of a step that is no other one. */
        val NONE: Any = Any()
    }
}

private fun attached(
    externalId: String,
    labels: Map<String, String>,
    names: List<PlayerName>,
    sandbox: Boolean,
): Map<String, Any> =
    mapOf(
        "external_id" to externalId,
        "labels" to labels,
        "player_names" to names.associate { it.seat.toString() to it.name },
        "sandbox" to sandbox,
    )

private fun json(name: String, found: FoundMatch): Any =
    found.error?.let { mapOf("match" to name, "error" to mapOf("code" to it.code(), "field" to it.field())) }
        ?: mapOf("match" to name, "revision" to found.get().revision, "seat" to found.get().seat)

private fun json(name: String, value: PlatformUpdate): Map<String, Any?> =
    mapOf(
        "match" to name,
        "revision" to value.update?.revision,
        "kinds" to value.update?.events.orEmpty().map { it.kind },
        "finished" to value.finished,
        "aborted" to value.aborted,
    )

private fun json(value: Delivery): Any =
    mapOf(
        "type" to value.type,
        "state" to value.state.name.lowercase(),
        "attempts" to value.attempts,
        "has_error" to value.error.isNotEmpty(),
    )
