/** The element `<chitarrella-table>`: the table of a match, made from its view and its legal moves alone. */

import {
  type Actions,
  arena,
  besideHand,
  hasScoreBar,
  isOnTurn,
  movesPanel,
  ownHands,
  partiesOf,
  plate,
  seatsFrom,
  zoneCards,
} from "./board.js";
import { AfterPress, button, cardBack, fetchFaces, make, ratioOf, replace } from "./dom.js";
import { FairDealPanel } from "./fair_deal.js";
import { menuContent } from "./menu.js";
import { dealNumber, decisionOf, HAND_ZONES, type OwnNames, PLAYED, type State } from "./names.js";
import { dealEnd, matchEnd, refusalPanel } from "./panels.js";
import { type DealEnd, type Frame, fly, keptSlowness, Playback, positions, type Stage } from "./playback.js";
import { type Exchange, type Game, type LegalMoves, type Match, pause, Service, type TableEvent } from "./service.js";
import { type Listener, loadLocalRules, Session } from "./session.js";
import { style } from "./style.js";
import { chooseLanguage, counted, fill, type Words, wordsOf } from "./words.js";

/** So many lines of what was done before are read out. */
const READ_LINES = 8;
const LOG_LINES = 200;
/** How long a message stands at the hand. */
const MESSAGE_MS = 6000;
/** So long after the first table is drawn the other cards are fetched. */
const FACES_MS = 2000;
/** After so long the end of a deal is over for who cannot wait: somebody who watches, or plays against the clock. */
const END_MS = 8000;
/** Longer texts at the hand are small on a phone. */
const LONG = 44;
/** What is said for others to answer. */
const QUESTIONS = ["asked", "offered", "proposed", "rank_bid", "points_bid", "card_called"];
/** Seconds of the clock that are few. */
const LATE_S = 10;

/** The folder of this module, which is the address of the service. */
const HOME = new URL("./", import.meta.url).href;
const STYLE = style();

/** What can be read of a table: the match as its reader sees it, and the moves that can be made now. */
export interface TableState {
  readonly match: Match;
  readonly legalMoves: LegalMoves;
  readonly game: Game;
}

/**
 * The table of a match. Attributes: `match`, the id; `key`, of a seat or the referee, or none to watch; `seat`, for the
 * referee the seat that is looked at; `language`, "en", "it" or "de"; `service`, the address of the service, by default
 * where the script comes from; `rules`, the module of `@chitarrella/rules` that answers a tap before the service does, by
 * default none; `compact`, for a low table; `hide`, of "bar", "log", "facts", "fair-deal", "score", "tricks", "speed",
 * "undo" and "menu" what is left out; `speed`, what times are multiplied by, 0 for no waiting.
 *
 * Properties: `key` sets the key without writing it into the page; `names` are those of people by seat, `pictures` gives
 * the address of a card's picture, `state` is what the reader sees. Slots: "menu" is at the end of the menu, "end" has
 * the buttons at the end of the match. Parts: arena, seat, middle, hand, card, moves, refusal, summary, bar, prompt.
 *
 * Events: `turn` when the reader has to move, `move` for every event of the match that is shown, `dealt`, `deal-ended`
 * and `match-ended`; the `detail` of each is a `TableState`, of `move` with `event`, of `deal-ended` with `end`. Every
 * request is told by `chitarrella-exchange`, whose `detail` is an `Exchange`, and the loading of `rules` by
 * `chitarrella-rules`, whose `detail` is true or false.
 */
export class ChitarrellaTable extends HTMLElement implements Listener, Stage {
  static readonly observedAttributes = ["match", "key", "seat", "language", "service", "rules", "hide", "speed"];

