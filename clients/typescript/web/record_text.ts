/** Reads a record (docs/notation.md): its headings, and its moves in the form of the REST API. */

import type { Game, Move, MoveSpec, Share } from "./contract.js";

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
