// Many questions are asked in one call, and each has its own answer or error.
package chitarrella.coroutines

import chitarrella.client.Question
import chitarrella.client.errors.ChitarrellaException
import chitarrella.client.table.RuleSet
import chitarrella.v1.Answer
import chitarrella.v1.BatchRequest
import chitarrella.v1.BatchResponse
import chitarrella.v1.GetViewResponse
import chitarrella.v1.ItemError
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineImplBase
import chitarrella.v1.StartGameResponse
import chitarrella.v1.View
import io.grpc.inprocess.InProcessChannelBuilder
import io.grpc.inprocess.InProcessServerBuilder
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

/** Answers three questions, the last with an error. */
private class FakeBatchService : RulesServiceCoroutineImplBase() {
    val requests = mutableListOf<BatchRequest>()

    override suspend fun batch(request: BatchRequest): BatchResponse {
        requests += request
        val view = GetViewResponse.newBuilder().setView(View.newBuilder().setPhase("play"))
        val error = ItemError.newBuilder().setCode("unknown_card").setField("cards")
        return BatchResponse.newBuilder()
            .addAnswers(Answer.newBuilder().setStartGame(StartGameResponse.getDefaultInstance()))
            .addAnswers(Answer.newBuilder().setGetView(view))
            .addAnswers(Answer.newBuilder().setError(error))
            .build()
    }
}

class BatchTest {
    @Test
    fun `each question has its answer or its error`() {
        val service = FakeBatchService()
        val server = InProcessServerBuilder.forName("batch").addService(service).build().start()
        val briscola = RuleSet.of("briscola")
        val start = Question.startGame(briscola)
        val view = Question.getView(start, 0)
        val scores = Question.scoreCards(briscola, listOf("Zz"), "")
        try {
            val channel = InProcessChannelBuilder.forName("batch").build()
            Chitarrella("batch", channel = channel).use { client ->
                val answers = runBlocking { client.rules.batch(start, view, scores) }
                assertEquals("play", answers.get(view).phase)
                val error = assertThrows(ChitarrellaException::class.java) { answers.get(scores) }
                assertEquals("unknown_card", error.code())
            }
        } finally {
            server.shutdownNow()
        }
        val (first, second) = service.requests.single().questionsList
        assertEquals(0, second.positionOf)
        assertFalse(first.hasPositionOf() || second.getView.hasPosition())
    }
}