  /** Gives the address of a picture in place of that of the service. */
  pictures: ((card: string) => string) | undefined;
  private readonly root = this.attachShadow({ mode: "open" });
  private readonly heading = make("h2");
  private readonly length = make("p", { class: "length" });
  private readonly scores = make("ul", { class: "scores" });
  private readonly status = make("p", { class: "said", role: "status" });
  private readonly clock = make("p", { class: "clock", role: "timer" });
  private readonly connection = make("p", { class: "connection", role: "status" });
  private readonly message = make("p", { class: "message", role: "alert" });
  private readonly board = make("div", { class: "board", tabindex: -1 });
  private readonly afterPress = new AfterPress(this.board);
  private readonly layer = make("div", { class: "layer", "aria-hidden": "true" });
  private readonly log = make("ol");
  private readonly logView = make("div", { role: "log", "aria-live": "polite", class: "unseen" }, this.log);
  private readonly fairDeal = new FairDealPanel();
  private readonly menu = make("dialog", { class: "menu" });
  /** Disabled until there is something to open. */
  private readonly menuButton = button("menu", "", () => this.openMenu(), {
    class: "icon",
    "aria-haspopup": "dialog",
    disabled: true,
  });
  private readonly frame = make("section", { class: "table" });
  private readonly playback = new Playback(this);
  private secret: string | undefined;
  private ownNames: OwnNames = {};
  private session: Session | undefined;
  private stop = new AbortController();
  private tick: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private isRestarting = false;
  private drawn: State | undefined;
  private scoreRows: (readonly [number | undefined, readonly number[]])[] = [];
  private lastEnd: DealEnd | undefined;
  private dealSize = 1;
  private wasMyTurn = false;
  private isEndEmitted = false;
  /** Whether the reader has made a move, as far as this table has seen. */
  private hasMoved = false;
  /** The last question or bid, which the reader's decision answers. */
  private question = "";

  constructor() {
    super();
    this.root.adoptedStyleSheets = [STYLE];
    const title = make("div", {}, this.heading, this.length);
    this.menuButton.append(make("i", { "aria-hidden": "true" }));
    const bar = make("header", { class: "bar", part: "bar" }, title, this.connection, this.scores, this.menuButton);
    this.frame.append(bar, this.board, this.layer, this.logView, this.menu);
    this.root.append(this.frame);
    this.board.addEventListener("pointerdown", () => this.playback.isPlaying && this.playback.skip());
  }

  get key(): string {
    return this.secret ?? this.getAttribute("key") ?? "";
  }

  set key(key: string) {
    this.secret = key;
    this.restart();
  }

  get names(): OwnNames {
    return this.ownNames;
  }

  set names(names: OwnNames) {
    this.ownNames = names;
    this.restart();
  }

  /** What the reader sees; undefined before anything is. */
  get state(): TableState | undefined {
    const { drawn } = this;
    return drawn && { match: drawn.match, legalMoves: drawn.legal, game: drawn.names.game };
  }

  get caption(): string {
    if (!this.drawn) {
      return "";
    }
    const { names, match } = this.drawn;
    return `${names.game.summary.title}: ${match.seats.map((_, seat) => names.sitter(seat)).join(", ")}`;
  }

  connectedCallback(): void {
    this.tick = setInterval(() => this.showClock(), 1000);
    this.restart();
  }

  disconnectedCallback(): void {
    clearInterval(this.tick);
    this.stop.abort();
    this.playback.skip();
    this.afterPress.clear();
  }

  attributeChangedCallback(name: string): void {
    if (name === "hide" || name === "speed") {
      this.showSettings();
    } else {
      this.restart();
    }
  }

  /** Cuts the stream of events; the table connects again. */
  cutStream(): void {
    this.session?.cutStream();
  }

  /** Lets the time of the decision that is waited for run out. */
  runOutClock(): void {
    void this.session?.runOutClock();
  }

  /** Shows a state after the events that led to it. */
  show(state: State, events: readonly TableEvent[] = []): void {
    state.pictures = this.pictures;
    this.playback.push(state, events);
    this.board.toggleAttribute("data-playing", this.playback.isPlaying);
  }

