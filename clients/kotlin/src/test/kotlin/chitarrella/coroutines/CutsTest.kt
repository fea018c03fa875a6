// What the scenarios do not reach: calls that get lost, streams that end too early, a collector that fails.
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

/** Loses calls and cuts streams; the match is over with the third thing that it tells. */
private class Fake(private val lost: Int, private val trouble: Status) : MatchServiceCoroutineImplBase() {
    val requestIds = mutableListOf<String>()
    val cursors = mutableListOf<String>()

    override suspend fun playMove(request: PlayMoveRequest): PlayMoveResponse {
        requestIds += request.requestId
        if (requestIds.size <= lost) throw StatusException(trouble)
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

class CutsTest {
    private fun <T> withMatch(fake: Fake, retries: Int, block: suspend (Match) -> T): T {
        val name = "fake${fake.hashCode()}"
        val server = InProcessServerBuilder.forName(name).addService(fake).build().start()
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
    fun `a lost call is repeated under the same request id`() {
        val fake = Fake(2, Status.UNAVAILABLE)
        assertTrue(withMatch(fake, 4) { it.play(Move.of("play_card", "Ab")).accepted })
        assertEquals(3, fake.requestIds.size)
        assertEquals(1, fake.requestIds.toSet().size)
    }

    @Test
    fun `a call that stays lost gives its request id`() {
        val fake = Fake(9, Status.UNAVAILABLE)
        val error =
            assertThrows(UnavailableException::class.java) {
                withMatch(fake, 1) { it.play(Move.of("play_card", "Ab")) }
            }
        assertEquals(listOf(error.requestId(), error.requestId()), fake.requestIds)
    }

    @Test
    fun `what the service refuses is not repeated`() {
        val fake = Fake(9, Status.ABORTED)
        assertThrows(StaleRevisionException::class.java) {
            withMatch(fake, 4) { it.play(Move.of("play_card", "Ab")) }
        }
        assertEquals(1, fake.requestIds.size)
    }

    @Test
    fun `a watch goes on until the match is over`() {
        val fake = Fake(0, Status.OK)
        assertEquals(listOf("1", "2", "3"), withMatch(fake, 4) { match -> match.watch().map { it.cursor }.toList() })
        assertEquals(listOf("", "1", "2"), fake.cursors)
    }

    @Test
    fun `what goes wrong in a collector is no cut`() {
        val fake = Fake(0, Status.OK)
        assertThrows(StatusException::class.java) {
            withMatch(fake, 4) { match -> match.watch().collect { throw StatusException(Status.UNAVAILABLE) } }
        }
        assertEquals(1, fake.cursors.size)
    }
}
