/** What is shown over the table: why a move is refused, the end of a deal and of a match. */

import { type Actions, partiesOf } from "./board.js";
import { button, make, shownCard } from "./dom.js";
import { label, type State } from "./names.js";
import type { DealEnd } from "./playback.js";
import type { Refusal, TableEvent, Zone } from "./service.js";
import { fill } from "./words.js";

/** Why a move is refused, with the clause in full and a link to it in the rule book. */
export function refusalPanel(state: State, actions: Actions): HTMLElement | undefined {
  const { refusals, words } = state;
  if (!refusals.length) {
    return undefined;
  }
  const close = button("close", words.close, () => actions.clear());
  const items = refusals.map((refusal) => refusalText(refusal, state));
  return make(
    "section",
    { class: "refusal", part: "refusal", role: "alert" },
    make("h3", {}, words.refused),
    ...items,
    close,
  );
}

function refusalText(refusal: Refusal, state: State): HTMLElement {
  const { clause, pagePath, allowedCards } = refusal;
  const message = state.names.reason(refusal);
  const link = {
    href: state.service.page(pagePath),
    target: "_blank",
    rel: "noopener noreferrer",
    "data-id": clause.key,
  };
  const cards = state.names.cardList(allowedCards);
  const allowed = !cards || message.includes(cards) ? "" : `${state.words.allowed}: ${cards}`;
  return make(
    "div",
    {},
    make("p", {}, make("strong", {}, message)),
    make("blockquote", {}, clause.text, " ", make("a", link, fill(state.words.clause, { key: clause.key }))),
    allowed && make("p", {}, allowed),
  );
}

/** The end of a deal: who took what, what was counted, and the line that joins the scores of the match. */
export function dealEnd(end: DealEnd, state: State, goOn: () => void): HTMLElement {
  const { words } = state;
  const title = end.deal === undefined ? words.dealOverNow : fill(words.dealOver, { deal: end.deal });
  const next = button("go on", words.goOn, goOn, { class: "primary" });
  return panel(title, ...account(end, state), make("footer", {}, next));
}

/** A number with a minus in place of a hyphen. */
const signed = (number: number): string => String(number).replace("-", "−");

function account({ deal, events, taken, before, after }: DealEnd, state: State): (HTMLElement | undefined)[] {
  const { names, match, words } = state;
  const parties = partiesOf(state);
  const isScored =
    after?.some((score, seat) => score !== before[seat]) && !match.view.facts.some(({ name }) => name === "tokens");
  const rows = parties.map((seats) => {
    const [old = 0, now = 0] = [before, after].map((scores) => scores?.[seats[0] ?? 0] ?? 0);
    const gain = now - old;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, names.side(seats)),
      make("td", {}, gain > 0 ? `+${gain}` : signed(gain)),
      make("td", {}, make("b", {}, signed(now))),
    );
  });
  const columns = [deal === undefined ? "" : fill(words.dealNumber, { deal }), words.score];
  rows.unshift(make("tr", {}, make("td"), ...columns.map((text) => make("th", { scope: "col" }, text))));
  const took = tookPanel(taken, events, state);
  // What the panels show is not told again.
  const isShown = (event: TableEvent) =>
    (took && parties.every((seats) => shareOf(event, seats) === Number(took.getAttribute(`data-${seats[0]}`)))) ||
    (isScored && parties.every(([seat = 0]) => shareOf(event, [seat]) === (after?.[seat] ?? 0) - (before[seat] ?? 0)));
  const others = events.filter((event) => event.kind !== "match_won" && !(event.shares.length && isShown(event)));
  const lines = names.sentences(others).map((text) => make("li", {}, text));
  return [took, isScored ? make("table", {}, ...rows) : undefined, lines.length ? make("ul", {}, ...lines) : undefined];
}

const shareOf = ({ shares }: TableEvent, [seat]: readonly number[]): number =>
  Number(shares.find(({ person }) => person === String(seat))?.amount ?? 0);

