// A match that the service keeps, with the eyes and the hand of one key: looking and moving.

package chitarrella

import (
	"context"
	"maps"

	pb "chitarrella/gen/chitarrella/v1"
)

// Match is a match with a key, which says who asks: a seat, the referee, or, without one, the public. Its calls fail
// with [CodeNoSuchMatch], [CodeBadKey], [CodeKeyNeeded] and [CodeNotYourSeat].
type Match struct {
	line *line
	id   string
	key  string
	seat Seat
	keys map[Seat]string
}

// ID gives the name of the match.
func (m *Match) ID() string { return m.id }

// Key gives the key that is shown; of a match that was just opened, the referee's.
func (m *Match) Key() string { return m.key }

// Keys gives the key of every person's seat, where this client has opened the match. Whoever has a key is that seat.
func (m *Match) Keys() map[Seat]string { return maps.Clone(m.keys) }

// AsSeat speaks for a seat: with its own key where that is known, or else with the referee's.
func (m *Match) AsSeat(seat Seat) *Match {
	other := *m
	other.seat = seat
	if key, known := m.keys[seat]; known {
		other.key = key
	}
	return &other
}

// Public gives the match with the eyes of the public.
func (m *Match) Public() *Match {
	return &Match{line: m.line, id: m.id, seat: Nobody}
}

// Look looks at the table.
func (m *Match) Look(ctx context.Context) (*Seen, error) { return m.look(ctx, m.line.retries) }

func (m *Match) look(ctx context.Context, retries int) (*Seen, error) {
	request := &pb.GetMatchRequest{Match: m.id, Seat: m.seat.wire()}
	answer, err := askTimes(ctx, m.line, m.key, m.line.matches.GetMatch, request, retries)
	if err != nil {
		return nil, err
	}
	return &Seen{answer, View{answer.GetView()}}, nil
}

// LegalMoves are what a seat may do.
type LegalMoves struct {
	// Seat is the one whose person may make them; [Nobody] where no seat is to move.
	Seat Seat
	// Moves are the legal ones; none where the seat has to wait.
	Moves []*Move
	// Revision is what this holds for in a match; 0 for a position.
	Revision uint32
	// Wanted is what the table has to supply, in a position where it is to move; else nil.
	Wanted *Wanted
}

// Moves lists what the seat may do now; for the referee, what the seat to move may do.
func (m *Match) Moves(ctx context.Context) (*LegalMoves, error) {
	request := &pb.ListMatchMovesRequest{Match: m.id, Seat: m.seat.wire()}
	answer, err := ask(ctx, m.line, m.key, m.line.matches.ListMatchMoves, request)
	if err != nil {
		return nil, err
	}
	return &LegalMoves{SeatOf(answer.Seat), answer.GetMoves(), answer.GetRevision(), nil}, nil
}

// ExplainedHand is every card of a hand, and every other act within reach, each with the clauses against it.
type ExplainedHand struct {
	// Seat is the one that was explained.
	Seat Seat
	// Moves are what it might do.
	Moves []ExplainedMove
	// Revision is what this holds for in a match; 0 for a position.
	Revision uint32
}

// Hand explains every card of the seat: legal, or the clauses it would break.
func (m *Match) Hand(ctx context.Context) (*ExplainedHand, error) {
	request := &pb.ExplainMatchHandRequest{Match: m.id, Seat: m.seat.wire()}
	answer, err := ask(ctx, m.line, m.key, m.line.matches.ExplainMatchHand, request)
	if err != nil {
		return nil, err
	}
	return &ExplainedHand{SeatOf(answer.Seat), readExplained(answer.GetMoves()), answer.GetRevision()}, nil
}

// Judge judges a move without making it.
func (m *Match) Judge(ctx context.Context, move *Move) (*Verdict, error) {
	request := &pb.JudgeMoveRequest{Match: m.id, Seat: m.seat.wire(), Move: move}
	answer, err := ask(ctx, m.line, m.key, m.line.matches.JudgeMove, request)
	if err != nil {
		return nil, err
	}
	return &Verdict{answer.GetAccepted(), ReadRefusals(answer.GetRefusals()), answer.GetRevision()}, nil
}

// Played is what came of a move.
type Played struct {
	// Accepted says that the move was made.
	Accepted bool
	// Refusals are the clauses it breaks; with Accepted, breaches that the rules let happen at a price.
	Refusals []Refusal
	// Revision is the one after it.
	Revision uint32
	// Events are what happened, as the mover may know it.
	Events []*Event
	// View is the table after it, empty unless [WantView] was said.
	View View
	// Repeated says that this request id had been played before: nothing has happened now.
	Repeated bool
}

// Err gives a [RefusedError] where the move was refused, for those to whom that is an error.
func (p *Played) Err() error {
	if p.Accepted {
		return nil
	}
	return &RefusedError{p.Refusals, p.Revision}
}

// Play makes a move; the referee, if not by [Match.AsSeat], moves for the table. A refusal is no error but an answer:
// see [Played]. Errors are [CodeMalformedMove], [CodeStaleRevision], [CodeRequestReused] and those of every call.
func (m *Match) Play(ctx context.Context, move *Move, options ...PlayOption) (*Played, error) {
	request := &pb.PlayMoveRequest{Match: m.id, Seat: m.seat.wire(), Move: move, RequestId: newRequestID()}
	for _, option := range options {
		option.play(request)
	}
	answer, err := ask(ctx, m.line, m.key, m.line.matches.PlayMove, request)
	if err != nil {
		return nil, err
	}
	return &Played{
		Accepted: answer.GetAccepted(), Refusals: ReadRefusals(answer.GetRefusals()), Revision: answer.GetRevision(),
		Events: answer.GetEvents(), View: View{answer.View}, Repeated: answer.GetRepeatedRequest(),
	}, nil
}
