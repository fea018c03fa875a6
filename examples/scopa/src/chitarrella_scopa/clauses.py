"""The rule book of Scopa. Its source is the common knowledge of players; rulings say where customs differ."""

from __future__ import annotations

from chitarrella.core.model import Clause

CUSTOM = "custom"
RULING = "ruling"

CLAUSES = (
    Clause("SCO-1.1", "Two play each alone, four as partners who sit opposite each other.", CUSTOM),
    Clause("SCO-2.1", "The pack has 40 cards; an ace captures 1, the figures 8, 9 and 10, every other card its number.", CUSTOM),
    Clause("SCO-3.1", "Each seat is dealt three cards, eldest first, and four cards are laid face up on the table.", CUSTOM),
    Clause("SCO-3.2", "When all hands are empty, each seat is dealt three more cards, until the stock is used up.", CUSTOM),
    Clause("SCO-3.3", "What is laid on the table first stays there, also three or four kings.", RULING),
    Clause("SCO-4.1", "Eldest plays first; each seat in turn plays one card of its hand.", CUSTOM),
    Clause("SCO-4.2", "A card captures from the table one card of its value, or several whose values add up to it; all are taken.", CUSTOM),
    Clause("SCO-4.3", "A card that can capture must capture; which of several captures is up to its seat.", CUSTOM),
    Clause("SCO-4.4", "Where a single card of the same value lies on the table, several cards may not be captured instead.", CUSTOM),
    Clause("SCO-4.5", "A card that can capture nothing is laid on the table.", CUSTOM),
    Clause("SCO-4.6", "To capture all cards on the table is a sweep, unless it is done with the last card of the deal.", CUSTOM),
    Clause("SCO-4.7", "After the last card, what lies on the table goes to the seat that captured last.", CUSTOM),
    Clause("SCO-5.1", "The most cards, the most coins, the seven of coins and the best primiera are worth one point each; level is nobody's.", CUSTOM),
    Clause("SCO-5.2", "For primiera the best card of each suit counts: a seven 21, a six 18, an ace 16, a five 15, a four 14, a three 13, a two 12, a figure 10; a suit without a card counts nothing.", CUSTOM),
    Clause("SCO-5.3", "Each sweep is worth one point.", CUSTOM),
    Clause("SCO-5.4", "The first side to reach the target, counted after each deal, wins with more points than the other; level, it goes on.", CUSTOM),
    Clause("SCO-6.1", "The deal passes to the seat after the dealer.", CUSTOM),
)  # fmt: skip
