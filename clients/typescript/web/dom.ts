/** Elements, their style, and what happens after a press. */

type Child = Node | string | false | undefined;

/** The attributes of an element; those that are undefined or false are left out, true is an empty one. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element with attributes and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
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

const RULES = `
:host {
  --felt: var(--chitarrella-felt, #1d5c3f);
  --on-felt: var(--chitarrella-on-felt, #ffffff);
  --paper: var(--chitarrella-paper, #fffdf5);
  --ink: var(--chitarrella-ink, #1b1b1b);
  --accent: var(--chitarrella-accent, #ffd54a);
  --width: var(--chitarrella-card-width, 4rem);
  display: block; container-type: inline-size; color: var(--on-felt);
  font: var(--chitarrella-font, 1rem/1.4 system-ui, sans-serif);
}
:host([hidden]) { display: none; }
*, *::before { box-sizing: border-box; }
.table { --size: var(--width); background: var(--felt); border-radius: .7rem; padding: .7rem; overflow-wrap: anywhere; }
h2, h3, p, dl, dd, ol, blockquote { margin: 0; padding: 0; }
h2 { font-size: 1.2rem; }
h3 { font-size: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; margin-bottom: .5rem; }
.status { font-weight: bold; }
.board { display: grid; gap: .7rem; }
.seats { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); }
.own { display: grid; gap: .5rem; }
.seat, .middle { border: 2px solid #ffffff40; border-radius: .5rem; padding: .4rem .6rem; }
.seat.turn { border: 2px dashed var(--accent); }
.seat h3 { display: inline; margin-right: .5rem; }
.tag { background: var(--accent); color: #1b1b1b; border-radius: .3rem; padding: 0 .4rem; }
.middle { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; background: #00000030; }
.zone { margin-top: .3rem; }
.caption { font-size: .85rem; }
.unseen { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.seats { font-size: .9rem; }
.cards { display: flex; flex-wrap: wrap; gap: .35rem; align-items: end; min-height: 1.5rem; }
.facts { display: grid; grid-template-columns: auto minmax(min-content, 1fr); gap: 0 .6rem; font-size: .85rem; align-content: start; }
.facts dd { overflow-wrap: break-word; }
.hidden { display: inline-flex; gap: .4rem; align-items: center; }
.back { width: 1.5rem; border-radius: .15rem; box-shadow: 0 0 .15rem #000000; }
.card { position: relative; display: inline-block; width: var(--size);
  padding: 0; border: 1px solid var(--ink); border-radius: .4rem; background: var(--paper); color: var(--ink);
  font: inherit; text-align: center; overflow-wrap: anywhere; }
.card img { display: block; width: 100%; height: auto; aspect-ratio: auto 2 / 3; border-radius: .3rem; }
.face { min-height: calc(var(--size) * 1.5); align-content: start; display: grid; gap: .2rem; padding: .4rem .1rem; }
.rank { font-size: 1.3rem; font-weight: bold; line-height: 1.1; }
.suit { font-size: .8rem; line-height: 1.1; }
button, summary { touch-action: manipulation; }
button.card { cursor: pointer; margin-top: .6rem; transition: transform .15s; }
button.card.legal { transform: translateY(-.5rem); }
button.card.dim { border-style: dashed; background: #cfcdc4; }
button.card.dim img { filter: brightness(.7) saturate(.75); }
button.card[aria-pressed="true"] { transform: translateY(-.9rem); border-color: var(--accent);
  outline: 3px solid var(--accent); outline-offset: 0; }
button.card.allowed { border-color: var(--accent); box-shadow: 0 0 .6rem .3rem var(--accent); }
button.card.refused { border-color: #b3261e; }
.clause { position: absolute; inset-inline: 0; bottom: 0; padding: .1rem; background: #b3261e; color: #ffffff;
  font-size: .65rem; font-weight: bold; letter-spacing: -.02em; line-height: 1.4; white-space: nowrap; border-radius: 0 0 .3rem .3rem; }
.mark { position: absolute; top: -.6rem; right: -.4rem; width: 1.3rem; height: 1.3rem; line-height: 1.3rem;
  border-radius: 50%; background: var(--accent); color: #1b1b1b; font-weight: bold; }
.moves { display: flex; flex-wrap: wrap; gap: .5rem; }
.moves button, .moves select, .refusal button { min-height: 2.5rem; min-width: 2.5rem; margin: .15rem; padding: .3rem .8rem;
  max-width: 100%; border: 2px solid var(--ink); border-radius: .4rem; background: var(--paper); color: var(--ink);
  font: inherit; cursor: pointer; }
.moves button.quiet { background: transparent; border-color: #ffffff80; color: inherit; font-size: .9rem; }
.moves button.primary { background: var(--accent); color: #1b1b1b; }
fieldset { border: 1px solid #ffffff80; border-radius: .4rem; margin: 0; padding: .2rem .4rem; min-width: 0; }
.refusal { background: var(--paper); color: var(--ink); border: 3px solid #b3261e; border-radius: .5rem; padding: .6rem; }
.refusal a { color: #0b4fa0; display: inline-block; min-height: 1.5rem; }
blockquote { border-left: 3px solid #b3261e; padding-left: .6rem; }
code { overflow-wrap: anywhere; font-size: .85rem; }
.fair-deal ol, .fair-deal ul { padding-left: 2rem; }
.fair-deal li { margin-top: .4rem; }
.proof.holds, .proof.fails { font-weight: bold; }
.proof.fails { background: #b3261e; color: #ffffff; padding: .2rem .5rem; }
summary { min-height: 1.5rem; cursor: pointer; }
.still .log, .still .fair-deal { display: none; }
.log { margin-top: .6rem; }
[role=log] { max-height: 9rem; overflow-y: auto; font-size: .9rem; }
[role=log] ol { list-style: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; box-shadow: 0 0 0 2px #000000; }
.refusal :focus-visible { outline-color: #0b4fa0; }
@container (max-width: 28rem) { .table { --size: min(var(--width), 3.4rem); padding: .4rem; } .seats { --size: 2.4rem; } }
@container (min-width: 48rem) { .table { --size: calc(var(--width) * 1.35); padding: 1rem 1.2rem; } .seats { --size: var(--width); }
  .own .cards, .own .caption { justify-content: center; text-align: center; } }
.zone.many { --size: 2.6rem; }
@media (prefers-reduced-motion: reduce) { button.card { transition: none; } }
@media (forced-colors: active) { button.card.allowed { outline: 4px double; } }
`;

/** The style rules, which every table on a page shares. */
export function style(): CSSStyleSheet {
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES);
  return rules;
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
