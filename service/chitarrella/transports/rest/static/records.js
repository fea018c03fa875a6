// Built from clients/typescript/web by npm run web; do not edit.

// web/records.ts
import { button, copyText, make } from "../shared.js?3bb71f9c88257ee3";

// web/passed_record.ts
var NAME = "chitarrella-record";
function takeRecord() {
  const record = sessionStorage.getItem(NAME) ?? "";
  sessionStorage.removeItem(NAME);
  return record;
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
function recordWordsOf(language2) {
  return ALL[language2] ?? ENGLISH;
}

// web/records.ts
import { Service } from "../shared.js?3bb71f9c88257ee3";
import { chooseLanguage } from "../shared.js?3bb71f9c88257ee3";
var HOME = new URL("../", import.meta.url).href;
var query = new URLSearchParams(location.search);
var language = chooseLanguage(query.get("language"), document.documentElement.lang);
var words = recordWordsOf(language);
var service = new Service(HOME, language);
var main = document.querySelector("main") ?? document.body.appendChild(make("main"));
var field = make("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", wrap: "off" });
var examples = make("select", {}, make("option", { value: "" }, words.chooseExample));
var file = make("input", { type: "file", accept: ".txt,text/plain" });
var holder = make("div", { class: "holder" });
var snippet = make("pre", { tabindex: 0 });
function show(text, source = "") {
  const element = document.createElement("chitarrella-record");
  element.setAttribute("language", language);
  if (source) {
    element.setAttribute("src", source);
    element.addEventListener("chitarrella-step", () => field.value = element.record, { once: true });
  } else {
    element.record = text ?? "";
  }
  holder.replaceChildren(element);
  snippet.textContent = embedded(source || "match.txt");
}
function embedded(source) {
  const address = source === "match.txt" ? source : new URL(source, location.href).href;
  const script = `<script type="module" src="${new URL("record.js", HOME)}"></${"script"}>`;
  return `${script}
<chitarrella-record src="${address}" language="${language}"></chitarrella-record>`;
}
function given(text) {
  field.value = text;
  examples.value = "";
  setAddress();
  show(text);
}
async function opened(files) {
  const [first] = files ?? [];
  if (first) {
    given(await first.text());
  }
}
function example(game) {
  setAddress();
  if (game) {
    show(void 0, `${HOME}records/${game}.txt`);
  }
}
function setAddress() {
  const search = new URLSearchParams({ language, ...examples.value && { game: examples.value } });
  history.replaceState(null, "", `?${search}`);
  for (const link of document.querySelectorAll("a[hreflang]")) {
    search.set("language", link.hreflang);
    link.href = `?${search}`;
  }
}
function labelled(text, input) {
  return make("label", {}, make("span", {}, text), input);
}
async function begin() {
  const copy = button("copy", words.copy, async () => {
    await copyText(snippet.textContent ?? "");
    copy.textContent = words.copied;
  });
  const showIt = button("show", words.show, () => given(field.value), { class: "primary" });
  const controls = make("div", { class: "grid" }, labelled(words.example, examples), labelled(words.open, file));
  const paste = make("div", {}, labelled(words.paste, field), showIt);
  const embed = make(
    "details",
    { class: "panel" },
    make("summary", {}, words.embed),
    make("p", {}, words.embedText),
    snippet,
    copy
  );
  main.replaceChildren(make("h1", {}, words.title), make("p", {}, words.text), controls, holder, paste, embed);
  examples.addEventListener("change", () => example(examples.value));
  file.addEventListener("change", () => void opened(file.files));
  const games = (await service.games()).filter((game) => game.distribution === "chitarrella");
  examples.append(...games.map((game) => make("option", { value: game.gameId }, game.title)));
  const passed = takeRecord();
  if (passed) {
    given(passed);
  } else {
    const asked = query.get("game") ?? "";
    examples.value = games.some((game) => game.gameId === asked) ? asked : games[0]?.gameId ?? "";
    example(examples.value);
  }
}
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const { files } = event.dataTransfer ?? {};
  const text = event.dataTransfer?.getData("text/plain");
  if (files?.length) {
    void opened(files);
  } else if (text) {
    given(text);
  }
});
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (event.target !== field && text) {
    event.preventDefault();
    given(text);
  }
});
void begin();
