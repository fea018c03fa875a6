// A match stored by the service, seen and played with one key.

package chitarrella

import (
	"context"
	"maps"
	"time"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// Match is a match and a key, which identifies the caller: a seat, the referee, or, if empty, the public. Its calls fail
// with [CodeNoSuchMatch], [CodeBadKey], [CodeKeyNeeded] and [CodeNotYourSeat].
type Match struct {
	transport *transport
	id        string
	key       string
	seat      Seat
	keys      map[Seat]string
}

// ID returns the id of the match.
func (m *Match) ID() string { return m.id }

// Key returns the key in use; for a match just created, the referee's.
func (m *Match) Key() string { return m.key }

// Keys returns the keys of the seats of persons, if this client created the match. A key is the only proof of a seat.
func (m *Match) Keys() map[Seat]string { return maps.Clone(m.keys) }

// AsSeat acts for a seat: with the seat's own key if known, else with the referee's.
func (m *Match) AsSeat(seat Seat) *Match {
	other := *m
	other.seat = seat
	if key, known := m.keys[seat]; known {
		other.key = key
	}
	return &other
}

// Public returns the match without a key, as the public sees it.
func (m *Match) Public() *Match {
	return &Match{transport: m.transport, id: m.id, seat: Nobody}
}

// Get returns the current state of the match.
func (m *Match) Get(ctx context.Context) (MatchState, error) { return m.get(ctx, m.transport.retries) }

func (m *Match) get(ctx context.Context, retries int) (MatchState, error) {
	request := &pb.GetMatchRequest{MatchId: m.id, Seat: m.seat.toProto()}
	answer, err := callWithRetries(ctx, m.transport, m.key, m.transport.matches.GetMatch, request, retries)
	return MatchState{answer}, err
}

// LegalMoves lists the legal moves of the seat, none if it has to wait; for the referee, those of the seat to move.
func (m *Match) LegalMoves(ctx context.Context) (*MatchMoves, error) {
	request := &pb.ListMatchMovesRequest{MatchId: m.id, Seat: m.seat.toProto()}
	return call(ctx, m.transport, m.key, m.transport.matches.ListMatchMoves, request)
}

// ExplainHand explains every card of the seat: legal, or the clauses that forbid it.
func (m *Match) ExplainHand(ctx context.Context) (*MatchHand, error) {
	request := &pb.ExplainMatchHandRequest{MatchId: m.id, Seat: m.seat.toProto()}
	return call(ctx, m.transport, m.key, m.transport.matches.ExplainMatchHand, request)
}

// ValidateMove validates a move without playing it. A refusal is a result, not an error.
func (m *Match) ValidateMove(ctx context.Context, move *Move) (*MatchMoveValidation, error) {
	request := &pb.MatchServiceValidateMoveRequest{MatchId: m.id, Seat: m.seat.toProto(), Move: move}
	return call(ctx, m.transport, m.key, m.transport.matches.ValidateMove, request)
}

// Play plays a move; the referee without [Match.AsSeat] plays the moves of chance. A refusal is a result, not an error:
// see [MoveResult]. Errors: [CodeMalformedMove], [CodeStaleRevision], [CodeRequestReused] and those of every call.
func (m *Match) Play(ctx context.Context, move *Move, options ...PlayOption) (MoveResult, error) {
	request := &pb.PlayMoveRequest{MatchId: m.id, Seat: m.seat.toProto(), Move: move, RequestId: newRequestID()}
	for _, option := range options {
		option.play(request)
	}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.PlayMove, request)
	return MoveResult{answer}, err
}

// ContributeSeed adds the seed of the seat to the pending shuffle: any text without line breaks, best a long random one.
// Fails with [CodeNoShufflePending] and [CodeAlreadyContributed].
func (m *Match) ContributeSeed(ctx context.Context, clientSeed string) (*SeedResult, error) {
	request := &pb.ContributeSeedRequest{
		MatchId: m.id, Seat: m.seat.toProto(), ClientSeed: clientSeed, RequestId: newRequestID(),
	}
	return call(ctx, m.transport, m.key, m.transport.matches.ContributeSeed, request)
}

// ShuffleNow shuffles without waiting for more seeds; for the referee. Fails with [CodeNoShufflePending].
func (m *Match) ShuffleNow(ctx context.Context) (*SeedResult, error) {
	request := &pb.ContributeSeedRequest{MatchId: m.id, RequestId: newRequestID()}
	return call(ctx, m.transport, m.key, m.transport.matches.ContributeSeed, request)
}

