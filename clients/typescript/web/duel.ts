/** The page `/duel/`: bots of chosen kinds play each other, with a chart of their scores. */

import { type ChartNames, chart, chartTable } from "./chart.js";
import type { GameSummary } from "./contract.js";
import { button, make } from "./dom.js";
import { DuelMatch, type DuelSettings } from "./duel_match.js";
import { duelWordsOf } from "./duel_words.js";
import { passRecord } from "./passed_record.js";
import type { ChitarrellaRecord } from "./record_element.js";
import type { Step } from "./replay.js";
import { Service } from "./service.js";
import { chooseLanguage, fill } from "./words.js";

const HOME = new URL("../", import.meta.url).href;
const BOTS = ["greedy", "random", "search"] as const;
/** Seconds for a move, as the list offers them. */
const PACES = [0.1, 0.3, 1, 2];
const USUAL_PACE = 0.3;

/** The page. */
class Duel {
  private readonly query = new URLSearchParams(location.search);
  private readonly language = chooseLanguage(this.query.get("language"), document.documentElement.lang);
  private readonly words = duelWordsOf(this.language);
  private readonly service = new Service(HOME, this.language);
  private readonly main = document.querySelector("main") ?? document.body.appendChild(make("main"));
  private readonly games = make("select");
  private readonly players = make("select");
  private readonly bots = make("div", { class: "grid narrow" });
  private readonly pace = make("select", {}, ...PACES.map((pace) => make("option", { value: pace }, String(pace))));
  private readonly problem = make("p", { role: "alert" });
  private readonly table = document.createElement("chitarrella-record") as ChitarrellaRecord;
  private readonly figure = make("div", { class: "figure" });
  private readonly status = make("p", { role: "status" });
  private readonly next = button("next", this.words.next, () => void this.skip());
  private stop = new AbortController();
  private settings: DuelSettings | undefined;
  private match: DuelMatch | undefined;
  /** What the last move that is known led to. */
  private end: Step | undefined;
  private isDealing = false;
  /** The scores after each deal, and the steps of the table at which they are shown: those of earlier matches at once. */
  private rows: { step: number; scores: readonly number[] }[] = [];
  /** The scores of the matches that are over. */
  private before: readonly number[] = [];
  private shown = 0;

