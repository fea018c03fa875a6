// Built from clients/typescript/web by npm run web; do not edit.

// web/after_press.ts
var PRESSED = "button, summary, a, select";
var CLICK_MS = 500;
var INTERRUPTIONS = ["contextmenu", "blur"];
var AfterPress = class {
  press;
  waiting;
  constructor(element) {
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
  draw(drawing) {
    if (this.press) {
      this.waiting = drawing;
    } else {
      drawing();
    }
  }
  /** Forgets the press, and the drawing that waits for its end. */
  clear() {
    this.press?.abort();
    this.press = void 0;
    this.waiting = void 0;
  }
  begin(target) {
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
    addEventListener("click", end, { signal });
    addEventListener("keyup", ({ key }) => key === " " && endSoon(), { signal, capture: true });
    addEventListener("pointercancel", ({ isPrimary }) => isPrimary && end(), { signal, capture: true });
    addEventListener("pointerup", ({ isPrimary }) => isPrimary && endSoon(), { signal, capture: true });
    addEventListener("pointermove", ({ buttons, isPrimary }) => isPrimary && !buttons && endSoon(), { signal });
  }
  end() {
    const { waiting } = this;
    this.clear();
    waiting?.();
  }
};

// web/table.ts
import { middle, otherSeats, ownSeats } from "./shared.js?fce99d945ccb1756";
import { make as make3, replace } from "./shared.js?fce99d945ccb1756";

// web/fair_deal.ts
import { make } from "./shared.js?fce99d945ccb1756";

// src/shuffle_proof.ts
var NUMBERS = 1n << 64n;
function* fairnessOf(shuffle, pack) {
  if (shuffle.nonce === "" || hexadecimal(yield bytesOf(shuffle.nonce)) !== shuffle.commitment) {
    return false;
  }
  if (shuffle.lots.length > 0) {
    const lots = [...shuffle.lots].sort((one, other) => one - other);
    return (yield* orderOf(lots, shuffle))[0] === shuffle.amount;
  }
  const canonical = [...shuffle.cards].sort((one, other) => pack.indexOf(one) - pack.indexOf(other));
  const order = yield* orderOf(canonical, shuffle);
  return order.every((card, index) => card === shuffle.cards[index]);
}
function* orderOf(things, shuffle) {
  const order = [...things];
  const numbers = new Numbers(shuffle);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = yield* numbers.below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
var Numbers = class {
  constructor(shuffle) {
    this.shuffle = shuffle;
  }
  shuffle;
  /** The key, then the counter. */
  input = new Uint8Array(40);
  block = 0n;
  ready = [];
  /** A uniform number below a bound: numbers above its last multiple are rejected. */
  *below(bound) {
    const end = NUMBERS - NUMBERS % BigInt(bound);
    for (; ; ) {
      const number = this.ready.shift();
      if (number === void 0) {
        yield* this.refill();
      } else if (number < end) {
        return Number(number % BigInt(bound));
      }
    }
  }
  *refill() {
    if (this.block === 0n) {
      const { nonce, number, clientSeeds } = this.shuffle;
      const seeds = clientSeeds.map(({ seat, seed }) => `${seat} ${seed}
`).join("");
      this.input.set(yield bytesOf(`chitarrella shuffle 1
${nonce}
${number}
${seeds}`));
    }
    new DataView(this.input.buffer).setBigUint64(32, this.block++);
    const digest = yield this.input;
    const numbers = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    for (let at = 0; at < digest.length; at += 8) {
      this.ready.push(numbers.getBigUint64(at));
    }
  }
};
function bytesOf(text) {
  return new TextEncoder().encode(text);
}
function hexadecimal(digest) {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// web/proof.ts
async function prove(shuffle, pack) {
  if (shuffle.supplied) {
    return "supplied";
  }
  if (!shuffle.nonce) {
    return "secret";
  }
  if (!globalThis.crypto?.subtle) {
    return "insecure";
  }
  const steps = fairnessOf(shuffle, pack);
  let step = steps.next();
  while (!step.done) {
    step = steps.next(new Uint8Array(await crypto.subtle.digest("SHA-256", step.value)));
  }
  return step.value ? "holds" : "fails";
}
var Memory = class {
  texts = [];
  name;
  constructor(kind, match) {
    this.name = `chitarrella ${kind} ${match}`;
    try {
      this.texts = JSON.parse(sessionStorage.getItem(this.name) ?? "[]");
    } catch {
    }
  }
  /** Everything that was added, in order. */
  get all() {
    return this.texts;
  }
  add(text) {
    if (text && !this.texts.includes(text)) {
      this.texts = [...this.texts, text];
      try {
        sessionStorage.setItem(this.name, JSON.stringify(this.texts));
      } catch {
      }
    }
  }
};

// web/fair_deal.ts
import { fill } from "./shared.js?fce99d945ccb1756";
var FairDealPanel = class {
  element = make("details", { class: "fair-deal", hidden: true });
  title = make("summary");
  content = make("div");
  state;
  commitments;
  shown = "";
  constructor() {
    this.element.append(this.title, this.content);
    this.element.addEventListener("toggle", () => this.update());
  }
  /** Forgets the match. */
  clear() {
    this.state = void 0;
    this.commitments = void 0;
    this.shown = "";
    this.element.hidden = true;
    this.content.replaceChildren();
  }
  /** Keeps the commitment that is published now, before the shuffle; shows what is new. */
  show(state) {
    const { match, words } = state;
    this.state = state;
    this.commitments ??= new Memory("commitments", match.matchId);
    this.commitments.add(match.nextCommitment);
    this.title.textContent = words.fairDeal;
    this.element.hidden = !match.nextCommitment && !this.commitments.all.length;
    this.update();
  }
  /** Reads the shuffles again where one may have been made, or published. */
  update() {
    const { match } = this.state ?? {};
    const key = match && [match.nextCommitment, match.awaitingSeedsFrom.join(), match.view.waiting].join(" ");
    if (this.element.open && key && key !== this.shown) {
      this.shown = key;
      void this.read().catch(() => {
        this.shown = "";
      });
    }
  }
  async read() {
    const { state, commitments } = this;
    if (!state || !commitments) {
      return;
    }
    const found = await state.service.shuffles(state.match.matchId);
    const proofs = await Promise.all(found.shuffles.map((shuffle) => prove(shuffle, state.names.game.pack)));
    if (this.state?.match.matchId === state.match.matchId) {
      const own = new Memory("seeds", state.match.matchId).all;
      const rows = found.shuffles.map((one, place) => row(one, proofs[place] ?? "secret", state, commitments.all, own));
      this.content.replaceChildren(next(found, state, commitments.all), make("ol", {}, ...rows.reverse()));
    }
  }
};
function next({ shuffles, nextCommitment }, { words, names, match }, seen) {
  const known = [nextCommitment, match.nextCommitment, ...shuffles.map((one) => one.commitment)];
  const isBroken = !shuffles.some((one) => one.supplied) && seen.some((one) => !known.includes(one));
  const waiting = match.awaitingSeedsFrom.map((seat) => names.seat(seat)).join(", ");
  return make(
    "div",
    {},
    make("p", {}, words.fairDealText),
    nextCommitment && make("p", {}, `${words.nextCommitment}: `, make("code", {}, nextCommitment)),
    waiting && make("p", {}, fill(words.seedsAwaited, { who: waiting })),
    isBroken && result("fails", words.commitmentBroken)
  );
}
function row(shuffle, proof, state, seen, own) {
  const { words, names, mine } = state;
  const { commitment, clientSeeds, nonce, number } = shuffle;
  const isOwn = (seat, seed) => seat === mine && own.includes(seed);
  const isForged = clientSeeds.some(({ seat, seed }) => seat === mine && own.length && !isOwn(seat, seed));
  const seeds = clientSeeds.map(({ seat, seed }) => {
    const note = isOwn(seat, seed) ? ` (${words.ownSeed})` : "";
    return make("li", {}, `${names.seat(seat)}: `, make("code", {}, seed), note);
  });
  const before = seen.includes(commitment) ? words.seenBefore : words.notSeenBefore;
  return make(
    "li",
    { value: number },
    make("strong", {}, fill(words.shuffle, { number })),
    result(isForged ? "fails" : proof, isForged ? words.seedChanged : proofText(proof, words)),
    commitment ? make("p", {}, `${words.commitment}: `, make("code", {}, commitment), ` (${before})`) : "",
    seeds.length ? make("ul", { "aria-label": words.seeds }, ...seeds) : "",
    nonce ? make("p", {}, `${words.nonce}: `, make("code", {}, nonce)) : ""
  );
}
function result(proof, text) {
  const mark = { holds: "✓ ", fails: "✗ " }[proof] ?? "";
  return make("p", { class: `proof ${proof}` }, mark, text);
}
function proofText(proof, words) {
  return {
    supplied: words.proofSupplied,
    secret: words.proofSecret,
    holds: words.proofHolds,
    fails: words.proofFails,
    insecure: words.proofInsecure
  }[proof];
}

// web/local_rules.ts
import { isHandZone } from "./shared.js?fce99d945ccb1756";
async function loadLocalRules(url, language) {
  try {
    const { loadRules } = await import(new URL(url, document.baseURI).href);
    return await loadRules({ language });
  } catch {
    return null;
  }
}
async function refusalsOf(rules, match, move, seat) {
  try {
    const { refusals, dependsOn } = await rules.validateMove(knownTo(match, seat), move, seat);
    return dependsOn.length ? [] : refusals;
  } catch {
    return [];
  }
}
function knownTo({ ruleSet, view }, seat) {
  const seats = /* @__PURE__ */ new Set([seat]);
  const hand = view.zones.filter((zone) => isHandZone(zone, seats)).flatMap((zone) => zone.cards);
  const trick = view.zones.find((zone) => zone.name === "trick");
  const fact = (name) => view.facts.find((one) => one.name === name && one.seat === void 0);
  return {
    ruleSet,
    hands: { [seat]: hand },
    trick: { cards: trick?.cards ?? [], ...trick?.leader === void 0 ? {} : { leader: trick.leader } },
    trump: fact("trump")?.word,
    stockSize: fact("stock")?.number
  };
}

// web/panels.ts
import { button, make as make2 } from "./shared.js?fce99d945ccb1756";
import { fill as fill2 } from "./shared.js?fce99d945ccb1756";
var MANY = 12;
function movesPanel(state, actions) {
  const { words, match, mine } = state;
  const groups = [...state.choices.byVerb].map(([verb, moves]) => verbGroup(verb, moves, state, actions));
  const selection = selectionGroup(state, actions);
  const seeds = mine !== void 0 && match.awaitingSeedsFrom.includes(mine);
  const seed = seeds && button("seed", words.addSeed, () => actions.addSeed());
  const all = [...groups, selection, seed, takeBack(state, actions)];
  return all.some(Boolean) ? make2("section", { class: "moves", "aria-label": words.moves }, ...all) : void 0;
}
function takeBack({ match, mine, names, words }, actions) {
  if (mine === void 0 || match.aborted || match.view.waiting === "WAITING_NOBODY" || match.seat === void 0) {
    return void 0;
  }
  const { takebackRequest: asked } = match;
  if (!asked) {
    return button("take back", words.takeBack, () => actions.takeBack(false), { class: "quiet" });
  }
  const text = fill2(words.asksTakeBack, { who: names.seat(asked.seat) });
  const answers = asked.awaitingAnswersFrom.includes(mine);
  return make2(
    "fieldset",
    {},
    make2("legend", {}, text),
    answers && button("agree", words.agree, () => actions.takeBack(false)),
    (answers || asked.seat === mine) && button("decline", asked.seat === mine ? words.withdraw : words.decline, () => actions.takeBack(true))
  );
}
function refusalPanel(state, actions) {
  const { refusals, words } = state;
  if (!refusals.length) {
    return void 0;
  }
  const close = button("close", words.close, () => actions.clear());
  const items = refusals.map((refusal) => refusalText(refusal, state));
  return make2("section", { class: "refusal", role: "alert" }, make2("h3", {}, words.refused), ...items, close);
}
function refusalText(refusal, state) {
  const { clause, page, allowedCards } = refusal;
  const message = state.names.reason(refusal);
  const link = { href: state.service.page(page), target: "_blank", rel: "noopener noreferrer", "data-id": clause.key };
  const cards = state.names.cardList(allowedCards);
  const allowed = message.includes(cards) ? "" : `${state.words.allowed}: ${cards}`;
  return make2(
    "div",
    {},
    make2("p", {}, make2("strong", {}, message)),
    make2("blockquote", {}, clause.text, " ", make2("a", link, fill2(state.words.clause, { key: clause.key }))),
    allowed && make2("p", {}, allowed)
  );
}
function verbGroup(verb, moves, state, actions) {
  const name = state.names.verb(verb);
  const [only] = moves;
  if (only && moves.length === 1 && !state.names.details(only)) {
    return make2(
      "div",
      {},
      button(idOf(only), name, () => actions.play(only))
    );
  }
  const group = make2("fieldset", {}, make2("legend", {}, name));
  if (moves.length > MANY) {
    group.append(...longList(verb, moves, state, actions));
  } else {
    const label = (move) => state.names.details(move) || name;
    group.append(...moves.map((move) => button(idOf(move), label(move), () => actions.play(move))));
  }
  return group;
}
function longList(verb, moves, state, actions) {
  const options = moves.map((move, place) => make2("option", { value: place }, state.names.details(move)));
  const list = make2("select", { "data-id": `list ${verb}`, "aria-label": state.names.verb(verb) }, ...options);
  const play = () => {
    const move = moves[list.selectedIndex];
    if (move) {
      actions.play(move);
    }
  };
  return [list, button(`play ${verb}`, state.words.play, play)];
}
function selectionGroup(state, actions) {
  const { selected, words, names, choices } = state;
  if (!selected.length) {
    return void 0;
  }
  const cards = names.cardList(selected.map((card) => card.code));
  const made = choices.made(selected).map((move) => {
    const details = names.details({ ...move, cards: [], seat: void 0 });
    const text = [names.verb(move.verb), details].filter(Boolean).join(": ");
    return button(idOf(move), text, () => actions.play(move), { class: "primary" });
  });
  const clear = button("clear", words.clear, () => actions.clear());
  return make2("fieldset", {}, make2("legend", {}, `${words.selected}: ${cards}`), ...made, clear);
}
function idOf(move) {
  return `move ${JSON.stringify(move)}`;
}

// web/table.ts
import { Service } from "./shared.js?fce99d945ccb1756";

// web/session.ts
import { verbOfCards } from "./shared.js?fce99d945ccb1756";

// web/clock.ts
import { pause } from "./shared.js?fce99d945ccb1756";
var PASSED_MS = 50;
async function runOutClock(service, id, match, stop) {
  const deadline = Date.parse(match.deadline ?? "");
  if (match.sandbox) {
    const { time, timedOut } = await service.advanceClock(id, 1);
    const left = Math.floor((deadline - Date.parse(time)) / 1e3) + 1;
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

// web/session.ts
import { Names } from "./shared.js?fce99d945ccb1756";
import { pause as pause2, randomId, ServiceError } from "./shared.js?fce99d945ccb1756";
import { State } from "./shared.js?fce99d945ccb1756";
import { wordsOf } from "./shared.js?fce99d945ccb1756";
var FIRST_PAUSE_MS = 250;
var LONGEST_PAUSE_MS = 8e3;
var PASSING = [0, 408, 409, 429];
var CURSOR_CODES = ["moves_lost", "bad_cursor"];
var Session = class {
  constructor(service, id, listener, stop) {
    this.service = service;
    this.id = id;
    this.listener = listener;
    this.stop = stop;
  }
  service;
  id;
  listener;
  stop;
  state;
  /** Answers before the service does, once it is loaded. */
  rules = null;
  game;
  cursor;
  busy = false;
  stream = new AbortController();
  /** What the reader does now; never rejected. */
  action = Promise.resolve();
  /** Follows the match to its end. */
  async run() {
    const words = wordsOf(this.service.language);
    let wait = FIRST_PAUSE_MS;
    this.listener.report(words.connecting);
    while (!this.stop.aborted) {
      try {
        await this.refresh();
        if (this.isOver()) {
          this.listener.report("");
          return;
        }
        await this.follow(words.connected);
        wait = FIRST_PAUSE_MS;
      } catch (error) {
        if (this.stop.aborted || !this.isPassing(error)) {
          return;
        }
        this.listener.report(words.reconnecting);
        wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
      }
      await pause2(wait);
    }
  }
  /** Plays a card, selects it, or shows why it cannot be played. */
  async tap(card) {
    const { state } = this;
    if (!state || this.busy) {
      return;
    }
    const { choices } = state;
    const others = choices.selecting ? state.selected.filter((one) => one.id !== card.id) : [];
    const chosen = state.isSelected(card) ? others : [...others, card];
    Object.assign(state, { refusals: [], refused: [] });
    if (!choices.canBecomeMove(chosen)) {
      await this.explain(state, chosen);
      return;
    }
    const [only, ...more] = choices.made(chosen);
    if (only && !more.length && !choices.selecting) {
      await this.play(only);
      return;
    }
    state.selected = chosen;
    this.listener.show(state);
  }
  /** Plays a legal move; what it is refused for, or costs, is shown. */
  async play(move) {
    const { state } = this;
    if (state) {
      await this.once(async () => {
        const result2 = await this.service.play(this.id, state.mine, move, state.legal.revision);
        await this.refresh();
        this.showRefusals(result2);
      });
    }
  }
  /** Adds a random seed of this seat to the next shuffle. */
  async addSeed() {
    await this.once(async () => {
      const seed = randomId();
      new Memory("seeds", this.id).add(seed);
      await this.service.contributeSeed(this.id, this.state?.mine, seed);
      await this.refresh();
    });
  }
  /** Asks to take the last decision back, or answers such a request. */
  async takeBack(decline) {
    await this.once(async () => {
      await this.service.takeBack(this.id, this.state?.mine, decline, this.state?.match.revision);
      await this.refresh();
    });
  }
  /** Lets the time of the decision that is waited for run out: waits for it, or moves the time of a test. */
  async runOutClock() {
    const { match } = this.state ?? {};
    if (!match?.deadline) {
      this.listener.report(wordsOf(this.service.language).noClock);
      return;
    }
    try {
      await runOutClock(this.service, this.id, match, this.stop);
    } catch (error) {
      this.listener.report(textOf(error));
    }
  }
  /** Cuts the stream of events, as a broken connection does. */
  cutStream() {
    this.stream.abort();
  }
  /** Forgets the selection and the refusal. */
  clear() {
    if (this.state) {
      Object.assign(this.state, { selected: [], refusals: [], refused: [] });
      this.listener.show(this.state);
    }
  }
  /** Asks why cards cannot be played. */
  async explain(state, cards) {
    const verb = verbOfCards(state.names.game, state.match.view, state.choices);
    if (verb === void 0) {
      return;
    }
    const seat = cards.find((card) => card.seat !== state.mine)?.seat;
    const move = { verb, cards: cards.map((card) => card.code), ...seat === void 0 ? {} : { seat } };
    const ids = cards.map((card) => card.id);
    await this.once(async () => {
      if (this.rules && state.mine !== void 0 && seat === void 0) {
        this.showRefusals({ refusals: await refusalsOf(this.rules, state.match, move, state.mine) }, ids);
      }
      this.showRefusals(await this.service.validateMove(this.id, state.mine, move), ids);
    });
  }
  showRefusals({ refusals }, refused = []) {
    if (this.state && refusals.length) {
      Object.assign(this.state, { refusals, refused });
      this.listener.show(this.state);
    }
  }
  /** Does one thing at a time; what fails is reported, and the match read again. */
  async once(action) {
    if (this.busy) {
      return;
    }
    this.busy = true;
    this.action = this.attempt(action);
    await this.action;
  }
  async attempt(action) {
    this.listener.setBusy(true);
    try {
      await action();
    } catch (error) {
      const stale = error instanceof ServiceError && error.code === "stale_revision";
      this.listener.report(stale ? wordsOf(this.service.language).moved : textOf(error));
      await this.refresh().catch(() => void 0);
    } finally {
      this.busy = false;
      this.listener.setBusy(false);
    }
  }
  async follow(connected) {
    this.cursor ??= this.state?.match.cursor ?? "";
    this.listener.report(connected);
    this.stream = new AbortController();
    const signal = AbortSignal.any([this.stop, this.stream.signal]);
    for await (const { cursor, events, revision } of this.service.watch(this.id, this.cursor, signal)) {
      await this.action;
      if (revision > (this.state?.match.revision ?? 0)) {
        await this.refresh();
      }
      if (this.state && events.length) {
        this.listener.announce(events, this.state.names);
      }
      this.cursor = cursor;
    }
  }
  /** Reads the match and the legal moves. */
  async refresh() {
    const asked = this.service.key ? this.service.legalMoves(this.id) : void 0;
    asked?.catch(() => void 0);
    const match = await this.service.match(this.id);
    const { gameId, edition } = match.ruleSet;
    this.game ??= await Promise.all([this.service.game(gameId, edition), this.service.tableWords(gameId)]);
    const legal = await this.legalMoves(match, asked);
    const { state } = this;
    if (this.stop.aborted || state && match.revision < state.match.revision) {
      return;
    }
    const names = new Names(...this.game, match, wordsOf(this.service.language));
    const next2 = new State(match, legal, names, this.service);
    if (state && state.legal.revision === legal.revision) {
      Object.assign(next2, { selected: state.selected, refusals: state.refusals, refused: state.refused });
    }
    this.state = next2;
    this.listener.show(next2);
  }
  /** The legal moves at the revision of the match, or a later one: those that were asked for may be of an earlier one. */
  async legalMoves(match, asked) {
    if (!asked || match.aborted) {
      return { moves: [], revision: match.revision };
    }
    const legal = await asked;
    return legal.revision < match.revision ? this.service.legalMoves(this.id) : legal;
  }
  isOver() {
    const { match } = this.state ?? {};
    return match !== void 0 && (match.aborted || match.view.waiting === "WAITING_NOBODY");
  }
  isPassing(error) {
    if (!(error instanceof ServiceError)) {
      return true;
    }
    if (CURSOR_CODES.includes(error.code)) {
      this.cursor = void 0;
      this.state = void 0;
      return true;
    }
    const passing = PASSING.includes(error.status) || error.status >= 500;
    if (!passing) {
      this.listener.report(error.message);
    }
    return passing;
  }
};
function textOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// web/table.ts
import { style } from "./shared.js?fce99d945ccb1756";
import { chooseLanguage, fill as fill3, wordsOf as wordsOf2 } from "./shared.js?fce99d945ccb1756";
var LOG_LINES = 200;
var STYLE = style();
var HOME = new URL("./", import.meta.url).href;
var ChitarrellaTable = class extends HTMLElement {
  static observedAttributes = ["match", "key", "seat", "language", "service", "rules"];
  root = this.attachShadow({ mode: "open" });
  heading = make3("h2");
  status = make3("p", { class: "status", role: "status" });
  clock = make3("p", { class: "clock", role: "timer" });
  connection = make3("p", { class: "connection", role: "status" });
  board = make3("div", { class: "board", tabindex: -1 });
  afterPress = new AfterPress(this.board);
  logTitle = make3("h3");
  log = make3("ol");
  logView = make3("div", { role: "log", "aria-live": "polite", tabindex: 0 }, this.log);
  fairDeal = new FairDealPanel();
  frame = make3("section", { class: "table" });
  secret;
  session;
  stop = new AbortController();
  tick;
  isRestarting = false;
  constructor() {
    super();
    this.root.adoptedStyleSheets = [STYLE];
    const head = make3("header", {}, this.heading, this.status, this.clock, this.connection);
    const log = make3("div", { class: "log" }, this.logTitle, this.logView);
    this.frame.append(head, this.board, log, this.fairDeal.element);
    this.root.append(this.frame);
  }
  get key() {
    return this.secret ?? this.getAttribute("key") ?? "";
  }
  set key(key) {
    this.secret = key;
    this.restart();
  }
  connectedCallback() {
    this.tick = setInterval(() => this.showClock(), 1e3);
    this.restart();
  }
  disconnectedCallback() {
    clearInterval(this.tick);
    this.stop.abort();
    this.afterPress.clear();
  }
  attributeChangedCallback() {
    this.restart();
  }
  /** Cuts the stream of events; the table connects again. */
  cutStream() {
    this.session?.cutStream();
  }
  /** Lets the time of the decision that is waited for run out. */
  runOutClock() {
    void this.session?.runOutClock();
  }
  /** Shows a state; while one of the buttons is pressed, after the click. */
  show(state) {
    this.afterPress.draw(() => this.draw(state));
  }
  draw(state) {
    const { names, words } = state;
    const actions = this.actions(state);
    this.heading.textContent = names.game.summary.title;
    this.frame.setAttribute("aria-label", `${words.table}: ${names.game.summary.title}`);
    setText(this.status, statusOf(state));
    this.showClock();
    this.board.setAttribute("data-revision", String(state.match.revision));
    replace(
      this.root,
      this.board,
      "button",
      otherSeats(state, actions),
      middle(state, actions),
      refusalPanel(state, actions),
      movesPanel(state, actions),
      ownSeats(state, actions)
    );
    this.fairDeal.show(state);
  }
  /** Shows a state of a match that is not followed. */
  showStill(state) {
    this.frame.classList.add("still");
    this.frame.lang = state.service.language;
    this.show(state);
  }
  /** Adds events to the log, where they are announced. */
  announce(events, names) {
    this.log.append(...events.map((event) => make3("li", {}, names.event(event))));
    while (this.log.children.length > LOG_LINES) {
      this.log.firstChild?.remove();
    }
    this.logView.scrollTop = this.logView.scrollHeight;
  }
  /** Says that a move is on its way. */
  setBusy(busy) {
    this.board.setAttribute("aria-busy", String(busy));
  }
  /** Says how the connection is. */
  report(text) {
    setText(this.connection, text);
  }
  /** What the buttons of a drawn state do: nothing once the match has gone on, which its reader has not seen. */
  actions(drawn) {
    const act = (action) => {
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
      takeBack: (decline) => act((session) => session.takeBack(decline))
    };
  }
  /** Begins anew, once for all attributes that change together. */
  restart() {
    if (!this.isConnected || this.isRestarting) {
      return;
    }
    this.isRestarting = true;
    queueMicrotask(() => {
      this.isRestarting = false;
      this.begin();
    });
  }
  begin() {
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
    const words = wordsOf2(language);
    this.frame.lang = language;
    this.logTitle.textContent = words.log;
    this.logView.setAttribute("aria-label", words.log);
    this.stop = new AbortController();
    const seat = this.getAttribute("seat");
    const emit = (detail) => void this.dispatchEvent(new CustomEvent("chitarrella-exchange", { detail }));
    const home = this.getAttribute("service") ?? HOME;
    const service = new Service(home, language, this.key, seat === null ? void 0 : Number(seat), emit);
    this.session = new Session(service, match, this, this.stop.signal);
    void this.session.run();
    void this.useRules(this.session, language);
  }
  /** Gives a session the rules of the attribute, if there is one, when they are loaded. */
  async useRules(session, language) {
    const url = this.getAttribute("rules");
    if (url) {
      session.rules = await loadLocalRules(url, language);
      this.dispatchEvent(new CustomEvent("chitarrella-rules", { detail: session.rules !== null }));
    }
  }
  showClock() {
    const { match, words } = this.session?.state ?? {};
    const deadline = match?.deadline;
    const left = deadline ? Math.max(0, Math.ceil((Date.parse(deadline) - Date.now()) / 1e3)) : 0;
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    setText(this.clock, deadline ? `${words?.clock}: ${time}` : "");
  }
};
function statusOf(state) {
  const { match, names, words } = state;
  const { waiting, turn } = match.view;
  if (match.aborted) {
    return words.aborted;
  }
  if (waiting === "WAITING_NOBODY") {
    return words.finished;
  }
  if (waiting !== "WAITING_SEAT" || turn === void 0) {
    return words.chance;
  }
  return state.isMyTurn ? words.yourTurn : fill3(words.waitFor, { who: names.seat(turn) });
}
function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

// web/client.ts
if (!customElements.get("chitarrella-table")) {
  customElements.define("chitarrella-table", ChitarrellaTable);
}
export {
  ChitarrellaTable
};