// Shuffles lists every shuffle and lot with its proof, as far as that can be published yet; [IsFair] verifies them.
func (m *Match) Shuffles(ctx context.Context) (*Shuffles, error) {
	request := &pb.ListShufflesRequest{MatchId: m.id}
	return call(ctx, m.transport, m.key, m.transport.matches.ListShuffles, request)
}

// Record returns the record of the match: to the referee at any time, to everybody when it is finished. Fails with
// [CodeMatchRunning].
func (m *Match) Record(ctx context.Context) (string, error) {
	request := &pb.GetRecordRequest{MatchId: m.id}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.GetRecord, request)
	return answer.GetRecord(), err
}

// EnforceClock plays the default move of a seat that is out of time, or shuffles if the time for seeds is used up. Fails
// with [CodeNoClock].
func (m *Match) EnforceClock(ctx context.Context) (ClockResult, error) {
	request := &pb.EnforceClockRequest{MatchId: m.id}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.EnforceClock, request)
	return ClockResult{answer}, err
}

// AdvanceClock moves the time of a test forward, in whole seconds; for the referee. A seat that is then out of time plays
// the default move. Fails with [CodeNotASandbox], [CodeNoClock] and [CodeMatchOver].
func (m *Match) AdvanceClock(ctx context.Context, by time.Duration, options ...AdvanceClockOption) (ClockAdvance, error) {
	request := &pb.AdvanceClockRequest{MatchId: m.id, Seconds: seconds(by), RequestId: newRequestID()}
	for _, option := range options {
		option.advanceClock(request)
	}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.AdvanceClock, request)
	return ClockAdvance{answer}, err
}

// RotateKey replaces the key in use ([Nobody]), or, for the referee, that of a seat, and returns the match with the new
// key: its Key, or that of the seat in its Keys. The old key is closed at once: this Match goes on only if its own key
// stays, and watches with the old key end with [CodeBadKey].
func (m *Match) RotateKey(ctx context.Context, seat Seat, options ...RotateKeyOption) (*Match, error) {
	request := &pb.RotateKeyRequest{MatchId: m.id, Seat: seat.toProto(), RequestId: newRequestID()}
	for _, option := range options {
		option.rotateKey(request)
	}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.RotateKey, request)
	if err != nil {
		return nil, err
	}
	return m.withKey(seat, answer.GetKey()), nil
}

// withKey returns the match with the new key of a seat; [Nobody] for the key in use.
func (m *Match) withKey(seat Seat, key string) *Match {
	other := *m
	other.keys = make(map[Seat]string, len(m.keys)+1)
	old := m.key
	if seat != Nobody {
		old = m.keys[seat]
		other.keys[seat] = key
	}
	for known, one := range m.keys {
		if one == old {
			one = key
		}
		other.keys[known] = one
	}
	if m.key == old {
		other.key = key
	}
	return &other
}

// TakeBack requests that the last decision be taken back, agrees to it, or declines with [Decline]; the referee decides
// for all. Fails with [CodeNothingToTakeBack], [CodeNotYourDecision] and [CodeCardsWereSeen].
func (m *Match) TakeBack(ctx context.Context, options ...TakeBackOption) (*TakebackResult, error) {
	request := &pb.TakeBackRequest{MatchId: m.id, Seat: m.seat.toProto(), RequestId: newRequestID()}
	for _, option := range options {
		option.takeBack(request)
	}
	return call(ctx, m.transport, m.key, m.transport.matches.TakeBack, request)
}

// AssignBot assigns the seat to a bot, with a thinking time for each move (0: the service's default), or back to a person
// if bot is empty. It returns the seats that bots play. Fails with [CodeNoSuchBot] and [CodeMatchOver].
func (m *Match) AssignBot(ctx context.Context, bot string, think time.Duration) ([]*BotSeat, error) {
	request := &pb.AssignBotRequest{
		MatchId: m.id, Seat: m.seat.toProto(), Bot: bot, ThinkMs: uint32(max(0, think).Milliseconds()),
	}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.AssignBot, request)
	return answer.GetBots(), err
}

// Abort aborts the match and returns its last revision; for the referee.
func (m *Match) Abort(ctx context.Context) (uint32, error) {
	request := &pb.AbortMatchRequest{MatchId: m.id}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.AbortMatch, request)
	return answer.GetRevision(), err
}

// Delete deletes the match and all its data at once; for the referee.
func (m *Match) Delete(ctx context.Context) error {
	_, err := call(ctx, m.transport, m.key, m.transport.matches.DeleteMatch, &pb.DeleteMatchRequest{MatchId: m.id})
	return err
}
