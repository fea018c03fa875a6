// The operations of scenarios: matches, and what a platform does with its API key. Other matches and webhooks of the
// platform than those of the scenario are left out, and what is left is sorted by name.

package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
)

// as returns the match with the key of the step's viewer; nil for a step without a match.
func (r *runner) as(s step) (*chitarrella.Match, error) {
	match := r.matches[s.Match]
	switch {
	case match == nil:
		return nil, nil
	case s.Key != nil:
		return r.client.Match(match.ID(), *s.Key), nil
	case s.Who == "public":
		return match.Public(), nil
	case s.Who == "referee" || s.Who == "":
		return match, nil
	}
	seat, err := strconv.Atoi(string(s.Who))
	return r.client.Match(match.ID(), match.Keys()[chitarrella.Seat(seat)]), err
}

// matchOptions reads the settings that created and imported matches have.
func (s step) matchOptions() []chitarrella.CreateOption {
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
		options = append(options, chitarrella.Clock{MoveTime: s.Clock[0] * time.Second, Bank: s.Clock[1] * time.Second})
	}
	for _, name := range s.Restrictions {
		for restriction, word := range restrictions {
			if word == name {
				options = append(options, chitarrella.Restrict(restriction))
			}
		}
	}
	for key, value := range s.Labels {
		options = append(options, chitarrella.Label(key, value))
	}
	for seat, bot := range s.Bots {
		options = append(options, chitarrella.Bot(seat, bot))
	}
	for seat, name := range s.PlayerNames {
		options = append(options, chitarrella.Player(seat, name))
	}
	return options
}

func (r *runner) createMatch(ctx context.Context, s step) (any, error) {
	options := append(s.matchOptions(), chitarrella.FirstPack(s.Pack...))
	match, err := r.client.CreateMatch(ctx, s.RuleSet.read(), options...)
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
	state, err := s.at.Get(ctx)
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
	if seat := chitarrella.SeatOf(state.Viewer); seat != chitarrella.Nobody {
		result["hand"] = list(state.GetView().Zone("hand", seat).GetCards())
	}
	return result, nil
}

func (r *runner) listMatchMoves(ctx context.Context, s step) (any, error) {
	found, err := s.at.LegalMoves(ctx)
	if err != nil {
		return nil, err
	}
	moves := each(found.GetMoves(), writeMove)
	return object{"seat": found.Seat, "moves": moves, "revision": found.GetRevision()}, nil
}

func (r *runner) suggestMove(ctx context.Context, s step) (any, error) {
	hand, err := s.at.ExplainHand(ctx, chitarrella.Suggest)
	if err != nil {
		return nil, err
	}
	return hand.Suggested != nil, nil
}

func (r *runner) playMove(ctx context.Context, s step) (any, error) {
	match := s.at
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
	match := s.at
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
	match := s.at
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
	match := s.at
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
	return s.at.Record(ctx)
}

func (r *runner) takeBack(ctx context.Context, s step) (any, error) {
	match := s.at
	var options []chitarrella.TakeBackOption
	if s.Decline {
		options = append(options, chitarrella.Decline())
	}
	response, err := match.TakeBack(ctx, options...)
	if err != nil {
		return nil, err
	}
	after := response.GetMatch()
	return object{
		"revision": after.GetRevision(), "taken_back": response.GetTakenBack(),
		"awaiting_answers_from": list(after.GetTakebackRequest().GetAwaitingAnswersFrom()),
	}, nil
}

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
	options := s.matchOptions()
	if s.MoveCount != nil {
		options = append(options, chitarrella.MoveCount(*s.MoveCount))
	}
	match, err := r.client.ImportMatch(ctx, record, options...)
	if err != nil {
		return nil, err
	}
	return r.created(ctx, s.As, match)
}

func writeAttached(value chitarrella.MatchDetails) object {
	labels, names := object{}, object{}
	for key, label := range value.GetLabels() {
		labels[key] = label
	}
	for _, one := range value.GetSeats() {
		if one.GetPlayerName() != "" {
			names[strconv.Itoa(int(one.GetSeat()))] = one.GetPlayerName()
		}
	}
	return object{
		"external_id": value.GetExternalId(), "labels": labels, "player_names": names, "sandbox": value.GetSandbox(),
	}
}

