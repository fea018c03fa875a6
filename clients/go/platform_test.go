// Cases that the scenarios do not reach: what a platform attaches to matches, and how it finds and watches them.

package chitarrella_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// fakePlatform keeps the requests and the keys that it receives, and fails with the given errors first.
type fakePlatform struct {
	failures []error
	requests []proto.Message
	keys     []string
	updates  []*pb.PlatformUpdate
}

func (s *fakePlatform) receive(ctx context.Context, request proto.Message) error {
	s.requests = append(s.requests, request)
	headers, _ := metadata.FromIncomingContext(ctx)
	s.keys = append(s.keys, append(headers.Get("authorization"), "")[0])
	if len(s.failures) == 0 {
		return nil
	}
	next := s.failures[0]
	s.failures = s.failures[1:]
	return next
}

var newMatch = &pb.CreatedMatch{
	Match: &pb.Match{MatchId: "m"}, RefereeKey: "referee", SpectatorKey: "onlooker",
	SeatKeys: []*pb.SeatKey{{Seat: 0, Key: "first"}, {Seat: 1, Key: "second"}},
}

func (s *fakePlatform) CreateMatch(ctx context.Context, r *pb.CreateMatchRequest) (*pb.CreatedMatch, error) {
	return newMatch, s.receive(ctx, r)
}

func (s *fakePlatform) ImportMatch(ctx context.Context, r *pb.ImportMatchRequest) (*pb.CreatedMatch, error) {
	return newMatch, s.receive(ctx, r)
}

func (s *fakePlatform) ListMatches(ctx context.Context, r *pb.ListMatchesRequest) (*pb.ListMatchesResponse, error) {
	next := map[string]string{"": "more"}[r.GetPageToken()]
	matches := []*pb.Match{{MatchId: "m" + r.GetPageToken(), Sandbox: true}}
	return &pb.ListMatchesResponse{Matches: matches, NextPageToken: next}, s.receive(ctx, r)
}

func (s *fakePlatform) BatchGetMatches(
	ctx context.Context, r *pb.BatchGetMatchesRequest,
) (*pb.BatchGetMatchesResponse, error) {
	match := &pb.Match{MatchId: "m", ExternalId: "t-1", Labels: map[string]string{"cup": "spring"}}
	missing, _ := anypb.New(&errdetails.ErrorInfo{Domain: "chitarrella", Reason: "no_such_match"})
	return &pb.BatchGetMatchesResponse{Results: []*pb.MatchResult{
		{Outcome: &pb.MatchResult_Match{Match: match}},
		{Outcome: &pb.MatchResult_Error{Error: &rpcstatus.Status{Code: 5, Details: []*anypb.Any{missing}}}},
	}}, s.receive(ctx, r)
}

func (s *fakePlatform) RotateKey(ctx context.Context, r *pb.RotateKeyRequest) (*pb.RotateKeyResponse, error) {
	return &pb.RotateKeyResponse{Key: "new"}, s.receive(ctx, r)
}

func (s *fakePlatform) AdvanceClock(ctx context.Context, r *pb.AdvanceClockRequest) (*pb.AdvanceClockResponse, error) {
	return &pb.AdvanceClockResponse{Time: timestamppb.New(time.Unix(60, 0)), TimedOut: true}, s.receive(ctx, r)
}

var running = &pb.Match{MatchId: "m", State: chitarrella.MatchOpen}

