/** A match as its reader sees it: the names of what the service names by keys, events as sentences, what may be pressed. */

import type {
  Card,
  Fact,
  Game,
  LegalMoves,
  Match,
  Move,
  MoveSpec,
  Refusal,
  Service,
  Share,
  TableEvent,
  TableWords,
  View,
  Zone,
} from "./service.js";
import { fill, type Words } from "./words.js";

/** What people of a page are called, by seat. */
export type OwnNames = Readonly<Record<number, string>>;

/** The names of bots, by seat: most games are played where people have such names. */
const BOT_NAMES =
  "Rosa Beppe Nina Gino Carla Tonio Lucia Piero Marta Sandro Ines Elio Pia Dino Olga Nando Rita Ugo Zita Aldo".split(
    " ",
  );

/** Of "[play|plays]" the first part is for a reader who is meant, the second one for all others. */
const ALTERNATIVE = /\[([^|\]]*)\|([^\]]*)\]/g;
/** A seat by its number, as the texts of the rules have it. */
const SEAT = /\b(?:seat|posto|platz) (\d+)/gi;

/** The values of all placeholders that a sentence may have. */
function valuesOf(event: TableEvent, names: Names): Readonly<Record<string, string>> {
  const { cards } = event;
  const who = event.seat === undefined ? "" : names.seat(event.seat);
  const whom = event.seat === undefined ? "" : names.object(event.seat);
  const other = event.other === undefined ? "" : names.object(event.other);
  const [first = "", last = ""] = [cards[0], cards.at(-1)].map((card) => card && names.theCard(card));
  const hidden = event.hidden ? [names.count(event.hidden)] : [];
  const all = [...cards.map((card) => names.theCard(card)), ...hidden].join(", ");
  const word = names.word(event.word);
  const named = cards.length ? first : all;
  return {
    ...{ who, Who: capital(who), whom, other, first, last, cards: all, named, word, faces: names.faces(event) },
    Word: capital(word),
    amount: event.amount === undefined ? "" : String(event.amount),
    shares: names.shares(event.shares),
    people: event.shares.map((share) => names.person(share)).join(", "),
    price: price(event, names),
  };
}

