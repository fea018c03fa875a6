/** Names of what the service names by keys, and events as sentences. */

import type { Card, Fact, Game, Match, Move, MoveSpec, Refusal, Share, TableEvent, TableWords } from "./service.js";
import { fill, termOf, type Words } from "./words.js";

/** The values of all placeholders that a sentence may have. */
export function valuesOf(event: TableEvent, names: Names): Readonly<Record<string, string>> {
  const { cards } = event;
  const who = event.seat === undefined ? "" : names.seat(event.seat);
  const other = event.other === undefined ? "" : names.seat(event.other);
  const [first = "", last = ""] = [cards[0], cards.at(-1)].map((card) => card && names.card(card));
  const all = names.cardList(cards, event.hidden);
  const word = names.word(event.word);
  const named = cards.length ? first : all;
  const faces = cards.length === 2 && other ? names.part("faces", { who, other, first, last }) : "";
  return {
    ...{ who, Who: who, whom: who, other, first, last, cards: all, named, faces, word },
    Word: word.charAt(0).toUpperCase() + word.slice(1),
    amount: event.amount === undefined ? "" : String(event.amount),
    shares: names.shares(event.shares),
    people: event.shares.map((share) => names.person(share)).join(", "),
    price: price(event, names),
  };
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
  return lists.reduce((text, codes) => text.replace(codes.join(" "), codes.map(card).join(", ")), message);
}

/** The names at one match. */
export class Names {
  private readonly cards: ReadonlyMap<string, Card>;
  private readonly specs: ReadonlyMap<string, MoveSpec>;

  constructor(
    readonly game: Game,
    private readonly table: TableWords,
    readonly match: Match,
    readonly words: Words,
  ) {
    this.cards = new Map(game.cards.map((card) => [card.code, card]));
    this.specs = new Map(game.moves.map((spec) => [spec.verb, spec]));
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

  /** Why a move is refused. */
  reason(refusal: Refusal): string {
    return reasonText(refusal, (code) => this.card(code));
  }

  /** A list of cards; hidden ones are counted. */
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
    return description ? label(description) : spaced(verb);
  }

  zone(name: string): string {
    const spec = this.game.zones.find((zone) => zone.name === name);
    return spec ? short(spec.description) : spaced(name);
  }

  /** The name of a seat: that of the player, if there is one. */
  seat(seat: number): string {
    const player = this.match.seats[seat]?.playerName;
    const number = fill(this.words.seat, { seat });
    return player ? `${player} (${number})` : number;
  }

  /** The same, with what else a reader wants to know of who sits there. */
  sitter(seat: number): string {
    const bot = this.match.seats[seat]?.bot?.bot;
    const more = [
      seat === this.match.viewer ? this.words.you : "",
      bot ? fill(this.words.bot, { bot: termOf(this.words, bot) }) : "",
    ];
    return [this.seat(seat), ...more.filter(Boolean)].join(", ");
  }

  /** Who has a share: a seat by its number, or somebody else. */
  person({ person }: Share): string {
    return /^\d+$/.test(person) ? this.seat(Number(person)) : person;
  }

  shares(shares: readonly Share[]): string {
    return shares.map((share) => `${this.person(share)}: ${share.amount}`).join(", ");
  }

  value(fact: Fact): string {
    if (fact.shares) {
      return this.shares(fact.shares.shares);
    }
    if (this.table.flags.includes(fact.name)) {
      return this.words.yes;
    }
    if (this.table.seats.includes(fact.name) && fact.number !== undefined) {
      return this.seat(fact.number);
    }
    return fact.word === undefined ? String(fact.number ?? fact.money ?? "") : this.word(fact.word);
  }

  /** What tells a move from the others of its verb; empty where there is nothing. */
  details(move: Move): string {
    const parts = [
      this.cardList(move.cards),
      move.choice && this.word(move.choice),
      move.amount === undefined ? "" : String(move.amount),
      move.dummySeat === undefined ? "" : this.seat(move.dummySeat),
      this.shares(move.shares),
    ];
    return parts.filter(Boolean).join(", ");
  }

  fact(name: string): string {
    return this.table.facts[name] ?? spaced(name);
  }

  /** An event as a sentence; one without a sentence in a line of its parts. */
  event(event: TableEvent): string {
    const { events } = this.table;
    const sentence = events[`${event.kind} ${event.word}`] ?? events[event.kind];
    if (sentence === undefined || (event.seat === undefined && /\{who\}/i.test(sentence))) {
      return this.parts(event);
    }
    const text = fill(sentence, valuesOf(event, this));
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  /** A part of a sentence. */
  part(name: string, values: Readonly<Record<string, string | number>>): string {
    return fill(this.table.parts[name] ?? "", values);
  }

  private parts(event: TableEvent): string {
    const what = spaced(event.kind);
    const parts = [
      event.seat === undefined ? what : `${this.seat(event.seat)}: ${what}`,
      event.word && this.word(event.word),
      event.amount === undefined ? "" : String(event.amount),
      event.other === undefined ? "" : fill(this.words.to, { who: this.seat(event.other) }),
      this.shares(event.shares),
      this.cardList(event.cards, event.hidden),
    ];
    return parts.filter(Boolean).join(", ");
  }
}
