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
async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = make("textarea", { readonly: true }, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
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
    element.setAttribute("aria-description", `${names.reason(broken)} ${broken.clause.text}`);
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
  yes: "yes",
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
  aNumber: "a number",
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
  runOutClock: "Let the clock run out",
  noClock: "This match has no clock, or nobody has to move",
  answer: "Answer: {status}",
  sharedSeeds: "Fair deal: the cards are shuffled when every player has added a seed",
  shuffle: "Shuffle {number}",
  fairDeal: "Fair deal",
  fairDealText: "Before each shuffle the service publishes a commitment. When the cards are no longer secret it publishes the nonce, and this page computes by itself whether the order follows from it and the seeds.",
  nextCommitment: "Commitment to the next shuffle",
  seedsAwaited: "Seeds are awaited from: {who}",
  commitment: "Commitment",
  commitmentBroken: "A commitment that this page has seen was not kept",
  seenBefore: "seen by this page before the shuffle",
  notSeenBefore: "not seen by this page before the shuffle",
  seeds: "Seeds of the seats",
  ownSeed: "added by this page",
  seedChanged: "The seed of this seat is not the one that this page has added",
  nonce: "Nonce",
  proofHolds: "The proof holds: the order follows from the commitment and the seeds",
  proofFails: "The proof does not hold: the order does not follow from the commitment and the seeds",
  proofSecret: "The nonce is secret until all cards of the deal have been seen",
  proofSupplied: "The referee supplied this order; there is nothing to prove",
  proofInsecure: "This browser computes the proof only over https or on the machine of the service",
  history: "Events",
  historyText: "Choose an event, with a click or the arrow keys, to see what everybody saw after it. The match goes on meanwhile.",
  beginning: "Beginning",
  takenBackLater: "taken back later",
  present: "Back to the present",
  atRevision: "After revision {revision}",
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
  copyQuestion: "Copy the link to this question",
  copyAnswer: "Copy the answer",
  noTricks: "{game} is not played in tricks, so nothing can be asked about one.",
  according: "According to Chitarrella, in {game} with {players} players{situation}:",
  known: {
    trump: "trumps: {what}",
    trumpCard: "trump card: {what}",
    stock: "stock: {what}",
    trick: "trick: {what}",
    hand: "hand: {what}"
  },
  mayPlay: { one: "{cards} can be played", many: "{cards} can be played" },
  mayNotPlay: { one: "{cards} cannot be played", many: "{cards} cannot be played" },
  mayDepend: {
    one: "whether {cards} can be played depends on {parts}",
    many: "whether {cards} can be played depends on {parts}"
  },
  trumpCard: "Trump card",
  terms: {
    true: "yes",
    false: "no",
    card_points: "card points",
    half_points: "half points",
    units: "units",
    honours: "honours",
    points: "points",
    hand: "the hand",
    trick: "the trick",
    trump: "the trump suit",
    trump_card: "the trump card",
    stock_size: "the stock",
    declared_suit: "the declared suit",
    random: "random",
    greedy: "greedy",
    search: "search"
  }
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
  yes: "ja",
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
  aNumber: "eine Zahl",
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
  runOutClock: "Die Zeit ablaufen lassen",
  noClock: "Dieses Match hat keine Uhr, oder niemand ist am Zug",
  answer: "Antwort: {status}",
  sharedSeeds: "Faires Geben: gemischt wird, wenn jeder Spieler einen Startwert gegeben hat",
  shuffle: "Mischen {number}",
  fairDeal: "Faires Geben",
  fairDealText: "Vor jedem Mischen veröffentlicht der Dienst eine Festlegung. Wenn die Karten nicht mehr geheim sind, veröffentlicht er die Nonce, und diese Seite rechnet selbst nach, ob die Reihenfolge daraus und aus den Startwerten folgt.",
  nextCommitment: "Festlegung für das nächste Mischen",
  seedsAwaited: "Startwerte fehlen noch von: {who}",
  commitment: "Festlegung",
  commitmentBroken: "Eine Festlegung, die diese Seite gesehen hat, wurde nicht eingehalten",
  seenBefore: "von dieser Seite vor dem Mischen gesehen",
  notSeenBefore: "von dieser Seite vor dem Mischen nicht gesehen",
  seeds: "Startwerte der Plätze",
  ownSeed: "von dieser Seite gegeben",
  seedChanged: "Der Startwert dieses Platzes ist nicht der, den diese Seite gegeben hat",
  nonce: "Nonce",
  proofHolds: "Der Beweis stimmt: die Reihenfolge folgt aus der Festlegung und den Startwerten",
  proofFails: "Der Beweis stimmt nicht: die Reihenfolge folgt nicht aus der Festlegung und den Startwerten",
  proofSecret: "Die Nonce bleibt geheim, bis alle Karten des Spiels gesehen wurden",
  proofSupplied: "Der Schiedsrichter hat diese Reihenfolge vorgegeben; es gibt nichts zu beweisen",
  proofInsecure: "Dieser Browser rechnet den Beweis nur über https oder auf dem Rechner des Dienstes",
  history: "Ereignisse",
  historyText: "Wähle ein Ereignis, mit einem Klick oder den Pfeiltasten, um zu sehen, was danach alle sahen. Das Match geht inzwischen weiter.",
  beginning: "Anfang",
  takenBackLater: "später zurückgenommen",
  present: "Zurück zur Gegenwart",
  atRevision: "Nach Revision {revision}",
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
  copyQuestion: "Link zu dieser Frage kopieren",
  copyAnswer: "Antwort kopieren",
  noTricks: "{game} wird nicht in Stichen gespielt, also lässt sich nach keinem fragen.",
  according: "Laut Chitarrella gilt bei {game} mit {players} Spielern{situation}:",
  known: {
    trump: "Trumpf: {what}",
    trumpCard: "Trumpfkarte: {what}",
    stock: "Talon: {what}",
    trick: "Stich: {what}",
    hand: "Hand: {what}"
  },
  mayPlay: { one: "{cards} darf gespielt werden", many: "{cards} dürfen gespielt werden" },
  mayNotPlay: { one: "{cards} darf nicht gespielt werden", many: "{cards} dürfen nicht gespielt werden" },
  mayDepend: {
    one: "ob {cards} gespielt werden darf, hängt ab von: {parts}",
    many: "ob {cards} gespielt werden dürfen, hängt ab von: {parts}"
  },
  trumpCard: "Trumpfkarte",
  terms: {
    true: "ja",
    false: "nein",
    card_points: "Augen",
    half_points: "halbe Punkte",
    units: "Einer",
    honours: "Honneurs",
    points: "Punkte",
    hand: "Hand",
    trick: "Stich",
    trump: "Trumpffarbe",
    trump_card: "Trumpfkarte",
    stock_size: "Talon",
    declared_suit: "angesagte Farbe",
    random: "zufällig",
    greedy: "gierig",
    search: "mit Suche"
  }
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
  yes: "sì",
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
  aNumber: "un numero",
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
  runOutClock: "Lascia scadere il tempo",
  noClock: "Questa partita non ha orologio, o non tocca a nessuno",
  answer: "Risposta: {status}",
  sharedSeeds: "Smazzata equa: si mescola quando ogni giocatore ha aggiunto un seme",
  shuffle: "Mescolata {number}",
  fairDeal: "Smazzata equa",
  fairDealText: "Prima di ogni mescolata il servizio pubblica un impegno. Quando le carte non sono più segrete pubblica il nonce, e questa pagina calcola da sé se l'ordine segue da esso e dai semi.",
  nextCommitment: "Impegno per la prossima mescolata",
  seedsAwaited: "Si aspettano i semi di: {who}",
  commitment: "Impegno",
  commitmentBroken: "Un impegno che questa pagina ha visto non è stato mantenuto",
  seenBefore: "visto da questa pagina prima della mescolata",
  notSeenBefore: "non visto da questa pagina prima della mescolata",
  seeds: "Semi dei posti",
  ownSeed: "aggiunto da questa pagina",
  seedChanged: "Il seme di questo posto non è quello aggiunto da questa pagina",
  nonce: "Nonce",
  proofHolds: "La prova regge: l'ordine segue dall'impegno e dai semi",
  proofFails: "La prova non regge: l'ordine non segue dall'impegno e dai semi",
  proofSecret: "Il nonce è segreto finché non si sono viste tutte le carte della smazzata",
  proofSupplied: "L'arbitro ha dato quest'ordine; non c'è niente da provare",
  proofInsecure: "Questo browser calcola la prova solo via https o sulla macchina del servizio",
  history: "Avvenimenti",
  historyText: "Scegli un avvenimento, con un clic o con i tasti freccia, per vedere che cosa vedeva ciascuno dopo di esso. La partita intanto continua.",
  beginning: "Inizio",
  takenBackLater: "ritirato in seguito",
  present: "Torna al presente",
  atRevision: "Dopo la revisione {revision}",
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
  copyQuestion: "Copia il collegamento a questa domanda",
  copyAnswer: "Copia la risposta",
  noTricks: "{game} non si gioca a prese, perciò non c'è presa su cui chiedere.",
  according: "Secondo Chitarrella, a {game} in {players} giocatori{situation}:",
  known: {
    trump: "briscola: {what}",
    trumpCard: "carta di briscola: {what}",
    stock: "tallone: {what}",
    trick: "presa: {what}",
    hand: "mano: {what}"
  },
  mayPlay: { one: "{cards} si può giocare", many: "{cards} si possono giocare" },
  mayNotPlay: { one: "{cards} non si può giocare", many: "{cards} non si possono giocare" },
  mayDepend: {
    one: "se {cards} si possa giocare dipende da: {parts}",
    many: "se {cards} si possano giocare dipende da: {parts}"
  },
  trumpCard: "Carta di briscola",
  terms: {
    true: "sì",
    false: "no",
    card_points: "punti",
    half_points: "mezzi punti",
    units: "unità",
    honours: "onori",
    points: "punti",
    hand: "la mano",
    trick: "la presa",
    trump: "il seme di briscola",
    trump_card: "la carta di briscola",
    stock_size: "il tallone",
    declared_suit: "il seme dichiarato",
    random: "a caso",
    greedy: "goloso",
    search: "con ricerca"
  }
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
function termOf(words, term) {
  const name = term.slice(term.lastIndexOf(".") + 1);
  return words.terms[name] ?? name.replaceAll("_", " ");
}
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

// web/board.ts
var TAKEN = "taken";
var MANY_CARDS = 10;
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
  const isMany = zone.cards.length > MANY_CARDS && !isHandZone(zone, state.seats);
  const attributes = {
    class: isMany ? "zone many" : "zone",
    role: "group",
    "data-zone": zone.name,
    "aria-label": whose
  };
  return make(
    "div",
    attributes,
    make("p", { class: isHand(zone) ? "unseen" : "caption" }, caption),
    make(
      "div",
      { class: "cards" },
      ...cardsOf(zone, state, actions),
      (hidden > 0 || zone.size === 0) && (hidden > 0 ? hiddenCards(hidden, state) : names.count(0))
    )
  );
}
function isHand({ name, seat }) {
  return name === "hand" && seat !== void 0;
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
    make("dt", {}, state.names.fact(fact.name)),
    make("dd", { "data-fact": fact.name }, state.names.value(fact))
  ]);
  return make("dl", { class: "facts" }, ...rows);
}