func (r *runner) describeMatch(ctx context.Context, s step) (any, error) {
	state, err := s.at.Get(ctx)
	if err != nil {
		return nil, err
	}
	return writeAttached(state), nil
}

var (
	states = map[chitarrella.MatchState]string{
		chitarrella.MatchOpen: "open", chitarrella.MatchFinished: "finished", chitarrella.MatchAborted: "aborted",
	}
	endings = map[chitarrella.Ending]string{
		chitarrella.EndingPlayed: "played", chitarrella.EndingResigned: "resigned", chitarrella.EndingDecided: "decided",
	}
	restrictions = map[chitarrella.Restriction]string{
		chitarrella.NoTakebacks: "no_takebacks", chitarrella.NoBots: "no_bots", chitarrella.NoSpectators: "no_spectators",
	}
)

// manage makes a call about a match besides its moves.
func (r *runner) manage(ctx context.Context, s step) (any, error) {
	match := s.at
	var after chitarrella.MatchDetails
	var err error
	switch s.Op {
	case "join_match":
		after, err = match.Join(ctx, s.PlayerName)
	case "resign_match":
		after, err = match.Resign(ctx)
	case "decide_match":
		after, err = match.Decide(ctx, s.Winners, s.Reason)
	case "update_match":
		var changes []chitarrella.UpdateOption
		if s.ExternalID != "" {
			changes = append(changes, chitarrella.ExternalID(s.ExternalID))
		}
		for key, value := range s.Labels {
			changes = append(changes, chitarrella.Label(key, value))
		}
		for seat, name := range s.PlayerNames {
			changes = append(changes, chitarrella.Player(seat, name))
		}
		after, err = match.Update(ctx, changes...)
	case "add_time":
		after, err = match.AddTime(ctx, chitarrella.SeatOf(s.Seat), time.Duration(s.Seconds)*time.Second)
	default:
		pause := match.PauseClock
		if s.Resume {
			pause = match.ResumeClock
		}
		after, err = pause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return writeManaged(after), nil
}

func writeManaged(match chitarrella.MatchDetails) object {
	written := writeAttached(match)
	written["state"], written["end_reason"] = states[match.GetState()], match.GetEndReason()
	written["winners"], written["ending"] = nil, nil
	if match.Outcome != nil {
		written["winners"], written["ending"] = list(match.GetOutcome().GetWinners()), endings[match.GetOutcome().GetEnding()]
	}
	written["clock_paused"], written["pause_requested_by"] = match.GetClockPaused(), list(match.GetPauseRequestedBy())
	written["restrictions"] = each(match.GetRestrictions(), func(one chitarrella.Restriction) string { return restrictions[one] })
	joined, resigned, banks := []uint32{}, []uint32{}, []float64{}
	for _, one := range match.GetSeats() {
		if one.GetJoined() {
			joined = append(joined, one.GetSeat())
		}
		if one.GetResigned() {
			resigned = append(resigned, one.GetSeat())
		}
		if one.Bank != nil {
			banks = append(banks, one.GetBank().Seconds())
		}
	}
	written["joined"], written["resigned"], written["banks"] = joined, resigned, banks
	return written
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
	if s.WinnerName != "" {
		filters = append(filters, chitarrella.WonBy(s.WinnerName))
	}
	for state, name := range states {
		if name == s.State {
			filters = append(filters, chitarrella.InState(state))
		}
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
	match := s.at
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
		result := object{}
		if problem := one.GetError(); problem != nil {
			result = writeError(chitarrella.ErrorOf(problem))
		} else {
			state := one.GetMatch()
			result["revision"], result["viewer"] = state.GetRevision(), state.Viewer
		}
		result["match"] = s.Matches[index]
		results = append(results, result)
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

func writePlatformUpdate(name string, update chitarrella.PlatformUpdate) object {
	var revision any
	if update.Update != nil {
		revision = update.GetUpdate().GetRevision()
	}
	kinds := each(update.GetUpdate().GetEvents(), (*chitarrella.Event).GetKind)
	return object{"match": name, "revision": revision, "kinds": kinds, "state": states[update.GetState()]}
}

func (r *runner) abortMatch(ctx context.Context, s step) (any, error) {
	after, err := s.at.Abort(ctx, "")
	return object{"revision": after.GetRevision()}, err
}

func (r *runner) rotateKey(ctx context.Context, s step) (any, error) {
	match := s.at
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
	result, err := s.at.AdvanceClock(ctx, time.Duration(s.Seconds)*time.Second)
	if err != nil {
		return nil, err
	}
	return object{"revision": result.GetMatch().GetRevision(), "timed_out": result.GetTimedOut()}, nil
}

func (r *runner) createWebhook(ctx context.Context, s step) (any, error) {
	created, err := r.client.Webhooks.Create(ctx, s.URL)
	if err != nil {
		return nil, err
	}
	webhook := created.GetWebhook()
	r.webhooks[s.As] = webhook.GetWebhookId()
	return object{
		"url": webhook.GetUrl(), "disabled": webhook.GetDisabled(), "configured": webhook.GetConfigured(),
		"has_secret": strings.HasPrefix(created.GetSecret(), "whsec_"),
	}, nil
}

func (r *runner) listWebhooks(ctx context.Context, _ step) (any, error) {
	found, err := r.client.Webhooks.List(ctx)
	results := []object{}
	for _, one := range found {
		for name, id := range r.webhooks {
			if id == one.GetWebhookId() {
				results = append(results, object{"webhook": name, "url": one.GetUrl(), "disabled": one.GetDisabled()})
			}
		}
	}
	return byName(results, "webhook"), err
}

// webhookOf returns the id of a webhook by its name in the scenario, or the name itself.
func (r *runner) webhookOf(s step) string {
	if id, created := r.webhooks[s.Webhook]; created {
		return id
	}
	return s.Webhook
}

func (r *runner) updateWebhook(ctx context.Context, s step) (any, error) {
	var changes []chitarrella.UpdateWebhookOption
	if s.URL != "" {
		changes = append(changes, chitarrella.WebhookURL(s.URL))
	}
	if s.Disabled != nil {
		changes = append(changes, chitarrella.WebhookDisabled(*s.Disabled))
	}
	webhook, err := r.client.Webhooks.Update(ctx, r.webhookOf(s), changes...)
	return object{"url": webhook.GetUrl(), "disabled": webhook.GetDisabled()}, err
}

func (r *runner) rotateWebhookSecret(ctx context.Context, s step) (any, error) {
	secret, err := r.client.Webhooks.RotateSecret(ctx, r.webhookOf(s))
	return object{"has_secret": strings.HasPrefix(secret, "whsec_")}, err
}

func writeDelivery(value chitarrella.Delivery) object {
	states := map[chitarrella.DeliveryState]string{
		chitarrella.DeliveryPending: "pending", chitarrella.DeliverySent: "sent", chitarrella.DeliveryFailed: "failed",
	}
	return object{
		"type": value.GetType(), "state": states[value.GetState()], "attempts": value.GetAttempts(),
		"has_error": value.GetError() != "",
	}
}

func (r *runner) testWebhook(ctx context.Context, s step) (any, error) {
	delivery, err := r.client.Webhooks.Test(ctx, r.webhookOf(s))
	return writeDelivery(delivery), err
}

func (r *runner) deliveries(ctx context.Context, s step) ([]chitarrella.Delivery, error) {
	states := map[string]chitarrella.DeliveryState{
		"": chitarrella.DeliveryAny, "pending": chitarrella.DeliveryPending, "sent": chitarrella.DeliverySent,
		"failed": chitarrella.DeliveryFailed,
	}
	var found []chitarrella.Delivery
	for delivery, err := range r.client.Webhooks.Deliveries(ctx, r.webhookOf(s), states[s.State]) {
		if err != nil {
			return nil, err
		}
		found = append(found, delivery)
	}
	return found, nil
}

func (r *runner) listDeliveries(ctx context.Context, s step) (any, error) {
	found, err := r.deliveries(ctx, s)
	return each(found, writeDelivery), err
}

func (r *runner) resendDelivery(ctx context.Context, s step) (any, error) {
	id := s.Delivery
	if id == "" { // the latest
		found, err := r.deliveries(ctx, s)
		if err != nil {
			return nil, err
		}
		id = found[0].GetDeliveryId()
	}
	delivery, err := r.client.Webhooks.Resend(ctx, r.webhookOf(s), id)
	return writeDelivery(delivery), err
}

func (r *runner) deleteWebhook(ctx context.Context, s step) (any, error) {
	return nil, r.client.Webhooks.Delete(ctx, r.webhookOf(s))
}
