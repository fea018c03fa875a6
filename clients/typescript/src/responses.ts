/** Responses about positions and matches, as plain readonly values. */

import type { ErrorCode, Open } from "./errors.js";
import type { Event, ExplainedMove, Move, Refusal, RuleSet, Verdict, View } from "./types.js";

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
  /** Its time for a move in milliseconds; 0 for the service's default. */
  readonly thinkMs: number;
}

/** The name of the player at a seat. */
export interface PlayerName {
  readonly seat: number;
  readonly name: string;
}

/** A request to take back the last decision: the seat that made it, and the seats that have not answered yet. */
export interface PendingTakeback {
  readonly seat: number;
  readonly awaitingAnswersFrom: readonly number[];
}

/** A match as visible to one viewer. */
export interface MatchState {
  readonly matchId: string;
  readonly ruleSet: RuleSet;
  /** The number of the last public change of the match. */
  readonly revision: number;
  readonly view: View;
  /** The viewer's seat; absent for the public and the referee. */
  readonly seat?: number;
  /** It was aborted. */
  readonly aborted: boolean;
  /** No move will follow: it was played to its end, or aborted. */
  readonly over: boolean;
  /** The cursor to watch from here. */
  readonly cursor: string;
  /** The commitment to the next shuffle; "" if the referee supplies packs. */
  readonly nextCommitment: string;
  /** The seats whose seeds the next shuffle waits for. */
  readonly awaitingSeedsFrom: readonly number[];
  /** Until when the seat to move may think, or seeds are waited for; absent without a clock. */
  readonly deadline?: Date;
  /** The remaining bank of each seat, in milliseconds. */
  readonly bankMs: readonly number[];
  /** The request to take back the last decision; absent if there is none. */
  readonly takebackRequest?: PendingTakeback;
  /** The seats played by bots. */
  readonly bots: readonly BotSeat[];
  /** The platform's own id of the match; "" for other viewers than that platform and the referee. */
  readonly externalId: string;
  /** The labels of the match; empty for other viewers than its platform and the referee. */
  readonly labels: Readonly<Record<string, string>>;
  /** The names of the players, in the order of seats. */
  readonly playerNames: readonly PlayerName[];
  /** It is a test: its deadline is in its own time, which only `Match.advanceClock` moves. */
  readonly sandbox: boolean;
}

/** Why one item of a batch failed: a code, the explanation, and the invalid field of the item, "" for none. */
export interface ItemError {
  readonly code: Open<ErrorCode>;
  readonly message: string;
  readonly field: string;
}

/** The result for one match of `Chitarrella.getMatches`: the match or the error, the other is absent. */
export type FoundMatch =
  | { readonly match: MatchState; readonly error?: undefined }
  | { readonly match?: undefined; readonly error: ItemError };

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
}

/** An update of one of the matches of a platform. */
export interface PlatformUpdate {
  readonly matchId: string;
  /** The events of one move, as the public sees them; absent if the match was aborted. */
  readonly update?: MatchUpdate;
  /** With this update the match is finished. */
  readonly finished: boolean;
  /** The match was aborted. */
  readonly aborted: boolean;
}

/** The result of a takeback request: whether it was taken back, and the seats that have not answered yet. */
export interface TakebackResult {
  readonly revision: number;
  readonly takenBack: boolean;
  readonly awaitingAnswersFrom: readonly number[];
}

/** The result of enforcing the clock: whether the time was used up, so that a move was played or a shuffle made. */
export interface ClockResult {
  readonly timedOut: boolean;
  readonly revision: number;
  /** The present deadline; absent without one. */
  readonly deadline?: Date;
}

/** The result of advancing the clock of a test. */
export interface ClockAdvance {
  /** The time of the match now. */
  readonly time: Date;
  /** The revision now. */
  readonly revision: number;
  /** A deadline was passed: a move was played, or a shuffle made. */
  readonly timedOut: boolean;
}

/** An entry of the list of a platform's matches. */
export interface MatchSummary {
  readonly matchId: string;
  readonly ruleSet: RuleSet;
  readonly revision: number;
  /** When it was created, in whole seconds. */
  readonly createTime: Date;
  /** It was played to its end. */
  readonly finished: boolean;
  /** It was aborted. */
  readonly aborted: boolean;
  readonly private: boolean;
  /** The platform's own id of the match. */
  readonly externalId: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The names of the players, in the order of seats. */
  readonly playerNames: readonly PlayerName[];
  /** It is a test. */
  readonly sandbox: boolean;
}
