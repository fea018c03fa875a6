/**
 * The answers of the REST API that a table reads, as proto3 writes them in JSON. Where JSON is like the values of the
 * client, the types are those.
 */

import type * as client from "../src/types.js";

export type { Zone } from "../src/types.js";

/** Amounts by person; 64-bit numbers are text in JSON. */
export interface Share {
  readonly person: string;
  readonly amount: string | number;
}

export interface Move extends Omit<client.Move, "shares"> {
  readonly shares: readonly Share[];
}

export interface TableEvent extends Omit<client.Event, "shares"> {
  readonly shares: readonly Share[];
}

export interface Fact {
  readonly name: string;
  readonly seat?: number;
  readonly word?: string;
  readonly number?: number;
  readonly money?: string | number;
  readonly shares?: { readonly shares: readonly Share[] };
}

export interface View {
  readonly phase: string;
  readonly waiting: "WAITING_SEAT" | "WAITING_CHANCE" | "WAITING_NOBODY" | "WAITING_UNSPECIFIED";
  readonly turn?: number;
  readonly zones: readonly client.Zone[];
  readonly facts: readonly Fact[];
  readonly scores: readonly number[];
  readonly outcome?: { readonly winners: readonly number[] };
}

export interface Refusal {
  readonly code: string;
  readonly clause: client.Clause;
  readonly message: string;
  readonly allowedCards: readonly string[];
  readonly offendingCards: readonly string[];
  readonly page: string;
}

export interface Match {
  readonly matchId: string;
  readonly ruleSet: { readonly gameId: string; readonly players: number; readonly edition: number };
  readonly revision: number;
  readonly view: View;
  readonly seat?: number;
  readonly aborted: boolean;
  readonly cursor: string;
  /** Published before the next shuffle; empty where the referee supplies packs. */
  readonly nextCommitment: string;
  readonly awaitingSeedsFrom: readonly number[];
  readonly deadline?: string;
  /** A test, whose clock stands still until it is advanced. */
  readonly sandbox: boolean;
  /** The seat that asks to take its decision back, and the seats that have not answered. */
  readonly takebackRequest?: { readonly seat: number; readonly awaitingAnswersFrom: readonly number[] };
  readonly bankMs: readonly (string | number)[];
  readonly bots: readonly { readonly seat: number; readonly bot: string }[];
  readonly playerNames: readonly { readonly seat: number; readonly name: string }[];
}

export interface LegalMoves {
  readonly moves: readonly Move[];
  readonly seat?: number;
  readonly revision: number;
}

/** The result of a move that was played, or validated. */
export interface MoveResult {
  readonly accepted: boolean;
  readonly refusals: readonly Refusal[];
  readonly revision: number;
}

/** A message of the stream of a match; a heartbeat if it has no events. */
export interface Update {
  readonly revision: number;
  readonly cursor: string;
  readonly events: readonly TableEvent[];
}

export interface MoveSpec {
  readonly verb: string;
  readonly description: string;
  readonly phases: readonly string[];
  readonly minCards: number;
  readonly maxCards: number;
  readonly choices: readonly string[];
  readonly amount: boolean;
  readonly shares: boolean;
  readonly byChance: boolean;
}

export interface Option {
  readonly name: string;
  readonly description: string;
  readonly default: string;
  readonly choices: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface GameSummary {
  readonly gameId: string;
  readonly title: string;
  readonly place: string;
  readonly players: readonly number[];
  readonly defaultPlayers: number;
  /** The Python distribution that it comes from. */
  readonly distribution: string;
}

export interface Card {
  readonly code: string;
  readonly name: string;
  readonly suit: string;
  readonly rank: string;
  readonly pictureUrl: string;
  readonly copies: number;
}

/** A move, and the clauses that it would break. */
export interface ExplainedMove {
  readonly move: Move;
  readonly refusals: readonly Refusal[];
  /** The unknown parts that its legality depends on. */
  readonly dependsOn: readonly string[];
}

/** An answer of a batch of questions about the rules; the one part that there is. */
export interface RulesAnswer {
  readonly startGame?: { readonly position: Position; readonly chanceRequest?: ChanceRequest };
  readonly applyMoves?: AppliedMoves;
  readonly getView?: { readonly view: View };
  readonly error?: QuestionError;
}

/** What is wrong with a question, and the path of the field at fault. */
export interface QuestionError {
  readonly code: string;
  readonly message: string;
  readonly field: string;
}

/** A position in notation, and what is played. */
export interface Position {
  readonly ruleSet: object;
  readonly text: string;
}

/** What chance has to supply: cards to be shuffled, or lots of which one is drawn. */
export interface ChanceRequest {
  readonly verb: string;
  readonly cards: readonly string[];
  readonly amounts: readonly number[];
}

/** How many moves were made, what they led to, and why the next one was refused. */
export interface AppliedMoves {
  readonly applied: number;
  readonly refusals: readonly Refusal[];
  readonly view: View;
  readonly events: readonly TableEvent[];
  readonly position: Position;
  /** Absent unless chance has to move. */
  readonly chanceRequest?: ChanceRequest;
}

/** What cards count, by the name of the count. */
export type Scores = readonly { readonly name: string; readonly value: number }[];

export interface ResolvedTrick {
  readonly winningIndex?: number;
  readonly scores: Scores;
  readonly dependsOn: readonly string[];
}

export interface Game {
  /** The cards in canonical order. */
  readonly pack: readonly string[];
  readonly summary: GameSummary;
  readonly options: readonly Option[];
  readonly moves: readonly MoveSpec[];
  readonly cards: readonly Card[];
  readonly suits: readonly { readonly code: string; readonly name: string }[];
  readonly zones: readonly { readonly name: string; readonly description: string }[];
}

/** The words of a table in one language, as `/words/GAME/LANGUAGE.json` has them. */
export interface TableWords {
  readonly facts: Readonly<Record<string, string>>;
  /** The facts that are true or absent. */
  readonly flags: readonly string[];
  /** The facts whose value is a seat. */
  readonly seats: readonly string[];
  /** Sentences with placeholders, by kind of event, or by kind and word. */
  readonly events: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
  /** What the values of options mean, by option and value. */
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The options whose numbers are seats. */
  readonly seatOptions: readonly string[];
}

export interface CreatedMatch {
  readonly matchId: string;
  readonly seatKeys: readonly { readonly seat: number; readonly key: string }[];
  readonly refereeKey: string;
}
