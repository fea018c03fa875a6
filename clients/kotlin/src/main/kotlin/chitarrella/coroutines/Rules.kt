// Stateless questions about positions and cards.
package chitarrella.coroutines

import chitarrella.client.Question
import chitarrella.client.answers.AnyPosition
import chitarrella.client.answers.AppliedMoves
import chitarrella.client.answers.BatchAnswers
import chitarrella.client.answers.ExplainedHand
import chitarrella.client.answers.GameStart
import chitarrella.client.answers.LegalMoves
import chitarrella.client.answers.MoveValidation
import chitarrella.client.answers.Position
import chitarrella.client.answers.Score
import chitarrella.client.answers.SeatMove
import chitarrella.client.answers.Shuffle
import chitarrella.client.answers.ShuffleVerification
import chitarrella.client.answers.TrickResult
import chitarrella.client.internal.Batches
import chitarrella.client.internal.MatchRequests
import chitarrella.client.internal.RulesMapper
import chitarrella.client.internal.RulesRequests
import chitarrella.client.internal.TableMapper
import chitarrella.client.table.ExplainedMove
import chitarrella.client.table.Move
import chitarrella.client.table.RuleSet
import chitarrella.client.table.View
import chitarrella.v1.RulesServiceGrpcKt.RulesServiceCoroutineStub
import chitarrella.v1.StartGameRequest
import io.grpc.Metadata

/** The rules, for those who store matches themselves: a position goes in, a position comes out. */
public class Rules internal constructor(private val transport: Transport) {
    /** The initial position and the move that chance has to make. */
    public suspend fun startGame(ruleSet: RuleSet): GameStart {
        val request = StartGameRequest.newBuilder().setRuleSet(MatchRequests.ruleSet(ruleSet)).build()
        return RulesMapper.gameStart(call { startGame(request, it) })
    }

    /** The legal moves of a seat; null for the seat to move, or for the only hand that is known. */
    public suspend fun legalMoves(position: AnyPosition, seat: Int? = null): LegalMoves =
        RulesMapper.legalMoves(call { listLegalMoves(RulesRequests.legalMoves(position, seat), it) })

    /**
     * Explains every card of a hand and every other possible move; null for the seat to move, or for the only hand that
     * is known.
     */
    public suspend fun explainHand(position: AnyPosition, seat: Int? = null): ExplainedHand =
        RulesMapper.explainedHand(call { explainHand(RulesRequests.explainHand(position, seat), it) })

    /** Validates a move of a seat; null for chance, or for the only hand that is known. */
    public suspend fun validateMove(position: AnyPosition, move: Move, seat: Int? = null): MoveValidation =
        RulesMapper.moveValidation(call { validateMove(RulesRequests.validateMove(position, move, seat), it) })

    /** Plays moves one after the other until one is refused. */
    public suspend fun applyMoves(position: Position, vararg moves: SeatMove): AppliedMoves =
        RulesMapper.appliedMoves(call { applyMoves(RulesRequests.applyMoves(position, moves.asList()), it) })

    /** The view of a seat; null for the public. */
    public suspend fun getView(position: Position, seat: Int? = null): View =
        TableMapper.view(call { getView(RulesRequests.getView(position, seat), it) }.view)

    /** The view of the referee: everything. */
    public suspend fun getViewAsReferee(position: Position): View =
        TableMapper.view(call { getView(RulesRequests.getViewAsReferee(position), it) }.view)

    /** Has the service verify a shuffle; [chitarrella.client.Fairness] does it locally. */
    public suspend fun verifyShuffle(gameId: String, shuffle: Shuffle): ShuffleVerification {
        val response = call { verifyShuffle(RulesRequests.verifyShuffle(gameId, shuffle), it) }
        return ShuffleVerification(response.fair, response.code)
    }

    /**
     * Returns, without a position, which cards of a hand may be played to a trick.
     *
     * [trump] is the trump suit, [trumpCard] the trump card in games where the trump is a single card, [declaredSuit]
     * the suit that its leader has declared; each is empty for none. [stockLeft] says that there are cards to draw: in
     * some games the duty to follow waits for the last one.
     */
    public suspend fun playableCards(
        ruleSet: RuleSet,
        hand: List<String>,
        trick: List<String> = emptyList(),
        trump: String = "",
        trumpCard: String = "",
        declaredSuit: String = "",
        stockLeft: Boolean = false,
    ): List<ExplainedMove> {
        val request = RulesRequests.playableCards(ruleSet, hand, trick, trump, trumpCard, declaredSuit, stockLeft)
        return TableMapper.explained(call { listPlayableCards(request, it) }.movesList)
    }

    /**
     * Returns, without a position, which card takes a trick.
     *
     * [trump] is the trump suit, [trumpCard] the trump card in games where the trump is a single card; each is empty
     * for none, null if it is unknown.
     */
    public suspend fun resolveTrick(
        ruleSet: RuleSet,
        cards: List<String>,
        trump: String? = null,
        trumpCard: String? = null,
    ): TrickResult {
        val request = RulesRequests.resolveTrick(ruleSet, cards, trump, trumpCard)
        return RulesMapper.trickResult(call { resolveTrick(request, it) })
    }

    /** Returns, without a position, what cards count; [trump] is empty for none. */
    public suspend fun scoreCards(ruleSet: RuleSet, cards: List<String>, trump: String = ""): List<Score> =
        RulesMapper.scores(call { scoreCards(RulesRequests.scoreCards(ruleSet, cards, trump), it) }.scoresList)

    /**
     * Asks many questions in one call; each has its own answer or error.
     *
     * Throws an [IllegalArgumentException] if a question is given twice, or has the position of one that is not before
     * it.
     */
    public suspend fun batch(vararg questions: Question<*>): BatchAnswers {
        val asked = questions.asList()
        val request = Batches.request(asked)
        return Batches.answers(asked, call { batch(request, it) })
    }

    private suspend fun <A> call(method: suspend RulesServiceCoroutineStub.(Metadata) -> A): A =
        transport.call { transport.rules().method(transport.headers()) }
}
