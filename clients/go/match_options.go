// Options of creating a match, of a move and of a takeback.

package chitarrella

import (
	"time"

	pb "chitarrella/gen/chitarrella/v1"
)

// PackSource says who supplies the shuffled packs.
type PackSource = pb.PackSource

// Who supplies the shuffled packs.
const (
	// ServicePacks are shuffled by the service.
	ServicePacks = pb.PackSource_PACK_SOURCE_SERVICE
	// RefereePacks are moves of the referee, "start_deal": a physical pack, or another shuffle.
	RefereePacks = pb.PackSource_PACK_SOURCE_REFEREE
	// SharedPacks are shuffled by the service once every person has called [Match.Contribute].
	SharedPacks = pb.PackSource_PACK_SOURCE_SHARED
)

// matchSettings collects the options of a new match.
type matchSettings struct {
	packs     PackSource
	pack      []string
	position  string
	private   bool
	expires   uint32
	clock     *pb.Clock
	bots      []*pb.BotSeat
	moves     *uint32
	requestID string
}

// OpenOption is an option of [Client.CreateMatch] and [Client.ImportMatch].
type OpenOption interface{ open(*matchSettings) }

type openOptionFunc func(*matchSettings)

func (o openOptionFunc) open(into *matchSettings) { o(into) }

func matchSettingsOf(options []OpenOption) matchSettings {
	made := matchSettings{requestID: newRequestID()}
	for _, option := range options {
		option.open(&made)
	}
	return made
}

// Packs sets who supplies the packs. Default: [ServicePacks].
func Packs(source PackSource) OpenOption {
	return openOptionFunc(func(o *matchSettings) { o.packs = source })
}

// FirstPack supplies the pack of the first deal, first card first; for [Client.CreateMatch].
func FirstPack(cards ...string) OpenOption {
	return openOptionFunc(func(o *matchSettings) { o.pack = cards })
}

// FromPosition starts the match from a position in its text form; for [Client.CreateMatch].
func FromPosition(line string) OpenOption {
	return openOptionFunc(func(o *matchSettings) { o.position = line })
}

// FirstMoves replays only the first moves of the record, packs and lots included; for [Client.ImportMatch].
func FirstMoves(number uint32) OpenOption {
	return openOptionFunc(func(o *matchSettings) { o.moves = &number })
}

// Private hides the match from everybody without one of its keys.
func Private() OpenOption { return openOptionFunc(func(o *matchSettings) { o.private = true }) }

// Bot gives a seat to a bot: "random", "greedy" or "search".
func Bot(seat Seat, bot string) OpenOption {
	return openOptionFunc(func(o *matchSettings) { o.bots = append(o.bots, &pb.BotSeat{Seat: uint32(seat), Bot: bot}) })
}

// Clock limits the time of each decision, in whole seconds. Time beyond it is taken from the bank that each seat has for
// the whole match.
func Clock(move, bank time.Duration) OpenOption {
	return openOptionFunc(func(o *matchSettings) { o.clock = &pb.Clock{MoveSeconds: seconds(move), BankSeconds: seconds(bank)} })
}

// ForgottenAfter deletes the match this long after its last move or clock, in whole seconds. Default: set by the service.
func ForgottenAfter(quiet time.Duration) OpenOption {
	return openOptionFunc(func(o *matchSettings) { o.expires = seconds(quiet) })
}

func seconds(length time.Duration) uint32 { return uint32(max(0, length) / time.Second) }

// RequestID makes a writing call idempotent, also when it is repeated later or from another process. For a new match it
// must be unguessable, of 16 to 64 characters. Default: a random one.
type RequestID string

func (r RequestID) open(into *matchSettings)              { into.requestID = string(r) }
func (r RequestID) play(into *pb.PlayMoveRequest)         { into.RequestId = string(r) }
func (r RequestID) takeBack(into *pb.TakeBackRequest)     { into.RequestId = string(r) }
func (e ExpectedRevision) play(r *pb.PlayMoveRequest)     { r.ExpectedRevision = new(uint32(e)) }
func (e ExpectedRevision) takeBack(r *pb.TakeBackRequest) { r.ExpectedRevision = new(uint32(e)) }

// ExpectedRevision is a precondition: the call fails with [CodeStaleRevision] if the match has another revision.
type ExpectedRevision uint32

// PlayOption is an option of [Match.Play]: a [RequestID], an [ExpectedRevision], [WantView].
type PlayOption interface{ play(*pb.PlayMoveRequest) }

// TakeBackOption is an option of [Match.TakeBack]: a [RequestID], an [ExpectedRevision].
type TakeBackOption interface{ takeBack(*pb.TakeBackRequest) }

type wantView struct{}

func (wantView) play(into *pb.PlayMoveRequest) { into.WantView = true }

// WantView requests the view after the move.
func WantView() PlayOption { return wantView{} }
