/** Records as text: what is read in one, what a page was passed, the words of the element; and its replay by stateless questions. */

import {
  type AppliedMoves,
  type ChanceRequest,
  type Game,
  type ItemError,
  type Move,
  type MoveSpec,
  type Position,
  type Refusal,
  type RulesAnswer,
  type Service,
  ServiceError,
  type Share,
  type TableEvent,
  type View,
} from "./service.js";

const ENGLISH = {
  title: "Records",
  text: "Watch a whole match again, move by move, with the buttons or the arrow keys: one of the examples, or your own, pasted or dropped here as a file.",
  paste: "Your own match",
  show: "Show the record",
  open: "Open a file",
  example: "Example",
  chooseExample: "Choose a game",
  embed: "Show it on another page",
  embedText: "This works on any page: the script comes from this service, and so do the rules.",
  copy: "Copy",
  record: "Record",
  first: "First step",
  back: "Step back",
  forward: "Step forward",
  last: "Last step",
  playOn: "Play on",
  pause: "Pause",
  step: "Step {step} of {last}",
  stepLabel: "Step",
  beginning: "Nothing has been played yet.",
  noEvents: "Nothing happens that can be seen.",
  loading: "Reading the match",
  empty: "There is no match here.",
  sandbox: "A test: its shuffles may have been known beforehand.",
  invalid: "The record is not valid",
  atLine: "Line {line}",
  upTo: "The moves before it are shown.",
  code: "Code {code}",
};

export type RecordWords = typeof ENGLISH;

const ITALIAN: RecordWords = {
  title: "Partite registrate",
  text: "Rivedi una partita intera, mossa per mossa, con i pulsanti o i tasti freccia: uno degli esempi, o una tua, incollata o trascinata qui come file.",
  paste: "La tua partita",
  show: "Mostra la partita",
  open: "Apri un file",
  example: "Esempio",
  chooseExample: "Scegli un gioco",
  embed: "Mostrala su un'altra pagina",
  embedText: "Funziona su ogni pagina: lo script viene da questo servizio, e così le regole.",
  copy: "Copia",
  record: "Partita scritta",
  first: "Primo passo",
  back: "Un passo indietro",
  forward: "Un passo avanti",
  last: "Ultimo passo",
  playOn: "Fai scorrere",
  pause: "Pausa",
  step: "Passo {step} di {last}",
  stepLabel: "Passo",
  beginning: "Non si è ancora giocato.",
  noEvents: "Non succede niente che si veda.",
  loading: "Lettura della partita",
  empty: "Qui non c'è nessuna partita.",
  sandbox: "Una prova: le mescolate potevano essere note prima.",
  invalid: "La registrazione non è valida",
  atLine: "Riga {line}",
  upTo: "Si vedono le mosse precedenti.",
  code: "Codice {code}",
};

const GERMAN: RecordWords = {
  title: "Aufzeichnungen",
  text: "Sieh eine ganze Partie noch einmal, Zug für Zug, mit den Knöpfen oder den Pfeiltasten: ein Beispiel oder eine eigene, eingefügt oder als Datei hierher gezogen.",
  paste: "Deine eigene Partie",
  show: "Aufzeichnung zeigen",
  open: "Datei öffnen",
  example: "Beispiel",
  chooseExample: "Spiel wählen",
  embed: "Auf einer anderen Seite zeigen",
  embedText: "Das geht auf jeder Seite: das Skript kommt von diesem Dienst, die Regeln ebenso.",
  copy: "Kopieren",
  record: "Aufzeichnung",
  first: "Erster Schritt",
  back: "Schritt zurück",
  forward: "Schritt vor",
  last: "Letzter Schritt",
  playOn: "Abspielen",
  pause: "Anhalten",
  step: "Schritt {step} von {last}",
  stepLabel: "Schritt",
  beginning: "Noch ist nichts gespielt.",
  noEvents: "Es geschieht nichts, was man sieht.",
  loading: "Die Aufzeichnung wird gelesen",
  empty: "Hier ist keine Partie.",
  sandbox: "Ein Test: das Mischen konnte vorher bekannt sein.",
  invalid: "Die Aufzeichnung ist nicht gültig",
  atLine: "Zeile {line}",
  upTo: "Die Züge davor werden gezeigt.",
  code: "Code {code}",
};

