/**
 * Shuffles and their proofs, and the service's commit-reveal shuffle, implemented again.
 *
 * The commitment was published before the shuffle and is the SHA-256 of the nonce; the order follows from the nonce, the
 * number of the shuffle and the seeds that the seats had added. A generator yields what has to be hashed, and receives
 * the digest: it works with any implementation of SHA-256.
 */

import { sha256 } from "@noble/hashes/sha2.js";

/** The seed of a seat in a shuffle. */
export interface ClientSeed {
  readonly seat: number;
  readonly seed: string;
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

/** Steps that need digests, and their result. */
export type Hashing<Result> = Generator<Uint8Array<ArrayBuffer>, Result, Uint8Array>;

const NUMBERS = 1n << 64n;

/** Whether a shuffle follows from its commitment; `isFair` says what this means. */
export function* fairnessOf(shuffle: Shuffle, pack: readonly string[]): Hashing<boolean> {
  if (shuffle.nonce === "" || hexadecimal(yield bytesOf(shuffle.nonce)) !== shuffle.commitment) {
    return false;
  }
  if (shuffle.lots.length > 0) {
    const lots = [...shuffle.lots].sort((one, other) => one - other);
    return (yield* orderOf(lots, shuffle))[0] === shuffle.amount;
  }
  const canonical = [...shuffle.cards].sort((one, other) => pack.indexOf(one) - pack.indexOf(other));
  const order = yield* orderOf(canonical, shuffle);
  return order.every((card, index) => card === shuffle.cards[index]);
}

/** The order of things, given in their canonical order, after a shuffle. */
export function* orderOf<T>(things: readonly T[], shuffle: Shuffle): Hashing<T[]> {
  const order = [...things];
  const numbers = new Numbers(shuffle);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = yield* numbers.below(last + 1);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}

/** The numbers of a shuffle: each 64 bits of the SHA-256 of the key and a block counter. */
class Numbers {
  /** The key, then the counter. */
  private readonly input = new Uint8Array(40);
  private block = 0n;
  private ready: bigint[] = [];

  constructor(private readonly shuffle: Shuffle) {}

  /** A uniform number below a bound: numbers above its last multiple are rejected. */
  *below(bound: number): Hashing<number> {
    const end = NUMBERS - (NUMBERS % BigInt(bound));
    for (;;) {
      const number = this.ready.shift();
      if (number === undefined) {
        yield* this.refill();
      } else if (number < end) {
        return Number(number % BigInt(bound));
      }
    }
  }

  private *refill(): Hashing<void> {
    if (this.block === 0n) {
      const { nonce, number, clientSeeds } = this.shuffle;
      const seeds = clientSeeds.map(({ seat, seed }) => `${seat} ${seed}\n`).join("");
      this.input.set(yield bytesOf(`chitarrella shuffle 1\n${nonce}\n${number}\n${seeds}`));
    }
    new DataView(this.input.buffer).setBigUint64(32, this.block++);
    const digest = yield this.input;
    const numbers = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    for (let at = 0; at < digest.length; at += 8) {
      this.ready.push(numbers.getBigUint64(at));
    }
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function hexadecimal(digest: Uint8Array): string {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Whether a shuffle follows from its commitment; `pack` is the pack of the game, in the order of the catalogue.
 *
 * A lot needs no pack. A shuffle that was supplied by the referee, or whose nonce is not published yet, cannot be
 * verified: false.
 */
export function isFair(shuffle: Shuffle, pack: readonly string[] = []): boolean {
  return resultOf(fairnessOf(shuffle, pack));
}

/** Shuffles things, given in their canonical order, as the shuffle did. */
export function shuffled<T>(things: readonly T[], shuffle: Shuffle): T[] {
  return resultOf(orderOf(things, shuffle));
}

function resultOf<Result>(steps: Hashing<Result>): Result {
  let step = steps.next();
  while (!step.done) {
    step = steps.next(sha256(step.value));
  }
  return step.value;
}
