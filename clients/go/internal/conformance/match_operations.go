// The operations of scenarios: matches.

package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
)

// as returns the match with the key of the step's viewer.
func (r *runner) as(s step) (*chitarrella.Match, error) {
	match, created := r.matches[s.Match]
	switch {
	case !created:
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

// matchOptions reads the settings that created and imported matches have.
func (s step) matchOptions() ([]chitarrella.CreateOption, error) {
	sources := map[string]chitarrella.PackSource{
		"service": chitarrella.PackSourceService, "referee": chitarrella.PackSourceReferee,
		"shared": chitarrella.PackSourceShared,
	}
	options := []chitarrella.CreateOption{sources[s.PackSource], chitarrella.ExternalID(s.ExternalID)}
	if s.Private {
		options = append(options, chitarrella.Private())
	}
	if s.Sandbox != nil {
		options = append(options, chitarrella.Sandbox(*s.Sandbox))
	}
	if len(s.Clock) == 2 {
		options = append(options, chitarrella.Clock(s.Clock[0]*time.Second, s.Clock[1]*time.Second))
	}
	for key, value := range s.Labels {
		options = append(options, chitarrella.Label(key, value))
	}
	for number, bot := range s.Bots {
		seat, err := seatOf(number)
		if err != nil {
			return nil, err
		}
		options = append(options, chitarrella.Bot(seat, bot))
	}
	for number, name := range s.PlayerNames {
		seat, err := seatOf(number)
		if err != nil {
			return nil, err
		}
		options = append(options, chitarrella.Player(seat, name))
	}
	return options, nil
}

func (r *runner) createMatch(ctx context.Context, s step) (any, error) {
	options, err := s.matchOptions()
	if err != nil {
		return nil, err
	}
	match, err := r.client.CreateMatch(ctx, s.RuleSet.read(), append(options, chitarrella.FirstPack(s.Pack...))...)
	if err != nil {
		return nil, err
	}
	return r.created(ctx, s.As, match)
}

// created keeps a new match under its name in the scenario.
func (r *runner) created(ctx context.Context, name string, match *chitarrella.Match) (any, error) {
	r.matches[name] = match
	state, err := match.Get(ctx)
	if err != nil {
		return nil, err
	}
	seats := slices.Sorted(maps.Keys(match.Keys()))
	return writeWaiting(object{"seats": list(seats), "revision": state.GetRevision()}, state.GetView()), nil
}

func (r *runner) getMatch(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	state, err := match.Get(ctx)
	if err != nil {
		return nil, err
	}
	result := writeWaiting(object{
		"revision": state.GetRevision(), "phase": state.GetView().GetPhase(), "scores": list(state.GetView().GetScores()),
		"winners": nil, "hand": []string{},
	}, state.GetView())
	if outcome := state.GetView().GetOutcome(); outcome != nil {
		result["winners"] = list(outcome.GetWinners())
	}
	if seat := chitarrella.SeatOf(state.Seat); seat != chitarrella.Nobody {
		result["hand"] = list(state.GetView().Zone("hand", seat).GetCards())
	}
	return result, nil
}

func (r *runner) listMatchMoves(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	found, err := match.LegalMoves(ctx)
	if err != nil {
		return nil, err
	}
	moves := each(found.GetMoves(), writeMove)
	return object{"seat": found.Seat, "moves": moves, "revision": found.GetRevision()}, nil
}

func (r *runner) playMove(ctx context.Context, s step) (any, error) {
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
	result, err := match.Play(ctx, s.Move.read(), options...)
	if err != nil {
		return nil, err
	}
	return object{
		"accepted": result.GetAccepted(), "revision": result.GetRevision(),
		"repeated_request": result.GetRepeatedRequest(),
		"refusals":         each(result.GetRefusals(), writeRefusal), "events": each(result.GetEvents(), writeEvent),
	}, nil
}

func (r *runner) playOut(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	for {
		found, err := match.LegalMoves(ctx)
		if err != nil {
			return nil, err
		}
		seat := chitarrella.SeatOf(found.Seat)
		if seat == chitarrella.Nobody {
			state, err := match.Get(ctx)
			return object{"finished": err == nil && state.Over()}, err
		}
		if _, err := match.AsSeat(seat).Play(ctx, found.GetMoves()[0]); err != nil {
			return nil, err
		}
	}
}

func (r *runner) watchMatch(ctx context.Context, s step) (any, error) {
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

func (r *runner) verifyShuffles(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	state, err := match.Get(ctx)
	if err != nil {
		return nil, err
	}
	game, err := r.client.Game(ctx, state.GetRuleSet().GetGameId())
	if err != nil {
		return nil, err
	}
	shuffles, err := match.Shuffles(ctx)
	return each(shuffles.GetShuffles(), func(shuffle *chitarrella.Shuffle) object {
		fair := chitarrella.IsFair(shuffle, game.GetPack())
		return object{"number": shuffle.GetNumber(), "supplied": shuffle.GetSupplied(), "fair": fair}
	}), err
}

func (r *runner) getRecord(ctx context.Context, s step) (any, error) {
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
	var options []chitarrella.TakeBackOption
	if s.Decline {
		options = append(options, chitarrella.Decline())
	}
	response, err := match.TakeBack(ctx, options...)
	if err != nil {
		return nil, err
	}
	return object{
		"revision": response.GetRevision(), "taken_back": response.GetTakenBack(),
		"awaiting_answers_from": list(response.GetAwaitingAnswersFrom()),
	}, nil
}