const ALL: Readonly<Record<string, RecordWords>> = { en: ENGLISH, it: ITALIAN, de: GERMAN };

export function recordWordsOf(language: string): RecordWords {
  return ALL[language] ?? ENGLISH;
}

const HEADINGS = ["game", "players", "edition", "position", "option", "sandbox"];
const TRAILERS = ["shuffle", "signature", "resigned", "forfeited", "decided"];
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

interface RecordLine {
  readonly line: number;
  /** The seat; undefined for chance. */
  readonly seat?: number;
  readonly text: string;
}

/** A record whose moves are not parsed: that needs the game. */
interface RecordText {
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
function parseMove({ text, line }: RecordLine, game: Game): Move {
  const [verb = "", ...parts] = text.split(/\s+/).filter(Boolean);
  const spec = game.moves.find((one) => one.verb === verb);
  if (!spec) {
    throw new RecordError("malformed_move", line, `"${verb.slice(0, 40)}" is no move of ${game.summary.gameId}.`);
  }
  const seat = parts.at(-1)?.startsWith("@") ? numberIn((parts.pop() ?? "").slice(1), "dummySeat", line) : undefined;
  const isShare = (part: string) => spec.takesShares && part.includes(":");
  const shares = parts.filter(isShare).map((part) => shareIn(part, line));
  const rest = parts.filter((part) => !isShare(part));
  const amount = spec.takesAmount && rest.length ? numberIn(rest.pop() ?? "", "amount", line) : undefined;
  const choice = takesChoice(spec, rest) ? (rest.pop() ?? "") : "";
  return {
    verb,
    cards: rest,
    choice,
    shares,
    ...(amount === undefined ? {} : { amount }),
    ...(seat === undefined ? {} : { dummySeat: seat }),
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

const MOST_MOVES = 1000;
/** How many steps are asked for at once: the one to show, and those that are likely to follow. */
const AHEAD = 16;

/** Who looks at a position: a seat, the referee or the public. */
export type Viewer = Partial<{ readonly seat: number; readonly referee: true }>;

/** What one move led to. The first step has no events. */
export interface Step {
  readonly view: View;
  readonly events: readonly TableEvent[];
  readonly position: Position;
  /** Absent unless chance has to move. */
  readonly chanceRequest?: ChanceRequest | undefined;
}

interface SeatMove {
  readonly seat?: number;
  readonly move: Move;
}

/** A move that the rules refuse, with its line and the clauses that it breaks. */
export class RefusedMove extends RecordError {
  constructor(
    line: number,
    readonly refusals: readonly Refusal[],
  ) {
    super(refusals[0]?.code ?? "", line, refusals[0]?.message ?? "");
  }
}

export class Replay {
  private readonly steps = new Map<number, Step>();
  private loading: Promise<void> = Promise.resolve();

  private constructor(
    private readonly service: Service,
    readonly game: Game,
    readonly record: RecordText,
    private readonly moves: SeatMove[],
    /** What is wrong with the record behind the moves that can be shown. */
    readonly error: RecordError | undefined,
  ) {}

  /** Reads the game and validates every move; throws `RecordError` if there is nothing to show. */
  static async of(service: Service, record: RecordText): Promise<Replay> {
    const { gameId, edition } = record.ruleSet;
    const game = await service.game(gameId, edition).catch((error) => {
      throw errorAt(error, record.lines.get("game") ?? 0);
    });
    const all: SeatMove[] = [];
    let error: RecordError | undefined;
    for (const line of record.moves) {
      try {
        all.push(moveOf(line, game));
      } catch (malformed) {
        error = malformed as RecordError;
        break;
      }
    }
    const first = await beginning(service, record);
    const checked = await check(service, record, first.position, all);
    const replay = new Replay(service, game, record, all.slice(0, checked.count), checked.error ?? error);
    replay.steps.set(0, first);
    return replay;
  }

  get last(): number {
    return this.moves.length;
  }

  /** Adds the moves by which a record that the service has written has grown. */
  extend(record: RecordText): void {
    this.moves.push(...record.moves.slice(this.last).map((line) => moveOf(line, this.game)));
  }

  async at(number: number): Promise<Step> {
    if (!this.steps.has(number)) {
      this.loading = this.loading.catch(() => undefined).then(() => this.load(number));
      await this.loading;
    }
    return this.steps.get(number) as Step;
  }

  async views(number: number, viewers: readonly Viewer[]): Promise<readonly View[]> {
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
  private async load(number: number): Promise<void> {
    if (this.steps.has(number)) {
      return;
    }
    let known = number - 1;
    while (!this.steps.has(known)) {
      known--;
    }
    const questions: SeatMove[][] = chunks(this.moves.slice(known, number - 1));
    const before = questions.length;
    const last = Math.min(number + AHEAD - 1, this.last);
    questions.push(...this.moves.slice(number - 1, last).map((move) => [move]));
    const answers = await applyAll(this.service, (this.steps.get(known) as Step).position, questions);
    for (const [place, answer] of answers.slice(before).entries()) {
      const { view, events, position, chanceRequest } = answerOf(answer);
      this.steps.set(number + place, { view, events, position, chanceRequest });
    }
  }
}

async function beginning(service: Service, { ruleSet, position, lines }: RecordText): Promise<Step> {
  const given: Position | undefined = position ? { ruleSet, text: position } : undefined;
  const view = { referee: true, ...(given ? { position: given } : {}) };
  const questions = given ? [{ getView: view }] : [{ startGame: { ruleSet } }, { positionOf: 0, getView: view }];
  const answers = await service.batch(questions);
  const failed = answers.find((answer) => answer.error)?.error;
  if (failed) {
    throw new RecordError(failed.code, headingLine(failed, lines), failed.message);
  }
  const start = given ?? (answers[0]?.startGame?.position as Position);
  const { chanceRequest } = answers[0]?.startGame ?? {};
  return { view: answers.at(-1)?.getView?.view as View, events: [], position: start, chanceRequest };
}

/** How many of the moves can be played, and what is wrong with the next one. */
async function check(service: Service, record: RecordText, start: Position, moves: readonly SeatMove[]) {
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
  return { count, error: undefined };
}

/** The moves before one that cannot be read are played after all: none of its chunk was. */
async function checkedUpTo(
  service: Service,
  record: RecordText,
  start: Position,
  moves: readonly SeatMove[],
  index: number,
  error: ItemError,
): Promise<{ count: number; error: RecordError | undefined }> {
  const before = await check(service, record, start, moves.slice(0, index));
  return before.error
    ? before
    : { count: index, error: new RecordError(error.code, record.moves[index]?.line ?? 0, error.message) };
}

/** Plays lists of moves, each from the position after the list before. */
function applyAll(
  service: Service,
  start: Position,
  lists: readonly (readonly SeatMove[])[],
): Promise<readonly RulesAnswer[]> {
  const questions = lists.map((moves, place) =>
    place ? { positionOf: place - 1, applyMoves: { moves } } : { applyMoves: { position: start, moves } },
  );
  return service.batch(questions);
}

function moveOf(line: RecordLine, game: Game): SeatMove {
  const move = parseMove(line, game);
  return line.seat === undefined ? { move } : { move, seat: line.seat };
}

function answerOf(answer: RulesAnswer): AppliedMoves {
  if (!answer.applyMoves) {
    throw new RecordError(answer.error?.code ?? "", 0, answer.error?.message ?? "");
  }
  return answer.applyMoves;
}

function chunks(moves: readonly SeatMove[]): SeatMove[][] {
  const count = Math.ceil(moves.length / MOST_MOVES);
  return Array.from({ length: count }, (_, place) => moves.slice(place * MOST_MOVES, (place + 1) * MOST_MOVES));
}

function headingLine({ code, field }: ItemError, lines: ReadonlyMap<string, number>): number {
  const option = [...lines].find(([key]) => key.startsWith(OPTION) && field.includes(key.slice(OPTION.length)));
  const names: Record<string, string> = {
    unknown_game: "game",
    bad_players: "players",
    edition_not_supported: "edition",
    bad_position: "position",
  };
  return option?.[1] ?? lines.get(names[code] ?? "") ?? 0;
}

function errorAt(error: unknown, line: number): unknown {
  return error instanceof ServiceError && error.status ? new RecordError(error.code, line, error.message) : error;
}
