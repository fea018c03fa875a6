// Built from clients/typescript/web by npm run web; do not edit.

// web/after_press.ts
var PRESSED = "button, summary, a, select";
var CLICK_MS = 500;
var INTERRUPTIONS = ["contextmenu", "blur"];
var AfterPress = class {
  press;
  waiting;
  constructor(element) {
    element.addEventListener("pointerdown", (event) => {
      if (event.isPrimary && event.button === 0) {
        this.begin(event.target);
      }
    });
    element.addEventListener("keydown", (event) => {
      if (event.key === " " && !event.repeat) {
        this.begin(event.target);
      }
    });
  }
  /** Draws; of several drawings that wait for the same click only the last is done. */
  draw(drawing) {
    if (this.press) {
      this.waiting = drawing;
    } else {
      drawing();
    }
  }
  /** Forgets the press, and the drawing that waits for its end. */
  clear() {
    this.press?.abort();
    this.press = void 0;
    this.waiting = void 0;
  }
  begin(target) {
    if (!(target instanceof Element && target.closest(PRESSED))) {
      return;
    }
    this.press?.abort();
    this.press = new AbortController();
    const { signal } = this.press;
    const end = () => !signal.aborted && this.end();
    const endSoon = () => setTimeout(end, CLICK_MS);
    for (const kind of INTERRUPTIONS) {
      addEventListener(kind, end, { signal });
    }
    addEventListener("click", end, { signal });
    addEventListener("keyup", ({ key }) => key === " " && endSoon(), { signal, capture: true });
    addEventListener("pointercancel", ({ isPrimary }) => isPrimary && end(), { signal, capture: true });
    addEventListener("pointerup", ({ isPrimary }) => isPrimary && endSoon(), { signal, capture: true });
    addEventListener("pointermove", ({ buttons, isPrimary }) => isPrimary && !buttons && endSoon(), { signal });
  }
  end() {
    const { waiting } = this;
    this.clear();
    waiting?.();
  }
};

// web/record_element.ts
import { middle, otherSeats } from "./shared.js?fce99d945ccb1756";
import { make as make2, replace } from "./shared.js?fce99d945ccb1756";
import { Names } from "./shared.js?fce99d945ccb1756";

// web/record_style.ts
var RULES = `
.record:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.steps { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; margin: .4rem 0; }
.steps button { min-height: 2.75rem; min-width: 2.75rem; padding: 0 .5rem; border: 2px solid var(--ink); border-radius: .4rem;
  background: var(--paper); color: var(--ink); font: inherit; cursor: pointer; }
.steps button svg { display: block; width: 1.2rem; height: 1.2rem; margin: auto; fill: currentColor; }
.steps button[aria-disabled="true"] { opacity: .5; cursor: default; }
.steps label { display: flex; flex: 1 1 10rem; gap: .5rem; align-items: center; min-width: 0; }
.steps input { flex: 1; min-width: 4rem; min-height: 1.5rem; accent-color: var(--accent); }
.events { background: var(--paper); color: var(--ink); border-radius: .4rem; padding: .3rem .6rem; margin-bottom: .6rem;
  height: 6.4rem; overflow-y: auto; }
.zone:is([data-zone="stock"], [data-zone="pack"]) .card { width: 1.9rem; min-height: 0; }
.invalid { background: var(--paper); color: var(--ink); border: 3px solid #b3261e; border-radius: .5rem; padding: .6rem;
  margin-bottom: .6rem; }
.invalid:empty { display: none; }
.invalid a { color: #0b4fa0; display: inline-block; min-height: 1.5rem; }
.invalid pre { margin: .3rem 0; overflow-x: auto; font-size: .85rem; }
`;
function recordStyle() {
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES);
  return rules;
}

// web/record_element.ts
import { RecordError, readRecord } from "./shared.js?fce99d945ccb1756";
import { recordWordsOf } from "./shared.js?fce99d945ccb1756";
import { RefusedMove, Replay } from "./shared.js?fce99d945ccb1756";
import { Service } from "./shared.js?fce99d945ccb1756";
import { State } from "./shared.js?fce99d945ccb1756";

