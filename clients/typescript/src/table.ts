/**
 * The nouns of the table, as plain readonly values: what lies there, what seats do, what happens, why not.
 *
 * Cards are words in the notation of their pack ("Ab", "Th", "XIV"). What is absent is undefined: seat 0 is a seat. All
 * numbers are safe integers, so that every value may go through JSON.
 */

import type { Open, RefusalCode } from "./codes.js";

/** What a table has agreed to play. */
export interface Agreement {
  /** The key of the game in the catalogue. */
  readonly game: string;
  /** How many persons play; 0 for the number that the game names first. */
  readonly players: number;
  /** The house rules by name. */
  readonly options: Readonly<Record<string, string>>;
  /** The edition of the rules; 0 for the current one. */
  readonly edition: number;
}

/** An amount that belongs to a person. */
export interface Share {
  /** The number of a seat, such as "3", or the name of somebody who has none. */
  readonly person: string;
  /** In points, in percent, or in the smallest unit of money. */
  readonly amount: number;
}

/** What a seat does. */
export interface Move {
  /** The verb, such as "play_card". */
  readonly verb: string;
  readonly cards: readonly string[];
  /** A suit, a rank or an answer; "" for none. */
  readonly word: string;
  /** A number: a bid, a cut, a lot. */
  readonly amount?: number;
  /** The seat whose card is moved, where it is not the mover's own. */
  readonly seat?: number;
  /** Amounts by person. */
  readonly shares: readonly Share[];
}

/** What happened, as the reader may know it. */
export interface Event {
  /** The kind, in the past tense, such as "trick_taken". */
  readonly kind: string;
  /** Whom it concerns. */
  readonly seat?: number;
  /** The cards, as far as the reader may see them. */
  readonly cards: readonly string[];
  /** How many cards were involved that the reader may not see. */
  readonly hidden: number;
  readonly word: string;
  readonly amount?: number;
  /** The other seat concerned. */
  readonly other?: number;
  readonly shares: readonly Share[];
}

/** A place where cards lie. */
export interface Pile {
  /** "hand", "stock", "turn_up", "trick", "taken", and what else a game has. */
  readonly name: string;
  /** The seat it belongs to; of a taken trick, the winner. */
  readonly seat?: number;
  /** The cards that the reader may see: none or all. */
  readonly cards: readonly string[];
  /** How many cards lie there. */
  readonly size: number;
  /** The seat that played the first of these cards. */
  readonly leader?: number;
}

/** The value of a fact: a word, a number or an amount of money in its smallest unit, or amounts by person. */
export type Value = string | number | readonly Share[];

/** Anything else that is true of the table. */
export interface Fact {
  /** "trump", "dealer", "pool", and what else a game has. */
  readonly name: string;
  readonly seat?: number;
  readonly value?: Value;
}

/** Whom the table waits for: a seat, the referee's pack or lot, or nobody, because the match is over. */
export type Waiting = "seat" | "table" | "nobody" | "unspecified";

/** How a match ended: the seats that have won, none of them where it is drawn. */
export interface Outcome {
  readonly winners: readonly number[];
}

/** The table as one reader sees it. */
export interface View {
  /** The stretch of the game. */
  readonly phase: string;
  readonly waiting: Waiting;
  /** The seat to move, where one is. */
  readonly turn?: number;
  readonly piles: readonly Pile[];
  readonly facts: readonly Fact[];
  /** The score of the match by seat. */
  readonly scores: readonly number[];
  /** How the match ended; absent while it lasts. */
  readonly outcome?: Outcome;
}

/** One sentence of the rule book. */
export interface Clause {
  /** Its number, such as "CO-17": it never changes its meaning. */
  readonly key: string;
  readonly says: string;
  /** The document it rests on, or the ruling where the documents are silent. */
  readonly source: string;
}

/** A broken clause with the particulars. */
export interface Refusal {
  /** The reason, to be switched on. */
  readonly code: Open<RefusalCode>;
  /** The clause that forbids it. */
  readonly clause: Clause;
  /** The same in a sentence, in the language of the client. */
  readonly because: string;
  /** The cards of this hand that might be played instead. */
  readonly instead: readonly string[];
  /** The cards of this hand that are at fault. */
  readonly held: readonly string[];
  /** The suit, rank, card or phase that it is about. */
  readonly word: string;
  readonly amount?: number;
  /** The move is accepted all the same, and costs what the clause says. */
  readonly penalty: boolean;
  /** Where the clause stands in the rule book, as a path at the REST door. */
  readonly page: string;
}

/** One thing a seat might do, with every clause it would break; none if it is legal. */
export interface ExplainedMove {
  readonly move: Move;
  readonly refusals: readonly Refusal[];
}

/** Finds the pile of that name, of that seat; an empty one where there is none. */
export function pileOf(view: View, name: string, seat?: number): Pile {
  const found = view.piles.find((pile) => pile.name === name && pile.seat === seat);
  return found ?? { name, seat, cards: [], size: 0 };
}

/** Finds what is true under that name, of that seat; undefined where nothing is. */
export function factOf(view: View, name: string, seat?: number): Value | undefined {
  return view.facts.find((fact) => fact.name === name && fact.seat === seat)?.value;
}
