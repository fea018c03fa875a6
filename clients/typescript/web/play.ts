/**
 * The page `/play/`: a form for a new match, then its table. The match and the key stand in the fragment of the address,
 * which a browser sends to nobody.
 */

import { isOnTurn, ownersOf } from "./board.js";
import { button, copyText, keep, kept, mainOf, make } from "./dom.js";
import { FRIEND, keptName, MatchForm, ME, NameField, type NewMatch, select } from "./form.js";
import { HistoryPanel, PUBLIC, REFEREE } from "./history.js";
import { create, linkTo, OwnMatches, ownMatches, remember, tableOf, usualMatch, WaitingRoom } from "./invite.js";
import { passRecord } from "./record_text.js";
import {
  type Exchange,
  type GameSummary,
  type Match,
  PROGRAM_LANGUAGES,
  type ProgramLanguage,
  programFor,
  randomId,
  Service,
  withoutKey,
} from "./service.js";
import type { ChitarrellaTable, TableState } from "./table.js";
import { chooseLanguage, fill, type Words, wordsOf } from "./words.js";

/** The tables side by side, with the requests of all; `open` shows another match. */
async function allViews(
  service: Service,
  id: string,
  words: Words,
  open: (match: string, refereeKey: string) => void,
): Promise<HTMLElement[]> {
  const { view } = await service.match(id);
  const seats = view.scores.map((_, seat) => tableOf(service, id, seat));
  const tables = [tableOf(service, id, undefined, true), ...seats, tableOf(service, id)];
  const seatNames = view.scores.map((_, seat) => fill(words.player, { number: seat + 1 }));
  const captions = [words.publicView, ...seatNames, words.refereeView].map((who) => fill(words.viewOf, { who }));
  const cut = () => {
    for (const table of tables) {
      table.cutStream();
    }
  };
  const requests = new RequestsPanel(words, cut, () => tables.at(-1)?.runOutClock());
  for (const table of tables) {
    requests.listenTo(table);
  }
  const viewers = [PUBLIC, ...seats.keys(), REFEREE];
  const stills = viewers.map((viewer) => ({ viewer, table: emptyTable() }));
  const live = sideBySide(tables, captions);
  const still = sideBySide(
    stills.map(({ table }) => table),
    captions,
  );
  still.hidden = true;
  const show = (isStill: boolean) => {
    live.hidden = isStill;
    still.hidden = !isStill;
  };
  const history = new HistoryPanel(requests.recorded(service), id, words, stills, show, open);
  await history.read();
  tables.at(-1)?.addEventListener("chitarrella-exchange", (event) => {
    const { url, answer, status } = (event as CustomEvent<Exchange>).detail;
    if (status === 200 && new URL(url).pathname.endsWith(`/v1/matches/${id}`)) {
      history.follow(JSON.parse(answer).revision);
    }
  });
  return [make("p", {}, words.allViewsText), history.element, live, still, requests.element];
}

function emptyTable(): ChitarrellaTable {
  return document.createElement("chitarrella-table") as ChitarrellaTable;
}

function sideBySide(tables: readonly ChitarrellaTable[], captions: readonly string[]): HTMLElement {
  const sections = tables.map((table, place) => {
    const caption = captions[place] ?? "";
    return make("section", { "aria-label": caption }, make("h2", {}, caption), table);
  });
  return make("div", { class: "views" }, ...sections);
}

const KEPT = 30;

class RequestsPanel {
  readonly element: HTMLElement;
  private readonly list = make("ol", { class: "requests", reversed: true });
  private language: ProgramLanguage = "curl";

  /** `cut` cuts the stream of events, `runOutClock` lets the clock run out. */
  constructor(
    private readonly words: Words,
    cut: () => void,
    runOutClock: () => void,
  ) {
    const choices = PROGRAM_LANGUAGES.map((value) => ({ value, text: value }));
    const languages = select(words.programLanguage, choices, this.language, (value) => {
      this.language = value as ProgramLanguage;
      for (const details of this.list.querySelectorAll("details[open]")) {
        details.dispatchEvent(new Event("toggle"));
      }
    });
    this.element = make(
      "details",
      { class: "panel" },
      make("summary", {}, words.requests),
      make("p", {}, words.requestsText),
      languages,
      make("p", {}, button("cut", words.cutStream, cut), button("clock", words.runOutClock, runOutClock)),
      this.list,
    );
  }

