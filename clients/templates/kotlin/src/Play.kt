// `PlayKt HOST:PORT`: validates a move, then creates a match and plays it to its end.
import chitarrella.v1.MatchPlay.ListMatchMovesRequest
import chitarrella.v1.MatchPlay.PlayMoveRequest
import chitarrella.v1.MatchRequests.CreateMatchRequest
import chitarrella.v1.MatchServiceGrpcKt.MatchServiceCoroutineStub
import chitarrella.v1.PositionOuterClass.PartialPosition
import chitarrella.v1.PositionOuterClass.PartialTrick
import chitarrella.v1.PositionOuterClass.SeatCards
import chitarrella.v1.Questions.ValidateMoveRequest
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineStub
import chitarrella.v1.Table.Move
import chitarrella.v1.Table.Refusal
import chitarrella.v1.Table.RuleSet
import io.grpc.ManagedChannelBuilder
import io.grpc.Metadata
import kotlinx.coroutines.runBlocking

fun ruleSet(gameId: String): RuleSet = RuleSet.newBuilder().setGameId(gameId).setPlayers(2).build()

/** The headers of a call with the key of a seat or of the referee. */
fun withKey(key: String): Metadata =
    Metadata().apply { put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer $key") }

fun printRefusals(refusals: List<Refusal>) = refusals.forEach { println("refused: ${it.code} [${it.clause.key}]") }

/** May the second of two players play the 2 of clubs to a queen? What is left out of the position is unknown. */
suspend fun validate(rules: RulesServiceCoroutineStub) {
    val position =
        PartialPosition.newBuilder()
            .setRuleSet(ruleSet("bisca-brazil"))
            .addHands(SeatCards.newBuilder().setSeat(0).addAllCards(listOf("7h", "Kh", "2c")))
            .setTrick(PartialTrick.newBuilder().addCards("Qh"))
            .setTrump("h")
    val move = Move.newBuilder().setVerb("play_card").addCards("2c")
    val asked = ValidateMoveRequest.newBuilder().setPartialPosition(position).setMove(move).build()
    printRefusals(rules.validateMove(asked).refusalsList)
}

/** Plays a match of Briscola; returns its id. */
suspend fun play(matches: MatchServiceCoroutineStub): String {
    val created = matches.createMatch(CreateMatchRequest.newBuilder().setRuleSet(ruleSet("briscola")).build())
    val keys = created.seatKeysList.associate { it.seat to it.key }
    var refused = false
    while (true) {
        val asked = ListMatchMovesRequest.newBuilder().setMatchId(created.match.matchId).build()
        val found = matches.listMatchMoves(asked, withKey(created.refereeKey))
        if (!found.hasSeat()) return created.match.matchId // seat 0 is a seat: ask whether there is one
        val seat = if (refused) found.seat else 1 - found.seat // who is not on turn is refused, once
        val move =
            PlayMoveRequest.newBuilder()
                .setMatchId(created.match.matchId)
                .setSeat(seat)
                .setMove(found.movesList.first())
                .setExpectedRevision(found.revision)
        printRefusals(matches.playMove(move.build(), withKey(keys.getValue(seat))).refusalsList)
        refused = true
    }
}

fun main(arguments: Array<String>) {
    val channel = ManagedChannelBuilder.forTarget(arguments.single()).usePlaintext().build()
    try {
        runBlocking {
            validate(RulesServiceCoroutineStub(channel))
            println("match: ${play(MatchServiceCoroutineStub(channel))}")
        }
    } finally {
        channel.shutdownNow()
    }
}