  async begin(): Promise<void> {
    const { words, main } = this;
    this.pace.value = String(USUAL_PACE);
    const start = make("button", { type: "submit", class: "primary" }, words.start);
    const form = make(
      "form",
      {},
      make("div", { class: "grid" }, labelled(words.game, this.games), labelled(words.players, this.players)),
      this.bots,
      labelled(words.pace, this.pace),
      start,
    );
    const read = button("read", words.readRecord, () => passRecord(this.table.record, this.language));
    this.table.setAttribute("language", this.language);
    this.table.addEventListener("chitarrella-step", () => this.stepped());
    const controls = make("p", { class: "row" }, this.next, read);
    const stage = make("div", { class: "stage", hidden: true }, this.status, this.figure, controls, this.table);
    main.replaceChildren(make("h1", {}, words.title), make("p", {}, words.text), form, this.problem, stage);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      stage.hidden = false;
      start.textContent = words.again;
      void this.reported(() => this.start());
    });
    this.pace.addEventListener("change", () => this.setPace());
    this.setPace();
    await this.reported(async () => this.fillForm(await this.service.games()));
  }

  private fillForm(games: readonly GameSummary[]): void {
    const show = () => {
      const game = games.find((one) => one.gameId === this.games.value);
      this.players.replaceChildren(...(game?.players ?? []).map((count) => make("option", {}, String(count))));
      this.players.value = String(game?.defaultPlayers ?? 2);
      this.showBots();
    };
    this.games.append(...games.map((game) => make("option", { value: game.gameId }, game.title)));
    const asked = games.find((game) => game.gameId === this.query.get("game")) ?? games[0];
    this.games.value = asked?.gameId ?? "";
    this.games.addEventListener("change", show);
    this.players.addEventListener("change", () => this.showBots());
    show();
  }

  /** A list of bots for each person; greedy and random ones in turn. */
  private showBots(): void {
    const lists = Array.from({ length: Number(this.players.value) }, (_, person) => {
      const list = make("select", {}, ...BOTS.map((bot) => make("option", { value: bot }, this.words[bot])));
      list.value = BOTS[person % 2] ?? BOTS[0];
      return labelled(`${this.words.bot} ${person + 1}`, list);
    });
    this.bots.replaceChildren(...lists);
  }

  /** Begins anew, with the first deal of a match. */
  private async start(): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    const bots = [...this.bots.querySelectorAll("select")].map((list) => list.value);
    this.settings = { gameId: this.games.value, players: Number(this.players.value), bots };
    this.rows = [];
    this.before = [];
    this.isDealing = false;
    this.figure.replaceChildren();
    await this.newMatch(this.settings);
  }

  private async newMatch(settings: DuelSettings): Promise<void> {
    const { stop } = this;
    this.match = await DuelMatch.create(this.service, settings);
    const record = await this.match.record();
    this.rows = this.rows.map(({ scores }) => ({ step: 0, scores }));
    this.table.record = record;
    this.end = await this.table.extend(record);
    if (!stop.signal.aborted) {
      const scores = this.end?.view.scores ?? [];
      this.before = this.rows.length ? this.before : scores.map(() => 0);
      this.rows = this.rows.length ? this.rows : [{ step: 0, scores: this.sum(scores) }];
      this.table.playLive();
      await this.deal();
    }
  }

  /** Lets the bots play the next deal; a match that is over is followed by another one. */
  private async deal(): Promise<void> {
    const { match, end, settings, stop } = this;
    if (this.isDealing || !match || !end || !settings) {
      return;
    }
    if (end.view.waiting === "WAITING_NOBODY") {
      this.before = this.sum(end.view.scores);
      await this.newMatch(settings);
      return;
    }
    this.isDealing = true;
    try {
      let step: Step | undefined = end;
      do {
        if (step?.chanceRequest) {
          await match.supply(step.chanceRequest);
        }
        step = await match.follow((record) => this.extended(record, stop.signal), stop.signal);
        this.end = step ?? this.end;
      } while (step?.chanceRequest?.amounts.length && !stop.signal.aborted);
    } finally {
      this.isDealing = false;
    }
    if (!stop.signal.aborted) {
      this.rows.push({ step: this.table.last, scores: this.sum(this.end?.view.scores ?? []) });
      this.stepped();
    }
  }

  private extended(record: string, stop: AbortSignal): Promise<Step | undefined> {
    return stop.aborted ? Promise.resolve(undefined) : this.table.extend(record);
  }

  /** The next deal begins when the last one has been shown to its end, unless the table is paused. */
  private stepped(): void {
    this.draw();
    const { table } = this;
    const isAtEnd = table.current === table.last && this.rows.at(-1)?.step === table.last && table.last > 0;
    if (isAtEnd && table.isPlaying && !this.isDealing) {
      void this.reported(() => this.deal());
    }
  }

  /** Shows the end of this deal, and lets the next one begin. */
  private async skip(): Promise<void> {
    if (!this.isDealing) {
      await this.reported(async () => {
        await this.table.goTo(this.table.last);
        await this.deal();
        this.table.playLive();
      });
    }
  }

  private draw(): void {
    const rows = this.rows.filter(({ step }) => step <= this.table.current).map(({ scores }) => scores);
    const { words } = this;
    if (rows.length === this.shown && this.figure.firstChild) {
      return;
    }
    this.shown = rows.length;
    this.status.textContent = rows.length > 1 ? fill(words.deals, { deals: rows.length - 1 }) : words.waiting;
    const bots = this.settings?.bots ?? [];
    const seats = rows[0]?.length ?? 0;
    const kind = (seat: number) => (seats === bots.length ? ` ${bots[seat]}` : "");
    const names: ChartNames = {
      title: words.chart,
      deal: words.deal,
      seat: (seat) => `${seat}${kind(seat)}`,
    };
    const open = this.figure.querySelector("details")?.open ?? false;
    const numbers = make("details", { open }, make("summary", {}, words.chart), chartTable(rows, names));
    this.figure.replaceChildren(chart(rows, names, this.figure.clientWidth), numbers);
  }

  private setPace(): void {
    this.table.pace = Number(this.pace.value) * 1000;
  }

  private sum(scores: readonly number[]): number[] {
    return scores.map((score, seat) => score + (this.before[seat] ?? 0));
  }

  /** Does something; an error is shown. */
  private async reported(action: () => Promise<void>): Promise<void> {
    this.problem.textContent = "";
    try {
      await action();
    } catch (error) {
      this.problem.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

function labelled(text: string, input: HTMLElement): HTMLElement {
  return make("label", {}, make("span", {}, text), input);
}

void new Duel().begin();
