// Built from clients/typescript/web by npm run web; do not edit.

// web/dom.ts
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== void 0 && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter(isShown));
  return element;
}
function button(id, text, press, attributes = {}) {
  const element = make("button", { type: "button", "data-id": id, ...attributes }, text);
  element.addEventListener("click", press);
  return element;
}
function replace(root, parent, fallback, ...children) {
  const focused = root.activeElement;
  const id = focused && parent.contains(focused) ? focused.getAttribute("data-id") ?? "" : void 0;
  const open = new Set([...parent.querySelectorAll("details[open]")].map((one) => one.getAttribute("data-id")));
  parent.replaceChildren(...children.filter(isShown));
  for (const details of parent.querySelectorAll("details")) {
    details.open = open.has(details.getAttribute("data-id"));
  }
  if (id !== void 0) {
    const same = parent.querySelector(`[data-id="${CSS.escape(id)}"]`);
    (same ?? parent.querySelector(fallback) ?? parent).focus();
  }
}
function isShown(child) {
  return child !== void 0 && child !== false && child !== "";
}

// web/cards.ts
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
  const picture = make("img", { src: state.service.url(card.pictureUrl), alt: "", draggable: "false" });
  picture.addEventListener("error", () => picture.replaceWith(text));
  return picture;
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
function verbOfCards(game, view, choices) {
  const verbs = game.moves.filter((spec) => spec.maxCards > 0 && !spec.byChance);
  const inPhase = verbs.find((spec) => spec.phases.includes(view.phase));
  return choices.byCards[0]?.verb ?? (inPhase ?? verbs[0])?.verb;
}
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

// web/english.ts
var ENGLISH = {
  seat: "Seat {seat}",
  you: "you",
  bot: "bot: {bot}",
  turn: "to move",
  yourTurn: "Your turn",
  waitFor: "{who} to move",
  chance: "The cards are being shuffled",
  finished: "The match is finished",
  aborted: "The match was aborted",
  won: "won",
  score: "score",
  cards: "{count} cards",
  card: "1 card",
  faceDown: "face down",
  ledBy: "led by {who}",
  tricks: "tricks taken: {count}",
  lastTrick: "last trick",
  legal: "can be played",
  allowed: "can be played instead",
  play: "Play",
  clear: "Clear the selection",
  selected: "Selected",
  moves: "Moves",
  table: "Table",
  log: "What happened",
  refused: "Not allowed",
  clause: "Clause {key}",
  close: "Close",
  clock: "time left",
  bank: "bank",
  addSeed: "Add a seed to the shuffle",
  connecting: "Connecting",
  connected: "Connected",
  reconnecting: "The connection is lost; connecting again",
  moved: "The match has moved on; choose again",
  to: "to {who}",
  language: "Language",
  game: "Game",
  players: "Players",
  options: "Options",
  whoPlays: "Who plays",
  player: "Player {number}",
  me: "I",
  friend: "another person",
  start: "Start the match",
  starting: "Starting",
  invite: "Invite",
  inviteText: "A link is the key of its seat: give it only to who plays there.",
  copy: "Copy the link",
  copied: "Copied",
  qrCode: "QR code",
  watch: "Link for spectators",
  newMatch: "New match",
  title: "Play",
  rules: "Rule book",
  default: "default",
  takeBack: "Ask to take the last move back",
  asksTakeBack: "{who} asks to take the last move back",
  agree: "Agree",
  decline: "Decline",
  withdraw: "Withdraw",
  clockSettings: "Clock",
  moveSeconds: "Seconds for each move (0: no limit)",
  bankSeconds: "Seconds in reserve for the whole match",
  allViews: "All views side by side",
  allViewsText: "What every seat, the public and the referee see at the same moment. The address holds the key of the referee: keep it to yourself.",
  viewOf: "View: {who}",
  publicView: "Public",
  refereeView: "Referee",
  afterMoves: "Moves, those of chance included:",
  openCopy: "Open a copy of the match after these moves",
  readMoves: "Go to the last move",
  requests: "Requests",
  requestsText: "What this page has asked the service, the latest first. A copied program contains the key.",
  programLanguage: "Show as",
  copyProgram: "Copy",
  sendAgain: "Send again",
  sendStale: "Send with a stale revision",
  cutStream: "Cut the stream of events",
  answer: "Answer: {status}",
  askTitle: "Ask the rules",
  askText: "Lay out a trick, a hand, or cards that were taken: which cards may be played and why not the others, who takes the trick, what the cards count. The address is the question, to be passed on.",
  hand: "Hand",
  trick: "Trick",
  taken: "Cards taken",
  trump: "Trump suit",
  noTrumps: "no trumps",
  unknown: "unknown",
  stock: "Stock",
  stockEmpty: "empty",
  stockLeft: "cards are left",
  tapInto: "Tap a card to add it: {row}",
  putBack: "press to put it back",
  takes: "takes the trick",
  takesTrick: "{card} takes the trick",
  mayBeRefused: "may be refused",
  dependsOn: "It depends on: {parts}",
  copyQuestion: "Copy the link to this question"
};

