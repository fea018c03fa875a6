/** Responses about positions and matches, as plain readonly values. */

import type { ChitarrellaError } from "./errors.js";
import type { Event, ExplainedMove, Move, Outcome, Refusal, RuleSet, Verdict, View } from "./types.js";

/** A position and its rule set; the text is written by the service. */
export interface Position {
  readonly ruleSet: RuleSet;
  readonly text: string;
}

/** What chance has to supply: cards in some order, or one of some numbers. */
export interface ChanceRequest {
  readonly verb: string;
  readonly cards: readonly string[];
  readonly amounts: readonly number[];
}

/** The beginning of a game. */
export interface GameStart {
  readonly position: Position;
  /** What chance has to supply, if it is to move. */
  readonly chanceRequest?: ChanceRequest;
  readonly view: View;
}

/** The legal moves in a position. */
export interface LegalMoves {
  readonly moves: readonly Move[];
  /** The seat to move; absent if none is. */
  readonly seat?: number;
  /** What chance has to supply, if it is to move. */
  readonly chanceRequest?: ChanceRequest;
  /** For a partial position: the moves whose legality depends on an unknown part. They are not among the moves. */
  readonly undecided: readonly ExplainedMove[];
  /** The unknown parts of a partial position without which nothing can be listed: "hands", "trick". */
  readonly dependsOn: readonly string[];
}

/** Every card of a hand and every other possible move, each with the clauses it breaks. */
export interface ExplainedHand {
  readonly moves: readonly ExplainedMove[];
  /** The seat whose hand this is. */
  readonly seat?: number;
  /** The unknown parts of a partial position without which nothing can be explained: "hands", "trick". */
  readonly dependsOn: readonly string[];
}

/** The result of validating a move. */
export interface MoveValidation {
  readonly verdict: Verdict;
  /** Every clause it breaks or may break. */
  readonly refusals: readonly Refusal[];
  /** The unknown parts of a partial position that the refusals depend on, such as "trump". */
  readonly dependsOn: readonly string[];
}

/** What an accepted move costs: its index, from 0, and the clauses that it breaks at a penalty. */
export interface MovePenalty {
  readonly index: number;
  readonly refusals: readonly Refusal[];
}

/** The result of moves in a position, as visible to the referee. */
export interface AppliedMoves {
  /** After the last accepted move. */
  readonly position: Position;
  /** How many were accepted. */
  readonly applied: number;
  /** Why the next one was refused. */
  readonly refusals: readonly Refusal[];
  /** The accepted moves that break clauses at a penalty. */
  readonly penalties: readonly MovePenalty[];
  readonly events: readonly Event[];
  readonly view: View;
  readonly chanceRequest?: ChanceRequest;
  /** The points of each seat in this deal, by the first count. */
  readonly points: readonly number[];
  /** The legal moves of the seat to move, which is the `turn` of the view. */
  readonly legalMoves: readonly Move[];
}

/** A score in one count, such as "card_points". */
export interface Score {
  readonly name: string;
  readonly value: number;
}

/** What cards count. */
export interface CardScores {
  /** In each count of the game; none if they depend on an unknown part. */
  readonly scores: readonly Score[];
  /** The unknown parts that the scores depend on, such as "trump". */
  readonly dependsOn: readonly string[];
}

/** The card that takes a trick, its index in order of play from 0, and what the trick counts. */
export interface TrickResult {
  /** Absent if it depends on an unknown part. */
  readonly winningIndex?: number;
  /** "" if it depends on an unknown part. */
  readonly winningCard: string;
  /** None if they depend on an unknown part. */
  readonly scores: readonly Score[];
  /** The unknown parts that the answer depends on, such as "trump". */
  readonly dependsOn: readonly string[];
}

/** A seat played by a bot. */
export interface BotSeat {
  readonly seat: number;
  readonly bot: string;
  /** Its time for a move, in seconds; absent for the service's default. */
  readonly thinkTime?: number;
  /** How long after the last decision it moves at the earliest, in seconds. */
  readonly delay?: number;
}

/** A seat of a match. */
export interface MatchSeat {
  readonly seat: number;
  /** The name of the player; "" if none was given. */
  readonly playerName: string;
  /** The bot that plays it; absent for a person. */
  readonly bot?: BotSeat;
  /** The seat of the person who plays it, if it is a dummy. */
  readonly playedBy?: number;
  /** What is left in its bank, in seconds; absent without a clock. */
  readonly bank?: number;
  /** It has joined. */
  readonly joined: boolean;
  /** It has resigned. */
  readonly resigned: boolean;
  /** Its person has a stream open, or has called with its key within 30 seconds. */
  readonly present: boolean;
  /** When its person was last there; absent for one who is, and for one who never was. */
  readonly lastSeenTime?: Date;
}

/** The time of the seats, in seconds. */
export interface Clock {
  /** For each decision. */
  readonly moveTime?: number;
  /** In the bank of each seat, for the whole match. */
  readonly bank?: number;
  /** Added to the bank of a seat after each of its decisions. */
  readonly increment?: number;
  /** It stands still until every person has joined. */
  readonly startsWhenJoined?: boolean;
}

/** Whether a match is going on. */
export type MatchState = "open" | "finished" | "aborted" | "unspecified";

/** What a match does not allow: takebacks and bots by its seats, or anybody without a key of it. */
export type Restriction = "no_takebacks" | "no_bots" | "no_spectators" | "unspecified";

/** A request to take back the last decision: the seat that made it, and the seats that have not answered yet. */
export interface PendingTakeback {
  readonly seat: number;
  readonly awaitingAnswersFrom: readonly number[];
}

