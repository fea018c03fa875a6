// The client: the catalogue, the rules, and the door to matches.
package chitarrella.coroutines

import chitarrella.client.NewMatch
import chitarrella.client.PackSource
import chitarrella.client.answers.BotSeat
import chitarrella.client.answers.Comparison
import chitarrella.client.answers.Game
import chitarrella.client.answers.GameSummary
import chitarrella.client.answers.MatchSummary
import chitarrella.client.internal.Connection
import chitarrella.client.internal.Holder
import chitarrella.client.internal.Reading
import chitarrella.client.internal.Requests
import chitarrella.client.internal.RulesReading
import chitarrella.client.table.Agreement
import chitarrella.v1.CompareGamesRequest
import chitarrella.v1.CreateMatchResponse
import chitarrella.v1.GetGameRequest
import chitarrella.v1.ListGamesRequest
import chitarrella.v1.ListMatchesRequest
import io.grpc.Channel
import io.grpc.ChannelCredentials
import io.grpc.ManagedChannel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/**
 * A client of the service at [target], "host:port"; it connects with the first call, may be shared by many coroutines, and
 * closing it hangs up.
 *
 * A call that was lost is repeated by itself, with growing pauses; that is safe for every call. What goes wrong is a
 * [chitarrella.client.errors.ChitarrellaException].
 *
 * @param tls with which credentials to speak TLS, such as `TlsChannelCredentials.create()`; null for none
 * @param key what [match] shows where no other is given: a seat's or the referee's
 * @param apiKey the platform's, where the service is not for everybody
 * @param language what clauses and refusals are told in: "en", "it" or "de", or what a browser sends as Accept-Language
 * @param timeout how long one try of a call may take; null for as long as it takes
 * @param retries how often a call that was lost is repeated
 * @param channel a channel that is there already; it is closed with the client
 */
public class Chitarrella(
    target: String,
    tls: ChannelCredentials? = null,
    private val key: String = "",
    apiKey: String = "",
    language: String = "",
    timeout: Duration? = 10.seconds,
    retries: Int = 4,
    channel: ManagedChannel? = null,
) : AutoCloseable {
    private val line: Line

    init {
        val connection = Connection(target, tls, timeout?.toJavaDuration(), retries, apiKey, language)
        line = Line(connection, channel ?: connection.open("chitarrella-kotlin"))
    }

    /** Questions about positions and cards. */
    public val rules: Rules = Rules(line)

    /** The channel, for the stubs of the contract in `chitarrella.v1`. */
    public val channel: Channel get() = line.channel

    /** Goes through the games in the order of their keys. */
    public fun games(): Flow<GameSummary> =
        flow {
            var token = ""
            do {
                val request = ListGamesRequest.newBuilder().setPageToken(token).build()
                val page = line.ask { line.catalogue().listGames(request, line.headers()) }
                page.gamesList.forEach { emit(RulesReading.summary(it)) }
                token = page.nextPageToken
            } while (token.isNotEmpty())
        }

    /** Describes a game: pack, options, moves, reasons, and the rule book, of the current (0) or another edition. */
    public suspend fun game(game: String, edition: Int = 0): Game {
        val request = GetGameRequest.newBuilder().setGame(game).setEdition(edition).build()
        return RulesReading.game(line.ask { line.catalogue().getGame(request, line.headers()) })
    }

    /** Tells two games, or two agreements on one, apart. */
    public suspend fun compare(first: Agreement, second: Agreement): Comparison {
        val request = CompareGamesRequest.newBuilder()
        request.setFirst(Requests.agreement(first)).setSecond(Requests.agreement(second))
        return RulesReading.comparison(
            line.ask { line.catalogue().compareGames(request.build(), line.headers()) },
        )
    }

    /**
     * Opens a match; what comes back speaks for the referee and has the keys of all seats.
     *
     * @param packs who hands in the packs
     * @param pack the pack of the first deal, first card first; empty for a shuffled one
     * @param position the line of the position to begin from; empty for the beginning
     * @param private nobody without a key may look
     * @param clock how long the seats may think; null for as long as they like
     * @param bots the seats that bots play: "random", "greedy" or "search"
     * @param expiresAfter after how long without a move, its clock over, it is forgotten; zero for the service's default
     * @param requestId for who wants to repeat the call later: 16 to 64 characters that nobody guesses
     */
    public suspend fun createMatch(
        agreement: Agreement,
        packs: PackSource = PackSource.SERVICE,
        pack: List<String> = emptyList(),
        position: String = "",
        private: Boolean = false,
        clock: NewMatch.Clock? = null,
        bots: Map<Int, String> = emptyMap(),
        expiresAfter: Duration = Duration.ZERO,
        requestId: String = "",
    ): Match {
        val seats = bots.map { (seat, bot) -> BotSeat(seat, bot, java.time.Duration.ZERO) }
        val expires = expiresAfter.toJavaDuration()
        val how = NewMatch(packs, pack, position, private, clock, seats, expires, requestId)
        val request = Requests.create(agreement, how)
        return opened(line.ask(request.requestId) { line.matches().createMatch(request, line.headers()) })
    }

    /**
     * Opens a match from a record, to look at it or to play on from there.
     *
     * @param record as [Match.record] gives it
     * @param moves how many of its moves are made; null for all
     * @param how how it is opened; its pack and its position do not count
     */
    public suspend fun importMatch(record: String, moves: Int? = null, how: NewMatch = NewMatch.USUAL): Match {
        val request = Requests.bring(record, moves, how)
        val answer = line.ask(request.requestId) { line.matches().importMatch(request, line.headers()) }
        return opened(answer.opened)
    }

    private fun opened(m: CreateMatchResponse): Match {
        val keys = m.seatKeysList.associate { it.seat to it.key }
        return Match(line, Holder(m.match, m.refereeKey, null, keys))
    }

    /** Goes through the matches that the platform of the API key has opened, the latest first. */
    public fun matches(): Flow<MatchSummary> =
        flow {
            var token = ""
            do {
                val request = ListMatchesRequest.newBuilder().setPageToken(token).build()
                val page = line.ask { line.matches().listMatches(request, line.headers()) }
                page.matchesList.forEach { emit(Reading.summary(it)) }
                token = page.nextPageToken
            } while (token.isNotEmpty())
        }

    /** Joins a match by its name and a key: a seat's, the referee's, or, where that is empty, with the public's eyes. */
    public fun match(match: String, key: String = this.key): Match = Match(line, Holder(match, key, null, emptyMap()))

    /** Hangs up; whatever is under way ends. */
    override fun close() {
        line.channel.shutdownNow()
    }
}