// web/german.ts
var GERMAN = {
  seat: "Platz {seat}",
  you: "du",
  bot: "Bot: {bot}",
  turn: "am Zug",
  yourTurn: "Du bist am Zug",
  waitFor: "Am Zug: {who}",
  chance: "Die Karten werden gemischt",
  finished: "Die Partie ist beendet",
  aborted: "Die Partie wurde abgebrochen",
  won: "gewonnen",
  score: "Punktestand",
  cards: "{count} Karten",
  card: "1 Karte",
  faceDown: "verdeckt",
  ledBy: "ausgespielt von {who}",
  tricks: "Stiche: {count}",
  lastTrick: "letzter Stich",
  legal: "kann gespielt werden",
  allowed: "kann stattdessen gespielt werden",
  play: "Spielen",
  clear: "Auswahl aufheben",
  selected: "Ausgewählt",
  moves: "Züge",
  table: "Tisch",
  log: "Was geschah",
  refused: "Nicht erlaubt",
  clause: "Regel {key}",
  close: "Schließen",
  clock: "Restzeit",
  bank: "Vorrat",
  addSeed: "Einen Seed zum Mischen beitragen",
  connecting: "Verbindung wird hergestellt",
  connected: "Verbunden",
  reconnecting: "Verbindung verloren; neuer Versuch",
  moved: "Die Partie ist weitergegangen; wähle noch einmal",
  to: "an {who}",
  language: "Sprache",
  game: "Spiel",
  players: "Spieler",
  options: "Optionen",
  whoPlays: "Wer spielt",
  player: "Spieler {number}",
  me: "ich",
  friend: "eine andere Person",
  start: "Partie beginnen",
  starting: "Es wird begonnen",
  invite: "Einladen",
  inviteText: "Ein Link ist der Schlüssel seines Platzes: gib ihn nur dem, der dort spielt.",
  copy: "Link kopieren",
  copied: "Kopiert",
  qrCode: "QR-Code",
  watch: "Link für Zuschauer",
  newMatch: "Neue Partie",
  title: "Spielen",
  rules: "Regelbuch",
  default: "Vorgabe",
  takeBack: "Um Rücknahme des letzten Zuges bitten",
  asksTakeBack: "{who} bittet um Rücknahme des letzten Zuges",
  agree: "Zustimmen",
  decline: "Ablehnen",
  withdraw: "Zurückziehen",
  clockSettings: "Uhr",
  moveSeconds: "Sekunden für jeden Zug (0: unbegrenzt)",
  bankSeconds: "Sekunden Vorrat für die ganze Partie",
  allViews: "Alle Ansichten nebeneinander",
  allViewsText: "Was jeder Platz, das Publikum und der Schiedsrichter im selben Augenblick sehen. Die Adresse enthält den Schlüssel des Schiedsrichters: behalte sie für dich.",
  viewOf: "Ansicht: {who}",
  publicView: "Publikum",
  refereeView: "Schiedsrichter",
  afterMoves: "Züge, die des Zufalls eingeschlossen:",
  openCopy: "Kopie der Partie nach diesen Zügen öffnen",
  readMoves: "Zum letzten Zug",
  requests: "Anfragen",
  requestsText: "Was diese Seite den Dienst gefragt hat, das Letzte zuerst. Ein kopiertes Programm enthält den Schlüssel.",
  programLanguage: "Zeigen als",
  copyProgram: "Kopieren",
  sendAgain: "Noch einmal senden",
  sendStale: "Mit veralteter Revision senden",
  cutStream: "Ereignisstrom unterbrechen",
  answer: "Antwort: {status}",
  askTitle: "Frag die Regeln",
  askText: "Lege einen Stich, eine Hand oder gestochene Karten aus: welche Karten gespielt werden dürfen und warum die anderen nicht, wem der Stich gehört, was die Karten zählen. Die Adresse ist die Frage, zum Weitergeben.",
  hand: "Hand",
  trick: "Stich",
  taken: "Gestochene Karten",
  trump: "Trumpffarbe",
  noTrumps: "kein Trumpf",
  unknown: "unbekannt",
  stock: "Talon",
  stockEmpty: "leer",
  stockLeft: "es sind noch Karten da",
  tapInto: "Tippe eine Karte an, um sie hinzuzufügen: {row}",
  putBack: "drücken, um sie zurückzulegen",
  takes: "macht den Stich",
  takesTrick: "Der Stich geht an: {card}",
  mayBeRefused: "kann verweigert werden",
  dependsOn: "Es hängt ab von: {parts}",
  copyQuestion: "Link zu dieser Frage kopieren"
};

