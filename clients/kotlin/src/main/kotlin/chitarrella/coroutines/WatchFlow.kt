// Watching a match: a flow of updates that reconnects by itself.
package chitarrella.coroutines

import chitarrella.client.answers.MatchUpdate
import chitarrella.client.errors.ChitarrellaException
import chitarrella.client.internal.ErrorMapper
import chitarrella.client.internal.MatchMapper
import chitarrella.client.internal.MatchRequests
import chitarrella.client.internal.SeatAccess
import chitarrella.client.internal.Subscription
import io.grpc.StatusException
import io.grpc.StatusRuntimeException
import java.time.Duration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.mapNotNull

/** The updates of a match, each exactly once, until the match is finished; reconnects by itself. */
internal fun watchFlow(transport: Transport, access: SeatAccess, cursor: String, giveUp: Duration?): Flow<MatchUpdate> =
    flow {
        val subscription = Subscription(cursor, giveUp)
        while (!subscription.finished()) {
            var error: ChitarrellaException? = null
            emitAll(streamFlow(transport, access, subscription) { error = it })
            transport.pause(error?.let(subscription::afterError) ?: afterStreamEnd(transport, access, subscription))
        }
    }

/** The updates of one stream; its error, but none of the collector, goes to [onError]. */
private fun streamFlow(
    transport: Transport,
    access: SeatAccess,
    subscription: Subscription,
    onError: (ChitarrellaException) -> Unit,
): Flow<MatchUpdate> =
    transport.streams()
        .watchMatch(MatchRequests.watch(access, subscription.cursor()), transport.headers(access.key))
        .mapNotNull { subscription.receive(it) }
        .catch { error ->
            if (error is StatusException || error is StatusRuntimeException) {
                onError(ErrorMapper.map(error, ""))
            } else {
                throw error
            }
        }

/**
 * After a stream that ended regularly: finds out whether the match is finished; returns the pause before the next
 * stream.
 */
private suspend fun afterStreamEnd(transport: Transport, access: SeatAccess, subscription: Subscription): Long {
    val state =
        try {
            transport.callOnce {
                transport.matches().getMatch(MatchRequests.get(access), transport.headers(access.key))
            }
        } catch (error: ChitarrellaException) {
            return subscription.afterError(error)
        }
    return subscription.afterStreamEnd(MatchMapper.matchState(state))
}
