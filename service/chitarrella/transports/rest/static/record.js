// Built from clients/typescript/web by npm run web; do not edit.

// web/cards.ts
import { make } from "./shared.js?3bb71f9c88257ee3";
function shownCard(code, state) {
  return make("span", { class: "card", role: "img", "aria-label": state.names.card(code) }, face(code, state));
}
function playableCard(card, state, actions) {
  const { names, words, choices } = state;
  const legal = state.isPlayable(card);
  const allowed = state.isAllowed(card);
  const broken = state.refused.includes(card.id) ? state.refusals[0] : void 0;
  const refused = broken && `${words.refused}: ${broken.clause.key}`;
  const notes = [refused, allowed ? words.allowed : legal && words.legal];
  const kinds = ["card", legal && "legal", choices.byCards.length > 0 && !legal && "dim", allowed && "allowed"];
  const attributes = {
    type: "button",
    class: kinds.filter(Boolean).join(" "),
    "data-id": card.id,
    "aria-label": [names.card(card.code), ...notes.filter(Boolean)].join(", "),
    "aria-pressed": choices.selecting ? String(state.isSelected(card)) : void 0
  };
  const element = make("button", attributes, face(card.code, state));
  if (broken) {
    element.classList.add("refused");
    element.setAttribute("aria-description", `${broken.message} ${broken.clause.text}`);
    element.append(make("span", { class: "clause", "aria-hidden": "true" }, `✗ ${broken.clause.key}`));
  }
  if (allowed) {
    element.append(make("span", { class: "mark", "aria-hidden": "true" }, "✓"));
  }
  element.addEventListener("click", () => actions.tap(card));
  return element;
}
function hiddenCards(count, state) {
  const { names, words } = state;
  return make(
    "span",
    { class: "hidden" },
    make("span", { class: "back", "aria-hidden": "true" }),
    `${names.count(count)}, ${words.faceDown}`
  );
}
function face(code, state) {
  const card = state.names.cardOf(code);
  const text = textFace(code, state.names);
  if (!card?.pictureUrl) {
    return text;
  }
  const picture2 = make("img", { src: state.service.url(card.pictureUrl), alt: "", draggable: "false" });
  picture2.addEventListener("error", () => picture2.replaceWith(text));
  return picture2;
}
function textFace(code, names) {
  const card = names.cardOf(code);
  const suit = card ? names.suit(card.suit) : "";
  const rank = card?.rank || code;
  const under = suit || (card && card.name !== rank ? card.name : "");
  return make(
    "span",
    { class: "face", "aria-hidden": "true" },
    make("span", { class: "rank" }, rank),
    under && make("span", { class: "suit" }, under)
  );
}

// web/choices.ts
var HAND_ZONES = ["hand", "turn_up"];
function isHandZone(zone, seats) {
  return HAND_ZONES.includes(zone.name) && zone.seat !== void 0 && seats.has(zone.seat);
}
function seatsPlayed(view, mine, moves) {
  const played = /* @__PURE__ */ new Set();
  if (mine === void 0) {
    return played;
  }
  played.add(mine);
  for (const { name, seat, number } of view.facts) {
    if (name === "controller" && number === mine && seat !== void 0) {
      played.add(seat);
    }
  }
  for (const { seat } of moves) {
    if (seat !== void 0) {
      played.add(seat);
    }
  }
  return played;
}
function cardsOfZone(zone) {
  const seat = zone.seat ?? 0;
  return zone.cards.map((code, place) => {
    const copy = zone.cards.slice(0, place).filter((other) => other === code).length;
    return { code, seat, id: `${zone.name} ${seat} ${code} ${copy}` };
  });
}
var Choices = class {
  constructor(moves, hand, mine) {
    this.mine = mine;
    const byCards = moves.filter((move) => move.cards.length && isContained(this.cardsOf(move), hand.map(keyOf)));
    this.byCards = byCards;
    this.selecting = byCards.some((move) => move.cards.length > 1);
    const byVerb = /* @__PURE__ */ new Map();
    for (const move of moves.filter((one) => !byCards.includes(one))) {
      byVerb.set(move.verb, [...byVerb.get(move.verb) ?? [], move]);
    }
    this.byVerb = byVerb;
  }
  mine;
  /** Moves that are made by choosing cards of the hand. */
  byCards;
  /** All others, by verb. */
  byVerb;
  /** Cards are selected first, because some move takes several. */
  selecting;
  /** The moves that selected cards make. */
  made(selected) {
    const keys = selected.map(keyOf).sort().join();
    return this.byCards.filter((move) => this.cardsOf(move).sort().join() === keys);
  }
  /** Whether selected cards can become a legal move with more cards, or are one. */
  canBecomeMove(selected) {
    return this.byCards.some((move) => isContained(selected.map(keyOf), this.cardsOf(move)));
  }
  cardsOf(move) {
    const seat = move.seat ?? this.mine ?? 0;
    return move.cards.map((code) => keyOf({ code, seat, id: "" }));
  }
};
function keyOf({ code, seat }) {
  return `${seat} ${code}`;
}
function isContained(part, whole) {
  const rest = [...whole];
  return part.every((key) => {
    const place = rest.indexOf(key);
    if (place < 0) {
      return false;
    }
    rest.splice(place, 1);
    return true;
  });
}

