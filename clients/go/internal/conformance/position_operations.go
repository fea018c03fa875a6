// The operations of scenarios: moves in positions, many questions at once, cards, and what is known of a position.

package main

import (
	"context"
	"fmt"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

func (r *runner) describeCards(ctx context.Context, s step) (any, error) {
	game, err := r.client.Game(ctx, s.GameID)
	return each(s.Cards, func(code string) object {
		card := chitarrella.CardOf(game, code)
		return object{
			"code": card.GetCode(), "name": card.GetName(), "suit": card.GetSuit(), "order": card.GetOrder(),
			"points": card.Points,
		}
	}), err
}

// knownParts are what a step knows of a position.
type knownParts struct {
	Hands     map[string][]string
	Trick     *[]string
	Trump     *string
	StockSize *uint32 `json:"stock_size"`
}

func (k knownParts) read() ([]chitarrella.KnownPart, error) {
	var parts []chitarrella.KnownPart
	for number, cards := range k.Hands {
		seat, err := seatOf(number)
		if err != nil {
			return nil, err
		}
		parts = append(parts, chitarrella.Hand(seat, cards...))
	}
	if k.Trick != nil {
		parts = append(parts, chitarrella.Trick(*k.Trick...))
	}
	if k.Trump != nil {
		parts = append(parts, chitarrella.Trump(*k.Trump))
	}
	if k.StockSize != nil {
		parts = append(parts, chitarrella.StockSize(*k.StockSize))
	}
	return parts, nil
}

func (r *runner) listKnownMoves(ctx context.Context, s step) (any, error) {
	parts, err := s.Known.read()
	if err != nil {
		return nil, err
	}
	position := chitarrella.NewPartialPosition(s.RuleSet.read(), parts...)
	found, err := r.client.Rules.LegalMoves(ctx, position, chitarrella.SeatOf(s.Seat))
	if err != nil {
		return nil, err
	}
	undecided := each(found.GetUndecided(), func(one *chitarrella.ExplainedMove) object {
		return object{"move": writeMove(one.GetMove()), "depends_on": list(one.GetDependsOn())}
	})
	return object{
		"seat": found.Seat, "moves": each(found.GetMoves(), writeMove), "undecided": undecided,
		"depends_on": list(found.GetDependsOn()),
	}, nil
}

// seatMove is a move of a position, with the seat that makes it; nil for chance.
type seatMove struct {
	Seat *uint32
	Move move
}

func readSeatMoves(moves []seatMove) []*chitarrella.SeatMove {
	return each(moves, func(one seatMove) *chitarrella.SeatMove {
		return chitarrella.By(chitarrella.SeatOf(one.Seat), one.Move.read())
	})
}

func (r *runner) applyMoves(ctx context.Context, s step) (any, error) {
	applied, err := r.client.Rules.ApplyMoves(ctx, s.position(), readSeatMoves(s.Moves)...)
	if err != nil {
		return nil, err
	}
	return writeApplied(applied.ApplyMovesResponse), nil
}

func writeApplied(value *pb.ApplyMovesResponse) object {
	return object{
		"text": value.GetPosition().GetText(), "applied": value.GetApplied(),
		"refusals": each(value.GetRefusals(), writeRefusal), "legal_moves": each(value.GetLegalMoves(), writeMove),
	}
}

func (r *runner) batch(ctx context.Context, s step) (any, error) {
	var questions []*chitarrella.Question
	for _, one := range s.Questions {
		question, err := one.question()
		if err != nil {
			return nil, err
		}
		questions = append(questions, question)
	}
	answers, err := r.client.Rules.Batch(ctx, questions...)
	return each(answers, writeAnswer), err
}

// question reads a question of a batch, with the position of the step or of an earlier question.
func (s step) question() (*chitarrella.Question, error) {
	question := &chitarrella.Question{PositionOf: s.PositionOf}
	var position *chitarrella.Position
	if s.PositionOf == nil {
		position = s.position()
	}
	switch s.Op {
	case "start_game":
		question.Kind = &pb.Question_StartGame{StartGame: &pb.StartGameRequest{RuleSet: s.RuleSet.read()}}
	case "apply_moves":
		request := &pb.ApplyMovesRequest{Position: position, Moves: readSeatMoves(s.Moves)}
		question.Kind = &pb.Question_ApplyMoves{ApplyMoves: request}
	case "list_legal_moves":
		request := &pb.ListLegalMovesRequest{Position: position, Seat: s.Seat}
		question.Kind = &pb.Question_ListLegalMoves{ListLegalMoves: request}
	default:
		return nil, fmt.Errorf("there is no question %q", s.Op)
	}
	return question, nil
}

func writeAnswer(answer *chitarrella.Answer) any {
	if problem := answer.GetError(); problem != nil {
		return object{"error": object{"code": problem.GetCode(), "field": problem.GetField()}}
	}
	if start := answer.GetStartGame(); start != nil {
		return start.GetPosition().GetText()
	}
	if applied := answer.GetApplyMoves(); applied != nil {
		return writeApplied(applied)
	}
	found := answer.GetListLegalMoves()
	return object{"seat": found.Seat, "moves": each(found.GetMoves(), writeMove)}
}
