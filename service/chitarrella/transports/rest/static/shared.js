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
  seal: "Fair deal",
  sealText: "Before each shuffle the service publishes a commitment. When the cards are no longer secret it publishes the nonce, and this page computes by itself whether the order follows from it and the seeds.",
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
  seal: "Faires Geben",
  sealText: "Vor jedem Mischen veröffentlicht der Dienst eine Festlegung. Wenn die Karten nicht mehr geheim sind, veröffentlicht er die Nonce, und diese Seite rechnet selbst nach, ob die Reihenfolge daraus und aus den Startwerten folgt.",
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
  seal: "Smazzata equa",
  sealText: "Prima di ogni mescolata il servizio pubblica un impegno. Quando le carte non sono più segrete pubblica il nonce, e questa pagina calcola da sé se l'ordine segue da esso e dai semi.",
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
export {
  Names,
  Service,
  ServiceError,
  button,
  chooseLanguage,
  copyText,
  fill,
  label,
  make,
  pause,
  randomId,
  replace,
  short,
  spaced,
  termOf,
  wordsOf
};
