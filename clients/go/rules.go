// Stateless questions about positions and cards.

package chitarrella

import (
	"context"

	pb "chitarrella/gen/chitarrella/v1"
)

// Requests and responses about the rules.
type (
	// Position is a position and its agreement; the line is the position in text form, written by the service.
	Position = pb.Position
	// Wanted is an awaited result of chance: cards in some order, or one of some numbers.
	Wanted = pb.Wanted
	// Start is the initial position.
	Start = pb.StartGameResponse
	// Trick is the card that takes a trick, its place in order of play from 0, and the worth of the trick.
	Trick = pb.ResolveTrickResponse
	// Tally is a count, such as "card_points".
	Tally = pb.Tally
	// SeatMove is a move and its seat.
	SeatMove = pb.SeatMove
	// PlayedMoves is the result of moves in a position; [ReadRefusals] converts its refusals.
	PlayedMoves = pb.PlayMovesResponse
	// Question is one item of a batch.
	Question = pb.Question
	// Answer is the response to one item of a batch; [FaultError] converts its error.
	Answer = pb.Answer
	// Fairness is the verdict on a draw.
	Fairness = pb.VerifyDrawResponse
)

// Rules answers questions for those who store matches themselves: a position goes in, a position comes out. Calls fail
// with the codes of invalid requests, such as [CodeBadPosition] or [CodeUnknownCard].
type Rules struct{ transport *transport }

// Start returns the initial position and the result of chance that it awaits.
func (r *Rules) Start(ctx context.Context, agreement *Agreement) (*Start, error) {
	return call(ctx, r.transport, "", r.transport.rules.StartGame, &pb.StartGameRequest{Agreement: agreement})
}

// LegalMoves lists the legal moves of a seat; [Nobody] for the seat to move.
func (r *Rules) LegalMoves(ctx context.Context, position *Position, seat Seat) (*LegalMoves, error) {
	request := &pb.ListLegalMovesRequest{Position: position, Seat: seat.toProto()}
	answer, err := call(ctx, r.transport, "", r.transport.rules.ListLegalMoves, request)
	if err != nil {
		return nil, err
	}
	return &LegalMoves{Seat: SeatOf(answer.Seat), Moves: answer.GetMoves(), Wanted: answer.GetWanted()}, nil
}

// Explain explains every card of a hand and every other possible move; [Nobody] for the seat to move.
func (r *Rules) Explain(ctx context.Context, position *Position, seat Seat) (*ExplainedHand, error) {
	request := &pb.ExplainHandRequest{Position: position, Seat: seat.toProto()}
	answer, err := call(ctx, r.transport, "", r.transport.rules.ExplainHand, request)
	if err != nil {
		return nil, err
	}
	return &ExplainedHand{Seat: SeatOf(answer.Seat), Moves: readExplained(answer.GetMoves())}, nil
}

// Judge checks a move of a seat, or of chance ([Nobody]).
func (r *Rules) Judge(ctx context.Context, position *Position, seat Seat, move *Move) (*Verdict, error) {
	request := &pb.JudgeRequest{Position: position, Seat: seat.toProto(), Move: move}
	answer, err := call(ctx, r.transport, "", r.transport.rules.Judge, request)
	if err != nil {
		return nil, err
	}
	return &Verdict{Accepted: answer.GetAccepted(), Refusals: ReadRefusals(answer.GetRefusals())}, nil
}

// By returns a move of a seat, for [Rules.Play]; [Nobody] for a move of chance.
func By(seat Seat, move *Move) *SeatMove { return &SeatMove{Seat: seat.toProto(), Move: move} }

// Play plays moves one after the other and returns the resulting position; it stops before the first refused move.
func (r *Rules) Play(ctx context.Context, position *Position, moves ...*SeatMove) (*PlayedMoves, error) {
	request := &pb.PlayMovesRequest{Position: position, Moves: moves}
	return call(ctx, r.transport, "", r.transport.rules.PlayMoves, request)
}

// Look returns the view of a seat, or of the public ([Nobody]).
func (r *Rules) Look(ctx context.Context, position *Position, seat Seat) (View, error) {
	request := &pb.LookRequest{Position: position}
	if seat >= 0 {
		request.Eyes = &pb.LookRequest_Seat{Seat: uint32(seat)}
	}
	return r.look(ctx, request)
}

// LookAsReferee returns the view of the referee: everything.
func (r *Rules) LookAsReferee(ctx context.Context, position *Position) (View, error) {
	return r.look(ctx, &pb.LookRequest{Position: position, Eyes: &pb.LookRequest_Referee{Referee: true}})
}

func (r *Rules) look(ctx context.Context, request *pb.LookRequest) (View, error) {
	answer, err := call(ctx, r.transport, "", r.transport.rules.Look, request)
	return View{answer.GetView()}, err
}

// Playable says, without a position, which cards of a hand may be played to a trick; trump is the suit, "" for none.
func (r *Rules) Playable(
	ctx context.Context, agreement *Agreement, hand, trick []string, trump string,
) ([]ExplainedMove, error) {
	request := &pb.ListPlayableCardsRequest{Agreement: agreement, Hand: hand, Trick: trick, Trump: trump}
	answer, err := call(ctx, r.transport, "", r.transport.rules.ListPlayableCards, request)
	return readExplained(answer.GetMoves()), err
}

// Trick says, without a position, which card takes a trick; trump is the suit, "" for none. Fails with [CodeNoTricks].
func (r *Rules) Trick(ctx context.Context, agreement *Agreement, cards []string, trump string) (*Trick, error) {
	request := &pb.ResolveTrickRequest{Agreement: agreement, Cards: cards, Trump: trump}
	return call(ctx, r.transport, "", r.transport.rules.ResolveTrick, request)
}

// Count returns the worth of a pile of cards; trump matters where some cards count more as trumps.
func (r *Rules) Count(ctx context.Context, agreement *Agreement, cards []string, trump string) ([]*Tally, error) {
	request := &pb.CountPileRequest{Agreement: agreement, Cards: cards, Trump: trump}
	answer, err := call(ctx, r.transport, "", r.transport.rules.CountPile, request)
	return answer.GetTallies(), err
}

// VerifyDraw has the service verify a draw; [IsFair] does it locally.
func (r *Rules) VerifyDraw(ctx context.Context, game string, draw *Draw) (*Fairness, error) {
	return call(ctx, r.transport, "", r.transport.rules.VerifyDraw, &pb.VerifyDrawRequest{
		Game: game, Commitment: draw.GetCommitment(), Nonce: draw.GetNonce(), Number: draw.GetNumber(),
		Words: draw.GetWords(), Cards: draw.GetCards(), Amount: draw.Amount, Lots: draw.GetLots(),
	})
}

// Batch sends many questions in one call; each has its own answer or error, in the same order.
func (r *Rules) Batch(ctx context.Context, questions ...*Question) ([]*Answer, error) {
	answer, err := call(ctx, r.transport, "", r.transport.rules.Batch, &pb.BatchRequest{Questions: questions})
	return answer.GetAnswers(), err
}
