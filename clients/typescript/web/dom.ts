/** Elements, their style, what happens after a press, and the form of a rule set. */

import { label, spaced } from "./names.js";
import type { Game, GameSummary, Option, Service, TableWords } from "./service.js";
import { fill, termOf, type Words } from "./words.js";

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

/** The value of the line of a list after which a number is asked for. */
const NUMBER = "#";

/** A list of words, a number between its bounds, or both. Its label is what the catalogue says of the option. */
export class OptionField {
  readonly element: HTMLElement;
  private readonly list: HTMLSelectElement | undefined;
  private readonly number: HTMLInputElement | undefined;

  /** `change` is called when the reader has chosen another value. */
  constructor(
    readonly option: Option,
    table: TableWords,
    words: Words,
    players: number,
    change: () => void = () => undefined,
  ) {
    const { choices, minimum, maximum } = option;
    const text = label(option.description);
    const lines = choices.map((value) => [value, table.choices[option.name]?.[value] ?? spaced(value)] as const);
    if (minimum !== undefined && table.seatOptions.includes(option.name)) {
      const last = Math.min(maximum ?? players, players - 1);
      const seats = Array.from({ length: last - minimum + 1 }, (_, place) => String(minimum + place));
      this.list = this.listOf([...lines, ...seats.map((seat) => [seat, fill(words.seat, { seat })] as const)], words);
    } else if (minimum !== undefined) {
      this.number = make("input", {
        type: "number",
        min: minimum,
        max: maximum,
        value: option.default,
        required: true,
      });
      this.list = choices.length ? this.listOf([...lines, [NUMBER, words.aNumber]], words) : undefined;
    } else {
      this.list = this.listOf(lines, words);
    }
    this.element = make("div", { class: "option" }, ...this.labelled(text));
    this.value = option.default;
    this.element.addEventListener("change", () => {
      this.showNumber();
      change();
    });
  }

  /** The value, as the service takes it. */
  get value(): string {
    const { list, number } = this;
    return list && list.value !== NUMBER ? list.value : (number?.value ?? "");
  }

  set value(value: string) {
    const { list, number, option } = this;
    if (list) {
      const isLine = [...list.options].some((line) => line.value === value);
      list.value = isLine ? value : number ? NUMBER : option.default;
    }
    if (number && list?.value !== value) {
      number.value = value;
    }
    this.showNumber();
  }

  /** The value is another than that which a match has without a choice. */
  get isChosen(): boolean {
    return this.value !== "" && this.value !== this.option.default;
  }

  /** What is chosen, in words. */
  get text(): string {
    const { list, option, value } = this;
    const line = list?.value === NUMBER ? undefined : list?.selectedOptions[0]?.textContent;
    return `${label(option.description)}: ${line ?? value}`;
  }

  private listOf(lines: readonly (readonly [string, string])[], words: Words): HTMLSelectElement {
    const items = lines.map(([value, text]) =>
      make("option", { value }, value === this.option.default ? `${text} (${words.default})` : text),
    );
    return make("select", {}, ...items);
  }

  private labelled(text: string): HTMLElement[] {
    const { list, number } = this;
    const first = list ?? number;
    const rest = list && number ? [number] : [];
    if (list && number) {
      number.setAttribute("aria-label", text);
    }
    return [make("label", {}, make("span", {}, text), first), ...rest];
  }

  /** The number is there only where it counts. */
  private showNumber(): void {
    const { list, number } = this;
    if (list && number) {
      number.hidden = list.value !== NUMBER;
      number.disabled = number.hidden;
      number.value ||= String(this.option.minimum ?? "");
    }
  }
}

/** The fields of all options of a game. */
export class OptionFields {
  private fields: readonly OptionField[] = [];
  readonly element = make("div");

  /** Shows the options for a number of players; values that were chosen before are kept where they still count. */
  show(
    options: readonly Option[],
    table: TableWords,
    words: Words,
    players: number,
    chosen: Readonly<Record<string, string>> = this.chosen,
    change?: () => void,
  ): void {
    this.fields = options.map((option) => new OptionField(option, table, words, players, change));
    for (const field of this.fields) {
      field.value = chosen[field.option.name] ?? field.option.default;
    }
    this.element.replaceChildren(...this.fields.map((field) => field.element));
  }

  /** The values that are not the usual ones, by name. */
  get chosen(): Record<string, string> {
    const chosen = this.fields.filter((field) => field.isChosen);
    return Object.fromEntries(chosen.map((field) => [field.option.name, field.value]));
  }

  /** The same in words. */
  get texts(): string[] {
    return this.fields.filter((field) => field.isChosen).map((field) => field.text);
  }
}

/** Who plays, as the form has it; other values are bots. */
export const ME = "me";
export const FRIEND = "friend";
const BOTS = ["greedy", "random", "search"];

/** What a form says. */
export interface NewMatch {
  readonly ruleSet: { gameId: string; players: number; options: Record<string, string> };
  /** Who plays, one for each person: `ME`, `FRIEND`, or the name of a bot. */
  readonly players: readonly string[];
  /** The time of the seats; absent for no limit. */
  readonly clock?: { moveTime: string; bank: string };
  /** The shuffles wait for a seed of every person. */
  readonly shared: boolean;
}

