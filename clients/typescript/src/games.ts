/** Responses about games, as plain readonly values. */

import type * as pb from "./gen/chitarrella/v1/catalogue_pb.js";
import type { Clause } from "./types.js";

/** A message of the contract as a plain readonly value. */
type Plain<M> = Readonly<Omit<M, "$typeName" | "$unknown">>;

/** An entry of the list of games: its `gameId`, title, place, players, pack, sources and edition. */
export type GameSummary = Plain<pb.GameSummary>;

/** An option of a game: one of `choices`, or a number from `minimum` to `maximum`. */
export type Option = Plain<pb.Option>;

/** The specification of a kind of move: its arguments and its phases. */
export type MoveSpec = Plain<pb.MoveSpec>;

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
  readonly moves: readonly MoveSpec[];
  readonly reasons: readonly ReasonCode[];
  readonly clauses: readonly Clause[];
  readonly editions: readonly Edition[];
}

/** A difference between two games; empty on the side that lacks it. */
export type Difference = Plain<pb.Difference>;

/** The differences between two games, or two rule sets of one game. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** The number of clauses that are the same in both. */
  readonly sameClauses: number;
}
