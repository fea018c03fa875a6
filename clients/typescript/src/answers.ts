/** What is answered about positions and matches, as plain readonly values. */

import type { Agreement, Event, ExplainedMove, Move, Refusal, View } from "./table.js";

/** A position with the agreement it is played under; `line` is written by the service and only handed back. */
export interface Position {
  readonly agreement: Agreement;
  readonly line: string;
}

/** What the table has to supply: cards in some order, or one of some numbers. */
export interface Wanted {
  readonly verb: string;
  readonly cards: readonly string[];
  readonly amounts: readonly number[];
}

/** A beginning. */
export interface Start {
  readonly position: Position;
  /** What the table has to supply, where it is to move. */
  readonly wanted?: Wanted;
  readonly view: View;
}

/** What a seat may do in a position. */
export interface LegalMoves {
  readonly moves: readonly Move[];
  /** The seat whose person may make them; absent where nobody is to move. */
  readonly seat?: number;
  /** What the table has to supply, where it is to move. */
  readonly wanted?: Wanted;
}

/** Every card of a hand, and every other act within reach, each with the clauses against it. */
export interface ExplainedHand {
  readonly moves: readonly ExplainedMove[];
  /** The seat that was explained. */
  readonly seat?: number;
}

/** Whether a move would be accepted, and every clause it breaks. */
export interface Verdict {
  readonly accepted: boolean;
  readonly refusals: readonly Refusal[];
}

/** What came of moves that were played in a position, as the referee sees it. */
export interface PlayedMoves {
  /** After the last move that was accepted. */
  readonly position: Position;
  /** How many were accepted. */
  readonly played: number;
  /** Why the next one was refused. */
  readonly refusals: readonly Refusal[];
  readonly events: readonly Event[];
  readonly view: View;
  readonly wanted?: Wanted;
  /** What each seat has taken in this deal, in points of the first count. */
  readonly points: readonly number[];
}

/** A count, such as "card_points". */
export interface Tally {
  readonly name: string;
  readonly number: number;
}

/** Which card takes a trick, its place in order of play from 0, and what the trick is worth. */
export interface Trick {
  readonly place: number;
  readonly card: string;
  readonly tallies: readonly Tally[];
}

/** A seat that a bot plays. */
export interface BotSeat {
  readonly seat: number;
  readonly bot: string;
  /** How long it may think about a move; 0 for as long as is usual. */
  readonly thinkMs: number;
}

/** A match as those eyes see it. */
export interface Seen {
  readonly match: string;
  readonly agreement: Agreement;
  /** Counts the moves that everybody may know of. */
  readonly revision: number;
  readonly view: View;
  /** Whose eyes; absent for the public and the referee. */
  readonly seat?: number;
  /** It was ended before its time. */
  readonly ended: boolean;
  /** Nothing more will happen. */
  readonly over: boolean;
  /** Where watching goes on from here. */
  readonly cursor: string;
  /** The commitment to the next draw that the service makes; "" where the referee deals. */
  readonly nextCommitment: string;
  /** The seats whose words the next pack is waiting for. */
  readonly wordsAwaited: readonly number[];
  /** Until when the seat on turn may think, in milliseconds since 1970; absent where no clock runs. */
  readonly deadlineMs?: number;
  /** What is left in the bank of each seat, in milliseconds. */
  readonly bankMs: readonly number[];
  /** Who asks to take back the last decision, and the seats that have not answered yet. */
  readonly askedBack?: { readonly seat: number; readonly awaited: readonly number[] };
  /** The seats that bots play. */
  readonly bots: readonly BotSeat[];
}

/** What a seat may do in a match now. */
export interface MatchMoves {
  readonly moves: readonly Move[];
  /** The seat whose person may make them; absent where nobody is to move. */
  readonly seat?: number;
  /** What this holds for. */
  readonly revision: number;
}

/** A hand in a match, explained; `revision` is what this holds for. */
export interface MatchHand extends ExplainedHand {
  readonly revision: number;
}

/** A verdict on a move in a match; `revision` is what this holds for. */
export interface MatchVerdict extends Verdict {
  readonly revision: number;
}

/** What came of a move. */
export interface Played {
  /** It was made. */
  readonly accepted: boolean;
  /** Every clause it breaks; where it is accepted, a breach that the rules let happen at a price. */
  readonly refusals: readonly Refusal[];
  /** The revision after it. */
  readonly revision: number;
  /** What happened, as the mover may know it. */
  readonly events: readonly Event[];
  /** The table after it, where it was asked for. */
  readonly view?: View;
  /** This request id had been played before: nothing happened now. */
  readonly repeatedRequest: boolean;
}

/** What somebody learns of one move. */
export interface Told {
  readonly revision: number;
  /** Where watching goes on after it. */
  readonly cursor: string;
  readonly events: readonly Event[];
}

/** What came of an ask to take back: it is taken back, or the seats are named that have not answered. */
export interface TakenBack {
  readonly revision: number;
  readonly takenBack: boolean;
  readonly awaited: readonly number[];
}

/** A ruling on time: whether it was over, so that a move was made for the seat on turn. */
export interface Ruling {
  readonly ruled: boolean;
  readonly revision: number;
  /** Until when the seat that is on turn now may think, in milliseconds since 1970; absent where nobody is. */
  readonly deadlineMs?: number;
}

/** A match of the platform in one line. */
export interface MatchSummary {
  readonly match: string;
  readonly agreement: Agreement;
  readonly revision: number;
  /** In seconds since 1970. */
  readonly openedAt: number;
  /** It was played to its end. */
  readonly over: boolean;
  /** It was ended before its time. */
  readonly ended: boolean;
  readonly private: boolean;
}

/** A word that a seat has added to a shuffle. */
export interface Contribution {
  readonly seat: number;
  readonly word: string;
}

/** What came of a word: the revision after it, and whose words are still waited for. */
export interface Awaited {
  readonly revision: number;
  readonly wordsAwaited: readonly number[];
}

/** A pack or a lot that was drawn; `isFair` checks it. */
export interface Draw {
  /** Counts the draws of the match from 1. */
  readonly number: number;
  readonly revision: number;
  readonly verb: string;
  /** It was handed in: there is nothing to prove it by. */
  readonly handedIn: boolean;
  /** What was published before the draw. */
  readonly commitment: string;
  readonly words: readonly Contribution[];
  /** "" as long as it could tell of hidden cards. */
  readonly nonce: string;
  /** The pack as it was dealt; empty as long as it could tell of hidden cards. */
  readonly cards: readonly string[];
  /** The lot. */
  readonly amount?: number;
  /** The lots there were. */
  readonly lots: readonly number[];
}

/** The draws of a match in order, and the commitment to the next one. */
export interface Draws {
  readonly draws: readonly Draw[];
  readonly nextCommitment: string;
}

/** Whether a draw was fair; if not, `code` says why. */
export interface Fairness {
  readonly fair: boolean;
  readonly code: string;
}