// web/step_controls.ts
import { button, make } from "./shared.js?fce99d945ccb1756";
import { fill } from "./shared.js?fce99d945ccb1756";
var SVG = "http://www.w3.org/2000/svg";
var STEP_MS = 1500;
var SIGNS = {
  first: "M5 4h3v16H5zM20 4v16L9 12z",
  back: "M17 4v16L6 12z",
  playOn: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  forward: "M7 4v16l11-8z",
  last: "M16 4h3v16h-3zM4 4v16l11-8z"
};
var StepControls = class {
  constructor(control) {
    this.control = control;
    const go = (to) => () => {
      this.stop();
      void control.goTo(to());
    };
    this.buttons = {
      first: signed(
        "first",
        go(() => 0)
      ),
      back: signed(
        "back",
        go(() => control.current - 1)
      ),
      playOn: signed("playOn", () => this.toggle()),
      forward: signed(
        "forward",
        go(() => control.current + 1)
      ),
      last: signed(
        "last",
        go(() => control.last)
      )
    };
    this.slider.addEventListener("input", () => {
      this.stop();
      void control.goTo(Number(this.slider.value));
    });
    const { first, back, playOn, forward, last } = this.buttons;
    const label = make("label", {}, this.count, this.slider);
    this.element = make("div", { class: "steps", role: "group" }, first, back, playOn, forward, last, label);
  }
  control;
  element;
  /** Milliseconds for which a step is shown while the record plays on. */
  pace = STEP_MS;
  /** More moves may follow: at the last step the record waits for them instead of stopping. */
  isLive = false;
  slider = make("input", { type: "range", min: 0, max: 0, value: 0 });
  count = make("span");
  buttons;
  timer;
  words;
  /** Shows where the record is. */
  show(step, last, words) {
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
      [end, words.last, step === last]
    ]) {
      named(one, name);
      one.setAttribute("aria-disabled", String(atEnd));
    }
    named(playOn, this.isPlaying ? words.pause : words.playOn);
    playOn.replaceChildren(picture(this.isPlaying ? "pause" : "playOn"));
  }
  /** Steps by a key; the slider has keys of its own. */
  press(event) {
    const target = event.composedPath()[0];
    if (target === this.slider || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    const steps = {
      ArrowLeft: this.control.current - 1,
      ArrowRight: this.control.current + 1,
      Home: 0,
      End: this.control.last
    };
    const step = steps[event.key];
    if (step !== void 0) {
      event.preventDefault();
      this.stop();
      void this.control.goTo(step);
    }
  }
  /** Stops playing on. */
  stop() {
    clearTimeout(this.timer);
    this.timer = void 0;
    this.refresh();
  }
  /** Whether the record plays on. */
  get isPlaying() {
    return this.timer !== void 0;
  }
  /** Plays on, from the beginning if all was shown. */
  play() {
    const { current, last } = this.control;
    if (!this.isPlaying && (this.isLive || last > 0)) {
      void this.advance(current === last && !this.isLive ? 0 : current + 1);
    }
  }
  toggle() {
    if (this.isPlaying) {
      this.stop();
    } else {
      this.play();
    }
  }
  async advance(step) {
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
  next() {
    return this.advance(this.control.current + 1);
  }
  refresh() {
    if (this.words) {
      this.show(this.control.current, this.control.last, this.words);
    }
  }
};
function signed(sign, press) {
  const element = button(sign, "", press);
  element.append(picture(sign));
  return element;
}
function picture(sign) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SIGNS[sign]);
  svg.append(path);
  return svg;
}
function named(element, name) {
  element.setAttribute("aria-label", name);
  element.title = name;
}

