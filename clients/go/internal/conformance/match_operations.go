// The operations of scenarios: matches.

package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"chitarrella"
)

// as returns the match with the key of the step's viewer.
func (r *runner) as(s step) (*chitarrella.Match, error) {
	match, opened := r.matches[s.Match]
	switch {
	case !opened:
		return nil, fmt.Errorf("there is no match %q", s.Match)
	case s.Key != nil:
		return r.client.Match(match.ID(), *s.Key), nil
	case s.Who == "public":
		return match.Public(), nil
	case s.Who == "referee" || s.Who == "":
		return match, nil
	}
	seat, err := seatOf(string(s.Who))
	return r.client.Match(match.ID(), match.Keys()[seat]), err
}

func (r *runner) open(ctx context.Context, s step) (any, error) {
	sources := map[string]chitarrella.PackSource{
		"service": chitarrella.ServicePacks, "referee": chitarrella.RefereePacks, "shared": chitarrella.SharedPacks,
	}
	options := []chitarrella.OpenOption{chitarrella.Packs(sources[s.Packs]), chitarrella.FirstPack(s.Pack...)}
	if s.Private {
		options = append(options, chitarrella.Private())
	}
	for number, bot := range s.Bots {
		seat, err := seatOf(number)
		if err != nil {
			return nil, err
		}
		options = append(options, chitarrella.Bot(seat, bot))
	}
	match, err := r.client.CreateMatch(ctx, s.Agreement.read(), options...)
	if err != nil {
		return nil, err
	}
	r.matches[s.As] = match
	seen, err := match.Look(ctx)
	if err != nil {
		return nil, err
	}
	seats := slices.Sorted(maps.Keys(match.Keys()))
	return writeWaiting(object{"seats": list(seats), "revision": seen.GetRevision()}, seen.View), nil
}

func (r *runner) look(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	seen, err := match.Look(ctx)
	if err != nil {
		return nil, err
	}
	result := writeWaiting(object{
		"revision": seen.GetRevision(), "phase": seen.View.GetPhase(), "scores": list(seen.View.GetScores()),
		"winners": nil, "hand": []string{},
	}, seen.View)
	if outcome := seen.View.GetOutcome(); outcome != nil {
		result["winners"] = list(outcome.GetWinners())
	}
	if seat := chitarrella.SeatOf(seen.Seat); seat != chitarrella.Nobody {
		result["hand"] = list(seen.View.Pile("hand", seat).GetCards())
	}
	return result, nil
}

func (r *runner) moves(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	found, err := match.Moves(ctx)
	if err != nil {
		return nil, err
	}
	moves := each(found.Moves, writeMove)
	return object{"seat": writeSeat(found.Seat), "moves": moves, "revision": found.Revision}, nil
}

func (r *runner) play(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	var options []chitarrella.PlayOption
	if s.ExpectedRevision != nil {
		options = append(options, chitarrella.ExpectedRevision(*s.ExpectedRevision))
	}
	if s.RequestID != "" {
		options = append(options, chitarrella.RequestID(s.RequestID))
	}
	played, err := match.Play(ctx, s.Move.read(), options...)
	if err != nil {
		return nil, err
	}
	return object{
		"accepted": played.Accepted, "revision": played.Revision, "repeated": played.Repeated,
		"refusals": each(played.Refusals, writeRefusal), "events": each(played.Events, writeEvent),
	}, nil
}

func (r *runner) playOut(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	for {
		found, err := match.Moves(ctx)
		if err != nil {
			return nil, err
		}
		if found.Seat == chitarrella.Nobody {
			seen, err := match.Look(ctx)
			return object{"over": err == nil && seen.Over()}, err
		}
		if _, err := match.AsSeat(found.Seat).Play(ctx, found.Moves[0]); err != nil {
			return nil, err
		}
	}
}

func (r *runner) watch(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	updates := []object{}
	for update, err := range match.Watch(ctx) {
		if err != nil {
			return nil, err
		}
		kinds := each(update.GetEvents(), (*chitarrella.Event).GetKind)
		updates = append(updates, object{"revision": update.GetRevision(), "kinds": kinds})
		if len(updates) == s.CutAfter {
			if err := r.environment.cutConnections(ctx); err != nil {
				return nil, err
			}
		}
		if len(updates) == s.Messages {
			break
		}
	}
	return updates, nil
}

func (r *runner) verify(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	seen, err := match.Look(ctx)
	if err != nil {
		return nil, err
	}
	game, err := r.client.Game(ctx, seen.GetAgreement().GetGame())
	if err != nil {
		return nil, err
	}
	draws, _, err := match.Draws(ctx)
	return each(draws, func(draw *chitarrella.Draw) object {
		fair := chitarrella.IsFair(draw, game.GetPack())
		return object{"number": draw.GetNumber(), "handed_in": draw.GetHandedIn(), "fair": fair}
	}), err
}

func (r *runner) record(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	return match.Record(ctx)
}

func (r *runner) takeBack(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	request := match.TakeBack
	if s.Refuse {
		request = match.LetStand
	}
	response, err := request(ctx)
	if err != nil {
		return nil, err
	}
	return object{
		"revision": response.GetRevision(), "taken_back": response.GetTakenBack(), "awaited": list(response.GetAwaited()),
	}, nil
}
