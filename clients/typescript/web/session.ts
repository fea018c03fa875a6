/** A match as one person plays it: the view that is followed, the clock, and rules in the page. */

import { Memory } from "./fair_deal.js";
import { type HandCard, isHandZone, Names, type OwnNames, State, verbOfCards } from "./names.js";
import {
  type Game,
  type LegalMoves,
  type Match,
  type Move,
  type MoveResult,
  pause,
  type Refusal,
  randomId,
  type Service,
  ServiceError,
  type TableEvent,
  type TableWords,
  type Update,
} from "./service.js";
import { errorText, fill, type Words, wordsOf } from "./words.js";

/** How long after its deadline the time is over for certain. */
const PASSED_MS = 50;

/** Waits for the deadline of a match and has it enforced; the time of a test is moved there, which its referee may do. */
export async function runOutClock(service: Service, id: string, match: Match, stop: AbortSignal): Promise<void> {
  const deadline = Date.parse(match.deadline ?? "");
  if (match.sandbox) {
    const { time, timedOut } = await service.advanceClock(id, 1); // only the answer says what time it is there
    const left = Math.floor((deadline - Date.parse(time)) / 1000) + 1; // beyond the deadline, not up to it
    if (!timedOut && left > 0) {
      await service.advanceClock(id, left);
    }
    return;
  }
  await pause(Math.max(0, deadline + PASSED_MS - Date.now()));
  if (!stop.aborted) {
    await service.enforceClock(id);
  }
}

interface Validation {
  readonly refusals: readonly Refusal[];
}

/** What is used of `@chitarrella/rules`. */
interface LocalRules {
  validateMove(position: object, move: object, seat: number): Promise<Validation>;
}

/** Loads the module that the attribute `rules` names; null if it cannot be loaded. */
export async function loadLocalRules(url: string, language: string): Promise<LocalRules | null> {
  try {
    const { loadRules } = await import(new URL(url, document.baseURI).href);
    return await loadRules({ language });
  } catch {
    return null; // the service answers alone
  }
}

/** Why a move is refused; none where the cards that the seat sees are not enough to know it. */
async function refusalsOf(
  rules: LocalRules,
  match: Match,
  move: Partial<Move>,
  seat: number,
): Promise<readonly Refusal[]> {
  try {
    const { refusals } = await rules.validateMove(knownTo(match, seat), move, seat);
    return refusals.filter(({ undecided }) => !undecided);
  } catch {
    return []; // not a question about a trick
  }
}

