// Stateless questions about positions and cards.
package chitarrella.coroutines

import chitarrella.client.answers.Draw
import chitarrella.client.answers.DrawVerdict
import chitarrella.client.answers.ExplainedHand
import chitarrella.client.answers.LegalMoves
import chitarrella.client.answers.PlayedMoves
import chitarrella.client.answers.Position
import chitarrella.client.answers.SeatMove
import chitarrella.client.answers.Start
import chitarrella.client.answers.Tally
import chitarrella.client.answers.Trick
import chitarrella.client.answers.Verdict
import chitarrella.client.internal.MatchRequests
import chitarrella.client.internal.RulesMapper
import chitarrella.client.internal.RulesRequests
import chitarrella.client.internal.TableMapper
import chitarrella.client.table.Agreement
import chitarrella.client.table.ExplainedMove
import chitarrella.client.table.Move
import chitarrella.client.table.View
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineStub
import chitarrella.v1.StartGameRequest
import io.grpc.Metadata

/** The rules, for those who store matches themselves: a position goes in, a position comes out. */
public class Rules internal constructor(private val transport: Transport) {
    /** The initial position and the result of chance that it awaits. */
    public suspend fun start(agreement: Agreement): Start {
        val request = StartGameRequest.newBuilder().setAgreement(MatchRequests.agreement(agreement)).build()
        return RulesMapper.start(call { startGame(request, it) })
    }

    /** The legal moves of a seat; null for the seat to move. */
    public suspend fun legalMoves(position: Position, seat: Int? = null): LegalMoves =
        RulesMapper.legalMoves(call { listLegalMoves(RulesRequests.legalMoves(position, seat), it) })

    /** Explains every card of a hand and every other possible move; null for the seat to move. */
    public suspend fun explain(position: Position, seat: Int? = null): ExplainedHand =
        RulesMapper.hand(call { explainHand(RulesRequests.explain(position, seat), it) })

    /** Checks a move of a seat; null for chance. */
    public suspend fun judge(position: Position, move: Move, seat: Int? = null): Verdict =
        RulesMapper.verdict(call { judge(RulesRequests.judge(position, move, seat), it) })

    /** Plays moves one after the other until one is refused. */
    public suspend fun play(position: Position, vararg moves: SeatMove): PlayedMoves =
        RulesMapper.playedMoves(call { playMoves(RulesRequests.play(position, moves.asList()), it) })

    /** The view of a seat; null for the public. */
    public suspend fun look(position: Position, seat: Int? = null): View =
        TableMapper.view(call { look(RulesRequests.look(position, seat), it) }.view)

    /** The view of the referee: everything. */
    public suspend fun lookAsReferee(position: Position): View =
        TableMapper.view(call { look(RulesRequests.lookAsReferee(position), it) }.view)

    /** Has the service verify a draw; [chitarrella.client.Fairness] does it locally. */
    public suspend fun verifyDraw(game: String, draw: Draw): DrawVerdict {
        val response = call { verifyDraw(RulesRequests.verify(game, draw), it) }
        return DrawVerdict(response.fair, response.code)
    }

    /** Returns, without a position, which cards of a hand may be played to a trick; [trump] is empty for none. */
    public suspend fun playable(
        agreement: Agreement,
        hand: List<String>,
        trick: List<String> = emptyList(),
        trump: String = "",
    ): List<ExplainedMove> {
        val request = RulesRequests.playable(agreement, hand, trick, trump)
        return TableMapper.explained(call { listPlayableCards(request, it) }.movesList)
    }

    /** Returns, without a position, which card takes a trick; [trump] is empty for none. */
    public suspend fun trick(agreement: Agreement, cards: List<String>, trump: String = ""): Trick =
        RulesMapper.trick(call { resolveTrick(RulesRequests.trick(agreement, cards, trump), it) })

    /** The worth of a pile of cards; [trump] is empty for none. */
    public suspend fun count(agreement: Agreement, cards: List<String>, trump: String = ""): List<Tally> =
        RulesMapper.tallies(call { countPile(RulesRequests.count(agreement, cards, trump), it) }.talliesList)

    private suspend fun <A> call(method: suspend RulesServiceCoroutineStub.(Metadata) -> A): A =
        transport.call { transport.rules().method(transport.headers()) }
}
