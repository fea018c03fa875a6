// Value types: seats, the messages of the contract under short names, views, responses, and cards as text.

package chitarrella

import (
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

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
	RuleSet     = pb.RuleSet
	Move        = pb.Move
	Share       = pb.Share
	Event       = pb.Event
	Zone        = pb.Zone
	Fact        = pb.Fact
	Outcome     = pb.Outcome
	Ending      = pb.Ending
	Waiting     = pb.Waiting
	Verdict     = pb.Verdict
	Clause      = pb.Clause
	ClientSeed  = pb.ClientSeed
	MatchState  = pb.MatchState
	Restriction = pb.Restriction
	Audience    = pb.Audience
)

// Whether a match is going on.
const (
	MatchOpen     = pb.MatchState_MATCH_STATE_OPEN
	MatchFinished = pb.MatchState_MATCH_STATE_FINISHED
	MatchAborted  = pb.MatchState_MATCH_STATE_ABORTED
)

// By what a match ended: it was played to its end, all sides but one have resigned, or it was decided.
const (
	EndingPlayed   = pb.Ending_ENDING_PLAYED
	EndingResigned = pb.Ending_ENDING_RESIGNED
	EndingDecided  = pb.Ending_ENDING_DECIDED
)

// What a match does not allow; see [Restrict].
const (
	// NoTakebacks: no takebacks, but by the referee.
	NoTakebacks = pb.Restriction_RESTRICTION_NO_TAKEBACKS
	// NoBots: no seat is assigned to a bot, but by the referee.
	NoBots = pb.Restriction_RESTRICTION_NO_BOTS
	// NoSpectators: nobody watches without the key of a seat or the referee. The match is private.
	NoSpectators = pb.Restriction_RESTRICTION_NO_SPECTATORS
)

// Who sees the cards of a zone; the owner is who plays the cards of the seat.
const (
	AudienceNobody    = pb.Audience_AUDIENCE_NOBODY
	AudienceOwner     = pb.Audience_AUDIENCE_OWNER
	AudienceEverybody = pb.Audience_AUDIENCE_EVERYBODY
)

// Who has to act.
const (
	WaitingSeat   = pb.Waiting_WAITING_SEAT
	WaitingChance = pb.Waiting_WAITING_CHANCE
	WaitingNobody = pb.Waiting_WAITING_NOBODY
)

// Whether a move is accepted; that of a [PartialPosition] may be [Undecided].
const (
	Accepted  = pb.Verdict_VERDICT_ACCEPTED
	Refused   = pb.Verdict_VERDICT_REFUSED
	Undecided = pb.Verdict_VERDICT_UNDECIDED
)

// NewMove returns a move with a verb and cards; choice, amount, dummy seat and shares are fields of [Move].
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

// Responses about games.
type (
	// Game describes a game: pack, cards, suits, partners, zones, options, moves, reasons of refusals and the rule book.
	Game = pb.GetGameResponse
	// Card is a card of a game, as it ranks and counts where no suit is trumps. Of two orders the higher one beats the
	// other; Points is nil where no card counts anything.
	Card = pb.Card
	// Suit is a suit that cards count as.
	Suit = pb.Suit
	// Partnership says who plays together, at one number of players.
	Partnership = pb.Partnership
	// Side lists the seats of one side in order of play.
	Side = pb.Side
	// ZoneSpec is a kind of zone: what lies there, and who sees its cards.
	ZoneSpec = pb.ZoneSpec
	// GameSummary is one entry of the list of games.
	GameSummary = pb.GameSummary
	// MoveSpec describes the arguments of a move.
	MoveSpec = pb.MoveSpec
)

