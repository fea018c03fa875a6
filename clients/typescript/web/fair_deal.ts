/** The proof of a shuffle, computed by the browser itself, and how the table shows it. */

import { fairnessOf, type Shuffle, type Shuffles } from "../src/shuffles.js";
import { keep, kept, make } from "./dom.js";
import type { State } from "./names.js";
import { fill, type Words } from "./words.js";

type Proof = "supplied" | "secret" | "holds" | "fails" | "insecure";

/** Proves a shuffle with Web Crypto, which browsers offer over https and on the own machine alone. */
async function prove(shuffle: Shuffle, pack: readonly string[]): Promise<Proof> {
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
  private texts: readonly string[];
  private readonly name: string;

  constructor(kind: "commitments" | "seeds", match: string) {
    this.name = `chitarrella ${kind} ${match}`;
    this.texts = kept(this.name, [], "sessionStorage");
  }

  get all(): readonly string[] {
    return this.texts;
  }

  add(text: string): void {
    if (text && !this.texts.includes(text)) {
      this.texts = [...this.texts, text];
      keep(this.name, this.texts, "sessionStorage");
    }
  }
}

/** The panel of one table. It reads the shuffles while it is open. */
export class FairDealPanel {
  readonly element = make("details", { class: "fair-deal", hidden: true });
  private readonly title = make("summary");
  private readonly content = make("div");
  private state: State | undefined;
  private commitments: Memory | undefined;
  private shown = "";
  private asked = 0;

  constructor() {
    this.element.append(this.title, this.content);
    this.element.addEventListener("toggle", () => this.update());
  }

  clear(): void {
    this.state = undefined;
    this.commitments = undefined;
    this.shown = "";
    this.element.hidden = true;
    this.content.replaceChildren();
  }

  /** Keeps the commitment that is published now, before the shuffle; shows what is new. */
  show(state: State): void {
    const { match, words } = state;
    this.state = state;
    this.commitments ??= new Memory("commitments", match.matchId);
    this.commitments.add(match.nextCommitment);
    this.title.textContent = words.fairDeal;
    this.element.hidden = !match.nextCommitment && !this.commitments.all.length;
    this.update();
  }

  /** Reads the shuffles again where one may have been made, or published. */
  private update(): void {
    const { match } = this.state ?? {};
    const key = match && [match.nextCommitment, match.awaitingSeedsFrom.join(), match.view.waiting].join(" ");
    if (this.element.open && key && key !== this.shown) {
      this.shown = key;
      void this.read().catch(() => {
        this.shown = ""; // read again at the next change
      });
    }
  }

  private async read(): Promise<void> {
    const { state, commitments } = this;
    if (!state || !commitments) {
      return;
    }
    const number = ++this.asked;
    const found = await state.service.shuffles(state.match.matchId);
    const proofs = await Promise.all(found.shuffles.map((shuffle) => prove(shuffle, state.names.game.pack)));
    // What was asked later knows more, though it may be answered first.
    if (number === this.asked && this.state?.match.matchId === state.match.matchId) {
      const own = new Memory("seeds", state.match.matchId).all;
      const rows = found.shuffles.map((one, place) => row(one, proofs[place] ?? "secret", state, commitments.all, own));
      this.content.replaceChildren(next(found, state, commitments.all), make("ol", {}, ...rows.reverse()));
    }
  }
}

/** The commitment to the next shuffle, and whether one that was published before was put aside. */
function next({ shuffles, nextCommitment }: Shuffles, { words, names, match }: State, seen: readonly string[]) {
  const known = [nextCommitment, match.nextCommitment, ...shuffles.map((one) => one.commitment)];
  const isBroken = !shuffles.some((one) => one.supplied) && seen.some((one) => !known.includes(one));
  const waiting = match.awaitingSeedsFrom.map((seat) => names.seat(seat)).join(", ");
  return make(
    "div",
    {},
    make("p", {}, words.fairDealText),
    nextCommitment && make("p", {}, `${words.nextCommitment}: `, make("code", {}, nextCommitment)),
    waiting && make("p", {}, fill(words.seedsAwaited, { who: waiting })),
    isBroken && result("fails", words.commitmentBroken),
  );
}

/** A shuffle: what was published before it, the seeds, and the proof. */
function row(shuffle: Shuffle, proof: Proof, state: State, seen: readonly string[], own: readonly string[]) {
  const { words, names, mine } = state;
  const { commitment, clientSeeds, nonce, number } = shuffle;
  const isOwn = (seat: number, seed: string) => seat === mine && own.includes(seed);
  const isForged = clientSeeds.some(({ seat, seed }) => seat === mine && own.length && !isOwn(seat, seed));
  const seeds = clientSeeds.map(({ seat, seed }) => {
    const note = isOwn(seat, seed) ? ` (${words.ownSeed})` : "";
    return make("li", {}, `${names.seat(seat)}: `, make("code", {}, seed), note);
  });
  const before = seen.includes(commitment) ? words.seenBefore : words.notSeenBefore;
  return make(
    "li",
    { value: number },
    make("strong", {}, fill(words.shuffle, { number })),
    result(isForged ? "fails" : proof, isForged ? words.seedChanged : proofText(proof, words)),
    commitment ? make("p", {}, `${words.commitment}: `, make("code", {}, commitment), ` (${before})`) : "",
    seeds.length ? make("ul", { "aria-label": words.seeds }, ...seeds) : "",
    nonce ? make("p", {}, `${words.nonce}: `, make("code", {}, nonce)) : "",
  );
}

function result(proof: Proof, text: string): HTMLElement {
  const mark = { holds: "✓ ", fails: "✗ " }[proof as string] ?? "";
  return make("p", { class: `proof ${proof}` }, mark, text);
}

function proofText(proof: Proof, words: Words): string {
  return {
    supplied: words.proofSupplied,
    secret: words.proofSecret,
    holds: words.proofHolds,
    fails: words.proofFails,
    insecure: words.proofInsecure,
  }[proof];
}
