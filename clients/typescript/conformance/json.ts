/** Reads steps from JSON and writes results as JSON. */

import type {
  Event,
  ExplainedMove,
  Move,
  MoveLike,
  MoveValidation,
  PackSource,
  Refusal,
  Restriction,
  RuleSet,
  View,
} from "chitarrella-client";

/** A move in a scenario, without its empty arguments. */
export interface MoveJson {
  verb: string;
  cards?: string[];
  choice?: string;
  amount?: number | null;
  dummy_seat?: number | null;
  shares?: { person: string; amount: number }[];
}

/** A rule set in a scenario. */
export interface RuleSetJson {
  game_id: string;
  players?: number;
  options?: Record<string, string>;
}

/** A move of a position, with the seat that makes it; null for chance. */
export interface SeatMoveJson {
  seat: number | null;
  move: MoveJson;
}

/** What a step knows of a position. */
export interface KnownJson {
  hands?: Record<string, string[]>;
  trick?: string[];
  trump?: string;
  stock_size?: number;
}

/** A step of a scenario: the operation and its arguments. */
export interface Step {
  op: string;
  rule_set: RuleSetJson;
  position: string;
  seat?: number | null;
  move: MoveJson;
  trump?: string;
  cards: string[];
  pack?: unknown;
  as: string;
  pack_source?: PackSource;
  bots?: Record<string, string>;
  private?: boolean;
  match: string;
  who?: number | string;
  key?: string;
  expected_revision?: number;
  request_id?: string;
  messages: number;
  cut_after?: number;
  decline?: boolean;
  game_id?: string;
  known?: KnownJson;
  moves?: SeatMoveJson[];
  questions?: Step[];
  position_of?: number;
  external_id?: string;
  labels?: Record<string, string>;
  player_names?: Record<string, string>;
  player_name?: string;
  sandbox?: string;
  restrictions?: Restriction[];
  winner_name?: string;
  winners?: number[];
  reason?: string;
  resume?: boolean;
  clock?: [number, number];
  move_count?: number;
  matches?: string[];
  steps?: Step[];
  seconds?: number;
  webhook?: string;
  url?: string;
  disabled?: boolean;
  state?: string;
  delivery?: string;
}

/** Reads a rule set. */
export function readRuleSet({ game_id: gameId, players = 0, options = {} }: RuleSetJson): RuleSet {
  return { gameId, players, options, edition: 0 };
}

/** Reads a move. */
export function readMove({ amount, dummy_seat: dummySeat, ...others }: MoveJson): MoveLike {
  return { ...others, amount: amount ?? undefined, dummySeat: dummySeat ?? undefined };
}

/** Writes some fields of a value, by their names in scenarios; what is absent is null. */
export function written<T extends object>(value: T | undefined, ...names: readonly string[]) {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const localName = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(names.map((name) => [name, fields[localName(name)] ?? null]));
}

/** Converts a move. */
export function move(value: Move) {
  return written(value, "verb", "cards", "choice", "amount", "dummy_seat", "shares");
}

/** Writes a refusal. */
export function refusal(value: Refusal) {
  const fields = ["code", "allowed_cards", "offending_cards", "word", "amount", "penalty", "undecided"];
  return { ...written(value, ...fields), clause: value.clause.key };
}

/** Writes whether a move is accepted. */
export function validation(value: MoveValidation) {
  return { ...written(value, "verdict", "depends_on"), refusals: value.refusals.map(refusal) };
}

/** Writes a move with the clauses against it. */
export function explained(value: ExplainedMove) {
  return { move: move(value.move), ...validation(value) };
}

/** Writes an event. */
export function event(value: Event) {
  return written(value, "kind", "seat", "cards");
}

/** Writes who has to act. */
export function waiting(view: View) {
  return written(view, "waiting", "turn");
}
