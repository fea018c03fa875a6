/** The element `<chitarrella-record>`: a record of a match, step by step, on the table of `<chitarrella-table>`. */

import { arena, ownHands } from "./board.js";
import { AfterPress, button, cardBack, make, makeSvg, ratioOf, replace } from "./dom.js";
import { Names, State } from "./names.js";
import { type Frame, fly, keptSlowness, Playback, positions, type Stage } from "./playback.js";
import {
  RecordError,
  type RecordWords,
  RefusedMove,
  Replay,
  readRecord,
  recordWordsOf,
  type Step,
} from "./record_text.js";
import { type Match, type Refusal, Service, type TableWords } from "./service.js";
import { style } from "./style.js";
import { chooseLanguage, fill, wordsOf } from "./words.js";

const RULES = `
:host { height: var(--chitarrella-height, min(100dvh, 54rem)); }
.record { grid-template-rows: repeat(4, auto) minmax(0, 1fr); }
.record header { align-items: baseline; display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .4rem .7rem 0; }
.record h2 { font: 600 1.15rem Georgia, "Times New Roman", serif; }
.record .board { grid-row: 5; grid-template-rows: minmax(0, 1fr) auto; }
.record .own { grid-row: 2; }
.record .hand:not(.dummy) { --tall: 19cqh; }
.record:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.steps { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; margin: .3rem .7rem; }
.steps button { min-height: 2.75rem; min-width: 2.75rem; padding: 0 .5rem; border: 2px solid var(--ink); border-radius: .4rem;
  background: var(--paper); color: var(--ink); font: inherit; cursor: pointer; }
.steps button svg { display: block; width: 1.2rem; height: 1.2rem; margin: auto; fill: currentColor; }
.steps button[aria-disabled="true"] { opacity: .5; cursor: default; }
.steps label { display: flex; flex: 1 1 10rem; gap: .5rem; align-items: center; min-width: 0; }
.steps input { flex: 1; min-width: 4rem; min-height: 1.5rem; accent-color: var(--accent); }
.events { background: var(--paper); color: var(--ink); border-radius: .4rem; padding: .3rem .6rem; margin: 0 .7rem;
  height: 3.7rem; overflow-y: auto; }
.invalid { background: var(--paper); color: var(--ink); border: 3px solid #b3261e; border-radius: .5rem; max-height: 12rem; overflow-y: auto; padding: .6rem;
  margin: .3rem .7rem; }
.invalid:empty { display: none; }
.invalid a { color: #0b4fa0; display: inline-block; min-height: 1.5rem; }
.invalid pre { margin: .3rem 0; overflow-x: auto; font-size: .85rem; }
`;

/** Milliseconds for which a step is shown while the record plays on, unless set otherwise. */
const STEP_MS = 1500;

/** The outlines of the signs on the buttons, in a square of 24. */
const SIGNS = {
  first: "M5 4h3v16H5zM20 4v16L9 12z",
  back: "M17 4v16L6 12z",
  playOn: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  forward: "M7 4v16l11-8z",
  last: "M16 4h3v16h-3zM4 4v16l11-8z",
} as const;

type Sign = keyof typeof SIGNS;

interface StepControl {
  readonly current: number;
  readonly last: number;
  goTo(step: number): Promise<void>;
  /** Resolved when the step has been shown. */
  readonly settled: Promise<void>;
}

class StepControls {
  readonly element: HTMLElement;
  pace = STEP_MS;
  /** More moves may follow: at the last step the record waits for them instead of stopping. */
  isLive = false;
  private readonly slider = make("input", { type: "range", min: 0, max: 0, value: 0 });
  private readonly count = make("span");
  private readonly buttons: Readonly<Record<Exclude<Sign, "pause">, HTMLButtonElement>>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private words: RecordWords | undefined;

  constructor(private readonly control: StepControl) {
    const go = (sign: Exclude<Sign, "pause">, to: () => number) =>
      signed(sign, () => {
        this.stop();
        void control.goTo(to());
      });
    this.buttons = {
      first: go("first", () => 0),
      back: go("back", () => control.current - 1),
      playOn: signed("playOn", () => this.toggle()),
      forward: go("forward", () => control.current + 1),
      last: go("last", () => control.last),
    };
    this.slider.addEventListener("input", () => {
      this.stop();
      void control.goTo(Number(this.slider.value));
    });
    const { first, back, playOn, forward, last } = this.buttons;
    const label = make("label", {}, this.count, this.slider);
    this.element = make("div", { class: "steps", role: "group" }, first, back, playOn, forward, last, label);
  }