  /** Shows a state of a match that is not followed. */
  showStill(state: State): void {
    this.setLanguage(state.words, state.service.language);
    this.show(state);
  }

  /** Draws a frame; while one of the buttons is pressed, after the click. */
  draw(frame: Frame): void {
    frame.state.pictures = this.pictures;
    this.afterPress.draw(() => this.drawNow(frame));
  }

  private drawNow(frame: Frame): void {
    const { state } = frame;
    const { words, names, match } = state;
    const before = positions(this.board);
    const actions = this.actions(state);
    this.frame.setAttribute("aria-label", `${words.table}: ${names.game.summary.title}`);
    this.setRatio(state);
    this.showBar(state);
    const isOver = match.state !== "MATCH_STATE_OPEN" && !this.playback.isPlaying;
    // What is played is in the log, where it is read out.
    this.status.setAttribute("aria-live", this.playback.isPlaying ? "off" : "polite");
    setText(this.status, this.statusOf(frame));
    this.status.classList.toggle("mine", state.isMyTurn);
    this.status.classList.toggle("long", (this.status.textContent ?? "").length > LONG);
    this.board.setAttribute("data-revision", String(match.revision));
    this.board.toggleAttribute("data-playing", this.playback.isPlaying);
    this.board.classList.toggle("strip", hasButtons(state));
    replace(
      this.root,
      this.board,
      "button.card.legal, .moves button",
      arena(state, frame, actions),
      this.prompt(state, actions),
      movesPanel(state, actions),
      ownHands(state, actions),
      refusalPanel(state, actions),
      this.message,
      isOver && matchEnd(state, this.lastEnd),
    );
    if (!this.drawn) {
      setTimeout(() => fetchFaces(state), FACES_MS);
    }
    this.drawn = state;
    this.menuButton.disabled = false;
    this.showClock();
    fly(this.board, this.layer, before, frame, this.playback.slowness, () => cardBack(state));
    if (!this.playback.isPlaying) {
      this.settled(state);
    }
  }

  /** Says an event, in the log and to the page. */
  announce(event: TableEvent, state: State): void {
    const text = state.names.event(event, true);
    this.note(event, state);
    if (text !== this.log.lastChild?.textContent && isLogged(event)) {
      this.log.append(make("li", {}, text));
    }
    while (this.log.children.length > LOG_LINES) {
      this.log.firstChild?.remove();
    }
    this.showLog();
    if (event.kind === "timed_out" && event.seat === state.match.viewer && event.seat !== undefined) {
      this.showMessage(state.words.timedOut);
    }
    this.emit("move", { event, text });
    if (event.kind === "deal_started") {
      this.emit("dealt", {});
    }
  }

  /** Keeps the last question, and that the reader has moved. */
  private note(event: TableEvent, { names, match }: State): void {
    const isOwn = event.seat === match.viewer;
    // A decision stands once cards have been drawn or dealt since.
    this.hasMoved = /^(deal_started|card_drawn)$/.test(event.kind)
      ? false
      : this.hasMoved || (isOwn && !/^(deal|turned_up|joined|bot_|inn_)/.test(event.kind));
    if (isOwn || event.kind === "deal_started") {
      this.question = "";
    } else if (QUESTIONS.includes(event.kind)) {
      this.question = names.event(event);
    }
  }

  /** Begins the log with what was done before; a screen reader reads it where it is short. */
  recall(events: readonly TableEvent[], state: State): void {
    const { names } = state;
    if (!this.log.children.length) {
      this.playback.recall(events);
      for (const event of events) {
        this.note(event, state);
      }
      if (this.drawn && !this.playback.isPlaying) {
        this.show(this.drawn); // not a later state, before the events that lead to it
      }
    }
    const texts = events.filter(isLogged).map((event) => names.event(event, true));
    const lines = texts.filter((text, place) => text !== texts[place - 1]).map((text) => make("li", {}, text));
    this.logView.setAttribute("aria-live", lines.length > READ_LINES ? "off" : "polite");
    this.log.replaceChildren(...lines, ...this.log.children);
    this.showLog();
    setTimeout(() => this.logView.setAttribute("aria-live", "polite"), MESSAGE_MS);
  }

