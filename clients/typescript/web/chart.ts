/** A chart of scores over deals: a line for each seat, and the same numbers as a table. */

import { make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
/** The usual width and the least one. */
const [WIDTH, NARROW] = [640, 240];
const HEIGHT = 260;
/** The space around the lines: the labels of the lines stand at the right. */
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 76, 12, 30];
/** How many lines have styles of their own. */
const STYLES = 10;
/** The least distance of two labels. */
const LABEL = 13;

/** What a chart is called and how its axes are. */
export interface ChartNames {
  readonly title: string;
  readonly deal: string;
  seat(seat: number): string;
}

/** The chart of rows of scores, the first one that before the first deal, for a place of so many pixels. */
export function chart(rows: readonly (readonly number[])[], names: ChartNames, room: number): Element {
  const width = Math.max(NARROW, Math.min(WIDTH, room || WIDTH));
  const svg = element("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    role: "img",
    "aria-label": names.title,
    class: "chart",
  });
  const all = rows.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(low + 1, ...all);
  const last = Math.max(1, rows.length - 1);
  const x = (deal: number) => LEFT + (deal / last) * (width - LEFT - RIGHT);
  const y = (score: number) => HEIGHT - BOTTOM - ((score - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  for (const score of ticks(low, high)) {
    svg.append(
      element("line", { class: "grid-line", x1: LEFT, x2: width - RIGHT, y1: y(score), y2: y(score) }),
      text(String(score), { x: LEFT - 6, y: y(score) + 4, "text-anchor": "end" }),
    );
  }
  for (const deal of ticks(0, last)) {
    svg.append(text(String(deal), { x: x(deal), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }));
  }
  svg.append(text(names.deal, { x: width - RIGHT + 12, y: HEIGHT - BOTTOM + 16 }));
  const ends: { seat: number; y: number }[] = [];
  for (const seat of (rows[0] ?? []).keys()) {
    const points = rows.map((row, deal) => `${x(deal)},${y(row[seat] ?? 0)}`);
    const style = `line style-${seat % STYLES}`;
    svg.append(element("polyline", { class: style, points: points.join(" "), fill: "none" }));
    ends.push({ seat, y: y(rows.at(-1)?.[seat] ?? 0) });
  }
  svg.append(...labels(ends, x(rows.length - 1), names));
  return svg;
}

/** The same numbers as a table. */
export function chartTable(rows: readonly (readonly number[])[], names: ChartNames): HTMLElement {
  const seats = [...(rows[0] ?? []).keys()];
  const head = make(
    "tr",
    {},
    ...[names.deal, ...seats.map(names.seat)].map((name) => make("th", { scope: "col" }, name)),
  );
  const body = rows.map((row, deal) =>
    make("tr", {}, make("th", { scope: "row" }, String(deal)), ...row.map((score) => make("td", {}, String(score)))),
  );
  return make("table", {}, make("caption", {}, names.title), make("thead", {}, head), make("tbody", {}, ...body));
}

/** The names at the ends of the lines, moved apart where they would lie on each other. */
function labels(ends: readonly { seat: number; y: number }[], x: number, names: ChartNames): Element[] {
  const sorted = [...ends].sort((one, other) => one.y - other.y);
  const step = Math.min(LABEL, (HEIGHT - TOP) / Math.max(1, sorted.length));
  let next = TOP;
  const places = sorted.map(({ seat, y }, place) => {
    const room = HEIGHT - BOTTOM + 4 - (sorted.length - 1 - place) * step;
    next = Math.max(next, Math.min(y, room));
    const at = next;
    next += step;
    return { seat, y: at };
  });
  return places.map(({ seat, y }) =>
    text(names.seat(seat), { class: `label style-${seat % STYLES}`, x: x + 6, y: y + 4 }),
  );
}

/** Some round numbers from one to another. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, place) => first + place * step);
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): Element {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  return made;
}

function text(content: string, attributes: Readonly<Record<string, string | number>>): Element {
  const made = element("text", attributes);
  made.textContent = content;
  return made;
}
