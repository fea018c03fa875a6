// A match stored by the service, seen and played with one key.

package chitarrella

import (
	"context"
	"maps"
	"time"

	pb "chitarrella/gen/chitarrella/v1"
)

// Match is a match and a key, which identifies the caller: a seat, the referee, or, if empty, the public. Its calls fail
// with [CodeNoSuchMatch], [CodeBadKey], [CodeKeyNeeded] and [CodeNotYourSeat].
type Match struct {
	transport *transport
	id        string
	key       string
	seat      Seat
	keys      map[Seat]string
}

// ID returns the id of the match.
func (m *Match) ID() string { return m.id }

// Key returns the key in use; for a match just created, the referee's.
func (m *Match) Key() string { return m.key }

// Keys returns the keys of the seats of persons, if this client created the match. A key is the only proof of a seat.
func (m *Match) Keys() map[Seat]string { return maps.Clone(m.keys) }

// AsSeat acts for a seat: with the seat's own key if known, else with the referee's.
func (m *Match) AsSeat(seat Seat) *Match {
	other := *m
	other.seat = seat
	if key, known := m.keys[seat]; known {
		other.key = key
	}
	return &other
}

// Public returns the match without a key, as the public sees it.
func (m *Match) Public() *Match {
	return &Match{transport: m.transport, id: m.id, seat: Nobody}
}

// Look returns the current state of the match.
func (m *Match) Look(ctx context.Context) (*Seen, error) { return m.look(ctx, m.transport.retries) }

func (m *Match) look(ctx context.Context, retries int) (*Seen, error) {
	request := &pb.GetMatchRequest{Match: m.id, Seat: m.seat.toProto()}
	answer, err := callWithRetries(ctx, m.transport, m.key, m.transport.matches.GetMatch, request, retries)
	if err != nil {
		return nil, err
	}
	return &Seen{answer, View{answer.GetView()}}, nil
}

// LegalMoves are the legal moves of a seat.
type LegalMoves struct {
	// Seat is the seat to move; [Nobody] if no seat is.
	Seat Seat
	// Moves are the legal moves; empty if it is not the seat's turn.
	Moves []*Move
	// Revision of the match; 0 for a position.
	Revision uint32
	// Wanted is the shuffle or lot that the position awaits; else nil.
	Wanted *Wanted
}

// Moves lists the legal moves of the seat; for the referee, those of the seat to move.
func (m *Match) Moves(ctx context.Context) (*LegalMoves, error) {
	request := &pb.ListMatchMovesRequest{Match: m.id, Seat: m.seat.toProto()}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.ListMatchMoves, request)
	if err != nil {
		return nil, err
	}
	return &LegalMoves{SeatOf(answer.Seat), answer.GetMoves(), answer.GetRevision(), nil}, nil
}

// ExplainedHand has a move for every card of a hand, and every other possible move, each with the clauses it breaks.
type ExplainedHand struct {
	// Seat whose hand this is.
	Seat Seat
	// Moves of the seat, legal or not.
	Moves []ExplainedMove
	// Revision of the match; 0 for a position.
	Revision uint32
}

// Hand explains every card of the seat: legal, or the clauses that forbid it.
func (m *Match) Hand(ctx context.Context) (*ExplainedHand, error) {
	request := &pb.ExplainMatchHandRequest{Match: m.id, Seat: m.seat.toProto()}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.ExplainMatchHand, request)
	if err != nil {
		return nil, err
	}
	return &ExplainedHand{SeatOf(answer.Seat), readExplained(answer.GetMoves()), answer.GetRevision()}, nil
}

// Judge checks a move without playing it.
func (m *Match) Judge(ctx context.Context, move *Move) (*Verdict, error) {
	request := &pb.JudgeMoveRequest{Match: m.id, Seat: m.seat.toProto(), Move: move}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.JudgeMove, request)
	if err != nil {
		return nil, err
	}
	return &Verdict{answer.GetAccepted(), ReadRefusals(answer.GetRefusals()), answer.GetRevision()}, nil
}

// Played is the result of a move.
type Played struct {
	// Accepted is true if the move was played.
	Accepted bool
	// Refusals are the clauses it breaks; with Accepted, breaches that stand but are penalised.
	Refusals []Refusal
	// Revision after the move.
	Revision uint32
	// Events of the move, as visible to the mover.
	Events []*Event
	// View after the move; empty without [WantView].
	View View
	// Repeated is true if the request id was used before: the first result is returned, nothing was played again.
	Repeated bool
}

// Err returns a [RefusedError] if the move was refused, else nil.
func (p *Played) Err() error {
	if p.Accepted {
		return nil
	}
	return &RefusedError{p.Refusals, p.Revision}
}

