// Cases that the scenarios do not reach: lost calls, cancellation by a context, times, and what is known of a position.

package chitarrella_test

import (
	"context"
	"errors"
	"net"
	"path"
	"reflect"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// fakeService fails with the given errors first, then succeeds.
type fakeService struct {
	failures []error
	played   []string
	cursors  []string
	headers  metadata.MD
	deadline *timestamppb.Timestamp
	state    chitarrella.MatchState
}

// fail returns the next failure.
func (s *fakeService) fail() error {
	if len(s.failures) == 0 {
		return nil
	}
	next := s.failures[0]
	s.failures = s.failures[1:]
	return next
}

func (s *fakeService) PlayMove(ctx context.Context, request *pb.PlayMoveRequest) (*pb.PlayMoveResponse, error) {
	s.played = append(s.played, request.GetRequestId())
	s.headers, _ = metadata.FromIncomingContext(ctx)
	if err := s.fail(); err != nil {
		return nil, err
	}
	refusal := &pb.Refusal{Code: "must_follow_suit", Clause: &pb.Clause{Key: "CO-17"}, Message: "Follow suit."}
	return &pb.PlayMoveResponse{Refusals: []*pb.Refusal{refusal}, Revision: 7}, nil
}

func (s *fakeService) GetMatch(context.Context, *pb.GetMatchRequest) (*pb.Match, error) {
	if len(s.cursors) > 1 {
		s.state = chitarrella.MatchFinished
	}
	view := &pb.View{Waiting: chitarrella.WaitingSeat, Zones: []*pb.Zone{{Name: "stock", Size: 3}}}
	return &pb.Match{
		Cursor: "2", View: view, Deadline: s.deadline, EndTime: s.deadline, State: s.state,
		Clock: &pb.Clock{Bank: durationpb.New(time.Minute), StartsWhenJoined: true},
		Seats: []*pb.MatchSeat{{Bank: durationpb.New(time.Second)}, {Bot: &pb.BotSeat{ThinkTime: durationpb.New(1e9)}}},
	}, nil
}

// WatchMatch sends a heartbeat and one update, then ends the stream regularly.
func (s *fakeService) WatchMatch(request *pb.WatchMatchRequest, stream grpc.ServerStream) error {
	s.cursors = append(s.cursors, request.GetCursor())
	next := map[string]string{"": "1", "1": "2"}[request.GetCursor()]
	_ = stream.SendMsg(&pb.MatchUpdate{})
	return stream.SendMsg(&pb.MatchUpdate{Cursor: next, Events: []*pb.Event{{Kind: "card_played"}}})
}

// connectTo returns a match of the fake service.
func connectTo(t *testing.T, service any, options ...chitarrella.Option) *chitarrella.Match {
	t.Helper()
	return clientOf(t, service, options...).Match("m", "key")
}

// handler answers a call by the method of the service that has its name: func(context, request) (response, error), or for
// a stream func(request, stream) error.
func handler(service any) grpc.StreamHandler {
	return func(_ any, stream grpc.ServerStream) error {
		name, _ := grpc.MethodFromServerStream(stream)
		method := reflect.ValueOf(service).MethodByName(path.Base(name))
		if !method.IsValid() {
			return status.Error(codes.Unimplemented, name)
		}
		streams := method.Type().NumOut() == 1
		at := 1
		if streams {
			at = 0
		}
		request := reflect.New(method.Type().In(at).Elem())
		if err := stream.RecvMsg(request.Interface()); err != nil {
			return err
		}
		arguments := []reflect.Value{reflect.ValueOf(stream.Context()), request}
		if streams {
			arguments = []reflect.Value{request, reflect.ValueOf(stream)}
		}
		results := method.Call(arguments)
		if err, _ := results[len(results)-1].Interface().(error); err != nil || streams {
			return err
		}
		return stream.SendMsg(results[0].Interface())
	}
}

// clientOf returns a client of a service, over an in-memory connection.
func clientOf(t *testing.T, service any, options ...chitarrella.Option) *chitarrella.Client {
	t.Helper()
	server := grpc.NewServer(grpc.UnknownServiceHandler(handler(service)))
	listener := bufconn.Listen(1 << 16)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	dial := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) })
	client, err := chitarrella.Connect("passthrough:///service", append(options, chitarrella.WithDialOptions(dial))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// serviceError returns an error with details as the service sends it.
func serviceError(t *testing.T, code codes.Code, reason string, particulars map[string]string) error {
	t.Helper()
	info := &errdetails.ErrorInfo{Domain: "chitarrella", Reason: reason, Metadata: particulars}
	made, err := status.New(code, "No.").WithDetails(info)
	if err != nil {
		t.Fatal(err)
	}
	return made.Err()
}

// A lost call is retried under the same request id. A refusal is a result, and an error through MoveResult.Err.
func TestLostCallIsRetried(t *testing.T) {
	service := &fakeService{failures: []error{
		status.Error(codes.Unavailable, "cut"), serviceError(t, codes.Unavailable, "store_down", nil),
	}}
	result, err := connectTo(t, service).Play(t.Context(), chitarrella.NewMove("play_card", "Ab"))
	if err != nil {
		t.Fatal(err)
	}
	if len(service.played) != 3 || service.played[0] == "" || service.played[0] != service.played[2] {
		t.Errorf("request ids: %q", service.played)
	}
	found, ok := errors.AsType[*chitarrella.RefusedError](result.Err())
	if !ok || found.GetRefusals()[0].GetCode() != chitarrella.RefusalMustFollowSuit || found.GetRevision() != 7 {
		t.Errorf("refused as %v", result.Err())
	}
}

// An error of the service is not retried, and has its code and details.
func TestServiceErrorHasCodeAndDetails(t *testing.T) {
	particulars := map[string]string{"revision": "9", "still_legal": "true", "field": "expected_revision"}
	service := &fakeService{failures: []error{serviceError(t, codes.Aborted, "stale_revision", particulars)}}
	_, err := connectTo(t, service).Play(t.Context(), chitarrella.NewMove("pass"), chitarrella.RequestID("mine"))
	failed, ok := errors.AsType[*chitarrella.Error](err)
	if !ok || !errors.Is(err, chitarrella.CodeStaleRevision) || chitarrella.CodeOf(err) != failed.GetCode() {
		t.Fatalf("failed with %v", err)
	}
	revision, known := failed.Revision()
	if revision != 9 || !known || !failed.StillLegal() {
		t.Errorf("revision %d, still legal: %v", revision, failed.StillLegal())
	}
	if failed.GetField() != "expected_revision" || failed.GetRequestID() != "mine" || failed.GetStatus() != codes.Aborted {
		t.Errorf("error: %+v", failed)
	}
	if len(service.played) != 1 {
		t.Errorf("%d attempts", len(service.played))
	}
}

// What the gRPC library of the server refuses has the name of its status as its code, whatever its message.
func TestErrorOfGrpcLibraryHasCode(t *testing.T) {
	cases := []struct {
		status  codes.Code
		message string
		code    chitarrella.Code
	}{
		{codes.ResourceExhausted, "SERVER: Received message larger than max (5 vs. 4)", "resource_exhausted"},
		{codes.Internal, "Error parsing 'grpc-timeout' metadata", chitarrella.CodeInternal},
		{codes.ResourceExhausted, "CLIENT: Received message larger than max (5 vs. 4)", "resource_exhausted"},
		{codes.Internal, "No.", chitarrella.CodeInternal},
	}
	for _, given := range cases {
		service := &fakeService{failures: []error{status.Error(given.status, given.message)}}
		_, err := connectTo(t, service).Play(t.Context(), chitarrella.NewMove("pass"))
		failed, ok := errors.AsType[*chitarrella.Error](err)
		if !ok || failed.GetCode() != given.code || failed.FromService() || failed.GetStatus() != given.status {
			t.Errorf("%s: failed with %v", given.message, err)
		}
	}
}

// A context ends the pause before a retry, and its error is wrapped in that of the call.
func TestContextEndsRetries(t *testing.T) {
	service := &fakeService{failures: []error{status.Error(codes.Unavailable, "cut"), status.Error(codes.Unavailable, "cut")}}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := connectTo(t, service).Play(ctx, chitarrella.NewMove("pass"))
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, chitarrella.CodeUnavailable) {
		t.Errorf("ended with %v", err)
	}
}

