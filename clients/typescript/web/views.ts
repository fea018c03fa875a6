/** All views of a match at once, for the holder of the referee's key: every seat, the public and the referee. */

import { button, make } from "./dom.js";
import { RequestsPanel } from "./requests.js";
import type { Service } from "./service.js";
import type { ChitarrellaTable } from "./table.js";
import { fill, type Words } from "./words.js";

/** How long a copy of a match is kept, in seconds. */
const COPY_SECONDS = 86_400;
/** A line of a record that is a move: who makes it, and the move. */
const MOVE_LINE = /^(table|\d+)\s/;

/** A table of one reader. */
export function tableOf(service: Service, match: string, seat?: number, isPublic = false): ChitarrellaTable {
  const table = document.createElement("chitarrella-table") as ChitarrellaTable;
  table.setAttribute("match", match);
  table.setAttribute("language", service.language);
  if (seat !== undefined) {
    table.setAttribute("seat", String(seat));
  }
  table.key = isPublic ? "" : service.key;
  return table;
}

/** The tables side by side, with the requests of all; `open` shows another match. */
export async function allViews(
  service: Service,
  id: string,
  words: Words,
  open: (match: string, refereeKey: string) => void,
): Promise<HTMLElement[]> {
  const { view } = await service.match(id);
  const seats = view.scores.map((_, seat) => tableOf(service, id, seat));
  const tables = [tableOf(service, id, undefined, true), ...seats, tableOf(service, id)];
  const seatNames = view.scores.map((_, seat) => fill(words.seat, { seat }));
  const captions = [words.publicView, ...seatNames, words.refereeView].map((who) => fill(words.viewOf, { who }));
  const requests = new RequestsPanel(words, () => {
    for (const table of tables) {
      table.cutStream();
    }
  });
  const figures = tables.map((table, place) => {
    const caption = captions[place] ?? "";
    requests.listenTo(table);
    return make("section", { "aria-label": caption }, make("h2", {}, caption), table);
  });
  return [
    make("p", {}, words.allViewsText),
    await copies(service, id, words, open),
    make("div", { class: "views" }, ...figures),
    requests.element,
  ];
}

/** A slider over the moves, and a button that opens a copy of the match as it was after so many. */
async function copies(
  service: Service,
  id: string,
  words: Words,
  open: (match: string, refereeKey: string) => void,
): Promise<HTMLElement> {
  const count = make("output", {});
  const slider = make("input", { type: "range", min: 0, max: 0, value: 0 });
  let record = "";
  const read = async () => {
    record = await service.record(id);
    const moves = record.split("\n").filter((line) => MOVE_LINE.test(line)).length;
    slider.max = String(moves);
    slider.value = String(moves);
    count.textContent = String(moves);
  };
  slider.addEventListener("input", () => {
    count.textContent = slider.value;
  });
  const copy = button("copy", words.openCopy, async () => {
    const { matchId, refereeKey } = await service.importMatch(record, Number(slider.value), COPY_SECONDS);
    open(matchId, refereeKey);
  });
  await read();
  return make(
    "form",
    { class: "panel" },
    make("label", {}, make("span", {}, words.afterMoves, " ", count), slider),
    copy,
    button("read", words.readMoves, () => void read()),
  );
}