  listenTo(table: ChitarrellaTable): void {
    table.addEventListener("chitarrella-exchange", (event) => this.add((event as CustomEvent<Exchange>).detail));
  }

  /** The same service; its requests are added. */
  recorded({ base, language, key }: Service): Service {
    return new Service(base, language, key, undefined, (exchange) => this.add(exchange));
  }

  /** Adds a request, the latest at the top. */
  add(exchange: Exchange): void {
    this.list.prepend(this.row(exchange));
    while (this.list.children.length > KEPT) {
      this.list.lastChild?.remove();
    }
  }

  private row(exchange: Exchange): HTMLElement {
    const { method, url, status } = exchange;
    const { pathname, search } = new URL(url);
    const details = make("details", {}, make("summary", {}, `${method} ${pathname}${search} · ${status || "–"}`));
    details.addEventListener("toggle", () => {
      if (details.open) {
        details.replaceChildren(details.firstChild as Node, ...this.content(exchange));
      }
    });
    return make("li", {}, details);
  }

  private content(exchange: Exchange): HTMLElement[] {
    const program = programFor(exchange, this.language);
    const copy = button("copy", this.words.copyProgram, async () => {
      await copyText(program);
      copy.textContent = this.words.copied;
    });
    const again = button("again", this.words.sendAgain, () => this.send(exchange));
    const stale = staleOf(exchange);
    return [
      make("pre", { tabindex: 0 }, withoutKey(program)),
      make("p", {}, copy, again, stale && button("stale", this.words.sendStale, () => this.send(stale))),
      make("p", {}, fill(this.words.answer, { status: exchange.status || "–" })),
      make("pre", { tabindex: 0 }, pretty(exchange.answer)),
    ];
  }

  /** Sends a request as it stands; the answer is a new row. */
  private async send(exchange: Exchange): Promise<void> {
    const { method, url, headers, body } = exchange;
    const request = { method, headers, ...(body ? { body } : {}) };
    const sent = await fetch(url, { ...request, credentials: "omit", referrerPolicy: "no-referrer" }).catch(
      () => undefined,
    );
    this.add({ ...exchange, status: sent?.status ?? 0, answer: (await sent?.text()) ?? "" });
    this.list.querySelector("details")?.setAttribute("open", "");
  }
}

/** The same request at the revision before, as a new one; undefined for a request without a revision. */
function staleOf(exchange: Exchange): Exchange | undefined {
  const body = exchange.body ? JSON.parse(exchange.body) : {};
  if (typeof body.expectedRevision !== "number" || body.expectedRevision < 1) {
    return undefined;
  }
  const stale = { ...body, expectedRevision: body.expectedRevision - 1, requestId: randomId() };
  return { ...exchange, body: JSON.stringify(stale) };
}

function pretty(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer), undefined, 2);
  } catch {
    return answer;
  }
}

const SIGNALS = "chitarrella-signals";
/** The icon at the turn of the reader: the sun of the ace of coins. */
const TURN_ICON = new URL("../cards/italian/Ad.svg", import.meta.url).href;

/** Tells whose turn it is by the title and the icon of the page, and, where that was asked for, by sound and vibration. */
class TurnSign {
  readonly element: HTMLElement;
  private readonly icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  private readonly usual = { title: document.title, icon: this.icon?.href ?? "" };
  private chosen: readonly string[] = kept(SIGNALS, []);
  private isMine = false;

  constructor(private readonly words: Words) {
    const kinds = [["sound", words.sound], ...("vibrate" in navigator ? [["vibration", words.vibration]] : [])];
    this.element = make("div", {}, ...kinds.map(([kind = "", text = ""]) => this.choice(kind, text)));
  }

