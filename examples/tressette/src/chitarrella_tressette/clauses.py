"""The rule book of Tressette. Its source is the common knowledge of players; rulings say where customs differ."""

from __future__ import annotations

from chitarrella.core.model import Clause

CUSTOM = "custom"

CLAUSES = (
    Clause("TRE-1.1", "Two play each alone, four as partners who sit opposite each other.", CUSTOM),
    Clause("TRE-2.1", "Three, 2, Ace, King, Horse, Jack, 7, 6, 5, 4 rank in this order; there are no trumps.", CUSTOM),
    Clause("TRE-2.2", "An ace counts a point, that is three thirds; a three, a two and a figure count a third each.", CUSTOM),
    Clause("TRE-3.1", "Each seat is dealt ten cards; with two players the others are the stock.", CUSTOM),
    Clause("TRE-3.2", "While there is a stock, both draw a card after each trick, the winner first; it is not shown.", "ruling"),
    Clause("TRE-4.1", "Eldest leads to the first trick, then the winner of the last one.", CUSTOM),
    Clause("TRE-4.2", "The suit led must be followed; a seat that has none of it may play any card.", CUSTOM),
    Clause("TRE-4.3", "The highest card of the suit led takes the trick.", CUSTOM),
    Clause("TRE-5.1", "Before its card to the first trick a seat may declare, each once, ace, two and three of a suit, or three or four aces, twos or threes: all that its hand has.", CUSTOM),
    Clause("TRE-5.2", "A declaration is worth a point for each card, whatever tricks they take; everybody sees the cards.", "ruling"),
    Clause("TRE-6.1", "After a deal the thirds of a side are made points, what is left over is lost; the last trick is worth a point more.", CUSTOM),
    Clause("TRE-6.2", "The first side to reach the target, counted after each deal, wins with more points than the other; level, it goes on.", CUSTOM),
)  # fmt: skip
