"""Briscolone: Briscola for two with five cards and no trumps.  Source: S004."""

from chitarrella import tricks
from chitarrella.core.cards import ITALIAN
from chitarrella.core.options import Choices, GameEntry, rule_book
from chitarrella.games.briscola import ORDER, RUBBER_GAMES

DEAL_PACKETS = tricks.deal_packets("ruling BN-R2", {"5": (5,), "3-2": (3, 2), "1-1-1-1-1": (1, 1, 1, 1, 1)})
FIRST_DEALER = tricks.first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> tricks.Rules:
    return tricks.Rules(
        agreed,
        seating=tricks.alone(2),
        pack=ITALIAN,
        order=ORDER,
        dealing=tricks.Dealing("await_deal", tricks.StartDeal(agreed[DEAL_PACKETS])),
        series=tricks.Series(agreed[RUBBER_GAMES], end_phase="rubber_over"),
        first_dealer=agreed[FIRST_DEALER],
    )


BRISCOLONE = GameEntry(
    key="briscolone",
    place="Italy",
    description="Briscola for two without trumps: five cards each, any may be played, and more than 60 points win.",
    sources=("S004",),
    players=(2,),
    options=(DEAL_PACKETS, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (BRISCOLONE,)
