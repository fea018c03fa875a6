/** Reads steps from JSON and writes results as JSON. */

import type { Agreed, Event, ExplainedMove, Move, MoveLike, Refusal, View } from "chitarrella-client";

/** A move in a scenario, without its empty arguments. */
export interface MoveJson {
  verb: string;
  cards?: string[];
  word?: string;
  amount?: number | null;
  seat?: number | null;
  shares?: { person: string; amount: number }[];
}

/** A step of a scenario: the operation and its arguments. */
export interface Step {
  op: string;
  agreement: Exclude<Agreed, string>;
  position: string;
  seat?: number | null;
  move: MoveJson;
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
export function readMove({ amount, seat, ...others }: MoveJson): MoveLike {
  return { ...others, amount: amount ?? undefined, seat: seat ?? undefined };
}

/** Converts a move. */
export function move({ verb, cards, word, amount, seat, shares }: Move) {
  return { verb, cards, word, amount: amount ?? null, seat: seat ?? null, shares };
}

/** Writes a refusal. */
export function refusal({ code, clause, instead, held, word, amount, penalty }: Refusal) {
  return { code, clause: clause.key, instead, held, word, amount: amount ?? null, penalty };
}

/** Writes a move with the clauses against it. */
export function explained(value: ExplainedMove) {
  return { move: move(value.move), refusals: value.refusals.map(refusal) };
}

/** Writes an event. */
export function event({ kind, seat, cards }: Event) {
  return { kind, seat: seat ?? null, cards };
}

/** Writes who is to move. */
export function waiting({ waiting: whom, turn }: View) {
  return { waiting: whom, turn: turn ?? null };
}
