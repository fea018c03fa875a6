/** Between the JSON of the scenarios and the values of the client. */

import type { Agreed, Event, ExplainedMove, Move, MoveLike, Refusal, View } from "chitarrella-client";

/** A move as scenarios have it: what it has not is left out. */
export interface SaidMove {
  verb: string;
  cards?: string[];
  word?: string;
  amount?: number | null;
  seat?: number | null;
  shares?: { person: string; amount: number }[];
}

/** A step of a scenario: the operation, and what it takes. */
export interface Step {
  op: string;
  agreement: Exclude<Agreed, string>;
  position: string;
  seat?: number | null;
  move: SaidMove;
  hand: string[];
  trick: string[];
  trump?: string;
  cards: string[];
  pack?: unknown;
  as: string;
  packs?: "service" | "referee" | "shared";
  bots?: Record<string, string>;
  private?: boolean;
  match: string;
  who?: number | string;
  key?: string;
  expected_revision?: number;
  request_id?: string;
  messages: number;
  cut_after?: number;
  refuse?: boolean;
}

/** Reads a move. */
export function readMove({ amount, seat, ...said }: SaidMove): MoveLike {
  return { ...said, amount: amount ?? undefined, seat: seat ?? undefined };
}

/** Writes a move. */
export function move({ verb, cards, word, amount, seat, shares }: Move) {
  return { verb, cards, word, amount: amount ?? null, seat: seat ?? null, shares };
}

/** Writes a refusal. */
export function refusal({ code, clause, instead, held, word, amount, penalty }: Refusal) {
  return { code, clause: clause.key, instead, held, word, amount: amount ?? null, penalty };
}

/** Writes a move with the clauses against it. */
export function explained(said: ExplainedMove) {
  return { move: move(said.move), refusals: said.refusals.map(refusal) };
}

/** Writes an event. */
export function event({ kind, seat, cards }: Event) {
  return { kind, seat: seat ?? null, cards };
}

/** Writes whom the table waits for. */
export function waiting({ waiting: whom, turn }: View) {
  return { waiting: whom, turn: turn ?? null };
}
