// The nouns of a card table: seats, the messages of the contract under short names, and the view with its piles.

package chitarrella

import (
	"google.golang.org/protobuf/proto"

	pb "chitarrella/gen/chitarrella/v1"
)

// Seat is the number of a seat. Seat 0 is a seat; where there is none, it is [Nobody].
type Seat int

// Nobody stands where no seat is meant: the table itself as a mover, "whoever is on turn" in a question, the public or
// the referee where eyes are told, and the one to move when the match is over.
const Nobody Seat = -1

// SeatOf reads a seat that the contract may leave out.
func SeatOf(seat *uint32) Seat {
	if seat == nil {
		return Nobody
	}
	return Seat(*seat)
}

// wire writes a seat as the contract has it.
func (s Seat) wire() *uint32 {
	if s < 0 {
		return nil
	}
	return proto.Uint32(uint32(s))
}

// The messages of the contract, whose fields are described there. What may be absent is a pointer; the getters answer 0
// for absent, so ask [SeatOf] for seats.
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
	// Told is what somebody learns of one move: the revision, the events, and the cursor where watching goes on.
	Told = pb.WatchMatchResponse
)

// Whom the table waits for.
const (
	WaitingSeat   = pb.Waiting_WAITING_SEAT
	WaitingTable  = pb.Waiting_WAITING_TABLE
	WaitingNobody = pb.Waiting_WAITING_NOBODY
)

// NewMove makes a move of a verb and cards; word, amount, seat and shares are fields of [Move].
func NewMove(verb string, cards ...string) *Move {
	return &Move{Verb: verb, Cards: cards}
}

// View is the table as one reader sees it.
type View struct{ *pb.View }

// OnTurn gives the seat to move, or [Nobody].
func (v View) OnTurn() Seat {
	if v.View == nil {
		return Nobody
	}
	return SeatOf(v.Turn)
}

// Pile finds the pile of a name and a seat ([Nobody] for what belongs to no seat); nil where there is none.
func (v View) Pile(name string, seat Seat) *Pile {
	for _, pile := range v.GetPiles() {
		if pile.GetName() == name && SeatOf(pile.Seat) == seat {
			return pile
		}
	}
	return nil
}

// Fact finds what is true under a name, of a seat or of the table ([Nobody]); nil where nothing is.
func (v View) Fact(name string, seat Seat) *Fact {
	for _, fact := range v.GetFacts() {
		if fact.GetName() == name && SeatOf(fact.Seat) == seat {
			return fact
		}
	}
	return nil
}

// Seen is a match as some eyes see it.
type Seen struct {
	*pb.GetMatchResponse
	// View is the table.
	View View
}

// Over tells whether nothing more will happen: the match was played to its end, or ended before.
func (s Seen) Over() bool {
	return s.GetEnded() || s.View.GetWaiting() == WaitingNobody
}
