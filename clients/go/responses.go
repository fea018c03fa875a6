// Responses: messages of the contract under short names, some with getters of their own for views and times.

package chitarrella

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

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
	// MoveValidation says whether a move would be accepted, and which clauses it breaks. For a [PartialPosition],
	// DependsOn names the unknown parts that would change this.
	MoveValidation = pb.ValidateMoveResponse
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
	// ItemError is the error of one item of a batch.
	ItemError = pb.ItemError
)

// Responses about matches.
type (
	// MatchMoves are the legal moves of a seat in a match.
	MatchMoves = pb.ListMatchMovesResponse
	// MatchHand is an explained hand in a match.
	MatchHand = pb.ExplainMatchHandResponse
	// MatchMoveValidation says whether a move would be accepted in a match, and which clauses it breaks.
	MatchMoveValidation = pb.MatchServiceValidateMoveResponse
	// MatchUpdate is the revision and the visible events of one move, and the cursor to resume from.
	MatchUpdate = pb.WatchMatchResponse
	// PendingTakeback is a request to take back the last decision, and the seats that have not answered yet.
	PendingTakeback = pb.PendingTakeback
	// TakebackResult says whether the decision was taken back, and which seats have not answered yet.
	TakebackResult = pb.TakeBackResponse
	// SeedResult lists the seats whose seeds the shuffle still waits for.
	SeedResult = pb.ContributeSeedResponse
	// Shuffles are the shuffles and lots of a match, and the commitment to the next one.
	Shuffles = pb.ListShufflesResponse
	// Shuffle is a shuffled pack or a drawn lot with its proof; [IsFair] verifies it.
	Shuffle = pb.Shuffle
	// BotSeat is a seat that a bot plays.
	BotSeat = pb.BotSeat
	// PlayerName is the name of the player at a seat.
	PlayerName = pb.PlayerName
	// PlatformUpdate is an update of one of the matches of a platform, or its abort; without a match id, a heartbeat.
	PlatformUpdate = pb.WatchMatchesResponse
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

// MatchState is a match as visible to one viewer.
type MatchState struct{ *pb.GetMatchResponse }

// GetView returns the view of the viewer.
func (s MatchState) GetView() View { return View{s.GetMatchResponse.GetView()} }

// GetDeadline returns until when the seat to move may think, or seeds are waited for; the zero time without a clock.
func (s MatchState) GetDeadline() time.Time { return timeOf(s.GetMatchResponse.GetDeadline()) }

// Over reports whether no move will follow: the match was played to its end, or aborted.
func (s MatchState) Over() bool { return s.GetAborted() || s.GetView().Finished() }

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

// ClockResult says whether the time was used up, so that a move was played or a shuffle made.
type ClockResult struct{ *pb.EnforceClockResponse }

// GetDeadline returns the present deadline; the zero time if there is none.
func (r ClockResult) GetDeadline() time.Time { return timeOf(r.EnforceClockResponse.GetDeadline()) }

// ClockAdvance has the time and the revision of a test after its clock was advanced, and whether a deadline was passed.
type ClockAdvance struct{ *pb.AdvanceClockResponse }

// GetTime returns the time of the match now.
func (a ClockAdvance) GetTime() time.Time { return timeOf(a.AdvanceClockResponse.GetTime()) }

// FoundMatch is the result for one match of [Client.GetMatches]: the match or the error.
type FoundMatch struct{ *pb.FoundMatch }

// GetMatch returns the match; empty if there is an error.
func (f FoundMatch) GetMatch() MatchState { return MatchState{f.FoundMatch.GetMatch()} }

// Err returns an [Error] if the match is not returned, else nil.
func (f FoundMatch) Err() error {
	if f.GetError() == nil {
		return nil
	}
	return ErrorOf(f.GetError())
}

// MatchSummary is one entry of the list of a platform's matches.
type MatchSummary struct{ *pb.MatchSummary }

// GetCreateTime returns when the match was created, in whole seconds.
func (s MatchSummary) GetCreateTime() time.Time { return timeOf(s.MatchSummary.GetCreateTime()) }

// timeOf converts an optional time of the contract; the zero time if it is absent.
func timeOf(timestamp *timestamppb.Timestamp) time.Time {
	if timestamp == nil {
		return time.Time{}
	}
	return timestamp.AsTime()
}
