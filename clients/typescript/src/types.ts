/**
 * Value types, plain and readonly: rule sets, moves, events, views, refusals.
 *
 * Cards are strings in the notation of their pack ("Ab", "Th", "XIV"). Optional values are undefined if absent: seat 0
 * is a seat. All numbers are safe integers, so that every value can be converted to JSON.
 */

import type { Open, RefusalCode } from "./codes.js";

/** A game with its number of players and options. */
export interface RuleSet {
  /** The key of the game in the catalogue. */
  readonly gameId: string;
  /** The number of players; 0 for the game's default. */
  readonly players: number;
  /** The options by name. */
  readonly options: Readonly<Record<string, string>>;
  /** The edition of the rules; 0 for the current one. */
  readonly edition: number;
}

/** The amount of a person. */
export interface Share {
  /** The number of a seat, such as "3", or a name. */
  readonly person: string;
  /** In points, in percent, or in the smallest unit of money. */
  readonly amount: number;
}

/** A move: a verb and its arguments. */
export interface Move {
  /** The verb, such as "play_card". */
  readonly verb: string;
  readonly cards: readonly string[];
  /** A suit, a rank or an answer; "" for none. */
  readonly choice: string;
  /** A number: a bid, a cut, a lot. */
  readonly amount?: number;
  /** The seat whose card is played, if it is not the mover's: a dummy. */
  readonly seat?: number;
  /** Amounts by person. */
  readonly shares: readonly Share[];
}

/** An event, as visible to the viewer. */
export interface Event {
  /** The kind, in the past tense, such as "trick_taken". */
  readonly kind: string;
  /** The seat concerned. */
  readonly seat?: number;
  /** The visible cards. */
  readonly cards: readonly string[];
  /** The number of hidden cards. */
  readonly hidden: number;
  readonly word: string;
  readonly amount?: number;
  /** The other seat concerned. */
  readonly other?: number;
  readonly shares: readonly Share[];
}

/** A place where cards lie. */
export interface Zone {
  /** "hand", "stock", "turn_up", "trick", "taken" and others. */
  readonly name: string;
  /** The seat it belongs to; of a taken trick, the winner. */
  readonly seat?: number;
  /** The visible cards: none or all. */
  readonly cards: readonly string[];
  /** The number of cards. */
  readonly size: number;
  /** The seat that played the first of these cards. */
  readonly leader?: number;
}

/** The value of a fact: a string, a number or an amount of money in its smallest unit, or amounts by person. */
export type Value = string | number | readonly Share[];

/** A named value of the view. */
export interface Fact {
  /** "trump", "dealer", "pool" and others. */
  readonly name: string;
  readonly seat?: number;
  readonly value?: Value;
}

/** Who has to act: a seat, chance (a shuffle or a lot is awaited), or nobody, because the match is finished. */
export type Waiting = "seat" | "chance" | "nobody" | "unspecified";

/** The outcome of a match: the seats that have won; empty for a draw. */
export interface Outcome {
  readonly winners: readonly number[];
}

/** The state of a match as visible to one viewer. */
export interface View {
  /** The phase of the game. */
  readonly phase: string;
  readonly waiting: Waiting;
  /** The seat to move, if any. */
  readonly turn?: number;
  readonly zones: readonly Zone[];
  readonly facts: readonly Fact[];
  /** The score of the match by seat. */
  readonly scores: readonly number[];
  /** The outcome; absent until the match is finished. */
  readonly outcome?: Outcome;
}

/** A clause of the rule book. */
export interface Clause {
  /** The key, such as "CO-17"; stable. */
  readonly key: string;
  /** The sentence. */
  readonly text: string;
  /** The document it rests on, or "ruling" if the documents are silent. */
  readonly source: string;
}

/** A broken clause with details. */
export interface Refusal {
  /** The machine-readable reason. */
  readonly code: Open<RefusalCode>;
  /** The clause that forbids it. */
  readonly clause: Clause;
  /** The explanation, in the language of the client. */
  readonly message: string;
  /** The cards of this hand that may be played instead. */
  readonly allowedCards: readonly string[];
  /** The cards of this hand that are at fault. */
  readonly offendingCards: readonly string[];
  /** The suit, rank, card or phase concerned. */
  readonly word: string;
  readonly amount?: number;
  /** The move stands, at the penalty of the clause. */
  readonly penalty: boolean;
  /** The REST path of the clause in the rule book. */
  readonly page: string;
}

/** A move, legal or not, with every clause it breaks. */
export interface ExplainedMove {
  readonly move: Move;
  /** Every clause it would break; if that depends on unknown parts, every clause it may break. */
  readonly refusals: readonly Refusal[];
  /** The unknown parts of a partial position that its legality depends on, such as "trump". */
  readonly dependsOn: readonly string[];
}

/** Returns the zone with this name and seat; an empty one if there is none. */
export function zoneOf(view: View, name: string, seat?: number): Zone {
  const found = view.zones.find((zone) => zone.name === name && zone.seat === seat);
  return found ?? { name, seat, cards: [], size: 0 };
}

/** Returns the fact with this name and seat; undefined if there is none. */
export function factOf(view: View, name: string, seat?: number): Value | undefined {
  return view.facts.find((fact) => fact.name === name && fact.seat === seat)?.value;
}
