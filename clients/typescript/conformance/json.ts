/** Reads steps from JSON and writes results as JSON. */

import type {
  Event,
  ExplainedMove,
  Move,
  MoveLike,
  MoveValidation,
  PackSource,
  Refusal,
  RuleSet,
  View,
} from "chitarrella-client";

/** A move in a scenario, without its empty arguments. */
export interface MoveJson {
  verb: string;
  cards?: string[];
  choice?: string;
  amount?: number | null;
  seat?: number | null;
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
export function readMove({ amount, seat, ...others }: MoveJson): MoveLike {
  return { ...others, amount: amount ?? undefined, seat: seat ?? undefined };
}

/** Converts a move. */
export function move({ verb, cards, choice, amount, seat, shares }: Move) {
  return { verb, cards, choice, amount: amount ?? null, seat: seat ?? null, shares };
}

/** Writes a refusal. */
export function refusal({ code, clause, allowedCards, offendingCards, word, amount, penalty, undecided }: Refusal) {
  const cards = { allowed_cards: allowedCards, offending_cards: offendingCards };
  return { code, clause: clause.key, ...cards, word, amount: amount ?? null, penalty, undecided };
}

/** Writes whether a move is accepted. */
export function validation({ verdict, refusals, dependsOn }: MoveValidation) {
  return { verdict, refusals: refusals.map(refusal), depends_on: dependsOn };
}

/** Writes a move with the clauses against it. */
export function explained(value: ExplainedMove) {
  return { move: move(value.move), ...validation(value) };
}

/** Writes an event. */
export function event({ kind, seat, cards }: Event) {
  return { kind, seat: seat ?? null, cards };
}

/** Writes who has to act. */
export function waiting({ waiting: whom, turn }: View) {
  return { waiting: whom, turn: turn ?? null };
}
