// What the scenarios do not reach: calls that get lost, and what a context ends.

package chitarrella_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"chitarrella"
	pb "chitarrella/gen/chitarrella/v1"
)

// table is a service that fails as often as it is told.
type table struct {
	pb.UnimplementedMatchServiceServer
	failures []error
	played   []string
	cursors  []string
	shown    metadata.MD
}

// fail gives the next failure.
func (t *table) fail() error {
	if len(t.failures) == 0 {
		return nil
	}
	next := t.failures[0]
	t.failures = t.failures[1:]
	return next
}

func (t *table) PlayMove(ctx context.Context, request *pb.PlayMoveRequest) (*pb.PlayMoveResponse, error) {
	t.played = append(t.played, request.GetRequestId())
	t.shown, _ = metadata.FromIncomingContext(ctx)
	if err := t.fail(); err != nil {
		return nil, err
	}
	refusal := &pb.Refusal{Code: "must_follow_suit", Clause: &pb.Clause{Key: "CO-17"}, Because: "Follow suit."}
	return &pb.PlayMoveResponse{Refusals: []*pb.Refusal{refusal}, Revision: 7}, nil
}

func (t *table) GetMatch(context.Context, *pb.GetMatchRequest) (*pb.GetMatchResponse, error) {
	waiting := chitarrella.WaitingSeat
	if len(t.cursors) > 1 {
		waiting = chitarrella.WaitingNobody
	}
	return &pb.GetMatchResponse{Cursor: "2", View: &pb.View{Waiting: waiting}}, nil
}

// WatchMatch tells one thing and ends well each time, after a heartbeat.
func (t *table) WatchMatch(request *pb.WatchMatchRequest, stream grpc.ServerStreamingServer[pb.WatchMatchResponse]) error {
	t.cursors = append(t.cursors, request.GetCursor())
	next := map[string]string{"": "1", "1": "2"}[request.GetCursor()]
	_ = stream.Send(&pb.WatchMatchResponse{})
	return stream.Send(&pb.WatchMatchResponse{Cursor: next, Events: []*pb.Event{{Kind: "card_played"}}})
}

// sit connects to a service.
func sit(t *testing.T, service *table, options ...chitarrella.Option) *chitarrella.Match {
	t.Helper()
	listener := bufconn.Listen(1 << 16)
	server := grpc.NewServer()
	pb.RegisterMatchServiceServer(server, service)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	dial := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) })
	client, err := chitarrella.Connect("passthrough:///table", append(options, chitarrella.WithDialOptions(dial))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client.Match("m", "key")
}

// refused makes an error as the service does.
func refused(t *testing.T, code codes.Code, reason string, particulars map[string]string) error {
	t.Helper()
	info := &errdetails.ErrorInfo{Domain: "chitarrella", Reason: reason, Metadata: particulars}
	made, err := status.New(code, "No.").WithDetails(info)
	if err != nil {
		t.Fatal(err)
	}
	return made.Err()
}

// A call that got lost is repeated under the same request id; a refusal is an answer, and an error to who wants one.
func TestLostCallsAreRepeated(t *testing.T) {
	service := &table{failures: []error{
		status.Error(codes.Unavailable, "cut"), refused(t, codes.Unavailable, "store_down", nil),
	}}
	played, err := sit(t, service).Play(t.Context(), chitarrella.NewMove("play_card", "Ab"))
	if err != nil {
		t.Fatal(err)
	}
	if len(service.played) != 3 || service.played[0] == "" || service.played[0] != service.played[2] {
		t.Errorf("request ids: %q", service.played)
	}
	found, ok := errors.AsType[*chitarrella.RefusedError](played.Err())
	if !ok || found.Refusals[0].Code != chitarrella.RefusalMustFollowSuit || found.Revision != 7 {
		t.Errorf("refused as %v", played.Err())
	}
}

// What the service says is not asked again, and comes with its code and particulars.
func TestErrorsHaveCodes(t *testing.T) {
	particulars := map[string]string{"revision": "9", "still_legal": "true", "field": "expected_revision"}
	service := &table{failures: []error{refused(t, codes.Aborted, "stale_revision", particulars)}}
	_, err := sit(t, service).Play(t.Context(), chitarrella.NewMove("pass"), chitarrella.RequestID("mine"))
	failed, ok := errors.AsType[*chitarrella.Error](err)
	if !ok || !errors.Is(err, chitarrella.CodeStaleRevision) || chitarrella.CodeOf(err) != failed.Code {
		t.Fatalf("failed with %v", err)
	}
	revision, told := failed.Revision()
	if revision != 9 || !told || !failed.StillLegal() || failed.Field != "expected_revision" || failed.RequestID != "mine" {
		t.Errorf("it says %+v", failed)
	}
	if len(service.played) != 1 {
		t.Errorf("it was asked %d times", len(service.played))
	}
}

// A context ends waiting for the next try, and its error is found in that of the call.
func TestContextEndsRepeating(t *testing.T) {
	service := &table{failures: []error{status.Error(codes.Unavailable, "cut"), status.Error(codes.Unavailable, "cut")}}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := sit(t, service).Play(ctx, chitarrella.NewMove("pass"))
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, chitarrella.CodeUnavailable) {
		t.Errorf("ended with %v", err)
	}
}

// A stream that ends well while the match goes on is followed by another one; heartbeats are passed over.
func TestWatchGoesOnAfterAStreamHasEnded(t *testing.T) {
	service := &table{}
	heard := ""
	for told, err := range sit(t, service).Watch(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		heard += told.GetCursor()
	}
	if heard != "12" || len(service.cursors) != 2 {
		t.Errorf("heard %q after %q", heard, service.cursors)
	}
}

// A watch that stays cut off for longer than it may ends with what keeps it from coming back.
func TestWatchGivesUp(t *testing.T) {
	client, err := chitarrella.Connect("127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for told, err := range client.Match("m", "").Watch(t.Context(), chitarrella.GiveUpAfter(300*time.Millisecond)) {
		if told != nil || !errors.Is(err, chitarrella.CodeUnavailable) {
			t.Errorf("told %v, %v", told, err)
		}
	}
}

// The keys and the language are shown with every call.
func TestKeysAndLanguageAreShown(t *testing.T) {
	service := &table{}
	match := sit(t, service, chitarrella.WithAPIKey("platform"), chitarrella.WithLanguage("it"))
	if _, err := match.Play(t.Context(), chitarrella.NewMove("pass")); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"authorization": "Bearer key", "x-api-key": "platform", "accept-language": "it",
	} {
		if shown := service.shown.Get(name); len(shown) != 1 || shown[0] != value {
			t.Errorf("%s: %q", name, shown)
		}
	}
}