// web/italian.ts
var ITALIAN = {
  seat: "Posto {seat}",
  you: "tu",
  bot: "bot: {bot}",
  turn: "di turno",
  yourTurn: "Tocca a te",
  waitFor: "Tocca a: {who}",
  chance: "Si mescolano le carte",
  finished: "La partita è finita",
  aborted: "La partita è stata interrotta",
  won: "ha vinto",
  score: "punteggio",
  cards: "{count} carte",
  card: "1 carta",
  faceDown: "a faccia in giù",
  ledBy: "uscita: {who}",
  tricks: "prese fatte: {count}",
  lastTrick: "ultima presa",
  legal: "si può giocare",
  allowed: "si può giocare invece",
  play: "Gioca",
  clear: "Annulla la scelta",
  selected: "Scelte",
  moves: "Mosse",
  table: "Tavolo",
  log: "Che cosa è successo",
  refused: "Non permesso",
  clause: "Regola {key}",
  close: "Chiudi",
  clock: "tempo rimasto",
  bank: "riserva",
  addSeed: "Aggiungi un seme alla mescolata",
  connecting: "Collegamento in corso",
  connected: "Collegato",
  reconnecting: "Collegamento perso; si riprova",
  moved: "La partita è andata avanti; scegli di nuovo",
  to: "a {who}",
  language: "Lingua",
  game: "Gioco",
  players: "Giocatori",
  options: "Opzioni",
  whoPlays: "Chi gioca",
  player: "Giocatore {number}",
  me: "io",
  friend: "un'altra persona",
  start: "Comincia la partita",
  starting: "Si comincia",
  invite: "Invita",
  inviteText: "Un collegamento è la chiave del suo posto: dallo solo a chi vi gioca.",
  copy: "Copia il collegamento",
  copied: "Copiato",
  qrCode: "Codice QR",
  watch: "Collegamento per chi guarda",
  newMatch: "Nuova partita",
  title: "Gioca",
  rules: "Libro delle regole",
  default: "predefinito",
  takeBack: "Chiedi di riprendere l'ultima mossa",
  asksTakeBack: "{who} chiede di riprendere l'ultima mossa",
  agree: "Accetta",
  decline: "Rifiuta",
  withdraw: "Ritira",
  clockSettings: "Orologio",
  moveSeconds: "Secondi per ogni mossa (0: senza limite)",
  bankSeconds: "Secondi di riserva per tutta la partita",
  allViews: "Tutte le vedute affiancate",
  allViewsText: "Ciò che vedono nello stesso momento ogni posto, il pubblico e l'arbitro. L'indirizzo contiene la chiave dell'arbitro: tienilo per te.",
  viewOf: "Veduta: {who}",
  publicView: "Pubblico",
  refereeView: "Arbitro",
  afterMoves: "Mosse, comprese quelle del caso:",
  openCopy: "Apri una copia della partita dopo queste mosse",
  readMoves: "Vai all'ultima mossa",
  requests: "Richieste",
  requestsText: "Che cosa questa pagina ha chiesto al servizio, l'ultima richiesta per prima. Un programma copiato contiene la chiave.",
  programLanguage: "Mostra come",
  copyProgram: "Copia",
  sendAgain: "Manda di nuovo",
  sendStale: "Manda con una revisione superata",
  cutStream: "Interrompi il flusso degli eventi",
  answer: "Risposta: {status}",
  askTitle: "Chiedi alle regole",
  askText: "Disponi una presa, una mano o le carte prese: quali carte si possono giocare e perché le altre no, di chi è la presa, quanto contano le carte. L'indirizzo è la domanda, da passare ad altri.",
  hand: "Mano",
  trick: "Presa",
  taken: "Carte prese",
  trump: "Seme di briscola",
  noTrumps: "senza briscola",
  unknown: "non si sa",
  stock: "Mazzo",
  stockEmpty: "finito",
  stockLeft: "ci sono ancora carte",
  tapInto: "Tocca una carta per aggiungerla: {row}",
  putBack: "premi per rimetterla",
  takes: "fa la presa",
  takesTrick: "La presa va a: {card}",
  mayBeRefused: "può essere rifiutata",
  dependsOn: "Dipende da: {parts}",
  copyQuestion: "Copia il collegamento a questa domanda"
};

