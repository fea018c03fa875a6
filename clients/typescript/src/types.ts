/** The values of the client: moves, refusals, events, views, cards, and what the catalogue says of games. */

import type { Open, RefusalCode } from "./errors.js";
import type * as pb from "./gen/chitarrella/v1/catalogue_pb.js";
import { EVENT_FIELDS } from "./gen/events.js";
import type { Plain } from "./plain.js";

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
  readonly dummySeat?: number;
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

type EventFields = typeof EVENT_FIELDS;

/** An event of a known kind, with the fields that its kind may have and no others. */
export type EventByKind = {
  [Kind in keyof EventFields]: Pick<Event, EventFields[Kind][number]> & { readonly kind: Kind };
}[keyof EventFields];

/** Returns the event if this client knows its kind, else undefined: newer services and other games have more kinds. */
export function eventByKind(event: Event): EventByKind | undefined {
  return Object.hasOwn(EVENT_FIELDS, event.kind) ? (event as EventByKind) : undefined;
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

/** Whether a move is accepted; "undecided" if that depends on unknown parts of a partial position. */
export type Verdict = "accepted" | "refused" | "undecided" | "unspecified";

/** By what a match ended: it was played to its end, all sides but one have resigned, or it was decided. */
export type Ending = "played" | "resigned" | "decided" | "unspecified";

/** How a match ended. */
export interface Outcome {
  /** The seats that have won; empty for a draw. */
  readonly winners: readonly number[];
  readonly ending: Ending;
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

/** A clause that a move breaks, or may break, with details. */
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
  readonly pagePath: string;
  /** It depends on unknown parts of a partial position whether the move breaks the clause. */
  readonly undecided: boolean;
}

/** A move, legal or not, with every clause it breaks or may break. */
export interface ExplainedMove {
  readonly move: Move;
  readonly verdict: Verdict;
  readonly refusals: readonly Refusal[];
  /** The unknown parts of a partial position that its refusals depend on, such as "trump". */
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

/** An entry of the list of games: its `gameId`, title, description, place, family, players, pack, sources and edition. */
export type GameSummary = Plain<pb.GameSummary>;

/** An option of a game: one of `choices`, or a number from `minimum` to `maximum`. */
export type Option = Plain<pb.Option>;

/** The specification of a kind of move: its arguments and its phases. */
export type MoveSpec = Plain<pb.MoveSpec>;

/** A reason of a refusal, and the key of its clause. */
export type ReasonCode = Plain<pb.ReasonCode>;

/** An edition of the rules of a game. */
export type Edition = Plain<pb.Edition>;

/**
 * A card of a game, as it ranks and counts where no suit is trumps.
 *
 * `order` is its place in its suit, or among all cards where cards have no suit: a higher number beats a lower one, and
 * 0 loses to every other card. `points` is absent where no card counts anything.
 */
export type Card = Plain<pb.Card>;

/** A suit that cards count as. */
export type Suit = Plain<pb.Suit>;

/** The seats of one side, in order of play. */
export interface Side {
  readonly seats: readonly number[];
}

/** Who plays together, at one number of players. */
export interface Partnership {
  readonly players: number;
  /** The sides in order of play. */
  readonly sides: readonly Side[];
}

/** A kind of zone, and what lies there. `seenBy` is who sees its cards unless a rule shows more. */
export type ZoneSpec = Plain<pb.ZoneSpec>;

/** A kind of event, and the fields that it may have. */
export type EventSpec = Plain<pb.EventSpec>;

/** The description of a game, with the whole rule book. */
export interface Game {
  readonly summary: GameSummary;
  /** Every card in canonical order. */
  readonly pack: readonly string[];
  readonly options: readonly Option[];
  readonly moves: readonly MoveSpec[];
  readonly reasons: readonly ReasonCode[];
  readonly clauses: readonly Clause[];
  readonly editions: readonly Edition[];
  /** Each different card in canonical order; like suits, zones, moves and options those of the rule set. */
  readonly cards: readonly Card[];
  /** The suits that cards count as; none where cards have no suit. */
  readonly suits: readonly Suit[];
  /** The partners at each number of players that has fixed ones. */
  readonly partnerships: readonly Partnership[];
  /** The kinds of zones of a view. */
  readonly zones: readonly ZoneSpec[];
  /** The kinds of events. */
  readonly events: readonly EventSpec[];
}

/** Returns a card of a game by its notation; undefined if the game has no such card. */
export function cardOf(game: Game, code: string): Card | undefined {
  return game.cards.find((card) => card.code === code);
}

const SUITS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Italian: { b: "🪄", c: "🏆", d: "🪙", s: "🗡️" },
  French: { c: "♣", d: "♦", h: "♥", s: "♠" },
};

const CUCCO: Readonly<Record<string, string>> = {
  MAT: "🃏",
  MAS: "🎭",
  SEC: "🪣",
  NUL: "0️⃣",
  XI: "🏠",
  XII: "🐈",
  XIII: "🐎",
  XIV: "🏹",
  XV: "🐦",
  LEO: "🦁",
};

/**
 * Returns a card with the symbol of its suit; `pack` is the name in the catalogue. An unknown card is returned as it
 * is.
 */
export function cardImage(card: string, pack: string): string {
  const kind = pack.split(" ", 1)[0] ?? "";
  if (kind === "Cucco") {
    return CUCCO[card] === undefined ? card : `${CUCCO[card]} ${card}`;
  }
  const rank = card.slice(0, -1);
  const suit = SUITS[kind]?.[card.slice(-1)];
  return suit === undefined ? card : `${rank === "T" ? "10" : rank}${suit}`;
}
