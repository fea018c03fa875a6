/** The form of a new match: every control is made from the catalogue. */

import type { Game, GameSummary, TableWords } from "./contract.js";
import { make } from "./dom.js";
import { OptionFields } from "./option_fields.js";
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