// web/words.ts
var ALL = { en: ENGLISH, it: ITALIAN, de: GERMAN };
function chooseLanguage(...tags) {
  const codes = tags.map((tag) => (tag ?? "").toLowerCase().split("-")[0] ?? "");
  return codes.find((code) => code in ALL) ?? "en";
}
function wordsOf(language) {
  return ALL[language] ?? ENGLISH;
}
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

// web/names.ts
function spaced(word) {
  return word.replaceAll("_", " ");
}
function label(text) {
  return text.replace(/\.$/, "");
}
function short(text) {
  return label(text.split(/[,;:]/)[0] ?? "");
}
var Names = class {
  constructor(game, match, words) {
    this.game = game;
    this.match = match;
    this.words = words;
    this.cards = new Map(game.cards.map((card) => [card.code, card]));
    this.specs = new Map(game.moves.map((spec) => [spec.verb, spec]));
  }
  game;
  match;
  words;
  cards;
  specs;
  cardOf(code) {
    return this.cards.get(code);
  }
  card(code) {
    return this.cards.get(code)?.name ?? code;
  }
  /** A list of cards; hidden ones are counted. */
  cardList(codes, hidden = 0) {
    const seen = codes.map((code) => this.card(code));
    return [...seen, ...hidden ? [this.count(hidden)] : []].join(", ");
  }
  count(cards) {
    return cards === 1 ? this.words.card : fill(this.words.cards, { count: cards });
  }
  suit(code) {
    return this.game.suits.find((suit) => suit.code === code)?.name ?? "";
  }
  /** A suit, a card, a rank or another word. */
  word(word) {
    return this.suit(word) || this.cards.get(word)?.name || spaced(word);
  }
  verb(verb) {
    const description = this.specs.get(verb)?.description;
    return description ? label(description) : spaced(verb);
  }
  zone(name) {
    const spec = this.game.zones.find((zone) => zone.name === name);
    return spec ? short(spec.description) : spaced(name);
  }
  /** The name of a seat: that of the player, if there is one. */
  seat(seat) {
    const player = this.match.playerNames.find((one) => one.seat === seat)?.name;
    const number = fill(this.words.seat, { seat });
    return player ? `${player} (${number})` : number;
  }
  /** The same, with what else a reader wants to know of who sits there. */
  sitter(seat) {
    const bot = this.match.bots.find((one) => one.seat === seat)?.bot;
    const more = [seat === this.match.seat ? this.words.you : "", bot ? fill(this.words.bot, { bot }) : ""];
    return [this.seat(seat), ...more.filter(Boolean)].join(", ");
  }
  shares(shares) {
    const person = (one) => /^\d+$/.test(one) ? this.seat(Number(one)) : one;
    return shares.map((share) => `${person(share.person)}: ${share.amount}`).join(", ");
  }
  value(fact) {
    if (fact.shares) {
      return this.shares(fact.shares.shares);
    }
    return fact.word === void 0 ? String(fact.number ?? fact.money ?? "") : this.word(fact.word);
  }
  /** What tells a move from the others of its verb; empty where there is nothing. */
  details(move) {
    const parts = [
      this.cardList(move.cards),
      move.choice && this.word(move.choice),
      move.amount === void 0 ? "" : String(move.amount),
      move.seat === void 0 ? "" : this.seat(move.seat),
      this.shares(move.shares)
    ];
    return parts.filter(Boolean).join(", ");
  }
  /** An event in a line. */
  event(event) {
    const what = spaced(event.kind);
    const parts = [
      event.seat === void 0 ? what : `${this.seat(event.seat)}: ${what}`,
      event.word && this.word(event.word),
      event.amount === void 0 ? "" : String(event.amount),
      event.other === void 0 ? "" : fill(this.words.to, { who: this.seat(event.other) }),
      this.shares(event.shares),
      this.cardList(event.cards, event.hidden)
    ];
    return parts.filter(Boolean).join(", ");
  }
};

