// Questions about positions and cards; the service keeps nothing of them.

package chitarrella

import (
	"context"

	pb "chitarrella/gen/chitarrella/v1"
)

// What the rules are asked and answer.
type (
	// Position is a position with the agreement it is played under; its line is written by the service.
	Position = pb.Position
	// Wanted is what the table has to supply: cards in some order, or one of some numbers.
	Wanted = pb.Wanted
	// Start is a beginning.
	Start = pb.StartGameResponse
	// Trick is which card takes a trick, its place in order of play from 0, and what the trick is worth.
	Trick = pb.ResolveTrickResponse
	// Tally is a count, such as "card_points".
	Tally = pb.Tally
	// SeatMove is a move and who makes it.
	SeatMove = pb.SeatMove
	// PlayedMoves is what came of moves in a position; [ReadRefusals] reads its refusals.
	PlayedMoves = pb.PlayMovesResponse
	// Question is one of many.
	Question = pb.Question
	// Answer is one of many; [FaultError] reads what could not be answered.
	Answer = pb.Answer
	// Fairness says whether a draw was fair, and why not.
	Fairness = pb.VerifyDrawResponse
)

// Rules are for those who keep their own matches: a position goes in, a position comes out. Calls fail with the codes of
// what is no question of the game, such as [CodeBadPosition] or [CodeUnknownCard].
type Rules struct{ line *line }

// Start gives the position before the first card, and what the table has to supply.
func (r *Rules) Start(ctx context.Context, agreement *Agreement) (*Start, error) {
	return ask(ctx, r.line, "", r.line.rules.StartGame, &pb.StartGameRequest{Agreement: agreement})
}

// LegalMoves lists what a seat may do; [Nobody] for the seat to move.
func (r *Rules) LegalMoves(ctx context.Context, position *Position, seat Seat) (*LegalMoves, error) {
	request := &pb.ListLegalMovesRequest{Position: position, Seat: seat.wire()}
	answer, err := ask(ctx, r.line, "", r.line.rules.ListLegalMoves, request)
	if err != nil {
		return nil, err
	}
	return &LegalMoves{Seat: SeatOf(answer.Seat), Moves: answer.GetMoves(), Wanted: answer.GetWanted()}, nil
}

// Explain explains every card of a hand, and every other act within reach; [Nobody] for the seat to move.
func (r *Rules) Explain(ctx context.Context, position *Position, seat Seat) (*ExplainedHand, error) {
	request := &pb.ExplainHandRequest{Position: position, Seat: seat.wire()}
	answer, err := ask(ctx, r.line, "", r.line.rules.ExplainHand, request)
	if err != nil {
		return nil, err
	}
	return &ExplainedHand{Seat: SeatOf(answer.Seat), Moves: readExplained(answer.GetMoves())}, nil
}

// Judge judges a move of a seat, or of the table itself ([Nobody]).
func (r *Rules) Judge(ctx context.Context, position *Position, seat Seat, move *Move) (*Verdict, error) {
	request := &pb.JudgeRequest{Position: position, Seat: seat.wire(), Move: move}
	answer, err := ask(ctx, r.line, "", r.line.rules.Judge, request)
	if err != nil {
		return nil, err
	}
	return &Verdict{Accepted: answer.GetAccepted(), Refusals: ReadRefusals(answer.GetRefusals())}, nil
}

// By says who makes a move, for [Rules.Play]; [Nobody] is the table itself.
func By(seat Seat, move *Move) *SeatMove { return &SeatMove{Seat: seat.wire(), Move: move} }

// Play plays moves one after the other and gives the position they lead to; it stops before the first that is refused.
func (r *Rules) Play(ctx context.Context, position *Position, moves ...*SeatMove) (*PlayedMoves, error) {
	request := &pb.PlayMovesRequest{Position: position, Moves: moves}
	return ask(ctx, r.line, "", r.line.rules.PlayMoves, request)
}

// Look shows a position as a seat sees it, or the public ([Nobody]).
func (r *Rules) Look(ctx context.Context, position *Position, seat Seat) (View, error) {
	request := &pb.LookRequest{Position: position}
	if seat >= 0 {
		request.Eyes = &pb.LookRequest_Seat{Seat: uint32(seat)}
	}
	return r.look(ctx, request)
}

// LookAsReferee shows all of a position.
func (r *Rules) LookAsReferee(ctx context.Context, position *Position) (View, error) {
	return r.look(ctx, &pb.LookRequest{Position: position, Eyes: &pb.LookRequest_Referee{Referee: true}})
}

func (r *Rules) look(ctx context.Context, request *pb.LookRequest) (View, error) {
	answer, err := ask(ctx, r.line, "", r.line.rules.Look, request)
	return View{answer.GetView()}, err
}

// Playable says at a glance which cards of a hand may be played to a trick; trump is the suit, "" without trumps.
func (r *Rules) Playable(
	ctx context.Context, agreement *Agreement, hand, trick []string, trump string,
) ([]ExplainedMove, error) {
	request := &pb.ListPlayableCardsRequest{Agreement: agreement, Hand: hand, Trick: trick, Trump: trump}
	answer, err := ask(ctx, r.line, "", r.line.rules.ListPlayableCards, request)
	return readExplained(answer.GetMoves()), err
}

// Trick says at a glance who takes a trick; trump is the suit, "" without trumps. Fails with [CodeNoTricks].
func (r *Rules) Trick(ctx context.Context, agreement *Agreement, cards []string, trump string) (*Trick, error) {
	request := &pb.ResolveTrickRequest{Agreement: agreement, Cards: cards, Trump: trump}
	return ask(ctx, r.line, "", r.line.rules.ResolveTrick, request)
}

// Count says at a glance what a pile of cards is worth; trump matters where some cards count more as trumps.
func (r *Rules) Count(ctx context.Context, agreement *Agreement, cards []string, trump string) ([]*Tally, error) {
	request := &pb.CountPileRequest{Agreement: agreement, Cards: cards, Trump: trump}
	answer, err := ask(ctx, r.line, "", r.line.rules.CountPile, request)
	return answer.GetTallies(), err
}

// VerifyDraw lets the service check a draw of a game; [IsFair] does it without asking anybody.
func (r *Rules) VerifyDraw(ctx context.Context, game string, draw *Draw) (*Fairness, error) {
	return ask(ctx, r.line, "", r.line.rules.VerifyDraw, &pb.VerifyDrawRequest{
		Game: game, Commitment: draw.GetCommitment(), Nonce: draw.GetNonce(), Number: draw.GetNumber(),
		Words: draw.GetWords(), Cards: draw.GetCards(), Amount: draw.Amount, Lots: draw.GetLots(),
	})
}

// Batch puts many questions in one call; each gets its own answer or its own fault, in the same order.
func (r *Rules) Batch(ctx context.Context, questions ...*Question) ([]*Answer, error) {
	answer, err := ask(ctx, r.line, "", r.line.rules.Batch, &pb.BatchRequest{Questions: questions})
	return answer.GetAnswers(), err
}
