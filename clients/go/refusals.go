// Refusals: why the rules do not allow a move.

package chitarrella

import (
	"fmt"
	"strings"

	pb "chitarrella/gen/chitarrella/v1"
)

// RefusalCode is the machine-readable reason of a refusal. Games have more of them than there are constants here:
// [Client.Game] lists those of a game with their clauses, and new games bring new ones, so keep a default.
type RefusalCode string

// The reasons common to many games.
const (
	RefusalMatchOver      RefusalCode = "match_over"
	RefusalWrongPhase     RefusalCode = "wrong_phase"
	RefusalNotYourTurn    RefusalCode = "not_your_turn"
	RefusalNotInHand      RefusalCode = "not_in_hand"
	RefusalBadPack        RefusalCode = "bad_pack"
	RefusalBadDealer      RefusalCode = "bad_dealer"
	RefusalMustFollowSuit RefusalCode = "must_follow_suit"
)

// Refusal is a broken clause of the rule book, with details.
type Refusal struct {
	// Code is the reason.
	Code RefusalCode
	// Clause that forbids the move: key, text and source.
	Clause *Clause
	// Because is the message, in the language of the client.
	Because string
	// Instead are the cards of this hand that may be played instead.
	Instead []string
	// Held are the cards of this hand that are the reason.
	Held []string
	// Word is the suit, rank, card or phase concerned; empty for none.
	Word string
	// Amount is the number concerned; nil for none.
	Amount *int32
	// Penalty is true if the move stands, at the penalty of the clause.
	Penalty bool
	// Page is the REST path of the clause in the rule book.
	Page string
}

// String returns the message, the code and the clause.
func (r Refusal) String() string {
	return fmt.Sprintf("%s [%s, %s]", r.Because, r.Code, r.Clause.GetKey())
}

// ReadRefusals converts refusals of the contract, such as those in the answers of [Rules.Batch].
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

// ExplainedMove is a move, legal or not, with the clauses it breaks.
type ExplainedMove struct {
	// Move of the seat.
	Move *Move
	// Refusals are the clauses it breaks; empty if it is legal.
	Refusals []Refusal
}

// Legal reports whether the move breaks no clause.
func (m ExplainedMove) Legal() bool { return len(m.Refusals) == 0 }

func readExplained(messages []*pb.ExplainedMove) []ExplainedMove {
	read := make([]ExplainedMove, 0, len(messages))
	for _, one := range messages {
		read = append(read, ExplainedMove{one.GetMove(), ReadRefusals(one.GetRefusals())})
	}
	return read
}

// Verdict is the result of checking a move.
type Verdict struct {
	// Accepted is true if the move would be played.
	Accepted bool
	// Refusals are the clauses it breaks; with Accepted, breaches that stand but are penalised.
	Refusals []Refusal
	// Revision of the match; 0 for a position.
	Revision uint32
}

// RefusedError is the error of a refused move; see [Played.Err].
type RefusedError struct {
	// Refusals are the clauses against the move, at least one.
	Refusals []Refusal
	// Revision of the match.
	Revision uint32
}

// Error lists the refusals.
func (e *RefusedError) Error() string {
	texts := make([]string, 0, len(e.Refusals))
	for _, one := range e.Refusals {
		texts = append(texts, one.String())
	}
	return "refused: " + strings.Join(texts, "; ")
}