  /** Shows the end of a deal until the reader goes on. */
  async endDeal(end: DealEnd, state: State, isLast: boolean): Promise<void> {
    this.lastEnd = end;
    this.dealSize = 1;
    const last = this.scoreRows.at(-1)?.[1];
    if (!last) {
      this.scoreRows.push([(end.deal ?? 1) - 1, end.before]);
    }
    if (end.after) {
      this.scoreRows.push([end.deal, end.after]);
    }
    this.emit("deal-ended", { end });
    if (isLast) {
      return; // it is a part of the end of the match
    }
    const goOn = new Promise<void>((resolve) => {
      this.afterPress.draw(() => {
        this.drawNow({ state, flights: [], wait: 0 });
        const panel = dealEnd(end, state, resolve);
        this.board.append(panel);
        panel.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
      });
      this.stop.signal.addEventListener("abort", () => resolve());
    });
    const isWaitedFor = state.match.viewer === undefined ? this.key === "" : state.match.deadline !== undefined;
    await (isWaitedFor ? Promise.race([goOn, pause(END_MS * Math.max(this.playback.slowness, 0.1))]) : goOn);
  }

  setBusy(busy: boolean): void {
    this.board.setAttribute("aria-busy", String(busy));
  }

  report(text: string, isConnected = false): void {
    setText(this.connection, text);
    this.connection.classList.toggle("well", isConnected);
  }

  showMessage(text: string): void {
    clearTimeout(this.silence);
    setText(this.message, text);
    if (!this.message.isConnected) {
      this.board.append(this.message);
    }
    this.silence = setTimeout(() => setText(this.message, ""), MESSAGE_MS);
  }

