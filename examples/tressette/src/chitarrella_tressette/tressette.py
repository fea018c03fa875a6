"""Tressette: no trumps, suit must be followed, thirds of points, declarations.

The source is the common knowledge of players; rulings say where customs differ.
"""

from __future__ import annotations

from chitarrella.core.cards import ITALIAN
from chitarrella.core.options import Choices, GameEntry, choice_option, rule_book
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.following import FollowSuit
from chitarrella.tricks.options import first_dealer
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.seating import alone_or_partners
from chitarrella_tressette.declarations import Declarations, Declare, OpenDeclarations
from chitarrella_tressette.race import RaceOfSides

THIRDS = Count("thirds", {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1})
"""What the cards count, in thirds of a point."""


TARGET = choice_option(
    "target", "The score that wins the match.", "custom", {str(target): target for target in (11, 21, 31)}, "21"
)
FIRST_DEALER = first_dealer(3, "ruling")


def rules(agreed: Choices) -> Rules:
    """Return the rules of a table."""
    return Rules(
        agreed,
        seating=alone_or_partners(agreed.players),
        pack=ITALIAN,
        order=Order(("3", "2", "A", "R", "C", "F", "7", "6", "5", "4"), (THIRDS,)),
        dealing=Dealing("await_deal", StartDeal((10,))),
        phases=(Play((Declare(),)),),
        following=FollowSuit(),
        layout=OpenDeclarations(),
        series=RaceOfSides(agreed[TARGET]),
        own=Declarations,
        first_dealer=agreed[FIRST_DEALER],
    )


TRESSETTE = GameEntry(
    key="tressette",
    title="Tressette",
    place="Italy",
    sources=("custom",),
    players=(4, 2),
    options=(TARGET, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)
