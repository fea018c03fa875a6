// The line to the service: the connection, one call over it, and when that is repeated.

package chitarrella

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	pb "chitarrella/gen/chitarrella/v1"
)

const (
	firstDelay   = 200 * time.Millisecond
	delayFactor  = 2.5
	longestDelay = 3 * time.Second
)

// line is a connection with the stubs over it.
type line struct {
	settings
	conn      *grpc.ClientConn
	catalogue pb.CatalogueServiceClient
	rules     pb.RulesServiceClient
	matches   pb.MatchServiceClient
}

// showing gives a context whose calls show a key and the settings of the client.
func (l *line) showing(ctx context.Context, key string) context.Context {
	var shown []string
	if key != "" {
		shown = append(shown, "authorization", "Bearer "+key)
	}
	if l.apiKey != "" {
		shown = append(shown, "x-api-key", l.apiKey)
	}
	if l.language != "" {
		shown = append(shown, "accept-language", l.language)
	}
	return metadata.AppendToOutgoingContext(ctx, shown...)
}

// method is a call of a stub.
type method[Q, A any] func(context.Context, *Q, ...grpc.CallOption) (*A, error)

// ask makes a call, and repeats it as often as was set while it gets lost.
func ask[Q, A any](ctx context.Context, l *line, key string, call method[Q, A], request *Q) (*A, error) {
	return askTimes(ctx, l, key, call, request, l.retries)
}

func askTimes[Q, A any](
	ctx context.Context, l *line, key string, call method[Q, A], request *Q, retries int,
) (*A, error) {
	named, _ := any(request).(interface{ GetRequestId() string })
	requestID := ""
	if named != nil {
		requestID = named.GetRequestId()
	}
	for failures := 1; ; failures++ {
		answer, problem := try(l.showing(ctx, key), l.timeout, call, request)
		if problem == nil {
			return answer, nil
		}
		failed := readError(ctx, problem, requestID)
		if failures > retries || !failed.lost() {
			return nil, failed
		}
		if ended := pause(ctx, delayAfter(failures)); ended != nil {
			failed.cause = ended
			return nil, failed
		}
	}
}

// try makes a call once.
func try[Q, A any](ctx context.Context, timeout time.Duration, call method[Q, A], request *Q) (*A, error) {
	if timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = limited
	}
	return call(ctx, request)
}

// lost tells whether a call may not have been answered. One that a stopping service lets go is cancelled.
func (e *Error) lost() bool {
	switch e.Status {
	case codes.Unavailable, codes.DeadlineExceeded:
		return true
	case codes.Canceled:
		return !e.FromService
	}
	return false
}

// delayAfter says how long to wait after so many failures in a row: longer each time, and each a little off, so that
// those who were cut off together do not come back together.
func delayAfter(failures int) time.Duration {
	grown := float64(firstDelay) * math.Pow(delayFactor, float64(min(failures-1, 30)))
	return time.Duration(min(grown, float64(longestDelay)) * (0.8 + 0.4*mathrand.Float64()))
}

// pause waits, unless the context ends before.
func pause(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// newRequestID makes a name for a writing call, one that nobody guesses: who knows that of an opened match can have its
// keys.
func newRequestID() string {
	var number [16]byte
	_, _ = rand.Read(number[:]) // never fails
	number[6], number[8] = number[6]&0x0f|0x40, number[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", number[:4], number[4:6], number[6:8], number[8:10], number[10:])
}