// web/board.ts
var TAKEN = "taken";
function otherSeats(state, actions) {
  return make("div", { class: "seats" }, ...seatNumbers(state, false).map((seat) => seatPanel(seat, state, actions)));
}
function ownSeats(state, actions) {
  const own = seatNumbers(state, true).sort((one, other) => Number(one === state.mine) - Number(other === state.mine));
  return make("div", { class: "own" }, ...own.map((seat) => seatPanel(seat, state, actions)));
}
function middle(state, actions) {
  const { view } = state.match;
  const zones = view.zones.filter((zone) => zone.seat === void 0);
  const label2 = state.words.table;
  return make(
    "section",
    { class: "middle", "aria-label": label2 },
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
  const head = make("h3", {}, names.sitter(seat));
  const marks = [toMove ? words.turn : "", won ? words.won : ""].filter(Boolean);
  const bank = match.bankMs[seat];
  return make(
    "section",
    { class: toMove ? "seat turn" : "seat", "aria-label": names.sitter(seat) },
    head,
    ...marks.map((mark) => make("strong", { class: "tag" }, mark)),
    make("p", { class: "score" }, `${words.score}: ${view.scores[seat] ?? 0}`),
    bank !== void 0 && make("p", {}, `${words.bank}: ${Math.round(Number(bank) / 1e3)} s`),
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
  return make(
    "details",
    { "data-id": id },
    make("summary", { "data-id": `${id} summary` }, text),
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
  return make(
    "div",
    { class: "zone", role: "group", "aria-label": state.words.lastTrick },
    make("p", { class: "caption" }, state.words.lastTrick + caption),
    make("div", { class: "cards" }, ...last.cards.map((code) => shownCard(code, state)))
  );
}
function zonePanel(zone, state, actions) {
  const { names, words } = state;
  const leader = zone.leader === void 0 ? "" : ` (${fill(words.ledBy, { who: names.seat(zone.leader) })})`;
  const caption = names.zone(zone.name) + leader;
  const whose = zone.seat === void 0 ? caption : `${caption}, ${names.seat(zone.seat)}`;
  const hidden = zone.size - zone.cards.length;
  const attributes = { class: "zone", role: "group", "data-zone": zone.name, "aria-label": whose };
  return make(
    "div",
    attributes,
    make("p", { class: "caption" }, caption),
    make(
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
    make("dt", { lang: "en" }, spaced(fact.name)),
    make("dd", { "data-fact": fact.name }, state.names.value(fact))
  ]);
  return make("dl", { class: "facts" }, ...rows);
}

// web/panels.ts
var MANY = 12;
function movesPanel(state, actions) {
  const { words, match, mine } = state;
  const groups = [...state.choices.byVerb].map(([verb, moves]) => verbGroup(verb, moves, state, actions));
  const selection = selectionGroup(state, actions);
  const seeds = mine !== void 0 && match.awaitingSeedsFrom.includes(mine);
  const seed = seeds && button("seed", words.addSeed, () => actions.addSeed());
  const all = [...groups, selection, seed, takeBack(state, actions)];
  return all.some(Boolean) ? make("section", { class: "moves", "aria-label": words.moves }, ...all) : void 0;
}
function takeBack({ match, mine, names, words }, actions) {
  if (mine === void 0 || match.aborted || match.view.waiting === "WAITING_NOBODY" || match.seat === void 0) {
    return void 0;
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
  return make("section", { class: "refusal", role: "alert" }, make("h3", {}, words.refused), ...items, close);
}
function refusalText(refusal, state) {
  const { clause, message, page, allowedCards } = refusal;
  const link = { href: state.service.page(page), target: "_blank", rel: "noopener noreferrer", "data-id": clause.key };
  const allowed = allowedCards.length ? `${state.words.allowed}: ${state.names.cardList(allowedCards)}` : "";
  return make(
    "div",
    {},
    make("p", {}, make("strong", {}, message)),
    make("blockquote", {}, clause.text, " ", make("a", link, fill(state.words.clause, { key: clause.key }))),
    allowed && make("p", {}, allowed)
  );
}
function verbGroup(verb, moves, state, actions) {
  const name = state.names.verb(verb);
  const [only] = moves;
  if (only && moves.length === 1 && !state.names.details(only)) {
    return make(
      "div",
      {},
      button(idOf(only), name, () => actions.play(only))
    );
  }
  const group = make("fieldset", {}, make("legend", {}, name));
  if (moves.length > MANY) {
    group.append(...longList(verb, moves, state, actions));
  } else {
    const label2 = (move) => state.names.details(move) || name;
    group.append(...moves.map((move) => button(idOf(move), label2(move), () => actions.play(move))));
  }
  return group;
}
function longList(verb, moves, state, actions) {
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
  return make("fieldset", {}, make("legend", {}, `${words.selected}: ${cards}`), ...made, clear);
}
function idOf(move) {
  return `move ${JSON.stringify(move)}`;
}

// web/service.ts
var ATTEMPTS = 4;
var PAUSE_MS = 400;
var SILENCE_MS = 6e4;
var ServiceError = class extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
  status;
  code;
};
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
var Service = class {
  constructor(base, language, key = "", seat, onExchange) {
    this.base = base;
    this.language = language;
    this.key = key;
    this.seat = seat;
    this.onExchange = onExchange;
  }
  base;
  language;
  key;
  seat;
  onExchange;
  /** The address of a path, such as "/docs/rules/GAME#CLAUSE", below that of the service. */
  url(path) {
    return this.base.replace(/\/$/, "") + path;
  }
  /** The page of a clause in the language of the reader. */
  page(path) {
    const [page, anchor = ""] = path.split("#");
    return this.url(`${page}?language=${this.language}#${anchor}`);
  }
  async games() {
    const { games } = await this.call("/v1/games?pageSize=100");
    return games;
  }
  game(id, edition = 0) {
    return this.call(`/v1/games/${encodeURIComponent(id)}${edition ? `?edition=${edition}` : ""}`);
  }
  /** Creates a match; `more` are further fields of the request. */
  createMatch(ruleSet, more = {}) {
    return this.call("/v1/matches", { ruleSet, ...more, requestId: randomId() });
  }
  /** Creates a match from the first moves of a record. */
  async importMatch(record, moveCount, expiresAfterSeconds) {
    const body = { record, moveCount, expiresAfterSeconds, requestId: randomId() };
    const { created } = await this.call("/v1/matches:import", body);
    return created;
  }
  /** The record of a match, for the referee at any time. */
  async record(id) {
    const { record } = await this.call(`${at(id)}/record`);
    return record;
  }
  /** Asks to take the last decision back, or answers such a request. */
  takeBack(id, seat, decline) {
    return this.call(`${at(id)}:takeBack`, { seat, decline, requestId: randomId() });
  }
  assignBot(match, seat, bot) {
    return this.call(`${at(match)}:assignBot`, { seat, bot });
  }
  match(id) {
    return this.call(at(id) + this.query("?"));
  }
  legalMoves(id) {
    return this.call(`${at(id)}/moves${this.query("?")}`);
  }
  validateMove(id, seat, move) {
    return this.call(`${at(id)}:validateMove`, { seat, move });
  }
  /** Plays a move at one revision. A refusal is a result. */
  play(id, seat, move, expectedRevision) {
    return this.call(`${at(id)}/moves`, { seat, move, expectedRevision, requestId: randomId() });
  }
  /** Every move of the only hand of a partial position, explained. */
  explainHand(partialPosition) {
    return this.call("/v1/rules:explainHand", { partialPosition });
  }
  resolveTrick(question) {
    return this.call("/v1/rules:resolveTrick", question);
  }
  scoreCards(question) {
    return this.call("/v1/rules:scoreCards", question);
  }
  contributeSeed(id, seat) {
    return this.call(`${at(id)}:contributeSeed`, { seat, clientSeed: randomId(), requestId: randomId() });
  }
  /** Reads the stream of a match from a cursor until it ends; a long silence counts as a cut. */
  async *watch(id, cursor, stop) {
    const cut = new AbortController();
    const end = () => cut.abort();
    stop.addEventListener("abort", end);
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const path = `${at(id)}:watch?cursor=${encodeURIComponent(cursor)}${this.query("&")}`;
      const answer = await this.send(path, void 0, "application/x-ndjson", cut.signal);
      for await (const line of lines(answer)) {
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
        yield messageOf(line);
      }
    } finally {
      clearTimeout(silence);
      stop.removeEventListener("abort", end);
      cut.abort();
    }
  }
  /** Calls the service, again after a lost call: a request with a body has a request id, or is idempotent. */
  async call(path, body) {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.send(path, body);
        return await answer.json();
      } catch (error) {
        const known = error instanceof ServiceError ? error : new ServiceError(0, "unavailable", String(error));
        if (known.status !== 0 && known.status !== 503 || attempt === ATTEMPTS) {
          throw known;
        }
        await pause(PAUSE_MS * 2 ** attempt);
      }
    }
  }
  async send(path, body, accept = "application/json", signal) {
    const headers = { accept, "accept-language": this.language };
    if (this.key) {
      headers["authorization"] = `Bearer ${this.key}`;
    }
    const request = { headers, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-cache" };
    if (signal) {
      request.signal = signal;
    }
    if (body) {
      headers["content-type"] = "application/json";
      Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    }
    const answer = await fetch(this.url(path), request);
    void this.report(path, request, headers, answer);
    if (!answer.ok && !(answer.status === 422 && !isProblem(answer))) {
      throw await problem(answer);
    }
    return answer;
  }
  /** The seat of the referee's view as a part of a query. */
  query(before) {
    return this.seat === void 0 ? "" : `${before}seat=${this.seat}`;
  }
  /** Reports a request to who listens; the answer of a stream is left out. */
  async report(path, request, headers, answer) {
    if (this.onExchange) {
      const { method = "GET", body } = request;
      const isStream = headers["accept"] !== "application/json";
      const text = isStream ? "" : await answer.clone().text();
      const sent = typeof body === "string" ? { body } : {};
      this.onExchange({ method, url: this.url(path), headers, ...sent, status: answer.status, answer: text });
    }
  }
};
function at(match) {
  return `/v1/matches/${encodeURIComponent(match)}`;
}
function isProblem(answer) {
  return (answer.headers.get("content-type") ?? "").startsWith("application/problem+json");
}
async function problem(answer) {
  const { code = "", detail = "", title = "" } = await answer.json().catch(() => ({}));
  return new ServiceError(answer.status, code, detail || title || answer.statusText);
}
function messageOf(line) {
  const { error, ...message } = JSON.parse(line);
  if (error) {
    throw new ServiceError(error.status, error.code, error.detail || error.title);
  }
  return message;
}
async function* lines(answer) {
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (; ; ) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    rest += decoder.decode(value, { stream: true });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    yield* whole.filter((line) => line.trim());
  }
}

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