func (s *fakePlatform) JoinMatch(ctx context.Context, r *pb.JoinMatchRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

func (s *fakePlatform) ResignMatch(ctx context.Context, r *pb.ResignMatchRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

func (s *fakePlatform) DecideMatch(ctx context.Context, r *pb.DecideMatchRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

func (s *fakePlatform) UpdateMatch(ctx context.Context, r *pb.UpdateMatchRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

func (s *fakePlatform) PauseClock(ctx context.Context, r *pb.PauseClockRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

func (s *fakePlatform) AddTime(ctx context.Context, r *pb.AddTimeRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

func (s *fakePlatform) AssignBot(ctx context.Context, r *pb.AssignBotRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

func (s *fakePlatform) AbortMatch(ctx context.Context, r *pb.AbortMatchRequest) (*pb.Match, error) {
	return running, s.receive(ctx, r)
}

// WatchMatches sends the updates, then ends the stream, regularly or with the next failure.
func (s *fakePlatform) WatchMatches(r *pb.WatchMatchesRequest, stream grpc.ServerStream) error {
	for _, update := range s.updates {
		if err := stream.SendMsg(update); err != nil {
			return err
		}
	}
	return s.receive(stream.Context(), r)
}

func expectRequests(t *testing.T, service *fakePlatform, requests ...proto.Message) {
	t.Helper()
	if len(service.requests) != len(requests) {
		t.Fatalf("received %v", service.requests)
	}
	for at, request := range requests {
		if !proto.Equal(service.requests[at], request) {
			t.Errorf("received %v, expected %v", service.requests[at], request)
		}
	}
}

// A new match has what a platform attaches to it, and may be a test without a seed.
func TestNewMatchHasLabels(t *testing.T) {
	service := &fakePlatform{}
	client := clientOf(t, service)
	options := []chitarrella.CreateOption{
		chitarrella.ExternalID("t-1"), chitarrella.Label("cup", "spring"), chitarrella.Label("round", "2"),
		chitarrella.Player(0, "Anna"), chitarrella.Player(1, "Ugo"), chitarrella.Sandbox(""), chitarrella.RequestID("mine"),
		chitarrella.Clock{Bank: time.Minute, Increment: time.Second, StartsWhenJoined: true},
		chitarrella.Bot(1, "easy", chitarrella.ThinkTime(time.Second), chitarrella.Delay(time.Minute)),
		chitarrella.ExpireAfter(time.Hour), chitarrella.Restrict(chitarrella.NoTakebacks, chitarrella.NoBots),
	}
	if _, err := client.CreateMatch(t.Context(), briscola, options...); err != nil {
		t.Fatal(err)
	}
	if _, err := client.ImportMatch(t.Context(), "a record", options...); err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{"cup": "spring", "round": "2"}
	names := []*pb.PlayerName{{Seat: 0, Name: "Anna"}, {Seat: 1, Name: "Ugo"}}
	clock := &pb.Clock{Bank: durationpb.New(time.Minute), Increment: durationpb.New(time.Second), StartsWhenJoined: true}
	bots := []*pb.BotSeat{{Seat: 1, Bot: "easy", ThinkTime: durationpb.New(time.Second), Delay: clock.Bank}}
	restrictions := []chitarrella.Restriction{chitarrella.NoTakebacks, chitarrella.NoBots}
	expectRequests(t, service, &pb.CreateMatchRequest{
		RuleSet: briscola, ExternalId: "t-1", Labels: labels, PlayerNames: names, Sandbox: &pb.Sandbox{}, RequestId: "mine",
		Clock: clock, ExpireAfter: durationpb.New(time.Hour), Restrictions: restrictions, Bots: bots,
	}, &pb.ImportMatchRequest{
		Record: "a record", ExternalId: "t-1", Labels: labels, PlayerNames: names, Sandbox: &pb.Sandbox{}, RequestId: "mine",
		Clock: clock, ExpireAfter: durationpb.New(time.Hour), Restrictions: restrictions, Bots: bots,
	})
}

// What happens at a match besides its moves is one call each, whose response is the match.
func TestMatchIsManaged(t *testing.T) {
	service := &fakePlatform{}
	ctx, match := t.Context(), clientOf(t, service).Match("m", "referee")
	managed := func(after chitarrella.MatchDetails, err error) {
		t.Helper()
		if err != nil || after.GetState() != chitarrella.MatchOpen || after.Over() {
			t.Errorf("match %v, error: %v", after, err)
		}
	}
	managed(match.AsSeat(1).Join(ctx, "Anna"))
	managed(match.AsSeat(1).Resign(ctx))
	managed(match.Decide(ctx, []chitarrella.Seat{0, 2}, "walkover"))
	managed(match.Update(ctx, chitarrella.ExternalID(""), chitarrella.Label("cup", ""), chitarrella.Player(0, "Ugo"),
		chitarrella.ExpireAfter(time.Minute)))
	managed(match.Update(ctx))
	managed(match.PauseClock(ctx))
	managed(match.AsSeat(0).ResumeClock(ctx))
	managed(match.AddTime(ctx, 1, time.Minute, chitarrella.RequestID("mine")))
	managed(match.Abort(ctx, "storm"))
	managed(match.AssignBot(ctx, "easy", time.Second, chitarrella.Delay(time.Minute)))
	first, second, minute := new(uint32(0)), new(uint32(1)), durationpb.New(time.Minute)
	expectRequests(t, service,
		&pb.JoinMatchRequest{MatchId: "m", Seat: second, PlayerName: "Anna"},
		&pb.ResignMatchRequest{MatchId: "m", Seat: second},
		&pb.DecideMatchRequest{MatchId: "m", Winners: []uint32{0, 2}, Reason: "walkover"},
		&pb.UpdateMatchRequest{
			MatchId: "m", ExternalId: new(""), Labels: map[string]string{"cup": ""}, ExpireAfter: minute,
			PlayerNames: []*pb.PlayerName{{Seat: 0, Name: "Ugo"}},
		},
		&pb.UpdateMatchRequest{MatchId: "m"},
		&pb.PauseClockRequest{MatchId: "m"},
		&pb.PauseClockRequest{MatchId: "m", Seat: first, Resume: true},
		&pb.AddTimeRequest{MatchId: "m", Seat: 1, Duration: minute, RequestId: "mine"},
		&pb.AbortMatchRequest{MatchId: "m", Reason: "storm"},
		&pb.AssignBotRequest{MatchId: "m", Bot: "easy", ThinkTime: durationpb.New(time.Second), Delay: minute},
	)
}

// The filters of a list hold for all of its pages.
func TestMatchesAreFiltered(t *testing.T) {
	service := &fakePlatform{}
	listed := ""
	filters := []chitarrella.MatchFilter{
		chitarrella.ExternalID("t-1"), chitarrella.Label("cup", "spring"), chitarrella.PlayerNamed("Anna"),
		chitarrella.WonBy("Ugo"), chitarrella.InState(chitarrella.MatchFinished), chitarrella.OfGame("briscola"),
		chitarrella.CreatedAfter(attemptTime), chitarrella.EndedAfter(attemptTime), chitarrella.Ascending(),
	}
	for match, err := range clientOf(t, service).Matches(t.Context(), filters...) {
		if err != nil || !match.GetSandbox() {
			t.Fatalf("match %v, error: %v", match, err)
		}
		listed += match.GetMatchId() + " "
	}
	if listed != "m mmore " {
		t.Errorf("listed %s", listed)
	}
	request := &pb.ListMatchesRequest{
		ExternalId: "t-1", Labels: []string{"cup=spring"}, PlayerName: "Anna", WinnerName: "Ugo",
		State: chitarrella.MatchFinished, GameId: "briscola", Ascending: true,
		CreatedAfter: timestamppb.New(attemptTime), EndedAfter: timestamppb.New(attemptTime),
	}
	second := proto.CloneOf(request)
	second.PageToken = "more"
	expectRequests(t, service, request, second)
}

// Of many matches each is found or has its error; the default key is that of WithKey.
func TestMatchesAreFoundOrHaveErrors(t *testing.T) {
	service := &fakePlatform{}
	client := clientOf(t, service, chitarrella.WithKey("mine"))
	found, err := client.GetMatches(t.Context(), []string{"m", "n"}, "")
	if err != nil || len(found) != 2 {
		t.Fatalf("found %v, error: %v", found, err)
	}
	if found[0].Err() != nil || found[0].GetMatch().GetLabels()["cup"] != "spring" || found[0].GetMatch().Over() {
		t.Errorf("found %v", found[0])
	}
	if !errors.Is(found[1].Err(), chitarrella.CodeNoSuchMatch) || found[1].GetMatch().GetMatchId() != "" {
		t.Errorf("found %v", found[1])
	}
	expectRequests(t, service, &pb.BatchGetMatchesRequest{MatchIds: []string{"m", "n"}})
	if service.keys[0] != "Bearer mine" {
		t.Errorf("sent %q", service.keys)
	}
}

// The updates of a platform come with its heartbeats; a stream that ends is an error, because updates may be missing.
func TestWatchMatchesEndsWithError(t *testing.T) {
	updates := []*pb.PlatformUpdate{
		{}, {MatchId: "m", Update: &pb.MatchUpdate{Revision: 2, ThinkTime: durationpb.New(time.Second)}},
		{MatchId: "n", State: chitarrella.MatchAborted},
	}
	service := &fakePlatform{updates: updates}
	client := clientOf(t, service)
	received, failures := watchAll(t, client)
	if len(received) != 3 || received[0].GetMatchId() != "" || received[1].GetUpdate().GetThinkTime() != time.Second {
		t.Errorf("received %v", received)
	}
	if last := received[2]; last.Update != nil || !last.GetUpdate().GetTime().IsZero() || last.GetState() != chitarrella.MatchAborted {
		t.Errorf("received %v", last)
	}
	if len(failures) != 1 || !errors.Is(failures[0], chitarrella.CodeUnavailable) {
		t.Errorf("ended with %v", failures)
	}
	service.failures = []error{serviceError(t, codes.ResourceExhausted, "too_slow", nil)}
	received, failures = watchAll(t, client)
	if len(received) != 3 || len(failures) != 1 || !errors.Is(failures[0], chitarrella.CodeTooSlow) {
		t.Errorf("received %v, ended with %v", received, failures)
	}
	for range client.WatchMatches(t.Context()) {
		break // leaving the loop ends the call, so that the server of the test can stop
	}
}

// watchAll returns all updates of a platform, and the errors behind them.
func watchAll(t *testing.T, client *chitarrella.Client) (updates []chitarrella.PlatformUpdate, failures []error) {
	t.Helper()
	for update, err := range client.WatchMatches(t.Context()) {
		if err != nil {
			failures = append(failures, err)
			continue
		}
		updates = append(updates, update)
	}
	return updates, failures
}

// A key that was replaced is replaced in the match and in its keys, once under one request id.
func TestKeyIsRotated(t *testing.T) {
	service := &fakePlatform{}
	match, err := clientOf(t, service).CreateMatch(t.Context(), briscola)
	if err != nil {
		t.Fatal(err)
	}
	service.requests, service.keys = nil, nil
	service.failures = []error{status.Error(codes.Unavailable, "cut")}
	rotated, err := match.RotateKey(t.Context(), 1, chitarrella.RequestID("sixteen letters."))
	if err != nil || rotated.Key() != "referee" || rotated.Keys()[0] != "first" || rotated.Keys()[1] != "new" {
		t.Errorf("keys %v, error: %v", rotated.Keys(), err)
	}
	request := &pb.RotateKeyRequest{MatchId: "m", Seat: new(uint32(1)), RequestId: "sixteen letters."}
	expectRequests(t, service, request, request)
	seat, err := match.AsSeat(1).RotateKey(t.Context(), chitarrella.Nobody)
	if err != nil || seat.Key() != "new" || seat.Keys()[1] != "new" || seat.Keys()[0] != "first" {
		t.Errorf("keys %v, error: %v", seat.Keys(), err)
	}
	if match.Keys()[1] != "second" || service.keys[2] != "Bearer second" {
		t.Errorf("keys %v, sent %q", match.Keys(), service.keys)
	}
}

// The clock of a test is advanced by whole seconds; its time is that of Go.
func TestClockIsAdvanced(t *testing.T) {
	service := &fakePlatform{}
	match := clientOf(t, service).Match("m", "referee")
	advance, err := match.AdvanceClock(t.Context(), time.Minute, chitarrella.RequestID("mine"))
	if err != nil || !advance.GetTimedOut() || !advance.GetTime().Equal(time.Unix(60, 0)) {
		t.Errorf("advanced to %v, error: %v", advance.GetTime(), err)
	}
	expectRequests(t, service, &pb.AdvanceClockRequest{MatchId: "m", Duration: durationpb.New(time.Minute), RequestId: "mine"})
}

// A card of a game is found by its notation.
func TestCardOfGame(t *testing.T) {
	game := &chitarrella.Game{Cards: []*chitarrella.Card{{Code: "Ab", Points: new(int32(11))}}}
	if chitarrella.CardOf(game, "Ab").GetPoints() != 11 || chitarrella.CardOf(game, "XX") != nil {
		t.Errorf("cards of %v", game)
	}
}

// fakeWebhooks keeps the requests that it receives; the first response is lost.
type fakeWebhooks struct {
	t        *testing.T
	requests []proto.Message
}

var (
	attemptTime = time.Unix(1_700_000_000, 0)
	exampleURL  = "https://example.com/hook"
)

func (s *fakeWebhooks) CreateWebhook(
	_ context.Context, r *pb.CreateWebhookRequest,
) (*pb.CreateWebhookResponse, error) {
	s.requests = append(s.requests, r)
	if len(s.requests) == 1 {
		return nil, status.Error(codes.Unavailable, "cut")
	}
	webhook := &pb.Webhook{WebhookId: "w", Url: r.GetUrl(), CreateTime: timestamppb.New(attemptTime)}
	return &pb.CreateWebhookResponse{Webhook: webhook, Secret: "whsec_x"}, nil
}

func (s *fakeWebhooks) ListWebhooks(context.Context, *pb.ListWebhooksRequest) (*pb.ListWebhooksResponse, error) {
	return &pb.ListWebhooksResponse{Webhooks: []*pb.Webhook{{WebhookId: "settings", Configured: true}, {WebhookId: "w"}}}, nil
}

func (s *fakeWebhooks) UpdateWebhook(
	_ context.Context, r *pb.UpdateWebhookRequest,
) (*pb.UpdateWebhookResponse, error) {
	s.requests = append(s.requests, r)
	return &pb.UpdateWebhookResponse{Webhook: &pb.Webhook{WebhookId: "w", Disabled: r.GetDisabled()}}, nil
}

func (s *fakeWebhooks) RotateWebhookSecret(
	context.Context, *pb.RotateWebhookSecretRequest,
) (*pb.RotateWebhookSecretResponse, error) {
	return &pb.RotateWebhookSecretResponse{Secret: "whsec_y"}, nil
}

func (s *fakeWebhooks) DeleteWebhook(context.Context, *pb.DeleteWebhookRequest) (*pb.DeleteWebhookResponse, error) {
	return nil, serviceError(s.t, codes.FailedPrecondition, "webhook_configured", nil)
}

func (s *fakeWebhooks) TestWebhook(context.Context, *pb.TestWebhookRequest) (*pb.TestWebhookResponse, error) {
	return &pb.TestWebhookResponse{Delivery: &pb.Delivery{
		State: chitarrella.DeliveryFailed, LastAttemptTime: timestamppb.New(attemptTime), Error: "timed_out",
	}}, nil
}

func (s *fakeWebhooks) ListDeliveries(
	_ context.Context, r *pb.ListDeliveriesRequest,
) (*pb.ListDeliveriesResponse, error) {
	s.requests = append(s.requests, r)
	next := map[string]string{"": "more"}[r.GetPageToken()]
	deliveries := []*pb.Delivery{{DeliveryId: "d" + r.GetPageToken(), State: r.GetState()}}
	return &pb.ListDeliveriesResponse{Deliveries: deliveries, NextPageToken: next}, nil
}

func (s *fakeWebhooks) ResendDelivery(
	_ context.Context, r *pb.ResendDeliveryRequest,
) (*pb.ResendDeliveryResponse, error) {
	delivery := &pb.Delivery{DeliveryId: r.GetDeliveryId(), State: chitarrella.DeliveryPending}
	return &pb.ResendDeliveryResponse{Delivery: delivery}, nil
}

// webhooksOf returns the webhooks of the fake service.
func webhooksOf(t *testing.T) (*chitarrella.Webhooks, *fakeWebhooks) {
	t.Helper()
	service := &fakeWebhooks{t: t}
	return clientOf(t, service).Webhooks, service
}

// A webhook whose response was lost is created once, under one request id.
func TestWebhookIsCreatedOnce(t *testing.T) {
	webhooks, service := webhooksOf(t)
	created, err := webhooks.Create(t.Context(), exampleURL)
	if err != nil || created.GetSecret() != "whsec_x" || !created.GetWebhook().GetCreateTime().Equal(attemptTime) {
		t.Errorf("created %v, error: %v", created, err)
	}
	first, _ := service.requests[0].(*pb.CreateWebhookRequest)
	if len(service.requests) != 2 || first.GetRequestId() == "" || !proto.Equal(first, service.requests[1]) {
		t.Errorf("received %v", service.requests)
	}
	events := chitarrella.WebhookEvents{"match.finished"}
	if _, err := webhooks.Create(t.Context(), exampleURL, events, chitarrella.RequestID("sixteen letters.")); err != nil {
		t.Fatal(err)
	}
	second := &pb.CreateWebhookRequest{Url: exampleURL, RequestId: "sixteen letters.", EventTypes: events}
	if !proto.Equal(service.requests[2], second) {
		t.Errorf("received %v", service.requests[2])
	}
}

// The webhook in the settings of the service has no time, and cannot be changed.
func TestConfiguredWebhook(t *testing.T) {
	webhooks, _ := webhooksOf(t)
	listed, err := webhooks.List(t.Context())
	if err != nil || len(listed) != 2 || !listed[0].GetConfigured() || !listed[0].GetCreateTime().IsZero() {
		t.Errorf("listed %v, error: %v", listed, err)
	}
	if err := webhooks.Delete(t.Context(), "settings"); !errors.Is(err, chitarrella.CodeWebhookConfigured) {
		t.Errorf("failed with %v", err)
	}
}

// A change has what is given only: false and the absence of a value are not the same.
func TestWebhookIsChanged(t *testing.T) {
	webhooks, service := webhooksOf(t)
	changed, err := webhooks.Update(t.Context(), "w", chitarrella.WebhookDisabled(true))
	if err != nil || !changed.GetDisabled() {
		t.Errorf("changed to %v, error: %v", changed, err)
	}
	changes := []chitarrella.UpdateWebhookOption{chitarrella.WebhookURL(exampleURL), chitarrella.WebhookDisabled(false)}
	if _, err := webhooks.Update(t.Context(), "w", changes...); err != nil {
		t.Fatal(err)
	}
	for at, request := range []*pb.UpdateWebhookRequest{
		{WebhookId: "w", Disabled: new(true)}, {WebhookId: "w", Url: new(exampleURL), Disabled: new(false)},
	} {
		if !proto.Equal(service.requests[at], request) {
			t.Errorf("received %v, expected %v", service.requests[at], request)
		}
	}
	if secret, err := webhooks.RotateSecret(t.Context(), "w"); err != nil || secret != "whsec_y" {
		t.Errorf("secret %q, error: %v", secret, err)
	}
}

// Deliveries are listed page by page in one state; a test and a repetition return theirs.
func TestDeliveries(t *testing.T) {
	webhooks, service := webhooksOf(t)
	listed := ""
	for delivery, err := range webhooks.Deliveries(t.Context(), "w", chitarrella.DeliveryFailed) {
		if err != nil || delivery.GetState() != chitarrella.DeliveryFailed {
			t.Fatalf("delivery %v, error: %v", delivery, err)
		}
		listed += delivery.GetDeliveryId() + " "
	}
	if listed != "d dmore " || len(service.requests) != 2 {
		t.Errorf("listed %s", listed)
	}
	tested, err := webhooks.Test(t.Context(), "w")
	if err != nil || tested.GetError() != "timed_out" || !tested.GetLastAttemptTime().Equal(attemptTime) {
		t.Errorf("tested %v, error: %v", tested, err)
	}
	resent, err := webhooks.Resend(t.Context(), "w", "d")
	if err != nil || resent.GetDeliveryId() != "d" || resent.GetState() != chitarrella.DeliveryPending {
		t.Errorf("resent %v, error: %v", resent, err)
	}
	if !resent.GetLastAttemptTime().IsZero() {
		t.Errorf("attempted at %v", resent.GetLastAttemptTime())
	}
}
