// A table in a terminal: one player against a bot, or two players at terminals of their own.
import chitarrella.client.CardImages
import chitarrella.client.Chitarrella
import chitarrella.client.Match
import chitarrella.client.NewMatch
import chitarrella.client.PlayOptions
import chitarrella.client.answers.MatchAnswers.MatchUpdate
import chitarrella.client.errors.ChitarrellaException
import chitarrella.client.table.Event
import chitarrella.client.table.Move
import chitarrella.client.table.RuleSet
import chitarrella.client.table.View
import kotlin.system.exitProcess

const val USAGE = """Usage: table bot           play Briscola against a bot
       table open          open a table, and print what the other player needs
       table join MATCH    sit down at it, with the key in CHITARRELLA_KEY
CHITARRELLA is the address of the service, by default 127.0.0.1:50051."""

/** Cards with the symbols of their suits. */
fun pictures(cards: List<String>): String = cards.joinToString("  ") { CardImages.cardImage(it, "Italian") }

/** What the player at a seat reads of an event; null for nothing. */
fun sentence(event: Event, me: Int): String? {
    val who = if (event.seat == me) "You" else "The other player"
    return when (event.kind) {
        "card_played" -> "$who: ${pictures(event.cards)}"
        "trick_taken" -> if (event.seat == me) "You take the trick." else "The other player takes the trick."
        "turned_up" -> "Turned up: ${pictures(event.cards)}"
        else -> null
    }
}

/** Asks for one of the moves until a number of one is read; null at the end of the input. */
fun choose(view: View, seat: Int, moves: List<Move>): Move? {
    println("Trumps: ${view.fact("trump")}. Trick: ${pictures(view.zone("trick").cards).ifEmpty { "none yet" }}")
    println("Your cards: ${pictures(view.zone("hand", seat).cards)}")
    moves.forEachIndexed { index, move -> println("  ${index + 1}: ${pictures(move.cards).ifEmpty { move.toString() }}") }
    while (true) {
        print("Your move> ")
        val line = readlnOrNull() ?: return null
        moves.getOrNull((line.trim().toIntOrNull() ?: 0) - 1)?.let { return it }
        println("Type a number from 1 to ${moves.size}.")
    }
}

/** Plays the position after an update, if the seat is on turn there; false if the player leaves. */
fun takeTurn(match: Match, seat: Int, update: MatchUpdate): Boolean {
    update.events.mapNotNull { sentence(it, seat) }.forEach(::println)
    val state = match.get()
    // If the match has gone on, another update follows.
    if (state.view.turn != seat || state.revision != update.revision) return true
    val move = choose(state.view, seat, match.legalMoves().moves) ?: return false
    match.playOrThrow(move, PlayOptions.at(state.revision))
    return true
}

/** Plays a match with the key of one seat, until it is finished, or the player leaves. */
fun play(match: Match) {
    val seat = match.get().viewer ?: throw IllegalArgumentException("Set CHITARRELLA_KEY to the key of a seat.")
    match.watch().use { watch -> watch.all { update -> takeTurn(match, seat, update) } }
    val winners = match.get().view.outcome?.winners
    println(if (winners == null) "You have left." else if (seat in winners) "You have won." else "You have lost.")
}

/** Creates a match, and plays its first seat. */
fun create(client: Chitarrella, bots: Map<Int, String>) {
    val ruleSet = RuleSet("briscola", 2, mapOf("rubber_games" to "1"), 0)
    val how = NewMatch.builder().isPrivate(true)
    bots.forEach(how::bot)
    val match = client.createMatch(ruleSet, how.build())
    if (bots.isEmpty()) println("The other player types: CHITARRELLA_KEY=${match.keys()[1]} ./table join ${match.id()}")
    play(client.match(match.id(), match.keys().getValue(0)))
}

fun main(arguments: Array<String>) {
    val environment = System.getenv()
    try {
        Chitarrella.connect(environment["CHITARRELLA"] ?: "127.0.0.1:50051").use { client ->
            when (arguments.toList().take(1) to arguments.size) {
                listOf("bot") to 1 -> create(client, mapOf(1 to "greedy"))
                listOf("open") to 1 -> create(client, emptyMap())
                listOf("join") to 2 -> play(client.match(arguments[1], environment["CHITARRELLA_KEY"] ?: ""))
                else -> throw IllegalArgumentException(USAGE)
            }
        }
    } catch (error: ChitarrellaException) {
        System.err.println(error.message) // with its code
        exitProcess(1)
    } catch (error: IllegalArgumentException) {
        System.err.println(error.message)
        exitProcess(2)
    }
}
