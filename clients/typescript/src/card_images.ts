/** Cards as text with suit symbols, such as `10♥` or `A🪙`. */

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
