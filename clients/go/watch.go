// Following a match through cuts.

package chitarrella

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc/codes"

	pb "chitarrella/gen/chitarrella/v1"
)

// WatchOption is said when a match is watched.
type WatchOption func(*following)

// After goes on behind a cursor, such as that of the last [Told], instead of the first card.
func After(cursor string) WatchOption { return func(f *following) { f.cursor = cursor } }

// GiveUpAfter sets how long a watch may stay cut off before it ends with the error that keeps it from coming back; left
// out, it tries as long as its context lasts.
func GiveUpAfter(cutOff time.Duration) WatchOption { return func(f *following) { f.giveUp = cutOff } }

// following is where one who watches stands, and since when the way is cut.
type following struct {
	cursor     string
	giveUp     time.Duration
	failures   int
	since      time.Time
	over       bool
	overBefore bool
}

// errEnough says that who listens has heard enough.
var errEnough = errors.New("enough")

// Watch goes through what happens in the match, as it happens, each thing once, from the first card or [After] a cursor
// on, until the match is over. After a cut it comes back by itself. It ends with the first error that trying again would
// not help, and with that of the context.
func (m *Match) Watch(ctx context.Context, options ...WatchOption) iter.Seq2[*Told, error] {
	return func(yield func(*Told, error) bool) {
		f := &following{}
		for _, option := range options {
			option(f)
		}
		for !f.over {
			err := m.follow(ctx, f, yield)
			if errors.Is(err, errEnough) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// follow listens once, until the stream is cut or ends, then waits as long as is right before listening again.
func (m *Match) follow(ctx context.Context, f *following, yield func(*Told, error) bool) error {
	if err := m.listen(ctx, f, yield); err != nil {
		return f.afterCut(ctx, err)
	}
	seen, err := m.look(ctx, 0)
	if err != nil {
		return f.afterCut(ctx, err)
	}
	return f.afterEnd(ctx, seen)
}

// listen tells what one stream says, until it ends: nil where it ends well.
func (m *Match) listen(ctx context.Context, f *following, yield func(*Told, error) bool) error {
	listening, hangUp := context.WithCancel(ctx)
	defer hangUp()
	request := &pb.WatchMatchRequest{Match: m.id, Seat: m.seat.wire(), Cursor: f.cursor}
	stream, err := m.line.matches.WatchMatch(m.line.showing(listening, m.key), request)
	if err != nil {
		return readError(ctx, err, "")
	}
	for {
		told, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return readError(ctx, err, "")
		}
		f.failures = 0
		if len(told.GetEvents()) == 0 { // a heartbeat
			continue
		}
		f.cursor = told.GetCursor()
		if !yield(told, nil) {
			return errEnough
		}
	}
}

// afterCut waits before the next try; it gives the error where there is to be none.
func (f *following) afterCut(ctx context.Context, problem error) error {
	failed, known := errors.AsType[*Error](problem)
	if !known || !failed.passing() || ctx.Err() != nil {
		return problem
	}
	if f.failures == 0 {
		f.since = time.Now()
	}
	f.failures++
	delay := delayAfter(f.failures)
	if f.giveUp > 0 && time.Since(f.since)+delay > f.giveUp {
		return problem
	}
	if ended := pause(ctx, delay); ended != nil {
		failed.cause = ended
		return failed
	}
	return nil
}

// afterEnd decides what a stream that has ended well means: the match is over, or the service stops. If the match came
// to its end only after the stream, there is something left to be heard.
func (f *following) afterEnd(ctx context.Context, seen *Seen) error {
	over := seen.Over()
	f.over = over && (f.overBefore || seen.GetCursor() == f.cursor)
	f.overBefore = over
	if over {
		return nil
	}
	return f.afterCut(ctx, &Error{
		Code: CodeUnavailable, Because: "the service has ended the stream", Status: codes.Unavailable,
	})
}

// passing tells whether this may be different on another connection, or a little later. If the service itself says it,
// it sends details; otherwise these are what a stream ends with when the way is cut.
func (e *Error) passing() bool {
	switch e.Status {
	case codes.Unavailable:
		return true
	case codes.ResourceExhausted:
		return e.FromService
	case codes.Unknown, codes.Internal, codes.Canceled, codes.DeadlineExceeded:
		return !e.FromService
	}
	return false
}

// Events goes through what has happened so far, from the first card or behind a cursor on ("" for the first card). It
// ends with the first error.
func (m *Match) Events(ctx context.Context, cursor string) iter.Seq2[*Told, error] {
	return func(yield func(*Told, error) bool) {
		for more := true; more; {
			request := &pb.ListEventsRequest{Match: m.id, Seat: m.seat.wire(), Cursor: cursor}
			page, err := ask(ctx, m.line, m.key, m.line.matches.ListEvents, request)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, told := range page.GetMoves() {
				if !yield(told, nil) {
					return
				}
			}
			cursor, more = page.GetCursor(), page.GetMore()
		}
	}
}
