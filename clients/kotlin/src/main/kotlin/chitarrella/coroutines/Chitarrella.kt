// The client: the catalogue, the rules, and access to matches.
package chitarrella.coroutines

import chitarrella.client.MatchFilter
import chitarrella.client.NewMatch
import chitarrella.client.PackSource
import chitarrella.client.answers.BotSeat
import chitarrella.client.answers.Comparison
import chitarrella.client.answers.FoundMatch
import chitarrella.client.answers.Game
import chitarrella.client.answers.GameSummary
import chitarrella.client.answers.MatchSummary
import chitarrella.client.answers.PlatformUpdate
import chitarrella.client.internal.ConnectionSettings
import chitarrella.client.internal.MatchMapper
import chitarrella.client.internal.MatchRequests
import chitarrella.client.internal.PlatformMapper
import chitarrella.client.internal.PlatformRequests
import chitarrella.client.internal.RulesMapper
import chitarrella.client.internal.SeatAccess
import chitarrella.client.table.RuleSet
import chitarrella.v1.BatchGetMatchesRequest
import chitarrella.v1.CompareGamesRequest
import chitarrella.v1.CreateMatchResponse
import chitarrella.v1.GetGameRequest
import chitarrella.v1.ListGamesRequest
import io.grpc.Channel
import io.grpc.ChannelCredentials
import io.grpc.ManagedChannel
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * A client of the service at [target], "host:port". It connects with the first call, may be shared by coroutines, and
 * closes its connection when it is closed.
 *
 * Lost calls are retried with exponential backoff, which is safe for every call. A call that fails throws a
 * [chitarrella.client.errors.ChitarrellaException].
 *
 * @param tls the credentials of TLS, such as `TlsChannelCredentials.create()`; null for no encryption
 * @param key the default key of [match]: a seat's or the referee's
 * @param apiKey of a platform, for services that require one
 * @param language of clauses and refusals: "en", "it", "de", or any value of Accept-Language
 * @param timeout of one attempt of a call; null for none
 * @param retries how often a lost call is retried
 * @param channel an existing channel; it is closed with the client
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
    private val transport: Transport

    init {
        val connection = ConnectionSettings(target, tls, timeout?.toJavaDuration(), retries, apiKey, language)
        transport = Transport(connection, channel ?: connection.open("chitarrella-kotlin"))
    }

    /** Stateless questions about positions and cards. */
    public val rules: Rules = Rules(transport)

    /** The webhooks of the platform of the API key. */
    public val webhooks: Webhooks = Webhooks(transport)

    /** The channel, for the stubs of the contract in `chitarrella.v1`. */
    public val channel: Channel get() = transport.channel

    /** The games in the order of their keys. */
    public fun games(): Flow<GameSummary> =
        flow {
            var token = ""
            do {
                val request = ListGamesRequest.newBuilder().setPageToken(token).build()
                val page = transport.call { transport.catalogue().listGames(request, transport.headers()) }
                page.gamesList.forEach { emit(RulesMapper.summary(it)) }
                token = page.nextPageToken
            } while (token.isNotEmpty())
        }

    /** An edition of a game, 0 for the current one: pack, options, moves, reasons, and the rule book. */
    public suspend fun game(gameId: String, edition: Int = 0): Game {
        val request = GetGameRequest.newBuilder().setGameId(gameId).setEdition(edition).build()
        return RulesMapper.game(transport.call { transport.catalogue().getGame(request, transport.headers()) })
    }

    /** The differences between two games, or two rule sets of one. */
    public suspend fun compare(first: RuleSet, second: RuleSet): Comparison {
        val request = CompareGamesRequest.newBuilder()
        request.setFirst(MatchRequests.ruleSet(first)).setSecond(MatchRequests.ruleSet(second))
        return RulesMapper.comparison(
            transport.call { transport.catalogue().compareGames(request.build(), transport.headers()) },
        )
    }

    /**
     * Creates a match; the result acts for the referee and has the keys of all seats.
     *
     * @param packSource who supplies the packs
     * @param pack the pack of the first deal, first card first; empty for a shuffled one
     * @param position the text of the position to start from; empty for the first deal
     * @param private whether it is hidden from everybody without a key
     * @param clock the time control; null for none
     * @param bots the seats played by bots: "random", "greedy" or "search"
     * @param expiresAfter how long after its last move or clock it is deleted; zero for the service's default
     * @param requestId to repeat the call later: 16 to 64 unguessable characters; a random one if empty
     * @param externalId the platform's own id of the match
     * @param labels the platform's own labels; [matches] finds the match by them
     * @param playerNames the names of the players by seat; everybody who may see the match sees them
     * @param sandbox the seed of a test, empty to shuffle by chance; null for a real match
     */
    public suspend fun createMatch(
        ruleSet: RuleSet,
        packSource: PackSource = PackSource.SERVICE,
        pack: List<String> = emptyList(),
        position: String = "",
        private: Boolean = false,
        clock: NewMatch.Clock? = null,
        bots: Map<Int, String> = emptyMap(),
        expiresAfter: Duration = Duration.ZERO,
        requestId: String = "",
        externalId: String = "",
        labels: Map<String, String> = emptyMap(),
        playerNames: Map<Int, String> = emptyMap(),
        sandbox: String? = null,
    ): Match {
        val seats = bots.map { (seat, bot) -> BotSeat(seat, bot, java.time.Duration.ZERO) }
        val expires = expiresAfter.toJavaDuration()
        val how =
            NewMatch(
                packSource, pack, position, private, clock, seats, expires, requestId, externalId, labels, playerNames,
                sandbox,
            )
        val request = MatchRequests.create(ruleSet, how)
        val response =
            transport.call(request.requestId) { transport.matches().createMatch(request, transport.headers()) }
        return created(response)
    }

    /**
     * Creates a match from a record, to be viewed or continued.
     *
     * @param record as [Match.record] returns it
     * @param moveCount how many of its moves are played; null for all
     * @param how the settings; their pack and position are ignored
     */
    public suspend fun importMatch(record: String, moveCount: Int? = null, how: NewMatch = NewMatch.USUAL): Match {
        val request = MatchRequests.importMatch(record, moveCount, how)
        val response =
            transport.call(request.requestId) { transport.matches().importMatch(request, transport.headers()) }
        return created(response.created)
    }

    private fun created(m: CreateMatchResponse): Match {
        val keys = m.seatKeysList.associate { it.seat to it.key }
        return Match(transport, SeatAccess(m.matchId, m.refereeKey, null, keys))
    }

    /** The matches created by the platform of the API key that fit a filter, the latest first. */
    public fun matches(filter: MatchFilter = MatchFilter.ALL): Flow<MatchSummary> =
        flow {
            var token = ""
            do {
                val request = PlatformRequests.matches(filter, token)
                val page = transport.call { transport.matches().listMatches(request, transport.headers()) }
                page.matchesList.forEach { emit(MatchMapper.summary(it)) }
                token = page.nextPageToken
            } while (token.isNotEmpty())
        }

    /**
     * The states of at most 100 matches, in the same order; each is found or has its error. The [key], of a seat or a
     * referee, counts at its own match; at the others the caller is the public.
     */
    public suspend fun getMatches(matchIds: List<String>, key: String = this.key): List<FoundMatch> {
        val request = BatchGetMatchesRequest.newBuilder().addAllMatchIds(matchIds).build()
        return PlatformMapper.foundMatches(
            transport.call { transport.matches().batchGetMatches(request, transport.headers(key)) },
        )
    }

    /**
     * Watches all matches of the platform of the API key from now on; emits heartbeats too. The first item is a
     * heartbeat: what happens after it is received. It does not reconnect, because updates may be missing then: it fails,
     * and [matches] and [Match.events] return what was missed.
     */
    public fun watchMatches(): Flow<PlatformUpdate> = platformFlow(transport)

    /** A match by its id and a key: a seat's, the referee's, a signed token of its platform, or, if empty, as the public. */
    public fun match(matchId: String, key: String = this.key): Match =
        Match(transport, SeatAccess(matchId, key, null, emptyMap()))

    /** Closes the connection and cancels the calls in flight. */
    override fun close() {
        transport.channel.shutdownNow()
    }
}
