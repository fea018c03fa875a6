/** Converts arguments to messages. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Duration, durationFromMs } from "@bufbuild/protobuf/wkt";
import { moveKind, partialPositionKind, ruleSetKind, seconds } from "./arguments.js";
import type { PartialPositionSchema, PartialTrickSchema, PositionSchema } from "./gen/chitarrella/v1/position_pb.js";
import type { MoveSchema, RuleSetSchema } from "./gen/chitarrella/v1/table_pb.js";
import type { Words } from "./plain.js";
import type { Position } from "./responses.js";
import type { Move, RuleSet, Share } from "./types.js";

/** Converts a word of an enum; throws if it has none. */
export function numberOf<E extends object>(names: E, word: Words<E>): E[keyof E] {
  return names[word.toUpperCase() as keyof E];
}

/** Converts seconds, if there are any; `path` names the argument. */
export function duration(given: number | undefined, path: string): Duration | undefined {
  if (given === undefined) {
    return undefined;
  }
  seconds(given, path);
  return durationFromMs(Math.round(given * 1000));
}

/** The key of a game, or a rule set; what is left out has its default. */
export type RuleSetLike =
  | string
  | (Pick<RuleSet, "gameId"> & {
      /** The number of players. Default: that of the game. */
      readonly players?: number;
      /** The options by name. */
      readonly options?: Readonly<Record<string, string | number | boolean>>;
      /** The edition of the rules. Default: the current one. */
      readonly edition?: number;
    });

/** A move: a verb alone, such as "pass", or a verb with its arguments, such as a `Move` of a response. */
export type MoveLike = string | (Pick<Move, "verb"> & Partial<Omit<Move, "verb">>);

/** A trick, as far as it is known. */
export interface PartialTrick {
  /** The cards in order of play; none for a lead. */
  readonly cards: readonly string[];
  /** The seat that leads it. Without it, the seat of the question is the one to play. */
  readonly leader?: number;
  /** The suit that the leader of the trump card has declared; "" for none. */
  readonly declaredSuit?: string;
}

/**
 * What is known of a position in a game of tricks. A part that is left out is unknown, and nothing is assumed about it:
 * an answer names the unknown parts that it depends on.
 */
export interface PartialPosition {
  readonly ruleSet: RuleSetLike;
  /** The known hands by seat, each complete. */
  readonly hands?: Readonly<Record<number, readonly string[]>>;
  /** The current trick, or only its cards. */
  readonly trick?: PartialTrick | readonly string[];
  /** The trump suit; "" for no trumps. */
  readonly trump?: string;
  /** The trump card, in games where the trump is a single card; "" for none. */
  readonly trumpCard?: string;
  /** The number of cards to draw. */
  readonly stockSize?: number;
  /** The seats that take part in the deal, where seats may sit out. */
  readonly dealtIn?: readonly number[];
}

/** A position, or what is known of it. */
export type PositionLike = Position | PartialPosition;

/**
 * Who supplies packs and lots: the service, the referee, or ("shared") the service when every person has added a seed to
 * the shuffle.
 */
export type PackSource = "service" | "referee" | "shared";

/** What a call says about its match and its caller: the id, the key, and the seat that the referee acts for. */
export interface SeatAccess {
  readonly matchId: string;
  readonly key: string;
  readonly seat?: number;
}

/** Converts a rule set. */
export function ruleSetMessage(ruleSet: RuleSetLike): MessageInitShape<typeof RuleSetSchema> {
  ruleSetKind(ruleSet, "ruleSet");
  if (typeof ruleSet === "string") {
    return { gameId: ruleSet };
  }
  const { gameId, players, edition } = ruleSet;
  const options = Object.entries(ruleSet.options ?? {}).map(([name, chosen]) => [name, String(chosen)] as const);
  return { gameId, players, options: Object.fromEntries(options), edition };
}

/** Converts a position. */
export function positionMessage({ ruleSet, text }: Position): MessageInitShape<typeof PositionSchema> {
  return { ruleSet: ruleSetMessage(ruleSet), text };
}

/** Converts a whole or a partial position to the field of a request. */
export function positionField(position: PositionLike) {
  return "text" in position
    ? { position: positionMessage(position) }
    : { partialPosition: partialPositionMessage(position) };
}

function partialPositionMessage(position: PartialPosition): MessageInitShape<typeof PartialPositionSchema> {
  partialPositionKind(position);
  const { ruleSet, hands = {}, trick, trump, trumpCard, stockSize, dealtIn = [] } = position;
  return {
    ruleSet: ruleSetMessage(ruleSet),
    hands: Object.entries(hands).map(([seat, cards]) => ({ seat: Number(seat), cards: [...cards] })),
    trick: trick && trickMessage(trick),
    trump,
    trumpCard,
    stockSize,
    dealtIn: [...dealtIn],
  };
}

function trickMessage(trick: PartialTrick | readonly string[]): MessageInitShape<typeof PartialTrickSchema> {
  return "cards" in trick ? { ...trick, cards: [...trick.cards] } : { cards: [...trick] };
}

/** Converts a move. */
export function moveMessage(move: MoveLike): MessageInitShape<typeof MoveSchema> {
  moveKind(move, "move");
  if (typeof move === "string") {
    return { verb: move };
  }
  const { verb, cards, choice, amount, dummySeat, shares = [] } = move;
  return { verb, cards: [...(cards ?? [])], choice, amount, dummySeat, shares: shares.map(shareMessage) };
}

function shareMessage(share: Share): { person: string; amount: bigint } {
  return { person: share.person, amount: BigInt(share.amount) };
}

/** Returns a random request id. It must be unguessable: repeating a creation with it returns the keys of the match. */
export function newRequestId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
