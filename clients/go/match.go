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

	spectatorKey secret
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

// SpectatorKey returns the key of spectators, if this client created the match and it is private: with it a [Client.Match]
// is the public.
func (m *Match) SpectatorKey() string { return m.spectatorKey.text() }

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
func (m *Match) Get(ctx context.Context) (MatchDetails, error) {
	return m.get(ctx, m.transport.retries)
}

func (m *Match) get(ctx context.Context, retries int) (MatchDetails, error) {
	request := &pb.GetMatchRequest{MatchId: m.id, Seat: m.seat.toProto()}
	answer, err := callWithRetries(ctx, m.transport, m.key, m.transport.matches.GetMatch, request, retries)
	return MatchDetails{answer}, err
}

// details makes a call whose response is the match.
func details[Q any](ctx context.Context, m *Match, method unaryMethod[Q, pb.Match], request *Q) (MatchDetails, error) {
	answer, err := call(ctx, m.transport, m.key, method, request)
	return MatchDetails{answer}, err
}

// LegalMoves lists the legal moves of the seat, none if it has to wait; for the referee, those of the seat to move.
func (m *Match) LegalMoves(ctx context.Context) (*MatchMoves, error) {
	request := &pb.ListMatchMovesRequest{MatchId: m.id, Seat: m.seat.toProto()}
	return call(ctx, m.transport, m.key, m.transport.matches.ListMatchMoves, request)
}