// web/board.ts
import { make as make2 } from "./shared.js?3bb71f9c88257ee3";
import { fill } from "./shared.js?3bb71f9c88257ee3";
var TAKEN = "taken";
var MANY_CARDS = 10;
function otherSeats(state, actions) {
  return make2("div", { class: "seats" }, ...seatNumbers(state, false).map((seat) => seatPanel(seat, state, actions)));
}
function middle(state, actions) {
  const { view } = state.match;
  const zones = view.zones.filter((zone) => zone.seat === void 0);
  const label = state.words.table;
  return make2(
    "section",
    { class: "middle", "aria-label": label },
    ...zonePanels(zones, state, actions),
    lastTrick(state),
    facts(
      view.facts.filter((fact) => fact.seat === void 0),
      state
    )
  );
}
function seatNumbers(state, own) {
  return state.match.view.scores.map((_, seat) => seat).filter((seat) => state.seats.has(seat) === own);
}
function seatPanel(seat, state, actions) {
  const { match, names, words } = state;
  const { view } = match;
  const toMove = view.waiting === "WAITING_SEAT" && view.turn === seat;
  const won = view.outcome?.winners.includes(seat);
  const head = make2("h3", {}, names.sitter(seat));
  const marks = [toMove ? words.turn : "", won ? words.won : ""].filter(Boolean);
  const bank = match.bankMs[seat];
  return make2(
    "section",
    { class: toMove ? "seat turn" : "seat", "aria-label": names.sitter(seat) },
    head,
    ...marks.map((mark) => make2("strong", { class: "tag" }, mark)),
    make2("p", { class: "score" }, `${words.score}: ${view.scores[seat] ?? 0}`),
    bank !== void 0 && make2("p", {}, `${words.bank}: ${Math.round(Number(bank) / 1e3)} s`),
    ...zonePanels(
      view.zones.filter((zone) => zone.seat === seat),
      state,
      actions
    ),
    facts(
      view.facts.filter((fact) => fact.seat === seat),
      state
    )
  );
}
function zonePanels(zones, state, actions) {
  const tricks = zones.filter((zone) => zone.name === TAKEN);
  const panels = zones.filter((zone) => zone.name !== TAKEN).map((zone) => zonePanel(zone, state, actions));
  return tricks.length ? [...panels, taken(tricks, state, actions)] : panels;
}
function taken(tricks, state, actions) {
  const text = fill(state.words.tricks, { count: tricks.length });
  const id = `${TAKEN} ${tricks[0]?.seat}`;
  const last = [...tricks].reverse();
  return make2(
    "details",
    { "data-id": id },
    make2("summary", { "data-id": `${id} summary` }, text),
    ...last.map((zone) => zonePanel(zone, state, actions))
  );
}
function lastTrick(state) {
  const { zones } = state.match.view;
  const isPlaying = zones.some((zone) => zone.name === "trick" && zone.size > 0);
  const last = zones.filter((zone) => zone.name === TAKEN).at(-1);
  if (isPlaying || !last?.cards.length) {
    return void 0;
  }
  const caption = last.seat === void 0 ? "" : `: ${state.names.seat(last.seat)}`;
  return make2(
    "div",
    { class: "zone", role: "group", "aria-label": state.words.lastTrick },
    make2("p", { class: "caption" }, state.words.lastTrick + caption),
    make2("div", { class: "cards" }, ...last.cards.map((code) => shownCard(code, state)))
  );
}
function zonePanel(zone, state, actions) {
  const { names, words } = state;
  const leader = zone.leader === void 0 ? "" : ` (${fill(words.ledBy, { who: names.seat(zone.leader) })})`;
  const caption = names.zone(zone.name) + leader;
  const whose = zone.seat === void 0 ? caption : `${caption}, ${names.seat(zone.seat)}`;
  const hidden = zone.size - zone.cards.length;
  const isMany = zone.cards.length > MANY_CARDS && !isHandZone(zone, state.seats);
  const attributes = {
    class: isMany ? "zone many" : "zone",
    role: "group",
    "data-zone": zone.name,
    "aria-label": whose
  };
  return make2(
    "div",
    attributes,
    make2("p", { class: "caption" }, caption),
    make2(
      "div",
      { class: "cards" },
      ...cardsOf(zone, state, actions),
      (hidden > 0 || zone.size === 0) && (hidden > 0 ? hiddenCards(hidden, state) : names.count(0))
    )
  );
}
function cardsOf(zone, state, actions) {
  if (!isHandZone(zone, state.seats)) {
    return zone.cards.map((code) => shownCard(code, state));
  }
  const order = new Map(state.names.game.cards.map((card, place) => [card.code, place]));
  const sorted = [...cardsOfZone(zone)].sort((one, other) => (order.get(one.code) ?? 0) - (order.get(other.code) ?? 0));
  return sorted.map((card) => playableCard(card, state, actions));
}
function facts(list, state) {
  if (!list.length) {
    return void 0;
  }
  const rows = list.flatMap((fact) => [
    make2("dt", {}, state.names.fact(fact.name)),
    make2("dd", { "data-fact": fact.name }, state.names.value(fact))
  ]);
  return make2("dl", { class: "facts" }, ...rows);
}

// web/record_element.ts
import { make as make4, replace } from "./shared.js?3bb71f9c88257ee3";
import { Names } from "./shared.js?3bb71f9c88257ee3";

// web/record_style.ts
var RULES = `
.record:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.steps { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; margin: .4rem 0; }
.steps button { min-height: 2.75rem; min-width: 2.75rem; padding: 0 .5rem; border: 2px solid var(--ink); border-radius: .4rem;
  background: var(--paper); color: var(--ink); font: inherit; cursor: pointer; }
.steps button svg { display: block; width: 1.2rem; height: 1.2rem; margin: auto; fill: currentColor; }
.steps button[aria-disabled="true"] { opacity: .5; cursor: default; }
.steps label { display: flex; flex: 1 1 10rem; gap: .5rem; align-items: center; min-width: 0; }
.steps input { flex: 1; min-width: 4rem; min-height: 1.5rem; accent-color: var(--accent); }
.events { background: var(--paper); color: var(--ink); border-radius: .4rem; padding: .3rem .6rem; margin-bottom: .6rem;
  height: 6.4rem; overflow-y: auto; }
.zone:is([data-zone="stock"], [data-zone="pack"]) .card { width: 1.9rem; min-height: 0; }
.invalid { background: var(--paper); color: var(--ink); border: 3px solid #b3261e; border-radius: .5rem; padding: .6rem;
  margin-bottom: .6rem; }
.invalid:empty { display: none; }
.invalid a { color: #0b4fa0; display: inline-block; min-height: 1.5rem; }
.invalid pre { margin: .3rem 0; overflow-x: auto; font-size: .85rem; }
`;
function recordStyle() {
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES);
  return rules;
}

