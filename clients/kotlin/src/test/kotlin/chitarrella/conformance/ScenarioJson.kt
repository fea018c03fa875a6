// Reads steps from JSON and writes results as JSON.
package chitarrella.conformance

import chitarrella.client.NewMatch
import chitarrella.client.answers.Position
import chitarrella.client.answers.Score
import chitarrella.client.table.Event
import chitarrella.client.table.ExplainedMove
import chitarrella.client.table.Move
import chitarrella.client.table.Refusal
import chitarrella.client.table.RuleSet
import chitarrella.client.table.Share
import chitarrella.client.table.View
import com.google.gson.JsonObject
import java.time.Duration

internal fun JsonObject.number(name: String): Int? = get(name)?.takeUnless { it.isJsonNull }?.asInt

internal fun JsonObject.text(name: String, otherwise: String = ""): String = get(name)?.asString ?: otherwise

internal fun JsonObject.flag(name: String): Boolean = get(name)?.asBoolean ?: false

internal fun JsonObject.texts(name: String): List<String> = getAsJsonArray(name)?.asList().orEmpty().map { it.asString }

internal fun JsonObject.strings(name: String): Map<String, String> =
    getAsJsonObject(name)?.asMap().orEmpty().mapValues { it.value.asString }

internal fun JsonObject.ruleSet(): RuleSet =
    getAsJsonObject("rule_set").run {
        RuleSet(text("game_id"), number("players") ?: 0, strings("options"), 0)
    }

internal fun JsonObject.clock(): NewMatch.Clock? =
    getAsJsonArray("clock")?.map { Duration.ofSeconds(it.asLong) }?.let { (move, bank) -> NewMatch.Clock(move, bank) }

internal fun JsonObject.position(): Position = Position(ruleSet(), text("position"))

internal fun JsonObject.move(): Move =
    getAsJsonObject("move").run {
        val shares = getAsJsonArray("shares")?.asList().orEmpty().map { it.asJsonObject }
        Move(
            text("verb"),
            texts("cards"),
            text("choice"),
            number("amount"),
            number("seat"),
            shares.map { Share(it.text("person"), it["amount"].asLong) },
        )
    }

internal fun json(move: Move): Any =
    mapOf(
        "verb" to move.verb,
        "cards" to move.cards,
        "choice" to move.choice,
        "amount" to move.amount,
        "seat" to move.seat,
        "shares" to move.shares.map { mapOf("person" to it.person, "amount" to it.amount) },
    )

internal fun json(refusal: Refusal): Any =
    mapOf(
        "code" to refusal.code,
        "clause" to refusal.clause.key,
        "allowed_cards" to refusal.allowedCards,
        "offending_cards" to refusal.offendingCards,
        "word" to refusal.word,
        "amount" to refusal.amount,
        "penalty" to refusal.penalty,
    )

internal fun json(move: ExplainedMove): Any =
    mapOf("move" to json(move.move), "refusals" to move.refusals.map { json(it) })

internal fun json(event: Event): Any = mapOf("kind" to event.kind, "seat" to event.seat, "cards" to event.cards)

internal fun json(scores: List<Score>): Any = scores.associate { it.name to it.value }

internal fun waiting(view: View): Array<Pair<String, Any?>> =
    arrayOf("waiting" to view.waiting.name.lowercase(), "turn" to view.turn)
