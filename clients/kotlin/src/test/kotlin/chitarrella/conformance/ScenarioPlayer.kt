// Runs the steps of one scenario with the client.
package chitarrella.conformance

import chitarrella.client.Fairness
import chitarrella.client.PackSource
import chitarrella.client.Pictures
import chitarrella.client.errors.ChitarrellaException
import chitarrella.coroutines.Chitarrella
import chitarrella.coroutines.Match
import com.google.gson.JsonObject
import kotlinx.coroutines.flow.count
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.withIndex

/** Plays one scenario. */
internal class ScenarioPlayer(private val client: Chitarrella, private val environment: Environment) {
    private val matches = mutableMapOf<String, Match>()

    /** Runs the steps and returns their results. */
    suspend fun run(steps: List<JsonObject>): List<Any?> = steps.map { runStep(it) }

    /** Runs a step; a call that fails gives its code as the result. */
    private suspend fun runStep(step: JsonObject): Any? =
        try {
            result(step)
        } catch (error: ChitarrellaException) {
            mapOf("error" to mapOf("code" to error.code(), "field" to error.field()))
        }

    private suspend fun result(step: JsonObject): Any? =
        when (val op = step.text("op")) {
            "games" -> client.games().map { it.game }.toList()
            "start" -> start(step)
            "legal_moves" -> legalMoves(step)
            "explain" -> client.rules.explain(step.position(), step.number("seat")).moves.map { json(it) }
            "judge" -> judge(step)
            "playable" -> playable(step)
            "trick" -> trick(step)
            "count" -> json(client.rules.count(step.agreement(), step.texts("cards"), step.text("trump")))
            "picture" -> step.texts("cards").map { Pictures.picture(it, step.text("pack")) }
            "open" -> open(step)
            "look" -> look(step)
            "moves" -> moves(step)
            "play" -> play(step)
            "play_out" -> playOut(step)
            "watch" -> watch(step)
            "verify" -> verify(step)
            "record" -> matchOf(step).record()
            "take_back" -> takeBack(step)
            "tls" -> environment.connectTls().use { it.games().count() }
            else -> error("no such operation: $op")
        }

    private fun opened(step: JsonObject): Match = matches.getValue(step.text("match"))

    /** Returns the match with the key of the step's viewer. */
    private fun matchOf(step: JsonObject): Match {
        val opened = opened(step)
        val who = step.text("who", "referee")
        return when {
            step.has("key") -> client.match(opened.id, step.text("key"))
            who == "public" -> client.match(opened.id, "")
            who == "referee" -> opened
            else -> client.match(opened.id, opened.keys.getValue(who.toInt()))
        }
    }

    private suspend fun start(step: JsonObject): Any {
        val start = client.rules.start(step.agreement())
        return mapOf("line" to start.position.line, "wanted" to start.wanted?.verb)
    }

    private suspend fun legalMoves(step: JsonObject): Any {
        val found = client.rules.legalMoves(step.position(), step.number("seat"))
        return mapOf("seat" to found.seat, "moves" to found.moves.map { json(it) })
    }

    private suspend fun judge(step: JsonObject): Any {
        val verdict = client.rules.judge(step.position(), step.move(), step.number("seat"))
        return mapOf("accepted" to verdict.accepted, "refusals" to verdict.refusals.map { json(it) })
    }

    private suspend fun playable(step: JsonObject): Any {
        val found =
            client.rules.playable(step.agreement(), step.texts("hand"), step.texts("trick"), step.text("trump"))
        return found.map { json(it) }
    }

    private suspend fun trick(step: JsonObject): Any {
        val found = client.rules.trick(step.agreement(), step.texts("cards"), step.text("trump"))
        return mapOf("place" to found.place, "card" to found.card, "tallies" to json(found.tallies))
    }

    private suspend fun open(step: JsonObject): Any {
        val opened =
            client.createMatch(
                step.agreement(),
                packs = PackSource.valueOf(step.text("packs", "service").uppercase()),
                pack = step.texts("pack"),
                private = step.flag("private"),
                bots = step.strings("bots").mapKeys { it.key.toInt() },
            )
        matches[step.text("as")] = opened
        val seen = opened.look()
        return mapOf("seats" to opened.keys.keys.sorted(), "revision" to seen.revision, *waiting(seen.view))
    }

    private suspend fun look(step: JsonObject): Any {
        val seen = matchOf(step).look()
        val view = seen.view
        return mapOf(
            "revision" to seen.revision,
            "phase" to view.phase,
            *waiting(view),
            "scores" to view.scores,
            "winners" to view.outcome?.winners,
            "hand" to seen.seat?.let { view.pile("hand", it).cards }.orEmpty(),
        )
    }

    private suspend fun moves(step: JsonObject): Any {
        val found = matchOf(step).moves()
        return mapOf("seat" to found.seat, "moves" to found.moves.map { json(it) }, "revision" to found.revision)
    }

    private suspend fun play(step: JsonObject): Any {
        val played = matchOf(step).play(step.move(), step.number("expected_revision"), step.text("request_id"))
        return mapOf(
            "accepted" to played.accepted,
            "revision" to played.revision,
            "repeated" to played.repeatedRequest,
            "refusals" to played.refusals.map { json(it) },
            "events" to played.events.map { json(it) },
        )
    }

    private suspend fun playOut(step: JsonObject): Any {
        val opened = opened(step)
        var found = opened.moves()
        while (true) {
            val seat = found.seat ?: return mapOf("over" to opened.look().over())
            client.match(opened.id, opened.keys.getValue(seat)).play(found.moves.first())
            found = opened.moves()
        }
    }

    private suspend fun watch(step: JsonObject): Any =
        matchOf(step)
            .watch()
            .withIndex()
            .onEach { (index, _) -> if (index + 1 == step.number("cut_after")) environment.cut() }
            .map { (_, update) -> mapOf("revision" to update.revision, "kinds" to update.events.map { it.kind }) }
            .take(step["messages"].asInt)
            .toList()

    private suspend fun verify(step: JsonObject): Any {
        val opened = opened(step)
        val pack = client.game(opened.look().agreement.game).pack
        return opened.draws().draws.map {
            mapOf("number" to it.number, "handed_in" to it.handedIn, "fair" to Fairness.isFair(it, pack))
        }
    }

    private suspend fun takeBack(step: JsonObject): Any {
        val done = matchOf(step).takeBack(refuse = step.flag("refuse"))
        return mapOf("revision" to done.revision, "taken_back" to done.takenBack, "awaited" to done.awaited)
    }
}