/** The cards that count, by who has taken them; none where what they add up to is not what the deal has counted. */
function tookPanel(taken: readonly Zone[], events: DealEnd["events"], state: State): HTMLElement | undefined {
  const { names, words } = state;
  const points = (code: string) => names.cardOf(code)?.points ?? 0;
  const rows = partiesOf(state).map((seats) => {
    const zones = taken.filter((zone) => zone.seat !== undefined && seats.includes(zone.seat));
    const cards = zones.flatMap((zone) => zone.cards).filter((code) => points(code) > 0);
    const sum = cards.reduce((total, code) => total + points(code), 0);
    return { seats, sum, cards: cards.sort((one, other) => points(other) - points(one)) };
  });
  const bonus = events.find(({ word }) => word === "last_trick");
  const counted = events.find((event) =>
    rows.every(({ seats, sum }) => [sum, sum + (bonus ? shareOf(bonus, seats) : 0)].includes(shareOf(event, seats))),
  );
  if (!counted || rows.every(({ sum }) => !sum)) {
    return undefined;
  }
  const parts = rows.flatMap(({ seats, sum, cards }) => [
    make("span", {}, names.side(seats)),
    make("span", { class: "cards" }, ...(cards.length ? cards.map((code) => shownCard(code, state)) : [words.noCards])),
    make("b", {}, String(sum), counted.word ? make("small", {}, names.word(counted.word)) : undefined),
  ]);
  const sums = rows.map(({ seats, sum }) => [`data-${seats[0]}`, sum]);
  return make("div", { class: "took", ...Object.fromEntries(sums) }, ...parts);
}

/** The end of a match: who won, by how much, and where to go from here. */
export function matchEnd(state: State, last: DealEnd | undefined): HTMLElement {
  const { words, match } = state;
  const shown = last ? account(last, state) : [];
  const isScored = shown.some((one) => one?.localName === "table");
  return panel(
    match.state === "MATCH_STATE_ABORTED" ? words.aborted : resultOf(state),
    make("p", { class: "result" }, scoreOf(state, isScored)),
    ...shown,
    make("footer", {}, make("slot", { name: "end" })),
  );
}

/** Whether the reader has won, or who has. */
function resultOf(state: State): string {
  const { words, match, mine } = state;
  const winners = match.view.outcome?.winners ?? [];
  if (!winners.length) {
    return words.drawn;
  }
  const isWatched = mine === undefined || match.viewer === undefined;
  return isWatched ? winnersOf(state) : winners.includes(mine) ? words.youWon : words.youLost;
}

function winnersOf({ names, words, match }: State): string {
  const winners = match.view.outcome?.winners ?? [];
  const [first, ...more] = winners;
  const one = first === undefined ? "" : fill(words.whoWon, { who: names.sitter(first) });
  return more.length ? label(names.together("match_won", winners)) : one;
}

/** The result of two sides in numbers unless it is shown, else who has won. */
function scoreOf(state: State, isScored: boolean): string {
  const [mine, theirs, ...more] = partiesOf(state).map((seats) => state.match.view.scores[seats[0] ?? 0] ?? 0);
  const isDuel = mine !== undefined && theirs !== undefined && !more.length;
  const winners = state.match.view.outcome?.winners ?? [];
  const isKnown = winners.length === 1 && winners[0] === state.match.viewer;
  const scores = { mine: signed(mine ?? 0), theirs: signed(theirs ?? 0) };
  const duel = isScored ? "" : fill(state.words.matchScore, scores);
  return isDuel ? duel : isKnown ? "" : winnersOf(state);
}

function panel(title: string, ...content: readonly (HTMLElement | string | undefined)[]): HTMLElement {
  return make(
    "section",
    { class: "over", part: "summary", "aria-label": title, tabindex: -1 },
    make("h3", {}, title),
    ...content,
  );
}
