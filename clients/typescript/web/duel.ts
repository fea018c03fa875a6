/** The page of bots against each other: matches, words, a chart. */

import { button, mainOf, make, makeSvg } from "./dom.js";
import { inPageOrder, labelled } from "./form.js";
import type { ChitarrellaRecord } from "./record_element.js";
import { passRecord, type Step } from "./record_text.js";
import { type ChanceRequest, type GameSummary, type Move, pause, Service } from "./service.js";
import { chooseLanguage, fill } from "./words.js";

const ENGLISH = {
  title: "Bots' duel",
  text: "Bots play each other, and you watch with all cards open. The chart shows how the score of each player grows.",
  game: "Game",
  players: "Players",
  bot: "Bot",
  easy: "easy: plays by rules of thumb",
  normal: "normal: thinks about the hidden cards",
  strong: "strong: thinks longer",
  start: "Start the duel",
  again: "Another duel",
  next: "Next deal",
  pace: "Seconds between moves",
  chart: "Score after each deal",
  deal: "Deal",
  waiting: "Waiting for the first deal to end.",
  deals: "Deals: {deals}",
  readRecord: "Read the record",
};

type DuelWords = typeof ENGLISH;

const ITALIAN: DuelWords = {
  title: "Duello dei bot",
  text: "I bot giocano fra loro, a carte scoperte per chi guarda. Il grafico mostra come cresce il punteggio di ciascuno.",
  game: "Gioco",
  players: "Giocatori",
  bot: "Bot",
  easy: "facile: gioca a occhio",
  normal: "normale: pensa alle carte coperte",
  strong: "forte: pensa più a lungo",
  start: "Cominciare il duello",
  again: "Un altro duello",
  next: "Prossima mano",
  pace: "Secondi fra le mosse",
  chart: "Punteggio dopo ogni mano",
  deal: "Mano",
  waiting: "Si attende la fine della prima mano.",
  deals: "Mani: {deals}",
  readRecord: "Leggere la partita",
};

const GERMAN: DuelWords = {
  title: "Duell der Bots",
  text: "Bots spielen gegeneinander, und du siehst alle Karten offen. Die Kurven zeigen, wie der Stand jedes Spielers wächst.",
  game: "Spiel",
  players: "Spieler",
  bot: "Bot",
  easy: "leicht: spielt nach Gefühl",
  normal: "mittel: denkt an die verdeckten Karten",
  strong: "stark: denkt länger nach",
  start: "Duell beginnen",
  again: "Noch ein Duell",
  next: "Nächstes Spiel",
  pace: "Sekunden zwischen den Zügen",
  chart: "Stand nach jedem Spiel",
  deal: "Spiel",
  waiting: "Das erste Spiel ist noch nicht zu Ende.",
  deals: "Spiele: {deals}",
  readRecord: "Aufzeichnung lesen",
};

const ALL: Readonly<Record<string, DuelWords>> = { en: ENGLISH, it: ITALIAN, de: GERMAN };

function duelWordsOf(language: string): DuelWords {
  return ALL[language] ?? ENGLISH;
}

/** How long a match is kept after its last move. */
const KEPT = "3600s";
/** Milliseconds between two looks at a match while bots play. */
const PAUSE_MS = 400;

/** What is played, and the kind of bot for each person at the table. */
interface DuelSettings {
  readonly gameId: string;
  readonly players: number;
  readonly bots: readonly string[];
}

class DuelMatch {
  private constructor(
    private readonly service: Service,
    private readonly id: string,
  ) {}

  static async create(service: Service, { gameId, players, bots }: DuelSettings): Promise<DuelMatch> {
    const more = { packSource: "PACK_SOURCE_REFEREE", expireAfter: KEPT };
    const { matchId, seatKeys, refereeKey } = await service.createMatch({ gameId, players }, more);
    const referee = new Service(service.base, service.language, refereeKey);
    for (const [place, { seat }] of seatKeys.entries()) {
      await referee.assignBot(matchId, seat, bots[place] ?? "");
    }
    return new DuelMatch(referee, matchId);
  }

  record(): Promise<string> {
    return this.service.record(this.id);
  }

  /** Supplies what chance has to: a pack in a random order, or a lot. */
  async supply(request: ChanceRequest): Promise<void> {
    await this.service.supply(this.id, moveOf(request));
  }

  /** Reads the record again and again, until the bots have to wait for the next pack or the match is over. */
  async follow(show: (record: string) => Promise<Step | undefined>, stop: AbortSignal): Promise<Step | undefined> {
    let step: Step | undefined;
    while (!stop.aborted) {
      step = await show(await this.record());
      if (step?.view.waiting !== "WAITING_SEAT") {
        break;
      }
      await pause(PAUSE_MS);
    }
    return step;
  }
}

function moveOf({ verb, cards, amounts }: ChanceRequest): Move {
  const lot = amounts[below(amounts.length)];
  return { verb, cards: shuffled(cards), choice: "", shares: [], ...(lot === undefined ? {} : { amount: lot }) };
}

function shuffled(cards: readonly string[]): string[] {
  const order = [...cards];
  for (let place = order.length - 1; place > 0; place--) {
    const other = below(place + 1);
    [order[place], order[other]] = [order[other] as string, order[place] as string];
  }
  return order;
}

/** A random whole number below a limit, each with the same chance. */
function below(limit: number): number {
  const most = Math.floor(2 ** 32 / limit) * limit;
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (number < most || limit === 0) {
      return limit ? number % limit : 0;
    }
  }
}

