// Questions about positions and cards.
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
import chitarrella.client.internal.Questions
import chitarrella.client.internal.Requests
import chitarrella.client.internal.RulesReading
import chitarrella.client.internal.TableReading
import chitarrella.client.table.Agreement
import chitarrella.client.table.ExplainedMove
import chitarrella.client.table.Move
import chitarrella.client.table.View
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineStub
import chitarrella.v1.StartGameRequest
import io.grpc.Metadata

/** The rules, for those who keep their own matches: a position goes in, a position comes out, nothing is kept. */
public class Rules internal constructor(private val line: Line) {
    /** Gives the position before the first card, and what the table has to supply. */
    public suspend fun start(agreement: Agreement): Start {
        val request = StartGameRequest.newBuilder().setAgreement(Requests.agreement(agreement)).build()
        return RulesReading.start(ask { startGame(request, it) })
    }

    /** Lists what a seat may do; null for the seat to move. */
    public suspend fun legalMoves(position: Position, seat: Int? = null): LegalMoves =
        RulesReading.legalMoves(ask { listLegalMoves(Questions.legalMoves(position, seat), it) })

    /** Explains every card of a hand, and every other act within reach; null for the seat to move. */
    public suspend fun explain(position: Position, seat: Int? = null): ExplainedHand =
        RulesReading.hand(ask { explainHand(Questions.explain(position, seat), it) })

    /** Judges a move of a seat; null for the table itself. */
    public suspend fun judge(position: Position, move: Move, seat: Int? = null): Verdict =
        RulesReading.verdict(ask { judge(Questions.judge(position, move, seat), it) })

    /** Plays moves one after the other until one is refused. */
    public suspend fun play(position: Position, vararg moves: SeatMove): PlayedMoves =
        RulesReading.playedMoves(ask { playMoves(Questions.play(position, moves.asList()), it) })

    /** Shows a position as a seat sees it; null for the public. */
    public suspend fun look(position: Position, seat: Int? = null): View =
        TableReading.view(ask { look(Questions.look(position, seat), it) }.view)

    /** Shows a position as the referee sees it: everything. */
    public suspend fun lookAsReferee(position: Position): View =
        TableReading.view(ask { look(Questions.lookAsReferee(position), it) }.view)

    /** Lets the service check that a draw came out as promised; [chitarrella.client.Fairness] does it here. */
    public suspend fun verifyDraw(game: String, draw: Draw): DrawVerdict {
        val answer = ask { verifyDraw(Questions.verify(game, draw), it) }
        return DrawVerdict(answer.fair, answer.code)
    }

    /** Says at a glance which cards of a hand may be played to a trick; [trump] is empty for none. */
    public suspend fun playable(
        agreement: Agreement,
        hand: List<String>,
        trick: List<String> = emptyList(),
        trump: String = "",
    ): List<ExplainedMove> {
        val request = Questions.playable(agreement, hand, trick, trump)
        return TableReading.explained(ask { listPlayableCards(request, it) }.movesList)
    }

    /** Says at a glance which card takes a trick; [trump] is empty for none. */
    public suspend fun trick(agreement: Agreement, cards: List<String>, trump: String = ""): Trick =
        RulesReading.trick(ask { resolveTrick(Questions.trick(agreement, cards, trump), it) })

    /** Says at a glance what a pile of cards is worth; [trump] is empty for none. */
    public suspend fun count(agreement: Agreement, cards: List<String>, trump: String = ""): List<Tally> =
        RulesReading.tallies(ask { countPile(Questions.count(agreement, cards, trump), it) }.talliesList)

    private suspend fun <A> ask(call: suspend RulesServiceCoroutineStub.(Metadata) -> A): A =
        line.ask { line.rules().call(line.headers()) }
}
