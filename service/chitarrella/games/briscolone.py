"""Briscolone: Briscola for two with five cards and no trumps.  Source: S004."""

from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry
from chitarrella.games.briscola import ORDER, PAGE, RUBBER_GAMES
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.match_formats import Series
from chitarrella.tricks.options import deal_packets, first_dealer
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.seating import alone

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

DEAL_PACKETS = deal_packets("ruling BN-R2", {"5": (5,), "3-2": (3, 2), "1-1-1-1-1": (1, 1, 1, 1, 1)})
FIRST_DEALER = first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> Rules:
    return Rules(
        agreed,
        seating=alone(2),
        pack=ITALIAN,
        order=ORDER,
        dealing=Dealing("await_deal", StartDeal(agreed[DEAL_PACKETS])),
        phases=(Play(),),
        series=Series(agreed[RUBBER_GAMES], end_phase="rubber_over"),
        first_dealer=agreed[FIRST_DEALER],
    )


BRISCOLONE = GameEntry(
    key="briscolone",
    title="Briscolone",
    place="Italy",
    description="Briscola for two without trumps: suit must be followed, and more than 60 points win.",
    sources=("S004",),
    players=(2,),
    options=(DEAL_PACKETS, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    own_clauses=CLAUSES,
    citations={"not_in_hand": "BN-5.2"},
)

GAMES = (BRISCOLONE,)
