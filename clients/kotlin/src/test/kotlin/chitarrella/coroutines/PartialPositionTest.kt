// What is unknown stays unknown in requests and results.
package chitarrella.coroutines

import chitarrella.client.answers.PartialPosition
import chitarrella.client.answers.Position
import chitarrella.client.table.Move
import chitarrella.client.table.RuleSet
import chitarrella.v1.ExplainedMove
import chitarrella.v1.ListLegalMovesRequest
import chitarrella.v1.ListLegalMovesResponse
import chitarrella.v1.ListPlayableCardsRequest
import chitarrella.v1.ListPlayableCardsResponse
import chitarrella.v1.ResolveTrickRequest
import chitarrella.v1.ResolveTrickResponse
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineImplBase
import chitarrella.v1.ValidateMoveRequest
import chitarrella.v1.ValidateMoveResponse
import io.grpc.inprocess.InProcessChannelBuilder
import io.grpc.inprocess.InProcessServerBuilder
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Keeps the requests; every answer depends on the trump. */
private class FakeRulesService : RulesServiceCoroutineImplBase() {
    val requests = mutableListOf<Any>()

    override suspend fun listLegalMoves(request: ListLegalMovesRequest): ListLegalMovesResponse {
        requests += request
        val undecided = ExplainedMove.newBuilder().addDependsOn("trump")
        return ListLegalMovesResponse.newBuilder().addUndecided(undecided).build()
    }

    override suspend fun validateMove(request: ValidateMoveRequest): ValidateMoveResponse {
        requests += request
        return ValidateMoveResponse.newBuilder().addDependsOn("trump").build()
    }

    override suspend fun listPlayableCards(request: ListPlayableCardsRequest): ListPlayableCardsResponse {
        requests += request
        return ListPlayableCardsResponse.getDefaultInstance()
    }

    override suspend fun resolveTrick(request: ResolveTrickRequest): ResolveTrickResponse {
        requests += request
        return ResolveTrickResponse.newBuilder().addDependsOn("trump").build()
    }
}

class PartialPositionTest {
    private val service = FakeRulesService()
    private val cuccu = RuleSet.of("cuccu-a-trionfo")

    private fun <T> ask(question: suspend (Rules) -> T): T {
        val name = "rules${service.hashCode()}"
        val server = InProcessServerBuilder.forName(name).addService(service).build().start()
        val channel = InProcessChannelBuilder.forName(name).build()
        try {
            return Chitarrella(name, channel = channel).use { runBlocking { question(it.rules) } }
        } finally {
            server.shutdownNow()
        }
    }

    @Test
    fun `a request has one form of the position`() {
        val found = ask { it.legalMoves(PartialPosition.of(cuccu).withHand(1, "IV").withTrick()) }
        val validation = ask { it.validateMove(Position(cuccu, "text"), Move.of("play_card", "IV"), 0) }
        val partial = service.requests[0] as ListLegalMovesRequest
        assertTrue(partial.partialPosition.hasTrick() && !partial.partialPosition.hasTrump() && !partial.hasPosition())
        assertEquals(listOf("IV"), partial.partialPosition.getHands(0).cardsList)
        assertFalse((service.requests[1] as ValidateMoveRequest).hasPartialPosition())
        assertEquals(listOf("trump"), found.undecided.single().dependsOn)
        assertEquals(listOf("trump"), validation.dependsOn)
    }

    @Test
    fun `no trumps differ from unknown trumps`() {
        val cards = listOf("IV", "MAT")
        val unknown = ask { it.resolveTrick(cuccu, cards) }
        ask { it.resolveTrick(cuccu, cards, "", trumpCard = "MAT") }
        val (first, second) = service.requests.map { it as ResolveTrickRequest }
        assertFalse(first.hasTrump() || first.hasTrumpCard())
        assertTrue(second.hasTrump())
        assertEquals("MAT", second.trumpCard)
        assertNull(unknown.winningIndex)
        assertEquals(listOf("trump"), unknown.dependsOn)
    }

    @Test
    fun `playable cards depend on trump card, declared suit and stock`() {
        ask { it.playableCards(cuccu, listOf("IV"), listOf("MAT"), trumpCard = "MAT", declaredSuit = "numbers") }
        ask { it.playableCards(cuccu, listOf("IV"), stockLeft = true) }
        val (request, drawing) = service.requests.map { it as ListPlayableCardsRequest }
        assertEquals(listOf("", "MAT", "numbers"), listOf(request.trump, request.trumpCard, request.declaredSuit))
        assertTrue(drawing.stockLeft && !request.stockLeft)
    }
}