  show(step: number, last: number, words: RecordWords): void {
    this.words = words;
    this.element.setAttribute("aria-label", words.stepLabel);
    this.slider.max = String(last);
    this.slider.value = String(step);
    this.count.textContent = fill(words.step, { step, last });
    this.slider.setAttribute("aria-label", words.stepLabel);
    this.slider.setAttribute("aria-valuetext", fill(words.step, { step, last }));
    const { first, back, playOn, forward, last: end } = this.buttons;
    for (const [one, name, atEnd] of [
      [first, words.first, step === 0],
      [back, words.back, step === 0],
      [forward, words.forward, step === last],
      [end, words.last, step === last],
    ] as const) {
      named(one, name);
      // Not disabled, which would drop the focus of who has just pressed it.
      one.setAttribute("aria-disabled", String(atEnd));
    }
    named(playOn, this.isPlaying ? words.pause : words.playOn);
    playOn.replaceChildren(picture(this.isPlaying ? "pause" : "playOn"));
  }

  /** Steps by a key; the slider has keys of its own. */
  press(event: KeyboardEvent): void {
    const target = event.composedPath()[0];
    if (target === this.slider || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: this.control.current - 1,
      ArrowRight: this.control.current + 1,
      Home: 0,
      End: this.control.last,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.stop();
      void this.control.goTo(step);
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.refresh();
  }

  get isPlaying(): boolean {
    return this.timer !== undefined;
  }

  /** Plays on, from the beginning if all was shown. */
  play(): void {
    const { current, last } = this.control;
    if (!this.isPlaying && (this.isLive || last > 0)) {
      void this.advance(current === last && !this.isLive ? 0 : current + 1);
    }
  }

  private toggle(): void {
    if (this.isPlaying) {
      this.stop();
    } else {
      this.play();
    }
  }

  private async advance(step: number): Promise<void> {
    const timer = setTimeout(() => void this.next(), this.pace);
    this.timer = timer;
    if (step <= this.control.last) {
      await this.control.goTo(step);
    } else {
      this.refresh();
    }
    if (this.timer === timer && step >= this.control.last && !this.isLive) {
      this.stop();
    }
  }

  private async next(): Promise<void> {
    const { timer } = this;
    await this.control.settled;
    if (timer !== undefined && this.timer === timer) {
      await this.advance(this.control.current + 1);
    }
  }

  private refresh(): void {
    if (this.words) {
      this.show(this.control.current, this.control.last, this.words);
    }
  }
}

function signed(sign: Sign, press: () => void): HTMLButtonElement {
  const element = button(sign, "", press);
  element.append(picture(sign));
  return element;
}

function picture(sign: Sign): SVGElement {
  return makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, makeSvg("path", { d: SIGNS[sign] }));
}

function named(element: HTMLElement, name: string): void {
  element.setAttribute("aria-label", name);
  element.title = name;
}

const STYLES = [style(), style(RULES)];

const HOME = new URL("./", import.meta.url).href;

/**
 * A record, as text between the tags or at an address. Attributes: `src`, the address of the record; `step`, the step to
 * begin with; `language`, "en", "it" or "de"; `service`, the address of the service, by default where the script comes
 * from. The property `record` sets the text. Every step is told by the event `chitarrella-step`, whose `detail` is
 * `{ step, last }`. The arrow keys, Home and End step while something in the element has the focus.
 */
export class ChitarrellaRecord extends HTMLElement implements StepControl, Stage {
  static readonly observedAttributes = ["src", "step", "language", "service"];

