/** All views of a match at once, for the holder of the referee's key: every seat, the public and the referee. */

import { make } from "./dom.js";
import type { Exchange } from "./exchanges.js";
import { HistoryPanel, PUBLIC, REFEREE } from "./history.js";
import { RequestsPanel } from "./requests.js";
import type { Service } from "./service.js";
import type { ChitarrellaTable } from "./table.js";
import { fill, type Words } from "./words.js";

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
  const cut = () => {
    for (const table of tables) {
      table.cutStream();
    }
  };
  const requests = new RequestsPanel(words, cut, () => tables.at(-1)?.runOutClock());
  for (const table of tables) {
    requests.listenTo(table);
  }
  const viewers = [PUBLIC, ...seats.keys(), REFEREE];
  const stills = viewers.map((viewer) => ({ viewer, table: emptyTable() }));
  const live = sideBySide(tables, captions);
  const still = sideBySide(
    stills.map(({ table }) => table),
    captions,
  );
  still.hidden = true;
  const show = (isStill: boolean) => {
    live.hidden = isStill;
    still.hidden = !isStill;
  };
  const history = new HistoryPanel(requests.recorded(service), id, words, stills, show, open);
  await history.read();
  tables.at(-1)?.addEventListener("chitarrella-exchange", (event) => {
    const { url, answer, status } = (event as CustomEvent<Exchange>).detail;
    if (status === 200 && new URL(url).pathname.endsWith(`/v1/matches/${id}`)) {
      history.follow(JSON.parse(answer).revision);
    }
  });
  return [make("p", {}, words.allViewsText), history.element, live, still, requests.element];
}

function emptyTable(): ChitarrellaTable {
  return document.createElement("chitarrella-table") as ChitarrellaTable;
}

function sideBySide(tables: readonly ChitarrellaTable[], captions: readonly string[]): HTMLElement {
  const sections = tables.map((table, place) => {
    const caption = captions[place] ?? "";
    return make("section", { "aria-label": caption }, make("h2", {}, caption), table);
  });
  return make("div", { class: "views" }, ...sections);
}