/** A match as visible to one viewer. */
export interface MatchDetails {
  readonly matchId: string;
  /** With the value of every option. */
  readonly ruleSet: RuleSet;
  readonly state: MatchState;
  /** No move will follow: it is finished or aborted. */
  readonly over: boolean;
  /** The number of the last public change of the match. */
  readonly revision: number;
  readonly createTime: Date;
  /** When it last changed. */
  readonly updateTime?: Date;
  /** When it will be deleted if nothing changes before. */
  readonly expireTime?: Date;
  readonly private: boolean;
  /** It is a test: its deadline is in its own time, which only `Match.advanceClock` moves. */
  readonly sandbox: boolean;
  /** Its first moves come from a record: they may never have been played. */
  readonly imported: boolean;
  /** Who supplies packs and lots. */
  readonly packSource: "service" | "referee" | "shared" | "unspecified";
  /** Absent for no limit. */
  readonly clock?: Clock;
  /** Until when the seat to move may think, or seeds are waited for; absent without a clock. */
  readonly deadline?: Date;
  /** The seats, in order. */
  readonly seats: readonly MatchSeat[];
  /** The score by seat. */
  readonly scores: readonly number[];
  /** How it ended; absent while it goes on, and if it was aborted. */
  readonly outcome?: Outcome;
  /** When it ended, also by an abortion. */
  readonly endTime?: Date;
  /** Why it was decided or aborted, in words of the referee or the platform. */
  readonly endReason: string;
  readonly restrictions: readonly Restriction[];
  /** The clock stands still. */
  readonly clockPaused: boolean;
  /** The seats that have asked for the pause, or for its end. */
  readonly pauseRequestedBy: readonly number[];
  /** The platform's own id of the match; "" for other viewers than that platform and the referee. */
  readonly externalId: string;
  /** The labels of the match; empty for other viewers than its platform and the referee. */
  readonly labels: Readonly<Record<string, string>>;
  /** The commitment to the next shuffle; "" if the referee supplies packs. */
  readonly nextCommitment: string;
  /** The seats whose seeds the next shuffle waits for. */
  readonly awaitingSeedsFrom: readonly number[];
  /** The request to take back the last decision; absent if there is none. */
  readonly takebackRequest?: PendingTakeback;
  /** Empty in a list of matches. */
  readonly view: View;
  /** The viewer's seat; absent for the public and the referee. */
  readonly viewer?: number;
  /** The cursor to watch from here; "" in a list of matches. */
  readonly cursor: string;
}

/** The result for one match of `Chitarrella.getMatches`: the match, or the error of the call about it alone. */
export type MatchResult =
  | { readonly match: MatchDetails; readonly error?: undefined }
  | { readonly match?: undefined; readonly error: ChitarrellaError };

/** The legal moves in a match. */
export interface MatchMoves {
  readonly moves: readonly Move[];
  /** The seat to move; absent if none is. */
  readonly seat?: number;
  /** The revision of the match. */
  readonly revision: number;
}

/** The explained hand of a seat in a match. */
export interface MatchHand {
  readonly moves: readonly ExplainedMove[];
  /** The seat whose hand this is. */
  readonly seat?: number;
  /** The revision of the match. */
  readonly revision: number;
  /** The index of the suggested move, and the points that it brings until the seat is to move again. */
  readonly suggested?: number;
  readonly suggestedPoints?: number;
}

/** The result of validating a move in a match. */
export interface MatchMoveValidation {
  readonly verdict: Verdict;
  /** Every clause it breaks. */
  readonly refusals: readonly Refusal[];
  /** The revision of the match. */
  readonly revision: number;
}

/** The result of a move. */
export interface MoveResult {
  /** It was played. */
  readonly accepted: boolean;
  /** Every clause it breaks; if it was accepted, breaches that stand but are penalised. */
  readonly refusals: readonly Refusal[];
  /** The revision after it. */
  readonly revision: number;
  /** The events, as visible to the mover. */
  readonly events: readonly Event[];
  /** The view after it, if requested. */
  readonly view?: View;
  /** The request id was used before: the first result is returned, nothing was played again. */
  readonly repeatedRequest: boolean;
}

/** An update: the visible events of one move. */
export interface MatchUpdate {
  readonly revision: number;
  /** The cursor to resume behind it. */
  readonly cursor: string;
  readonly events: readonly Event[];
  /** When it happened. */
  readonly time?: Date;
  /** How long the seat to move took for its decision, in seconds; absent if this is none. */
  readonly thinkTime?: number;
  /** In the last update of a match with a clock: the deadline. */
  readonly deadline?: Date;
  /** In the last update of a match with a clock: what is left in the bank of each seat, in seconds. */
  readonly banks: readonly number[];
}

/** An update of one of the matches of a platform. */
export interface PlatformUpdate {
  readonly matchId: string;
  /** The events of one move, as the public sees them; absent if the match was aborted. */
  readonly update?: MatchUpdate;
  /** The state of the match after it. */
  readonly state: MatchState;
}

/** The result of a takeback request: whether it was taken back, and the match after it. */
export interface TakebackResult {
  readonly takenBack: boolean;
  readonly match: MatchDetails;
}

/** The result of enforcing the clock: whether the time was used up, so that a move was played or a shuffle made. */
export interface ClockResult {
  readonly timedOut: boolean;
  readonly match: MatchDetails;
}

/** The result of advancing the clock of a test. */
export interface ClockAdvance extends ClockResult {
  /** The time of the match now. */
  readonly time: Date;
}
