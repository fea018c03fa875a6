// Watching a match: a stream of updates that reconnects by itself.

package chitarrella

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// WatchOption is an option of [Match.Watch].
type WatchOption func(*subscription)

// After resumes behind a cursor, such as that of the last [MatchUpdate], instead of starting with the first card.
func After(cursor string) WatchOption { return func(s *subscription) { s.cursor = cursor } }

// GiveUpAfter sets how long a watch may stay disconnected before it ends with the last error. Default: as long as its
// context lasts.
func GiveUpAfter(limit time.Duration) WatchOption {
	return func(s *subscription) { s.giveUp = limit }
}

// subscription is the state of one watch: its cursor, and since when it has been disconnected.
type subscription struct {
	cursor   string
	giveUp   time.Duration
	failures int
	since    time.Time
	// finished is true if no update is left; wasFinished, if the match was finished at the end of the last stream.
	finished    bool
	wasFinished bool
}

// errStopped: the consumer has left the loop.
var errStopped = errors.New("stopped")

// Watch iterates over the updates of the match as they happen, each exactly once, from the first card or [After] a
// cursor, until the match is finished. It reconnects by itself. It ends with the first permanent error, and with the error
// of the context.
func (m *Match) Watch(ctx context.Context, options ...WatchOption) iter.Seq2[MatchUpdate, error] {
	return func(yield func(MatchUpdate, error) bool) {
		s := &subscription{}
		for _, option := range options {
			option(s)
		}
		for !s.finished {
			err := m.watchOnce(ctx, s, yield)
			if errors.Is(err, errStopped) {
				return
			}
			if err != nil {
				yield(MatchUpdate{}, err)
				return
			}
		}
	}
}

// watchOnce reads one stream until it breaks or ends, then waits before the next.
func (m *Match) watchOnce(ctx context.Context, s *subscription, yield func(MatchUpdate, error) bool) error {
	if err := m.readStream(ctx, s, yield); err != nil {
		return s.afterDisconnect(ctx, err)
	}
	state, err := m.get(ctx, 0)
	if err != nil {
		return s.afterDisconnect(ctx, err)
	}
	return s.afterStreamEnd(ctx, state)
}

// readStream yields the updates of one stream until it ends; nil if it ends regularly.
func (m *Match) readStream(ctx context.Context, s *subscription, yield func(MatchUpdate, error) bool) error {
	streamContext, cancel := context.WithCancel(ctx)
	defer cancel()
	request := &pb.WatchMatchRequest{MatchId: m.id, Seat: m.seat.toProto(), Cursor: s.cursor}
	headers, err := m.transport.withHeaders(streamContext, m.key)
	if err != nil {
		return err
	}
	stream, err := m.transport.matches.WatchMatch(headers, request)
	if err != nil {
		return readError(ctx, err, "")
	}
	for {
		update, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return readError(ctx, err, "")
		}
		s.failures = 0
		if len(update.GetEvents()) == 0 { // a heartbeat
			continue
		}
		s.cursor = update.GetCursor()
		if !yield(MatchUpdate{update}, nil) {
			return errStopped
		}
	}
}

// afterDisconnect waits before the next attempt, or returns the error if there is to be none.
func (s *subscription) afterDisconnect(ctx context.Context, streamError error) error {
	failure, known := errors.AsType[*Error](streamError)
	if !known || !failure.transient() || ctx.Err() != nil {
		return streamError
	}
	if s.failures == 0 {
		s.since = time.Now()
	}
	s.failures++
	delay := backoffDelay(s.failures)
	if s.giveUp > 0 && time.Since(s.since)+delay > s.giveUp {
		return streamError
	}
	if contextError := sleep(ctx, delay); contextError != nil {
		failure.cause = contextError
		return failure
	}
	return nil
}

// afterStreamEnd decides why a stream ended regularly: the match is finished, or the service stops. If the match
// was finished after the stream, there are updates left to read.
func (s *subscription) afterStreamEnd(ctx context.Context, state MatchDetails) error {
	finished := state.Over()
	s.finished = finished && (s.wasFinished || state.GetCursor() == s.cursor)
	s.wasFinished = finished
	if finished {
		return nil
	}
	return s.afterDisconnect(ctx, &Error{
		code: CodeUnavailable, message: "the service has ended the stream", status: codes.Unavailable,
	})
}

// transient reports whether the stream may be reopened on another connection or later. An error of the service carries
// details; without them, these are the statuses of a broken connection.
func (e *Error) transient() bool {
	switch e.status {
	case codes.Unavailable:
		return true
	case codes.ResourceExhausted:
		return e.fromService
	case codes.Unknown, codes.Internal, codes.Canceled, codes.DeadlineExceeded:
		return !e.fromService
	}
	return false
}

// Events iterates over the updates so far, behind a cursor ("" for the first card). It ends with the first error.
func (m *Match) Events(ctx context.Context, cursor string) iter.Seq2[MatchUpdate, error] {
	return pages(func(token string) ([]MatchUpdate, string, error) {
		request := &pb.ListEventsRequest{MatchId: m.id, Seat: m.seat.toProto(), PageToken: cmp.Or(token, cursor)}
		page, err := call(ctx, m.transport, m.key, m.transport.matches.ListEvents, request)
		updates := make([]MatchUpdate, 0, len(page.GetUpdates()))
		for _, one := range page.GetUpdates() {
			updates = append(updates, MatchUpdate{one})
		}
		return updates, page.GetNextPageToken(), err
	})
}
