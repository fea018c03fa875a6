/** The element `<chitarrella-table>`: the table of a match, made from its view and its legal moves alone. */

import { type Actions, middle, otherSeats, ownSeats, type State } from "./board.js";
import { AfterPress, button, make, replace, style } from "./dom.js";
import { FairDealPanel } from "./fair_deal.js";
import type { Names } from "./names.js";
import { type Exchange, type Move, type Refusal, Service, type TableEvent } from "./service.js";
import { type Listener, loadLocalRules, Session } from "./session.js";
import { chooseLanguage, fill, wordsOf } from "./words.js";

/** More moves of one verb than this are a list to choose from. */
const MANY = 12;

/** The moves that the reader can make now, by verb. */
export function movesPanel(state: State, actions: Actions): HTMLElement | undefined {
  const { words, match, mine } = state;
  const groups = [...state.choices.byVerb].map(([verb, moves]) => verbGroup(verb, moves, state, actions));
  const selection = selectionGroup(state, actions);
  const seeds = mine !== undefined && match.awaitingSeedsFrom.includes(mine);
  const seed = seeds && button("seed", words.addSeed, () => actions.addSeed());
  const all = [...groups, selection, seed, takeBack(state, actions)];
  return all.some(Boolean) ? make("section", { class: "moves", "aria-label": words.moves }, ...all) : undefined;
}

/** Asks to take the last decision back, or answers such a request. */
function takeBack({ match, mine, names, words }: State, actions: Actions): HTMLElement | undefined {
  if (mine === undefined || match.state !== "MATCH_STATE_OPEN" || match.viewer === undefined) {
    return undefined;
  }
  const { takebackRequest: asked } = match;
  if (!asked) {
    return button("take back", words.takeBack, () => actions.takeBack(false), { class: "quiet" });
  }
  const text = fill(words.asksTakeBack, { who: names.seat(asked.seat) });
  const answers = asked.awaitingAnswersFrom.includes(mine);
  return make(
    "fieldset",
    {},
    make("legend", {}, text),
    answers && button("agree", words.agree, () => actions.takeBack(false)),
    (answers || asked.seat === mine) &&
      button("decline", asked.seat === mine ? words.withdraw : words.decline, () => actions.takeBack(true)),
  );
}

/** Why a move is refused, with the clause in full and a link to it in the rule book. */
export function refusalPanel(state: State, actions: Actions): HTMLElement | undefined {
  const { refusals, words } = state;
  if (!refusals.length) {
    return undefined;
  }
  const close = button("close", words.close, () => actions.clear());
  const items = refusals.map((refusal) => refusalText(refusal, state));
  return make("section", { class: "refusal", role: "alert" }, make("h3", {}, words.refused), ...items, close);
}

function refusalText(refusal: Refusal, state: State): HTMLElement {
  const { clause, pagePath, allowedCards } = refusal;
  const message = state.names.reason(refusal);
  const link = {
    href: state.service.page(pagePath),
    target: "_blank",
    rel: "noopener noreferrer",
    "data-id": clause.key,
  };
  const cards = state.names.cardList(allowedCards);
  const allowed = message.includes(cards) ? "" : `${state.words.allowed}: ${cards}`;
  return make(
    "div",
    {},
    make("p", {}, make("strong", {}, message)),
    make("blockquote", {}, clause.text, " ", make("a", link, fill(state.words.clause, { key: clause.key }))),
    allowed && make("p", {}, allowed),
  );
}

function verbGroup(verb: string, moves: readonly Move[], state: State, actions: Actions): HTMLElement {
  const name = state.names.verb(verb);
  const [only] = moves;
  if (only && moves.length === 1 && !state.names.details(only)) {
    return make(
      "div",
      {},
      button(idOf(only), name, () => actions.play(only)),
    );
  }
  const group = make("fieldset", {}, make("legend", {}, name));
  if (moves.length > MANY) {
    group.append(...longList(verb, moves, state, actions));
  } else {
    const label = (move: Move) => state.names.details(move) || name;
    group.append(...moves.map((move) => button(idOf(move), label(move), () => actions.play(move))));
  }
  return group;
}

