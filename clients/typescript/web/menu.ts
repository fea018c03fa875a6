/** The menu of a table: scores deal by deal, tricks that were taken, facts, the log, and the speed. */

import { isShortened, partiesOf, TAKEN, zoneCards } from "./board.js";
import { button, make } from "./dom.js";
import { dealNumber, type State } from "./names.js";
import { keepSlowness, type Playback } from "./playback.js";

/** Facts that stand on the table, in its bar or in the table of scores. */
const ELSEWHERE = ["deal", "dealer", "deals_won", "games", "total", "doctor_calls"];

/** Facts as a list of names and values, those of a seat with its name; none that are zero. First the order of a pack without suits. */
function factList(state: State): HTMLElement[] {
  const { names, words } = state;
  const shown = state.match.view.facts.filter(({ name, number }) => number !== 0 && !ELSEWHERE.includes(name));
  const rows = shown.flatMap((fact) => [
    make(
      "dt",
      {},
      fact.seat === undefined ? names.fact(fact.name) : `${names.sitter(fact.seat)}: ${names.fact(fact.name)}`,
    ),
    make("dd", { "data-fact": fact.name, class: fact.shares && "wide" }, names.value(fact)),
  ]);
  const { cards, suits } = names.game;
  const order = [...cards].sort((one, other) => other.order - one.order).map(({ name }) => name);
  const pack = [make("dt", {}, words.cardOrder), make("dd", { class: "wide" }, order.join(", "))];
  rows.unshift(...(suits.length ? [] : pack));
  return rows.length ? [make("dl", { class: "facts" }, ...rows)] : [];
}

/** The tricks that were taken in this deal, the last one first, or all that lies open before a seat. */
function takenTricks(state: State): HTMLElement[] {
  const taken = state.match.view.zones.filter((zone) => zone.name === TAKEN || isShortened(zone));
  return [...taken].reverse().map((zone) => {
    const whose = zone.seat === undefined ? "" : state.names.sitter(zone.seat);
    const cards = zoneCards({ ...zone, name: TAKEN }, state);
    return make("div", { class: "trick" }, make("span", {}, whose), cards);
  });
}

type ScoreRows = readonly (readonly [number | undefined, readonly number[]])[];

const SPEEDS = ["2", "1", "0.5", "0"];

export function menuContent(
  state: State,
  scores: ScoreRows,
  fairDeal: Node,
  playback: Playback,
  close: () => void,
): HTMLElement[] {
  const { words, names } = state;
  const part = (name: string, title: string, ...content: readonly HTMLElement[]) =>
    content.length ? make("section", { class: name }, make("h3", {}, title), ...content) : "";
  const speeds = SPEEDS.map((value) => make("option", { value }, words.speeds[value] ?? value));
  const speed = make("select", {}, ...speeds);
  speed.value = String(playback.slowness);
  speed.addEventListener("change", () => {
    playback.slowness = Number(speed.value);
    keepSlowness(playback.slowness);
  });
  const parts = [
    part("sheet", words.scoreTable, ...scoreTable(state, scores)),
    part("taken tricks", words.lastTrick, ...takenTricks(state)),
    part("fact-list", words.facts, ...factList(state)),
    part("log", words.log, make("ol", { class: "lines", tabindex: 0, "aria-label": words.log })),
    make("section", { class: "fair" }, fairDeal),
    make("section", { class: "pace" }, make("label", {}, words.speed, speed)),
    make("slot", { name: "menu" }),
  ];
  const head = make(
    "header",
    {},
    make("h2", {}, names.game.summary.title),
    button("close menu", words.closeMenu, close),
  );
  return [head, make("div", {}, ...parts)];
}

function scoreTable(state: State, scores: ScoreRows): HTMLElement[] {
  const { words, names, match } = state;
  const parties = partiesOf(state);
  if (!scores.length && match.view.scores.every((score) => !score)) {
    return [];
  }
  const row = (name: string, after: readonly number[]) => {
    const cells = parties.map(([seat = 0]) => make("td", {}, String(after[seat] ?? 0)));
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  };
  const head = parties.map((seats) => make("th", { scope: "col" }, names.side(seats)));
  const rows = scores.map(([deal = 0, after]) => row(String(deal), after));
  const deal = dealNumber(match.view) ?? 1;
  const finished = match.state === "MATCH_STATE_OPEN" ? deal - 1 : deal;
  const now = rows.length ? rows : [row(String(finished), match.view.scores)];
  return [make("table", {}, make("tr", {}, make("th", { scope: "col" }, words.afterDeal), ...head), ...now)];
}