// web/session.ts
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
      await pause(wait);
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
        const result = await this.service.play(this.id, state.mine, move, state.legal.revision);
        await this.refresh();
        this.showRefusals(result);
      });
    }
  }
  /** Adds a random seed of this seat to the next shuffle. */
  async addSeed() {
    await this.once(async () => {
      await this.service.contributeSeed(this.id, this.state?.mine);
      await this.refresh();
    });
  }
  /** Asks to take the last decision back, or answers such a request. */
  async takeBack(decline) {
    await this.once(async () => {
      await this.service.takeBack(this.id, this.state?.mine, decline);
      await this.refresh();
    });
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
    await this.once(async () => this.showRefusals(await this.service.validateMove(this.id, state.mine, move), ids));
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
    this.game ??= await this.service.game(match.ruleSet.gameId, match.ruleSet.edition);
    const legal = await this.legalMoves(match, asked);
    const { state } = this;
    if (this.stop.aborted || state && match.revision < state.match.revision) {
      return;
    }
    const names = new Names(this.game, match, wordsOf(this.service.language));
    const next = new State(match, legal, names, this.service);
    if (state && state.legal.revision === legal.revision) {
      Object.assign(next, { selected: state.selected, refusals: state.refusals, refused: state.refused });
    }
    this.state = next;
    this.listener.show(next);
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

// web/style.ts
var RULES = `
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
.table { background: var(--felt); border-radius: .7rem; padding: .7rem; overflow-wrap: anywhere; }
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
.card { position: relative; display: inline-block; width: var(--width); min-height: calc(var(--width) * 1.5);
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
  font-size: .7rem; font-weight: bold; line-height: 1.5; white-space: nowrap; border-radius: 0 0 .3rem .3rem; }
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
summary { min-height: 1.5rem; cursor: pointer; }
.log { margin-top: .6rem; }
[role=log] { max-height: 9rem; overflow-y: auto; font-size: .9rem; }
[role=log] ol { list-style: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; box-shadow: 0 0 0 2px #000000; }
.refusal :focus-visible { outline-color: #0b4fa0; }
@container (max-width: 28rem) { .table { padding: .4rem; } .card { width: min(var(--width), 3.4rem); } }
@media (prefers-reduced-motion: reduce) { * { transition: none; } }
@media (forced-colors: active) { button.card.allowed { outline: 4px double; } }
`;
function style() {
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES);
  return rules;
}

