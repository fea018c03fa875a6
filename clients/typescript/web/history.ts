/** The events of a match as a list, and what everybody saw after each of them, without a copy of the match. */

import { button, make } from "./dom.js";
import { Names, State } from "./names.js";
import { Replay, readRecord, type Viewer } from "./record_text.js";
import {
  ACTIONS,
  type Game,
  type Match,
  type Service,
  type TableEvent,
  type TableWords,
  type Update,
  type View,
} from "./service.js";
import type { ChitarrellaTable } from "./table.js";
import { fill, type Words } from "./words.js";

/** An update of a match, and how many moves of the record had been made after it. */
interface HistoryEntry {
  readonly revision: number;
  readonly cursor: string;
  readonly events: readonly TableEvent[];
  readonly moves: number;
  /** The position after it is in the record; not so for a decision that was taken back later. */
  readonly isInRecord: boolean;
}

/** Counts the moves of the record after each update, as the referee sees them. */
function historyOf(updates: readonly Update[]): readonly HistoryEntry[] {
  let made: readonly number[] = [];
  const found = updates.map((update, place) => {
    const [event] = update.events;
    if (event?.kind === "taken_back") {
      const before = updates.findLastIndex((one) => one.revision <= (event.amount ?? 0));
      made = made.filter((one) => one <= before);
    } else if (!ACTIONS.has(event?.kind ?? "")) {
      made = [...made, place];
    }
    return { ...update, moves: made.length, last: made.at(-1) };
  });
  return found.map(({ last, moves, ...update }) => {
    return { ...update, moves, isInRecord: last === undefined || made[moves - 1] === last };
  });
}

const COPY_KEPT = "86400s";
/** The list is read again after a pause, so that quick bots do not ask for it after every move. */
const PAUSE_MS = 500;
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/** A table that is shown, and whose view it is: a seat, -1 for the public, -2 for the referee. */
interface StillTable {
  readonly table: ChitarrellaTable;
  readonly viewer: number;
}

export const PUBLIC = -1;
export const REFEREE = -2;

/** The list, a slider over the moves, and buttons; for the referee. `open` shows another match. */
export class HistoryPanel {
  readonly element: HTMLElement;
  private readonly list = make("ol", { class: "history", start: 0 });
  private readonly slider = make("input", { type: "range", min: 0, max: 0, value: 0 });
  private readonly count = make("output");
  private readonly caption = make("p", { role: "status" });
  private readonly back: HTMLButtonElement;
  private entries: readonly HistoryEntry[] = [];
  private chosen = 0;
  private record = "";
  private game: readonly [Game, TableWords] | undefined;
  private match: Match | undefined;
  /** The replay of the record, once a revision of it has been chosen. */
  private replay: Promise<Replay> | undefined;
  private pending: ReturnType<typeof setTimeout> | undefined;

  /** `show` is called with whether the tables of an earlier revision are to be seen. */
  constructor(
    private readonly service: Service,
    private readonly id: string,
    private readonly words: Words,
    private readonly tables: readonly StillTable[],
    private readonly showStill: (isStill: boolean) => void,
    open: (match: string, refereeKey: string) => void,
  ) {
    this.back = button("present", words.present, () => this.toPresent(), { hidden: true });
    const copy = button("copy", words.openCopy, async () => {
      const { matchId, refereeKey } = await service.importMatch(this.record, this.moves, COPY_KEPT);
      open(matchId, refereeKey);
    });
    this.slider.addEventListener("input", () => void this.choose(this.entryAfter(Number(this.slider.value))));
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    const text = make("p", {}, words.historyText);
    const label = make("label", {}, make("span", {}, words.afterMoves, " ", this.count), this.slider);
    const last = button("read", words.readMoves, () => void this.toLast());
    this.element = make("section", { class: "panel", "aria-label": words.history });
    this.element.append(make("h2", {}, words.history), text, this.list, label, copy, last, this.back, this.caption);
  }

  /** Adds what has happened up to a revision, while the present is shown. */
  follow(revision: number): void {
    const known = this.entries.at(-1)?.revision ?? 0;
    if (this.back.hidden && revision > known && this.pending === undefined) {
      this.pending = setTimeout(() => {
        this.pending = undefined;
        if (this.back.hidden) {
          this.read().catch(() => undefined); // again with the next event
        }
      }, PAUSE_MS);
    }
  }