/** The usual width and the least one. */
const [WIDTH, NARROW] = [640, 240];
const HEIGHT = 260;
/** The space around the lines: the labels of the lines stand at the right. */
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 76, 12, 30];
const STYLES = 10;
/** The least distance of two labels. */
const LABEL = 13;

/** What a chart is called and how its axes are. */
interface ChartNames {
  readonly title: string;
  readonly deal: string;
  seat(seat: number): string;
}

/** The chart of rows of scores, the first one that before the first deal, for a place of so many pixels. */
export function chart(rows: readonly (readonly number[])[], names: ChartNames, room: number): Element {
  const width = Math.max(NARROW, Math.min(WIDTH, room || WIDTH));
  const svg = makeSvg("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    role: "img",
    "aria-label": names.title,
    class: "chart",
  });
  const all = rows.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(low + 1, ...all);
  const last = Math.max(1, rows.length - 1);
  const x = (deal: number) => LEFT + (deal / last) * (width - LEFT - RIGHT);
  const y = (score: number) => HEIGHT - BOTTOM - ((score - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  for (const score of ticks(low, high)) {
    svg.append(
      makeSvg("line", { class: "grid-line", x1: LEFT, x2: width - RIGHT, y1: y(score), y2: y(score) }),
      makeSvg("text", { x: LEFT - 6, y: y(score) + 4, "text-anchor": "end" }, String(score)),
    );
  }
  for (const deal of ticks(0, last)) {
    svg.append(makeSvg("text", { x: x(deal), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, String(deal)));
  }
  svg.append(makeSvg("text", { x: width - RIGHT + 12, y: HEIGHT - BOTTOM + 16 }, names.deal));
  const ends: { seat: number; y: number }[] = [];
  for (const seat of (rows[0] ?? []).keys()) {
    const points = rows.map((row, deal) => `${x(deal)},${y(row[seat] ?? 0)}`);
    const style = `line style-${seat % STYLES}`;
    svg.append(makeSvg("polyline", { class: style, points: points.join(" "), fill: "none" }));
    ends.push({ seat, y: y(rows.at(-1)?.[seat] ?? 0) });
  }
  svg.append(...labels(ends, x(rows.length - 1), names));
  return svg;
}

function chartTable(rows: readonly (readonly number[])[], names: ChartNames): HTMLElement {
  const seats = [...(rows[0] ?? []).keys()];
  const head = make(
    "tr",
    {},
    ...[names.deal, ...seats.map(names.seat)].map((name) => make("th", { scope: "col" }, name)),
  );
  const body = rows.map((row, deal) =>
    make("tr", {}, make("th", { scope: "row" }, String(deal)), ...row.map((score) => make("td", {}, String(score)))),
  );
  return make("table", {}, make("caption", {}, names.title), make("thead", {}, head), make("tbody", {}, ...body));
}

/** The names at the ends of the lines, moved apart where they would lie on each other. */
function labels(ends: readonly { seat: number; y: number }[], x: number, names: ChartNames): Element[] {
  const sorted = [...ends].sort((one, other) => one.y - other.y);
  const step = Math.min(LABEL, (HEIGHT - TOP) / Math.max(1, sorted.length));
  let next = TOP;
  const places = sorted.map(({ seat, y }, place) => {
    const room = HEIGHT - BOTTOM + 4 - (sorted.length - 1 - place) * step;
    next = Math.max(next, Math.min(y, room));
    const at = next;
    next += step;
    return { seat, y: at };
  });
  return places.map(({ seat, y }) =>
    makeSvg("text", { class: `label style-${seat % STYLES}`, x: x + 6, y: y + 4 }, names.seat(seat)),
  );
}

function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, place) => first + place * step);
}
const HOME = new URL("../", import.meta.url).href;
const BOTS = ["normal", "easy", "strong"] as const;
/** Seconds for a move, as the list offers them. */
const PACES = [0.1, 0.3, 1, 2];
const USUAL_PACE = 0.3;

class Duel {
  private readonly query = new URLSearchParams(location.search);
  private readonly language = chooseLanguage(this.query.get("language"), document.documentElement.lang);
  private readonly words = duelWordsOf(this.language);
  private readonly service = new Service(HOME, this.language);
  private readonly main = mainOf();
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
    await this.reported(async () => this.fillForm(inPageOrder(await this.service.games())));
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

  /** A list of bots for each person; normal and easy ones in turn. */
  private showBots(): void {
    const lists = Array.from({ length: Number(this.players.value) }, (_, person) => {
      const list = make("select", {}, ...BOTS.map((bot) => make("option", { value: bot }, this.words[bot])));
      list.value = BOTS[person % 2] ?? BOTS[0];
      return labelled(`${this.words.bot} ${person + 1}`, list);
    });
    this.bots.replaceChildren(...lists);
  }

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
    // A level is followed by what it means.
    const level = (seat: number) => words[(bots[seat] ?? "normal") as (typeof BOTS)[number]].split(":")[0];
    const kind = (seat: number) => (seats === bots.length ? ` ${level(seat)}` : "");
    const names: ChartNames = {
      title: words.chart,
      deal: words.deal,
      seat: (seat) => `${seat + 1}${kind(seat)}`,
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

  private async reported(action: () => Promise<void>): Promise<void> {
    this.problem.textContent = "";
    try {
      await action();
    } catch (error) {
      this.problem.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

void new Duel().begin();
