// Value types: seats, the messages of the contract under short names, and the view with its zones.

package chitarrella

import (
	"google.golang.org/protobuf/proto"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// Seat is the number of a seat, from 0; [Nobody] for none.
type Seat int

// Nobody means no seat: chance as the mover, the seat to move in a request, the public or the referee as the viewer, and
// the seat to move of a match that is finished.
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
	RuleSet    = pb.RuleSet
	Move       = pb.Move
	Share      = pb.Share
	Event      = pb.Event
	Zone       = pb.Zone
	Fact       = pb.Fact
	Outcome    = pb.Outcome
	Waiting    = pb.Waiting
	Clause     = pb.Clause
	ClientSeed = pb.ClientSeed
)

// Who has to act.
const (
	WaitingSeat   = pb.Waiting_WAITING_SEAT
	WaitingChance = pb.Waiting_WAITING_CHANCE
	WaitingNobody = pb.Waiting_WAITING_NOBODY
)

// NewMove returns a move with a verb and cards; choice, amount, seat and shares are fields of [Move].
func NewMove(verb string, cards ...string) *Move {
	return &Move{Verb: verb, Cards: cards}
}

// View is a position as visible to one viewer.
type View struct{ *pb.View }

// OnTurn returns the seat to move, or [Nobody].
func (v View) OnTurn() Seat {
	if v.View == nil {
		return Nobody
	}
	return SeatOf(v.Turn)
}

// Finished reports whether nobody has to act, because the match was played to its end.
func (v View) Finished() bool { return v.GetWaiting() == WaitingNobody }

// Zone returns the zone with a name and a seat ([Nobody] for a common zone); nil if there is none.
func (v View) Zone(name string, seat Seat) *Zone {
	for _, zone := range v.GetZones() {
		if zone.GetName() == name && SeatOf(zone.Seat) == seat {
			return zone
		}
	}
	return nil
}

// Fact returns the fact with a name, of a seat or of the whole game ([Nobody]); nil if there is none.
func (v View) Fact(name string, seat Seat) *Fact {
	for _, fact := range v.GetFacts() {
		if fact.GetName() == name && SeatOf(fact.Seat) == seat {
			return fact
		}
	}
	return nil
}
