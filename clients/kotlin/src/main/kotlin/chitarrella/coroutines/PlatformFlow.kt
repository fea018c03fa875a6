// Watching all matches of a platform: a flow that does not reconnect.
package chitarrella.coroutines

import chitarrella.client.answers.PlatformUpdate
import chitarrella.client.internal.ErrorMapper
import chitarrella.client.internal.PlatformMapper
import chitarrella.client.internal.Subscription
import chitarrella.v1.WatchMatchesRequest
import io.grpc.StatusException
import io.grpc.StatusRuntimeException
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map

/** The updates and heartbeats of one stream. The service never ends it without an error, so its end is one too. */
internal fun platformFlow(transport: Transport): Flow<PlatformUpdate> =
    flow {
        val request = WatchMatchesRequest.getDefaultInstance()
        emitAll(
            transport.streams().watchMatches(request, transport.headers()).map { PlatformMapper.update(it) }.catch { error ->
                throw if (error is StatusException || error is StatusRuntimeException) {
                    ErrorMapper.map(error, "")
                } else {
                    error
                }
            },
        )
        throw Subscription.streamEnded()
    }
