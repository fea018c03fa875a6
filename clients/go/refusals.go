// Refusals: why the rules do not allow a move.

package chitarrella

import (
	"fmt"
	"strings"

	pb "chitarrella/gen/chitarrella/v1"
)

// RefusalCode is the reason of a refusal, to be switched on. Games have more of them than there are constants here:
// [Client.Game] lists those of a game with their clauses, and new games bring new ones, so keep a default.
type RefusalCode string

// The reasons that all games have, or many.
const (
	RefusalMatchOver      RefusalCode = "match_over"
	RefusalWrongPhase     RefusalCode = "wrong_phase"
	RefusalNotYourTurn    RefusalCode = "not_your_turn"
	RefusalNotInHand      RefusalCode = "not_in_hand"
	RefusalBadPack        RefusalCode = "bad_pack"
	RefusalBadDealer      RefusalCode = "bad_dealer"
	RefusalMustFollowSuit RefusalCode = "must_follow_suit"
)

// Refusal is a broken clause of the rule book, with the particulars.
type Refusal struct {
	// Code is the reason.
	Code RefusalCode
	// Clause is what forbids the move: its number, its sentence and its source.
	Clause *Clause
	// Because says the same in a sentence, in the language of the client.
	Because string
	// Instead are the cards of this hand that might be played instead.
	Instead []string
	// Held are the cards of this hand that are at fault.
	Held []string
	// Word is the suit, rank, card or phase that it is about; empty for none.
	Word string
	// Amount is the number that it is about; nil for none.
	Amount *int32
	// Penalty says that the move is accepted all the same, and costs what the clause says.
	Penalty bool
	// Page is where the clause stands in the rule book, as a path at the REST door.
	Page string
}

// String says why, and by which clause.
func (r Refusal) String() string {
	return fmt.Sprintf("%s [%s, %s]", r.Because, r.Code, r.Clause.GetKey())
}

// ReadRefusals reads refusals of the contract, such as those in the answers of [Rules.Batch].
func ReadRefusals(messages []*pb.Refusal) []Refusal {
	read := make([]Refusal, 0, len(messages))
	for _, one := range messages {
		read = append(read, Refusal{
			Code: RefusalCode(one.GetCode()), Clause: one.GetClause(), Because: one.GetBecause(),
			Instead: one.GetInstead(), Held: one.GetHeld(), Word: one.GetWord(), Amount: one.Amount,
			Penalty: one.GetPenalty(), Page: one.GetPage(),
		})
	}
	return read
}

// ExplainedMove is one thing that a seat might do, with the clauses against it.
type ExplainedMove struct {
	// Move is what might be done.
	Move *Move
	// Refusals are the clauses against it; none where it is legal.
	Refusals []Refusal
}

// Legal tells whether no clause is against it.
func (m ExplainedMove) Legal() bool { return len(m.Refusals) == 0 }

func readExplained(messages []*pb.ExplainedMove) []ExplainedMove {
	read := make([]ExplainedMove, 0, len(messages))
	for _, one := range messages {
		read = append(read, ExplainedMove{one.GetMove(), ReadRefusals(one.GetRefusals())})
	}
	return read
}

// Verdict says whether a move would be accepted, and every clause it breaks.
type Verdict struct {
	// Accepted says that the move would be made.
	Accepted bool
	// Refusals are the clauses it breaks; with Accepted, breaches that the rules let happen at a price.
	Refusals []Refusal
	// Revision is what this holds for in a match; 0 for a position.
	Revision uint32
}

// RefusedError says that a move was refused; see [Played.Err].
type RefusedError struct {
	// Refusals are the clauses against the move, at least one.
	Refusals []Refusal
	// Revision is where the table stands.
	Revision uint32
}

// Error says every clause against the move.
func (e *RefusedError) Error() string {
	said := make([]string, 0, len(e.Refusals))
	for _, one := range e.Refusals {
		said = append(said, one.String())
	}
	return "refused: " + strings.Join(said, "; ")
}
