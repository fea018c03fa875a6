// Refusals: why the rules do not allow a move.

package chitarrella

import (
	"fmt"
	"strings"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// Refusal is a clause of the rule book that a move breaks, with details.
type Refusal = pb.Refusal

// ExplainedMove is a move, legal or not, with the clauses it breaks. For a [PartialPosition], DependsOn names the unknown
// parts that its legality depends on; then these are the clauses that it may break.
type ExplainedMove = pb.ExplainedMove

// The codes of refusals that many games have. They are strings and not of a type of their own, because games have more
// of them than there are constants here: [Client.Game] lists those of a game with their clauses, and new games bring
// new ones, so keep a default.
const (
	RefusalMatchOver      = "match_over"
	RefusalWrongPhase     = "wrong_phase"
	RefusalNotYourTurn    = "not_your_turn"
	RefusalNotInHand      = "not_in_hand"
	RefusalBadPack        = "bad_pack"
	RefusalBadDealer      = "bad_dealer"
	RefusalMustFollowSuit = "must_follow_suit"
)

// IsLegal reports whether a move breaks no clause, whatever the unknown parts of a [PartialPosition] are.
func IsLegal(move *ExplainedMove) bool {
	return len(move.GetRefusals()) == 0 && len(move.GetDependsOn()) == 0
}

// RefusedError is the error of a refused move; see [MoveResult.Err]. It has the refusals, at least one, and the revision.
type RefusedError struct{ MoveResult }

// Error lists the refusals: the message, the code and the clause of each.
func (e *RefusedError) Error() string {
	texts := make([]string, 0, len(e.GetRefusals()))
	for _, one := range e.GetRefusals() {
		texts = append(texts, fmt.Sprintf("%s [%s, %s]", one.GetMessage(), one.GetCode(), one.GetClause().GetKey()))
	}
	return "refused: " + strings.Join(texts, "; ")
}