  private emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail: { ...this.state, ...detail } }));
  }

  /** What is to be done when nothing more has to be shown: the reader's turn, and the end of the match. */
  private settled(state: State): void {
    if (state.isMyTurn && !this.wasMyTurn) {
      this.emit("turn", {});
    }
    this.wasMyTurn = state.isMyTurn;
    this.fairDeal.show(state);
    if (state.match.state !== "MATCH_STATE_OPEN" && !this.isEndEmitted) {
      this.isEndEmitted = true;
      this.menu.close();
      this.emit("match-ended", {});
    }
  }

  private setRatio(state: State): void {
    const [bottom] = seatsFrom(state);
    const hands = state.match.view.zones.filter((zone) => zone.seat === bottom && HAND_ZONES.includes(zone.name));
    this.dealSize = Math.max(
      this.dealSize,
      hands.reduce((sum, { size }) => sum + size, 0),
    );
    this.frame.style.setProperty("--deal", String(this.dealSize));
    this.frame.style.setProperty("--ratio", ratioOf(state));
  }

  private showBar(state: State): void {
    const { names, words, match } = state;
    setText(this.heading, names.game.summary.title);
    const deal = dealNumber(match.view);
    const [option, text] =
      Object.entries(words.targets).find(([one]) => Number(match.ruleSet.options?.[one]) > 0) ?? [];
    const n = Number(option && match.ruleSet.options?.[option]);
    const parts = [deal ? fill(words.dealNumber, { deal }) : "", text ? counted(text, n, state.service.language) : ""];
    setText(this.length, parts.filter(Boolean).join(" · "));
    const parties = hasScoreBar(state) ? partiesOf(state) : [];
    this.scores.replaceChildren(
      ...parties.map((seats) =>
        make(
          "li",
          { class: `side-${Math.max(0, names.sideOf(seats[0] ?? 0)) % 4}` },
          make("span", {}, names.side(seats)),
          make("b", {}, String(match.view.scores[seats[0] ?? 0] ?? 0)),
        ),
      ),
    );
  }

  /** The own plate, what is to be done, the clock, and the way back. */
  private prompt(state: State, actions: Actions): HTMLElement {
    const { words, match, mine, names } = state;
    const bottom = seatsFrom(state)[0] ?? 0;
    const side = names.sideOf(bottom);
    const isTurn = isOnTurn(bottom, match.view);
    const me = make(
      "section",
      { class: `me${isTurn ? " turn" : ""}${side < 0 ? "" : ` side-${side % 4}`}`, "aria-label": names.sitter(bottom) },
      ...plate(bottom, state, ...besideHand(bottom, state).map((zone) => zoneCards(zone, state))),
      make("span", { "data-place": `pile ${bottom}` }),
    );
    const mayUndo =
      mine !== undefined && match.viewer !== undefined && match.state === "MATCH_STATE_OPEN" && !match.takebackRequest;
    const others = match.seats.filter(({ seat }) => seat !== match.viewer);
    const isAlone = others.length > 0 && others.every(({ bot }) => bot);
    const undo =
      mayUndo &&
      button("take back", words.undo, () => actions.takeBack(false), {
        class: "small undo",
        disabled: !this.hasMoved,
        title: isAlone ? undefined : words.takeBack,
      });
    const mayHint = state.isMyTurn && match.viewer !== undefined && others.some(({ bot }) => bot);
    const hint = mayHint && button("hint", words.hint, () => actions.hint(), { class: "small hint" });
    return make("div", { class: "prompt", part: "prompt" }, me, this.status, this.clock, hint, undo);
  }

  private statusOf({ state, event }: Frame): string {
    const { match, names, words } = state;
    const { waiting, turn } = match.view;
    const isWaitedFor = match.viewer !== undefined && isOnTurn(match.viewer, match.view);
    if (event && this.playback.isPlaying) {
      return names.event(event, true); // the cards lie there
    }
    if (match.state === "MATCH_STATE_ABORTED") {
      return words.aborted;
    }
    if (waiting === "WAITING_NOBODY") {
      return words.finished;
    }
    if (waiting !== "WAITING_SEAT" || turn === undefined) {
      return this.playback.isPlaying ? "" : words.chance;
    }
    if (!state.isMyTurn) {
      return isWaitedFor ? words.yourTurn : fill(words.thinking, { who: names.player(turn) });
    }
    const [move] = state.choices.byCards;
    const isAnswer = this.question && !(move && PLAYED.includes(move.verb));
    return isAnswer ? `${words.yourTurn}. ${this.question}` : decisionOf(state);
  }

  private openMenu(): void {
    const { drawn: state, menu } = this;
    if (!state) {
      return;
    }
    const close = () => menu.close();
    menu.replaceChildren(...menuContent(state, this.scoreRows, this.fairDeal.element, this.playback, close));
    menu.setAttribute("aria-label", state.words.menu);
    menu.showModal();
    this.showLog();
  }

  /** Shows the lines of the log in the menu: the last one, unless its reader has gone back. */
  private showLog(): void {
    const lines = this.menu.querySelector(".lines");
    if (lines) {
      const isAtEnd = lines.scrollTop + lines.clientHeight > lines.scrollHeight - 2;
      lines.replaceChildren(...[...this.log.children].map((line) => line.cloneNode(true)));
      lines.scrollTo(0, isAtEnd ? lines.scrollHeight : lines.scrollTop);
    }
  }

  private showSettings(): void {
    const hidden = (this.getAttribute("hide") ?? "").split(/\s+/).filter(Boolean);
    this.frame.className = ["table", ...hidden.map((part) => `hides-${part}`)].join(" ");
    const speed = Number(this.getAttribute("speed") ?? keptSlowness());
    this.playback.slowness = Number.isFinite(speed) ? speed : 1;
  }

  /** What the buttons of a drawn state do: nothing once the match has gone on, which its reader has not seen. */
  private actions(drawn: State): Actions {
    const act = (action: (session: Session) => unknown) => {
      const { session } = this;
      if (!this.playback.isPlaying && session?.state?.isAtRevisionOf(drawn)) {
        void action(session);
      }
    };
    return {
      tap: (card) => act((session) => session.tap(card)),
      play: (move) => act((session) => session.play(move)),
      clear: () => act((session) => session.clear()),
      addSeed: () => act((session) => session.addSeed()),
      takeBack: (decline) => act((session) => session.takeBack(decline)),
      hint: () => act((session) => session.hint()),
    };
  }

  /** Begins anew, once for all attributes that change together. */
  private restart(): void {
    if (!this.isConnected || this.isRestarting) {
      return;
    }
    this.isRestarting = true;
    queueMicrotask(() => {
      this.isRestarting = false;
      this.begin();
    });
  }

  private setLanguage(words: Words, language: string): void {
    this.frame.lang = language;
    this.logView.setAttribute("aria-label", words.log);
    this.menuButton.setAttribute("aria-label", words.menu);
  }

  private begin(): void {
    this.stop.abort();
    this.afterPress.clear();
    this.playback.reset();
    this.board.replaceChildren();
    this.log.replaceChildren();
    this.fairDeal.clear();
    this.menuButton.disabled = true;
    Object.assign(this, {
      drawn: undefined,
      scoreRows: [],
      lastEnd: undefined,
      dealSize: 1,
      wasMyTurn: false,
      isEndEmitted: false,
      hasMoved: false,
      question: "",
    });
    this.showSettings();
    const match = this.getAttribute("match");
    if (!match || !this.isConnected) {
      return;
    }
    const language = chooseLanguage(this.getAttribute("language"), document.documentElement.lang, navigator.language);
    this.setLanguage(wordsOf(language), language);
    this.stop = new AbortController();
    const seat = this.getAttribute("seat");
    const emit = (detail: Exchange) => void this.dispatchEvent(new CustomEvent("chitarrella-exchange", { detail }));
    const home = this.getAttribute("service") ?? HOME;
    const service = new Service(home, language, this.key, seat === null ? undefined : Number(seat), emit);
    this.session = new Session(service, match, this, this.stop.signal, this.ownNames);
    void this.session.run();
    void this.useRules(this.session, language);
  }

  /** Gives a session the rules of the attribute, if there is one, when they are loaded. */
  private async useRules(session: Session, language: string): Promise<void> {
    const url = this.getAttribute("rules");
    if (url) {
      session.rules = await loadLocalRules(url, language);
      this.dispatchEvent(new CustomEvent("chitarrella-rules", { detail: session.rules !== null }));
    }
  }

  private showClock(): void {
    const { match, isMyTurn } = this.session?.state ?? {};
    const deadline = match?.deadline;
    const left = deadline ? Math.max(0, Math.ceil((Date.parse(deadline) - Date.now()) / 1000)) : 0;
    setText(this.clock, deadline ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "");
    this.clock.setAttribute("aria-label", this.session?.state?.words.clock ?? "");
    this.clock.classList.toggle("late", Boolean(deadline && isMyTurn && left <= LATE_S));
  }
}

/** Sets a text if it is another one, so that the same is not announced twice. */
function setText(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Hidden cards that are drawn, and who is a bot, are not logged. */
const isLogged = ({ kind, hidden }: TableEvent): boolean =>
  !(hidden && /^(card_drawn|dealt)$/.test(kind)) && kind !== "bot_seated";

/** Whether something else than single cards is played in this match, for which a place is kept. */
function hasButtons({ names }: State): boolean {
  const hasPartner = names.sides.length > 0;
  return names.game.moves.some(
    ({ byChance, maxCards, outOfTurn }) => !byChance && maxCards !== 1 && (!outOfTurn || hasPartner),
  );
}
