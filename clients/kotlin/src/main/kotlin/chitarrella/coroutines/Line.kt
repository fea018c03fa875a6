// The line to the service: the channel, and calls over it.
package chitarrella.coroutines

import chitarrella.client.errors.ChitarrellaException
import chitarrella.client.internal.Connection
import chitarrella.client.internal.Failures
import chitarrella.client.internal.Tries
import chitarrella.v1.CatalogueServiceGrpcKt.CatalogueServiceCoroutineStub
import chitarrella.v1.MatchServiceGrpcKt.MatchServiceCoroutineStub
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineStub
import io.grpc.ManagedChannel
import io.grpc.Metadata
import io.grpc.StatusException
import io.grpc.StatusRuntimeException
import kotlinx.coroutines.delay

/** A channel and the settings of the client. */
internal class Line(private val connection: Connection, val channel: ManagedChannel) {
    /** The catalogue, for one try of a call. */
    fun catalogue(): CatalogueServiceCoroutineStub = CatalogueServiceCoroutineStub(channel, connection.options())

    /** The rules, for one try of a call. */
    fun rules(): RulesServiceCoroutineStub = RulesServiceCoroutineStub(channel, connection.options())

    /** The matches, for one try of a call. */
    fun matches(): MatchServiceCoroutineStub = MatchServiceCoroutineStub(channel, connection.options())

    /** The matches, for a call that goes on being answered. */
    fun streams(): MatchServiceCoroutineStub = MatchServiceCoroutineStub(channel)

    /** Shows the platform's key, and that of a seat or the referee. */
    fun headers(key: String = ""): Metadata = connection.headers(key)

    /** Makes a call; one that was lost is repeated. */
    suspend fun <T> ask(requestId: String = "", call: suspend () -> T): T {
        val tries = Tries(connection.retries)
        while (true) {
            val problem =
                try {
                    return once(requestId, call)
                } catch (error: ChitarrellaException) {
                    error
                }
            if (channel.isShutdown) throw problem
            pause(tries.after(problem))
        }
    }

    /** Makes a call, and never again. */
    suspend fun <T> once(requestId: String = "", call: suspend () -> T): T =
        try {
            call()
        } catch (problem: StatusException) {
            throw Failures.read(problem, requestId)
        } catch (problem: StatusRuntimeException) {
            throw Failures.read(problem, requestId)
        }

    /** Waits before another try, and has the channel connect again at once then. */
    suspend fun pause(milliseconds: Long) {
        delay(milliseconds)
        channel.resetConnectBackoff()
    }
}