// A stream that ends while the match goes on is reopened; heartbeats are not yielded.
func TestWatchReopensEndedStream(t *testing.T) {
	service := &fakeService{}
	cursors := ""
	for update, err := range connectTo(t, service).Watch(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		cursors += update.GetCursor()
	}
	if cursors != "12" || len(service.cursors) != 2 {
		t.Errorf("received %q after %q", cursors, service.cursors)
	}
}

// A watch that stays disconnected for too long ends with the last error.
func TestWatchGivesUp(t *testing.T) {
	client, err := chitarrella.Connect("127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for update, err := range client.Match("m", "").Watch(t.Context(), chitarrella.GiveUpAfter(300*time.Millisecond)) {
		if update.MatchUpdate != nil || !errors.Is(err, chitarrella.CodeUnavailable) {
			t.Errorf("received %v, %v", update, err)
		}
	}
}

// The keys and the language are sent with every call.
func TestKeysAndLanguageAreSent(t *testing.T) {
	service := &fakeService{}
	match := connectTo(t, service, chitarrella.WithAPIKey("platform"), chitarrella.WithLanguage("it"))
	if _, err := match.Play(t.Context(), chitarrella.NewMove("pass")); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"authorization": "Bearer key", "x-api-key": "platform", "accept-language": "it",
	} {
		if values := service.headers.Get(name); len(values) != 1 || values[0] != value {
			t.Errorf("%s: %q", name, values)
		}
	}
}