/** The view of a match as a partial position: all that the seat plays from, the trick, and what everybody knows. */
function knownTo({ ruleSet, view }: Match, seat: number): object {
  const seats = new Set([seat]);
  const hand = view.zones.filter((zone) => isHandZone(zone, seats)).flatMap((zone) => zone.cards);
  const trick = view.zones.find((zone) => zone.name === "trick");
  const fact = (name: string) => view.facts.find((one) => one.name === name && one.seat === undefined);
  return {
    ruleSet,
    hands: { [seat]: hand },
    trick: { cards: trick?.cards ?? [], ...(trick?.leader === undefined ? {} : { leader: trick.leader }) },
    trump: fact("trump")?.word,
    stockSize: fact("stock")?.number,
  };
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;
/** After so long a silence the service is asked whether it is there, and has so long to answer. */
const SILENT_MS = 10_000;
const PROBE_MS = 4000;
/** After so long the events that led to a state are asked for, if the stream has not brought them. */
const EVENTS_MS = 1500;
/** Errors after which the same request may succeed. */
const PASSING = [0, 408, 409, 429];
/** Errors after which the cursor is of no use. */
const CURSOR_CODES = ["moves_lost", "bad_cursor"];

/** Who is told what a session learns. */
export interface Listener {
  /** The state, or the selection in it, has changed; `events` have led to it since the last one. */
  show(state: State, events: readonly TableEvent[]): void;
  /** What was done in the deal before the first state that was shown. */
  recall(events: readonly TableEvent[], state: State): void;
  /** Whether a move is on its way, or not shown yet, during which no other one is sent. */
  setBusy(busy: boolean): void;
  /** What there is to say about the connection; empty where all is well. */
  report(text: string, isConnected?: boolean): void;
  /** What there is to say about the last press. */
  showMessage(text: string): void;
}

export class Session {
  state: State | undefined;
  /** Answers before the service does, once it is loaded. */
  rules: LocalRules | null = null;
  private game: readonly [Game, TableWords] | undefined;
  private busy = false;
  private stream = new AbortController();
  /** What the reader does now; never rejected. */
  private action: Promise<void> = Promise.resolve();
  /** The updates that belong to a state which is not shown yet. */
  private news: Update[] = [];
  private received: string | undefined;
  private missing: ReturnType<typeof setTimeout> | undefined;
  private recalled: Promise<void> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly service: Service,
    private readonly id: string,
    private readonly listener: Listener,
    private readonly stop: AbortSignal,
    private readonly ownNames: OwnNames = {},
  ) {
    const wake = () => document.visibilityState === "visible" && this.wakeUp();
    addEventListener("online", wake, { signal: stop });
    document.addEventListener("visibilitychange", wake, { signal: stop });
    stop.addEventListener("abort", () => {
      clearTimeout(this.missing);
      clearTimeout(this.silence);
    });
  }

  private get words(): Words {
    return wordsOf(this.service.language);
  }

  async run(): Promise<void> {
    const { words } = this;
    let wait = FIRST_PAUSE_MS;
    this.listener.report(words.connecting);
    while (!this.stop.aborted) {
      try {
        await this.refresh();
        if (this.isOver()) {
          await this.catchUp();
          this.listener.report("");
          return;
        }
        await this.follow();
        wait = FIRST_PAUSE_MS;
      } catch (error) {
        if (this.stop.aborted || !this.isPassing(error)) {
          return;
        }
        this.listener.report(words.reconnecting);
        wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
      }
      clearTimeout(this.silence);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, wait);
      });
      this.wake = () => undefined;
    }
  }

  /** Plays a card, selects it, or shows why it cannot be played. */
  async tap(card: HandCard): Promise<void> {
    const { state } = this;
    if (!state || this.busy) {
      return;
    }
    const { choices } = state;
    const others = choices.selecting ? state.selected.filter((one) => one.id !== card.id) : [];
    // One card more than a move takes is in the place of the first.
    const most = choices.selecting ? Math.max(...choices.byCards.map(({ cards }) => cards.length)) : 1;
    const chosen = state.isSelected(card) ? others : [...others, card].slice(-most);
    Object.assign(state, { refusals: [], refused: [] });
    const taking = choices.takenWith(card);
    if (!choices.canBecomeMove(chosen) && !taking.length) {
      await this.explain(state, chosen);
      return;
    }
    const [only, ...more] = taking.length ? taking : choices.made(chosen);
    if (only && !more.length && !choices.selecting) {
      await this.play(only);
      return;
    }
    state.selected = chosen;
    this.handOn();
  }

  /** Plays a legal move; what it is refused for, or costs, is shown. */
  async play(move: Move): Promise<void> {
    const { state } = this;
    if (state) {
      await this.once(async () => {
        const ids = [...move.cards];
        const cards = state.hand.filter(({ code, seat }) => seat === (move.dummySeat ?? state.mine) && take(ids, code));
        Object.assign(state, { sent: cards.map((card) => card.id), selected: [] });
        this.handOn();
        const result = await this.service.play(this.id, state.mine, move, state.legal.revision);
        await this.refresh();
        this.showRefusals(result);
      });
    }
  }

  async addSeed(): Promise<void> {
    await this.once(async () => {
      const seed = randomId();
      new Memory("seeds", this.id).add(seed);
      await this.service.contributeSeed(this.id, this.state?.mine, seed);
      await this.refresh();
    });
  }

  async takeBack(decline: boolean): Promise<void> {
    await this.once(async () => {
      await this.service.takeBack(this.id, this.state?.mine, decline, this.state?.match.revision);
      await this.refresh();
    });
  }

  /** Asks which move a bot would make, and says what it expects of it. */
  async hint(): Promise<void> {
    await this.once(async () => {
      const { moves, suggested = -1, suggestedPoints } = await this.service.suggest(this.id);
      const { state, words } = this;
      const move = moves[suggested]?.move;
      if (state && move) {
        state.hinted = move;
        this.handOn();
        const why = suggestedPoints === undefined ? "" : fill(words.hintPoints, { points: suggestedPoints });
        this.listener.showMessage([fill(words.hinted, { move: state.names.move(move) }), why].join(" "));
      }
    });
  }

  /** Lets the time of the decision that is waited for run out: waits for it, or moves the time of a test. */
  async runOutClock(): Promise<void> {
    const { match } = this.state ?? {};
    if (!match?.deadline) {
      this.listener.showMessage(this.words.noClock);
      return;
    }
    try {
      await runOutClock(this.service, this.id, match, this.stop);
    } catch (error) {
      this.listener.showMessage(errorText(this.words, error));
    }
  }

  /** Cuts the stream of events, as a broken connection does. */
  cutStream(): void {
    this.stream.abort();
  }

  clear(): void {
    if (this.state) {
      Object.assign(this.state, { selected: [], refusals: [], refused: [] });
      this.handOn();
    }
  }

  private async explain(state: State, cards: readonly HandCard[]): Promise<void> {
    const verb = verbOfCards(state.names.game, state.match.view, state.choices);
    if (verb === undefined) {
      return;
    }
    const seat = cards.find((card) => card.seat !== state.mine)?.seat;
    const move = { verb, cards: cards.map((card) => card.code), ...(seat === undefined ? {} : { dummySeat: seat }) };
    const ids = cards.slice(-1).map((card) => card.id);
    await this.once(async () => {
      if (this.rules && state.mine !== undefined && seat === undefined) {
        this.showRefusals({ refusals: await refusalsOf(this.rules, state.match, move, state.mine) }, ids);
      }
      this.showRefusals(await this.service.validateMove(this.id, state.mine, move), ids);
    });
  }

  private showRefusals({ refusals }: Pick<MoveResult, "refusals">, refused: readonly string[] = []): void {
    if (this.state && refusals.length) {
      Object.assign(this.state, { refusals, refused, sent: [] });
      this.handOn();
    }
  }

  /** Does one thing at a time; what fails is reported, and the match read again. */
  private async once(action: () => Promise<void>): Promise<void> {
    if (this.busy) {
      return;
    }
    this.busy = true;
    this.action = this.attempt(action);
    await this.action;
  }

  private async attempt(action: () => Promise<void>): Promise<void> {
    this.listener.setBusy(true);
    this.listener.showMessage("");
    try {
      await action();
    } catch (error) {
      this.listener.showMessage(errorText(this.words, error));
      const { state } = this;
      if (state?.sent.length) {
        state.sent = [];
        this.handOn();
      }
      await this.refresh().catch(() => undefined);
    } finally {
      this.busy = false;
      this.listener.setBusy(this.missing !== undefined);
    }
  }

  private async follow(): Promise<void> {
    this.listener.report(this.words.connected, true);
    this.stream = new AbortController();
    const signal = AbortSignal.any([this.stop, this.stream.signal]);
    this.listen();
    for await (const update of this.service.watch(this.id, this.received ?? "", signal)) {
      this.listen();
      this.receive(update);
      // What the reader does reads the match itself.
      await this.action;
      if (this.state && isBehind(this.received, this.state.match.cursor)) {
        await this.refresh();
      } else {
        this.handOn();
      }
    }
  }

  /** Keeps an update, once: the stream may tell again what was asked for. */
  private receive(update: Update): void {
    if (update.events.length && isBehind(update.cursor, this.received)) {
      this.news.push(update);
      this.received = update.cursor;
    }
  }

  private async catchUp(): Promise<void> {
    if (!this.stop.aborted && isBehind(this.state?.match.cursor, this.received)) {
      for (const update of await this.service.events(this.id, this.received)) {
        this.receive(update);
      }
      this.handOn();
    }
  }

  /** Waits for the next message of the stream; after a long silence the service is asked whether it is there. */
  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => void this.probe(), SILENT_MS);
  }

  private async probe(): Promise<void> {
    const asked = this.service.match(this.id).then(
      ({ cursor }) => !isBehind(cursor, this.received), // else the stream has missed something
      () => false,
    );
    if (await Promise.race([asked, pause(PROBE_MS)])) {
      this.listen();
    } else {
      this.cutStream();
    }
  }

  /** The window is seen again, or the device is back in a network: what the stream has missed is asked for at once. */
  private wakeUp(): void {
    this.wake();
    if (this.silence) {
      void this.probe();
    }
  }

  private async refresh(): Promise<void> {
    const asked = this.service.key ? this.service.legalMoves(this.id) : undefined;
    asked?.catch(() => undefined); // awaited below, but not for a match that was aborted
    const match = await this.service.match(this.id);
    const { gameId, edition } = match.ruleSet;
    this.game ??= await Promise.all([this.service.game(gameId, edition), this.service.tableWords(gameId)]);
    const legal = await this.legalMoves(match, asked);
    const { state } = this;
    if (this.stop.aborted || (state && isBehind(state.match.cursor, match.cursor))) {
      return;
    }
    const names = new Names(...this.game, match, this.words, this.ownNames);
    const next = new State(match, legal, names, this.service);
    if (state && state.legal.revision === legal.revision) {
      Object.assign(next, { selected: state.selected, refusals: state.refusals, refused: state.refused });
    }
    this.received ??= match.cursor;
    this.state = next;
    this.handOn();
    this.recalled ??= this.recall(match.cursor).catch(() => undefined); // then the log begins here
  }

  /** Tells what was done in the deal up to a cursor. */
  private async recall(cursor: string): Promise<void> {
    const updates = await this.service.events(this.id);
    const past = updates.filter((one) => !isBehind(one.cursor, cursor)).flatMap(({ events }) => events);
    const first = past.findLastIndex(({ kind }) => kind === "deal_started");
    if (this.state && !this.stop.aborted) {
      this.listener.recall(past.slice(Math.max(0, first)), this.state);
    }
  }

  /** Shows the state with the events that led to it, as soon as all of them are known. */
  private handOn(): void {
    clearTimeout(this.missing);
    this.missing = undefined;
    const { state } = this;
    if (!state || this.stop.aborted) {
      return;
    }
    const { cursor } = state.match;
    if (isBehind(cursor, this.received)) {
      this.missing = setTimeout(() => void this.catchUp().catch(() => undefined), EVENTS_MS);
      return;
    }
    const due = this.news.filter((one) => !isBehind(one.cursor, cursor));
    this.news = this.news.slice(due.length);
    this.listener.show(
      state,
      due.flatMap(({ events }) => events),
    );
    this.listener.setBusy(this.busy);
  }

  /** The legal moves at the revision of the match, or a later one: those that were asked for may be of an earlier one. */
  private async legalMoves(match: Match, asked: Promise<LegalMoves> | undefined): Promise<LegalMoves> {
    if (!asked || match.state === "MATCH_STATE_ABORTED") {
      return { moves: [], revision: match.revision };
    }
    const legal = await asked;
    return legal.revision < match.revision ? this.service.legalMoves(this.id) : legal;
  }

  private isOver(): boolean {
    const { match } = this.state ?? {};
    return match !== undefined && match.state !== "MATCH_STATE_OPEN";
  }

  private isPassing(error: unknown): boolean {
    if (!(error instanceof ServiceError)) {
      return true;
    }
    if (CURSOR_CODES.includes(error.code)) {
      Object.assign(this, { received: undefined, state: undefined, news: [] });
      return true;
    }
    const passing = PASSING.includes(error.status) || error.status >= 500;
    if (!passing) {
      this.listener.report(errorText(this.words, error));
    }
    return passing;
  }
}

/** Takes one of equal texts out of a list; gives whether there was one. */
function take(list: string[], text: string): boolean {
  const place = list.indexOf(text);
  list.splice(Math.max(0, place), place < 0 ? 0 : 1);
  return place >= 0;
}

/** Whether a cursor is behind another one: by its revision, then by the number of the update for its reader. */
function isBehind(cursor = "", other = ""): boolean {
  return cursor.localeCompare(other, "en", { numeric: true }) > 0;
}
