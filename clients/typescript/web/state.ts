/** The state of a match in the page: what is chosen, and what may be. */

import type { Names } from "./names.js";
import type { Game, LegalMoves, Match, Move, Refusal, Service, View, Zone } from "./service.js";
import type { Words } from "./words.js";

/** A card that a seat may play from: where it lies, and its place there. */
export interface HandCard {
  readonly code: string;
  readonly seat: number;
  readonly id: string;
}

/** The zones from which cards are played: what a seat holds, and its faced card. */
const HAND_ZONES = ["hand", "turn_up"];

/** Whether a zone belongs to one of the seats and is played from. */
export function isHandZone(zone: Zone, seats: ReadonlySet<number>): boolean {
  return HAND_ZONES.includes(zone.name) && zone.seat !== undefined && seats.has(zone.seat);
}

/** The seats that the reader plays: his own, and those that his legal moves or the facts of the view name. */
export function seatsPlayed(view: View, mine: number | undefined, moves: readonly Move[]): ReadonlySet<number> {
  const played = new Set<number>();
  if (mine === undefined) {
    return played;
  }
  played.add(mine);
  for (const { name, seat, number } of view.facts) {
    if (name === "controller" && number === mine && seat !== undefined) {
      played.add(seat);
    }
  }
  for (const { seat } of moves) {
    if (seat !== undefined) {
      played.add(seat);
    }
  }
  return played;
}

/** The cards of a zone, each with an id of its own, so that two equal cards are two. */
export function cardsOfZone(zone: Zone): readonly HandCard[] {
  const seat = zone.seat ?? 0;
  return zone.cards.map((code, place) => {
    const copy = zone.cards.slice(0, place).filter((other) => other === code).length;
    return { code, seat, id: `${zone.name} ${seat} ${code} ${copy}` };
  });
}

/** The legal moves of one seat, sorted by how they are made. */
export class Choices {
  /** Moves that are made by choosing cards of the hand. */
  readonly byCards: readonly Move[];
  /** All others, by verb. */
  readonly byVerb: ReadonlyMap<string, readonly Move[]>;
  /** Cards are selected first, because some move takes several. */
  readonly selecting: boolean;

  constructor(
    moves: readonly Move[],
    hand: readonly HandCard[],
    private readonly mine: number | undefined,
  ) {
    const byCards = moves.filter((move) => move.cards.length && isContained(this.cardsOf(move), hand.map(keyOf)));
    this.byCards = byCards;
    this.selecting = byCards.some((move) => move.cards.length > 1);
    const byVerb = new Map<string, Move[]>();
    for (const move of moves.filter((one) => !byCards.includes(one))) {
      byVerb.set(move.verb, [...(byVerb.get(move.verb) ?? []), move]);
    }
    this.byVerb = byVerb;
  }

  /** The moves that selected cards make. */
  made(selected: readonly HandCard[]): readonly Move[] {
    const keys = selected.map(keyOf).sort().join();
    return this.byCards.filter((move) => this.cardsOf(move).sort().join() === keys);
  }

  /** Whether selected cards can become a legal move with more cards, or are one. */
  canBecomeMove(selected: readonly HandCard[]): boolean {
    return this.byCards.some((move) => isContained(selected.map(keyOf), this.cardsOf(move)));
  }

  private cardsOf(move: Move): string[] {
    const seat = move.seat ?? this.mine ?? 0;
    return move.cards.map((code) => keyOf({ code, seat, id: "" }));
  }
}

/** The verb by which cards are played now: that of a legal move, else of the phase, else of the game; or none. */
export function verbOfCards(game: Game, view: View, choices: Choices): string | undefined {
  const verbs = game.moves.filter((spec) => spec.maxCards > 0 && !spec.byChance);
  const inPhase = verbs.find((spec) => spec.phases.includes(view.phase));
  return choices.byCards[0]?.verb ?? (inPhase ?? verbs[0])?.verb;
}

function keyOf({ code, seat }: HandCard): string {
  return `${seat} ${code}`;
}

/** Whether the second list has everything of the first, as often. */
function isContained(part: readonly string[], whole: readonly string[]): boolean {
  const rest = [...whole];
  return part.every((key) => {
    const place = rest.indexOf(key);
    if (place < 0) {
      return false;
    }
    rest.splice(place, 1);
    return true;
  });
}

/** What the buttons of a table do. */
export interface Actions {
  tap(card: HandCard): void;
  play(move: Move): void;
  clear(): void;
  addSeed(): void;
  takeBack(decline: boolean): void;
}

/** A match at one revision, as its reader sees it. */
export class State {
  /** The seat that the reader acts for; undefined for the public. */
  readonly mine: number | undefined;
  readonly seats: ReadonlySet<number>;
  readonly hand: readonly HandCard[];
  readonly choices: Choices;
  selected: readonly HandCard[] = [];
  refusals: readonly Refusal[] = [];
  /** The ids of the cards that are refused. */
  refused: readonly string[] = [];

  constructor(
    readonly match: Match,
    readonly legal: LegalMoves,
    readonly names: Names,
    readonly service: Service,
  ) {
    this.mine = match.seat ?? legal.seat;
    this.seats = seatsPlayed(match.view, this.mine, legal.moves);
    this.hand = match.view.zones.filter((zone) => isHandZone(zone, this.seats)).flatMap(cardsOfZone);
    this.choices = new Choices(legal.moves, this.hand, this.mine);
  }

  get words(): Words {
    return this.names.words;
  }

  /** Whether nothing has happened between this state and another one. */
  isAtRevisionOf({ match, legal }: State): boolean {
    return this.match.revision === match.revision && this.legal.revision === legal.revision;
  }

  /** The reader has to move; a move out of turn may be possible otherwise. */
  get isMyTurn(): boolean {
    const { turn, waiting } = this.match.view;
    return waiting === "WAITING_SEAT" && this.legal.moves.length > 0 && turn !== undefined && this.seats.has(turn);
  }

  /** Whether a card can be played, alone or together with those that are selected. */
  isPlayable(card: HandCard): boolean {
    const others = this.choices.selecting ? this.selected.filter((one) => one.id !== card.id) : [];
    return this.choices.canBecomeMove([...others, card]);
  }

  isSelected(card: HandCard): boolean {
    return this.selected.some((one) => one.id === card.id);
  }

  /** Whether a refusal says that the card may be played instead. */
  isAllowed(card: HandCard): boolean {
    return this.refusals.some((refusal) => refusal.allowedCards.includes(card.code));
  }
}
