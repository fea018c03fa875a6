// The operations of scenarios: what a platform does with its API key. Other matches and webhooks of the platform than
// those of the scenario are left out, and what is left is sorted by name.

package main

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
)

func (r *runner) connectPlatform(context.Context, step) (any, error) {
	client, err := chitarrella.Connect(r.environment.platform, chitarrella.WithAPIKey(r.environment.apiKey))
	if err != nil {
		return nil, err
	}
	_ = r.client.Close()
	r.client = client
	return nil, nil
}

func (r *runner) importMatch(ctx context.Context, s step) (any, error) {
	record, err := r.matches[s.Match].Record(ctx)
	if err != nil {
		return nil, err
	}
	options, err := s.matchOptions()
	if err != nil {
		return nil, err
	}
	if s.MoveCount != nil {
		options = append(options, chitarrella.MoveCount(*s.MoveCount))
	}
	match, err := r.client.ImportMatch(ctx, record, options...)
	if err != nil {
		return nil, err
	}
	return r.created(ctx, s.As, match)
}

// attached is what matches and their summaries have of a platform.
type attached interface {
	GetExternalId() string
	GetLabels() map[string]string
	GetPlayerNames() []*chitarrella.PlayerName
	GetSandbox() bool
}

func writeAttached(value attached) object {
	labels, names := object{}, object{}
	for key, label := range value.GetLabels() {
		labels[key] = label
	}
	for _, one := range value.GetPlayerNames() {
		names[strconv.Itoa(int(one.GetSeat()))] = one.GetName()
	}
	return object{
		"external_id": value.GetExternalId(), "labels": labels, "player_names": names, "sandbox": value.GetSandbox(),
	}
}

func (r *runner) describeMatch(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	state, err := match.Get(ctx)
	if err != nil {
		return nil, err
	}
	return writeAttached(state), nil
}

// nameOf returns the name of a match in the scenario; "" if it is not one of the scenario.
func (r *runner) nameOf(id string) string {
	for name, match := range r.matches {
		if match.ID() == id {
			return name
		}
	}
	return ""
}

// byName sorts results stably by the name of their match or webhook.
func byName(results []object, key string) []object {
	slices.SortStableFunc(results, func(one, other object) int {
		return cmp.Compare(one[key].(string), other[key].(string))
	})
	return results
}

func (r *runner) listMatches(ctx context.Context, s step) (any, error) {
	var filters []chitarrella.MatchFilter
	if s.ExternalID != "" {
		filters = append(filters, chitarrella.ExternalID(s.ExternalID))
	}
	for key, value := range s.Labels {
		filters = append(filters, chitarrella.Label(key, value))
	}
	if s.PlayerName != "" {
		filters = append(filters, chitarrella.PlayerNamed(s.PlayerName))
	}
	results := []object{}
	for match, err := range r.client.Matches(ctx, filters...) {
		if err != nil {
			return nil, err
		}
		if name := r.nameOf(match.GetMatchId()); name != "" {
			result := writeAttached(match)
			result["match"] = name
			results = append(results, result)
		}
	}
	return byName(results, "match"), nil
}

func (r *runner) getMatches(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	ids := each(s.Matches, func(name string) string {
		if known, created := r.matches[name]; created {
			return known.ID()
		}
		return name
	})
	found, err := r.client.GetMatches(ctx, ids, match.Key())
	if err != nil {
		return nil, err
	}
	results := []object{}
	for index, one := range found {
		if problem := one.GetError(); problem != nil {
			code := object{"code": problem.GetCode(), "field": problem.GetField()}
			results = append(results, object{"match": s.Matches[index], "error": code})
			continue
		}
		state := one.GetMatch()
		results = append(results, object{"match": s.Matches[index], "revision": state.GetRevision(), "seat": state.Seat})
	}
	return results, nil
}

func (r *runner) watchMatches(ctx context.Context, s step) (any, error) {
	started, updates := false, []object{}
	for update, err := range r.client.WatchMatches(ctx) {
		if err != nil {
			return nil, err
		}
		if !started { // the first heartbeat: what happens after it is received
			started = true
			if _, err := r.playSteps(ctx, s.Steps); err != nil {
				return nil, err
			}
		}
		if name := r.nameOf(update.GetMatchId()); name != "" {
			updates = append(updates, writePlatformUpdate(name, update))
		}
		if len(updates) == s.Messages {
			break
		}
	}
	return byName(updates, "match"), nil
}

func writePlatformUpdate(name string, update *chitarrella.PlatformUpdate) object {
	var revision any
	if update.GetUpdate() != nil {
		revision = update.GetUpdate().GetRevision()
	}
	kinds := each(update.GetUpdate().GetEvents(), (*chitarrella.Event).GetKind)
	return object{
		"match": name, "revision": revision, "kinds": kinds, "finished": update.GetFinished(),
		"aborted": update.GetAborted(),
	}
}

func (r *runner) abortMatch(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	revision, err := match.Abort(ctx)
	return object{"revision": revision}, err
}

func (r *runner) rotateKey(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	changed, err := match.RotateKey(ctx, chitarrella.SeatOf(s.Seat))
	if err != nil {
		return nil, err
	}
	r.matches[s.As] = changed
	replaced, before := []chitarrella.Seat{}, match.Keys()
	for seat, key := range changed.Keys() {
		if key != before[seat] {
			replaced = append(replaced, seat)
		}
	}
	slices.Sort(replaced)
	return object{"own": changed.Key() != match.Key(), "replaced": replaced}, nil
}

func (r *runner) advanceClock(ctx context.Context, s step) (any, error) {
	match, err := r.as(s)
	if err != nil {
		return nil, err
	}
	result, err := match.AdvanceClock(ctx, time.Duration(s.Seconds)*time.Second)
	if err != nil {
		return nil, err
	}
	return object{"revision": result.GetRevision(), "timed_out": result.GetTimedOut()}, nil
}
