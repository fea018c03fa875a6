// The operations of scenarios: questions about the rules.

package main

import (
	"context"
	"errors"
	"fmt"

	"chitarrella"
)

// runner plays one scenario.
type runner struct {
	client      *chitarrella.Client
	environment environment
	matches     map[string]*chitarrella.Match
}

type operation func(*runner, context.Context, step) (any, error)

var operations = map[string]operation{
	"games": (*runner).games, "start": (*runner).start, "legal_moves": (*runner).legalMoves,
	"explain": (*runner).explain, "judge": (*runner).judge, "playable": (*runner).playable, "trick": (*runner).trick,
	"count": (*runner).count, "picture": (*runner).picture, "open": (*runner).open, "look": (*runner).look,
	"moves": (*runner).moves, "play": (*runner).play, "play_out": (*runner).playOut, "watch": (*runner).watch,
	"verify": (*runner).verify, "record": (*runner).record, "take_back": (*runner).takeBack, "tls": (*runner).tls,
}

// playSteps runs the steps; a call that fails gives its code as the result, anything else is an error.
func (r *runner) playSteps(ctx context.Context, steps []step) ([]any, error) {
	results := []any{}
	for number, step := range steps {
		operate, known := operations[step.Op]
		if !known {
			return nil, fmt.Errorf("step %d: there is no operation %q", number, step.Op)
		}
		result, err := operate(r, ctx, step)
		if failure, ok := errors.AsType[*chitarrella.Error](err); ok {
			result = object{"error": object{"code": failure.Code, "field": failure.Field}}
		} else if err != nil {
			return nil, fmt.Errorf("step %d: %w", number, err)
		}
		results = append(results, result)
	}
	return results, nil
}

func (r *runner) games(ctx context.Context, _ step) (any, error) {
	keys := []string{}
	for game, err := range r.client.Games(ctx) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, game.GetGame())
	}
	return keys, nil
}

func (r *runner) start(ctx context.Context, s step) (any, error) {
	start, err := r.client.Rules.Start(ctx, s.Agreement.read())
	if err != nil {
		return nil, err
	}
	result := object{"line": start.GetPosition().GetLine(), "wanted": nil}
	if start.GetWanted() != nil {
		result["wanted"] = start.GetWanted().GetVerb()
	}
	return result, nil
}

func (r *runner) legalMoves(ctx context.Context, s step) (any, error) {
	found, err := r.client.Rules.LegalMoves(ctx, s.position(), chitarrella.SeatOf(s.Seat))
	if err != nil {
		return nil, err
	}
	return object{"seat": writeSeat(found.Seat), "moves": each(found.Moves, writeMove)}, nil
}

func (r *runner) explain(ctx context.Context, s step) (any, error) {
	hand, err := r.client.Rules.Explain(ctx, s.position(), chitarrella.SeatOf(s.Seat))
	if err != nil {
		return nil, err
	}
	return each(hand.Moves, writeExplained), nil
}

func (r *runner) judge(ctx context.Context, s step) (any, error) {
	verdict, err := r.client.Rules.Judge(ctx, s.position(), chitarrella.SeatOf(s.Seat), s.Move.read())
	if err != nil {
		return nil, err
	}
	return object{"accepted": verdict.Accepted, "refusals": each(verdict.Refusals, writeRefusal)}, nil
}

func (r *runner) playable(ctx context.Context, s step) (any, error) {
	moves, err := r.client.Rules.Playable(ctx, s.Agreement.read(), s.Hand, s.Trick, s.Trump)
	return each(moves, writeExplained), err
}

func (r *runner) trick(ctx context.Context, s step) (any, error) {
	trick, err := r.client.Rules.Trick(ctx, s.Agreement.read(), s.Cards, s.Trump)
	if err != nil {
		return nil, err
	}
	return object{"place": trick.GetPlace(), "card": trick.GetCard(), "tallies": writeTallies(trick.GetTallies())}, nil
}

func (r *runner) count(ctx context.Context, s step) (any, error) {
	tallies, err := r.client.Rules.Count(ctx, s.Agreement.read(), s.Cards, s.Trump)
	return writeTallies(tallies), err
}

func (r *runner) picture(_ context.Context, s step) (any, error) {
	return each(s.Cards, func(card string) string { return chitarrella.Picture(card, s.Pack[0]) }), nil
}

func (r *runner) tls(ctx context.Context, s step) (any, error) {
	client, err := r.environment.connectTLS()
	if err != nil {
		return nil, err
	}
	defer client.Close()
	keys, err := (&runner{client: client}).games(ctx, s)
	if err != nil {
		return nil, err
	}
	return len(keys.([]string)), nil
}
