// A match stored by the service, seen and played with one key.

package chitarrella

import (
	"context"
	"fmt"
	"time"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// Match is a match and a key, which identifies the caller: a seat, the referee, or, if empty, the public. Printed, it has
// no keys. Its calls fail with [CodeNoSuchMatch], [CodeBadKey], [CodeKeyNeeded] and [CodeNotYourSeat].
type Match struct {
	transport *transport
	id        string
	key       secret
	seat      Seat
	keys      map[Seat]secret
}

// ID returns the id of the match.
func (m *Match) ID() string { return m.id }

// Key returns the key in use; for a match just created, the referee's.
func (m *Match) Key() string { return m.key.text() }

// Keys returns the keys of the seats of persons, if this client created the match. A key is the only proof of a seat.
func (m *Match) Keys() map[Seat]string {
	keys := make(map[Seat]string, len(m.keys))
	for seat, key := range m.keys {
		keys[seat] = key.text()
	}
	return keys
}

// String returns the id, and the seat if there is one.
func (m Match) String() string {
	if m.seat == Nobody {
		return "match " + m.id
	}
	return fmt.Sprintf("match %s as seat %d", m.id, m.seat)
}

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
	request := &pb.ValidateMatchMoveRequest{MatchId: m.id, Seat: m.seat.toProto(), Move: move}
	return call(ctx, m.transport, m.key, m.transport.matches.ValidateMatchMove, request)
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
	return m.withKey(seat, keep(answer.GetKey())), nil
}

// withKey returns the match with the new key of a seat; [Nobody] for the key in use.
func (m *Match) withKey(seat Seat, key secret) *Match {
	other := *m
	other.keys = make(map[Seat]secret, len(m.keys)+1)
	old := m.key.text()
	if seat != Nobody {
		old = m.keys[seat].text()
		other.keys[seat] = key
	}
	for known, one := range m.keys {
		if one.text() == old {
			one = key
		}
		other.keys[known] = one
	}
	if m.key.text() == old {
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

// PackSource says who supplies packs and lots; it is an option of a new match. Default: [PackSourceService].
type PackSource pb.PackSource

// Who supplies packs and lots.
const (
	// PackSourceService: the service shuffles.
	PackSourceService = PackSource(pb.PackSource_PACK_SOURCE_SERVICE)
	// PackSourceReferee: the referee supplies each by a move of chance, such as "start_deal".
	PackSourceReferee = PackSource(pb.PackSource_PACK_SOURCE_REFEREE)
	// PackSourceShared: the service shuffles when every person has called [Match.ContributeSeed].
	PackSourceShared = PackSource(pb.PackSource_PACK_SOURCE_SHARED)
)

// matchSettings collects the options of a new match.
type matchSettings struct {
	packSource PackSource
	pack       []string
	position   string
	private    bool
	expires    uint32
	clock      *pb.Clock
	bots       []*pb.BotSeat
	moveCount  *uint32
	requestID  string
	sandbox    *pb.Sandbox

	externalID  string
	labels      map[string]string
	playerNames []*pb.PlayerName
}

// CreateOption is an option of [Client.CreateMatch] and [Client.ImportMatch].
type CreateOption interface{ create(*matchSettings) }

type createOptionFunc func(*matchSettings)

func (o createOptionFunc) create(into *matchSettings) { o(into) }

func matchSettingsOf(options []CreateOption) matchSettings {
	made := matchSettings{requestID: newRequestID(), labels: map[string]string{}}
	for _, option := range options {
		option.create(&made)
	}
	return made
}

// FirstPack supplies the pack of the first deal, first card first; for [Client.CreateMatch].
func FirstPack(cards ...string) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.pack = cards })
}

// FromPosition starts the match from a position in its text form; for [Client.CreateMatch].
func FromPosition(text string) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.position = text })
}

// MoveCount plays only this many moves of the record, those of chance included; for [Client.ImportMatch].
func MoveCount(count uint32) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.moveCount = &count })
}

// Private hides the match from everybody without one of its keys.
func Private() CreateOption { return createOptionFunc(func(o *matchSettings) { o.private = true }) }

// Bot gives a seat to a bot: "random", "greedy" or "search".
func Bot(seat Seat, bot string) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.bots = append(o.bots, &pb.BotSeat{Seat: uint32(seat), Bot: bot}) })
}

// Clock limits the time of each decision, in whole seconds. Time beyond it is taken from the bank that each seat has for
// the whole match.
func Clock(move, bank time.Duration) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.clock = &pb.Clock{MoveSeconds: seconds(move), BankSeconds: seconds(bank)} })
}

// ForgottenAfter deletes the match this long after its last move or clock, in whole seconds. Default: set by the service.
func ForgottenAfter(quiet time.Duration) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.expires = seconds(quiet) })
}

// Sandbox makes the match a test, where the service allows tests: the same rule set and seed give the same deals, and the
// clock stands still until [Match.AdvanceClock]. An empty seed shuffles by chance. Fails with [CodeSandboxOff].
func Sandbox(seed string) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.sandbox = &pb.Sandbox{Seed: seed} })
}

func seconds(length time.Duration) uint32 { return uint32(max(0, length) / time.Second) }

// RequestID makes a writing call idempotent, also when it is repeated later or from another process. For a new match, key
// or webhook it must be unguessable, of 16 to 64 characters. Default: a random one.
type RequestID string

func (p PackSource) create(into *matchSettings)                 { into.packSource = p }
func (r RequestID) create(into *matchSettings)                  { into.requestID = string(r) }
func (r RequestID) play(into *pb.PlayMoveRequest)               { into.RequestId = string(r) }
func (r RequestID) takeBack(into *pb.TakeBackRequest)           { into.RequestId = string(r) }
func (r RequestID) rotateKey(into *pb.RotateKeyRequest)         { into.RequestId = string(r) }
func (r RequestID) advanceClock(into *pb.AdvanceClockRequest)   { into.RequestId = string(r) }
func (r RequestID) createWebhook(into *pb.CreateWebhookRequest) { into.RequestId = string(r) }
func (e ExpectedRevision) play(r *pb.PlayMoveRequest)           { r.ExpectedRevision = new(uint32(e)) }
func (e ExpectedRevision) takeBack(r *pb.TakeBackRequest)       { r.ExpectedRevision = new(uint32(e)) }

// ExpectedRevision is a precondition: the call fails with [CodeStaleRevision] if the match has another revision.
type ExpectedRevision uint32

// PlayOption is an option of [Match.Play]: a [RequestID], an [ExpectedRevision], [IncludeView].
type PlayOption interface{ play(*pb.PlayMoveRequest) }

// TakeBackOption is an option of [Match.TakeBack]: a [RequestID], an [ExpectedRevision], [Decline].
type TakeBackOption interface{ takeBack(*pb.TakeBackRequest) }

// RotateKeyOption is an option of [Match.RotateKey]: a [RequestID].
type RotateKeyOption interface{ rotateKey(*pb.RotateKeyRequest) }

// AdvanceClockOption is an option of [Match.AdvanceClock]: a [RequestID].
type AdvanceClockOption interface{ advanceClock(*pb.AdvanceClockRequest) }

type includeView struct{}

func (includeView) play(into *pb.PlayMoveRequest) { into.IncludeView = true }

// IncludeView requests the view after the move.
func IncludeView() PlayOption { return includeView{} }

type decline struct{}

func (decline) takeBack(into *pb.TakeBackRequest) { into.Decline = true }

// Decline declines the request of another seat, or withdraws one's own.
func Decline() TakeBackOption { return decline{} }