// web/record_text.ts
var HEADINGS = ["game", "players", "edition", "position", "option", "sandbox"];
var TRAILERS = ["shuffle", "signature"];
var TABLE = "table";
var OPTION = "option ";
var RecordError = class extends Error {
  constructor(code, line, message) {
    super(message);
    this.code = code;
    this.line = line;
  }
  code;
  line;
};
function readRecord(text) {
  const headings = /* @__PURE__ */ new Map();
  const lines = /* @__PURE__ */ new Map();
  const moves = [];
  for (const [place, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = place + 1;
    const [head, rest] = halves(raw.replace(/\|.*/s, "").trim());
    if (!moves.length && HEADINGS.includes(head)) {
      const [key, value] = heading(head, rest);
      if (lines.has(key)) {
        throw new RecordError("bad_record", line, `"${key}" is given twice.`);
      }
      headings.set(key, value);
      lines.set(key, line);
    } else if (/^(table|\d+)$/.test(head)) {
      moves.push(moveLine(line, head, rest));
    } else if (head && !TRAILERS.includes(head)) {
      throw new RecordError("bad_record", line, `"${head.slice(0, 40)}" begins neither a heading nor a move.`);
    }
  }
  return { ...rulesOf(headings, lines), moves, lines };
}
function moveLine(line, head, text) {
  return head === TABLE ? { line, text } : { line, text, seat: Number(head) };
}
function heading(head, rest) {
  const [name, value] = halves(rest);
  return head === "option" ? [OPTION + name, value] : [head, rest];
}
function rulesOf(headings, lines) {
  const gameId = headings.get("game");
  if (!gameId) {
    throw new RecordError("bad_record", 0, 'A line "game KEY" is missing.');
  }
  const number = (name) => numberIn(headings.get(name) ?? "0", name, lines.get(name) ?? 0);
  const options = [...headings].filter(([key]) => key.startsWith(OPTION));
  return {
    ruleSet: {
      gameId,
      players: number("players"),
      options: Object.fromEntries(options.map(([key, value]) => [key.slice(OPTION.length), value])),
      edition: number("edition")
    },
    position: headings.get("position") ?? "",
    sandbox: headings.get("sandbox") === "true"
  };
}
function parseMove({ text, line }, game) {
  const [verb = "", ...parts] = text.split(/\s+/).filter(Boolean);
  const spec = game.moves.find((one) => one.verb === verb);
  if (!spec) {
    throw new RecordError("malformed_move", line, `"${verb.slice(0, 40)}" is no move of ${game.summary.gameId}.`);
  }
  const seat = parts.at(-1)?.startsWith("@") ? numberIn((parts.pop() ?? "").slice(1), "seat", line) : void 0;
  const isShare = (part) => spec.shares && part.includes(":");
  const shares = parts.filter(isShare).map((part) => shareIn(part, line));
  const rest = parts.filter((part) => !isShare(part));
  const amount = spec.amount && rest.length ? numberIn(rest.pop() ?? "", "amount", line) : void 0;
  const choice = takesChoice(spec, rest) ? rest.pop() ?? "" : "";
  return {
    verb,
    cards: rest,
    choice,
    shares,
    ...amount === void 0 ? {} : { amount },
    ...seat === void 0 ? {} : { seat }
  };
}
function takesChoice(spec, rest) {
  return spec.choices.length > 0 && rest.length > spec.minCards;
}
function shareIn(text, line) {
  const at = text.lastIndexOf(":");
  const amount = numberIn(text.slice(at + 1), "shares", line);
  try {
    return { person: decodeURIComponent(text.slice(0, at)), amount };
  } catch {
    throw new RecordError("malformed_move", line, `"${text.slice(0, 40)}" names no person.`);
  }
}
function numberIn(text, what, line) {
  if (!/^-?\d{1,16}$/.test(text)) {
    throw new RecordError("bad_record", line, `${what}: "${text.slice(0, 40)}" is no whole number.`);
  }
  return Number(text);
}
function halves(text) {
  const [head = ""] = text.split(/\s/, 1);
  return [head, text.slice(head.length).trim()];
}

// web/record_words.ts
var ENGLISH = {
  title: "Records",
  text: "A record is a whole match as text. Paste one, drop a file on this page, or open an example; then step through it with the arrow keys.",
  paste: "Record",
  show: "Show the record",
  open: "Open a file",
  example: "Example",
  chooseExample: "Choose a game",
  embed: "Show it on another page",
  embedText: "This works on any page: the script comes from this service, and so do the rules.",
  copy: "Copy",
  copied: "Copied",
  notation: "How records are written",
  record: "Record",
  first: "First step",
  back: "Step back",
  forward: "Step forward",
  last: "Last step",
  playOn: "Play on",
  pause: "Pause",
  step: "Step {step} of {last}",
  stepLabel: "Step",
  beginning: "The beginning of the record.",
  noEvents: "Nothing that is told.",
  loading: "Reading the record",
  empty: "There is no record here.",
  sandbox: "A test: its shuffles may have been known beforehand.",
  invalid: "The record is not valid",
  atLine: "Line {line}",
  upTo: "The moves before it are shown.",
  code: "Code {code}",
  clause: "Clause {key}",
  duelTitle: "Bots' duel",
  duelText: "Bots play each other, and you watch with all cards open. The chart shows the score of each seat after every deal.",
  game: "Game",
  players: "Players",
  seat: "Seat {seat}",
  bot: "Bot",
  random: "random: any legal move",
  greedy: "greedy: takes what a rule of thumb likes best",
  search: "search: samples the hidden cards",
  start: "Start the duel",
  again: "Another duel",
  next: "Next deal",
  pace: "Seconds between moves",
  chart: "Score after each deal",
  deal: "Deal",
  waiting: "Waiting for the first deal to end.",
  deals: "Deals: {deals}",
  finished: "The match is finished.",
  readRecord: "Read the record"
};
var ITALIAN = {
  title: "Partite scritte",
  text: "Qui si legge una partita intera, scritta come testo. Incollarla, trascinare un file su questa pagina o aprire un esempio; poi si va passo per passo con i tasti freccia.",
  paste: "Testo",
  show: "Mostrare la partita",
  open: "Aprire un file",
  example: "Esempio",
  chooseExample: "Scegliere un gioco",
  embed: "Mostrarla su un'altra pagina",
  embedText: "Funziona su ogni pagina: lo script viene da questo servizio, e così le regole.",
  copy: "Copiare",
  copied: "Copiato",
  notation: "Come si scrivono le partite",
  record: "Partita scritta",
  first: "Primo passo",
  back: "Un passo indietro",
  forward: "Un passo avanti",
  last: "Ultimo passo",
  playOn: "Far scorrere",
  pause: "Pausa",
  step: "Passo {step} di {last}",
  stepLabel: "Passo",
  beginning: "L'inizio della partita scritta.",
  noEvents: "Nulla da raccontare.",
  loading: "Lettura della partita",
  empty: "Qui non c'è nessuna partita.",
  sandbox: "Una prova: le mescolate potevano essere note prima.",
  invalid: "La partita scritta non è valida",
  atLine: "Riga {line}",
  upTo: "Si vedono le mosse precedenti.",
  code: "Codice {code}",
  clause: "Regola {key}",
  duelTitle: "Duello dei bot",
  duelText: "I bot giocano fra loro, a carte scoperte per chi guarda. Il grafico mostra il punteggio di ogni posto dopo ogni smazzata.",
  game: "Gioco",
  players: "Giocatori",
  seat: "Posto {seat}",
  bot: "Bot",
  random: "random: una mossa lecita qualsiasi",
  greedy: "greedy: prende ciò che una regola pratica preferisce",
  search: "search: prova le carte nascoste a campione",
  start: "Cominciare il duello",
  again: "Un altro duello",
  next: "Prossima smazzata",
  pace: "Secondi fra le mosse",
  chart: "Punteggio dopo ogni smazzata",
  deal: "Smazzata",
  waiting: "Si attende la fine della prima smazzata.",
  deals: "Smazzate: {deals}",
  finished: "L'incontro è finito.",
  readRecord: "Leggere la partita"
};
var GERMAN = {
  title: "Aufzeichnungen",
  text: "Eine Aufzeichnung ist ein ganzes Match als Text. Fügen Sie eine ein, ziehen Sie eine Datei auf diese Seite oder öffnen Sie ein Beispiel; mit den Pfeiltasten geht es Schritt für Schritt weiter.",
  paste: "Aufzeichnung",
  show: "Aufzeichnung zeigen",
  open: "Datei öffnen",
  example: "Beispiel",
  chooseExample: "Spiel wählen",
  embed: "Auf einer anderen Seite zeigen",
  embedText: "Das geht auf jeder Seite: das Skript kommt von diesem Dienst, die Regeln ebenso.",
  copy: "Kopieren",
  copied: "Kopiert",
  notation: "Wie Aufzeichnungen geschrieben werden",
  record: "Aufzeichnung",
  first: "Erster Schritt",
  back: "Schritt zurück",
  forward: "Schritt vor",
  last: "Letzter Schritt",
  playOn: "Abspielen",
  pause: "Anhalten",
  step: "Schritt {step} von {last}",
  stepLabel: "Schritt",
  beginning: "Der Anfang der Aufzeichnung.",
  noEvents: "Nichts, was zu erzählen wäre.",
  loading: "Die Aufzeichnung wird gelesen",
  empty: "Hier ist keine Aufzeichnung.",
  sandbox: "Ein Test: das Mischen konnte vorher bekannt sein.",
  invalid: "Die Aufzeichnung ist nicht gültig",
  atLine: "Zeile {line}",
  upTo: "Die Züge davor werden gezeigt.",
  code: "Code {code}",
  clause: "Regel {key}",
  duelTitle: "Duell der Bots",
  duelText: "Bots spielen gegeneinander, und Sie sehen alle Karten offen. Die Kurven zeigen den Stand jedes Platzes nach jedem Spiel.",
  game: "Spiel",
  players: "Spieler",
  seat: "Platz {seat}",
  bot: "Bot",
  random: "random: irgendein erlaubter Zug",
  greedy: "greedy: nimmt, was eine Faustregel vorzieht",
  search: "search: probiert verdeckte Karten durch",
  start: "Duell beginnen",
  again: "Noch ein Duell",
  next: "Nächstes Spiel",
  pace: "Sekunden zwischen den Zügen",
  chart: "Stand nach jedem Spiel",
  deal: "Spiel",
  waiting: "Das erste Spiel ist noch nicht zu Ende.",
  deals: "Spiele: {deals}",
  finished: "Das Match ist zu Ende.",
  readRecord: "Aufzeichnung lesen"
};
var ALL = { en: ENGLISH, it: ITALIAN, de: GERMAN };
function recordWordsOf(language) {
  return ALL[language] ?? ENGLISH;
}

// web/replay.ts
import { ServiceError } from "./shared.js?3bb71f9c88257ee3";
var MOST_MOVES = 1e3;
var AHEAD = 16;
var RefusedMove = class extends RecordError {
  constructor(line, refusals) {
    super(refusals[0]?.code ?? "", line, refusals[0]?.message ?? "");
    this.refusals = refusals;
  }
  refusals;
};
var Replay = class _Replay {
  constructor(service, game, record, moves, error) {
    this.service = service;
    this.game = game;
    this.record = record;
    this.moves = moves;
    this.error = error;
  }
  service;
  game;
  record;
  moves;
  error;
  steps = /* @__PURE__ */ new Map();
  loading = Promise.resolve();
  /** Reads the game and validates every move; throws `RecordError` if there is nothing to show. */
  static async of(service, record) {
    const { gameId, edition } = record.ruleSet;
    const game = await service.game(gameId, edition).catch((error2) => {
      throw errorAt(error2, record.lines.get("game") ?? 0);
    });
    const all = [];
    let error;
    for (const line of record.moves) {
      try {
        all.push(moveOf(line, game));
      } catch (malformed) {
        error = malformed;
        break;
      }
    }
    const first = await beginning(service, record);
    const checked = await check(service, record, first.position, all);
    const replay = new _Replay(service, game, record, all.slice(0, checked.count), checked.error ?? error);
    replay.steps.set(0, first);
    return replay;
  }
  /** The number of the last step. */
  get last() {
    return this.moves.length;
  }
  /** Adds the moves by which a record that the service has written has grown. */
  extend(record) {
    this.moves.push(...record.moves.slice(this.last).map((line) => moveOf(line, this.game)));
  }
  /** The step after so many moves. */
  async at(number) {
    if (!this.steps.has(number)) {
      this.loading = this.loading.catch(() => void 0).then(() => this.load(number));
      await this.loading;
    }
    return this.steps.get(number);
  }
  /** What some viewers see after so many moves. */
  async views(number, viewers) {
    const { position } = await this.at(number);
    const answers = await this.service.batch(viewers.map((viewer) => ({ getView: { ...viewer, position } })));
    return answers.map(({ getView, error }) => {
      if (!getView) {
        throw new RecordError(error?.code ?? "", 0, error?.message ?? "");
      }
      return getView.view;
    });
  }
  /** Asks for a step and the following ones, from the nearest step before that is known. */
  async load(number) {
    if (this.steps.has(number)) {
      return;
    }
    let known = number - 1;
    while (!this.steps.has(known)) {
      known--;
    }
    const questions = chunks(this.moves.slice(known, number - 1));
    const before = questions.length;
    const last = Math.min(number + AHEAD - 1, this.last);
    questions.push(...this.moves.slice(number - 1, last).map((move) => [move]));
    const answers = await applyAll(this.service, this.steps.get(known).position, questions);
    for (const [place, answer] of answers.slice(before).entries()) {
      const { view, events, position, chanceRequest } = answerOf(answer);
      this.steps.set(number + place, { view, events, position, chanceRequest });
    }
  }
};
async function beginning(service, { ruleSet, position, lines }) {
  const given = position ? { ruleSet, text: position } : void 0;
  const view = { referee: true, ...given ? { position: given } : {} };
  const questions = given ? [{ getView: view }] : [{ startGame: { ruleSet } }, { positionOf: 0, getView: view }];
  const answers = await service.batch(questions);
  const failed = answers.find((answer) => answer.error)?.error;
  if (failed) {
    throw new RecordError(failed.code, headingLine(failed, lines), failed.message);
  }
  const start = given ?? answers[0]?.startGame?.position;
  const { chanceRequest } = answers[0]?.startGame ?? {};
  return { view: answers.at(-1)?.getView?.view, events: [], position: start, chanceRequest };
}
async function check(service, record, start, moves) {
  const parts = chunks(moves);
  const answers = parts.length ? await applyAll(service, start, parts) : [];
  let count = 0;
  for (const [place, answer] of answers.entries()) {
    if (answer.error) {
      const index = Number(/moves\[(\d+)\]/.exec(answer.error.field)?.[1] ?? 0);
      return checkedUpTo(service, record, start, moves, count + index, answer.error);
    }
    const { applied, refusals } = answerOf(answer);
    count += applied;
    if (applied < (parts[place]?.length ?? 0)) {
      return { count, error: new RefusedMove(record.moves[count]?.line ?? 0, refusals) };
    }
  }
  return { count, error: void 0 };
}
async function checkedUpTo(service, record, start, moves, index, error) {
  const before = await check(service, record, start, moves.slice(0, index));
  return before.error ? before : { count: index, error: new RecordError(error.code, record.moves[index]?.line ?? 0, error.message) };
}
function applyAll(service, start, lists) {
  const questions = lists.map(
    (moves, place) => place ? { positionOf: place - 1, applyMoves: { moves } } : { applyMoves: { position: start, moves } }
  );
  return service.batch(questions);
}
function moveOf(line, game) {
  const move = parseMove(line, game);
  return line.seat === void 0 ? { move } : { move, seat: line.seat };
}
function answerOf(answer) {
  if (!answer.applyMoves) {
    throw new RecordError(answer.error?.code ?? "", 0, answer.error?.message ?? "");
  }
  return answer.applyMoves;
}
function chunks(moves) {
  const count = Math.ceil(moves.length / MOST_MOVES);
  return Array.from({ length: count }, (_, place) => moves.slice(place * MOST_MOVES, (place + 1) * MOST_MOVES));
}
function headingLine({ code, field }, lines) {
  const option = [...lines].find(([key]) => key.startsWith(OPTION) && field.includes(key.slice(OPTION.length)));
  const names = {
    unknown_game: "game",
    bad_players: "players",
    edition_not_supported: "edition",
    bad_position: "position"
  };
  return option?.[1] ?? lines.get(names[code] ?? "") ?? 0;
}
function errorAt(error, line) {
  return error instanceof ServiceError && error.status ? new RecordError(error.code, line, error.message) : error;
}

// web/record_element.ts
import { Service } from "./shared.js?3bb71f9c88257ee3";

// web/state.ts
var State = class {
  constructor(match, legal, names, service) {
    this.match = match;
    this.legal = legal;
    this.names = names;
    this.service = service;
    this.mine = match.seat ?? legal.seat;
    this.seats = seatsPlayed(match.view, this.mine, legal.moves);
    this.hand = match.view.zones.filter((zone) => isHandZone(zone, this.seats)).flatMap(cardsOfZone);
    this.choices = new Choices(legal.moves, this.hand, this.mine);
  }
  match;
  legal;
  names;
  service;
  /** The seat that the reader acts for; undefined for the public. */
  mine;
  seats;
  hand;
  choices;
  selected = [];
  refusals = [];
  /** The ids of the cards that are refused. */
  refused = [];
  get words() {
    return this.names.words;
  }
  /** The reader has to move; a move out of turn may be possible otherwise. */
  get isMyTurn() {
    const { turn, waiting } = this.match.view;
    return waiting === "WAITING_SEAT" && this.legal.moves.length > 0 && turn !== void 0 && this.seats.has(turn);
  }
  /** Whether a card can be played, alone or together with those that are selected. */
  isPlayable(card) {
    const others = this.choices.selecting ? this.selected.filter((one) => one.id !== card.id) : [];
    return this.choices.canBecomeMove([...others, card]);
  }
  isSelected(card) {
    return this.selected.some((one) => one.id === card.id);
  }
  /** Whether a refusal says that the card may be played instead. */
  isAllowed(card) {
    return this.refusals.some((refusal) => refusal.allowedCards.includes(card.code));
  }
};

// web/step_controls.ts
import { button, make as make3 } from "./shared.js?3bb71f9c88257ee3";
import { fill as fill2 } from "./shared.js?3bb71f9c88257ee3";
var SVG = "http://www.w3.org/2000/svg";
var STEP_MS = 1500;
var SIGNS = {
  first: "M5 4h3v16H5zM20 4v16L9 12z",
  back: "M17 4v16L6 12z",
  playOn: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  forward: "M7 4v16l11-8z",
  last: "M16 4h3v16h-3zM4 4v16l11-8z"
};
var StepControls = class {
  constructor(control) {
    this.control = control;
    const go = (to) => () => {
      this.stop();
      void control.goTo(to());
    };
    this.buttons = {
      first: signed(
        "first",
        go(() => 0)
      ),
      back: signed(
        "back",
        go(() => control.current - 1)
      ),
      playOn: signed("playOn", () => this.toggle()),
      forward: signed(
        "forward",
        go(() => control.current + 1)
      ),
      last: signed(
        "last",
        go(() => control.last)
      )
    };
    this.slider.addEventListener("input", () => {
      this.stop();
      void control.goTo(Number(this.slider.value));
    });
    const { first, back, playOn, forward, last } = this.buttons;
    const label = make3("label", {}, this.count, this.slider);
    this.element = make3("div", { class: "steps", role: "group" }, first, back, playOn, forward, last, label);
  }
  control;
  element;
  /** Milliseconds for which a step is shown while the record plays on. */
  pace = STEP_MS;
  /** More moves may follow: at the last step the record waits for them instead of stopping. */
  isLive = false;
  slider = make3("input", { type: "range", min: 0, max: 0, value: 0 });
  count = make3("span");
  buttons;
  timer;
  words;
  /** Shows where the record is. */
  show(step, last, words) {
    this.words = words;
    this.element.setAttribute("aria-label", words.stepLabel);
    this.slider.max = String(last);
    this.slider.value = String(step);
    this.count.textContent = fill2(words.step, { step, last });
    this.slider.setAttribute("aria-label", words.stepLabel);
    this.slider.setAttribute("aria-valuetext", fill2(words.step, { step, last }));
    const { first, back, playOn, forward, last: end } = this.buttons;
    for (const [one, name, atEnd] of [
      [first, words.first, step === 0],
      [back, words.back, step === 0],
      [forward, words.forward, step === last],
      [end, words.last, step === last]
    ]) {
      named(one, name);
      one.setAttribute("aria-disabled", String(atEnd));
    }
    named(playOn, this.isPlaying ? words.pause : words.playOn);
    playOn.replaceChildren(picture(this.isPlaying ? "pause" : "playOn"));
  }
  /** Steps by a key; the slider has keys of its own. */
  press(event) {
    const target = event.composedPath()[0];
    if (target === this.slider || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    const steps = {
      ArrowLeft: this.control.current - 1,
      ArrowRight: this.control.current + 1,
      Home: 0,
      End: this.control.last
    };
    const step = steps[event.key];
    if (step !== void 0) {
      event.preventDefault();
      this.stop();
      void this.control.goTo(step);
    }
  }
  /** Stops playing on. */
  stop() {
    clearTimeout(this.timer);
    this.timer = void 0;
    this.refresh();
  }
  /** Whether the record plays on. */
  get isPlaying() {
    return this.timer !== void 0;
  }
  /** Plays on, from the beginning if all was shown. */
  play() {
    const { current, last } = this.control;
    if (!this.isPlaying && (this.isLive || last > 0)) {
      void this.advance(current === last && !this.isLive ? 0 : current + 1);
    }
  }
  toggle() {
    if (this.isPlaying) {
      this.stop();
    } else {
      this.play();
    }
  }
  async advance(step) {
    const timer = setTimeout(() => void this.next(), this.pace);
    this.timer = timer;
    if (step <= this.control.last) {
      await this.control.goTo(step);
    } else {
      this.refresh();
    }
    if (this.timer === timer && step >= this.control.last && !this.isLive) {
      this.stop();
    }
  }
  next() {
    return this.advance(this.control.current + 1);
  }
  refresh() {
    if (this.words) {
      this.show(this.control.current, this.control.last, this.words);
    }
  }
};
function signed(sign, press) {
  const element = button(sign, "", press);
  element.append(picture(sign));
  return element;
}
function picture(sign) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SIGNS[sign]);
  svg.append(path);
  return svg;
}
function named(element, name) {
  element.setAttribute("aria-label", name);
  element.title = name;
}