// Responses about positions and cards.
type (
	// LegalMoves are the legal moves of a seat, or what chance has to supply. For a [PartialPosition], Undecided are the
	// moves whose legality depends on an unknown part; DependsOn names the parts without which nothing can be listed.
	LegalMoves = pb.ListLegalMovesResponse
	// ExplainedHand has a move for every card of a hand, and every other possible move; [IsLegal] tells them apart. For a
	// [PartialPosition], DependsOn names the unknown parts without which nothing can be explained.
	ExplainedHand = pb.ExplainHandResponse
	// MoveValidation says whether a move would be accepted, and which clauses it breaks or may break. For a
	// [PartialPosition], DependsOn names the unknown parts that would change these.
	MoveValidation = pb.ValidateMoveResponse
	// CardScores are what cards count. If that depends on an unknown part, there are none, and DependsOn names the part.
	CardScores = pb.ScoreCardsResponse
	// TrickResult is the card that takes a trick, its index in order of play from 0, and what the trick counts. If that
	// depends on an unknown trump, WinningIndex is nil, and DependsOn names the unknown part.
	TrickResult = pb.ResolveTrickResponse
	// MovePenalty has the index of an accepted move, from 0, and the clauses that it breaks at a penalty.
	MovePenalty = pb.MovePenalty
	// Score is a score in one count, such as "card_points".
	Score = pb.Score
	// Fairness says whether a shuffle was fair.
	Fairness = pb.VerifyShuffleResponse
	// Answer is the response to one question of a batch; [ErrorOf] converts its error.
	Answer = pb.Answer
)

// Responses about matches.
type (
	// MatchMoves are the legal moves of a seat in a match.
	MatchMoves = pb.ListMatchMovesResponse
	// MatchHand is an explained hand in a match.
	MatchHand = pb.ExplainMatchHandResponse
	// MatchMoveValidation says whether a move would be accepted in a match, and which clauses it breaks.
	MatchMoveValidation = pb.ValidateMatchMoveResponse
	// PendingTakeback is a request to take back the last decision, and the seats that have not answered yet.
	PendingTakeback = pb.PendingTakeback
	// Shuffles are the shuffles and lots of a match, and the commitment to the next one.
	Shuffles = pb.ListShufflesResponse
	// Shuffle is a shuffled pack or a drawn lot with its proof; [IsFair] verifies it.
	Shuffle = pb.Shuffle
)

// CardOf returns a card of a game by its notation; nil if the game has no such card.
func CardOf(game *Game, code string) *Card {
	for _, card := range game.GetCards() {
		if card.GetCode() == code {
			return card
		}
	}
	return nil
}

// GameStart is the beginning of a game: the position, what chance has to supply, and the view of the public.
type GameStart struct{ *pb.StartGameResponse }

// GetView returns the view of the public.
func (s GameStart) GetView() View { return View{s.StartGameResponse.GetView()} }

// AppliedMoves is the position after moves, how many of them were accepted and at which penalties, why the next one was
// refused, and the legal moves of the seat to move.
type AppliedMoves struct{ *pb.ApplyMovesResponse }

// GetView returns the view of the referee.
func (m AppliedMoves) GetView() View { return View{m.ApplyMovesResponse.GetView()} }

// MatchDetails is a match as visible to one viewer. Lists of matches have no view and no cursor.
type MatchDetails struct{ *pb.Match }

// GetView returns the view of the viewer.
func (d MatchDetails) GetView() View { return View{d.Match.GetView()} }

// GetCreateTime returns when the match was created.
func (d MatchDetails) GetCreateTime() time.Time { return timeOf(d.Match.GetCreateTime()) }

// GetUpdateTime returns when the match last changed.
func (d MatchDetails) GetUpdateTime() time.Time { return timeOf(d.Match.GetUpdateTime()) }

// GetExpireTime returns when the match will be deleted if nothing changes before.
func (d MatchDetails) GetExpireTime() time.Time { return timeOf(d.Match.GetExpireTime()) }

// GetEndTime returns when the match ended, also by an abortion; the zero time while it goes on.
func (d MatchDetails) GetEndTime() time.Time { return timeOf(d.Match.GetEndTime()) }

