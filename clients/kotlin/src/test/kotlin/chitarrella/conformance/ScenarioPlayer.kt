// Runs the steps of one scenario with the client.
package chitarrella.conformance

import chitarrella.client.CardImages
import chitarrella.client.Fairness
import chitarrella.client.NewMatch
import chitarrella.client.PackSource
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
internal class ScenarioPlayer(private var client: Chitarrella, private val environment: Environment) : AutoCloseable {
    private val matches = mutableMapOf<String, Match>()
    private val platform = PlatformSteps(matches, ::matchAs) { run(it) }

    override fun close() = client.close()

    /** Runs the steps and returns their results. */
    suspend fun run(steps: List<JsonObject>): List<Any?> = steps.map { runStep(it) }

    /** Runs a step; a call that fails gives its code as the result. */
    private suspend fun runStep(step: JsonObject): Any? =
        try {
            val result = positionResult(client, step) ?: platform.result(client, step)
            if (result === PlatformSteps.NONE) result(step) else result
        } catch (error: ChitarrellaException) {
            mapOf("error" to mapOf("code" to error.code(), "field" to error.field()))
        }

    private suspend fun result(step: JsonObject): Any? =
        when (val op = step.text("op")) {
            "list_games" -> client.games().map { it.gameId }.toList()
            "start_game" -> startGame(step)
            "list_legal_moves" -> listLegalMoves(step)
            "explain_hand" -> client.rules.explainHand(step.position(), step.number("seat")).moves.map { json(it) }
            "validate_move" -> validateMove(step)
            "list_playable_cards" -> listPlayableCards(step)
            "resolve_trick" -> resolveTrick(step)
            "score_cards" -> json(client.rules.scoreCards(step.ruleSet(), step.texts("cards"), step.text("trump")))
            "card_images" -> step.texts("cards").map { CardImages.cardImage(it, step.text("pack")) }
            "connect_platform" -> {
                close()
                client = environment.connectPlatform()
                null
            }
            "create_match" -> createMatch(step)
            "import_match" -> importMatch(step)
            "get_match" -> getMatch(step)
            "list_match_moves" -> listMatchMoves(step)
            "play_move" -> playMove(step)
            "play_out" -> playOut(step)
            "watch_match" -> watchMatch(step)
            "verify_shuffles" -> verifyShuffles(step)
            "get_record" -> matchAs(step).record()
            "take_back" -> takeBack(step)
            "tls" -> environment.connectTls().use { it.games().count() }
            else -> error("no such operation: $op")
        }

    private fun matchOf(step: JsonObject): Match = matches.getValue(step.text("match"))

    /** Returns the match with the key of the step's viewer. */
    private fun matchAs(step: JsonObject): Match {
        val match = matchOf(step)
        val who = step.text("who", "referee")
        return when {
            step.has("key") -> client.match(match.id, step.text("key"))
            who == "public" -> client.match(match.id, "")
            who == "referee" -> match
            else -> client.match(match.id, match.keys.getValue(who.toInt()))
        }
    }

    private suspend fun startGame(step: JsonObject): Any {
        val start = client.rules.startGame(step.ruleSet())
        return mapOf("text" to start.position.text, "chance_request" to start.chanceRequest?.verb)
    }

    private suspend fun listLegalMoves(step: JsonObject): Any {
        val found = client.rules.legalMoves(step.position(), step.number("seat"))
        return mapOf("seat" to found.seat, "moves" to found.moves.map { json(it) })
    }

    private suspend fun validateMove(step: JsonObject): Any {
        val result = client.rules.validateMove(step.position(), step.move(), step.number("seat"))
        return mapOf("accepted" to result.accepted, "refusals" to result.refusals.map { json(it) })
    }

    private suspend fun listPlayableCards(step: JsonObject): Any {
        val found =
            client.rules.playableCards(step.ruleSet(), step.texts("hand"), step.texts("trick"), step.text("trump"))
        return found.map { json(it) }
    }

