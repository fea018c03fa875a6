/**
 * Local verification of shuffles: the service's commit-reveal shuffle, implemented again.
 *
 * The commitment was published before the shuffle and is the SHA-256 of the nonce; the order follows from the nonce, the
 * number of the shuffle and the seeds that the seats had added.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Shuffle } from "./shuffles.js";

const NUMBERS = 1n << 64n;

/**
 * Whether a shuffle follows from its commitment; `pack` is the pack of the game, in the order of the catalogue.
 *
 * A lot needs no pack. A shuffle that was supplied by the referee, or whose nonce is not published yet, cannot be
 * verified: false.
 */
export function isFair(shuffle: Shuffle, pack: readonly string[] = []): boolean {
  if (shuffle.nonce === "" || bytesToHex(sha256(utf8ToBytes(shuffle.nonce))) !== shuffle.commitment) {
    return false;
  }
  if (shuffle.lots.length > 0) {
    const lots = [...shuffle.lots].sort((one, other) => one - other);
    return shuffled(lots, shuffle)[0] === shuffle.amount;
  }
  const canonical = [...shuffle.cards].sort((one, other) => pack.indexOf(one) - pack.indexOf(other));
  return shuffled(canonical, shuffle).every((card, index) => card === shuffle.cards[index]);
}

/** Shuffles things, given in their canonical order, as the shuffle did. */
export function shuffled<T>(things: readonly T[], shuffle: Shuffle): T[] {
  const order = [...things];
  const numbers = numbersOf(shuffle);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, numbers);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}

/** A uniform number below a bound: numbers above its last multiple are rejected. */
function below(bound: number, numbers: Iterator<bigint, never>): number {
  const end = NUMBERS - (NUMBERS % BigInt(bound));
  for (;;) {
    const { value } = numbers.next();
    if (value < end) {
      return Number(value % BigInt(bound));
    }
  }
}

/** An endless stream of 64-bit numbers: SHA-256 of the key and a block counter. */
function* numbersOf(shuffle: Shuffle): Generator<bigint, never> {
  const clientSeeds = shuffle.clientSeeds.map(({ seat, seed }) => `${seat} ${seed}\n`).join("");
  const input = new Uint8Array(40); // the key, then the counter
  input.set(sha256(utf8ToBytes(`chitarrella shuffle 1\n${shuffle.nonce}\n${shuffle.number}\n${clientSeeds}`)));
  for (let block = 0n; ; block += 1n) {
    new DataView(input.buffer).setBigUint64(32, block);
    const digest = sha256(input);
    const numbers = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    for (let at = 0; at < digest.length; at += 8) {
      yield numbers.getBigUint64(at);
    }
  }
}