// web/table.ts
var LOG_LINES = 200;
var STYLE = style();
var HOME = new URL("./", import.meta.url).href;
var ChitarrellaTable = class extends HTMLElement {
  static observedAttributes = ["match", "key", "seat", "language", "service"];
  root = this.attachShadow({ mode: "open" });
  heading = make("h2");
  status = make("p", { class: "status", role: "status" });
  clock = make("p", { class: "clock", role: "timer" });
  connection = make("p", { class: "connection", role: "status" });
  board = make("div", { class: "board", tabindex: -1 });
  logTitle = make("h3");
  log = make("ol");
  logView = make("div", { role: "log", "aria-live": "polite", tabindex: 0 }, this.log);
  frame = make("section", { class: "table" });
  secret;
  session;
  stop = new AbortController();
  tick;
  isRestarting = false;
  constructor() {
    super();
    this.root.adoptedStyleSheets = [STYLE];
    const head = make("header", {}, this.heading, this.status, this.clock, this.connection);
    const log = make("div", { class: "log" }, this.logTitle, this.logView);
    this.frame.append(head, this.board, log);
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
  }
  attributeChangedCallback() {
    this.restart();
  }
  /** Cuts the stream of events; the table connects again. */
  cutStream() {
    this.session?.cutStream();
  }
  /** Shows a state. */
  show(state) {
    const { names, words } = state;
    const actions = this.actions();
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
  }
  /** Adds events to the log, where they are announced. */
  announce(events, names) {
    this.log.append(...events.map((event) => make("li", {}, names.event(event))));
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
  actions() {
    const { session } = this;
    return {
      tap: (card) => void session?.tap(card),
      play: (move) => void session?.play(move),
      clear: () => session?.clear(),
      addSeed: () => void session?.addSeed(),
      takeBack: (decline) => void session?.takeBack(decline)
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
    this.board.replaceChildren();
    this.log.replaceChildren();
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
    const emit = (detail) => void this.dispatchEvent(new CustomEvent("chitarrella-exchange", { detail }));
    const home = this.getAttribute("service") ?? HOME;
    const service = new Service(home, language, this.key, seat === null ? void 0 : Number(seat), emit);
    this.session = new Session(service, match, this, this.stop.signal);
    void this.session.run();
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
  return state.isMyTurn ? words.yourTurn : fill(words.waitFor, { who: names.seat(turn) });
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