/** Many moves of one verb: a list, and a button that plays the chosen one. */
function longList(verb: string, moves: readonly Move[], state: State, actions: Actions): HTMLElement[] {
  const options = moves.map((move, place) => make("option", { value: place }, state.names.details(move)));
  const list = make("select", { "data-id": `list ${verb}`, "aria-label": state.names.verb(verb) }, ...options);
  const play = () => {
    const move = moves[list.selectedIndex];
    if (move) {
      actions.play(move);
    }
  };
  return [list, button(`play ${verb}`, state.words.play, play)];
}

/** The moves that the selected cards make. */
function selectionGroup(state: State, actions: Actions): HTMLElement | undefined {
  const { selected, words, names, choices } = state;
  if (!selected.length) {
    return undefined;
  }
  const cards = names.cardList(selected.map((card) => card.code));
  const made = choices.made(selected).map((move) => {
    const details = names.details({ ...move, cards: [], seat: undefined } as Move);
    const text = [names.verb(move.verb), details].filter(Boolean).join(": ");
    return button(idOf(move), text, () => actions.play(move), { class: "primary" });
  });
  const clear = button("clear", words.clear, () => actions.clear());
  return make("fieldset", {}, make("legend", {}, `${words.selected}: ${cards}`), ...made, clear);
}

function idOf(move: Move): string {
  return `move ${JSON.stringify(move)}`;
}

/** How many lines the log keeps. */
const LOG_LINES = 200;
const STYLE = style();

/** The folder of this module, which is the address of the service. */
const HOME = new URL("./", import.meta.url).href;

/**
 * The table of a match. Attributes: `match`, the id; `key`, of a seat or the referee, or none to watch; `seat`, for the
 * referee the seat that is looked at; `language`, "en", "it" or "de"; `service`, the address of the service, by default
 * where the script comes from; `rules`, the module of `@chitarrella/rules` that answers a tap before the service does, by
 * default none. When they are loaded, or cannot be, the event `chitarrella-rules` says so by true or false. The property `key` sets the key without writing it into the page. Every request is told
 * by the event `chitarrella-exchange`, whose `detail` is an `Exchange`.
 */
export class ChitarrellaTable extends HTMLElement implements Listener {
  static readonly observedAttributes = ["match", "key", "seat", "language", "service", "rules"];

  private readonly root = this.attachShadow({ mode: "open" });
  private readonly heading = make("h2");
  private readonly status = make("p", { class: "status", role: "status" });
  private readonly clock = make("p", { class: "clock", role: "timer" });
  private readonly connection = make("p", { class: "connection", role: "status" });
  private readonly board = make("div", { class: "board", tabindex: -1 });
  private readonly afterPress = new AfterPress(this.board);
  private readonly logTitle = make("h3");
  private readonly log = make("ol");
  private readonly logView = make("div", { role: "log", "aria-live": "polite", tabindex: 0 }, this.log);
  private readonly fairDeal = new FairDealPanel();
  private readonly frame = make("section", { class: "table" });
  private secret: string | undefined;
  private session: Session | undefined;
  private stop = new AbortController();
  private tick: ReturnType<typeof setInterval> | undefined;
  private isRestarting = false;

  constructor() {
    super();
    this.root.adoptedStyleSheets = [STYLE];
    const head = make("header", {}, this.heading, this.status, this.clock, this.connection);
    const log = make("div", { class: "log" }, this.logTitle, this.logView);
    this.frame.append(head, this.board, log, this.fairDeal.element);
    this.root.append(this.frame);
  }

  get key(): string {
    return this.secret ?? this.getAttribute("key") ?? "";
  }

  set key(key: string) {
    this.secret = key;
    this.restart();
  }

  connectedCallback(): void {
    this.tick = setInterval(() => this.showClock(), 1000);
    this.restart();
  }

  disconnectedCallback(): void {
    clearInterval(this.tick);
    this.stop.abort();
    this.afterPress.clear();
  }

  attributeChangedCallback(): void {
    this.restart();
  }

  /** Cuts the stream of events; the table connects again. */
  cutStream(): void {
    this.session?.cutStream();
  }

