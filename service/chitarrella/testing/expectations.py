"""What the laws cannot read off a game, and have to be told by who tests it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Expectations(NamedTuple):
    """What a rule book says beside what the protocol has.

    - ``duties``: codes of clauses that bind only the seat to move, beside those of the games here.
    - ``by_seat``: codes of clauses that ask which seat moves, beside those of the games here.
    - ``totals``: what a whole pack counts, by the name of the count, and by the key of the game.
    """

    duties: frozenset[str] = frozenset()
    by_seat: frozenset[str] = frozenset()
    totals: Mapping[str, Mapping[str, int]] = {}


OWN: Final = Expectations(
    duties=frozenset(
        {"must_follow_suit", "must_trump", "must_follow_or_trump", "must_head_trick", "zero_card_lead"}
        | {"must_lead_three_or_more", "must_lead_pair_and_third", "must_lead_three", "must_lead_all"}
        | {"declaration_missing", "not_robbable", "must_exchange", "zero_card_follow"}
    ),
    by_seat=frozenset(
        {"annul_not_available", "exchange_not_available", "wrong_discard_count", "wrong_contributions", "wrong_offer"}
    ),
)
"""The expectations of the games of this package."""


def joined(more: Expectations) -> Expectations:
    """Return `OWN` with ``more``."""
    return Expectations(OWN.duties | more.duties, OWN.by_seat | more.by_seat, {**OWN.totals, **more.totals})