    private suspend fun resolveTrick(step: JsonObject): Any {
        val found = client.rules.resolveTrick(step.ruleSet(), step.texts("cards"), step.text("trump"))
        return mapOf(
            "winning_index" to found.winningIndex,
            "winning_card" to found.winningCard,
            "scores" to json(found.scores),
        )
    }

    private suspend fun createMatch(step: JsonObject): Any {
        val match =
            client.createMatch(
                step.ruleSet(),
                packSource = PackSource.valueOf(step.text("pack_source", "service").uppercase()),
                pack = step.texts("pack"),
                private = step.flag("private"),
                clock = step.clock(),
                bots = step.strings("bots").mapKeys { it.key.toInt() },
                externalId = step.text("external_id"),
                labels = step.strings("labels"),
                playerNames = step.strings("player_names").mapKeys { it.key.toInt() },
                sandbox = step["sandbox"]?.asString,
            )
        return created(step, match)
    }

    private suspend fun importMatch(step: JsonObject): Any {
        val how = NewMatch.builder().externalId(step.text("external_id"))
        step.strings("labels").forEach { (key, value) -> how.label(key, value) }
        step.strings("player_names").forEach { (seat, name) -> how.player(seat.toInt(), name) }
        val record = matchOf(step).record()
        return created(step, client.importMatch(record, step.number("move_count"), how.build()))
    }

    private suspend fun created(step: JsonObject, match: Match): Any {
        matches[step.text("as")] = match
        val state = match.get()
        return mapOf("seats" to match.keys.keys.sorted(), "revision" to state.revision, *waiting(state.view))
    }

    private suspend fun getMatch(step: JsonObject): Any {
        val state = matchAs(step).get()
        val view = state.view
        return mapOf(
            "revision" to state.revision,
            "phase" to view.phase,
            *waiting(view),
            "scores" to view.scores,
            "winners" to view.outcome?.winners,
            "hand" to state.seat?.let { view.zone("hand", it).cards }.orEmpty(),
        )
    }

    private suspend fun listMatchMoves(step: JsonObject): Any {
        val found = matchAs(step).legalMoves()
        return mapOf("seat" to found.seat, "moves" to found.moves.map { json(it) }, "revision" to found.revision)
    }

    private suspend fun playMove(step: JsonObject): Any {
        val result = matchAs(step).play(step.move(), step.number("expected_revision"), step.text("request_id"))
        return mapOf(
            "accepted" to result.accepted,
            "revision" to result.revision,
            "repeated_request" to result.repeatedRequest,
            "refusals" to result.refusals.map { json(it) },
            "events" to result.events.map { json(it) },
        )
    }

    private suspend fun playOut(step: JsonObject): Any {
        val match = matchOf(step)
        var found = match.legalMoves()
        while (true) {
            val seat = found.seat ?: return mapOf("finished" to match.get().over())
            client.match(match.id, match.keys.getValue(seat)).play(found.moves.first())
            found = match.legalMoves()
        }
    }

    private suspend fun watchMatch(step: JsonObject): Any =
        matchAs(step)
            .watch()
            .withIndex()
            .onEach { (index, _) -> if (index + 1 == step.number("cut_after")) environment.cut() }
            .map { (_, update) -> mapOf("revision" to update.revision, "kinds" to update.events.map { it.kind }) }
            .take(step["messages"].asInt)
            .toList()

    private suspend fun verifyShuffles(step: JsonObject): Any {
        val match = matchOf(step)
        val pack = client.game(match.get().ruleSet.gameId).pack
        return match.shuffles().shuffles.map {
            mapOf("number" to it.number, "supplied" to it.supplied, "fair" to Fairness.isFair(it, pack))
        }
    }

    private suspend fun takeBack(step: JsonObject): Any {
        val result = matchAs(step).takeBack(decline = step.flag("decline"))
        return mapOf(
            "revision" to result.revision,
            "taken_back" to result.takenBack,
            "awaiting_answers_from" to result.awaitingAnswersFrom,
        )
    }
}
