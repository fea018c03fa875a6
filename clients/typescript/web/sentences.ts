/** Fills in the sentences of events: the values of the placeholders, as the service names them. */

import type { TableEvent } from "./contract.js";
import type { Names } from "./names.js";

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
