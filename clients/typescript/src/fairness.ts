/** Local verification of shuffles. */

import { sha256 } from "@noble/hashes/sha2.js";
import { fairnessOf, type Hashing, orderOf } from "./shuffle_proof.js";
import type { Shuffle } from "./shuffles.js";

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