/** A sentence for a reader who is meant by it, or for another one. */
function chosenFor(sentence: string, isMeant: boolean): string {
  return sentence.replace(ALTERNATIVE, (_, you: string, others: string) => (isMeant ? you : others));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What is offered: money, a part of the prize, or both. */
function price({ amount, shares }: TableEvent, names: Names): string {
  const money = amount ? [names.part("money", { amount })] : [];
  return [...money, ...shares.map((share) => names.part("percent", { amount: share.amount }))].join(", ");
}

/** An identifier of the rules as words: `inn_guest` is "inn guest". */
export function spaced(word: string): string {
  return word.replaceAll("_", " ");
}

/** A text without the full stop at its end. */
export function label(text: string): string {
  return text.replace(/\.$/, "");
}

/** What a text says up to its first comma, semicolon or colon. */
export function short(text: string): string {
  return label(text.split(/[,;:]/)[0] ?? "");
}

/** Why a move is refused, with the cards by name, which the service names by their codes. */
export function reasonText({ message, allowedCards, offendingCards }: Refusal, card: (code: string) => string): string {
  const lists = [allowedCards, offendingCards ?? []].filter((codes) => codes.length);
  const listed = lists.reduce((text, codes) => text.replace(codes.join(" "), codes.map(card).join(", ")), message);
  return capital(listed.replace(/\b\w+(?=[ .,;:])/g, card));
}

export class Names {
  private readonly cards: ReadonlyMap<string, Card>;
  private readonly specs: ReadonlyMap<string, MoveSpec>;

  constructor(
    readonly game: Game,
    private readonly table: TableWords,
    readonly match: Match,
    readonly words: Words,
    private readonly own: OwnNames = {},
  ) {
    this.cards = new Map(game.cards.map((card) => [card.code, card]));
    this.specs = new Map(game.moves.map((spec) => [spec.verb, spec]));
  }

  /** A text of the rules with people in the place of seats. */
  seated(text: string): string {
    return text.replace(SEAT, (_, seat: string) => this.player(Number(seat)));
  }

  cardOf(code: string): Card | undefined {
    return this.cards.get(code);
  }

  /** The path of the picture of a back; undefined where the cards have no pictures. */
  get backPath(): string | undefined {
    return this.game.cards[0]?.picturePath?.replace(/[^/]+$/, "back.svg");
  }

  card(code: string): string {
    return this.cards.get(code)?.name ?? code;
  }

  /** A card inside a sentence, with its article where the language has one; a number has none. */
  theCard(code: string): string {
    const name = this.card(code);
    const [, article = ""] = this.words.articles.find(([start]) => new RegExp(`^(?:${start})`).test(name)) ?? [];
    return name === code ? name : article + name;
  }

  reason(refusal: Refusal): string {
    return this.seated(reasonText(refusal, (code) => this.card(code)));
  }

  cardList(codes: readonly string[], hidden = 0): string {
    const seen = codes.map((code) => this.card(code));
    return [...seen, ...(hidden ? [this.count(hidden)] : [])].join(", ");
  }

  count(cards: number): string {
    return cards === 1 ? this.words.card : fill(this.words.cards, { count: cards });
  }

  suit(code: string): string {
    return this.game.suits.find((suit) => suit.code === code)?.name ?? "";
  }

  /** A suit, a card, a rank or another word. */
  word(word: string): string {
    return this.suit(word) || this.cards.get(word)?.name || this.table.words[word] || spaced(word);
  }

  verb(verb: string): string {
    const description = this.specs.get(verb)?.description;
    return this.words.verbs[verb] ?? (description ? label(description) : spaced(verb));
  }

  zone(name: string): string {
    const spec = this.game.zones.find((zone) => zone.name === name);
    return this.words.zones[name] ?? (spec ? short(spec.description) : this.fact(name));
  }

  /** Who sits at a seat, as a part of a sentence; the reader is "you". */
  seat(seat: number): string {
    return this.sayer(seat, "you");
  }

  object(seat: number): string {
    return this.sayer(seat, "you object");
  }

  private sayer(seat: number, you: string): string {
    return seat === this.match.viewer ? this.part(you, {}) || this.words.you : this.player(seat);
  }

  /** What somebody is called: by the page, by themselves, as a bot, or by a number. */
  player(seat: number): string {
    const controller = this.controllerOf(seat);
    if (controller !== undefined) {
      return `${this.sitter(controller)} 2`;
    }
    const { playerName, bot } = this.match.seats[seat] ?? {};
    const named = this.own[seat] || playerName;
    const number = fill(this.words.player, { number: seat + 1 });
    return named || (bot ? (BOT_NAMES[seat % BOT_NAMES.length] ?? number) : number);
  }

  /** Who plays the cards of a seat at which nobody sits. */
  private controllerOf(seat: number): number | undefined {
    return this.match.view.facts.find((fact) => fact.name === "controller" && fact.seat === seat)?.number;
  }

  /** What stands at the place of a seat: "You", or a name. */
  sitter(seat: number): string {
    return seat === this.match.viewer ? capital(this.words.you) : this.player(seat);
  }

  /** The sides that play together, in order of play; none where everybody plays alone or partners vary by deal. */
  get sides(): readonly (readonly number[])[] {
    const { players } = this.match.ruleSet;
    return this.game.partnerships.find((one) => one.players === players)?.sides.map(({ seats }) => seats) ?? [];
  }

  sideOf(seat: number): number {
    return this.sides.findIndex((seats) => seats.includes(seat));
  }

  /** What people call the side of a seat: its players. */
  side(seats: readonly number[]): string {
    const isMine = (seat: number) => Number(seat === this.match.viewer);
    const people = seats.filter((seat) => this.controllerOf(seat) === undefined);
    const sorted = [...people].sort((one, other) => isMine(other) - isMine(one));
    return sorted.map((seat) => this.sitter(seat)).join(" + ");
  }

  isPartner(seat: number): boolean {
    const { viewer } = this.match;
    const mine = this.sides.find((side) => viewer !== undefined && side.includes(viewer));
    return seat !== viewer && mine?.includes(seat) === true;
  }

  /** Who has a share: a seat by its number, or somebody else. */
  person({ person }: Share): string {
    return /^\d+$/.test(person) ? this.sitter(Number(person)) : person;
  }

  /** Amounts by person, or by side where all of a side have the same. */
  shares(shares: readonly Share[]): string {
    const of = (seat: number) => shares.find(({ person }) => person === String(seat))?.amount;
    const parties = this.sides.filter(([seat = 0]) => of(seat) !== undefined);
    const isAlike = parties.every((side) => side.every((seat) => of(seat) === of(side[0] ?? 0)));
    const isBySide = isAlike && parties.length > 0 && parties.flat().length === shares.length;
    const rows = isBySide
      ? parties.map((side) => [this.side(side), of(side[0] ?? 0)])
      : shares.map((share) => [this.person(share), share.amount]);
    return rows.map(([who, amount]) => `${who}: ${amount}`).join(", ");
  }

  value(fact: Fact): string {
    if (fact.shares) {
      return this.shares(fact.shares.shares);
    }
    const isOfSeats = this.table.seats.includes(fact.name) && fact.number !== undefined;
    if (this.table.flags.includes(fact.name) || (isOfSeats && fact.number === fact.seat)) {
      return this.words.yes;
    }
    if (isOfSeats) {
      return this.sitter(Number(fact.number));
    }
    const stake = fact.name === "pool" && this.game.options.find(({ name }) => name === "stake");
    const unit = stake ? ` (${stake.label}: ${this.match.ruleSet.options?.[stake.name] ?? stake.default})` : "";
    return fact.word === undefined ? `${fact.number ?? fact.money ?? ""}${unit}` : this.word(fact.word);
  }

  move(move: Move): string {
    return [this.verb(move.verb), this.details(move)].filter(Boolean).join(": ");
  }

  /** What tells a move from the others of its verb; empty where there is nothing. */
  details(move: Move): string {
    const parts = [
      move.verb === "exchange" ? this.neighbour : this.cardList(move.cards),
      move.choice && this.word(move.choice),
      move.amount === undefined ? "" : String(move.amount),
      move.dummySeat === undefined ? "" : this.player(move.dummySeat),
      this.shares(move.shares),
    ];
    return parts.filter(Boolean).join(", ");
  }

  /** With whom the seat to move exchanges its card: the next one that has tokens. */
  private get neighbour(): string {
    const { turn = 0, scores, facts } = this.match.view;
    const holders = facts.flatMap(({ name, number, seat = 0 }) => (name === "tokens" && number ? [seat] : []));
    const next = scores.map((_, place) => (turn + 1 + place) % scores.length).find((seat) => holders.includes(seat));
    return next === undefined ? "" : this.player(next);
  }

  fact(name: string): string {
    return this.table.facts[name] ?? spaced(name);
  }

  /** Events as sentences; those who win together do so in one. */
  sentences(events: readonly TableEvent[]): string[] {
    const counts = new Map<string, number>();
    for (const event of events) {
      const alike = events.flatMap(({ kind, seat }) => (kind === event.kind && seat !== undefined ? [seat] : []));
      const isShared = event.kind in this.words.together;
      const text = isShared && alike.length > 1 ? this.together(event.kind, alike) : this.event(event);
      counts.set(text, isShared ? 1 : (counts.get(text) ?? 0) + 1);
    }
    return [...counts].map(([text, count]) => (count > 1 ? `${text} (×${count})` : text));
  }

  together(kind: string, seats: readonly number[]): string {
    const { viewer } = this.match;
    const others = seats.filter((seat) => seat !== viewer).map((seat) => this.seat(seat));
    const isMeant = others.length < seats.length;
    const all = isMeant ? [this.part("you", {}), ...others] : others;
    const who = [all.slice(0, -1).join(", "), all.at(-1)].join(this.words.and);
    return capital(fill(chosenFor(this.words.together[kind] ?? "", isMeant), { who }));
  }

  /** An event as a sentence, which may leave out a list of its cards; one without a sentence in a line of its parts. */
  event(event: TableEvent, isShort = false): string {
    const { events } = this.table;
    const side = this.sides[this.sideOf(event.seat ?? -1)];
    if (side?.[1] !== undefined && event.kind in this.words.together) {
      return this.together(event.kind, side);
    }
    const sentence = events[`${event.kind} ${event.word}`] ?? events[event.kind];
    if (sentence === undefined || (event.seat === undefined && /\{who\}/i.test(sentence))) {
      return this.parts(event);
    }
    const isMeant = event.seat !== undefined && event.seat === this.match.viewer;
    const list = isShort ? "" : ` (${this.cardList(event.cards, event.hidden)})`;
    const chosen = chosenFor(sentence, isMeant).replace(" ({cards})", list);
    return capital(fill(chosen, valuesOf(event, this)));
  }

  /** Which card each of two seats has after an exchange, where both are seen; else empty. */
  faces({ cards, seat, other }: TableEvent): string {
    const { viewer } = this.match;
    if (cards.length !== 2 || seat === undefined || other === undefined) {
      return "";
    }
    const [first, second] = [seat, other].map((one, place) =>
      this.part(one === viewer ? "your card" : "their card", {
        who: this.player(one),
        card: this.theCard(cards[place] ?? ""),
      }),
    );
    return this.part("both cards", { first: first ?? "", second: second ?? "" });
  }

  part(name: string, values: Readonly<Record<string, string | number>>): string {
    return fill(this.table.parts[name] ?? "", values);
  }

  private parts(event: TableEvent): string {
    const what = spaced(event.kind);
    const parts = [
      event.seat === undefined ? what : `${this.sitter(event.seat)}: ${what}`,
      event.word && this.word(event.word),
      event.amount === undefined ? "" : String(event.amount),
      this.shares(event.shares),
      this.cardList(event.cards, event.hidden),
    ];
    return parts.filter(Boolean).join(", ");
  }
}

/** A card that a seat may play from: where it lies, and its place there. */
export interface HandCard {
  readonly code: string;
  readonly seat: number;
  readonly id: string;
}

/** The zones from which cards are played: what a seat holds, and its faced card. */
export const HAND_ZONES = ["hand", "turn_up"];

/** Whether a zone belongs to one of the seats and is played from. */
export function isHandZone({ name, seat = -1 }: Zone, seats: ReadonlySet<number>): boolean {
  return HAND_ZONES.includes(name) && seats.has(seat);
}

/** The seats that the reader plays: his own, and those that his legal moves or the facts of the view name. */
function seatsPlayed(view: View, mine: number | undefined, moves: readonly Move[]): ReadonlySet<number> {
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
  for (const { dummySeat } of moves) {
    if (dummySeat !== undefined) {
      played.add(dummySeat);
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
class Choices {
  /** Moves that are made by choosing cards of the hand. */
  readonly byCards: readonly Move[];
  /** All others, by verb. */
  readonly byVerb: ReadonlyMap<string, readonly Move[]>;
  /** Those that have cards of the hand alone. */
  private readonly own: readonly Move[];
  /** Cards are selected first, because some move takes several. */
  readonly selecting: boolean;

  constructor(
    moves: readonly Move[],
    hand: readonly HandCard[],
    private readonly mine: number | undefined,
  ) {
    const own = moves.filter((move) => move.cards.length && isContained(this.cardsOf(move), hand.map(keyOf)));
    const single = own.filter(({ cards }) => cards.length === 1);
    // Beside single cards a combination is a button.
    const byCards = own.filter(({ cards, verb }) => cards.length === 1 || single.every((one) => one.verb === verb));
    this.byCards = byCards;
    this.own = own;
    this.selecting = byCards.some((move) => move.cards.length > 1);
    const byVerb = new Map<string, Move[]>();
    for (const move of moves.filter((one) => !byCards.includes(one))) {
      byVerb.set(move.verb, [...(byVerb.get(move.verb) ?? []), move]);
    }
    this.byVerb = byVerb;
  }

  /** The moves that take cards of the table with a card of the hand. */
  takenWith({ code, seat }: HandCard): readonly Move[] {
    const moves = this.byCards.some((move) => move.cards[0] === code) ? [] : [...this.byVerb.values()].flat();
    const isTaking = (move: Move) => move.cards.includes(code) && !this.own.includes(move);
    return moves.filter((move) => isTaking(move) && (move.dummySeat ?? this.mine) === seat);
  }

  made(selected: readonly HandCard[]): readonly Move[] {
    const keys = selected.map(keyOf).sort().join();
    return this.byCards.filter((move) => this.cardsOf(move).sort().join() === keys);
  }

  /** Whether selected cards can become a legal move with more cards, or are one. */
  canBecomeMove(selected: readonly HandCard[]): boolean {
    return this.byCards.some((move) => isContained(selected.map(keyOf), this.cardsOf(move)));
  }

  private cardsOf(move: Move): string[] {
    const seat = move.dummySeat ?? this.mine ?? 0;
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

/** A match at one revision, as its reader sees it. */
export class State {
  /** The seat that the reader acts for; undefined for the public. */
  readonly mine: number | undefined;
  readonly seats: ReadonlySet<number>;
  readonly hand: readonly HandCard[];
  readonly choices: Choices;
  selected: readonly HandCard[] = [];
  refusals: readonly Refusal[] = [];
  refused: readonly string[] = [];
  /** The ids of the cards of a move that is on its way. */
  sent: readonly string[] = [];
  hinted: Move | undefined;
  /** The addresses of other pictures than those of the service, by card. */
  pictures: ((card: string) => string) | undefined;

  constructor(
    readonly match: Match,
    readonly legal: LegalMoves,
    readonly names: Names,
    readonly service: Service,
  ) {
    this.mine = match.viewer ?? legal.seat;
    this.seats = seatsPlayed(match.view, this.mine, legal.moves);
    this.hand = match.view.zones.filter((zone) => isHandZone(zone, this.seats)).flatMap(cardsOfZone);
    this.choices = new Choices(legal.moves, this.hand, this.mine);
  }

  get words(): Words {
    return this.names.words;
  }

  isDealer(seat: number): boolean {
    return this.match.view.facts.some(({ name, number }) => name === "dealer" && number === seat);
  }

  /** The same match with a view that was seen before this one, in which nothing can be pressed. */
  at(view: View): State {
    const past = new State(
      { ...this.match, view },
      { moves: [], revision: this.legal.revision },
      this.names,
      this.service,
    );
    Object.assign(past, { mine: this.mine });
    return past;
  }

  /** Whether nothing has happened between this state and another one. */
  isAtRevisionOf({ match, legal }: State): boolean {
    return this.match.cursor === match.cursor && this.legal.revision === legal.revision;
  }

  /** The reader has to move; a move out of turn may be possible otherwise. */
  get isMyTurn(): boolean {
    const { turns, waiting } = this.match.view;
    return waiting === "WAITING_SEAT" && this.legal.moves.length > 0 && turns.some((seat) => this.seats.has(seat));
  }

  /** Whether a card can be played, alone or together with those that are selected. */
  isPlayable(card: HandCard): boolean {
    const others = this.choices.selecting ? this.selected.filter((one) => one.id !== card.id) : [];
    return this.choices.canBecomeMove([...others, card]) || this.choices.takenWith(card).length > 0;
  }

  /** The moves by which the selected card takes cards of the table. */
  get taking(): readonly Move[] {
    return this.selected.flatMap((card) => this.choices.takenWith(card));
  }

  isSelected(card: HandCard): boolean {
    return this.selected.some((one) => one.id === card.id);
  }

  /** Whether a refusal says that the card may be played instead. */
  isAllowed(card: HandCard): boolean {
    return this.refusals.some((refusal) => refusal.allowedCards.includes(card.code));
  }
}

/** The number of the deal, where deals are counted. */
export function dealNumber({ facts }: View): number | undefined {
  return facts.find(({ name, seat }) => name === "deal" && seat === undefined)?.number;
}

/** Moves by which cards are played; others are named where one is to be made. */
export const PLAYED = ["play_card", "lead_cards", "follow_cards"];

export function decisionOf({ names, words, choices, hand, taking }: State): string {
  const [move, ...more] = choices.byCards;
  const [take] = taking;
  if (take) {
    return `${words.yourTurn}: ${names.verb(take.verb)}`;
  }
  if (!move) {
    const mayTake = hand.some((card) => choices.takenWith(card).length > 0);
    return mayTake ? words.yourTurnPlay : words.yourTurnChoose;
  }
  const isPlayed = PLAYED.includes(move.verb);
  if (isPlayed && !choices.selecting) {
    const { dummySeat } = move;
    return words.yourTurnPlay + (dummySeat === undefined ? "" : ` (${names.player(dummySeat)})`);
  }
  const isCounted = choices.selecting && more.every(({ cards }) => cards.length === move.cards.length);
  if (isPlayed && !isCounted) {
    return words.yourTurnSelect;
  }
  const verb = (!isPlayed || choices.selecting) && names.verb(move.verb);
  const parts = [words.yourTurn, verb, isCounted && names.count(move.cards.length)];
  return parts.filter(Boolean).join(": ");
}