  /** Follows the match of a table by the answers that it gets. */
  follow(table: ChitarrellaTable, match: string): void {
    table.addEventListener("chitarrella-exchange", (event) => {
      const { url, answer, status } = (event as CustomEvent<Exchange>).detail;
      if (status === 200 && new URL(url).pathname.endsWith(`/v1/matches/${match}`)) {
        const { state, view, viewer }: Match = JSON.parse(answer);
        this.show(state === "MATCH_STATE_OPEN" && viewer !== undefined && isOnTurn(viewer, view));
      }
    });
  }

  show(isMine: boolean): void {
    document.title = isMine ? `● ${this.words.yourTurn}` : this.usual.title;
    if (this.icon) {
      this.icon.href = isMine ? TURN_ICON : this.usual.icon;
    }
    if (isMine && !this.isMine) {
      this.signal();
    }
    this.isMine = isMine;
  }

  private signal(): void {
    if (this.chosen.includes("vibration")) {
      navigator.vibrate(80);
    }
    if (this.chosen.includes("sound")) {
      const audio = new AudioContext();
      const tone = new OscillatorNode(audio, { frequency: 660 });
      tone.connect(audio.destination);
      tone.start();
      tone.stop(audio.currentTime + 0.12);
      tone.onended = () => audio.close();
    }
  }

  private choice(kind: string, text: string): HTMLElement {
    const box = make("input", { type: "checkbox", checked: this.chosen.includes(kind) });
    box.addEventListener("change", () => {
      this.chosen = [...this.chosen.filter((one) => one !== kind), ...(box.checked ? [kind] : [])];
      keep(SIGNALS, this.chosen);
    });
    return make("label", { class: "check" }, box, make("span", {}, text));
  }
}

const HOME = new URL("../", import.meta.url).href;
const query = new URLSearchParams(location.search);
const language = chooseLanguage(query.get("language"), document.documentElement.lang);
const words = wordsOf(language);
const main = mainOf();
const problem = make("p", { role: "alert", class: "problem" });
const sign = new TurnSign(words);

/** Goes to a match; the page keeps its language. */
function goTo(match: string, key: string, referee = ""): void {
  history.pushState(null, "", location.search + new URL(linkTo(match, key, referee)).hash);
  showAddress();
}

/** Shows what the fragment of the address says: a match, or the form. */
function showAddress(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const match = fragment.get("match");
  showLanguages();
  sign.show(false);
  const referee = fragment.get("referee");
  document.body.classList.toggle("wide", Boolean(match && referee));
  document.body.classList.remove("match");
  if (match && referee) {
    void showViews(match, referee);
  } else if (match) {
    const key = fragment.get("key") ?? "";
    const isNew = fragment.has("guest") && !ownMatches().some(({ id }) => id === match);
    void (isNew ? welcome(match, key) : openMatch(match, key));
  } else if (fragment.has("start")) {
    void startAtOnce(query.get("game") ?? "");
  } else {
    void showForm();
  }
}

/** The links to the other languages keep the game and the match. */
function showLanguages(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]")) {
    const search = new URLSearchParams(query);
    search.set("language", link.hreflang);
    link.href = `?${search}${location.hash}`;
  }
}

/** Says who invites to which game, asks a guest for a name, unless it is known, and goes to the table. */
async function welcome(match: string, key: string): Promise<void> {
  const service = new Service(HOME, language, key);
  const enter = async (name: string) => {
    if (name) {
      await service.join(match, name).catch(() => undefined); // it is no condition
    }
    goTo(match, key);
  };
  if (keptName()) {
    await enter(keptName());
    return;
  }
  await reported(async () => {
    const { ruleSet, seats } = await service.match(match);
    const { title } = (await service.game(ruleSet.gameId)).summary;
    const who = seats.find(({ playerName }) => playerName)?.playerName;
    const field = new NameField(words);
    const form = make("form", {}, field.element, make("button", { type: "submit", class: "primary" }, words.toTable));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void enter(field.keep());
    });
    main.replaceChildren(make("h1", {}, who ? fill(words.invites, { who, game: title }) : title), problem, form);
  });
}