// web/sentences.ts
function valuesOf(event, names) {
  const { cards } = event;
  const who = event.seat === void 0 ? "" : names.seat(event.seat);
  const other = event.other === void 0 ? "" : names.seat(event.other);
  const [first = "", last = ""] = [cards[0], cards.at(-1)].map((card) => card && names.card(card));
  const all = names.cardList(cards, event.hidden);
  const word = names.word(event.word);
  const named = cards.length ? first : all;
  const faces = cards.length === 2 && other ? names.part("faces", { who, other, first, last }) : "";
  return {
    ...{ who, Who: who, whom: who, other, first, last, cards: all, named, faces, word },
    Word: word.charAt(0).toUpperCase() + word.slice(1),
    amount: event.amount === void 0 ? "" : String(event.amount),
    shares: names.shares(event.shares),
    people: event.shares.map((share) => names.person(share)).join(", "),
    price: price(event, names)
  };
}
function price({ amount, shares }, names) {
  const money = amount ? [names.part("money", { amount })] : [];
  return [...money, ...shares.map((share) => names.part("percent", { amount: share.amount }))].join(", ");
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
function reasonText({ message, allowedCards, offendingCards }, card) {
  const lists = [allowedCards, offendingCards ?? []].filter((codes) => codes.length);
  return lists.reduce((text, codes) => text.replace(codes.join(" "), codes.map(card).join(", ")), message);
}
var Names = class {
  constructor(game, table, match, words) {
    this.game = game;
    this.table = table;
    this.match = match;
    this.words = words;
    this.cards = new Map(game.cards.map((card) => [card.code, card]));
    this.specs = new Map(game.moves.map((spec) => [spec.verb, spec]));
  }
  game;
  table;
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
  /** Why a move is refused. */
  reason(refusal) {
    return reasonText(refusal, (code) => this.card(code));
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
    return this.suit(word) || this.cards.get(word)?.name || this.table.words[word] || spaced(word);
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
    const more = [
      seat === this.match.seat ? this.words.you : "",
      bot ? fill(this.words.bot, { bot: termOf(this.words, bot) }) : ""
    ];
    return [this.seat(seat), ...more.filter(Boolean)].join(", ");
  }
  /** Who has a share: a seat by its number, or somebody else. */
  person({ person }) {
    return /^\d+$/.test(person) ? this.seat(Number(person)) : person;
  }
  shares(shares) {
    return shares.map((share) => `${this.person(share)}: ${share.amount}`).join(", ");
  }
  value(fact) {
    if (fact.shares) {
      return this.shares(fact.shares.shares);
    }
    if (this.table.flags.includes(fact.name)) {
      return this.words.yes;
    }
    if (this.table.seats.includes(fact.name) && fact.number !== void 0) {
      return this.seat(fact.number);
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
  fact(name) {
    return this.table.facts[name] ?? spaced(name);
  }
  /** An event as a sentence; one without a sentence in a line of its parts. */
  event(event) {
    const { events } = this.table;
    const sentence = events[`${event.kind} ${event.word}`] ?? events[event.kind];
    if (sentence === void 0 || event.seat === void 0 && /\{who\}/i.test(sentence)) {
      return this.parts(event);
    }
    const text = fill(sentence, valuesOf(event, this));
    return text.charAt(0).toUpperCase() + text.slice(1);
  }
  /** A part of a sentence. */
  part(name, values) {
    return fill(this.table.parts[name] ?? "", values);
  }
  parts(event) {
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

// web/option_fields.ts
var NUMBER = "#";
var OptionField = class {
  /** `change` is called when the reader has chosen another value. */
  constructor(option, table, words, players, change = () => void 0) {
    this.option = option;
    const { choices, minimum, maximum } = option;
    const text = label(option.description);
    const lines2 = choices.map((value) => [value, table.choices[option.name]?.[value] ?? spaced(value)]);
    if (minimum !== void 0 && table.seatOptions.includes(option.name)) {
      const last = Math.min(maximum ?? players, players - 1);
      const seats = Array.from({ length: last - minimum + 1 }, (_, place) => String(minimum + place));
      this.list = this.listOf([...lines2, ...seats.map((seat) => [seat, fill(words.seat, { seat })])], words);
    } else if (minimum !== void 0) {
      this.number = make("input", {
        type: "number",
        min: minimum,
        max: maximum,
        value: option.default,
        required: true
      });
      this.list = choices.length ? this.listOf([...lines2, [NUMBER, words.aNumber]], words) : void 0;
    } else {
      this.list = this.listOf(lines2, words);
    }
    this.element = make("div", { class: "option" }, ...this.labelled(text));
    this.value = option.default;
    this.element.addEventListener("change", () => {
      this.showNumber();
      change();
    });
  }
  option;
  element;
  list;
  number;
  /** The value, as the service takes it. */
  get value() {
    const { list, number } = this;
    return list && list.value !== NUMBER ? list.value : number?.value ?? "";
  }
  set value(value) {
    const { list, number, option } = this;
    if (list) {
      const isLine = [...list.options].some((line) => line.value === value);
      list.value = isLine ? value : number ? NUMBER : option.default;
    }
    if (number && list?.value !== value) {
      number.value = value;
    }
    this.showNumber();
  }
  /** The value is another than that which a match has without a choice. */
  get isChosen() {
    return this.value !== "" && this.value !== this.option.default;
  }
  /** What is chosen, in words. */
  get text() {
    const { list, option, value } = this;
    const line = list?.value === NUMBER ? void 0 : list?.selectedOptions[0]?.textContent;
    return `${label(option.description)}: ${line ?? value}`;
  }
  listOf(lines2, words) {
    const items = lines2.map(
      ([value, text]) => make("option", { value }, value === this.option.default ? `${text} (${words.default})` : text)
    );
    return make("select", {}, ...items);
  }
  labelled(text) {
    const { list, number } = this;
    const first = list ?? number;
    const rest = list && number ? [number] : [];
    if (list && number) {
      number.setAttribute("aria-label", text);
    }
    return [make("label", {}, make("span", {}, text), first), ...rest];
  }
  /** The number is there only where it counts. */
  showNumber() {
    const { list, number } = this;
    if (list && number) {
      number.hidden = list.value !== NUMBER;
      number.disabled = number.hidden;
      number.value ||= String(this.option.minimum ?? "");
    }
  }
};
var OptionFields = class {
  fields = [];
  element = make("div");
  /** Shows the options for a number of players; values that were chosen before are kept where they still count. */
  show(options, table, words, players, chosen = this.chosen, change) {
    this.fields = options.map((option) => new OptionField(option, table, words, players, change));
    for (const field of this.fields) {
      field.value = chosen[field.option.name] ?? field.option.default;
    }
    this.element.replaceChildren(...this.fields.map((field) => field.element));
  }
  /** The values that are not the usual ones, by name. */
  get chosen() {
    const chosen = this.fields.filter((field) => field.isChosen);
    return Object.fromEntries(chosen.map((field) => [field.option.name, field.value]));
  }
  /** The same in words. */
  get texts() {
    return this.fields.filter((field) => field.isChosen).map((field) => field.text);
  }
};

// web/form.ts
var ME = "me";
var FRIEND = "friend";
var BOTS = ["greedy", "random", "search"];
var MatchForm = class {
  constructor(games, service, words, start) {
    this.service = service;
    this.words = words;
    this.start = start;
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
  service;
  words;
  start;
  element;
  gameList;
  details = make("div");
  playerCount = make("select", { name: "players" });
  people = make("div", { class: "grid" });
  moveSeconds = make("input", { type: "number", min: 0, max: 86400, value: 0 });
  bankSeconds = make("input", { type: "number", min: 0, max: 86400, value: 0 });
  shared = make("input", { type: "checkbox", name: "shared" });
  submit;
  options = new OptionFields();
  game;
  table;
  /** Shows the controls of the chosen game, or of another one that there is. */
  async choose(other = "") {
    if ([...this.gameList.options].some((option) => option.value === other)) {
      this.gameList.value = other;
    }
    const id = this.gameList.value;
    this.submit.disabled = true;
    this.details.replaceChildren();
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
        labelled(this.words.bankSeconds, this.bankSeconds)
      ),
      make("label", { class: "check" }, this.shared, make("span", {}, this.words.sharedSeeds))
    );
    this.showPlayers();
    this.submit.disabled = false;
  }
  /** Shows what depends on the number of players: who they are, and the seats among the options. */
  showPlayers() {
    const { game, table, words } = this;
    if (game && table) {
      this.options.show(game.options, table, words, Number(this.playerCount.value));
    }
    this.showPeople();
  }
  showPeople() {
    const count = Number(this.playerCount.value);
    const { me, friend, bot, player } = this.words;
    const choices = [
      [ME, me],
      [FRIEND, friend],
      ...BOTS.map((name) => [name, fill(bot, { bot: termOf(this.words, name) })])
    ];
    const lists = Array.from({ length: count }, (_, place) => {
      const list = make("select", {}, ...choices.map(([value, text]) => make("option", { value }, text)));
      list.value = place === 0 ? ME : BOTS[0] ?? FRIEND;
      return labelled(fill(player, { number: place + 1 }), list);
    });
    this.people.replaceChildren(...lists);
  }
  async send() {
    const { game } = this;
    if (!game) {
      return;
    }
    this.submit.disabled = true;
    try {
      const ruleSet = {
        gameId: game.summary.gameId,
        players: Number(this.playerCount.value),
        options: this.options.chosen
      };
      const players = [...this.people.querySelectorAll("select")].map((list) => list.value);
      const clock = { moveSeconds: Number(this.moveSeconds.value), bankSeconds: Number(this.bankSeconds.value) };
      const shared = this.shared.checked;
      await this.start({ ruleSet, players, shared, ...clock.moveSeconds || clock.bankSeconds ? { clock } : {} });
    } finally {
      this.submit.disabled = false;
    }
  }
};
function labelled(text, input) {
  return make("label", {}, make("span", {}, text), input);
}
function select(label2, choices, value, change) {
  const list = make("select", {}, ...choices.map((one) => make("option", { value: one.value }, one.text)));
  list.value = value;
  list.addEventListener("change", () => change(list.value));
  return make("label", {}, make("span", {}, label2), list);
}

// web/passed_record.ts
var NAME = "chitarrella-record";
function passRecord(record, language) {
  sessionStorage.setItem(NAME, record);
  location.assign(`../records/?language=${language}`);
}
function takeRecord() {
  const record = sessionStorage.getItem(NAME) ?? "";
  sessionStorage.removeItem(NAME);
  return record;
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
  const lines2 = /* @__PURE__ */ new Map();
  const moves = [];
  for (const [place, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = place + 1;
    const [head, rest] = halves(raw.replace(/\|.*/s, "").trim());
    if (!moves.length && HEADINGS.includes(head)) {
      const [key, value] = heading(head, rest);
      if (lines2.has(key)) {
        throw new RecordError("bad_record", line, `"${key}" is given twice.`);
      }
      headings.set(key, value);
      lines2.set(key, line);
    } else if (/^(table|\d+)$/.test(head)) {
      moves.push(moveLine(line, head, rest));
    } else if (head && !TRAILERS.includes(head)) {
      throw new RecordError("bad_record", line, `"${head.slice(0, 40)}" begins neither a heading nor a move.`);
    }
  }
  return { ...rulesOf(headings, lines2), moves, lines: lines2 };
}
function moveLine(line, head, text) {
  return head === TABLE ? { line, text } : { line, text, seat: Number(head) };
}
function heading(head, rest) {
  const [name, value] = halves(rest);
  return head === "option" ? [OPTION + name, value] : [head, rest];
}
function rulesOf(headings, lines2) {
  const gameId = headings.get("game");
  if (!gameId) {
    throw new RecordError("bad_record", 0, 'A line "game KEY" is missing.');
  }
  const number = (name) => numberIn(headings.get(name) ?? "0", name, lines2.get(name) ?? 0);
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
  const at2 = text.lastIndexOf(":");
  const amount = numberIn(text.slice(at2 + 1), "shares", line);
  try {
    return { person: decodeURIComponent(text.slice(0, at2)), amount };
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
var ENGLISH2 = {
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
  clause: "Clause {key}"
};
var ITALIAN2 = {
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
  clause: "Regola {key}"
};
var GERMAN2 = {
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
  clause: "Regel {key}"
};
var ALL2 = { en: ENGLISH2, it: ITALIAN2, de: GERMAN2 };
function recordWordsOf(language) {
  return ALL2[language] ?? ENGLISH2;
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
  /** The names of facts and the sentences of events at a table of a game. */
  tableWords(game) {
    return this.call(`/words/${encodeURIComponent(game)}/${this.language}.json`);
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
  /** All updates of a match after a cursor, in pages. */
  async events(id, cursor) {
    const path = `${at(id)}/events?pageSize=1000&cursor=${encodeURIComponent(cursor)}`;
    const page = await this.call(path);
    return page.hasMore ? [...page.moves, ...await this.events(id, page.cursor)] : page.moves;
  }
  /** Asks many questions about the rules; those about a position may take that of an earlier answer. */
  async batch(questions) {
    const { answers } = await this.call("/v1/rules:batch", { questions });
    return answers;
  }
  /** Asks to take the last decision back, or answers such a request. */
  takeBack(id, seat, decline, expectedRevision) {
    return this.call(`${at(id)}:takeBack`, { seat, decline, expectedRevision, requestId: randomId() });
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
  /** Supplies a pack or a lot, as the referee, where the match waits for it. */
  supply(id, move) {
    return this.call(`${at(id)}/moves`, { move, requestId: randomId() });
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
  contributeSeed(id, seat, clientSeed) {
    return this.call(`${at(id)}:contributeSeed`, { seat, clientSeed, requestId: randomId() });
  }
  /** Plays for the seat to move if its time is over. */
  enforceClock(id) {
    return this.call(`${at(id)}:enforceClock`, {});
  }
  /** Moves the time of a test forward; its time then, and whether a deadline has passed. */
  advanceClock(id, seconds) {
    return this.call(`${at(id)}:advanceClock`, { seconds, requestId: randomId() });
  }
  /** The shuffles of a match with their proofs. */
  shuffles(id) {
    return this.call(`${at(id)}/shuffles`);
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

// web/replay.ts
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
async function beginning(service, { ruleSet, position, lines: lines2 }) {
  const given = position ? { ruleSet, text: position } : void 0;
  const view = { referee: true, ...given ? { position: given } : {} };
  const questions = given ? [{ getView: view }] : [{ startGame: { ruleSet } }, { positionOf: 0, getView: view }];
  const answers = await service.batch(questions);
  const failed = answers.find((answer) => answer.error)?.error;
  if (failed) {
    throw new RecordError(failed.code, headingLine(failed, lines2), failed.message);
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
function headingLine({ code, field }, lines2) {
  const option = [...lines2].find(([key]) => key.startsWith(OPTION) && field.includes(key.slice(OPTION.length)));
  const names = {
    unknown_game: "game",
    bad_players: "players",
    edition_not_supported: "edition",
    bad_position: "position"
  };
  return option?.[1] ?? lines2.get(names[code] ?? "") ?? 0;
}
function errorAt(error, line) {
  return error instanceof ServiceError && error.status ? new RecordError(error.code, line, error.message) : error;
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
  /** Whether nothing has happened between this state and another one. */
  isAtRevisionOf({ match, legal }) {
    return this.match.revision === match.revision && this.legal.revision === legal.revision;
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
.unseen { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.seats { font-size: .9rem; }
.cards { display: flex; flex-wrap: wrap; gap: .35rem; align-items: end; min-height: 1.5rem; }
.facts { display: grid; grid-template-columns: auto minmax(min-content, 1fr); gap: 0 .6rem; font-size: .85rem; align-content: start; }
.facts dd { overflow-wrap: break-word; }
.hidden { display: inline-flex; gap: .4rem; align-items: center; }
.back { width: 1.2rem; height: 1.8rem; border: 2px solid #ffffff; border-radius: .2rem; background:
  repeating-linear-gradient(45deg, #8a1c1c 0 3px, #b94a4a 3px 6px); }
.card { position: relative; display: inline-block; width: var(--size);
  padding: 0; border: 2px solid var(--ink); border-radius: .4rem; background: var(--paper); color: var(--ink);
  font: inherit; text-align: center; overflow-wrap: anywhere; }
.card img { display: block; width: 100%; height: auto; aspect-ratio: auto 2 / 3; border-radius: .3rem; }
.face { min-height: calc(var(--size) * 1.5); align-content: start; display: grid; gap: .2rem; padding: .4rem .1rem; }
.rank { font-size: 1.3rem; font-weight: bold; line-height: 1.1; }
.suit { font-size: .8rem; line-height: 1.1; }
button, summary { touch-action: manipulation; }
button.card { cursor: pointer; margin-top: .6rem; transition: transform .15s; }
button.card.legal { transform: translateY(-.5rem); border-width: 3px; }
button.card.dim { border-style: dashed; background: #cfcdc4; }
button.card.dim img { filter: brightness(.7) saturate(.75); }
button.card[aria-pressed="true"] { transform: translateY(-.9rem); border-color: var(--accent);
  outline: 3px solid var(--accent); outline-offset: 0; }
button.card.allowed { border-color: var(--accent); box-shadow: 0 0 .6rem .3rem var(--accent); }
button.card.refused { border-color: #b3261e; }
.clause { position: absolute; inset-inline: 0; bottom: 0; padding: .1rem; background: #b3261e; color: #ffffff;
  font-size: .65rem; font-weight: bold; letter-spacing: -.02em; line-height: 1.4; white-space: nowrap; border-radius: 0 0 .3rem .3rem; }
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
.fair-deal ol, .fair-deal ul { padding-left: 2rem; }
.fair-deal li { margin-top: .4rem; }
.proof.holds, .proof.fails { font-weight: bold; }
.proof.fails { background: #b3261e; color: #ffffff; padding: .2rem .5rem; }
summary { min-height: 1.5rem; cursor: pointer; }
.still .log, .still .fair-deal { display: none; }
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
  rules.replaceSync(RULES);
  return rules;
}
export {
  Choices,
  FRIEND,
  ME,
  MatchForm,
  Names,
  OPTION,
  OptionField,
  OptionFields,
  RecordError,
  RefusedMove,
  Replay,
  Service,
  ServiceError,
  State,
  button,
  cardsOfZone,
  chooseLanguage,
  copyText,
  fill,
  isHandZone,
  label,
  make,
  middle,
  otherSeats,
  ownSeats,
  parseMove,
  passRecord,
  pause,
  randomId,
  readRecord,
  reasonText,
  recordWordsOf,
  replace,
  seatsPlayed,
  select,
  short,
  spaced,
  style,
  takeRecord,
  termOf,
  verbOfCards,
  wordsOf
};