// GetDeadline returns until when the seat to move may think, or seeds are waited for; the zero time without a clock.
func (d MatchDetails) GetDeadline() time.Time { return timeOf(d.Match.GetDeadline()) }

// GetClock returns the time of the seats; the zero Clock for no limit.
func (d MatchDetails) GetClock() Clock {
	clock := d.Match.GetClock()
	return Clock{
		clock.GetMoveTime().AsDuration(), clock.GetBank().AsDuration(), clock.GetIncrement().AsDuration(),
		clock.GetStartsWhenJoined(),
	}
}

// GetPackSource returns who supplies packs and lots.
func (d MatchDetails) GetPackSource() PackSource { return PackSource(d.Match.GetPackSource()) }

// GetSeats returns the seats, in order.
func (d MatchDetails) GetSeats() []MatchSeat {
	seats := make([]MatchSeat, 0, len(d.Match.GetSeats()))
	for _, one := range d.Match.GetSeats() {
		seats = append(seats, MatchSeat{one})
	}
	return seats
}

// Over reports whether no move will follow: the match was played to its end, decided, or aborted.
func (d MatchDetails) Over() bool {
	return d.GetState() == MatchFinished || d.GetState() == MatchAborted
}

// MatchSeat is a seat of a match. PlayedBy is the seat of the person who plays it, if it is a dummy; see [SeatOf].
type MatchSeat struct{ *pb.MatchSeat }

// GetBank returns what is left in its bank; 0 without a clock.
func (s MatchSeat) GetBank() time.Duration { return s.MatchSeat.GetBank().AsDuration() }

// GetBot returns the bot that plays the seat; one without a name for a person.
func (s MatchSeat) GetBot() BotSeat { return BotSeat{s.MatchSeat.GetBot()} }

// GetLastSeenTime returns when its person was last there; the zero time for one who is, or never was.
func (s MatchSeat) GetLastSeenTime() time.Time { return timeOf(s.MatchSeat.GetLastSeenTime()) }

// BotSeat is a seat that a bot plays.
type BotSeat struct{ *pb.BotSeat }

// GetThinkTime returns how long the bot may think about a move; 0 for the service's default.
func (s BotSeat) GetThinkTime() time.Duration { return s.BotSeat.GetThinkTime().AsDuration() }

// GetDelay returns how long after the last decision it moves at the earliest.
func (s BotSeat) GetDelay() time.Duration { return s.BotSeat.GetDelay().AsDuration() }

// MatchUpdate is the revision and the visible events of one move, and the cursor to resume from.
type MatchUpdate struct{ *pb.MatchUpdate }

// GetTime returns when it happened.
func (u MatchUpdate) GetTime() time.Time { return timeOf(u.MatchUpdate.GetTime()) }

// GetThinkTime returns how long the seat to move took for its decision; 0, and ThinkTime is nil, if this is none.
func (u MatchUpdate) GetThinkTime() time.Duration { return u.MatchUpdate.GetThinkTime().AsDuration() }

// GetDeadline returns, of the last update of a match with a clock, the deadline as in [MatchDetails]; else the zero time.
func (u MatchUpdate) GetDeadline() time.Time { return timeOf(u.MatchUpdate.GetDeadline()) }

// GetBanks returns, of the last update of a match with a clock, what is left in the bank of each seat.
func (u MatchUpdate) GetBanks() []time.Duration {
	banks := make([]time.Duration, 0, len(u.MatchUpdate.GetBanks()))
	for _, one := range u.MatchUpdate.GetBanks() {
		banks = append(banks, one.AsDuration())
	}
	return banks
}

// PlatformUpdate is an update of one of the matches of a platform, and the state of the match after it; without a match
// id, a heartbeat.
type PlatformUpdate struct{ *pb.PlatformUpdate }

// GetUpdate returns the events of one move; empty if the match was aborted.
func (u PlatformUpdate) GetUpdate() MatchUpdate { return MatchUpdate{u.PlatformUpdate.GetUpdate()} }

