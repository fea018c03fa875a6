/** The updates of a match beside the moves of its record. */

import type { TableEvent, Update } from "./contract.js";

/** An update of a match, and how many moves of the record had been made after it. */
export interface HistoryEntry {
  readonly revision: number;
  readonly cursor: string;
  readonly events: readonly TableEvent[];
  readonly moves: number;
  /** The position after it is in the record; not so for a decision that was taken back later. */
  readonly isInRecord: boolean;
}

/** Events of actions that are no move of the game. */
const ACTIONS = [
  ...["contributed", "shuffle_requested", "time_over", "bot_seated", "bot_left", "clock_advanced", "moves_lost"],
  ...["takeback_requested", "takeback_agreed", "takeback_declined", "taken_back"],
];

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
