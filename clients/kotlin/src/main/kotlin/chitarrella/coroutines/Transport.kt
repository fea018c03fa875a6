// Calls over a gRPC channel, with their retries.
package chitarrella.coroutines

import chitarrella.client.errors.ChitarrellaException
import chitarrella.client.internal.ConnectionSettings
import chitarrella.client.internal.ErrorMapper
import chitarrella.client.internal.RetryPolicy
import chitarrella.v1.CatalogueServiceGrpcKt.CatalogueServiceCoroutineStub
import chitarrella.v1.MatchServiceGrpcKt.MatchServiceCoroutineStub
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineStub
import chitarrella.v1.WebhookServiceGrpcKt.WebhookServiceCoroutineStub
import io.grpc.ManagedChannel
import io.grpc.Metadata
import io.grpc.StatusException
import io.grpc.StatusRuntimeException
import kotlinx.coroutines.delay

/** Calls over a gRPC channel, with their retries. */
internal class Transport(private val connection: ConnectionSettings, val channel: ManagedChannel) {
    /** The stub of the catalogue, for one attempt of a call. */
    fun catalogue(): CatalogueServiceCoroutineStub = CatalogueServiceCoroutineStub(channel, connection.options())

    /** The stub of the rules, for one attempt of a call. */
    fun rules(): RulesServiceCoroutineStub = RulesServiceCoroutineStub(channel, connection.options())

    /** The stub of matches, for one attempt of a call. */
    fun matches(): MatchServiceCoroutineStub = MatchServiceCoroutineStub(channel, connection.options())

    /** The stub of webhooks, for one attempt of a call. */
    fun webhooks(): WebhookServiceCoroutineStub = WebhookServiceCoroutineStub(channel, connection.options())

    /** The stub of matches, for a stream. */
    fun streams(): MatchServiceCoroutineStub = MatchServiceCoroutineStub(channel)

    /** The headers of the settings, with the key of a seat or the referee. */
    fun headers(key: String = ""): Metadata = connection.headers(key)

    /** Makes a call with retries. */
    suspend fun <T> call(requestId: String = "", call: suspend () -> T): T {
        val retryPolicy = RetryPolicy(connection.retries)
        while (true) {
            val failure =
                try {
                    return callOnce(requestId, call)
                } catch (error: ChitarrellaException) {
                    error
                }
            if (channel.isShutdown) throw failure
            pause(retryPolicy.delayAfter(failure))
        }
    }

    /** Makes a single attempt. */
    suspend fun <T> callOnce(requestId: String = "", call: suspend () -> T): T =
        try {
            call()
        } catch (failure: StatusException) {
            throw ErrorMapper.map(failure, requestId)
        } catch (failure: StatusRuntimeException) {
            throw ErrorMapper.map(failure, requestId)
        }

    /** Waits before the next attempt, then has the channel reconnect at once. */
    suspend fun pause(milliseconds: Long) {
        delay(milliseconds)
        channel.resetConnectBackoff()
    }
}
