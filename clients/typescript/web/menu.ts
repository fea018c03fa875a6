/** What the menu of a table has: facts, tricks that were taken, and the speed that the browser keeps. */

import { isShortened, TAKEN, zoneCards } from "./board.js";
import { make } from "./dom.js";
import type { State } from "./names.js";

/** Facts that stand on the table, in its bar or in the table of scores. */
const ELSEWHERE = ["deal", "dealer", "deals_won", "games", "total", "doctor_calls"];

/** Facts as a list of names and values, those of a seat with its name; none that are zero. */
export function factList(state: State): HTMLElement | undefined {
  const { names } = state;
  const shown = state.match.view.facts.filter(({ name, number }) => number !== 0 && !ELSEWHERE.includes(name));
  const rows = shown.flatMap((fact) => [
    make(
      "dt",
      {},
      fact.seat === undefined ? names.fact(fact.name) : `${names.sitter(fact.seat)}: ${names.fact(fact.name)}`,
    ),
    make("dd", { "data-fact": fact.name, class: fact.shares && "wide" }, names.value(fact)),
  ]);
  return rows.length ? make("dl", { class: "facts" }, ...rows) : undefined;
}

/** The tricks that were taken in this deal, the last one first, or all that lies open before a seat. */
export function takenTricks(state: State): HTMLElement[] {
  const taken = state.match.view.zones.filter((zone) => zone.name === TAKEN || isShortened(zone));
  return [...taken].reverse().map((zone) => {
    const whose = zone.seat === undefined ? "" : state.names.sitter(zone.seat);
    const cards = zoneCards({ ...zone, name: TAKEN }, state);
    return make("div", { class: "trick" }, make("span", {}, whose), cards);
  });
}

/** Under this key the browser keeps the speed. */
const SPEED = "chitarrella-speed";

/** What times are multiplied by, as the browser has kept it. */
export function keptSlowness(): number {
  try {
    return Number(localStorage.getItem(SPEED) ?? 1);
  } catch {
    return 1; // nothing is kept for this page
  }
}

/** Keeps what times are multiplied by, where the browser keeps anything. */
export function keepSlowness(value: number): void {
  try {
    localStorage.setItem(SPEED, String(value));
  } catch {
    // The next table has the usual speed.
  }
}
