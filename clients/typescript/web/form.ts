/** Forms: the options of a rule set, and a new match. */

import { button, keep, kept, make } from "./dom.js";
import { spaced } from "./names.js";
import type { Game, GameSummary, Option, Service, TableWords } from "./service.js";
import { fill, termOf, type Words } from "./words.js";

/** The value of the line of a list after which a number is asked for. */
const NUMBER = "#";

/** A list of words, a number between its bounds, or both. Its label is that of the catalogue. */
class OptionField {
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
    const text = option.label;
    const lines = choices.map((value) => [value, table.choices[option.name]?.[value] ?? spaced(value)] as const);
    if (minimum !== undefined && table.seatOptions.includes(option.name)) {
      const last = Math.min(maximum ?? players, players - 1);
      const seats = Array.from({ length: last - minimum + 1 }, (_, place) => String(minimum + place));
      this.list = this.listOf(
        [...lines, ...seats.map((seat) => [seat, fill(words.player, { number: Number(seat) + 1 })] as const)],
        words,
      );
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

  get text(): string {
    const { list, option, value } = this;
    const line = list?.value === NUMBER ? undefined : list?.selectedOptions[0]?.textContent;
    return `${option.label}: ${line ?? value}`;
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

export class OptionFields {
  private fields: readonly OptionField[] = [];
  readonly element = make("div");

  /** Shows the options that a number of players has; values that were chosen before are kept where they still count. */
  show(
    options: readonly Option[],
    table: TableWords,
    words: Words,
    players: number,
    chosen: Readonly<Record<string, string>> = this.chosen,
    change?: () => void,
  ): void {
    const shown = options.filter((option) => !option.players.length || option.players.includes(players));
    this.fields = shown.map((option) => new OptionField(option, table, words, players, change));
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

  get texts(): string[] {
    return this.fields.filter((field) => field.isChosen).map((field) => field.text);
  }
}

/** Who plays, as the form has it; other values are bots. */
export const ME = "me";
export const FRIEND = "friend";
export const BOTS = ["normal", "easy", "strong"];

const NAME = "chitarrella-name";

/** The name of the reader, empty where it is not known. */
export const keptName = (): string => kept(NAME, "");

/** A field for the name of the reader, which is asked for once. */
export class NameField {
  private readonly input = make("input", { name: "name", maxlength: 40, autocomplete: "nickname" });
  readonly element: HTMLLabelElement;

  constructor(words: Words) {
    this.input.value = keptName();
    this.element = labelled(words.yourName, this.input);
  }

  /** The name that stands there; the browser keeps it. */
  keep(): string {
    const name = this.input.value.trim();
    keep(NAME, name);
    return name;
  }
}

export interface NewMatch {
  readonly name: string;
  readonly ruleSet: { gameId: string; players: number; options: Record<string, string> };
  /** Who plays, one for each person: `ME`, `FRIEND`, or the name of a bot. */
  readonly players: readonly string[];
  /** The time of the seats; absent for no limit. */
  readonly clock?: { moveTime: string; bank: string };
  /** The shuffles wait for a seed of every person. */
  readonly shared: boolean;
}

/** The form: the game and its start, and folded what need not be chosen. `start` is called with what it says. */
export class MatchForm {
  readonly element: HTMLFormElement;
  private readonly gameList: HTMLSelectElement;
  private readonly about = make("p", { class: "about" });
  private readonly playerCount = make("select", { name: "players" });
  private readonly people = make("div", { class: "grid" });
  private readonly moveSeconds = make("input", { type: "number", min: 0, max: 86400, value: 0 });
  private readonly bankSeconds = make("input", { type: "number", min: 0, max: 86400, value: 0 });
  private readonly shared = make("input", { type: "checkbox", name: "shared" });
  private readonly buttons: readonly HTMLButtonElement[];
  private readonly nameField: NameField;
  private options = new OptionFields();
  private readonly optionFields = make("div");
  private game: Game | undefined;
  private table: TableWords | undefined;

  constructor(
    games: readonly GameSummary[],
    private readonly service: Service,
    private readonly words: Words,
    private readonly start: (match: NewMatch) => Promise<void>,
  ) {
    const titles = inPageOrder(games).map((game) => make("option", { value: game.gameId }, game.title));
    this.gameList = make("select", { name: "game" }, ...titles);
    this.gameList.addEventListener("change", () => void this.choose());
    this.playerCount.addEventListener("change", () => this.showPlayers());
    this.buttons = [
      make("button", { type: "submit", disabled: true }, words.start),
      button("friends", words.startFriends, () => this.send(true), { disabled: true }),
    ];
    this.nameField = new NameField(words);
    const name = this.nameField.element;
    const isKnown = keptName() !== "";
    this.element = make(
      "form",
      {},
      labelled(words.game, this.gameList),
      this.about,
      isKnown ? undefined : name,
      make("p", { class: "actions" }, ...this.buttons),
      folded(words.whoPlays, isKnown ? name : undefined, labelled(words.players, this.playerCount), this.people),
      folded(words.options, this.optionFields),
      folded(
        words.clockSettings,
        labelled(words.moveSeconds, this.moveSeconds),
        labelled(words.bankSeconds, this.bankSeconds),
      ),
      folded(words.fairDeal, make("label", { class: "check" }, this.shared, make("span", {}, words.sharedSeeds))),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send(false);
    });
  }

  /** Shows the controls of the chosen game, or of another one that there is. */
  async choose(other = ""): Promise<void> {
    if ([...this.gameList.options].some((option) => option.value === other)) {
      this.gameList.value = other;
    }
    const id = this.gameList.value;
    this.enable(false);
    const [game, table] = await Promise.all([this.service.game(id), this.service.tableWords(id)]);
    if (id !== this.gameList.value) {
      return;
    }
    Object.assign(this, { game, table, options: new OptionFields() });
    const { players, defaultPlayers, description } = game.summary;
    this.playerCount.replaceChildren(...players.map((count) => make("option", { value: count }, String(count))));
    this.playerCount.value = String(defaultPlayers);
    this.optionFields.replaceChildren(this.options.element);
    this.about.replaceChildren(
      `${description} `,
      make("a", { href: this.service.page(`/docs/rules/${id}`) }, this.words.rules),
    );
    this.showPlayers();
    this.enable(true);
  }

  private enable(isReady: boolean): void {
    for (const one of this.buttons) {
      one.disabled = !isReady;
    }
  }

  /** Shows what depends on the number of players: who they are, and the options that they have. */
  private showPlayers(): void {
    const { game, table, words } = this;
    if (game && table) {
      this.options.show(game.options, table, words, Number(this.playerCount.value));
    }
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

  /** Starts a match; `withFriends` leaves all seats but the own one to other persons. */
  private async send(withFriends: boolean): Promise<void> {
    const { game } = this;
    if (!game) {
      return;
    }
    this.enable(false);
    try {
      const ruleSet = {
        gameId: game.summary.gameId,
        players: Number(this.playerCount.value),
        options: this.options.chosen,
      };
      const chosen = [...this.people.querySelectorAll("select")].map((list) => list.value);
      const players = withFriends ? chosen.map((one) => (one === ME ? ME : FRIEND)) : chosen;
      const [move, bank] = [Number(this.moveSeconds.value), Number(this.bankSeconds.value)];
      const clock = { moveTime: `${move}s`, bank: `${bank}s` };
      const shared = this.shared.checked;
      const name = this.nameField.keep();
      await this.start({ name, ruleSet, players, shared, ...(move || bank ? { clock } : {}) });
    } finally {
      this.enable(true);
    }
  }
}

/** The games as the page names them, the best known first; others of other packages come last. */
export function inPageOrder<Game extends { readonly gameId: string }>(games: readonly Game[]): Game[] {
  const named = document.querySelector<HTMLMetaElement>('meta[name="games"]')?.content.split(" ") ?? [];
  const place = ({ gameId }: Game) => (named.includes(gameId) ? named.indexOf(gameId) : named.length);
  return [...games].sort((one, other) => place(one) - place(other));
}

function folded(text: string, ...content: readonly (HTMLElement | undefined)[]): HTMLElement {
  return make("details", {}, make("summary", {}, text), ...content);
}

export function labelled(text: string, input: HTMLElement): HTMLLabelElement {
  return make("label", {}, make("span", {}, text), input);
}

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
  return labelled(label, list);
}
