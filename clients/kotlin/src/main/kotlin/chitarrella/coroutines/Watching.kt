// Following a match through cuts.
package chitarrella.coroutines

import chitarrella.client.answers.Told
import chitarrella.client.errors.ChitarrellaException
import chitarrella.client.internal.Failures
import chitarrella.client.internal.Following
import chitarrella.client.internal.Holder
import chitarrella.client.internal.Reading
import chitarrella.client.internal.Requests
import io.grpc.StatusException
import io.grpc.StatusRuntimeException
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.mapNotNull
import java.time.Duration

/** Tells what happens, each thing once, until the match is over; comes back by itself after a cut. */
internal fun watching(line: Line, who: Holder, cursor: String, giveUp: Duration?): Flow<Told> =
    flow {
        val following = Following(cursor, giveUp)
        while (!following.over()) {
            var cut: ChitarrellaException? = null
            emitAll(listening(line, who, following) { cut = it })
            line.pause(cut?.let(following::cut) ?: ended(line, who, following))
        }
    }

/** Tells what one stream tells; what cuts it, and nothing of the collector's own, goes to [cut]. */
private fun listening(line: Line, who: Holder, following: Following, cut: (ChitarrellaException) -> Unit): Flow<Told> =
    line.streams()
        .watchMatch(Requests.watch(who, following.cursor()), line.headers(who.key))
        .mapNotNull { following.heard(it) }
        .catch { problem ->
            if (problem is StatusException || problem is StatusRuntimeException) {
                cut(Failures.read(problem, ""))
            } else {
                throw problem
            }
        }

/** Sees, after a stream that has ended well, whether the match is over; says how long to wait before the next one. */
private suspend fun ended(line: Line, who: Holder, following: Following): Long {
    val seen =
        try {
            line.once { line.matches().getMatch(Requests.look(who), line.headers(who.key)) }
        } catch (problem: ChitarrellaException) {
            return following.cut(problem)
        }
    return following.ended(Reading.seen(seen))
}
