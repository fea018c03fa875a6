/** Draws after a press: the click of a button that is replaced between press and release is lost. */

/** What is pressed: all else in a drawing may be replaced at any time. */
const PRESSED = "button, summary, a, select";
/** How long a click may come after the release: on a touch screen it waits for a second tap. */
const CLICK_MS = 500;
/** Events by which a press ends without a release: a menu of the browser is opened, or the window is left. */
const INTERRUPTIONS = ["contextmenu", "blur"];

/** Draws an element at once, or, while a button in it is pressed by a pointer or the space bar, after the click. */
export class AfterPress {
  private press: AbortController | undefined;
  private waiting: (() => void) | undefined;

  constructor(element: HTMLElement) {
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
  draw(drawing: () => void): void {
    if (this.press) {
      this.waiting = drawing;
    } else {
      drawing();
    }
  }

  /** Forgets the press, and the drawing that waits for its end. */
  clear(): void {
    this.press?.abort();
    this.press = undefined;
    this.waiting = undefined;
  }

  private begin(target: EventTarget | null): void {
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
    // The handlers of the button come first: they know what was drawn when it was pressed.
    addEventListener("click", end, { signal });
    addEventListener("keyup", ({ key }) => key === " " && endSoon(), { signal, capture: true });
    addEventListener("pointercancel", ({ isPrimary }) => isPrimary && end(), { signal, capture: true });
    addEventListener("pointerup", ({ isPrimary }) => isPrimary && endSoon(), { signal, capture: true });
    // Outside the window nobody is told of the release; the next move of the mouse says that it is past.
    addEventListener("pointermove", ({ buttons, isPrimary }) => isPrimary && !buttons && endSoon(), { signal });
  }

  private end(): void {
    const { waiting } = this;
    this.clear();
    waiting?.();
  }
}
