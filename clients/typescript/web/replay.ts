/** Positions of a match from its record: nothing is copied or kept, the rules are asked for the views. */

import type { Game, Move, MoveSpec, Share, TableEvent, Update, View } from "./contract.js";
import type { Service } from "./service.js";

/** A move of a record, and the seat that makes it; absent for chance. */
export interface SeatMove {
  readonly seat?: number;
  readonly move: Partial<Move>;
}

/** What a record says: what is played, from which position (empty: the beginning), and the moves. */
export interface Replay {
  readonly ruleSet: object;
  readonly position: string;
  readonly moves: readonly SeatMove[];
}

/** An update of a match, and how many moves of the record had been made after it. */
export interface HistoryEntry {
  readonly revision: number;
  readonly cursor: string;
  readonly events: readonly TableEvent[];
  readonly moves: number;
  /** The position after it is in the record; not so for a decision that was taken back later. */
  readonly isInRecord: boolean;
}

/** Who looks at a position: a seat, the referee or the public. */
export type Viewer = Partial<{ readonly seat: number; readonly referee: true }>;

/** Events of actions that are no move of the game. */
const ACTIONS = [
  ...["contributed", "shuffle_requested", "time_over", "bot_seated", "bot_left", "clock_advanced", "moves_lost"],
  ...["takeback_requested", "takeback_agreed", "takeback_declined", "taken_back"],
];

/** Reads a record. */
export function readRecord(record: string, game: Game): Replay {
  const specs = new Map(game.moves.map((spec) => [spec.verb, spec]));
  const options: Record<string, string> = {};
  const heads: Record<string, string> = {};
  const moves: SeatMove[] = [];
  for (const line of record.split("\n").map((text) => (text.split("|")[0] ?? "").trim())) {
    const [head = "", ...words] = line.split(/\s+/);
    if (head === "option") {
      options[words[0] ?? ""] = words.slice(1).join(" ");
    } else if (head === "table" || /^\d+$/.test(head)) {
      moves.push({ ...(head === "table" ? {} : { seat: Number(head) }), move: readMove(words, specs) });
    } else {
      heads[head] = line.slice(head.length).trim();
    }
  }
  const ruleSet = {
    gameId: heads["game"],
    players: Number(heads["players"]),
    edition: Number(heads["edition"] ?? 0),
    options,
  };
  return { ruleSet, position: heads["position"] ?? "", moves };
}

/** Reads a move in notation: what its verb takes says which word is what. */
function readMove([verb = "", ...words]: readonly string[], specs: ReadonlyMap<string, MoveSpec>): Partial<Move> {
  const spec = specs.get(verb);
  const seat = words.at(-1)?.startsWith("@") ? { seat: Number(words.at(-1)?.slice(1)) } : {};
  const rest = words.filter((word) => !word.startsWith("@"));
  const isShare = (word: string) => spec?.shares === true && word.includes(":");
  const shares = rest.filter(isShare).map(readShare);
  const others = rest.filter((word) => !isShare(word));
  const amount = spec?.amount && others.length ? { amount: Number(others.pop()) } : {};
  const hasChoice = spec?.choices.length && others.length > spec.minCards;
  const choice = hasChoice ? { choice: others.pop() ?? "" } : {};
  return { verb, cards: others, shares, ...choice, ...amount, ...seat };
}

function readShare(word: string): Share {
  const place = word.lastIndexOf(":");
  return { person: decodeURIComponent(word.slice(0, place)), amount: word.slice(place + 1) };
}

/** Counts the moves of the record after each update, as the referee sees them. */
export function historyOf(updates: readonly Update[]): readonly HistoryEntry[] {
  let made: readonly number[] = [];
  const found = updates.map((update, place) => {
    const [event] = update.events;
    if (event?.kind === "taken_back") {
      const before = updates.findLastIndex((one) => one.revision <= (event.amount ?? 0));
      made = made.filter((one) => one <= before);
    } else if (!ACTIONS.includes(event?.kind ?? "")) {
      made = [...made, place];
    }
    return { ...update, moves: made.length, last: made.at(-1) };
  });
  return found.map(({ last, moves, ...update }) => {
    return { ...update, moves, isInRecord: last === undefined || made[moves - 1] === last };
  });
}

/** The views of a position, after so many moves of a record, in one request. */
export async function viewsAfter(
  service: Service,
  { ruleSet, position, moves }: Replay,
  count: number,
  viewers: readonly Viewer[],
): Promise<readonly View[]> {
  const begin = position
    ? { applyMoves: { position: { ruleSet, text: position }, moves: moves.slice(0, 1) } }
    : undefined;
  const questions: object[] = [begin ?? { startGame: { ruleSet } }];
  // From a position the first move is in the first question already.
  for (let at = begin ? 1 : 0; at < count; at += MOST_MOVES) {
    const part = moves.slice(at, Math.min(count, at + MOST_MOVES));
    questions.push({ positionOf: questions.length - 1, applyMoves: { moves: part } });
  }
  const atStart = begin && count === 0 ? { position: { ruleSet, text: position } } : undefined;
  const positionOf = questions.length - 1;
  const asked = viewers.map((viewer) => ({
    ...(atStart ? {} : { positionOf }),
    getView: { ...viewer, ...atStart },
  }));
  const answers = await service.askRules(atStart ? asked : [...questions, ...asked]);
  return answers.flatMap((answer) => answer.getView?.view ?? []);
}

/** The greatest number of moves in a question. */
const MOST_MOVES = 1000;