  /** Lets the time of the decision that is waited for run out. */
  runOutClock(): void {
    void this.session?.runOutClock();
  }

  /** Shows a state; while one of the buttons is pressed, after the click. */
  show(state: State): void {
    this.afterPress.draw(() => this.draw(state));
  }

  private draw(state: State): void {
    const { names, words } = state;
    const actions = this.actions(state);
    this.heading.textContent = names.game.summary.title;
    this.frame.setAttribute("aria-label", `${words.table}: ${names.game.summary.title}`);
    setText(this.status, statusOf(state));
    this.showClock();
    this.board.setAttribute("data-revision", String(state.match.revision));
    // The refusal and the buttons stand between the table and the hand.
    replace(
      this.root,
      this.board,
      "button",
      otherSeats(state, actions),
      middle(state, actions),
      refusalPanel(state, actions),
      movesPanel(state, actions),
      ownSeats(state, actions),
    );
    this.fairDeal.show(state);
  }

  /** Shows a state of a match that is not followed. */
  showStill(state: State): void {
    this.frame.classList.add("still");
    this.frame.lang = state.service.language;
    this.show(state);
  }

  /** Adds events to the log, where they are announced. */
  announce(events: readonly TableEvent[], names: Names): void {
    this.log.append(...events.map((event) => make("li", {}, names.event(event))));
    while (this.log.children.length > LOG_LINES) {
      this.log.firstChild?.remove();
    }
    this.logView.scrollTop = this.logView.scrollHeight;
  }

  /** Says that a move is on its way. */
  setBusy(busy: boolean): void {
    this.board.setAttribute("aria-busy", String(busy));
  }

  /** Says how the connection is. */
  report(text: string): void {
    setText(this.connection, text);
  }

  /** What the buttons of a drawn state do: nothing once the match has gone on, which its reader has not seen. */
  private actions(drawn: State): Actions {
    const act = (action: (session: Session) => unknown) => {
      const { session } = this;
      if (session?.state?.isAtRevisionOf(drawn)) {
        void action(session);
      }
    };
    return {
      tap: (card) => act((session) => session.tap(card)),
      play: (move) => act((session) => session.play(move)),
      clear: () => act((session) => session.clear()),
      addSeed: () => act((session) => session.addSeed()),
      takeBack: (decline) => act((session) => session.takeBack(decline)),
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

  private begin(): void {
    this.stop.abort();
    this.afterPress.clear();
    this.board.replaceChildren();
    this.log.replaceChildren();
    this.fairDeal.clear();
    const match = this.getAttribute("match");
    if (!match || !this.isConnected) {
      return;
    }
    const language = chooseLanguage(this.getAttribute("language"), document.documentElement.lang, navigator.language);
    const words = wordsOf(language);
    this.frame.lang = language;
    this.logTitle.textContent = words.log;
    this.logView.setAttribute("aria-label", words.log);
    this.stop = new AbortController();
    const seat = this.getAttribute("seat");
    const emit = (detail: Exchange) => void this.dispatchEvent(new CustomEvent("chitarrella-exchange", { detail }));
    const home = this.getAttribute("service") ?? HOME;
    const service = new Service(home, language, this.key, seat === null ? undefined : Number(seat), emit);
    this.session = new Session(service, match, this, this.stop.signal);
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
    const { match, words } = this.session?.state ?? {};
    const deadline = match?.deadline;
    const left = deadline ? Math.max(0, Math.ceil((Date.parse(deadline) - Date.now()) / 1000)) : 0;
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    setText(this.clock, deadline ? `${words?.clock}: ${time}` : "");
  }
}

function statusOf(state: State): string {
  const { match, names, words } = state;
  const { waiting, turn } = match.view;
  if (match.state === "MATCH_STATE_ABORTED") {
    return words.aborted;
  }
  if (waiting === "WAITING_NOBODY") {
    return words.finished;
  }
  if (waiting !== "WAITING_SEAT" || turn === undefined) {
    return words.chance;
  }
  return state.isMyTurn ? words.yourTurn : fill(words.waitFor, { who: names.seat(turn) });
}

/** Sets a text if it is another one, so that the same is not announced twice. */
function setText(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