// Play plays a move; the referee without [Match.AsSeat] plays the moves of chance. A refusal is a result, not an error:
// see [Played]. Errors: [CodeMalformedMove], [CodeStaleRevision], [CodeRequestReused] and those of every call.
func (m *Match) Play(ctx context.Context, move *Move, options ...PlayOption) (*Played, error) {
	request := &pb.PlayMoveRequest{Match: m.id, Seat: m.seat.toProto(), Move: move, RequestId: newRequestID()}
	for _, option := range options {
		option.play(request)
	}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.PlayMove, request)
	if err != nil {
		return nil, err
	}
	return &Played{
		Accepted: answer.GetAccepted(), Refusals: ReadRefusals(answer.GetRefusals()), Revision: answer.GetRevision(),
		Events: answer.GetEvents(), View: View{answer.View}, Repeated: answer.GetRepeatedRequest(),
	}, nil
}

// Results of the operations besides moves.
type (
	// Awaited lists the seats whose contributions a shuffle still waits for.
	Awaited = pb.ContributeToDealResponse
	// Ruling says whether a move was played for a seat that was out of time.
	Ruling = pb.RuleOnTimeResponse
	// TakenBack says whether the decision was taken back, and which seats have not answered yet.
	TakenBack = pb.TakeBackResponse
)

// Contribute adds the seat's word to the awaited shuffle: any text without line breaks, best a long random one. Fails
// with [CodeNoDrawAwaited] and [CodeAlreadyContributed].
func (m *Match) Contribute(ctx context.Context, word string) (*Awaited, error) {
	request := &pb.ContributeToDealRequest{Match: m.id, Seat: m.seat.toProto(), Word: word, RequestId: newRequestID()}
	return call(ctx, m.transport, m.key, m.transport.matches.ContributeToDeal, request)
}

// DealNow shuffles without waiting for more contributions; for the referee.
func (m *Match) DealNow(ctx context.Context) (*Awaited, error) {
	request := &pb.ContributeToDealRequest{Match: m.id, RequestId: newRequestID()}
	return call(ctx, m.transport, m.key, m.transport.matches.ContributeToDeal, request)
}

// Draws lists every shuffle and lot with its proof, as far as that can be published yet; [IsFair] verifies them.
// nextCommitment is the commitment to the next draw of the service; empty if the referee deals.
func (m *Match) Draws(ctx context.Context) (draws []*Draw, nextCommitment string, err error) {
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.ListDraws, &pb.ListDrawsRequest{Match: m.id})
	return answer.GetDraws(), answer.GetNextCommitment(), err
}

// Record returns the record of the match: to the referee at any time, to everybody once it is over. Fails with
// [CodeMatchRunning].
func (m *Match) Record(ctx context.Context) (string, error) {
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.GetRecord, &pb.GetRecordRequest{Match: m.id})
	return answer.GetRecord(), err
}

// RuleOnTime enforces the clock: it plays the default move of a seat that is out of time. Fails with [CodeNoClock].
func (m *Match) RuleOnTime(ctx context.Context) (*Ruling, error) {
	return call(ctx, m.transport, m.key, m.transport.matches.RuleOnTime, &pb.RuleOnTimeRequest{Match: m.id})
}

// TakeBack requests that the last decision be taken back, or agrees to it; the referee decides for all. Fails with
// [CodeNothingToTakeBack], [CodeNotYourDecision] and [CodeCardsWereSeen].
func (m *Match) TakeBack(ctx context.Context, options ...TakeBackOption) (*TakenBack, error) {
	return m.takeBack(ctx, false, options)
}

// LetStand declines a takeback request, or withdraws one's own.
func (m *Match) LetStand(ctx context.Context, options ...TakeBackOption) (*TakenBack, error) {
	return m.takeBack(ctx, true, options)
}

func (m *Match) takeBack(ctx context.Context, refuse bool, options []TakeBackOption) (*TakenBack, error) {
	request := &pb.TakeBackRequest{Match: m.id, Seat: m.seat.toProto(), Refuse: refuse, RequestId: newRequestID()}
	for _, option := range options {
		option.takeBack(request)
	}
	return call(ctx, m.transport, m.key, m.transport.matches.TakeBack, request)
}

// SeatBot assigns the seat to a bot, with a thinking time for each move (0: the service's default), or back to a person
// if bot is empty. It returns the seats played by bots. Fails with [CodeNoSuchBot].
func (m *Match) SeatBot(ctx context.Context, bot string, think time.Duration) ([]*BotSeat, error) {
	request := &pb.SeatBotRequest{
		Match: m.id, Seat: m.seat.toProto(), Bot: bot, ThinkMs: uint32(max(0, think).Milliseconds()),
	}
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.SeatBot, request)
	return answer.GetBots(), err
}

// End aborts the match and returns its last revision; for the referee.
func (m *Match) End(ctx context.Context) (uint32, error) {
	answer, err := call(ctx, m.transport, m.key, m.transport.matches.EndMatch, &pb.EndMatchRequest{Match: m.id})
	return answer.GetRevision(), err
}

// Delete deletes the match and all its data at once; for the referee.
func (m *Match) Delete(ctx context.Context) error {
	_, err := call(ctx, m.transport, m.key, m.transport.matches.DeleteMatch, &pb.DeleteMatchRequest{Match: m.id})
	return err
}
