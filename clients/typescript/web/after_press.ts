/** Draws after a press: the click of a button that is replaced between press and release is lost. */

/** How long a click may come after the release; on a touch screen it is an event of its own. */
const CLICK_MS = 300;

/** Draws an element at once, or, while a button in it is pressed, when the press has ended. */
export class AfterPress {
  private press: AbortController | undefined;
  private waiting: (() => void) | undefined;

  constructor(element: HTMLElement) {
    element.addEventListener("pointerdown", () => this.begin());
  }

  /** Draws; of several drawings that wait for the same release only the last is done. */
  draw(drawing: () => void): void {
    if (this.press) {
      this.waiting = drawing;
    } else {
      drawing();
    }
  }

  /** Forgets the drawing that waits. */
  clear(): void {
    this.waiting = undefined;
  }

  private begin(): void {
    this.press?.abort();
    this.press = new AbortController();
    const { signal } = this.press;
    const end = () => !signal.aborted && this.end();
    addEventListener("click", end, { signal });
    addEventListener("pointercancel", end, { signal });
    addEventListener("pointerup", () => setTimeout(end, CLICK_MS), { signal });
  }

  private end(): void {
    this.press?.abort();
    this.press = undefined;
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.();
  }
}