/** Shows the table of a match, or who has come while a guest of it has not. */
async function openMatch(match: string, key: string): Promise<void> {
  const service = new Service(HOME, language, key);
  const known = ownMatches().find(({ id }) => id === match) ?? { id: match, key, guests: [], referee: "" };
  const table = () => showTable(match, key, known.referee);
  if (key) {
    remember({ ...known, key });
  }
  if (!known.guests.length) {
    table();
    return;
  }
  await reported(async () => {
    const { ruleSet } = await service.match(match);
    const { summary } = await service.game(ruleSet.gameId);
    const room = new WaitingRoom(service, known, summary.title, words, () => {
      remember({ ...known, guests: [] });
      table();
    });
    main.replaceChildren(problem, room.element);
    void room.poll();
  });
}

function showTable(match: string, key: string, referee: string): void {
  const service = new Service(HOME, language, key);
  const table = tableOf(service, match);
  const requests = new RequestsPanel(
    words,
    () => table.cutStream(),
    () => table.runOutClock(),
  );
  requests.listenTo(table);
  sign.follow(table, match);
  const again = make("a", { href: location.pathname + location.search }, words.newMatch);
  const views = make("a", { href: linkTo(match, "", referee) }, words.allViews);
  const end = make("div", { slot: "end", class: "row" });
  const ask = button("ask", words.askTrick, () => open(questionOf(table), "_blank", "noopener"), { hidden: true });
  const showAsk = () => {
    ask.hidden = !table.state?.match.view.zones.some(({ name }) => name === "trick");
  };
  table.addEventListener("turn", showAsk);
  table.addEventListener("move", showAsk);
  const finish = key ? make("details", { hidden: true }) : undefined;
  table.append(
    make(
      "div",
      { slot: "menu", class: "beside" },
      make("p", {}, ask),
      sign.element,
      finish,
      make("p", {}, again),
      make("details", {}, make("summary", {}, words.developers), requests.element, referee && views),
    ),
    end,
  );
  table.addEventListener("match-ended", (event) => {
    const { match: ended } = (event as CustomEvent<TableState>).detail;
    finish?.remove();
    end.replaceChildren(...endButtons(ended, service), again.cloneNode(true));
  });
  const heading = make("h1", { class: "unseen" }, words.title);
  for (const name of ["chitarrella-exchange", "move"]) {
    table.addEventListener(name, () => showKnown(table, heading, finish, service, referee));
  }
  document.body.classList.add("match");
  main.replaceChildren(heading, problem, table);
}

/** Says what a match is, once its table knows it, and how it can be ended. */
function showKnown(
  table: ChitarrellaTable,
  heading: HTMLElement,
  finish: HTMLElement | undefined,
  service: Service,
  referee: string,
): void {
  heading.textContent = table.caption || words.title;
  if (finish?.hidden && table.state) {
    finish.append(...finishContent(table.state, service, referee));
    finish.hidden = false;
  }
}

/** The address of the question which cards may be played now, or who takes a full trick: the last where none is led. */
function questionOf(table: ChitarrellaTable): string {
  const { ruleSet, view, viewer } = table.state?.match ?? {};
  const zones = view?.zones ?? [];
  const hand = zones.find(({ name, seat }) => name === "hand" && seat === viewer)?.cards ?? [];
  const now = zones.find(({ name }) => name === "trick");
  const trick = now?.size ? now : zones.findLast(({ name }) => name === "taken");
  const isPlayed =
    trick !== undefined &&
    trick === now &&
    view !== undefined &&
    new Set(ownersOf(now, view)).size < view.scores.length;
  const factOf = (key: string) => view?.facts.find(({ name, seat }) => name === key && seat === undefined);
  const known = { trump: factOf("trump")?.word, stock: factOf("stock")?.number?.toString() };
  const options = Object.entries(ruleSet?.options ?? {}).map(([name, value]) => [`option.${name}`, String(value)]);
  const asked = {
    ...{ language, game: ruleSet?.gameId ?? "", players: String(ruleSet?.players ?? "") },
    ...Object.fromEntries([...options, ...Object.entries(known).filter(([, value]) => value)]),
    ...{ hand: isPlayed || !trick ? hand.join() : "", trick: trick?.cards.join() ?? "" },
  };
  return new URL(`ask/?${new URLSearchParams(asked)}`, HOME).href;
}