// ExplainHand explains every card of the seat: legal, or the clauses that forbid it; see [Suggest].
func (m *Match) ExplainHand(ctx context.Context, options ...ExplainOption) (*MatchHand, error) {
	request := &pb.ExplainMatchHandRequest{MatchId: m.id, Seat: m.seat.toProto()}
	for _, option := range options {
		option(request)
	}
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
func (m *Match) ContributeSeed(ctx context.Context, clientSeed string) (MatchDetails, error) {
	request := &pb.ContributeSeedRequest{
		MatchId: m.id, Seat: m.seat.toProto(), ClientSeed: clientSeed, RequestId: newRequestID(),
	}
	return details(ctx, m, m.transport.matches.ContributeSeed, request)
}

// ShuffleNow shuffles without waiting for more seeds; for the referee. Fails with [CodeNoShufflePending].
func (m *Match) ShuffleNow(ctx context.Context) (MatchDetails, error) {
	request := &pb.ContributeSeedRequest{MatchId: m.id, RequestId: newRequestID()}
	return details(ctx, m, m.transport.matches.ContributeSeed, request)
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
// the default move. Fails with [CodeNotASandbox], [CodeNoClock] and [CodeMatchFinished].
func (m *Match) AdvanceClock(ctx context.Context, by time.Duration, options ...AdvanceClockOption) (ClockAdvance, error) {
	request := &pb.AdvanceClockRequest{MatchId: m.id, Duration: durationOf(by), RequestId: newRequestID()}
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
// for all. Fails with [CodeNothingToTakeBack], [CodeNotYourDecision], [CodeCardsWereSeen] and [CodeRestricted].
func (m *Match) TakeBack(ctx context.Context, options ...TakeBackOption) (TakebackResult, error) {
	request := &pb.TakeBackRequest{MatchId: m.id, Seat: m.seat.toProto(), RequestId: newRequestID()}
	for _, option := range options {
		option.takeBack(request)
	}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.TakeBack, request)
	return TakebackResult{answer}, err
}

// AssignBot assigns the seat to a bot, with a thinking time for each move (0: the service's default), or back to a person
// if bot is empty. Fails with [CodeNoSuchBot], [CodeMatchFinished] and [CodeRestricted].
func (m *Match) AssignBot(ctx context.Context, bot string, think time.Duration, options ...BotOption) (MatchDetails, error) {
	made := &pb.BotSeat{ThinkTime: durationOf(think)}
	for _, option := range options {
		option(made)
	}
	request := &pb.AssignBotRequest{
		MatchId: m.id, Seat: m.seat.toProto(), Bot: bot, ThinkTime: made.ThinkTime, Delay: made.Delay,
	}
	return details(ctx, m, m.transport.matches.AssignBot, request)
}

// Join says that the player of the seat is there, with a name, or "" to leave it. A clock that waits starts when the last
// person has joined. Fails with [CodeMatchFinished].
func (m *Match) Join(ctx context.Context, playerName string) (MatchDetails, error) {
	request := &pb.JoinMatchRequest{MatchId: m.id, Seat: m.seat.toProto(), PlayerName: playerName}
	return details(ctx, m, m.transport.matches.JoinMatch, request)
}

// Resign gives up for the seat and its side; as the referee or the platform, the seat of [Match.AsSeat] forfeits. Fails
// with [CodeMatchFinished].
func (m *Match) Resign(ctx context.Context) (MatchDetails, error) {
	request := &pb.ResignMatchRequest{MatchId: m.id, Seat: m.seat.toProto()}
	return details(ctx, m, m.transport.matches.ResignMatch, request)
}

// Decide decides who has won, none for a draw, and why; for the referee and the platform. Fails with
// [CodeMatchFinished].
func (m *Match) Decide(ctx context.Context, winners []Seat, reason string) (MatchDetails, error) {
	request := &pb.DecideMatchRequest{MatchId: m.id, Reason: reason}
	for _, one := range winners {
		request.Winners = append(request.Winners, uint32(one))
	}
	return details(ctx, m, m.transport.matches.DecideMatch, request)
}

// Update changes what the platform attaches to the match, and how long it is kept; what is not given stays as it is. For
// the referee and the platform.
func (m *Match) Update(ctx context.Context, changes ...UpdateOption) (MatchDetails, error) {
	request := &pb.UpdateMatchRequest{MatchId: m.id, Labels: map[string]string{}}
	for _, change := range changes {
		change.update(request)
	}
	return details(ctx, m, m.transport.matches.UpdateMatch, request)
}

// PauseClock asks for the clock to be paused, which it is when every person has asked; the referee and the platform decide
// so. Fails with [CodeNoClock] and [CodeMatchFinished].
func (m *Match) PauseClock(ctx context.Context) (MatchDetails, error) {
	return m.pauseClock(ctx, false)
}

// ResumeClock asks for the clock to go on, as [Match.PauseClock] for the pause.
func (m *Match) ResumeClock(ctx context.Context) (MatchDetails, error) {
	return m.pauseClock(ctx, true)
}

func (m *Match) pauseClock(ctx context.Context, resume bool) (MatchDetails, error) {
	request := &pb.PauseClockRequest{MatchId: m.id, Seat: m.seat.toProto(), Resume: resume}
	return details(ctx, m, m.transport.matches.PauseClock, request)
}

// AddTime adds time to the bank of a seat, a second to a day; for the referee and the platform. Fails with [CodeNoClock]
// and [CodeMatchFinished].
func (m *Match) AddTime(ctx context.Context, seat Seat, by time.Duration, options ...AddTimeOption) (MatchDetails, error) {
	request := &pb.AddTimeRequest{MatchId: m.id, Seat: uint32(seat), Duration: durationOf(by), RequestId: newRequestID()}
	for _, option := range options {
		option.addTime(request)
	}
	return details(ctx, m, m.transport.matches.AddTime, request)
}

// Abort aborts the match, and says why, or "" for nothing; for the referee.
func (m *Match) Abort(ctx context.Context, reason string) (MatchDetails, error) {
	request := &pb.AbortMatchRequest{MatchId: m.id, Reason: reason}
	return details(ctx, m, m.transport.matches.AbortMatch, request)
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
	*pb.CreateMatchRequest
	moveCount *uint32
}

// CreateOption is an option of [Client.CreateMatch] and [Client.ImportMatch].
type CreateOption interface{ create(*matchSettings) }

type createOptionFunc func(*matchSettings)

func (o createOptionFunc) create(into *matchSettings) { o(into) }

func matchSettingsOf(options []CreateOption) matchSettings {
	request := &pb.CreateMatchRequest{RequestId: newRequestID(), Labels: map[string]string{}}
	made := matchSettings{CreateMatchRequest: request}
	for _, option := range options {
		option.create(&made)
	}
	return made
}

// FirstPack supplies the pack of the first deal, first card first; for [Client.CreateMatch].
func FirstPack(cards ...string) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.Pack = cards })
}

// FromPosition starts the match from a position in its text form; for [Client.CreateMatch].
func FromPosition(text string) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.Position = text })
}

// MoveCount plays only this many moves of the record, those of chance included; for [Client.ImportMatch].
func MoveCount(count uint32) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.moveCount = &count })
}

