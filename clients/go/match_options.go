// Options of creating a match, of a move and of a takeback.

package chitarrella

import (
	"time"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

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
