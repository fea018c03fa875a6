/** The list of requests that a page has sent, each as a program to copy, and to be sent again. */

import { button, copyText, make } from "./dom.js";
import { type Exchange, PROGRAM_LANGUAGES, type ProgramLanguage, programFor, withoutKey } from "./exchanges.js";
import { randomId, Service } from "./service.js";
import type { ChitarrellaTable } from "./table.js";
import type { Words } from "./words.js";
import { fill } from "./words.js";

/** How many requests are kept. */
const KEPT = 30;

/** The panel. */
export class RequestsPanel {
  readonly element: HTMLElement;
  private readonly list = make("ol", { class: "requests", reversed: true });
  private language: ProgramLanguage = "curl";

  /** `cut` cuts the stream of events, `runOutClock` lets the clock run out. */
  constructor(
    private readonly words: Words,
    cut: () => void,
    runOutClock: () => void,
  ) {
    const choices = PROGRAM_LANGUAGES.map((name) => make("option", { value: name }, name));
    const languages = make("select", {}, ...choices);
    languages.addEventListener("change", () => {
      this.language = languages.value as ProgramLanguage;
      for (const details of this.list.querySelectorAll("details[open]")) {
        details.dispatchEvent(new Event("toggle"));
      }
    });
    this.element = make(
      "details",
      { class: "panel" },
      make("summary", {}, words.requests),
      make("p", {}, words.requestsText),
      make("label", {}, make("span", {}, words.programLanguage), languages),
      make("p", {}, button("cut", words.cutStream, cut), button("clock", words.runOutClock, runOutClock)),
      this.list,
    );
  }

  /** Adds every request of a table. */
  listenTo(table: ChitarrellaTable): void {
    table.addEventListener("chitarrella-exchange", (event) => this.add((event as CustomEvent<Exchange>).detail));
  }

  /** The same service; its requests are added. */
  recorded({ base, language, key }: Service): Service {
    return new Service(base, language, key, undefined, (exchange) => this.add(exchange));
  }

  /** Adds a request, the latest at the top. */
  add(exchange: Exchange): void {
    this.list.prepend(this.row(exchange));
    while (this.list.children.length > KEPT) {
      this.list.lastChild?.remove();
    }
  }

  private row(exchange: Exchange): HTMLElement {
    const { method, url, status } = exchange;
    const { pathname, search } = new URL(url);
    const details = make("details", {}, make("summary", {}, `${method} ${pathname}${search} · ${status || "–"}`));
    details.addEventListener("toggle", () => {
      if (details.open) {
        details.replaceChildren(details.firstChild as Node, ...this.content(exchange));
      }
    });
    return make("li", {}, details);
  }

  private content(exchange: Exchange): HTMLElement[] {
    const program = programFor(exchange, this.language);
    const copy = button("copy", this.words.copyProgram, async () => {
      await copyText(program);
      copy.textContent = this.words.copied;
    });
    const again = button("again", this.words.sendAgain, () => this.send(exchange));
    const stale = staleOf(exchange);
    return [
      make("pre", { tabindex: 0 }, withoutKey(program)),
      make("p", {}, copy, again, stale && button("stale", this.words.sendStale, () => this.send(stale))),
      make("p", {}, fill(this.words.answer, { status: exchange.status || "–" })),
      make("pre", { tabindex: 0 }, pretty(exchange.answer)),
    ];
  }

  /** Sends a request as it stands; the answer is a new row. */
  private async send({ method, url, headers, body }: Exchange): Promise<void> {
    const request = { method, headers, ...(body ? { body } : {}) };
    const sent = await fetch(url, { ...request, credentials: "omit", referrerPolicy: "no-referrer" }).catch(
      () => undefined,
    );
    this.add({
      method,
      url,
      headers,
      ...(body ? { body } : {}),
      status: sent?.status ?? 0,
      answer: (await sent?.text()) ?? "",
    });
    this.list.querySelector("details")?.setAttribute("open", "");
  }
}

/** The same request at the revision before, as a new one; undefined for a request without a revision. */
function staleOf(exchange: Exchange): Exchange | undefined {
  const body = exchange.body ? JSON.parse(exchange.body) : {};
  if (typeof body.expectedRevision !== "number" || body.expectedRevision < 1) {
    return undefined;
  }
  const stale = { ...body, expectedRevision: body.expectedRevision - 1, requestId: randomId() };
  return { ...exchange, body: JSON.stringify(stale) };
}

function pretty(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer), undefined, 2);
  } catch {
    return answer;
  }
}