// web/style.ts
var RULES2 = `
:host {
  --felt: var(--chitarrella-felt, #1d5c3f);
  --on-felt: var(--chitarrella-on-felt, #ffffff);
  --paper: var(--chitarrella-paper, #fffdf5);
  --ink: var(--chitarrella-ink, #1b1b1b);
  --accent: var(--chitarrella-accent, #ffd54a);
  --width: var(--chitarrella-card-width, 4rem);
  display: block; container-type: inline-size; color: var(--on-felt);
  font: var(--chitarrella-font, 1rem/1.4 system-ui, sans-serif);
}
:host([hidden]) { display: none; }
*, *::before { box-sizing: border-box; }
.table { --size: var(--width); background: var(--felt); border-radius: .7rem; padding: .7rem; overflow-wrap: anywhere; }
h2, h3, p, dl, dd, ol, blockquote { margin: 0; padding: 0; }
h2 { font-size: 1.2rem; }
h3 { font-size: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; margin-bottom: .5rem; }
.status { font-weight: bold; }
.board { display: grid; gap: .7rem; }
.seats { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); }
.own { display: grid; gap: .5rem; }
.seat, .middle { border: 2px solid #ffffff40; border-radius: .5rem; padding: .4rem .6rem; }
.seat.turn { border: 2px dashed var(--accent); }
.seat h3 { display: inline; margin-right: .5rem; }
.tag { background: var(--accent); color: #1b1b1b; border-radius: .3rem; padding: 0 .4rem; }
.middle { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; background: #00000030; }
.zone { margin-top: .3rem; }
.caption { font-size: .85rem; }
.seats { font-size: .9rem; }
.cards { display: flex; flex-wrap: wrap; gap: .35rem; align-items: end; min-height: 1.5rem; }
.facts { display: grid; grid-template-columns: auto 1fr; gap: 0 .6rem; font-size: .85rem; align-content: start; }
.hidden { display: inline-flex; gap: .4rem; align-items: center; }
.back { width: 1.2rem; height: 1.8rem; border: 2px solid #ffffff; border-radius: .2rem; background:
  repeating-linear-gradient(45deg, #8a1c1c 0 3px, #b94a4a 3px 6px); }
.card { position: relative; display: inline-block; width: var(--size); min-height: calc(var(--size) * 1.5);
  padding: 0; border: 2px solid var(--ink); border-radius: .4rem; background: var(--paper); color: var(--ink);
  font: inherit; text-align: center; overflow-wrap: anywhere; }
.card img { display: block; width: 100%; height: auto; border-radius: .3rem; }
.face { display: grid; gap: .2rem; padding: .4rem .1rem; }
.rank { font-size: 1.3rem; font-weight: bold; line-height: 1.1; }
.suit { font-size: .8rem; line-height: 1.1; }
button.card { cursor: pointer; margin-top: .6rem; transition: transform .15s; }
button.card.legal { transform: translateY(-.5rem); border-width: 3px; }
button.card.dim { border-style: dashed; background: #cfcdc4; }
button.card[aria-pressed="true"] { transform: translateY(-.9rem); border-color: var(--accent);
  outline: 3px solid var(--accent); outline-offset: 0; }
button.card.allowed { border-color: var(--accent); box-shadow: 0 0 .6rem .3rem var(--accent); }
button.card.refused { border-color: #b3261e; }
.clause { position: absolute; inset-inline: 0; bottom: 0; padding: .1rem; background: #b3261e; color: #ffffff;
  font-size: .7rem; font-weight: bold; line-height: 1.3; border-radius: 0 0 .3rem .3rem; }
.mark { position: absolute; top: -.6rem; right: -.4rem; width: 1.3rem; height: 1.3rem; line-height: 1.3rem;
  border-radius: 50%; background: var(--accent); color: #1b1b1b; font-weight: bold; }
.moves { display: flex; flex-wrap: wrap; gap: .5rem; }
.moves button, .moves select, .refusal button { min-height: 2.5rem; min-width: 2.5rem; margin: .15rem; padding: .3rem .8rem;
  max-width: 100%; border: 2px solid var(--ink); border-radius: .4rem; background: var(--paper); color: var(--ink);
  font: inherit; cursor: pointer; }
.moves button.quiet { background: transparent; border-color: #ffffff80; color: inherit; font-size: .9rem; }
.moves button.primary { background: var(--accent); color: #1b1b1b; }
fieldset { border: 1px solid #ffffff80; border-radius: .4rem; margin: 0; padding: .2rem .4rem; min-width: 0; }
.refusal { background: var(--paper); color: var(--ink); border: 3px solid #b3261e; border-radius: .5rem; padding: .6rem; }
.refusal a { color: #0b4fa0; display: inline-block; min-height: 1.5rem; }
blockquote { border-left: 3px solid #b3261e; padding-left: .6rem; }
code { overflow-wrap: anywhere; font-size: .85rem; }
.seal ol, .seal ul { padding-left: 2rem; }
.seal li { margin-top: .4rem; }
.proof.holds, .proof.fails { font-weight: bold; }
.proof.fails { background: #b3261e; color: #ffffff; padding: .2rem .5rem; }
summary { min-height: 1.5rem; cursor: pointer; }
.still .log, .still .seal { display: none; }
.log { margin-top: .6rem; }
[role=log] { max-height: 9rem; overflow-y: auto; font-size: .9rem; }
[role=log] ol { list-style: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; box-shadow: 0 0 0 2px #000000; }
.refusal :focus-visible { outline-color: #0b4fa0; }
@container (max-width: 28rem) { .table { --size: min(var(--width), 3.4rem); padding: .4rem; } .seats { --size: 2.4rem; } }
@container (min-width: 48rem) { .table { --size: calc(var(--width) * 1.35); padding: 1rem 1.2rem; } .seats { --size: var(--width); }
  .own .cards, .own .caption { justify-content: center; text-align: center; } }
.zone.many { --size: 2.6rem; }
@media (prefers-reduced-motion: reduce) { button.card { transition: none; } }
@media (forced-colors: active) { button.card.allowed { outline: 4px double; } }
`;
function style() {
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES2);
  return rules;
}

