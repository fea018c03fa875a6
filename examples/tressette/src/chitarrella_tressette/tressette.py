"""Tressette: no trumps, suit must be followed, thirds of points, declarations.

The source is the common knowledge of players; rulings say where customs differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chitarrella.core.cards import ITALIAN
from chitarrella.core.options import choice_option
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.following import FollowSuit
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.option_builders import (
    check_first_dealer,
    first_dealer,
    seat_in_partnerships,
    seat_individually,
)
from chitarrella.tricks.play import Play
from chitarrella_tressette.clauses import CLAUSES, CUSTOM
from chitarrella_tressette.declarations import Declarations, Declare, OpenDeclarations
from chitarrella_tressette.race import RaceOfSides

THIRDS = Count("thirds", {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1})
"""What the cards count, in thirds of a point."""


def with_target(target: int) -> Callable[[TrickGame], TrickGame]:
    """Return the change that sets the score that wins the match."""
    return lambda game: replace(game, series=RaceOfSides(target))


TRESSETTE = TrickGame(
    key="tressette",
    title="Tressette",
    place="Italy",
    sources=(CUSTOM,),
    pack=ITALIAN,
    order=Order(("3", "2", "A", "R", "C", "F", "7", "6", "5", "4"), (THIRDS,)),
    dealing=Dealing("await_deal", StartDeal((10,))),
    phases=(Play((Declare(),)),),
    following=FollowSuit(),
    layout=OpenDeclarations(),
    series=RaceOfSides(),
    own=Declarations,
    total_count=2,
    seatings={
        4: lambda game: replace(seat_in_partnerships(game), total_count=2),
        2: lambda game: replace(seat_individually(game, 2), total_count=2),
    },
    options=(
        choice_option(
            "target",
            "The score that wins the match.",
            CUSTOM,
            {str(target): with_target(target) for target in (11, 21, 31)},
            "21",
        ),
        first_dealer(3, "ruling"),
    ),
    conflicts=(check_first_dealer,),
    own_clauses=CLAUSES,
    citations={
        "must_follow_suit": "TRE-4.2",
        "no_combination": "TRE-5.1",
        "declaration_too_late": "TRE-5.1",
        "declaration_repeated": "TRE-5.1",
    },
)
