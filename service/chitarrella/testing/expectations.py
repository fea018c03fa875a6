"""What the laws cannot read off a game, and have to be told by who tests it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from chitarrella.testing.share_moves import ShareMoves


class EventKinds(NamedTuple):
    """Kinds of events, verbs, zones and facts by who learns of their cards; the law of secrecy does not ask the game.

    - ``to_seat``: events that show one card to its seat and to nobody else.
    - ``to_both``: events that show cards to the two seats that they name.
    - ``turned_up``: events that show cards to everybody, for the rest of the deal.
    - ``to_partner``: verbs of moves that only the partner sees.
    - ``own_zones``: zones beside the hand that only their seat sees.
    - ``open_hands``: facts of a seat whose hand everybody sees from then on.
    """

    to_seat: frozenset[str] = frozenset()
    to_both: frozenset[str] = frozenset()
    turned_up: frozenset[str] = frozenset()
    to_partner: frozenset[str] = frozenset({"signal", "show_hand_to_partner"})
    own_zones: frozenset[str] = frozenset()
    open_hands: frozenset[str] = frozenset()


COMMON_KINDS: Final = EventKinds()
"""The kinds that need not be named."""


class Expectations(NamedTuple):
    """What a rule book says beside what the protocol has.

    - ``totals``: what a whole pack counts, by the name of the count, and by the key of the game.
    - ``share_moves``: for each verb whose moves have shares, where legal and illegal ones come from.
    - ``kinds``: the events, verbs and zones that show cards to some seats.
    """

    totals: Mapping[str, Mapping[str, int]] = {}
    share_moves: Mapping[str, ShareMoves] = {}
    kinds: EventKinds = COMMON_KINDS


NOTHING_MORE: Final = Expectations()
"""No expectation beside the protocol."""
