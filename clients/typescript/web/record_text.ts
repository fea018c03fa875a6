/** Records as text: what is read in one, what a page was passed, and the words of the element. */

import type { Game, Move, MoveSpec, Share } from "./service.js";

const ENGLISH = {
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
};

export type RecordWords = typeof ENGLISH;

const ITALIAN: RecordWords = {
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
};

const GERMAN: RecordWords = {
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
};

const ALL: Readonly<Record<string, RecordWords>> = { en: ENGLISH, it: ITALIAN, de: GERMAN };

/** The words of a language. */
export function recordWordsOf(language: string): RecordWords {
  return ALL[language] ?? ENGLISH;
}

const HEADINGS = ["game", "players", "edition", "position", "option", "sandbox"];
const TRAILERS = ["shuffle", "signature"];
/** The actor of a move of chance. */
const TABLE = "table";
/** What the key of an option among the headings begins with. */
export const OPTION = "option ";

/** What is wrong with a record: a reason code, the line from 1 (0 if no line is at fault), and the text of the line. */
export class RecordError extends Error {
  constructor(
    readonly code: string,
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** A move of a record as it stands there. */
export interface RecordLine {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The seat; undefined for chance. */
  readonly seat?: number;
  readonly text: string;
}

/** A record whose moves are not parsed: that needs the game. */
export interface RecordText {
  readonly ruleSet: {
    readonly gameId: string;
    readonly players: number;
    readonly options: Readonly<Record<string, string>>;
    readonly edition: number;
  };
  /** Where the match begins; empty for the beginning of a match. */
  readonly position: string;
  readonly sandbox: boolean;
  readonly moves: readonly RecordLine[];
  /** The lines of the headings, from 1: of the game, the players, each option and so on. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Reads the lines of a record; throws `RecordError`. */
export function readRecord(text: string): RecordText {
  const headings = new Map<string, string>();
  const lines = new Map<string, number>();
  const moves: RecordLine[] = [];
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

function moveLine(line: number, head: string, text: string): RecordLine {
  return head === TABLE ? { line, text } : { line, text, seat: Number(head) };
}

function heading(head: string, rest: string): readonly [string, string] {
  const [name, value] = halves(rest);
  return head === "option" ? [OPTION + name, value] : [head, rest];
}

function rulesOf(headings: ReadonlyMap<string, string>, lines: ReadonlyMap<string, number>) {
  const gameId = headings.get("game");
  if (!gameId) {
    throw new RecordError("bad_record", 0, 'A line "game KEY" is missing.');
  }
  const number = (name: string) => numberIn(headings.get(name) ?? "0", name, lines.get(name) ?? 0);
  const options = [...headings].filter(([key]) => key.startsWith(OPTION));
  return {
    ruleSet: {
      gameId,
      players: number("players"),
      options: Object.fromEntries(options.map(([key, value]) => [key.slice(OPTION.length), value])),
      edition: number("edition"),
    },
    position: headings.get("position") ?? "",
    sandbox: headings.get("sandbox") === "true",
  };
}

/** Parses a move as it is written in records; throws `RecordError`. What the game refuses is found by the service. */
export function parseMove({ text, line }: RecordLine, game: Game): Move {
  const [verb = "", ...parts] = text.split(/\s+/).filter(Boolean);
  const spec = game.moves.find((one) => one.verb === verb);
  if (!spec) {
    throw new RecordError("malformed_move", line, `"${verb.slice(0, 40)}" is no move of ${game.summary.gameId}.`);
  }
  const seat = parts.at(-1)?.startsWith("@") ? numberIn((parts.pop() ?? "").slice(1), "seat", line) : undefined;
  const isShare = (part: string) => spec.shares && part.includes(":");
  const shares = parts.filter(isShare).map((part) => shareIn(part, line));
  const rest = parts.filter((part) => !isShare(part));
  const amount = spec.amount && rest.length ? numberIn(rest.pop() ?? "", "amount", line) : undefined;
  const choice = takesChoice(spec, rest) ? (rest.pop() ?? "") : "";
  return {
    verb,
    cards: rest,
    choice,
    shares,
    ...(amount === undefined ? {} : { amount }),
    ...(seat === undefined ? {} : { seat }),
  };
}

function takesChoice(spec: MoveSpec, rest: readonly string[]): boolean {
  return spec.choices.length > 0 && rest.length > spec.minCards;
}

function shareIn(text: string, line: number): Share {
  const at = text.lastIndexOf(":");
  const amount = numberIn(text.slice(at + 1), "shares", line);
  try {
    return { person: decodeURIComponent(text.slice(0, at)), amount };
  } catch {
    throw new RecordError("malformed_move", line, `"${text.slice(0, 40)}" names no person.`);
  }
}

function numberIn(text: string, what: string, line: number): number {
  if (!/^-?\d{1,16}$/.test(text)) {
    throw new RecordError("bad_record", line, `${what}: "${text.slice(0, 40)}" is no whole number.`);
  }
  return Number(text);
}

/** What stands before and after the first blanks. */
function halves(text: string): readonly [string, string] {
  const [head = ""] = text.split(/\s/, 1);
  return [head, text.slice(head.length).trim()];
}

const NAME = "chitarrella-record";

/** Leaves a record and goes to the page. */
export function passRecord(record: string, language: string): void {
  sessionStorage.setItem(NAME, record);
  location.assign(`../records/?language=${language}`);
}

/** Takes the record that was left; empty without one. */
export function takeRecord(): string {
  const record = sessionStorage.getItem(NAME) ?? "";
  sessionStorage.removeItem(NAME);
  return record;
}
