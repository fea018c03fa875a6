// A match stored by the service, seen and played with one key.
package chitarrella.coroutines

import chitarrella.client.PlayOptions
import chitarrella.client.answers.BotSeat
import chitarrella.client.answers.ClockAdvance
import chitarrella.client.answers.ClockResult
import chitarrella.client.answers.MatchHand
import chitarrella.client.answers.MatchMoveValidation
import chitarrella.client.answers.MatchMoves
import chitarrella.client.answers.MatchState
import chitarrella.client.answers.MatchUpdate
import chitarrella.client.answers.MoveResult
import chitarrella.client.answers.SeedResult
import chitarrella.client.answers.Shuffles
import chitarrella.client.answers.TakebackResult
import chitarrella.client.errors.RefusedException
import chitarrella.client.internal.MatchMapper
import chitarrella.client.internal.MatchRequests
import chitarrella.client.internal.PlatformRequests
import chitarrella.client.internal.SeatAccess
import chitarrella.client.table.Move
import chitarrella.v1.AbortMatchRequest
import chitarrella.v1.DeleteMatchRequest
import chitarrella.v1.EnforceClockRequest
import chitarrella.v1.GetRecordRequest
import chitarrella.v1.ListShufflesRequest
import chitarrella.v1.MatchServiceGrpcKt.MatchServiceCoroutineStub
import io.grpc.Metadata
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/** A match. The key identifies the caller: a seat, the referee, or, if empty, the public. */
public class Match internal constructor(private val transport: Transport, private val access: SeatAccess) {
    /** The id of the match. */
    public val id: String get() = access.matchId

    /** The key in use; for a match just created, the referee's. */
    public val key: String get() = access.key

    /** The keys of the seats, if this client created the match. A key is the only proof of a seat. */
    public val keys: Map<Int, String> get() = access.keys

    /** Acts for a seat: with the seat's own key if known, else with the referee's. */
    public fun asSeat(seat: Int): Match = Match(transport, access.asSeat(seat))

    /** The current state of the match. */
    public suspend fun get(): MatchState = MatchMapper.matchState(call { getMatch(MatchRequests.get(access), it) })

    /** The legal moves of the seat; for the referee, those of the seat to move. */
    public suspend fun legalMoves(): MatchMoves =
        MatchMapper.moves(call { listMatchMoves(MatchRequests.legalMoves(access), it) })

    /** Explains every card of the seat: legal, or the clauses that forbid it. */
    public suspend fun explainHand(): MatchHand =
        MatchMapper.hand(call { explainMatchHand(MatchRequests.explainHand(access), it) })

    /** Validates a move without playing it. */
    public suspend fun validateMove(move: Move): MatchMoveValidation =
        MatchMapper.moveValidation(call { validateMove(MatchRequests.validateMove(access, move), it) })

    /**
     * Plays a move. A refusal is a result, not an exception; see [playOrThrow].
     *
     * @param expectedRevision precondition: the match has this revision, else a
     *   [chitarrella.client.errors.StaleRevisionException] is thrown; null for none
     * @param requestId to repeat the call later or from another process; a random one if empty
     * @param includeView whether to return the view after the move
     */
    public suspend fun play(
        move: Move,
        expectedRevision: Int? = null,
        requestId: String = "",
        includeView: Boolean = false,
    ): MoveResult {
        val request = MatchRequests.play(access, move, PlayOptions(expectedRevision, requestId, includeView))
        return MatchMapper.moveResult(call(request.requestId) { playMove(request, it) })
    }

    /** Plays a move like [play], but throws a [RefusedException] if it is refused. */
    public suspend fun playOrThrow(
        move: Move,
        expectedRevision: Int? = null,
        requestId: String = "",
        includeView: Boolean = false,
    ): MoveResult {
        val result = play(move, expectedRevision, requestId, includeView)
        if (!result.accepted) throw RefusedException(result.refusals, result.revision)
        return result
    }

    /** The updates after a cursor; empty for from the first card on. */
    public fun events(cursor: String = ""): Flow<MatchUpdate> =
        flow {
            var after = cursor
            do {
                val page = call { listEvents(MatchRequests.events(access, after), it) }
                page.movesList.forEach { emit(MatchMapper.update(it)) }
                after = page.cursor
            } while (page.hasMore)
        }

