// Stateless questions about positions and cards.

package chitarrella

import (
	"context"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// Messages about the rules.
type (
	// ChanceRequest is what chance has to supply: cards in some order, or one of some numbers.
	ChanceRequest = pb.ChanceRequest
	// SeatMove is a move and its seat.
	SeatMove = pb.SeatMove
	// Question is one item of a batch. With PositionOf, the index of an earlier item that starts a game or applies moves,
	// it has the position of that answer.
	Question = pb.Question
)

// Rules answers questions for those who store matches themselves: a position goes in, a position comes out. Calls fail
// with the codes of invalid requests, such as [CodeBadPosition] or [CodeUnknownCard].
type Rules struct{ transport *transport }

// StartGame returns the position before the first card, and what chance has to supply.
func (r *Rules) StartGame(ctx context.Context, ruleSet *RuleSet) (GameStart, error) {
	answer, err := call(ctx, r.transport, "", r.transport.rules.StartGame, &pb.StartGameRequest{RuleSet: ruleSet})
	return GameStart{answer}, err
}

// LegalMoves lists the legal moves of a seat; [Nobody] for the seat to move. For a [PartialPosition] these are the moves
// that play cards to the trick, and [Nobody] is for its only hand if the leader is unknown.
func (r *Rules) LegalMoves(ctx context.Context, position AnyPosition, seat Seat) (*LegalMoves, error) {
	whole, partial := split(position)
	request := &pb.ListLegalMovesRequest{Position: whole, PartialPosition: partial, Seat: seat.toProto()}
	return call(ctx, r.transport, "", r.transport.rules.ListLegalMoves, request)
}

// ExplainHand explains every card of a hand and every other possible move; [Nobody] for the seat to move. For a
// [PartialPosition] see [Rules.LegalMoves].
func (r *Rules) ExplainHand(ctx context.Context, position AnyPosition, seat Seat) (*ExplainedHand, error) {
	whole, partial := split(position)
	request := &pb.ExplainHandRequest{Position: whole, PartialPosition: partial, Seat: seat.toProto()}
	return call(ctx, r.transport, "", r.transport.rules.ExplainHand, request)
}

// ValidateMove validates a move of a seat, or of chance ([Nobody]); for a [PartialPosition], [Nobody] is for its only
// hand. A refusal is a result, not an error.
func (r *Rules) ValidateMove(ctx context.Context, position AnyPosition, seat Seat, move *Move) (*MoveValidation, error) {
	whole, partial := split(position)
	request := &pb.ValidateMoveRequest{Position: whole, PartialPosition: partial, Seat: seat.toProto(), Move: move}
	return call(ctx, r.transport, "", r.transport.rules.ValidateMove, request)
}

// By returns a move of a seat, for [Rules.ApplyMoves]; [Nobody] for a move of chance.
func By(seat Seat, move *Move) *SeatMove { return &SeatMove{Seat: seat.toProto(), Move: move} }

// ApplyMoves plays moves in order, up to the first that is refused, and returns the position after them.
func (r *Rules) ApplyMoves(ctx context.Context, position *Position, moves ...*SeatMove) (AppliedMoves, error) {
	request := &pb.ApplyMovesRequest{Position: position, Moves: moves}
	answer, err := call(ctx, r.transport, "", r.transport.rules.ApplyMoves, request)
	return AppliedMoves{answer}, err
}

// GetView returns the view of a seat, or of the public ([Nobody]).
func (r *Rules) GetView(ctx context.Context, position *Position, seat Seat) (View, error) {
	request := &pb.GetViewRequest{Position: position}
	if seat >= 0 {
		request.Viewer = &pb.GetViewRequest_Seat{Seat: uint32(seat)}
	}
	return r.getView(ctx, request)
}

// GetRefereeView returns the view of the referee: everything.
func (r *Rules) GetRefereeView(ctx context.Context, position *Position) (View, error) {
	return r.getView(ctx, &pb.GetViewRequest{Position: position, Viewer: &pb.GetViewRequest_Referee{Referee: true}})
}

func (r *Rules) getView(ctx context.Context, request *pb.GetViewRequest) (View, error) {
	answer, err := call(ctx, r.transport, "", r.transport.rules.GetView, request)
	return View{answer.GetView()}, err
}

// PlayableCards explains, without a position, the plays of a hand to a trick; trump is the suit, "" for none.
func (r *Rules) PlayableCards(
	ctx context.Context, ruleSet *RuleSet, hand, trick []string, trump string, options ...PlayableOption,
) ([]*ExplainedMove, error) {
	request := &pb.ListPlayableCardsRequest{RuleSet: ruleSet, Hand: hand, Trick: trick, Trump: trump}
	for _, option := range options {
		option.playable(request)
	}
	answer, err := call(ctx, r.transport, "", r.transport.rules.ListPlayableCards, request)
	return answer.GetMoves(), err
}

// ResolveTrick returns, without a position, the card that takes a trick. Without the option [Trump] or [TrumpCard] that
// part is unknown; Trump("") is for no trumps. Fails with [CodeNoTricks].
func (r *Rules) ResolveTrick(
	ctx context.Context, ruleSet *RuleSet, cards []string, options ...ResolveOption,
) (*TrickResult, error) {
	request := &pb.ResolveTrickRequest{RuleSet: ruleSet, Cards: cards}
	for _, option := range options {
		option.resolve(request)
	}
	return call(ctx, r.transport, "", r.transport.rules.ResolveTrick, request)
}

// ScoreCards returns what cards count, without a position; trump matters where some cards count more as trumps.
func (r *Rules) ScoreCards(ctx context.Context, ruleSet *RuleSet, cards []string, trump string) ([]*Score, error) {
	request := &pb.ScoreCardsRequest{RuleSet: ruleSet, Cards: cards, Trump: trump}
	answer, err := call(ctx, r.transport, "", r.transport.rules.ScoreCards, request)
	return answer.GetScores(), err
}

// VerifyShuffle has the service verify a shuffle; [IsFair] does it locally.
func (r *Rules) VerifyShuffle(ctx context.Context, gameID string, shuffle *Shuffle) (*Fairness, error) {
	return call(ctx, r.transport, "", r.transport.rules.VerifyShuffle, &pb.VerifyShuffleRequest{
		GameId: gameID, Commitment: shuffle.GetCommitment(), Nonce: shuffle.GetNonce(), Number: shuffle.GetNumber(),
		ClientSeeds: shuffle.GetClientSeeds(), Cards: shuffle.GetCards(), Amount: shuffle.Amount, Lots: shuffle.GetLots(),
	})
}

// Batch sends many questions in one call; each has its own answer or error, in the same order.
func (r *Rules) Batch(ctx context.Context, questions ...*Question) ([]*Answer, error) {
	answer, err := call(ctx, r.transport, "", r.transport.rules.Batch, &pb.BatchRequest{Questions: questions})
	return answer.GetAnswers(), err
}