// Times are those of Go, and an absent one is the zero time, not 1970.
func TestStateHasTimesAndViews(t *testing.T) {
	deadline := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	timed, err := connectTo(t, &fakeService{deadline: timestamppb.New(deadline)}).Get(t.Context())
	if err != nil || !timed.GetDeadline().Equal(deadline) || timed.Over() {
		t.Errorf("deadline %v, finished: %v, error: %v", timed.GetDeadline(), timed.Over(), err)
	}
	if clock := timed.GetClock(); !timed.GetEndTime().Equal(deadline) || clock != (chitarrella.Clock{Bank: time.Minute, StartsWhenJoined: true}) {
		t.Errorf("ended at %v, clock %v", timed.GetEndTime(), clock)
	}
	if seats := timed.GetSeats(); seats[0].GetBank() != time.Second || seats[1].GetBot().GetThinkTime() != time.Second {
		t.Errorf("seats %v", seats)
	}
	aborted, err := connectTo(t, &fakeService{state: chitarrella.MatchAborted}).Get(t.Context())
	if err != nil || !aborted.GetDeadline().IsZero() || !aborted.Over() || aborted.GetView().Finished() {
		t.Errorf("deadline %v, finished: %v, error: %v", aborted.GetDeadline(), aborted.Over(), err)
	}
	view := aborted.GetView()
	if view.Zone("stock", chitarrella.Nobody).GetSize() != 3 || view.Zone("stock", 0) != nil || view.OnTurn() != chitarrella.Nobody {
		t.Errorf("view: %v", view)
	}
}

var briscola = &chitarrella.RuleSet{GameId: "briscola"}

// fakeRules keeps the last request, and answers that everything depends on the trump.
type fakeRules struct {
	t    *testing.T
	last proto.Message
}

func (s *fakeRules) ListLegalMoves(_ context.Context, r *pb.ListLegalMovesRequest) (*pb.ListLegalMovesResponse, error) {
	s.last = r
	if r.Position == nil && r.PartialPosition == nil {
		return nil, serviceError(s.t, codes.InvalidArgument, "bad_request", map[string]string{"field": "position"})
	}
	undecided := &pb.ExplainedMove{Move: chitarrella.NewMove("play_card", "2c"), DependsOn: []string{"trump"}}
	return &pb.ListLegalMovesResponse{Undecided: []*pb.ExplainedMove{undecided}}, nil
}

func (s *fakeRules) ResolveTrick(_ context.Context, r *pb.ResolveTrickRequest) (*pb.ResolveTrickResponse, error) {
	s.last = r
	return &pb.ResolveTrickResponse{DependsOn: []string{"trump"}}, nil
}