// MoveResult is the result of a move: whether it was accepted, the clauses it breaks, and its events as visible to the
// mover.
type MoveResult struct{ *pb.PlayMoveResponse }

// GetView returns the view after the move; empty without [IncludeView].
func (r MoveResult) GetView() View { return View{r.PlayMoveResponse.GetView()} }

// Err returns a [RefusedError] if the move was refused, else nil.
func (r MoveResult) Err() error {
	if r.GetAccepted() {
		return nil
	}
	return &RefusedError{r}
}

// TakebackResult says whether the decision was taken back.
type TakebackResult struct{ *pb.TakeBackResponse }

// GetMatch returns the match after it.
func (r TakebackResult) GetMatch() MatchDetails { return MatchDetails{r.TakeBackResponse.GetMatch()} }

// ClockResult says whether the time was used up, so that a move was played or a shuffle made.
type ClockResult struct{ *pb.EnforceClockResponse }

// GetMatch returns the match after it.
func (r ClockResult) GetMatch() MatchDetails { return MatchDetails{r.EnforceClockResponse.GetMatch()} }

// ClockAdvance has the time of a test after its clock was advanced, and whether a deadline was passed.
type ClockAdvance struct{ *pb.AdvanceClockResponse }

// GetTime returns the time of the match now.
func (a ClockAdvance) GetTime() time.Time { return timeOf(a.AdvanceClockResponse.GetTime()) }

// GetMatch returns the match after it.
func (a ClockAdvance) GetMatch() MatchDetails { return MatchDetails{a.AdvanceClockResponse.GetMatch()} }

// MatchResult is the result for one match of [Client.GetMatches]: the match or the error.
type MatchResult struct{ *pb.MatchResult }

// GetMatch returns the match; empty if there is an error.
func (r MatchResult) GetMatch() MatchDetails { return MatchDetails{r.MatchResult.GetMatch()} }

// Err returns the [Error] that the call about this match alone would return; nil if it is found.
func (r MatchResult) Err() error {
	if r.GetError() == nil {
		return nil
	}
	return ErrorOf(r.GetError())
}

// timeOf converts an optional time of the contract; the zero time if it is absent.
func timeOf(timestamp *timestamppb.Timestamp) time.Time {
	if timestamp == nil {
		return time.Time{}
	}
	return timestamp.AsTime()
}

// durationOf converts a duration to an optional field of the contract: absent for 0.
func durationOf(length time.Duration) *durationpb.Duration {
	if length == 0 {
		return nil
	}
	return durationpb.New(length)
}

// suitSymbols has the symbols of the suits by the kind of pack, cuccoSymbols those of the cards of the Cucco pack.
var (
	suitSymbols = map[string]map[string]string{
		"Italian": {"b": "🪄", "c": "🏆", "d": "🪙", "s": "🗡️"},
		"French":  {"c": "♣", "d": "♦", "h": "♥", "s": "♠"},
	}
	cuccoSymbols = map[string]string{
		"MAT": "🃏", "MAS": "🎭", "SEC": "🪣", "NUL": "0️⃣", "XI": "🏠", "XII": "🐈", "XIII": "🐎", "XIV": "🏹", "XV": "🐦", "LEO": "🦁",
	}
)

// CardImage returns a card with the symbol of its suit, such as "10♥" or "A🪙"; pack is the name of the pack in the
// catalogue. If the pack has no such card, it returns card itself.
func CardImage(card, pack string) string {
	kind, _, _ := strings.Cut(pack, " ")
	if kind == "Cucco" {
		return strings.TrimSpace(cuccoSymbols[card] + " " + card)
	}
	if len(card) < 2 {
		return card
	}
	rank, suit := card[:len(card)-1], suitSymbols[kind][card[len(card)-1:]]
	if suit == "" {
		return card
	}
	if rank == "T" {
		rank = "10"
	}
	return rank + suit
}
