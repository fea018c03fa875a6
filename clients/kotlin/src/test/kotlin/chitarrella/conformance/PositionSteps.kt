// Runs the steps about moves in positions, batches, cards, and what is known of a position.
package chitarrella.conformance

import chitarrella.client.Question
import chitarrella.client.answers.AppliedMoves
import chitarrella.client.answers.GameStart
import chitarrella.client.answers.LegalMoves
import chitarrella.client.answers.PartialPosition
import chitarrella.client.answers.SeatMove
import chitarrella.client.errors.ChitarrellaException
import chitarrella.coroutines.Chitarrella
import com.google.gson.JsonObject

/** The result of a step; null if it is not one of these. */
internal suspend fun positionResult(client: Chitarrella, step: JsonObject): Any? =
    when (step.text("op")) {
        "describe_cards" -> describeCards(client, step)
        "list_known_moves" -> listKnownMoves(client, step)
        "apply_moves" -> json(client.rules.applyMoves(step.position(), *step.seatMoves().toTypedArray()))
        "batch" -> batch(client, step)
        else -> null
    }

private suspend fun describeCards(client: Chitarrella, step: JsonObject): Any {
    val game = client.game(step.text("game_id"))
    return step.texts("cards").map { game.card(it) }.map {
        mapOf("code" to it.code, "name" to it.name, "suit" to it.suit, "order" to it.order, "points" to it.points)
    }
}

private suspend fun listKnownMoves(client: Chitarrella, step: JsonObject): Any {
    val known = step.getAsJsonObject("known")
    val hands = known.getAsJsonObject("hands")
    var position = PartialPosition.of(step.ruleSet())
    hands.keySet().forEach { position = position.withHand(it.toInt(), hands.texts(it)) }
    if (known.has("trick")) position = position.withTrick(known.texts("trick"))
    if (known.has("trump")) position = position.withTrump(known.text("trump"))
    known.number("stock_size")?.let { position = position.withStockSize(it) }
    val found = client.rules.legalMoves(position, step.number("seat"))
    return mapOf(
        "seat" to found.seat,
        "moves" to found.moves.map { json(it) },
        "undecided" to found.undecided.map { mapOf("move" to json(it.move), "depends_on" to it.dependsOn) },
        "depends_on" to found.dependsOn,
    )
}

private fun JsonObject.seatMoves(): List<SeatMove> =
    getAsJsonArray("moves").map { it.asJsonObject }.map { SeatMove(it.number("seat"), it.move()) }

private fun json(value: AppliedMoves): Any =
    mapOf(
        "text" to value.position.text,
        "applied" to value.applied,
        "refusals" to value.refusals.map { json(it) },
        "legal_moves" to value.legalMoves.map { json(it) },
    )

private suspend fun batch(client: Chitarrella, step: JsonObject): Any {
    val questions = mutableListOf<Question<*>>()
    step.getAsJsonArray("questions").forEach { questions += question(it.asJsonObject, questions) }
    val answers = client.rules.batch(*questions.toTypedArray())
    return questions.map {
        try {
            written(answers.get(it))
        } catch (error: ChitarrellaException) {
            mapOf("error" to mapOf("code" to error.code(), "field" to error.field()))
        }
    }
}

/** A question about the position of the step, or about that of an earlier answer. */
private fun question(step: JsonObject, earlier: List<Question<*>>): Question<*> {
    val before = step.number("position_of")?.let { earlier[it] }
    val seat = step.number("seat")
    return when (step.text("op")) {
        "start_game" -> Question.startGame(step.ruleSet())
        "apply_moves" ->
            before?.let { Question.applyMoves(it, step.seatMoves()) }
                ?: Question.applyMoves(step.position(), step.seatMoves())
        else -> before?.let { Question.legalMoves(it, seat) } ?: Question.legalMoves(step.position(), seat)
    }
}

private fun written(answer: Any?): Any =
    when (answer) {
        is GameStart -> answer.position.text
        is AppliedMoves -> json(answer)
        is LegalMoves -> mapOf("seat" to answer.seat, "moves" to answer.moves.map { json(it) })
        else -> error("no scenario asks for $answer")
    }
