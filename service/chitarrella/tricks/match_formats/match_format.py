"""What all kinds of match share: going on to the next deal, and ending the match."""

from __future__ import annotations

from typing import Any

from chitarrella.core.model import Event, Fact, public_event
from chitarrella.tricks.base import Match, Rules
from chitarrella.tricks.table import MatchState, Table

MAX_COUNT = 1_000_000
"""The most deals or chips that a position may record; all sums of them still fit 32 bits."""


class MatchFormat(Match):
    """What most kinds of match have in common; a subclass enters the deals and decides who wins."""

    @property
    def max_balance(self) -> int:
        """How much a seat can win or lose in a match at most."""
        return MAX_COUNT

    @property
    def is_endless(self) -> bool:
        """Whether the match goes on for as long as the players like: it does not."""
        return False

    def initial_record(self, g: Rules) -> Any:
        """Return the game's own record before the first deal: an empty one."""
        return g.own()

    def void_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Throw in a deal that nobody wants to play; the next dealer deals."""
        events.append(public_event("deal_void", amount=t.match_state.deal))
        return next_deal(g, t, t.match_state, events)

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return what is known of the match beside the score: nothing."""
        return ()


def next_deal(g: Rules, t: Table, match_state: MatchState, events: list[Event]) -> Table:
    """Pass the deal to the next dealer and wait for the pack."""
    dealer = g.dealing.next_dealer(g, match_state.dealer)
    return g.dealing.enter(g, t._replace(match_state=match_state._replace(dealer=dealer)), events)


def end_match(g: Rules, t: Table, match_state: MatchState, events: list[Event]) -> Table:
    """End the match and report who has won; nobody leads any more."""
    t = t._replace(phase=g.series.end_phase, match_state=match_state, leader=0)
    winners = sorted(g.series.winners(g, t))
    events.extend([public_event("match_won", seat) for seat in winners] or [public_event("match_drawn")])
    return t
