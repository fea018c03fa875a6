/** Elements, cards, and what happens after a press. */

import type { Names, State } from "./names.js";

type Child = Node | string | false | undefined;

/** The attributes of an element; those that are undefined or false are left out, true is an empty one. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** Makes an element of a picture in the same way. */
export function makeSvg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Where a page is shown. */
export const mainOf = () => document.querySelector("main") ?? document.body.appendChild(make("main"));

function filled<Made extends Element>(element: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter(isShown));
  return element;
}

/** Makes a button. `id` keeps the focus where the same button is made again. */
export function button(id: string, text: string, press: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  const element = make("button", { type: "button", "data-id": id, ...attributes }, text);
  element.addEventListener("click", press);
  return element;
}

/** Replaces what is in an element; the focus goes to the same button, else to the first one of `fallback`, else to the parent. */
export function replace(root: ShadowRoot, parent: HTMLElement, fallback: string, ...children: readonly Child[]): void {
  const focused = root.activeElement;
  const id = focused && parent.contains(focused) ? (focused.getAttribute("data-id") ?? "") : undefined;
  const open = new Set([...parent.querySelectorAll("details[open]")].map((one) => one.getAttribute("data-id")));
  parent.replaceChildren(...children.filter(isShown));
  for (const details of parent.querySelectorAll("details")) {
    details.open = open.has(details.getAttribute("data-id"));
  }
  if (id !== undefined) {
    const same = parent.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
    (same ?? parent.querySelector<HTMLElement>(fallback) ?? parent).focus();
  }
}

type Store = "localStorage" | "sessionStorage";

/** What the browser keeps under a name; `usual` where it keeps nothing. */
export function kept<Value>(name: string, usual: Value, store: Store = "localStorage"): Value {
  try {
    return JSON.parse(globalThis[store].getItem(name) ?? "");
  } catch {
    return usual;
  }
}

export function keep(name: string, value: unknown, store: Store = "localStorage"): void {
  try {
    globalThis[store].setItem(name, JSON.stringify(value));
  } catch {
    // Then it is so until the page is left.
  }
}

/** Copies a text; without a secure context by a selection, which browsers still allow. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = make("textarea", { readonly: true }, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function isShown(child: Child): child is Node | string {
  return child !== undefined && child !== false && child !== "";
}

/** Widths of cards by their heights, by the folder of their pictures. */
const RATIOS: Readonly<Record<string, number>> = { italian: 0.5, spanish: 0.645, french: 0.714, cucco: 0.556 };

export function ratioOf({ names }: State): string {
  return String(RATIOS[names.backPath?.split("/").at(-2) ?? ""] ?? 0.667);
}

export function shownCard(code: string, state: State, name = state.names.card(code)): HTMLElement {
  return make("span", { class: "card", role: "img", "data-card": code, "aria-label": name }, face(code, state));
}

/** The address of the picture of a card; empty if it has none. */
function pictureOf(code: string, state: State): string {
  const path = state.names.cardOf(code)?.picturePath;
  return state.pictures?.(code) ?? ((path && state.service.url(path)) || "");
}

/** Fetches the pictures of all cards, so that none is white when it is played; not the first ones, which are shown. */
export function fetchFaces(state: State): void {
  const codes = state.names.game.cards.map((card) => card.code);
  for (const path of codes.map((code) => pictureOf(code, state)).filter(Boolean)) {
    new Image().src = path;
  }
}

/** The picture of a card, else its rank and suit. */
export function face(code: string, state: State): HTMLElement {
  const text = textFace(code, state.names);
  const path = pictureOf(code, state);
  if (!path) {
    return text;
  }
  const picture = make("img", { src: path, alt: "", draggable: "false", decoding: "sync" });
  picture.addEventListener("error", () => picture.replaceWith(text));
  return picture;
}

function textFace(code: string, names: Names): HTMLElement {
  const card = names.cardOf(code);
  const suit = card ? names.suit(card.suit) : "";
  const rank = card?.rank || code;
  // A pack without suits has names that are not made of rank and suit.
  const under = suit || (card && card.name !== rank ? card.name : "");
  return make(
    "span",
    { class: "face", "aria-hidden": "true" },
    make("span", { class: "rank" }, rank),
    under && make("span", { class: "suit" }, under),
  );
}

/** The back of a card, as the pack has it. */
export function cardBack(state: State): HTMLElement {
  const path = state.names.backPath;
  const picture = path && make("img", { src: state.service.url(path), alt: "", draggable: "false", decoding: "sync" });
  return make("span", { class: "card back", "aria-hidden": "true" }, picture || undefined);
}

/** Of so many backs all are drawn. */
export const BACKS = 5;

export function hiddenCards(count: number, state: State): HTMLElement {
  const { names, words } = state;
  const backs = Array.from({ length: Math.min(count, BACKS) }, () => cardBack(state));
  const text = make("span", { class: "unseen" }, `${names.count(count)}, ${words.faceDown}`);
  return make("span", { class: "hidden", "data-count": count }, ...backs, text);
}

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
