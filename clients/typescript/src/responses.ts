/** Responses about games, positions and matches, as plain readonly values. */

import type * as pb from "./gen/chitarrella/v1/catalogue_pb.js";
import type { Agreement, Clause, Event, ExplainedMove, Move, Refusal, View } from "./types.js";

/** A position and its agreement; `line` is the text form, written by the service. */
export interface Position {
  readonly agreement: Agreement;
  readonly line: string;
}

/** An awaited result of chance: cards in some order, or one of some numbers. */
export interface Wanted {
  readonly verb: string;
  readonly cards: readonly string[];
  readonly amounts: readonly number[];
}

/** The start of a match. */
export interface Start {
  readonly position: Position;
  /** The result of chance that the position awaits, if any. */
  readonly wanted?: Wanted;
  readonly view: View;
}

/** The legal moves in a position. */
export interface LegalMoves {
  readonly moves: readonly Move[];
  /** The seat to move; absent if none is. */
  readonly seat?: number;
  /** The result of chance that the position awaits, if any. */
  readonly wanted?: Wanted;
}

/** Every card of a hand and every other possible move, each with the clauses it breaks. */
export interface ExplainedHand {
  readonly moves: readonly ExplainedMove[];
  /** The seat whose hand this is. */
  readonly seat?: number;
}

/** The result of checking a move. */
export interface Verdict {
  readonly accepted: boolean;
  readonly refusals: readonly Refusal[];
}

/** The result of moves in a position, as visible to the referee. */
export interface PlayedMoves {
  /** After the last accepted move. */
  readonly position: Position;
  /** How many were accepted. */
  readonly played: number;
  /** Why the next one was refused. */
  readonly refusals: readonly Refusal[];
  readonly events: readonly Event[];
  readonly view: View;
  readonly wanted?: Wanted;
  /** The points of each seat in this deal, by the first count. */
  readonly points: readonly number[];
}

/** A count, such as "card_points". */
export interface Tally {
  readonly name: string;
  readonly number: number;
}

/** The card that takes a trick, its place in order of play from 0, and the worth of the trick. */
export interface Trick {
  readonly place: number;
  readonly card: string;
  readonly tallies: readonly Tally[];
}

/** A seat played by a bot. */
export interface BotSeat {
  readonly seat: number;
  readonly bot: string;
  /** Its time for a move in milliseconds; 0 for the service's default. */
  readonly thinkMs: number;
}

/** A match as visible to one viewer. */
export interface Seen {
  readonly match: string;
  readonly agreement: Agreement;
  /** The number of public moves. */
  readonly revision: number;
  readonly view: View;
  /** The viewer's seat; absent for the public and the referee. */
  readonly seat?: number;
  /** It was aborted. */
  readonly ended: boolean;
  /** It is finished or aborted. */
  readonly over: boolean;
  /** The cursor to watch from here. */
  readonly cursor: string;
  /** The commitment to the next draw of the service; "" if the referee deals. */
  readonly nextCommitment: string;
  /** The seats whose words the next shuffle awaits. */
  readonly wordsAwaited: readonly number[];
  /** The deadline of the seat to move, in milliseconds since 1970; absent if no clock runs. */
  readonly deadlineMs?: number;
  /** The remaining bank of each seat, in milliseconds. */
  readonly bankMs: readonly number[];
  /** The pending takeback request: its seat, and the seats that have not answered yet. */
  readonly askedBack?: { readonly seat: number; readonly awaited: readonly number[] };
  /** The seats played by bots. */
  readonly bots: readonly BotSeat[];
}

/** The legal moves in a match. */
export interface MatchMoves {
  readonly moves: readonly Move[];
  /** The seat to move; absent if none is. */
  readonly seat?: number;
  /** The revision of the match. */
  readonly revision: number;
}

/** The explained hand of a seat in a match. */
export interface MatchHand extends ExplainedHand {
  readonly revision: number;
}

/** The result of checking a move in a match. */
export interface MatchVerdict extends Verdict {
  readonly revision: number;
}

/** The result of a move. */
export interface Played {
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
export interface Told {
  readonly revision: number;
  /** The cursor to resume behind it. */
  readonly cursor: string;
  readonly events: readonly Event[];
}

/** The result of a takeback request: whether it was taken back, and the seats that have not answered yet. */
export interface TakenBack {
  readonly revision: number;
  readonly takenBack: boolean;
  readonly awaited: readonly number[];
}

/** The result of enforcing the clock: whether the seat was out of time, so that its default move was played. */
export interface Ruling {
  readonly ruled: boolean;
  readonly revision: number;
  /** The deadline of the seat now to move, in milliseconds since 1970; absent if none is. */
  readonly deadlineMs?: number;
}

/** An entry of the list of a platform's matches. */
export interface MatchSummary {
  readonly match: string;
  readonly agreement: Agreement;
  readonly revision: number;
  /** In seconds since 1970. */
  readonly openedAt: number;
  /** It is finished. */
  readonly over: boolean;
  /** It was aborted. */
  readonly ended: boolean;
  readonly private: boolean;
}

/** A word of a seat in a shuffle. */
export interface Contribution {
  readonly seat: number;
  readonly word: string;
}

/** The result of a contribution: the revision after it, and the seats whose words are still awaited. */
export interface Awaited {
  readonly revision: number;
  readonly wordsAwaited: readonly number[];
}

/** A shuffle or a lot; `isFair` verifies it. */
export interface Draw {
  /** Counts the draws of the match from 1. */
  readonly number: number;
  readonly revision: number;
  readonly verb: string;
  /** It was supplied by the referee, so that there is no proof. */
  readonly handedIn: boolean;
  /** Published before the draw. */
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

/** A message of the contract as a plain readonly value. */
type Plain<M> = Readonly<Omit<M, "$typeName" | "$unknown">>;

/** An entry of the list of games: its `game` key, title, place, players, pack, sources and edition. */
export type GameSummary = Plain<pb.GameSummary>;

/** An option of a game: one of `words`, or a number from `least` to `most`. */
export type Option = Plain<pb.Option>;

/** The specification of a kind of move: its arguments and its phases. */
export type MoveForm = Plain<pb.MoveForm>;

/** A reason of a refusal, and the key of its clause. */
export type ReasonCode = Plain<pb.ReasonCode>;

/** An edition of the rules of a game. */
export type Edition = Plain<pb.Edition>;

/** The description of a game, with the whole rule book. */
export interface Game {
  readonly summary: GameSummary;
  /** Every card in canonical order. */
  readonly pack: readonly string[];
  readonly options: readonly Option[];
  readonly moves: readonly MoveForm[];
  readonly reasons: readonly ReasonCode[];
  readonly clauses: readonly Clause[];
  readonly editions: readonly Edition[];
}

/** A difference between two games; empty on the side that lacks it. */
export type Difference = Plain<pb.Difference>;

/** The differences between two games, or two agreements on one. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** How many clauses have the same text in both. */
  readonly clausesAlike: number;
}
