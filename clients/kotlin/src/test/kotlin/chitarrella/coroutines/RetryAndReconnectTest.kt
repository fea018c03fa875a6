// Cases that the scenarios do not reach: lost calls, streams that end early, a collector that fails.
package chitarrella.coroutines

import chitarrella.client.errors.StaleRevisionException
import chitarrella.client.errors.UnavailableException
import chitarrella.client.table.Move
import chitarrella.v1.Event
import chitarrella.v1.GetMatchRequest
import chitarrella.v1.GetMatchResponse
import chitarrella.v1.MatchServiceGrpcKt.MatchServiceCoroutineImplBase
import chitarrella.v1.PlayMoveRequest
import chitarrella.v1.PlayMoveResponse
import chitarrella.v1.View
import chitarrella.v1.Waiting
import chitarrella.v1.WatchMatchRequest
import chitarrella.v1.WatchMatchResponse
import io.grpc.Status
import io.grpc.StatusException
import io.grpc.inprocess.InProcessChannelBuilder
import io.grpc.inprocess.InProcessServerBuilder
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Fails the first calls and ends streams; the match is finished with the third update. */
private class FakeMatchService(
    private val failures: Int,
    private val status: Status,
) : MatchServiceCoroutineImplBase() {
    val requestIds = mutableListOf<String>()
    val cursors = mutableListOf<String>()

    override suspend fun playMove(request: PlayMoveRequest): PlayMoveResponse {
        requestIds += request.requestId
        if (requestIds.size <= failures) throw StatusException(status)
        return PlayMoveResponse.newBuilder().setAccepted(true).build()
    }

    override fun watchMatch(request: WatchMatchRequest): Flow<WatchMatchResponse> =
        flow {
            cursors += request.cursor
            val event = Event.newBuilder().setKind("card_played")
            emit(WatchMatchResponse.newBuilder().setCursor("${cursors.size}").addEvents(event).build())
            emit(WatchMatchResponse.getDefaultInstance()) // a heartbeat
            if (cursors.size == 1) throw StatusException(Status.UNAVAILABLE)
        }

    override suspend fun getMatch(request: GetMatchRequest): GetMatchResponse {
        val waiting = if (cursors.size < 3) Waiting.WAITING_SEAT else Waiting.WAITING_NOBODY
        val view = View.newBuilder().setWaiting(waiting)
        return GetMatchResponse.newBuilder().setCursor("${cursors.size}").setView(view).build()
    }
}

class RetryAndReconnectTest {
    private fun <T> withMatch(service: FakeMatchService, retries: Int, block: suspend (Match) -> T): T {
        val name = "service${service.hashCode()}"
        val server = InProcessServerBuilder.forName(name).addService(service).build().start()
        val channel = InProcessChannelBuilder.forName(name).build()
        try {
            return Chitarrella(name, retries = retries, channel = channel).use { client ->
                runBlocking { block(client.match("m", "key")) }
            }
        } finally {
            server.shutdownNow()
        }
    }

    @Test
    fun `a lost call is retried under the same request id`() {
        val service = FakeMatchService(2, Status.UNAVAILABLE)
        assertTrue(withMatch(service, 4) { it.play(Move.of("play_card", "Ab")).accepted })
        assertEquals(3, service.requestIds.size)
        assertEquals(1, service.requestIds.toSet().size)
    }

    @Test
    fun `a call that stays lost reports its request id`() {
        val service = FakeMatchService(9, Status.UNAVAILABLE)
        val error =
            assertThrows(UnavailableException::class.java) {
                withMatch(service, 1) { it.play(Move.of("play_card", "Ab")) }
            }
        assertEquals(listOf(error.requestId(), error.requestId()), service.requestIds)
    }

    @Test
    fun `an error of the service is not retried`() {
        val service = FakeMatchService(9, Status.ABORTED)
        assertThrows(StaleRevisionException::class.java) {
            withMatch(service, 4) { it.play(Move.of("play_card", "Ab")) }
        }
        assertEquals(1, service.requestIds.size)
    }

    @Test
    fun `a watch reconnects until the match is finished`() {
        val service = FakeMatchService(0, Status.OK)
        assertEquals(listOf("1", "2", "3"), withMatch(service, 4) { match -> match.watch().map { it.cursor }.toList() })
        assertEquals(listOf("", "1", "2"), service.cursors)
    }

    @Test
    fun `an error of the collector is not retried`() {
        val service = FakeMatchService(0, Status.OK)
        assertThrows(StatusException::class.java) {
            withMatch(service, 4) { match -> match.watch().collect { throw StatusException(Status.UNAVAILABLE) } }
        }
        assertEquals(1, service.cursors.size)
    }
}
