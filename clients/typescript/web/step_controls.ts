/** The buttons and the slider that step through a record, and the keys that do the same. */

import { button, make } from "./dom.js";
import type { RecordWords } from "./record_words.js";
import { fill } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
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

/** What the controls step through. */
export interface StepControl {
  readonly current: number;
  readonly last: number;
  goTo(step: number): Promise<void>;
}

/** The controls. */
export class StepControls {
  readonly element: HTMLElement;
  /** Milliseconds for which a step is shown while the record plays on. */
  pace = STEP_MS;
  /** More moves may follow: at the last step the record waits for them instead of stopping. */
  isLive = false;
  private readonly slider = make("input", { type: "range", min: 0, max: 0, value: 0 });
  private readonly count = make("span");
  private readonly buttons: Readonly<Record<Exclude<Sign, "pause">, HTMLButtonElement>>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private words: RecordWords | undefined;

  constructor(private readonly control: StepControl) {
    const go = (to: () => number) => () => {
      this.stop();
      void control.goTo(to());
    };
    this.buttons = {
      first: signed(
        "first",
        go(() => 0),
      ),
      back: signed(
        "back",
        go(() => control.current - 1),
      ),
      playOn: signed("playOn", () => this.toggle()),
      forward: signed(
        "forward",
        go(() => control.current + 1),
      ),
      last: signed(
        "last",
        go(() => control.last),
      ),
    };
    this.slider.addEventListener("input", () => {
      this.stop();
      void control.goTo(Number(this.slider.value));
    });
    const { first, back, playOn, forward, last } = this.buttons;
    const label = make("label", {}, this.count, this.slider);
    this.element = make("div", { class: "steps", role: "group" }, first, back, playOn, forward, last, label);
  }

  /** Shows where the record is. */
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

  /** Stops playing on. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.refresh();
  }

  /** Whether the record plays on. */
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

  private next(): Promise<void> {
    return this.advance(this.control.current + 1);
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
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SIGNS[sign]);
  svg.append(path);
  return svg;
}

function named(element: HTMLElement, name: string): void {
  element.setAttribute("aria-label", name);
  element.title = name;
}
