// A match that the service keeps, with the eyes and the hand of one key.
package chitarrella.coroutines

import chitarrella.client.PlayOptions
import chitarrella.client.answers.Awaited
import chitarrella.client.answers.BotSeat
import chitarrella.client.answers.Draws
import chitarrella.client.answers.MatchHand
import chitarrella.client.answers.MatchMoves
import chitarrella.client.answers.MatchVerdict
import chitarrella.client.answers.Played
import chitarrella.client.answers.Ruling
import chitarrella.client.answers.Seen
import chitarrella.client.answers.TakenBack
import chitarrella.client.answers.Told
import chitarrella.client.errors.RefusedException
import chitarrella.client.internal.Holder
import chitarrella.client.internal.Reading
import chitarrella.client.internal.Requests
import chitarrella.client.table.Move
import chitarrella.v1.DeleteMatchRequest
import chitarrella.v1.EndMatchRequest
import chitarrella.v1.GetRecordRequest
import chitarrella.v1.ListDrawsRequest
import chitarrella.v1.MatchServiceGrpcKt.MatchServiceCoroutineStub
import chitarrella.v1.RuleOnTimeRequest
import io.grpc.Metadata
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** A match. The key says who asks: a seat, the referee, or, without one, the public. */
public class Match internal constructor(private val line: Line, private val who: Holder) {
    /** The name of the match. */
    public val id: String get() = who.match

    /** The key it is bound to; of a match that was just opened, the referee's. */
    public val key: String get() = who.key

    /** The key of every seat, where this client has opened the match; whoever has a key is that seat. */
    public val keys: Map<Int, String> get() = who.keys

    /** Speaks for a seat: with its own key where that is known, or else with the referee's. */
    public fun asSeat(seat: Int): Match = Match(line, who.`as`(seat))

    /** Looks at the table. */
    public suspend fun look(): Seen = Reading.seen(ask { getMatch(Requests.look(who), it) })

    /** Lists what the seat may do now; for the referee, what the seat to move may do. */
    public suspend fun moves(): MatchMoves = Reading.moves(ask { listMatchMoves(Requests.moves(who), it) })

    /** Explains every card of the seat: legal, or the clauses it would break. */
    public suspend fun hand(): MatchHand = Reading.hand(ask { explainMatchHand(Requests.hand(who), it) })

    /** Judges a move without making it. */
    public suspend fun judge(move: Move): MatchVerdict =
        Reading.verdict(ask { judgeMove(Requests.judge(who, move), it) })

    /**
     * Makes a move. A refusal is an answer like another; see [playOrThrow].
     *
     * @param expectedRevision only if the table is still at this revision, or else a
     *   [chitarrella.client.errors.StaleRevisionException] is thrown; null in any case
     * @param requestId for who wants to repeat the call later, or from another process; empty to have one made
     * @param wantView send the view after the move along
     */
    public suspend fun play(
        move: Move,
        expectedRevision: Int? = null,
        requestId: String = "",
        wantView: Boolean = false,
    ): Played {
        val request = Requests.play(who, move, PlayOptions(expectedRevision, requestId, wantView))
        return Reading.played(ask(request.requestId) { playMove(request, it) })
    }

    /** Makes a move like [play], but throws a [RefusedException] where it is refused. */
    public suspend fun playOrThrow(
        move: Move,
        expectedRevision: Int? = null,
        requestId: String = "",
        wantView: Boolean = false,
    ): Played {
        val played = play(move, expectedRevision, requestId, wantView)
        if (!played.accepted) throw RefusedException(played.refusals, played.revision)
        return played
    }

    /** Goes through what has happened after a cursor, as those eyes may know it; empty for from the first card on. */
    public fun events(cursor: String = ""): Flow<Told> =
        flow {
            var after = cursor
            do {
                val page = ask { listEvents(Requests.events(who, after), it) }
                page.movesList.forEach { emit(Reading.told(it)) }
                after = page.cursor
            } while (page.more)
        }

    /**
     * Follows the match until it is over, each thing once. When the connection is cut it comes back by itself and goes on
     * where it was.
     *
     * @param cursor where to go on, as [Told.cursor] has it; empty for the first card
     * @param giveUp how long it may stay cut off before what keeps it from coming back is thrown; null for ever
     */
    public fun watch(cursor: String = "", giveUp: Duration? = null): Flow<Told> =
        watching(line, who, cursor, giveUp?.toJavaDuration())

    /** Adds a word to the shuffle of the pack that is wanted: any text, best a long random one. */
    public suspend fun contribute(word: String): Awaited {
        val request = Requests.contribute(who, word)
        return Reading.awaited(ask(request.requestId) { contributeToDeal(request, it) })
    }

    /** Waits for no more words, as the referee. */
    public suspend fun dealNow(): Awaited {
        val request = Requests.dealNow(who)
        return Reading.awaited(ask(request.requestId) { contributeToDeal(request, it) })
    }

    /** Lists every pack and lot that was drawn, with as much of the proof as hides nothing any more. */
    public suspend fun draws(): Draws {
        val request = ListDrawsRequest.newBuilder().setMatch(id).build()
        return Reading.draws(ask { listDraws(request, it) })
    }

    /** Gives the record of the match: to the referee at any time, to everybody when it is over. */
    public suspend fun record(): String {
        val request = GetRecordRequest.newBuilder().setMatch(id).build()
        return ask { getRecord(request, it) }.record
    }

    /** Asks that the last decision be taken back, agrees to that, or refuses; the referee decides for everybody. */
    public suspend fun takeBack(
        refuse: Boolean = false,
        expectedRevision: Int? = null,
        requestId: String = "",
    ): TakenBack {
        val request = Requests.takeBack(who, refuse, PlayOptions(expectedRevision, requestId, false))
        return Reading.takenBack(ask(request.requestId) { takeBack(request, it) })
    }

    /** Has the move made, or the cards dealt, that time has run out for. */
    public suspend fun ruleOnTime(): Ruling {
        val request = RuleOnTimeRequest.newBuilder().setMatch(id).build()
        return Reading.ruling(ask { ruleOnTime(request, it) })
    }

    /**
     * Gives the seat to a bot, "random", "greedy" or "search", or back to a person where that is empty; gives the seats that
     * bots play. [think] is how long it may think about a move; zero for as long as is usual.
     */
    public suspend fun seatBot(bot: String, think: Duration = Duration.ZERO): List<BotSeat> =
        Reading.bots(ask { seatBot(Requests.seatBot(who, bot, think.toJavaDuration()), it) }.botsList)

    /** Ends the match before its time, as the referee; gives the last revision. */
    public suspend fun end(): Int {
        val request = EndMatchRequest.newBuilder().setMatch(id).build()
        return ask { endMatch(request, it) }.revision
    }

    /** Has the match forgotten at once, as the referee. */
    public suspend fun delete() {
        val request = DeleteMatchRequest.newBuilder().setMatch(id).build()
        ask { deleteMatch(request, it) }
    }

    /** Shows everything but keys. */
    override fun toString(): String = "Match[$who]"

    private suspend fun <A> ask(
        requestId: String = "",
        call: suspend MatchServiceCoroutineStub.(Metadata) -> A,
    ): A = line.ask(requestId) { line.matches().call(line.headers(key)) }
}
