/** The proof of a shuffle, computed by the browser itself, and what a page has seen before the shuffle. */

import { fairnessOf } from "../src/shuffle_proof.js";
import type { Shuffle } from "../src/shuffles.js";

/** What came of the proof of a shuffle. */
export type Proof = "supplied" | "secret" | "holds" | "fails" | "insecure";

/** Proves a shuffle with Web Crypto, which browsers offer over https and on the own machine alone. */
export async function prove(shuffle: Shuffle, pack: readonly string[]): Promise<Proof> {
  if (shuffle.supplied) {
    return "supplied";
  }
  if (!shuffle.nonce) {
    return "secret";
  }
  if (!globalThis.crypto?.subtle) {
    return "insecure";
  }
  const steps = fairnessOf(shuffle, pack);
  let step = steps.next();
  while (!step.done) {
    step = steps.next(new Uint8Array(await crypto.subtle.digest("SHA-256", step.value)));
  }
  return step.value ? "holds" : "fails";
}

/** Public texts of a match that this window has seen, also before it was loaded again. */
export class Memory {
  private texts: readonly string[] = [];
  private readonly name: string;

  constructor(kind: "commitments" | "seeds", match: string) {
    this.name = `chitarrella ${kind} ${match}`;
    try {
      this.texts = JSON.parse(sessionStorage.getItem(this.name) ?? "[]");
    } catch {
      // A page may be refused a store; then it remembers until it is left.
    }
  }

  /** Everything that was added, in order. */
  get all(): readonly string[] {
    return this.texts;
  }

  add(text: string): void {
    if (text && !this.texts.includes(text)) {
      this.texts = [...this.texts, text];
      try {
        sessionStorage.setItem(this.name, JSON.stringify(this.texts));
      } catch {
        // as above
      }
    }
  }
}
