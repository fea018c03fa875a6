/** Runs in the page and plays at its table, as fast as the table allows; measures what is seen. */

import type { ChitarrellaTable } from "../table.js";

const RECHECK_MS = 1000;
const GIVE_UP_MS = 40_000;
/** WCAG 2.2, target size (minimum). */
const TARGET_PX = 24;
/** For how long a card that was played is seen at the usual speed. */
const LEAST_MS = 700;

/** What was found at one table. */
interface Report {
  moves: number;
  /** Lines of the log. */
  lines: number;
  /** Summaries of deals; that of the last deal is a part of the end of the match. */
  summaries: number;
  isOver: boolean;
  /** The layout shift of the page. */
  shift: number;
  problems: string[];
}

/** Buttons and links are found in the shadow tree, as a browser shows them to a reader. */
class Driver {
  private random: number;
  private summaries = 0;
  private readonly problems = new Set<string>();
  private readonly since = new Map<string, number>();
  /** What lay in the middle, and when. */
  private readonly trace: string[] = [];

  constructor(
    private readonly table: ChitarrellaTable,
    private readonly root: ShadowRoot,
    seed: number,
  ) {
    this.random = seed;
  }

  /** Plays until the match is over, or so many moves were made or deals ended. */
  async play(most: number, mostDeals: number): Promise<Report> {
    const observer = new MutationObserver(() => this.watch());
    observer.observe(this.root, { subtree: true, childList: true });
    let shift = 0;
    const shifts = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        shift += entry.hadRecentInput ? 0 : entry.value;
      }
    });
    shifts.observe({ type: "layout-shift", buffered: true });
    let moves = 0;
    const isDone = () => this.isOver() || (!this.goOn() && (moves >= most || this.summaries >= mostDeals));
    this.table.addEventListener("move", (event) => this.show(event));
    await this.turn();
    await window.take?.("start");
    while (!isDone()) {
      this.checkLayout();
      moves += Number(await this.press());
      await this.turn();
    }
    this.checkLayout();
    await (this.isOver() && window.take?.("end"));
    observer.disconnect();
    shifts.disconnect();
    const summaries =
      this.summaries + Number(this.isOver() && this.root.querySelector(".over :is(ul, table)") !== null);
    const lines = this.root.querySelectorAll("[role=log] li").length;
    return { moves, lines, summaries, isOver: this.isOver(), shift, problems: [...this.problems] };
  }

  /** Makes one move: presses a card, or selects cards until a button plays them, or presses a button; or goes on. */
  private async press(): Promise<boolean> {
    const next = this.goOn();
    if (next) {
      this.summaries++;
      await window.take?.("summary");
      next.click();
      await this.until(() => !next.isConnected);
      return false;
    }
    const before = this.revision();
    if (window.take) {
      this.root.querySelector<HTMLElement>(".dim")?.click();
      await this.turn();
      await (this.root.querySelector(".refusal") && window.take("refusal"));
    }
    while (this.revision() === before && !this.isOver() && !this.goOn()) {
      const choices = this.choices();
      const choice = choices[this.next(choices.length)];
      if (!choice) {
        throw new Error(`nothing to press: ${this.root.textContent}`);
      }
      const list = choice.parentElement?.querySelector("select");
      if (list) {
        list.selectedIndex = this.next(list.options.length);
      }
      choice.click();
      this.checkLayout();
      await this.until(() => !choice.isConnected && (this.isIdle() || this.root.querySelector(".over") !== null));
      await this.turn();
    }
    return true;
  }

  private turn(): Promise<void> {
    return this.until(() => this.isOver() || this.choices().length > 0);
  }

  /** Lets a full trick, a capture or a showdown lie until its picture is taken. */
  private async show(event: Event): Promise<void> {
    const { kind, seat } = (event as CustomEvent).detail.event;
    const isLast = kind === "card_revealed" && !this.table.state?.match.seats[seat + 1];
    if (window.take && (isLast || /trick_taken|captured/.test(kind))) {
      this.table.setAttribute("speed", "99");
      await window.take("trick");
      this.table.setAttribute("speed", "0");
      this.root.querySelector(".board")?.dispatchEvent(new Event("pointerdown"));
    }
  }

  /** The buttons that lead on: the end of a deal, a complete selection, else playable cards and moves. */
  private choices(): HTMLButtonElement[] {
    const goOn = this.goOn();
    if (goOn || !this.isIdle()) {
      return goOn ? [goOn] : [];
    }
    const all = (selector: string) => [...this.root.querySelectorAll<HTMLButtonElement>(selector)];
    const complete = all("button.primary");
    const cards = all(
      "button:is([aria-label*='can be played'], [aria-label*=giocare], [aria-label*='gespielt werden']):not([aria-pressed=true])",
    );
    return complete.length ? complete : [...cards, ...all(".moves button:not([data-id=clear])")];
  }

  private goOn(): HTMLButtonElement | null {
    return this.root.querySelector<HTMLButtonElement>('[data-id="go on"]');
  }

  /** For how long each card lies in the middle. */
  private watch(): void {
    const now = performance.now();
    const seen = [...this.root.querySelectorAll("[data-place=middle] [data-card]")];
    const cards = new Set(seen.map((card) => card.getAttribute("data-card") ?? ""));
    this.trace.push(`${Math.round(now)} ms: ${[...cards]}`);
    for (const [card, since] of this.since) {
      if (!cards.has(card)) {
        this.since.delete(card);
        if (this.table.getAttribute("speed") === "1" && now - since < LEAST_MS) {
          this.problems.add(`${card} was seen shortly: ${this.trace.slice(-9).join("; ")}`);
        }
      }
    }
    for (const card of cards) {
      this.since.set(card, this.since.get(card) ?? now);
    }
  }

  /** Hand, trick and what can be done are inside the window; what is pressed is large enough; nobody is a number. */
  private checkLayout(): void {
    const inside = ".own .card, [data-place=middle] .card, .moves, .prompt, .over, .over button, .message, .refusal";
    for (const one of this.root.querySelectorAll(inside)) {
      const { left, top, right, bottom, width } = one.getBoundingClientRect();
      if (width && (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)) {
        this.problems.add(`${one.className} is at ${[left, top, right, bottom].map(Math.round)}`);
      }
    }
    const bottom = this.root.querySelector(".prompt")?.getBoundingClientRect().top ?? 0;
    for (const card of this.root.querySelectorAll("[data-place=middle] .card")) {
      if (card.getBoundingClientRect().bottom > bottom + 1) {
        this.problems.add("a card in the middle is covered");
      }
    }
    const number = /\b(?:Seat|Posto|Platz) \d+/i.exec(this.root.textContent ?? "")?.[0];
    if (number) {
      this.problems.add(`somebody is called ${number}`);
    }
    this.checkButtons();
    this.checkZones();
  }

  private checkButtons(): void {
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) {
      this.problems.add(`the page has ${scrollWidth} x ${scrollHeight} px`);
    }
    for (const one of this.root.querySelectorAll(".board :is(button, a, select)")) {
      const { width, height } = one.getBoundingClientRect();
      if (width > 0 && (width < TARGET_PX || height < TARGET_PX)) {
        this.problems.add(`${one.tagName} ${one.textContent} has ${width} x ${height} px`);
      }
      if (!(one.getAttribute("aria-label") ?? one.textContent)?.trim()) {
        this.problems.add("a button has no name");
      }
    }
  }

  /** Every card that the reader can see lies on the table, and every hand has its size. */
  private checkZones(): void {
    const { view } = this.table.state?.match ?? {};
    if (!this.isIdle() || !view) {
      return;
    }
    for (const { name, seat, cards } of view.zones.filter((zone) => zone.name !== "taken")) {
      // Of many cards that lie open before a seat the last ones are enough.
      const isShortened = seat !== undefined && !["hand", "turn_up"].includes(name);
      const lost = (isShortened ? cards.slice(-1) : cards).filter(
        (card) => !this.root.querySelector(`.board [data-card="${card}"]`),
      );
      if (lost.length) {
        this.problems.add(`${name} ${seat ?? ""} does not show ${lost}`);
      }
    }
  }

  private isIdle(): boolean {
    return this.root.querySelector("[aria-busy=true], [data-playing]") === null;
  }

  private isOver(): boolean {
    return this.root.querySelector(".over slot[name=end]") !== null;
  }

  private revision(): string {
    return this.root.querySelector("[data-revision]")?.getAttribute("data-revision") ?? "";
  }

  private next(below: number): number {
    this.random = (this.random * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((this.random / 2 ** 31) * below);
  }

  private async until(isTrue: () => boolean): Promise<void> {
    const end = Date.now() + GIVE_UP_MS;
    while (!isTrue()) {
      if (Date.now() > end) {
        throw new Error(`nothing happens: ${this.root.textContent}`);
      }
      await this.change();
    }
  }

  /** Waits until something has changed at the table, at most until it is time to look again. */
  private change(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        observer.disconnect();
        clearTimeout(timer);
        resolve();
      };
      const observer = new MutationObserver(done);
      observer.observe(this.root, { subtree: true, childList: true, attributes: true, characterData: true });
      const timer = setTimeout(done, RECHECK_MS);
    });
  }
}

declare global {
  interface Window {
    take?(moment: string): Promise<void>;
    playMatch(seed: number, most: number, mostDeals: number, speed: string): Promise<Report>;
  }
}

window.playMatch = (seed, most, mostDeals, speed) => {
  const table = document.querySelector("chitarrella-table") as ChitarrellaTable | null;
  if (!table?.shadowRoot) {
    throw new Error("the page has no table");
  }
  table.setAttribute("speed", speed);
  return new Driver(table, table.shadowRoot, seed).play(most, mostDeals);
};
