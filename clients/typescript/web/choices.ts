/** Which of the legal moves are made by cards of the hand, and which are buttons. */

import type { Game, Move, View, Zone } from "./contract.js";

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
