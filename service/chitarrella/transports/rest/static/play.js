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
function isShown(child) {
  return child !== void 0 && child !== false && child !== "";
}

// web/words.ts
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
  watch: "Link for spectators",
  newMatch: "New match",
  title: "Play",
  rules: "Rule book",
  default: "default"
};
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
  watch: "Collegamento per chi guarda",
  newMatch: "Nuova partita",
  title: "Gioca",
  rules: "Libro delle regole",
  default: "predefinito"
};
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
  watch: "Link für Zuschauer",
  newMatch: "Neue Partie",
  title: "Spielen",
  rules: "Regelbuch",
  default: "Vorgabe"
};
var ALL = { en: ENGLISH, it: ITALIAN, de: GERMAN };
var LANGUAGES = Object.keys(ALL);
function chooseLanguage(...tags) {
  const codes = tags.map((tag) => (tag ?? "").toLowerCase().split("-")[0] ?? "");
  return codes.find((code) => code in ALL) ?? "en";
}
function wordsOf(language2) {
  return ALL[language2] ?? ENGLISH;
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

// web/form.ts
var ME = "me";
var FRIEND = "friend";
var BOTS = ["greedy", "random", "search"];
var MatchForm = class {
  constructor(games, service, words2, start2) {
    this.service = service;
    this.words = words2;
    this.start = start2;
    const titles = games.map((game) => make("option", { value: game.gameId }, game.title));
    this.gameList = make("select", { name: "game" }, ...titles);
    this.gameList.addEventListener("change", () => void this.choose());
    this.playerCount.addEventListener("change", () => this.showPeople());
    this.submit = make("button", { type: "submit", disabled: true }, words2.start);
    this.element = make("form", {}, labelled(words2.game, this.gameList), this.details, this.submit);
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
  submit;
  options = [];
  game;
  /** Shows the controls of the chosen game. */
  async choose() {
    const id = this.gameList.value;
    this.submit.disabled = true;
    this.details.replaceChildren();
    const game = await this.service.game(id);
    if (id !== this.gameList.value) {
      return;
    }
    this.game = game;
    const { players, defaultPlayers, place } = game.summary;
    this.playerCount.replaceChildren(...players.map((count) => make("option", { value: count }, String(count))));
    this.playerCount.value = String(defaultPlayers);
    this.options = game.options.map((option) => [option, control(option, this.words)]);
    const rules = make("a", { href: this.service.page(`/docs/rules/${id}`) }, this.words.rules);
    const options = this.options.map(([option, input]) => optionRow(option, input));
    this.details.replaceChildren(
      make("p", {}, place, " · ", rules),
      labelled(this.words.players, this.playerCount),
      make("fieldset", {}, make("legend", {}, this.words.whoPlays), this.people),
      make("details", {}, make("summary", {}, this.words.options), ...options)
    );
    this.showPeople();
    this.submit.disabled = false;
  }
  showPeople() {
    const count = Number(this.playerCount.value);
    const { me, friend, bot, player } = this.words;
    const choices = [
      [ME, me],
      [FRIEND, friend],
      ...BOTS.map((name) => [name, fill(bot, { bot: name })])
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
      const chosen = this.options.filter(([option, input]) => input.value !== "" && input.value !== option.default);
      const options = Object.fromEntries(chosen.map(([option, input]) => [option.name, input.value]));
      const ruleSet = { gameId: game.summary.gameId, players: Number(this.playerCount.value), options };
      const players = [...this.people.querySelectorAll("select")].map((list) => list.value);
      await this.start({ ruleSet, players });
    } finally {
      this.submit.disabled = false;
    }
  }
};
function labelled(text, input) {
  return make("label", {}, make("span", {}, text), input);
}
function optionRow(option, input) {
  const name = make("code", {}, spaced(option.name));
  return make("label", {}, make("span", {}, name, " ", label(option.description)), input);
}
function control(option, words2) {
  const { choices, minimum, maximum } = option;
  if (minimum === void 0) {
    const texts = choices.map((word) => {
      const text = word === option.default ? `${spaced(word)} (${words2.default})` : spaced(word);
      return make("option", { value: word, selected: word === option.default }, text);
    });
    return make("select", {}, ...texts);
  }
  const bounds = { value: option.default, placeholder: option.default };
  if (!choices.length) {
    return make("input", { type: "number", min: minimum, max: maximum, ...bounds });
  }
  const hint = [...choices, `${minimum}–${maximum ?? "…"}`].join(", ");
  return make("input", { type: "text", pattern: `${choices.join("|")}|-?[0-9]+`, title: hint, ...bounds });
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
  constructor(base, language2, key = "") {
    this.base = base;
    this.language = language2;
    this.key = key;
  }
  base;
  language;
  key;
  /** The address of a path, such as "/docs/rules/coech#CO-17", below that of the service. */
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
  createMatch(ruleSet) {
    return this.call("/v1/matches", { ruleSet, requestId: randomId() });
  }
  assignBot(match, seat, bot) {
    return this.call(`${at(match)}:assignBot`, { seat, bot });
  }
  match(id) {
    return this.call(at(id));
  }
  legalMoves(id) {
    return this.call(`${at(id)}/moves`);
  }
  validateMove(id, seat, move) {
    return this.call(`${at(id)}:validateMove`, { seat, move });
  }
  /** Plays a move at one revision. A refusal is a result. */
  play(id, seat, move, expectedRevision) {
    return this.call(`${at(id)}/moves`, { seat, move, expectedRevision, requestId: randomId() });
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
      const path = `${at(id)}:watch?cursor=${encodeURIComponent(cursor)}`;
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
    if (!answer.ok && !(answer.status === 422 && !isProblem(answer))) {
      throw await problem(answer);
    }
    return answer;
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

// web/play.ts
var HOME = new URL("../", import.meta.url).href;
var asked = new URLSearchParams(location.search).get("language");
var language = chooseLanguage(asked, ...navigator.languages);
var words = wordsOf(language);
var main = document.querySelector("main") ?? document.body.appendChild(make("main"));
var problem2 = make("p", { role: "alert", class: "problem" });
function linkTo(match, key = "") {
  const fragment = new URLSearchParams(key ? { match, key } : { match });
  return `${location.origin}${location.pathname}?language=${language}#${fragment}`;
}
function showAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const match = fragment.get("match");
  showLanguages();
  if (match) {
    showTable(match, fragment.get("key") ?? "");
  } else {
    void showForm();
  }
}
function showLanguages() {
  const links = LANGUAGES.map(
    (code) => code === language ? make("strong", { "aria-current": "true" }, code) : make("a", { href: `?language=${code}${location.hash}`, hreflang: code, lang: code }, code)
  );
  const all = make("a", { href: `?language=${language}` }, words.newMatch);
  document.querySelector("nav")?.replaceChildren(...links, all);
}
function showTable(match, key, ...above) {
  const table = document.createElement("chitarrella-table");
  table.setAttribute("match", match);
  table.setAttribute("language", language);
  table.key = key;
  main.replaceChildren(...above, problem2, table);
}
async function showForm() {
  const service = new Service(HOME, language);
  await reported(async () => {
    const form = new MatchForm(await service.games(), service, words, (match) => reported(() => start(service, match)));
    main.replaceChildren(make("h1", {}, words.title), problem2, form.element);
    await form.choose();
  });
}
async function start(service, { ruleSet, players }) {
  const created = await service.createMatch(ruleSet);
  const referee = new Service(HOME, language, created.refereeKey);
  for (const [person, { seat }] of created.seatKeys.entries()) {
    const bot = players[person];
    if (bot && bot !== ME && bot !== FRIEND) {
      await referee.assignBot(created.matchId, seat, bot);
    }
  }
  const key = created.seatKeys[players.indexOf(ME)]?.key ?? "";
  history.pushState(null, "", linkTo(created.matchId, key));
  showLanguages();
  showTable(created.matchId, key, invitations(created, players));
}
function invitations({ matchId, seatKeys }, players) {
  const mine = players.indexOf(ME);
  const guests = seatKeys.filter((_, person) => person !== mine && [ME, FRIEND].includes(players[person] ?? ""));
  const links = guests.map(({ seat, key }) => invitation(fill(words.seat, { seat }), linkTo(matchId, key)));
  const list = make("ul", {}, ...links, invitation(words.watch, linkTo(matchId)));
  const attributes = guests.length ? { open: true } : {};
  return make("details", attributes, make("summary", {}, words.invite), make("p", {}, words.inviteText), list);
}
function invitation(text, link) {
  const copy = button("", words.copy, () => {
    void navigator.clipboard?.writeText(link).then(() => {
      copy.textContent = words.copied;
    });
  });
  copy.setAttribute("aria-label", `${words.copy}: ${text}`);
  return make("li", {}, make("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, text), " ", copy);
}
async function reported(action) {
  problem2.textContent = "";
  try {
    await action();
  } catch (error) {
    problem2.textContent = error instanceof Error ? error.message : String(error);
    if (!problem2.isConnected) {
      main.prepend(problem2);
    }
  }
}
document.documentElement.lang = language;
document.title = `${words.title} - Chitarrella`;
addEventListener("popstate", showAddress);
showAddress();