  private readonly root = this.attachShadow({ mode: "open" });
  private readonly heading = make("h2");
  private readonly note = make("p");
  private readonly controls = new StepControls(this);
  private readonly events = make("div", { class: "events", role: "status", tabindex: 0 });
  private readonly invalid = make("div", { class: "invalid", role: "alert" });
  private readonly board = make("div", { class: "board", tabindex: -1 });
  private readonly afterPress = new AfterPress(this.board);
  private readonly layer = make("div", { class: "layer", "aria-hidden": "true" });
  private readonly frame = make("section", { class: "table record", tabindex: 0 });
  private readonly playback = new Playback(this);
  private text: string | undefined;
  private replay: Replay | undefined;
  private tableWords: TableWords | undefined;
  private service = new Service(HOME, "en");
  private words: RecordWords = recordWordsOf("en");
  private step = 0;
  private isRestarting = false;
  private started = 0;
  private opening: Promise<void> = Promise.resolve();

  constructor() {
    super();
    this.root.adoptedStyleSheets = STYLES;
    this.pace = STEP_MS;
    const head = make("header", {}, this.heading, this.note);
    this.frame.append(head, this.controls.element, this.events, this.invalid, this.board, this.layer);
    this.root.append(this.frame);
    this.frame.addEventListener("keydown", (event) => this.controls.press(event));
  }

  get record(): string {
    return this.text ?? "";
  }

  set record(text: string) {
    this.text = text;
    this.restart();
  }

  connectedCallback(): void {
    this.restart();
  }

  disconnectedCallback(): void {
    this.controls.stop();
    this.playback.reset();
    this.afterPress.clear();
  }

  attributeChangedCallback(name: string): void {
    this.text = name === "src" ? undefined : this.text;
    this.restart();
  }

  get current(): number {
    return this.step;
  }

  get last(): number {
    return this.replay?.last ?? 0;
  }

  get isPlaying(): boolean {
    return this.controls.isPlaying;
  }

  /** Steps by a key that was pressed outside the element. */
  press(event: KeyboardEvent): void {
    this.controls.press(event);
  }

  set pace(milliseconds: number) {
    this.controls.pace = milliseconds;
    this.playback.slowness = keptSlowness() * Math.min(1, milliseconds / STEP_MS);
  }

  get settled(): Promise<void> {
    return this.playback.settled;
  }

  draw(frame: Frame): void {
    const { state } = frame;
    this.afterPress.draw(() => {
      const before = positions(this.board);
      this.frame.style.setProperty("--ratio", ratioOf(state));
      replace(this.root, this.board, "summary", arena(state, frame), ownHands(state));
      fly(this.board, this.layer, before, frame, this.playback.slowness, () => cardBack(state));
    });
  }

  /** The sentences of a step stand above the table. */
  announce(): void {}

  /** A record goes on at the end of a deal. */
  async endDeal(): Promise<void> {}

  /** Plays on as a live record, which waits at its end for moves to be added. */
  playLive(): void {
    this.controls.isLive = true;
    this.controls.play();
  }

  /** Adds the moves by which the record has grown, and returns what the last one of them led to. */
  async extend(record: string): Promise<Step | undefined> {
    await this.opening;
    this.text = record;
    this.replay?.extend(readRecord(record));
    this.controls.show(this.step, this.last, this.words);
    return this.replay?.at(this.last);
  }

