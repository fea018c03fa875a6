/** What the catalogue says of games; the fields are those of the contract, with its words. */

import type * as pb from "./gen/chitarrella/v1/catalogue_pb.js";
import type { Clause } from "./table.js";

/** A message of the contract as a plain readonly value. */
type Plain<M> = Readonly<Omit<M, "$typeName" | "$unknown">>;

/** A game in one line: its `game` key, title, place, players, pack, sources and edition. */
export type GameSummary = Plain<pb.GameSummary>;

/** Something the table may agree upon: one of `words`, or a number from `least` to `most`. */
export type Option = Plain<pb.Option>;

/** What a move looks like: which arguments its verb takes, and when it belongs. */
export type MoveForm = Plain<pb.MoveForm>;

/** A reason for which a move may be refused, and the key of the clause behind it. */
export type ReasonCode = Plain<pb.ReasonCode>;

/** A version of the rules of a game. */
export type Edition = Plain<pb.Edition>;

/** A game with all that can be known of it, the whole rule book included. */
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

/** Something that is not the same in two games; what one of them lacks is empty there. */
export type Difference = Plain<pb.Difference>;

/** What differs between two games, or two agreements on one. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** How many clauses say the same in both. */
  readonly clausesAlike: number;
}
