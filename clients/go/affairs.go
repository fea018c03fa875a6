// A match, beside looking and moving: shuffles, draws, records, time, bots, and its end.

package chitarrella

import (
	"context"
	"time"

	pb "chitarrella/gen/chitarrella/v1"
)

// What came of the smaller affairs of a match.
type (
	// Awaited are the seats whose words a shuffle still waits for.
	Awaited = pb.ContributeToDealResponse
	// Ruling says whether a move was made for a seat whose time was over.
	Ruling = pb.RuleOnTimeResponse
	// TakenBack says whether a decision is taken back, and which seats have not answered yet.
	TakenBack = pb.TakeBackResponse
)

// Contribute adds a word to the shuffle of the pack that is wanted: any text without line breaks, best a long random
// one. Fails with [CodeNoDrawAwaited] and [CodeAlreadyContributed].
func (m *Match) Contribute(ctx context.Context, word string) (*Awaited, error) {
	request := &pb.ContributeToDealRequest{Match: m.id, Seat: m.seat.wire(), Word: word, RequestId: newRequestID()}
	return ask(ctx, m.line, m.key, m.line.matches.ContributeToDeal, request)
}

// DealNow waits for no more words; for the referee.
func (m *Match) DealNow(ctx context.Context) (*Awaited, error) {
	request := &pb.ContributeToDealRequest{Match: m.id, RequestId: newRequestID()}
	return ask(ctx, m.line, m.key, m.line.matches.ContributeToDeal, request)
}

// Draws lists every pack and lot that was drawn, with as much of the proof as hides nothing any more; [IsFair] checks
// them. The text is the commitment to the next draw of the service; empty where the referee deals.
func (m *Match) Draws(ctx context.Context) (draws []*Draw, nextCommitment string, err error) {
	answer, err := ask(ctx, m.line, m.key, m.line.matches.ListDraws, &pb.ListDrawsRequest{Match: m.id})
	return answer.GetDraws(), answer.GetNextCommitment(), err
}

// Record gives the record of the match: to the referee at any time, to everybody when it is over. Fails with
// [CodeMatchRunning].
func (m *Match) Record(ctx context.Context) (string, error) {
	answer, err := ask(ctx, m.line, m.key, m.line.matches.GetRecord, &pb.GetRecordRequest{Match: m.id})
	return answer.GetRecord(), err
}

// RuleOnTime has the move made, or the cards dealt, that time has run out for. Fails with [CodeNoClock].
func (m *Match) RuleOnTime(ctx context.Context) (*Ruling, error) {
	return ask(ctx, m.line, m.key, m.line.matches.RuleOnTime, &pb.RuleOnTimeRequest{Match: m.id})
}

// TakeBack asks that the last decision be taken back, or agrees to that; the referee decides for everybody. Fails with
// [CodeNothingToTakeBack], [CodeNotYourDecision] and [CodeCardsWereSeen].
func (m *Match) TakeBack(ctx context.Context, options ...TakeBackOption) (*TakenBack, error) {
	return m.takeBack(ctx, false, options)
}

// LetStand refuses that the last decision be taken back, or withdraws one's own ask.
func (m *Match) LetStand(ctx context.Context, options ...TakeBackOption) (*TakenBack, error) {
	return m.takeBack(ctx, true, options)
}

func (m *Match) takeBack(ctx context.Context, refuse bool, options []TakeBackOption) (*TakenBack, error) {
	request := &pb.TakeBackRequest{Match: m.id, Seat: m.seat.wire(), Refuse: refuse, RequestId: newRequestID()}
	for _, option := range options {
		option.takeBack(request)
	}
	return ask(ctx, m.line, m.key, m.line.matches.TakeBack, request)
}

// SeatBot gives the seat to a bot, which may think so long about a move (0: as long as is usual), or back to a person
// where bot is empty. It gives the seats that bots play. Fails with [CodeNoSuchBot].
func (m *Match) SeatBot(ctx context.Context, bot string, think time.Duration) ([]*BotSeat, error) {
	request := &pb.SeatBotRequest{
		Match: m.id, Seat: m.seat.wire(), Bot: bot, ThinkMs: uint32(max(0, think).Milliseconds()),
	}
	answer, err := ask(ctx, m.line, m.key, m.line.matches.SeatBot, request)
	return answer.GetBots(), err
}

// End ends the match before its time, for the referee; it gives the last revision.
func (m *Match) End(ctx context.Context) (uint32, error) {
	answer, err := ask(ctx, m.line, m.key, m.line.matches.EndMatch, &pb.EndMatchRequest{Match: m.id})
	return answer.GetRevision(), err
}

// Delete has the match forgotten at once, with everything about it; for the referee.
func (m *Match) Delete(ctx context.Context) error {
	_, err := ask(ctx, m.line, m.key, m.line.matches.DeleteMatch, &pb.DeleteMatchRequest{Match: m.id})
	return err
}