// web/record_element.ts
import { chooseLanguage, fill as fill3, wordsOf } from "./shared.js?3bb71f9c88257ee3";
var STYLES = [style(), recordStyle()];
var HOME = new URL("./", import.meta.url).href;
var NO_ACTIONS = {
  tap: () => void 0,
  play: () => void 0,
  clear: () => void 0,
  addSeed: () => void 0,
  takeBack: () => void 0
};
var ChitarrellaRecord = class extends HTMLElement {
  static observedAttributes = ["src", "step", "language", "service"];
  root = this.attachShadow({ mode: "open" });
  heading = make4("h2");
  note = make4("p");
  controls = new StepControls(this);
  events = make4("div", { class: "events", role: "status", tabindex: 0 });
  invalid = make4("div", { class: "invalid", role: "alert" });
  board = make4("div", { class: "board", tabindex: -1 });
  frame = make4("section", { class: "table record", tabindex: 0 });
  text;
  replay;
  tableWords;
  service = new Service(HOME, "en");
  words = recordWordsOf("en");
  step = 0;
  isRestarting = false;
  started = 0;
  opening = Promise.resolve();
  constructor() {
    super();
    this.root.adoptedStyleSheets = STYLES;
    const head = make4("header", {}, this.heading, this.note);
    this.frame.append(head, this.controls.element, this.events, this.invalid, this.board);
    this.root.append(this.frame);
    this.frame.addEventListener("keydown", (event) => this.controls.press(event));
  }
  get record() {
    return this.text ?? "";
  }
  set record(text) {
    this.text = text;
    this.restart();
  }
  connectedCallback() {
    this.restart();
  }
  disconnectedCallback() {
    this.controls.stop();
  }
  attributeChangedCallback(name) {
    this.text = name === "src" ? void 0 : this.text;
    this.restart();
  }
  /** The number of the step that is shown. */
  get current() {
    return this.step;
  }
  /** The number of the last step. */
  get last() {
    return this.replay?.last ?? 0;
  }
  /** Whether the record plays on. */
  get isPlaying() {
    return this.controls.isPlaying;
  }
  /** Milliseconds for which a step is shown while the record plays on. */
  set pace(milliseconds) {
    this.controls.pace = milliseconds;
  }
  /** Plays on as a live record, which waits at its end for moves to be added. */
  playLive() {
    this.controls.isLive = true;
    this.controls.play();
  }
  /** Adds the moves by which the record has grown, and returns what the last one of them led to. */
  async extend(record) {
    await this.opening;
    this.text = record;
    this.replay?.extend(readRecord(record));
    this.controls.show(this.step, this.last, this.words);
    return this.replay?.at(this.last);
  }
  /** Shows a step, or the nearest one that there is. */
  async goTo(step) {
    const { replay } = this;
    if (!replay) {
      return;
    }
    this.step = Math.min(Math.max(step, 0), replay.last);
    const asked = this.step;
    this.controls.show(this.step, replay.last, this.words);
    try {
      const found = await replay.at(asked);
      if (replay === this.replay && asked === this.step) {
        this.show(found, replay);
      }
    } catch (error) {
      this.fail(error);
    }
  }
  /** Begins anew, once for all attributes that change together. */
  restart() {
    if (this.isConnected && !this.isRestarting) {
      this.isRestarting = true;
      this.opening = Promise.resolve().then(() => {
        this.isRestarting = false;
        return this.begin();
      });
    }
  }
  async begin() {
    const started = ++this.started;
    const language = chooseLanguage(this.getAttribute("language"), document.documentElement.lang, navigator.language);
    this.words = recordWordsOf(language);
    this.service = new Service(this.getAttribute("service") ?? HOME, language);
    this.replay = void 0;
    this.frame.lang = language;
    this.frame.setAttribute("aria-label", this.words.record);
    this.heading.textContent = this.words.record;
    this.note.textContent = "";
    this.controls.stop();
    this.controls.show(0, 0, this.words);
    this.invalid.replaceChildren();
    this.board.replaceChildren();
    this.events.textContent = this.words.loading;
    try {
      const text = await this.read();
      if (!text.trim()) {
        this.events.textContent = this.words.empty;
        return;
      }
      const replay = await Replay.of(this.service, readRecord(text));
      const tableWords = await this.service.tableWords(replay.game.summary.gameId);
      if (started === this.started) {
        await this.open(replay, tableWords);
      }
    } catch (error) {
      if (started === this.started) {
        this.events.textContent = "";
        this.fail(error);
      }
    }
  }
  /** The text of the record: the property, else what is at `src`, else what stands between the tags. */
  async read() {
    const source = this.getAttribute("src");
    if (this.text === void 0 && source) {
      const answer = await fetch(new URL(source, document.baseURI), { credentials: "same-origin" });
      if (!answer.ok) {
        throw new RecordError(String(answer.status), 0, `${source}: ${answer.statusText}`);
      }
      this.text = await answer.text();
    }
    this.text ??= this.textContent ?? "";
    return this.text;
  }
  async open(replay, tableWords) {
    this.replay = replay;
    this.tableWords = tableWords;
    const { title } = replay.game.summary;
    this.heading.textContent = title;
    this.note.textContent = replay.record.sandbox ? this.words.sandbox : "";
    this.frame.setAttribute("aria-label", `${this.words.record}: ${title}`);
    if (replay.error) {
      this.fail(replay.error);
    }
    await this.goTo(Number(this.getAttribute("step") ?? 0) || 0);
  }
  show({ view, events }, replay) {
    const { ruleSet } = replay.record;
    const match = {
      matchId: "",
      ruleSet,
      revision: this.step,
      view,
      sandbox: replay.record.sandbox,
      aborted: false,
      cursor: "",
      nextCommitment: "",
      awaitingSeedsFrom: [],
      bankMs: [],
      bots: [],
      playerNames: []
    };
    const names = new Names(replay.game, this.tableWords, match, wordsOf(this.service.language));
    const state = new State(match, { moves: [], revision: this.step }, names, this.service);
    const lines = events.map((event) => make4("p", {}, names.event(event)));
    const nothing = make4("p", {}, this.step ? this.words.noEvents : this.words.beginning);
    this.events.replaceChildren(...lines.length ? lines : [nothing]);
    this.events.scrollTop = 0;
    this.board.setAttribute("data-step", String(this.step));
    replace(this.root, this.board, "summary", middle(state, NO_ACTIONS), otherSeats(state, NO_ACTIONS));
    const detail = { step: this.step, last: replay.last };
    this.dispatchEvent(new CustomEvent("chitarrella-step", { detail }));
  }
  /** Shows what is wrong, with the code and the line. */
  fail(error) {
    const { words } = this;
    this.controls.stop();
    if (!(error instanceof RecordError)) {
      this.invalid.replaceChildren(make4("p", {}, error instanceof Error ? error.message : String(error)));
      return;
    }
    const { line, code, message } = error;
    const lineText = line ? (this.record.split(/\r\n|\r|\n/)[line - 1] ?? "").trim() : "";
    const place = line ? `${fill3(words.atLine, { line })}: ` : "";
    const refusals = error instanceof RefusedMove ? error.refusals : [];
    const texts = refusals.length ? refusals.map((one) => this.clause(one)) : [make4("p", {}, place, message)];
    this.invalid.replaceChildren(
      make4("p", {}, make4("strong", {}, words.invalid), ` · ${fill3(words.code, { code })}`),
      ...refusals.length ? [make4("p", {}, place)] : [],
      ...lineText ? [make4("pre", { tabindex: 0 }, lineText)] : [],
      ...texts,
      ...this.replay?.error === error ? [make4("p", {}, words.upTo)] : []
    );
  }
  clause({ message, clause, page }) {
    const link = make4("a", { href: this.service.page(page) }, fill3(this.words.clause, { key: clause.key }));
    return make4("blockquote", {}, make4("strong", {}, message), " ", clause.text, " ", link);
  }
};

// web/record.ts
if (!customElements.get("chitarrella-record")) {
  customElements.define("chitarrella-record", ChitarrellaRecord);
}
export {
  ChitarrellaRecord
};