/**
 * A way to end a match before its end: to give up. Who plays against bots alone ends a match without an end, whose length
 * no option sets, or one with 0, as it stands.
 */
function finishContent({ match, game }: TableState, service: Service, referee: string): HTMLElement[] {
  const { matchId, ruleSet } = match;
  const hasEnd = game.options.some(({ name, setsLength }) => setsLength && ruleSet.options?.[name] !== "0");
  const isDecided = referee !== "" && !hasEnd;
  const [name, text] = isDecided ? [words.finish, words.finishText] : [words.giveUp, words.giveUpText];
  const finish = async () => {
    if (!isDecided) {
      await service.resign(matchId);
      return;
    }
    const { view } = await service.match(matchId);
    await new Service(HOME, language, referee).decide(matchId, leadersOf(view.scores, game.summary), words.finish);
  };
  const press = button("finish", name, () => reported(finish), { class: "primary" });
  return [make("summary", {}, name), make("p", {}, text), make("p", {}, press)];
}

/** The seats that lead; none where all are level. */
function leadersOf(scores: readonly number[], { scoreDirection }: GameSummary): number[] {
  const best = String(scoreDirection).endsWith("LOWER_WINS") ? Math.min(...scores) : Math.max(...scores);
  const leaders = [...scores.keys()].filter((seat) => scores[seat] === best);
  return leaders.length < scores.length ? leaders : [];
}

/** Where one goes from the end of a match: to another one of the same kind where nobody else plays, and to its record. */
function endButtons({ matchId, ruleSet, seats, viewer }: Match, service: Service): HTMLElement[] {
  const players = seats.map(({ bot, seat }) => (seat === viewer ? ME : (bot?.bot ?? FRIEND)));
  const { gameId, players: count, options = {} } = ruleSet;
  const again = {
    name: keptName(),
    ruleSet: { gameId, players: count, options: { ...options } },
    players,
    shared: false,
  };
  const rematch = button("rematch", words.rematch, () => reported(() => start(service, again)), { class: "primary" });
  const replay = button("replay", words.replay, () =>
    reported(async () => passRecord(await service.record(matchId), language)),
  );
  return players.includes(FRIEND) ? [replay] : [rematch, replay];
}

async function showViews(match: string, referee: string): Promise<void> {
  main.replaceChildren(make("h1", {}, words.allViews), problem);
  await reported(async () => {
    main.append(
      ...(await allViews(new Service(HOME, language, referee), match, words, (copy, key) => goTo(copy, "", key))),
    );
  });
}

async function showForm(): Promise<void> {
  const service = new Service(HOME, language);
  await reported(async () => {
    const games = await service.games();
    const form = new MatchForm(games, service, words, (match) => reported(() => start(service, match)));
    const own = new OwnMatches(service, words, new Map(games.map(({ gameId, title }) => [gameId, title])));
    main.replaceChildren(make("h1", {}, words.title), problem, form.element, own.element);
    await Promise.all([form.choose(query.get("game") ?? ""), own.show()]);
  });
}

/** Starts a match of a game with bots, as it is usually played; Back leads to the form. */
async function startAtOnce(gameId: string): Promise<void> {
  history.replaceState(null, "", location.pathname + location.search);
  const service = new Service(HOME, language);
  await reported(async () => {
    await start(service, await usualMatch(service, gameId));
  });
}

async function start(service: Service, match: NewMatch): Promise<void> {
  const { id, key } = await create(service, match);
  goTo(id, key);
}

async function reported(action: () => Promise<void>): Promise<void> {
  problem.textContent = "";
  try {
    await action();
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
    if (!problem.isConnected) {
      main.prepend(problem);
    }
  }
}

// Also where a link is pasted into the same window, which changes the fragment alone.
addEventListener("popstate", showAddress);
showAddress();
