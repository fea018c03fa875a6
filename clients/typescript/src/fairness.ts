/**
 * Local verification of draws: the service's commit-reveal shuffle, implemented again.
 *
 * The commitment was published before the draw and is the SHA-256 of the nonce; the order follows from the nonce, the
 * number of the draw and the words that the seats had added.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Draw } from "./responses.js";

const NUMBERS = 1n << 64n;

/**
 * Whether a draw follows from its commitment; `pack` is the pack of the game, in the order of the catalogue.
 *
 * A lot needs no pack. A draw supplied by the referee, or whose nonce is not published yet, cannot be verified: false.
 */
export function isFair(draw: Draw, pack: readonly string[] = []): boolean {
  if (draw.nonce === "" || bytesToHex(sha256(utf8ToBytes(draw.nonce))) !== draw.commitment) {
    return false;
  }
  if (draw.lots.length > 0) {
    const lots = [...draw.lots].sort((one, other) => one - other);
    return shuffled(lots, draw)[0] === draw.amount;
  }
  const canonical = [...draw.cards].sort((one, other) => pack.indexOf(one) - pack.indexOf(other));
  return shuffled(canonical, draw).every((card, place) => card === draw.cards[place]);
}

/** Shuffles things, given in their canonical order, as the draw did. */
export function shuffled<T>(things: readonly T[], draw: Draw): T[] {
  const order = [...things];
  const numbers = numbersOf(draw);
  for (let place = order.length - 1; place > 0; place -= 1) {
    const drawn = below(place + 1, numbers);
    [order[place], order[drawn]] = [order[drawn] as T, order[place] as T];
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
function* numbersOf(draw: Draw): Generator<bigint, never> {
  const words = draw.words.map(({ seat, word }) => `${seat} ${word}\n`).join("");
  const seed = new Uint8Array(40); // the key, then the counter
  seed.set(sha256(utf8ToBytes(`chitarrella draw 1\n${draw.nonce}\n${draw.number}\n${words}`)));
  for (let block = 0n; ; block += 1n) {
    new DataView(seed.buffer).setBigUint64(32, block);
    const digest = sha256(seed);
    const numbers = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    for (let at = 0; at < digest.length; at += 8) {
      yield numbers.getBigUint64(at);
    }
  }
}