// Private hides the match from everybody without one of its keys.
func Private() CreateOption { return createOptionFunc(func(o *matchSettings) { o.Private = true }) }

// Bot gives a seat to a bot: "easy", "normal", "strong" or "random".
func Bot(seat Seat, bot string, options ...BotOption) CreateOption {
	made := &pb.BotSeat{Seat: uint32(seat), Bot: bot}
	for _, option := range options {
		option(made)
	}
	return createOptionFunc(func(o *matchSettings) { o.Bots = append(o.Bots, made) })
}

// BotOption is an option of [Bot] and [Match.AssignBot].
type BotOption func(*pb.BotSeat)

// Delay is how long after the last decision the bot moves at the earliest, at most 10 seconds.
func Delay(delay time.Duration) BotOption { return func(b *pb.BotSeat) { b.Delay = durationOf(delay) } }

// ThinkTime is how long the bot may think about a move, at most 2 seconds.
func ThinkTime(think time.Duration) BotOption {
	return func(b *pb.BotSeat) { b.ThinkTime = durationOf(think) }
}

// ExplainOption is an option of [Match.ExplainHand]: [Suggest].
type ExplainOption func(*pb.ExplainMatchHandRequest)

// Suggest asks for the move that a normal bot makes: Suggested of the response is its index.
func Suggest(request *pb.ExplainMatchHandRequest) { request.Suggest = true }

// Restrict says what is not allowed in the match, such as [NoTakebacks].
func Restrict(restrictions ...Restriction) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.Restrictions = append(o.Restrictions, restrictions...) })
}

// Clock is the time of the seats; it is an option of a new match.
type Clock struct {
	// MoveTime is the time of each decision.
	MoveTime time.Duration
	// Bank is what each seat has for the whole match; time beyond MoveTime is taken from it.
	Bank time.Duration
	// Increment is added to the bank of a seat after each of its decisions.
	Increment time.Duration
	// StartsWhenJoined: the clock stands still until every person has joined with [Match.Join].
	StartsWhenJoined bool
}

func (c Clock) create(into *matchSettings) {
	into.Clock = &pb.Clock{
		MoveTime: durationOf(c.MoveTime), Bank: durationOf(c.Bank), Increment: durationOf(c.Increment),
		StartsWhenJoined: c.StartsWhenJoined,
	}
}

// Sandbox makes the match a test, where the service allows tests: the same rule set and seed give the same deals, and the
// clock stands still until [Match.AdvanceClock]. An empty seed shuffles by chance. Fails with [CodeSandboxOff].
func Sandbox(seed string) CreateOption {
	return createOptionFunc(func(o *matchSettings) { o.Sandbox = &pb.Sandbox{Seed: seed} })
}

// RequestID makes a writing call idempotent, also when it is repeated later or from another process. For a new match, key
// or webhook it must be unguessable, of 16 to 64 characters. Default: a random one.
type RequestID string

func (p PackSource) create(into *matchSettings)                 { into.PackSource = pb.PackSource(p) }
func (r RequestID) create(into *matchSettings)                  { into.RequestId = string(r) }
func (r RequestID) play(into *pb.PlayMoveRequest)               { into.RequestId = string(r) }
func (r RequestID) takeBack(into *pb.TakeBackRequest)           { into.RequestId = string(r) }
func (r RequestID) rotateKey(into *pb.RotateKeyRequest)         { into.RequestId = string(r) }
func (r RequestID) advanceClock(into *pb.AdvanceClockRequest)   { into.RequestId = string(r) }
func (r RequestID) addTime(into *pb.AddTimeRequest)             { into.RequestId = string(r) }
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

// AddTimeOption is an option of [Match.AddTime]: a [RequestID].
type AddTimeOption interface{ addTime(*pb.AddTimeRequest) }

// UpdateOption is a change of [Match.Update]: the [ExternalID], a [Label], a [Player], [ExpireAfter].
type UpdateOption interface{ update(*pb.UpdateMatchRequest) }

type includeView struct{}

func (includeView) play(into *pb.PlayMoveRequest) { into.IncludeView = true }

// IncludeView requests the view after the move.
func IncludeView() PlayOption { return includeView{} }

type decline struct{}

func (decline) takeBack(into *pb.TakeBackRequest) { into.Decline = true }

// Decline declines the request of another seat, or withdraws one's own.
func Decline() TakeBackOption { return decline{} }
