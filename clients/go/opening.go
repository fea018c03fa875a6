// How a match is opened, and what a writing call may be told besides.

package chitarrella

import (
	"time"

	pb "chitarrella/gen/chitarrella/v1"
)

// PackSource says who hands in the packs.
type PackSource = pb.PackSource

// Who hands in the packs.
const (
	// ServicePacks are shuffled by the service.
	ServicePacks = pb.PackSource_PACK_SOURCE_SERVICE
	// RefereePacks are moves of the referee, "start_deal": a physical pack, or another shuffle.
	RefereePacks = pb.PackSource_PACK_SOURCE_REFEREE
	// SharedPacks are shuffled by the service when every person has said [Match.Contribute].
	SharedPacks = pb.PackSource_PACK_SOURCE_SHARED
)

// opening is how a match is opened.
type opening struct {
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

// OpenOption is said when a match is opened.
type OpenOption interface{ open(*opening) }

type openOption func(*opening)

func (o openOption) open(into *opening) { o(into) }

func openingOf(options []OpenOption) opening {
	made := opening{requestID: newRequestID()}
	for _, option := range options {
		option.open(&made)
	}
	return made
}

// Packs says who hands in the packs; left out, they are [ServicePacks].
func Packs(source PackSource) OpenOption { return openOption(func(o *opening) { o.packs = source }) }

// FirstPack gives the first cards that are wanted, first card first; for [Client.CreateMatch].
func FirstPack(cards ...string) OpenOption { return openOption(func(o *opening) { o.pack = cards }) }

// FromPosition begins from a position, by its line; for [Client.CreateMatch].
func FromPosition(line string) OpenOption { return openOption(func(o *opening) { o.position = line }) }

// FirstMoves makes only so many moves of the record, packs and lots among them; for [Client.ImportMatch].
func FirstMoves(number uint32) OpenOption {
	return openOption(func(o *opening) { o.moves = &number })
}

// Private lets nobody look without a key of the match.
func Private() OpenOption { return openOption(func(o *opening) { o.private = true }) }

// Bot gives a seat to a bot: "random", "greedy" or "search".
func Bot(seat Seat, bot string) OpenOption {
	return openOption(func(o *opening) { o.bots = append(o.bots, &pb.BotSeat{Seat: uint32(seat), Bot: bot}) })
}

// Clock limits how long a decision may take, in whole seconds; what it takes beyond comes out of the bank that each seat
// has for the whole match.
func Clock(move, bank time.Duration) OpenOption {
	return openOption(func(o *opening) { o.clock = &pb.Clock{MoveSeconds: seconds(move), BankSeconds: seconds(bank)} })
}

// ForgottenAfter has the match forgotten so long after its last move or its clock, in whole seconds; left out, the service decides.
func ForgottenAfter(quiet time.Duration) OpenOption {
	return openOption(func(o *opening) { o.expires = seconds(quiet) })
}

func seconds(length time.Duration) uint32 { return uint32(max(0, length) / time.Second) }

// RequestID names a writing call, for who wants to repeat it later or from another process: under one id a thing is done
// once. Where a match is opened it must be one that nobody guesses, of 16 to 64 characters. Left out, one is made.
type RequestID string

func (r RequestID) open(into *opening)                    { into.requestID = string(r) }
func (r RequestID) play(into *pb.PlayMoveRequest)         { into.RequestId = string(r) }
func (r RequestID) takeBack(into *pb.TakeBackRequest)     { into.RequestId = string(r) }
func (e ExpectedRevision) play(r *pb.PlayMoveRequest)     { r.ExpectedRevision = new(uint32(e)) }
func (e ExpectedRevision) takeBack(r *pb.TakeBackRequest) { r.ExpectedRevision = new(uint32(e)) }

// ExpectedRevision has the thing done only if the table is still there; it fails with [CodeStaleRevision] otherwise.
type ExpectedRevision uint32

// PlayOption is said when a move is made: a [RequestID], an [ExpectedRevision], [WantView].
type PlayOption interface{ play(*pb.PlayMoveRequest) }

// TakeBackOption is said when a decision is to be taken back: a [RequestID], an [ExpectedRevision].
type TakeBackOption interface{ takeBack(*pb.TakeBackRequest) }

type wantView struct{}

func (wantView) play(into *pb.PlayMoveRequest) { into.WantView = true }

// WantView has the table after the move sent along.
func WantView() PlayOption { return wantView{} }
