/** The form of a new match: every control is made from the catalogue. */

import type { Game, GameSummary, Option } from "./contract.js";
import { make } from "./dom.js";
import { label, spaced } from "./names.js";
import type { Service } from "./service.js";
import { fill, termOf, type Words } from "./words.js";

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
  readonly clock?: { moveSeconds: number; bankSeconds: number };
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
  private options: readonly (readonly [Option, HTMLInputElement | HTMLSelectElement])[] = [];
  private game: Game | undefined;

  constructor(
    games: readonly GameSummary[],
    private readonly service: Service,
    private readonly words: Words,
    private readonly start: (match: NewMatch) => Promise<void>,
  ) {
    const titles = games.map((game) => make("option", { value: game.gameId }, game.title));
    this.gameList = make("select", { name: "game" }, ...titles);
    this.gameList.addEventListener("change", () => void this.choose());
    this.playerCount.addEventListener("change", () => this.showPeople());
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
    const game = await this.service.game(id);
    if (id !== this.gameList.value) {
      return;
    }
    this.game = game;
    const { players, defaultPlayers, place } = game.summary;
    this.playerCount.replaceChildren(...players.map((count) => make("option", { value: count }, String(count))));
    this.playerCount.value = String(defaultPlayers);
    this.options = game.options.map((option) => [option, control(option, this.words)] as const);
    const rules = make("a", { href: this.service.page(`/docs/rules/${id}`) }, this.words.rules);
    const options = this.options.map(([option, input]) => optionRow(option, input));
    this.details.replaceChildren(
      make("p", {}, place, " · ", rules),
      labelled(this.words.players, this.playerCount),
      make("fieldset", {}, make("legend", {}, this.words.whoPlays), this.people),
      make("details", {}, make("summary", {}, this.words.options), ...options),
      make(
        "details",
        {},
        make("summary", {}, this.words.clockSettings),
        labelled(this.words.moveSeconds, this.moveSeconds),
        labelled(this.words.bankSeconds, this.bankSeconds),
      ),
      make("label", { class: "check" }, this.shared, make("span", {}, this.words.sharedSeeds)),
    );
    this.showPeople();
    this.submit.disabled = false;
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
      const chosen = this.options.filter(([option, input]) => input.value !== "" && input.value !== option.default);
      const options = Object.fromEntries(chosen.map(([option, input]) => [option.name, input.value]));
      const ruleSet = { gameId: game.summary.gameId, players: Number(this.playerCount.value), options };
      const players = [...this.people.querySelectorAll("select")].map((list) => list.value);
      const clock = { moveSeconds: Number(this.moveSeconds.value), bankSeconds: Number(this.bankSeconds.value) };
      const shared = this.shared.checked;
      await this.start({ ruleSet, players, shared, ...(clock.moveSeconds || clock.bankSeconds ? { clock } : {}) });
    } finally {
      this.submit.disabled = false;
    }
  }
}

function labelled(text: string, input: HTMLElement): HTMLLabelElement {
  return make("label", {}, make("span", {}, text), input);
}

/** A row of a form for an option. */
export function optionRow(option: Option, input: HTMLElement): HTMLElement {
  const name = make("code", {}, spaced(option.name));
  return make("label", {}, make("span", {}, name, " ", label(option.description)), input);
}

/** A list for words, a number between its bounds for numbers, a text with suggestions for both. */
export function control(option: Option, words: Words): HTMLInputElement | HTMLSelectElement {
  const { choices, minimum, maximum } = option;
  if (minimum === undefined) {
    const texts = choices.map((word) => {
      const name = termOf(words, word);
      const text = word === option.default ? `${name} (${words.default})` : name;
      return make("option", { value: word, selected: word === option.default }, text);
    });
    return make("select", {}, ...texts);
  }
  const bounds = { value: option.default, placeholder: option.default };
  if (!choices.length) {
    return make("input", { type: "number", min: minimum, max: maximum, ...bounds });
  }
  const hint = [...choices, `${minimum}–${maximum ?? "…"}`].join(", ");
  return make("input", { type: "text", pattern: `${choices.join("|")}|-?[0-9]+`, title: hint, ...bounds });
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
