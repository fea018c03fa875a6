/** Shuffles and their proofs, as plain readonly values. */

import type * as pb from "./gen/chitarrella/v1/matches_pb.js";

/** The seed of a seat in a shuffle. */
export interface ClientSeed {
  readonly seat: number;
  readonly seed: string;
}

/** The result of contributing a seed: the revision after it, and the seats whose seeds are still awaited. */
export interface SeedResult {
  readonly revision: number;
  readonly awaitingSeedsFrom: readonly number[];
}

/** A pack that was shuffled or a lot that was drawn; `isFair` verifies it. */
export interface Shuffle {
  /** Its number in the match, from 1. */
  readonly number: number;
  readonly revision: number;
  readonly verb: string;
  /** It was supplied, by the referee or with the match, and cannot be verified. */
  readonly supplied: boolean;
  /** Published before the shuffle. */
  readonly commitment: string;
  readonly clientSeeds: readonly ClientSeed[];
  /** "" while it is secret. */
  readonly nonce: string;
  /** The pack in its order; empty while it is secret. */
  readonly cards: readonly string[];
  /** The lot. */
  readonly amount?: number;
  /** The lots to draw from. */
  readonly lots: readonly number[];
}

/** The shuffles of a match in order, and the commitment to the next one. */
export interface Shuffles {
  readonly shuffles: readonly Shuffle[];
  readonly nextCommitment: string;
}

/** Whether a shuffle was fair; if not, `code` says why. */
export interface Fairness {
  readonly fair: boolean;
  readonly code: string;
}

/** Converts the result of contributing a seed. */
export function seedResult(message: pb.ContributeSeedResponse): SeedResult {
  return { revision: message.revision, awaitingSeedsFrom: message.awaitingSeedsFrom };
}

/** Converts shuffles. */
export function shuffles(message: pb.ListShufflesResponse): Shuffles {
  return { shuffles: message.shuffles.map(shuffle), nextCommitment: message.nextCommitment };
}

function shuffle(message: pb.Shuffle): Shuffle {
  const { $typeName: _, $unknown: __, ...plain } = message;
  return { ...plain, clientSeeds: message.clientSeeds.map(({ seat, seed }) => ({ seat, seed })) };
}