// web/record_element.ts
import { style } from "./shared.js?fce99d945ccb1756";
import { chooseLanguage, fill as fill2, wordsOf } from "./shared.js?fce99d945ccb1756";
var STYLES = [style(), recordStyle()];
var HOME = new URL("./", import.meta.url).href;
var NO_ACTIONS = {
  tap: () => void 0,
  play: () => void 0,
  clear: () => void 0,
  addSeed: () => void 0,
  takeBack: () => void 0
};
var ChitarrellaRecord = class extends HTMLElement {
  static observedAttributes = ["src", "step", "language", "service"];
  root = this.attachShadow({ mode: "open" });
  heading = make2("h2");
  note = make2("p");
  controls = new StepControls(this);
  events = make2("div", { class: "events", role: "status", tabindex: 0 });
  invalid = make2("div", { class: "invalid", role: "alert" });
  board = make2("div", { class: "board", tabindex: -1 });
  afterPress = new AfterPress(this.board);
  frame = make2("section", { class: "table record", tabindex: 0 });
  text;
  replay;
  tableWords;
  service = new Service(HOME, "en");
  words = recordWordsOf("en");
  step = 0;
  isRestarting = false;
  started = 0;
  opening = Promise.resolve();
  constructor() {
    super();
    this.root.adoptedStyleSheets = STYLES;
    const head = make2("header", {}, this.heading, this.note);
    this.frame.append(head, this.controls.element, this.events, this.invalid, this.board);
    this.root.append(this.frame);
    this.frame.addEventListener("keydown", (event) => this.controls.press(event));
  }
  get record() {
    return this.text ?? "";
  }
  set record(text) {
    this.text = text;
    this.restart();
  }
  connectedCallback() {
    this.restart();
  }
  disconnectedCallback() {
    this.controls.stop();
    this.afterPress.clear();
  }
  attributeChangedCallback(name) {
    this.text = name === "src" ? void 0 : this.text;
    this.restart();
  }
  /** The number of the step that is shown. */
  get current() {
    return this.step;
  }
  /** The number of the last step. */
  get last() {
    return this.replay?.last ?? 0;
  }
  /** Whether the record plays on. */
  get isPlaying() {
    return this.controls.isPlaying;
  }
  /** Milliseconds for which a step is shown while the record plays on. */
  set pace(milliseconds) {
    this.controls.pace = milliseconds;
  }
  /** Plays on as a live record, which waits at its end for moves to be added. */
  playLive() {
    this.controls.isLive = true;
    this.controls.play();
  }
  /** Adds the moves by which the record has grown, and returns what the last one of them led to. */
  async extend(record) {
    await this.opening;
    this.text = record;
    this.replay?.extend(readRecord(record));
    this.controls.show(this.step, this.last, this.words);
    return this.replay?.at(this.last);
  }
  /** Shows a step, or the nearest one that there is. */
  async goTo(step) {
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
  restart() {
    if (this.isConnected && !this.isRestarting) {
      this.isRestarting = true;
      this.opening = Promise.resolve().then(() => {
        this.isRestarting = false;
        return this.begin();
      });
    }
  }
  async begin() {
    const started = ++this.started;
    const language = chooseLanguage(this.getAttribute("language"), document.documentElement.lang, navigator.language);
    this.words = recordWordsOf(language);
    this.service = new Service(this.getAttribute("service") ?? HOME, language);
    this.replay = void 0;
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
  async read() {
    const source = this.getAttribute("src");
    if (this.text === void 0 && source) {
      const answer = await fetch(new URL(source, document.baseURI), { credentials: "same-origin" });
      if (!answer.ok) {
        throw new RecordError(String(answer.status), 0, `${source}: ${answer.statusText}`);
      }
      this.text = await answer.text();
    }
    this.text ??= this.textContent ?? "";
    return this.text;
  }
  async open(replay, tableWords) {
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
  show({ view, events }, replay) {
    const { ruleSet } = replay.record;
    const match = {
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
      playerNames: []
    };
    const names = new Names(replay.game, this.tableWords, match, wordsOf(this.service.language));
    const state = new State(match, { moves: [], revision: this.step }, names, this.service);
    const lines = events.map((event) => make2("p", {}, names.event(event)));
    const nothing = make2("p", {}, this.step ? this.words.noEvents : this.words.beginning);
    this.events.replaceChildren(...lines.length ? lines : [nothing]);
    this.events.scrollTop = 0;
    this.board.setAttribute("data-step", String(this.step));
    this.afterPress.draw(
      () => replace(this.root, this.board, "summary", middle(state, NO_ACTIONS), otherSeats(state, NO_ACTIONS))
    );
    const detail = { step: this.step, last: replay.last };
    this.dispatchEvent(new CustomEvent("chitarrella-step", { detail }));
  }
  /** Shows what is wrong, with the code and the line. */
  fail(error) {
    const { words } = this;
    this.controls.stop();
    if (!(error instanceof RecordError)) {
      this.invalid.replaceChildren(make2("p", {}, error instanceof Error ? error.message : String(error)));
      return;
    }
    const { line, code, message } = error;
    const lineText = line ? (this.record.split(/\r\n|\r|\n/)[line - 1] ?? "").trim() : "";
    const place = line ? `${fill2(words.atLine, { line })}: ` : "";
    const refusals = error instanceof RefusedMove ? error.refusals : [];
    const texts = refusals.length ? refusals.map((one) => this.clause(one)) : [make2("p", {}, place, message)];
    this.invalid.replaceChildren(
      make2("p", {}, make2("strong", {}, words.invalid), ` · ${fill2(words.code, { code })}`),
      ...refusals.length ? [make2("p", {}, place)] : [],
      ...lineText ? [make2("pre", { tabindex: 0 }, lineText)] : [],
      ...texts,
      ...this.replay?.error === error ? [make2("p", {}, words.upTo)] : []
    );
  }
  clause({ message, clause, page }) {
    const link = make2("a", { href: this.service.page(page) }, fill2(this.words.clause, { key: clause.key }));
    return make2("blockquote", {}, make2("strong", {}, message), " ", clause.text, " ", link);
  }
};

// web/record.ts
if (!customElements.get("chitarrella-record")) {
  customElements.define("chitarrella-record", ChitarrellaRecord);
}
export {
  ChitarrellaRecord
};
