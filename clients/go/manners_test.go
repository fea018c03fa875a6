// No key is in anything printed, a mistake of the caller is an error at once, and a dropped watch ends its call.

package chitarrella_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// No key is printed with any object, also where it stands in a struct of the caller; each is there for who asks for it.
func TestNoKeyIsPrinted(t *testing.T) {
	settings := []chitarrella.Option{
		chitarrella.WithKey("own_key"), chitarrella.WithAPIKey("platform_key"), chitarrella.WithRetries(0),
	}
	service := &fakePlatform{}
	client := clientOf(t, service, settings...)
	created, err := client.CreateMatch(t.Context(), briscola)
	if err != nil {
		t.Fatal(err)
	}
	seat, opened := created.AsSeat(0), client.Match("m", "")
	rotated, err := created.RotateKey(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	joined, err := seat.Join(t.Context(), "Anna")
	if err != nil {
		t.Fatal(err)
	}
	service.failures = []error{status.Error(codes.Unavailable, "cut")}
	_, failure := client.ImportMatch(t.Context(), "", chitarrella.RequestID("id_of_keys"))
	hooks := clientOf(t, &fakeWebhooks{t: t}).Webhooks
	webhook, err := hooks.Create(t.Context(), exampleURL)
	if err != nil {
		t.Fatal(err)
	}
	things := []any{client, *client.Rules, client.Webhooks, created, seat, *seat, rotated, opened, joined, webhook, &webhook, failure}
	things = append(things, things, struct {
		match   chitarrella.Match
		webhook chitarrella.CreatedWebhook
	}{*seat, webhook}, settings)
	for _, thing := range things {
		printed, _ := json.Marshal(thing)
		texts := string(printed)
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			texts += fmt.Sprintf(verb+"\n", thing)
		}
		for _, key := range []string{"referee", "first", "second", "new", "own_key", "platform_key", "whsec_x", "id_of_keys", "onlooker"} {
			if strings.Contains(texts, key) || strings.Contains(texts, fmt.Sprintf("%x", key)) {
				t.Errorf("%s is printed with %T: %s", key, thing, texts)
			}
		}
	}
	readable := []string{created.Key(), seat.Key(), created.Keys()[1], rotated.Keys()[1], opened.Key(), webhook.GetSecret(), created.SpectatorKey()}
	if strings.Join(readable, " ") != "referee first second new own_key whsec_x onlooker" || seat.String() != "match m as seat 0" {
		t.Errorf("readable %q of %v", readable, seat)
	}
}

// What a caller gets wrong is an error at once, and so is a call of a closed client.
func TestMistakesOfTheCaller(t *testing.T) {
	for target, sentence := range map[string]string{
		"http://localhost:50051": "the target has no scheme: it is localhost:50051", "localhost": "the target is host:port",
		"localhost:50051/v1": "the target is host:port", "localhost:": "the target is host:port",
	} {
		if _, err := chitarrella.Connect(target); chitarrella.CodeOf(err) != chitarrella.CodeBadRequest || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%s: failed with %v", target, err)
		}
	}
	if _, err := chitarrella.Connect("localhost:50051", chitarrella.WithAPIKey("clé")); err == nil || strings.Contains(err.Error(), "cl") {
		t.Errorf("failed with %v", err)
	}
	client := clientOf(t, &fakeService{})
	_, err := client.Match("m", "a\nb").Get(t.Context())
	if chitarrella.CodeOf(err) != chitarrella.CodeBadRequest {
		t.Errorf("failed with %v", err)
	}
	_ = client.Close()
	_, err = client.Match("m", "").Get(t.Context())
	for _, watched := range client.Match("m", "").Watch(t.Context()) {
		if err == nil || watched == nil || watched.Error() != err.Error() || !strings.Contains(err.Error(), "the client is closed") {
			t.Errorf("failed with %v, %v", err, watched)
		}
	}
}

// A port of another protocol is said in a sentence, without retries.
func TestWrongPort(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			caller, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = caller.Write([]byte("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"))
			_ = caller.Close()
		}
	}()
	for sentence, options := range map[string][]chitarrella.Option{
		"does not speak gRPC": nil, "does not speak TLS": {chitarrella.WithTLS(&tls.Config{})},
	} {
		client, err := chitarrella.Connect(listener.Addr().String(), options...)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if _, err = client.Game(t.Context(), "briscola"); err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("failed with %v", err)
		}
		if time.Since(begun) > time.Second {
			t.Error("retried")
		}
		_ = client.Close()
	}
}

// openService counts the calls that are open.
type openService struct{ opened, ended chan bool }

func (s *openService) WatchMatch(_ *pb.WatchMatchRequest, stream grpc.ServerStream) error {
	s.opened <- true
	_ = stream.SendMsg(&pb.MatchUpdate{Cursor: "1", Events: []*pb.Event{{Kind: "card_played"}}})
	<-stream.Context().Done()
	s.ended <- true
	return nil
}

// A watch that is left, by return or by a panic, ends its call.
func TestDroppedWatchEndsItsCall(t *testing.T) {
	service := &openService{make(chan bool, 9), make(chan bool, 9)}
	match := connectTo(t, service)
	drops := map[string]func(context.Context){
		"break": func(ctx context.Context) {
			for range match.Watch(ctx) {
				break
			}
		},
		"panic": func(ctx context.Context) {
			defer func() { _ = recover() }()
			for range match.Watch(ctx) {
				panic("of the caller")
			}
		},
	}
	for name, drop := range drops {
		drop(t.Context())
		<-service.opened
		select {
		case <-service.ended:
		case <-time.After(5 * time.Second):
			t.Errorf("%s: the call goes on", name)
		}
	}
}