func (s *fakeRules) ApplyMoves(_ context.Context, r *pb.ApplyMovesRequest) (*pb.ApplyMovesResponse, error) {
	s.last = r
	penalty := &pb.MovePenalty{Index: 1, Refusals: []*pb.Refusal{{Code: "zero_card_lead", Penalty: true}}}
	moves := []*pb.Move{chitarrella.NewMove("play_card", "Ab")}
	return &pb.ApplyMovesResponse{Applied: 2, Penalties: []*pb.MovePenalty{penalty}, LegalMoves: moves}, nil
}

// rulesOf returns the rules of the fake service.
func rulesOf(t *testing.T) (*chitarrella.Rules, *fakeRules) {
	t.Helper()
	service := &fakeRules{t: t}
	return clientOf(t, service).Rules, service
}

func (s *fakeRules) expect(request proto.Message) {
	s.t.Helper()
	if !proto.Equal(s.last, request) {
		s.t.Errorf("received %v, expected %v", s.last, request)
	}
}

// A partial position has its known parts only; an empty text and a zero are known.
func TestPartialPositionHasKnownParts(t *testing.T) {
	rules, service := rulesOf(t)
	known := chitarrella.NewPartialPosition(
		briscola, chitarrella.Hand(0, "Ab", "2c"), chitarrella.Trick("Rs"), chitarrella.Leader(3),
		chitarrella.DeclaredSuit(""), chitarrella.Trump(""), chitarrella.StockSize(0),
	)
	moves, err := rules.LegalMoves(t.Context(), known, chitarrella.Nobody)
	if err != nil || len(moves.GetUndecided()) != 1 || chitarrella.IsLegal(moves.GetUndecided()[0]) {
		t.Errorf("moves %v, error: %v", moves, err)
	}
	service.expect(&pb.ListLegalMovesRequest{PartialPosition: &pb.PartialPosition{
		RuleSet: briscola, Hands: []*pb.SeatCards{{Seat: 0, Cards: []string{"Ab", "2c"}}},
		Trick:     &pb.PartialTrick{Cards: []string{"Rs"}, Leader: new(uint32(3)), DeclaredSuit: new("")},
		Trump:     new(""),
		StockSize: new(uint32(0)),
	}})
}

// A position is accepted in the same place; anything else is an error of the service.
func TestPositionIsWholeOrPartial(t *testing.T) {
	rules, service := rulesOf(t)
	position := &chitarrella.Position{RuleSet: briscola, Text: "x"}
	if _, err := rules.LegalMoves(t.Context(), position, 1); err != nil {
		t.Fatal(err)
	}
	service.expect(&pb.ListLegalMovesRequest{Position: position, Seat: new(uint32(1))})
	if _, err := rules.LegalMoves(t.Context(), &pb.StartGameRequest{}, 1); !errors.Is(err, chitarrella.CodeBadRequest) {
		t.Errorf("failed with %v", err)
	}
}

// A trump that is not given is unknown, and an index that depends on it is absent.
func TestTrickOfUnknownTrump(t *testing.T) {
	rules, service := rulesOf(t)
	trick, err := rules.ResolveTrick(t.Context(), briscola, []string{"Rs", "2d"})
	if err != nil || trick.WinningIndex != nil || len(trick.GetDependsOn()) != 1 {
		t.Errorf("trick %v, error: %v", trick, err)
	}
	service.expect(&pb.ResolveTrickRequest{RuleSet: briscola, Cards: []string{"Rs", "2d"}})
	trumps := []chitarrella.ResolveOption{chitarrella.Trump(""), chitarrella.TrumpCard("MAT")}
	if _, err := rules.ResolveTrick(t.Context(), briscola, nil, trumps...); err != nil {
		t.Error(err)
	}
	service.expect(&pb.ResolveTrickRequest{RuleSet: briscola, Trump: new(""), TrumpCard: new("MAT")})
}

// Applied moves come with their penalties and the next legal moves.
func TestAppliedMovesHavePenalties(t *testing.T) {
	rules, _ := rulesOf(t)
	move := chitarrella.By(0, chitarrella.NewMove("play_card", "Ab"))
	applied, err := rules.ApplyMoves(t.Context(), &chitarrella.Position{RuleSet: briscola}, move)
	if err != nil || len(applied.GetLegalMoves()) != 1 || applied.GetPenalties()[0].GetIndex() != 1 {
		t.Errorf("applied %v, error: %v", applied, err)
	}
}
