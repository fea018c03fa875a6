// Value types: seats, the messages of the contract under short names, and the view with its piles.

package chitarrella

import (
	"google.golang.org/protobuf/proto"

	pb "chitarrella/gen/chitarrella/v1"
)

// Seat is the number of a seat, from 0; [Nobody] for none.
type Seat int

// Nobody means no seat: chance as the mover, the seat to move in a request, the public or the referee as the viewer, and
// the seat to move of a match that is over.
const Nobody Seat = -1

// SeatOf converts an optional seat of the contract.
func SeatOf(seat *uint32) Seat {
	if seat == nil {
		return Nobody
	}
	return Seat(*seat)
}

// toProto converts a seat to an optional field of the contract.
func (s Seat) toProto() *uint32 {
	if s < 0 {
		return nil
	}
	return proto.Uint32(uint32(s))
}

// The messages of the contract, whose fields are described there. Optional fields are pointers. Their getters return 0
// if the field is absent, so use [SeatOf] for seats.
type (
	Agreement    = pb.Agreement
	Move         = pb.Move
	Share        = pb.Share
	Event        = pb.Event
	Pile         = pb.Pile
	Fact         = pb.Fact
	Outcome      = pb.Outcome
	Waiting      = pb.Waiting
	Clause       = pb.Clause
	Contribution = pb.Contribution
	Draw         = pb.Draw
	BotSeat      = pb.BotSeat
	// Told is an update: the revision and visible events of one move, and the cursor to resume from.
	Told = pb.WatchMatchResponse
)

// Who is to move.
const (
	WaitingSeat   = pb.Waiting_WAITING_SEAT
	WaitingTable  = pb.Waiting_WAITING_TABLE
	WaitingNobody = pb.Waiting_WAITING_NOBODY
)

// NewMove returns a move with a verb and cards; word, amount, seat and shares are fields of [Move].
func NewMove(verb string, cards ...string) *Move {
	return &Move{Verb: verb, Cards: cards}
}

// View is the state of the match as visible to one viewer.
type View struct{ *pb.View }

// OnTurn returns the seat to move, or [Nobody].
func (v View) OnTurn() Seat {
	if v.View == nil {
		return Nobody
	}
	return SeatOf(v.Turn)
}

// Pile returns the pile with a name and a seat ([Nobody] for a common pile); nil if there is none.
func (v View) Pile(name string, seat Seat) *Pile {
	for _, pile := range v.GetPiles() {
		if pile.GetName() == name && SeatOf(pile.Seat) == seat {
			return pile
		}
	}
	return nil
}

// Fact returns the fact with a name, of a seat or of the whole table ([Nobody]); nil if there is none.
func (v View) Fact(name string, seat Seat) *Fact {
	for _, fact := range v.GetFacts() {
		if fact.GetName() == name && SeatOf(fact.Seat) == seat {
			return fact
		}
	}
	return nil
}

// Seen is a match as visible to one viewer.
type Seen struct {
	*pb.GetMatchResponse
	// View of the table.
	View View
}

// Over reports whether the match is finished or aborted.
func (s Seen) Over() bool {
	return s.GetEnded() || s.View.GetWaiting() == WaitingNobody
}
