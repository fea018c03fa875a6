"""Briscolone: Briscola for two with five cards and no trumps.  Source: S004."""

from dataclasses import replace

from chitarrella.core.model import Clause
from chitarrella.games.briscola import BRISCOLA, PAGE, RUBBER_GAMES
from chitarrella.tricks import option_builders as build
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.play import Play

CLAUSES = (
    Clause("BN-3.1", "Cards rank and count as in Briscola: 120 points in the pack.", PAGE),
    Clause("BN-4.1", "Each of the two seats gets five cards, eldest first.", PAGE),
    Clause("BN-4.2", "No card is turned up, so there are no trumps; the other thirty cards are the stock.", PAGE),
    Clause("BN-4.3", "The deal alternates.", "as Briscola"),
    Clause("BN-5.1", "Eldest leads to the first trick.", "as Briscola"),
    Clause("BN-5.2", "Any card of one's own hand may be played, always.", PAGE),
    Clause("BN-5.3", "After each trick the winner draws a card, then the loser, while the stock lasts; the winner leads.", "as Briscola"),
    Clause("BN-5.4", "Drawn cards are private; the size of the stock and the tricks are public.", "as Briscola"),
    Clause("BN-5.5", "Every broken clause is named: match and phase first, then the turn, then possession.", "ruling"),
    Clause("BN-6.1", "The second card wins only as a higher card of the suit led; otherwise the leader wins.", PAGE),
    Clause("BN-7.1", "More than 60 points win the game, 60 each are a stand-off; the first to the agreed games wins the rubber.", "as Briscola"),
)  # fmt: skip

BRISCOLONE = replace(
    BRISCOLA,
    key="briscolone",
    title="Briscolone",
    description="Briscola for two without trumps: suit must be followed, and more than 60 points win.",
    dealing=Dealing("await_deal", StartDeal((5,))),
    phases=(Play(),),
    spare=(),
    seatings={2: lambda game: build.seat_individually(game, 2)},
    options=(
        build.deal_packets("ruling BN-R2", {"5": (5,), "3-2": (3, 2), "1-1-1-1-1": (1, 1, 1, 1, 1)}, "5"),
        RUBBER_GAMES,
        build.first_dealer(1, "drawn by the caller"),
    ),
    own_clauses=CLAUSES,
    citations={"not_in_hand": "BN-5.2"},
)

GAMES = (BRISCOLONE,)
