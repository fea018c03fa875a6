/**
 * The answers of the REST API that a table reads, as proto3 writes them in JSON. Where JSON is like the values of the
 * client, the types are those; where it differs, in 64-bit numbers, times and facts, the difference stands here.
 */

import type * as responses from "../src/responses.js";
import type * as client from "../src/types.js";

export type { Card, Game, GameSummary, MoveSpec, Option } from "../src/games.js";
export type { ChanceRequest, ItemError, Position, TrickResult } from "../src/responses.js";
export type { Refusal, Zone } from "../src/types.js";

/** A value of the client without some fields, which JSON has otherwise. */
type But<T, K extends keyof T, With> = Omit<T, K> & Readonly<With>;

/** Amounts by person; 64-bit numbers are text in JSON. */
export type Share = But<client.Share, "amount", { amount: string | number }>;

export type Move = But<client.Move, "shares", { shares: readonly Share[] }>;

export type TableEvent = But<client.Event, "shares", { shares: readonly Share[] }>;

export interface Fact {
  readonly name: string;
  readonly seat?: number;
  readonly word?: string;
  readonly number?: number;
  readonly money?: string | number;
  readonly shares?: { readonly shares: readonly Share[] };
}

export type View = But<
  client.View,
  "waiting" | "facts",
  { waiting: `WAITING_${Uppercase<client.Waiting>}`; facts: readonly Fact[] }
>;

/** A match, without what only its platform and the client know of it. */
export type Match = But<
  responses.MatchState,
  "view" | "deadline" | "bankMs" | "bots" | "ruleSet" | "over" | "externalId" | "labels",
  {
    ruleSet: Omit<client.RuleSet, "options">;
    view: View;
    deadline?: string;
    bankMs: readonly (string | number)[];
    bots: readonly Omit<responses.BotSeat, "thinkMs">[];
  }
>;

export type LegalMoves = But<responses.MatchMoves, "moves", { moves: readonly Move[] }>;

/** The result of a move that was played, or validated. */
export type MoveResult = responses.MatchMoveValidation;

/** A message of the stream of a match; a heartbeat if it has no events. */
export type Update = But<responses.MatchUpdate, "events", { events: readonly TableEvent[] }>;

/** A move, and the clauses that it would break. */
export type ExplainedMove = But<client.ExplainedMove, "move", { move: Move }>;

/** An answer of a batch of questions about the rules; the one part that there is. */
export interface RulesAnswer {
  readonly startGame?: Pick<responses.GameStart, "position" | "chanceRequest">;
  readonly applyMoves?: AppliedMoves;
  readonly getView?: { readonly view: View };
  /** What is wrong with a question, and the path of the field at fault. */
  readonly error?: responses.ItemError;
}

/** How many moves were made, what they led to, and why the next one was refused. */
export type AppliedMoves = But<
  responses.AppliedMoves,
  "view" | "events" | "penalties" | "points" | "legalMoves",
  { view: View; events: readonly TableEvent[] }
>;

/** What cards count, by the name of the count. */
export type Scores = readonly responses.Score[];

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
