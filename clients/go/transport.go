// Transport: the gRPC connection, unary calls over it, and their retries.

package chitarrella

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

const (
	firstDelay   = 200 * time.Millisecond
	delayFactor  = 2.5
	longestDelay = 3 * time.Second
)

// secret is a key that is printed nowhere: of a function only the address is, in whatever struct it stands.
type secret func() string

func keep(text string) secret { return func() string { return text } }

// text returns the key; empty for none.
func (s secret) text() string {
	if s == nil {
		return ""
	}
	return s()
}

// check returns an error if the key cannot be a header. It does not tell the key.
func (s secret) check(field string) error {
	if strings.ContainsFunc(s.text(), func(one rune) bool { return one < '!' || one > '~' }) {
		return mistake(field, "a key has letters, digits and signs of ASCII, without blanks and line breaks")
	}
	return nil
}

// transport is a connection with the settings of the client and the stubs of the services.
type transport struct {
	settings
	closed    atomic.Bool
	conn      *grpc.ClientConn
	catalogue pb.CatalogueServiceClient
	rules     pb.RulesServiceClient
	matches   pb.MatchServiceClient
	webhooks  pb.WebhookServiceClient
}

// withHeaders returns a context whose calls carry the match key, the API key and the language. It fails if the client is
// closed, or a key cannot be sent.
func (t *transport) withHeaders(ctx context.Context, key secret) (context.Context, error) {
	if t.closed.Load() {
		return nil, &Error{code: CodeCanceled, message: "the client is closed", status: codes.FailedPrecondition}
	}
	if err := key.check("authorization"); err != nil {
		return nil, err
	}
	var headers []string
	if key := key.text(); key != "" {
		headers = append(headers, "authorization", "Bearer "+key)
	}
	if key := t.apiKey.text(); key != "" {
		headers = append(headers, "x-api-key", key)
	}
	if t.language != "" {
		headers = append(headers, "accept-language", t.language)
	}
	return metadata.AppendToOutgoingContext(ctx, headers...), nil
}

// unaryMethod is a unary method of a generated stub.
type unaryMethod[Q, A any] func(context.Context, *Q, ...grpc.CallOption) (*A, error)

// call makes a unary call and retries it as often as the settings allow.
func call[Q, A any](ctx context.Context, t *transport, key secret, method unaryMethod[Q, A], request *Q) (*A, error) {
	return callWithRetries(ctx, t, key, method, request, t.retries)
}

func callWithRetries[Q, A any](
	ctx context.Context, t *transport, key secret, method unaryMethod[Q, A], request *Q, retries int,
) (*A, error) {
	identified, _ := any(request).(interface{ GetRequestId() string })
	requestID := ""
	if identified != nil {
		requestID = identified.GetRequestId()
	}
	for failures := 1; ; failures++ {
		headers, err := t.withHeaders(ctx, key)
		if err != nil {
			return nil, err
		}
		response, rpcError := callOnce(headers, t.timeout, method, request)
		if rpcError == nil {
			return response, nil
		}
		failure := readError(ctx, rpcError, requestID)
		if failures > retries || !failure.retryable() {
			return nil, failure
		}
		if contextError := sleep(ctx, backoffDelay(failures)); contextError != nil {
			failure.cause = contextError
			return nil, failure
		}
	}
}

// callOnce makes a single attempt.
func callOnce[Q, A any](ctx context.Context, timeout time.Duration, method unaryMethod[Q, A], request *Q) (*A, error) {
	if timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = limited
	}
	return method(ctx, request)
}

// retryable reports whether the call may have gone unanswered. A service that stops cancels the calls in flight.
func (e *Error) retryable() bool {
	switch e.status {
	case codes.Unavailable, codes.DeadlineExceeded:
		return true
	case codes.Canceled:
		return !e.fromService
	}
	return false
}

// backoffDelay returns the pause after a number of consecutive failures: exponential, with jitter, so that clients cut
// off together do not reconnect together.
func backoffDelay(failures int) time.Duration {
	delay := float64(firstDelay) * math.Pow(delayFactor, float64(min(failures-1, 30)))
	return time.Duration(min(delay, float64(longestDelay)) * (0.8 + 0.4*mathrand.Float64()))
}

// sleep waits for the delay, or returns the error of the context if that ends first.
func sleep(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// newRequestID returns a random UUID. It must not be guessable: repeating CreateMatch with the request id of a match
// returns the keys of that match.
func newRequestID() string {
	var number [16]byte
	_, _ = rand.Read(number[:]) // never fails
	number[6], number[8] = number[6]&0x0f|0x40, number[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", number[:4], number[4:6], number[6:8], number[8:10], number[10:])
}
