/** Rules in this page, which answer a tap at once. The service still decides about every move. */

import { isHandZone } from "./choices.js";
import type { Match, Move, Refusal } from "./contract.js";

/** The answer to a move in a partial position. */
interface Validation {
  readonly refusals: readonly Refusal[];
  readonly dependsOn: readonly string[];
}

/** What is used of `@chitarrella/rules`. */
export interface LocalRules {
  validateMove(position: object, move: object, seat: number): Promise<Validation>;
}

/** Loads the module that the attribute `rules` names; null if it cannot be loaded. */
export async function loadLocalRules(url: string, language: string): Promise<LocalRules | null> {
  try {
    const { loadRules } = await import(new URL(url, document.baseURI).href);
    return await loadRules({ language });
  } catch {
    return null; // the service answers alone
  }
}

/** Why a move is refused; none where the cards that the seat sees are not enough to know it. */
export async function refusalsOf(
  rules: LocalRules,
  match: Match,
  move: Partial<Move>,
  seat: number,
): Promise<readonly Refusal[]> {
  try {
    const { refusals, dependsOn } = await rules.validateMove(knownTo(match, seat), move, seat);
    return dependsOn.length ? [] : refusals;
  } catch {
    return []; // not a question about a trick
  }
}

/** The view of a match as a partial position: all that the seat plays from, the trick, and what everybody knows. */
function knownTo({ ruleSet, view }: Match, seat: number): object {
  const seats = new Set([seat]);
  const hand = view.zones.filter((zone) => isHandZone(zone, seats)).flatMap((zone) => zone.cards);
  const trick = view.zones.find((zone) => zone.name === "trick");
  const fact = (name: string) => view.facts.find((one) => one.name === name && one.seat === undefined);
  return {
    ruleSet,
    hands: { [seat]: hand },
    trick: { cards: trick?.cards ?? [], ...(trick?.leader === undefined ? {} : { leader: trick.leader }) },
    trump: fact("trump")?.word,
    stockSize: fact("stock")?.number,
  };
}
