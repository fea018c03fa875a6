/** Runs in the page and plays at its table by roles and names, as fast as the table allows. */

const RECHECK_MS = 1000;
const GIVE_UP_MS = 30_000;
/** WCAG 2.2, target size (minimum). */
const TARGET_PX = 24;

/** What was found at one table. */
export interface Report {
  moves: number;
  /** More than moves where cards are selected first. */
  presses: number;
  /** Lines of the log. */
  lines: number;
  problems: string[];
}

interface ZoneOfView {
  readonly name: string;
  readonly size: number;
}

/** Buttons and links are found in the shadow tree, as a browser shows them to a reader. */
class Driver {
  private random: number;
  private presses = 0;
  private readonly problems = new Set<string>();

  constructor(
    private readonly root: ShadowRoot,
    seed: number,
  ) {
    this.random = seed;
  }

  /** Plays until the first deal is over, or so many moves were made. */
  async play(most: number): Promise<Report> {
    let moves = 0;
    await this.until(() => this.choices().length > 0);
    const deal = this.fact("deal");
    await this.checkZones();
    while (moves < most && !this.isOver() && this.fact("deal") === deal) {
      this.checkLayout();
      await this.press();
      moves++;
      await this.until(() => this.isOver() || this.choices().length > 0);
    }
    await this.checkZones();
    const lines = this.root.querySelectorAll("[role=log] li").length;
    return { moves, presses: this.presses, lines, problems: [...this.problems] };
  }

  /** Makes one move: presses a card, or selects cards until a button plays them, or presses a button. */
  private async press(): Promise<void> {
    const before = this.revision();
    while (this.revision() === before) {
      const choice = this.pick(this.choices());
      if (!choice) {
        throw new Error(`nothing to press: ${this.root.textContent}`);
      }
      const list = choice.parentElement?.querySelector("select");
      if (list) {
        list.selectedIndex = this.next(list.options.length);
      }
      choice.click();
      this.presses++;
      await this.until(() => !choice.isConnected && this.isIdle());
    }
  }

  /** The buttons that lead on: a complete selection, else playable cards and moves. */
  private choices(): HTMLButtonElement[] {
    if (!this.isIdle()) {
      return [];
    }
    const all = [...this.root.querySelectorAll("button")];
    const complete = all.filter((one) => one.classList.contains("primary"));
    const isCard = (one: Element) => one.getAttribute("aria-label")?.endsWith("can be played") ?? false;
    const cards = all.filter((one) => isCard(one) && one.getAttribute("aria-pressed") !== "true");
    const isMove = (one: Element) => one.closest("[aria-label=Moves]") && !one.textContent?.startsWith("Clear");
    return complete.length ? complete : [...cards, ...all.filter(isMove)];
  }

  /** Every zone of the view is on the board, with as many cards. */
  private async checkZones(): Promise<void> {
    const { match = "", key = "" } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const answer = await fetch(`/v1/matches/${match}`, { headers: { authorization: `Bearer ${key}` } });
    const zones: ZoneOfView[] = (await answer.json()).view.zones;
    const expected = zones.map(({ name, size }) => `${name} ${size}`).sort();
    const shown = [...this.root.querySelectorAll("[data-zone]")].map((zone) => {
      const hidden = Number.parseInt(zone.querySelector(".hidden")?.textContent ?? "0", 10);
      return `${zone.getAttribute("data-zone")} ${zone.querySelectorAll(".card").length + hidden}`;
    });
    if (expected.join() !== shown.sort().join()) {
      this.problems.add(`zones ${expected.join()} are shown as ${shown.join()}`);
    }
  }

  private checkLayout(): void {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) {
      this.problems.add(`the page is ${scrollWidth} px wide`);
    }
    for (const one of this.root.querySelectorAll("button, a, select, summary")) {
      const { width, height } = one.getBoundingClientRect();
      if (width > 0 && (width < TARGET_PX || height < TARGET_PX)) {
        this.problems.add(`${one.tagName} ${one.textContent} has ${width} x ${height} px`);
      }
    }
    const nameless = [...this.root.querySelectorAll("button")].filter(
      (one) => !(one.getAttribute("aria-label") ?? one.textContent)?.trim(),
    );
    if (nameless.length) {
      this.problems.add("a button has no name");
    }
  }

  private isIdle(): boolean {
    return this.root.querySelector("[aria-busy=true]") === null;
  }

  private isOver(): boolean {
    return this.root.querySelector(".status")?.textContent === "The match is finished";
  }

  private fact(name: string): string {
    return this.root.querySelector(`[data-fact=${name}]`)?.textContent ?? "";
  }

  private revision(): string {
    return this.root.querySelector("[data-revision]")?.getAttribute("data-revision") ?? "";
  }

  private pick<Item>(list: readonly Item[]): Item | undefined {
    return list[this.next(list.length)];
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
    playDeal(seed: number, most: number): Promise<Report>;
  }
}

window.playDeal = (seed, most) => {
  const root = document.querySelector("chitarrella-table")?.shadowRoot;
  if (!root) {
    throw new Error("the page has no table");
  }
  return new Driver(root, seed).play(most);
};
