/** What a table shows, and what its reader can do. */

import { Choices, cardsOfZone, type HandCard, isHandZone, seatsPlayed } from "./choices.js";
import type { LegalMoves, Match, Move, Refusal } from "./contract.js";
import type { Names } from "./names.js";
import type { Service } from "./service.js";
import type { Words } from "./words.js";

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
