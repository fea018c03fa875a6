/**
 * The service's commit-reveal shuffle, implemented again, for any implementation of SHA-256.
 *
 * The commitment was published before the shuffle and is the SHA-256 of the nonce; the order follows from the nonce, the
 * number of the shuffle and the seeds that the seats had added. A generator yields what has to be hashed, and receives
 * the digest.
 */

import type { Shuffle } from "./shuffles.js";

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