    /**
     * Watches the match until it is finished: every update exactly once. When the connection breaks, it reconnects and
     * resumes.
     *
     * @param cursor to resume from, see [MatchUpdate.cursor]; empty for the first card
     * @param giveUp how long it may stay disconnected before the last error is thrown; null for no limit
     */
    public fun watch(cursor: String = "", giveUp: Duration? = null): Flow<MatchUpdate> =
        watchFlow(transport, access, cursor, giveUp?.toJavaDuration())

    /** Adds the seat's seed to the awaited shuffle: any text, best a long random one. */
    public suspend fun contributeSeed(seed: String): SeedResult {
        val request = MatchRequests.contributeSeed(access, seed)
        return MatchMapper.seedResult(call(request.requestId) { contributeSeed(request, it) })
    }

    /** Shuffles without waiting for more seeds, as the referee. */
    public suspend fun shuffleNow(): SeedResult {
        val request = MatchRequests.shuffleNow(access)
        return MatchMapper.seedResult(call(request.requestId) { contributeSeed(request, it) })
    }

    /** Every shuffle and lot with its proof, as far as that can be published yet. */
    public suspend fun shuffles(): Shuffles {
        val request = ListShufflesRequest.newBuilder().setMatchId(id).build()
        return MatchMapper.shuffles(call { listShuffles(request, it) })
    }

    /** The record of the match: for the referee at any time, for everybody once it is finished. */
    public suspend fun record(): String {
        val request = GetRecordRequest.newBuilder().setMatchId(id).build()
        return call { getRecord(request, it) }.record
    }

    /** Requests that the last decision be taken back, agrees to it, or declines; the referee decides for all. */
    public suspend fun takeBack(
        decline: Boolean = false,
        expectedRevision: Int? = null,
        requestId: String = "",
    ): TakebackResult {
        val request = MatchRequests.takeBack(access, decline, PlayOptions(expectedRevision, requestId, false))
        return MatchMapper.takebackResult(call(request.requestId) { takeBack(request, it) })
    }

    /** Enforces the clock: plays the default move of a seat that is out of time. */
    public suspend fun enforceClock(): ClockResult {
        val request = EnforceClockRequest.newBuilder().setMatchId(id).build()
        return MatchMapper.clockResult(call { enforceClock(request, it) })
    }

    /**
     * Assigns the seat to a bot, "random", "greedy" or "search", or back to a person if that is empty; returns the
     * seats played by bots. [think] is its time for a move; zero for the service's default.
     */
    public suspend fun assignBot(bot: String, think: Duration = Duration.ZERO): List<BotSeat> =
        MatchMapper.bots(call { assignBot(MatchRequests.assignBot(access, bot, think.toJavaDuration()), it) }.botsList)

    /**
     * Moves the time of a test forward, in whole seconds, as the referee. A seat that is then out of time plays its
     * default move.
     */
    public suspend fun advanceClock(by: Duration, requestId: String = ""): ClockAdvance {
        val request = PlatformRequests.advanceClock(access, by.toJavaDuration(), requestId)
        return MatchMapper.clockAdvance(call(request.requestId) { advanceClock(request, it) })
    }

    /**
     * Replaces the key in use, or, as the referee, that of a [seat]; returns the match with the new key: its [key], or that
     * of the seat in its [keys]. A [requestId], to repeat the call later, has 16 to 64 unguessable characters.
     *
     * The old key is closed at once: this object goes on only if its own key stays, and watches with the old key end.
     */
    public suspend fun rotateKey(seat: Int? = null, requestId: String = ""): Match {
        val request = PlatformRequests.rotateKey(access, seat, requestId)
        return Match(transport, access.withNewKey(seat, call(request.requestId) { rotateKey(request, it) }.key))
    }

    /** Aborts the match, as the referee; returns its last revision. */
    public suspend fun abort(): Int {
        val request = AbortMatchRequest.newBuilder().setMatchId(id).build()
        return call { abortMatch(request, it) }.revision
    }

    /** Deletes the match at once, as the referee. */
    public suspend fun delete() {
        val request = DeleteMatchRequest.newBuilder().setMatchId(id).build()
        call { deleteMatch(request, it) }
    }

    /** Contains no keys. */
    override fun toString(): String = "Match[$access]"

    private suspend fun <A> call(
        requestId: String = "",
        method: suspend MatchServiceCoroutineStub.(Metadata) -> A,
    ): A = transport.call(requestId) { transport.matches().method(transport.headers(key)) }
}
