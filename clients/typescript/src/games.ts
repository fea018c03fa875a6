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

/**
 * A card of a game, as it ranks and counts where no suit is trumps.
 *
 * `order` is its place in its suit, or among all cards where cards have no suit: a higher number beats a lower one, and
 * 0 loses to every other card. `points` is absent where no card counts anything.
 */
export type Card = Plain<pb.Card>;

/** A suit that cards count as. */
export type Suit = Plain<pb.Suit>;

/** The seats of one side, in order of play. */
export interface Side {
  readonly seats: readonly number[];
}

/** Who plays together, at one number of players. */
export interface Partnership {
  readonly players: number;
  /** The sides in order of play. */
  readonly sides: readonly Side[];
}

/**
 * A kind of zone, and what lies there. `seenBy` is who sees its cards unless a rule shows more: "owner", "everybody" or
 * "nobody".
 */
export type ZoneSpec = Plain<pb.ZoneSpec>;

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
  /** Each different card in canonical order; like suits and zones those of the default options. */
  readonly cards: readonly Card[];
  /** The suits that cards count as; none where cards have no suit. */
  readonly suits: readonly Suit[];
  /** The partners at each number of players that has fixed ones. */
  readonly partnerships: readonly Partnership[];
  /** The kinds of zones of a view. */
  readonly zones: readonly ZoneSpec[];
}

/** Returns a card of a game by its notation; undefined if the game has no such card. */
export function cardOf(game: Game, code: string): Card | undefined {
  return game.cards.find((card) => card.code === code);
}