  /** Reads the record and the events of the match, and stands at the last one. */
  async read(): Promise<void> {
    const [record, updates, match] = await Promise.all([
      this.service.record(this.id),
      this.service.events(this.id),
      this.service.match(this.id),
    ]);
    const { gameId, edition } = match.ruleSet;
    this.game ??= await Promise.all([this.service.game(gameId, edition), this.service.tableWords(gameId)]);
    Object.assign(this, { record, match, replay: undefined });
    const beginning = { revision: 0, cursor: "", events: [], moves: 0, isInRecord: true };
    this.entries = [beginning, ...historyOf(updates)];
    this.slider.max = String(readRecord(record).moves.length);
    const names = new Names(...this.game, match, this.words);
    this.list.replaceChildren(...this.entries.map((entry, place) => this.row(entry, place, names)));
    this.mark(this.entries.length - 1);
  }

  private get moves(): number {
    return this.entries[this.chosen]?.moves ?? 0;
  }

  private row(entry: HistoryEntry, place: number, names: Names): HTMLElement {
    const sentences = names.sentences(entry.events).join(" ");
    const note = entry.isInRecord ? "" : ` (${this.words.takenBackLater})`;
    const choose = () => void this.choose(place);
    const attributes = { disabled: !entry.isInRecord, tabindex: -1 };
    return make("li", {}, button("", (sentences || this.words.beginning) + note, choose, attributes));
  }

  /** The last event after which so many moves had been made. */
  private entryAfter(moves: number): number {
    return this.entries.findLastIndex((entry) => entry.moves === moves && entry.isInRecord);
  }

  private onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? this.entries.length - 1 : undefined;
    if (step === undefined && to === undefined) {
      return;
    }
    event.preventDefault();
    let place = to ?? this.chosen + (step ?? 0);
    while (step && this.entries[place]?.isInRecord === false) {
      place += step;
    }
    if (this.entries[place]) {
      void this.choose(place, true);
    }
  }

  private async choose(place: number, hasFocus = false): Promise<void> {
    this.mark(place);
    if (hasFocus) {
      this.buttons()[place]?.focus();
    }
    try {
      await this.showViews(place);
    } catch (error) {
      this.caption.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private async showViews(place: number): Promise<void> {
    const { game, match, moves } = this;
    if (!game || !match) {
      return;
    }
    this.replay ??= Replay.of(this.service, readRecord(this.record)).catch((error) => {
      this.replay = undefined; // tried again with the next choice
      throw error;
    });
    const replay = await this.replay;
    const viewers = this.tables.map(({ viewer }) => viewerOf(viewer));
    const views = await replay.views(moves, viewers);
    if (this.chosen !== place) {
      return; // another one was chosen meanwhile
    }
    const revision = this.entries[place]?.revision ?? 0;
    for (const [index, { table }] of this.tables.entries()) {
      table.showStill(this.stateOf(match, views[index] ?? match.view, revision, game));
    }
    this.caption.textContent = fill(this.words.atRevision, { revision });
    this.back.hidden = false;
    this.showStill(true);
  }

  private stateOf(match: Match, view: View, revision: number, game: readonly [Game, TableWords]): State {
    const { deadline: _, takebackRequest: __, viewer: ___, ...lasting } = match;
    const seats = match.seats.map(({ bank: _, ...seat }) => seat);
    const state = "MATCH_STATE_OPEN" as const;
    const past = { ...lasting, view, revision, state, seats, awaitingSeedsFrom: [], nextCommitment: "" };
    return new State(past, { moves: [], revision }, new Names(...game, past, this.words), this.service);
  }

  private mark(place: number): void {
    const buttons = this.buttons();
    for (const [index, one] of buttons.entries()) {
      one.tabIndex = index === place ? 0 : -1;
      one.setAttribute("aria-current", String(index === place));
    }
    this.chosen = place;
    buttons[place]?.scrollIntoView({ block: "nearest" });
    this.slider.value = String(this.moves);
    this.count.textContent = String(this.moves);
  }

  private buttons(): HTMLButtonElement[] {
    return [...this.list.querySelectorAll("button")];
  }

  private async toLast(): Promise<void> {
    await this.read();
    this.toPresent();
  }

  private toPresent(): void {
    this.mark(this.entries.length - 1);
    this.caption.textContent = "";
    this.back.hidden = true;
    this.showStill(false);
  }
}

function viewerOf(viewer: number): Viewer {
  return viewer === REFEREE ? { referee: true } : viewer === PUBLIC ? {} : { seat: viewer };
}