/** The form; `start` is called with what it says. */
export class MatchForm {
  readonly element: HTMLFormElement;
  private readonly gameList: HTMLSelectElement;
  private readonly details = make("div");
  private readonly playerCount = make("select", { name: "players" });
  private readonly people = make("div", { class: "grid" });
  private readonly moveSeconds = make("input", { type: "number", min: 0, max: 86400, value: 0 });
  private readonly bankSeconds = make("input", { type: "number", min: 0, max: 86400, value: 0 });
  private readonly shared = make("input", { type: "checkbox", name: "shared" });
  private readonly submit: HTMLButtonElement;
  private options = new OptionFields();
  private game: Game | undefined;
  private table: TableWords | undefined;

  constructor(
    games: readonly GameSummary[],
    private readonly service: Service,
    private readonly words: Words,
    private readonly start: (match: NewMatch) => Promise<void>,
  ) {
    const titles = games.map((game) => make("option", { value: game.gameId }, game.title));
    this.gameList = make("select", { name: "game" }, ...titles);
    this.gameList.addEventListener("change", () => void this.choose());
    this.playerCount.addEventListener("change", () => this.showPlayers());
    this.submit = make("button", { type: "submit", disabled: true }, words.start);
    this.element = make("form", {}, labelled(words.game, this.gameList), this.details, this.submit);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
  }

  /** Shows the controls of the chosen game, or of another one that there is. */
  async choose(other = ""): Promise<void> {
    if ([...this.gameList.options].some((option) => option.value === other)) {
      this.gameList.value = other;
    }
    const id = this.gameList.value;
    this.submit.disabled = true;
    this.details.replaceChildren(); // those of another game are of no use meanwhile
    const [game, table] = await Promise.all([this.service.game(id), this.service.tableWords(id)]);
    if (id !== this.gameList.value) {
      return;
    }
    Object.assign(this, { game, table, options: new OptionFields() });
    const { players, defaultPlayers, place } = game.summary;
    this.playerCount.replaceChildren(...players.map((count) => make("option", { value: count }, String(count))));
    this.playerCount.value = String(defaultPlayers);
    const rules = make("a", { href: this.service.page(`/docs/rules/${id}`) }, this.words.rules);
    this.details.replaceChildren(
      make("p", {}, place, " · ", rules),
      labelled(this.words.players, this.playerCount),
      make("fieldset", {}, make("legend", {}, this.words.whoPlays), this.people),
      make("details", {}, make("summary", {}, this.words.options), this.options.element),
      make(
        "details",
        {},
        make("summary", {}, this.words.clockSettings),
        labelled(this.words.moveSeconds, this.moveSeconds),
        labelled(this.words.bankSeconds, this.bankSeconds),
      ),
      make("label", { class: "check" }, this.shared, make("span", {}, this.words.sharedSeeds)),
    );
    this.showPlayers();
    this.submit.disabled = false;
  }

  /** Shows what depends on the number of players: who they are, and the seats among the options. */
  private showPlayers(): void {
    const { game, table, words } = this;
    if (game && table) {
      this.options.show(game.options, table, words, Number(this.playerCount.value));
    }
    this.showPeople();
  }

  private showPeople(): void {
    const count = Number(this.playerCount.value);
    const { me, friend, bot, player } = this.words;
    const choices: [string, string][] = [
      [ME, me],
      [FRIEND, friend],
      ...BOTS.map((name): [string, string] => [name, fill(bot, { bot: termOf(this.words, name) })]),
    ];
    const lists = Array.from({ length: count }, (_, place) => {
      const list = make("select", {}, ...choices.map(([value, text]) => make("option", { value }, text)));
      list.value = place === 0 ? ME : (BOTS[0] ?? FRIEND);
      return labelled(fill(player, { number: place + 1 }), list);
    });
    this.people.replaceChildren(...lists);
  }

  private async send(): Promise<void> {
    const { game } = this;
    if (!game) {
      return;
    }
    this.submit.disabled = true;
    try {
      const ruleSet = {
        gameId: game.summary.gameId,
        players: Number(this.playerCount.value),
        options: this.options.chosen,
      };
      const players = [...this.people.querySelectorAll("select")].map((list) => list.value);
      const [move, bank] = [Number(this.moveSeconds.value), Number(this.bankSeconds.value)];
      const clock = { moveTime: `${move}s`, bank: `${bank}s` };
      const shared = this.shared.checked;
      await this.start({ ruleSet, players, shared, ...(move || bank ? { clock } : {}) });
    } finally {
      this.submit.disabled = false;
    }
  }
}

function labelled(text: string, input: HTMLElement): HTMLLabelElement {
  return make("label", {}, make("span", {}, text), input);
}

/** One line of a list. */
export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** A list with a label; `change` is called with the value that is chosen. */
export function select(
  label: string,
  choices: readonly Choice[],
  value: string,
  change: (value: string) => void,
): HTMLElement {
  const list = make("select", {}, ...choices.map((one) => make("option", { value: one.value }, one.text)));
  list.value = value;
  list.addEventListener("change", () => change(list.value));
  return make("label", {}, make("span", {}, label), list);
}
