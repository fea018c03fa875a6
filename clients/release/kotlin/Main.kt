import chitarrella.client.table.RuleSet
import chitarrella.coroutines.Chitarrella
import kotlinx.coroutines.runBlocking

fun main(arguments: Array<String>) = runBlocking {
    Chitarrella(arguments[0]).use { client ->
        val match = client.createMatch(RuleSet.of("briscola", 2))
        while (true) {
            val now = match.legalMoves()
            val seat = now.seat ?: break
            match.asSeat(seat).play(now.moves.first())
        }
        println(match.id)
    }
}
