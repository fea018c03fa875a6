// What a platform attaches to its matches, and how it finds, reads and watches many of them.

package chitarrella

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/grpc/codes"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// MatchFilter is a filter of [Client.Matches]: the [ExternalID], a [Label], [PlayerNamed].
type MatchFilter interface{ list(*pb.ListMatchesRequest) }

// ExternalID is the platform's own id of a match; it is an option of a new match, and a [MatchFilter].
type ExternalID string

func (e ExternalID) create(into *matchSettings)       { into.externalID = string(e) }
func (e ExternalID) list(into *pb.ListMatchesRequest) { into.ExternalId = string(e) }

// LabelOption is what [Label] returns: an option of a new match, and a [MatchFilter].
type LabelOption struct{ key, value string }

// Label is a label of the platform's own, such as "cup" with "spring". A match may have several.
func Label(key, value string) LabelOption { return LabelOption{key, value} }

func (l LabelOption) create(into *matchSettings) { into.labels[l.key] = l.value }
func (l LabelOption) list(into *pb.ListMatchesRequest) {
	into.Labels = append(into.Labels, l.key+"="+l.value)
}

// Player names the player at a seat of a new match. Everybody who may see the match sees the name.
func Player(seat Seat, name string) CreateOption {
	return createOptionFunc(func(o *matchSettings) {
		o.playerNames = append(o.playerNames, &pb.PlayerName{Seat: uint32(seat), Name: name})
	})
}

type playerNamed string

func (p playerNamed) list(into *pb.ListMatchesRequest) { into.PlayerName = string(p) }

// PlayerNamed is the filter for matches with a player of exactly this name.
func PlayerNamed(name string) MatchFilter { return playerNamed(name) }

// GetMatches returns the states of at most 100 matches, in the same order; each is found or has its error. The key, of a
// seat or the referee, counts at its own match; at the others the caller is the public. An empty key is as for
// [Client.Match].
func (c *Client) GetMatches(ctx context.Context, ids []string, key string) ([]FoundMatch, error) {
	if key == "" {
		key = c.transport.key
	}
	request := &pb.BatchGetMatchesRequest{MatchIds: ids}
	answer, err := call(ctx, c.transport, key, c.transport.matches.BatchGetMatches, request)
	found := make([]FoundMatch, 0, len(answer.GetMatches()))
	for _, one := range answer.GetMatches() {
		found = append(found, FoundMatch{one})
	}
	return found, err
}

// WatchMatches iterates over the updates of all matches of the platform of [WithAPIKey] from now on, and over heartbeats,
// which have no match id. The first is a heartbeat: what happens after it is received. It does not reconnect, because
// updates may be missing then: it ends with an error, and [Client.Matches] and [Match.Events] return what was missed.
// Fails with [CodePlatformOnly]. To stop, leave the loop or cancel the context.
func (c *Client) WatchMatches(ctx context.Context) iter.Seq2[*PlatformUpdate, error] {
	return func(yield func(*PlatformUpdate, error) bool) {
		streamContext, cancel := context.WithCancel(ctx)
		defer cancel()
		headers := c.transport.withHeaders(streamContext, "")
		stream, err := c.transport.matches.WatchMatches(headers, &pb.WatchMatchesRequest{})
		if err != nil {
			yield(nil, readError(ctx, err, ""))
			return
		}
		for {
			update, err := stream.Recv()
			if err != nil {
				yield(nil, readPlatformError(ctx, err))
				return
			}
			if !yield(update, nil) {
				return
			}
		}
	}
}

// readPlatformError converts the end of a stream of all matches. The service never ends it without an error, so at a
// regular end something in between has ended it: updates may be missing.
func readPlatformError(ctx context.Context, err error) *Error {
	if errors.Is(err, io.EOF) {
		return &Error{code: CodeUnavailable, message: "the stream has ended", status: codes.Unavailable}
	}
	return readError(ctx, err, "")
}
