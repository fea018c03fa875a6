/** The element `<chitarrella-record>`: a record of a match, step by step, on the table of `<chitarrella-table>`. */

import { AfterPress } from "./after_press.js";
import { middle, otherSeats } from "./board.js";
import type { Match, Refusal, TableWords } from "./contract.js";
import { make, replace } from "./dom.js";
import { Names } from "./names.js";
import { recordStyle } from "./record_style.js";
import { RecordError, readRecord } from "./record_text.js";
import { type RecordWords, recordWordsOf } from "./record_words.js";
import { RefusedMove, Replay, type Step } from "./replay.js";
import { Service } from "./service.js";
import { type Actions, State } from "./state.js";
import { type StepControl, StepControls } from "./step_controls.js";
import { style } from "./style.js";
import { chooseLanguage, fill, wordsOf } from "./words.js";

const STYLES = [style(), recordStyle()];

/** The folder of this module, which is the address of the service. */
const HOME = new URL("./", import.meta.url).href;

/** What the buttons of a table would do: a record has none. */
const NO_ACTIONS: Actions = {
  tap: () => undefined,
  play: () => undefined,
  clear: () => undefined,
  addSeed: () => undefined,
  takeBack: () => undefined,
};

/**
 * A record, as text between the tags or at an address. Attributes: `src`, the address of the record; `step`, the step to
 * begin with; `language`, "en", "it" or "de"; `service`, the address of the service, by default where the script comes
 * from. The property `record` sets the text. Every step is told by the event `chitarrella-step`, whose `detail` is
 * `{ step, last }`. The arrow keys, Home and End step while something in the element has the focus.
 */
export class ChitarrellaRecord extends HTMLElement implements StepControl {
  static readonly observedAttributes = ["src", "step", "language", "service"];

  private readonly root = this.attachShadow({ mode: "open" });
  private readonly heading = make("h2");
  private readonly note = make("p");
  private readonly controls = new StepControls(this);
  private readonly events = make("div", { class: "events", role: "status", tabindex: 0 });
  private readonly invalid = make("div", { class: "invalid", role: "alert" });
  private readonly board = make("div", { class: "board", tabindex: -1 });
  private readonly afterPress = new AfterPress(this.board);
  private readonly frame = make("section", { class: "table record", tabindex: 0 });
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
    const head = make("header", {}, this.heading, this.note);
    this.frame.append(head, this.controls.element, this.events, this.invalid, this.board);
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
    this.afterPress.clear();
  }

  attributeChangedCallback(name: string): void {
    this.text = name === "src" ? undefined : this.text;
    this.restart();
  }

  /** The number of the step that is shown. */
  get current(): number {
    return this.step;
  }

  /** The number of the last step. */
  get last(): number {
    return this.replay?.last ?? 0;
  }

  /** Whether the record plays on. */
  get isPlaying(): boolean {
    return this.controls.isPlaying;
  }

  /** Milliseconds for which a step is shown while the record plays on. */
  set pace(milliseconds: number) {
    this.controls.pace = milliseconds;
  }

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
    this.step = Math.min(Math.max(step, 0), replay.last);
    const asked = this.step;
    this.controls.show(this.step, replay.last, this.words);
    try {
      const found = await replay.at(asked);
      if (replay === this.replay && asked === this.step) {
        this.show(found, replay);
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

  private show({ view, events }: Step, replay: Replay): void {
    const { ruleSet } = replay.record;
    const match: Match = {
      matchId: "",
      ruleSet,
      revision: this.step,
      view,
      sandbox: replay.record.sandbox,
      aborted: false,
      cursor: "",
      nextCommitment: "",
      awaitingSeedsFrom: [],
      bankMs: [],
      bots: [],
      playerNames: [],
    };
    const names = new Names(replay.game, this.tableWords as TableWords, match, wordsOf(this.service.language));
    const state = new State(match, { moves: [], revision: this.step }, names, this.service);
    const lines = events.map((event) => make("p", {}, names.event(event)));
    const nothing = make("p", {}, this.step ? this.words.noEvents : this.words.beginning);
    this.events.replaceChildren(...(lines.length ? lines : [nothing]));
    this.events.scrollTop = 0;
    this.board.setAttribute("data-step", String(this.step));
    this.afterPress.draw(() =>
      replace(this.root, this.board, "summary", middle(state, NO_ACTIONS), otherSeats(state, NO_ACTIONS)),
    );
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

  private clause({ message, clause, page }: Refusal): HTMLElement {
    const link = make("a", { href: this.service.page(page) }, fill(this.words.clause, { key: clause.key }));
    return make("blockquote", {}, make("strong", {}, message), " ", clause.text, " ", link);
  }
}