  /** Shows a step, or the nearest one that there is. */
  async goTo(step: number): Promise<void> {
    const { replay } = this;
    if (!replay) {
      return;
    }
    const before = this.step;
    this.step = Math.min(Math.max(step, 0), replay.last);
    const asked = this.step;
    this.controls.show(this.step, replay.last, this.words);
    try {
      const found = await replay.at(asked);
      if (replay === this.replay && asked === this.step) {
        this.show(found, replay, asked === before + 1);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Begins anew, once for all attributes that change together. */
  private restart(): void {
    if (this.isConnected && !this.isRestarting) {
      this.isRestarting = true;
      this.opening = Promise.resolve().then(() => {
        this.isRestarting = false;
        return this.begin();
      });
    }
  }

  private async begin(): Promise<void> {
    const started = ++this.started;
    const language = chooseLanguage(this.getAttribute("language"), document.documentElement.lang, navigator.language);
    this.words = recordWordsOf(language);
    this.service = new Service(this.getAttribute("service") ?? HOME, language);
    this.replay = undefined;
    this.playback.reset();
    this.frame.lang = language;
    this.frame.setAttribute("aria-label", this.words.record);
    this.heading.textContent = this.words.record;
    this.note.textContent = "";
    this.controls.stop();
    this.controls.show(0, 0, this.words);
    this.invalid.replaceChildren();
    this.board.replaceChildren();
    this.events.textContent = this.words.loading;
    try {
      const text = await this.read();
      if (!text.trim()) {
        this.events.textContent = this.words.empty;
        return;
      }
      const replay = await Replay.of(this.service, readRecord(text));
      const tableWords = await this.service.tableWords(replay.game.summary.gameId);
      if (started === this.started) {
        await this.open(replay, tableWords);
      }
    } catch (error) {
      if (started === this.started) {
        this.events.textContent = "";
        this.fail(error);
      }
    }
  }

  /** The text of the record: the property, else what is at `src`, else what stands between the tags. */
  private async read(): Promise<string> {
    const source = this.getAttribute("src");
    if (this.text === undefined && source) {
      const answer = await fetch(new URL(source, document.baseURI), { credentials: "same-origin" });
      if (!answer.ok) {
        throw new RecordError(String(answer.status), 0, `${source}: ${answer.statusText}`);
      }
      this.text = await answer.text();
    }
    this.text ??= this.textContent ?? "";
    return this.text;
  }

  private async open(replay: Replay, tableWords: TableWords): Promise<void> {
    this.replay = replay;
    this.tableWords = tableWords;
    const { title } = replay.game.summary;
    this.heading.textContent = title;
    this.note.textContent = replay.record.sandbox ? this.words.sandbox : "";
    this.frame.setAttribute("aria-label", `${this.words.record}: ${title}`);
    if (replay.error) {
      this.fail(replay.error);
    }
    await this.goTo(Number(this.getAttribute("step") ?? 0) || 0);
  }

  private show({ view, events }: Step, replay: Replay, isNext: boolean): void {
    const { ruleSet } = replay.record;
    const match: Match = {
      matchId: "",
      ruleSet,
      revision: this.step,
      view,
      sandbox: replay.record.sandbox,
      state: "MATCH_STATE_OPEN",
      cursor: "",
      nextCommitment: "",
      awaitingSeedsFrom: [],
      seats: [],
    };
    const names = new Names(replay.game, this.tableWords as TableWords, match, wordsOf(this.service.language));
    const state = new State(match, { moves: [], revision: this.step }, names, this.service);
    const lines = names.sentences(events).map((text) => make("p", {}, text));
    const nothing = make("p", {}, this.step ? this.words.noEvents : this.words.beginning);
    this.events.replaceChildren(...(lines.length ? lines : [nothing]));
    this.events.scrollTop = 0;
    this.board.setAttribute("data-step", String(this.step));
    this.playback.skip();
    this.playback.push(state, isNext ? events : []);
    const detail = { step: this.step, last: replay.last };
    this.dispatchEvent(new CustomEvent("chitarrella-step", { detail }));
  }

  /** Shows what is wrong, with the code and the line. */
  private fail(error: unknown): void {
    const { words } = this;
    this.controls.stop();
    if (!(error instanceof RecordError)) {
      this.invalid.replaceChildren(make("p", {}, error instanceof Error ? error.message : String(error)));
      return;
    }
    const { line, code, message } = error;
    const lineText = line ? (this.record.split(/\r\n|\r|\n/)[line - 1] ?? "").trim() : "";
    const place = line ? `${fill(words.atLine, { line })}: ` : "";
    const refusals = error instanceof RefusedMove ? error.refusals : [];
    const texts = refusals.length ? refusals.map((one) => this.clause(one)) : [make("p", {}, place, message)];
    this.invalid.replaceChildren(
      make("p", {}, make("strong", {}, words.invalid), ` · ${fill(words.code, { code })}`),
      ...(refusals.length ? [make("p", {}, place)] : []),
      ...(lineText ? [make("pre", { tabindex: 0 }, lineText)] : []),
      ...texts,
      ...(this.replay?.error === error ? [make("p", {}, words.upTo)] : []),
    );
  }

  private clause({ message, clause, pagePath }: Refusal): HTMLElement {
    const text = fill(wordsOf(this.service.language).clause, { key: clause.key });
    const link = make("a", { href: this.service.page(pagePath) }, text);
    return make("blockquote", {}, make("strong", {}, message), " ", clause.text, " ", link);
  }
}
