"""A position of Scopa: an immutable value, and the reasons why one is impossible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chitarrella.core.cards import Hand, Pack
from chitarrella.core.model import Seat

NEW_DEAL, PLAY, MATCH_OVER = "new_deal", "play", "match_over"
"""The phases: a pack is needed, cards are played, the match is finished."""
HAND, LAID = 3, 4
"""How many cards a seat is dealt at once, and how many are laid on the table before the first."""
MAX_COUNT = 1_000_000
"""Limit of the numbers of deals and of scores."""


class MatchState(NamedTuple):
    """What goes on from deal to deal: who deals, the number of the deal, the score of each seat."""

    dealer: Seat
    deal: int
    scores: tuple[int, ...]


class Position(NamedTuple):
    """The cards: those in hand, the stock, those on the table and those that each seat has taken, in order.

    ``sweeps`` counts the scope of each seat. ``at`` is the seat to play, ``taker`` the last one that took a card.
    """

    phase: str
    match_state: MatchState
    hands: tuple[Hand, ...]
    taken: tuple[Hand, ...]
    sweeps: tuple[int, ...]
    stock: Hand = ()
    table: Hand = ()
    at: Seat = 0
    taker: Seat | None = None


def faults(p: Position, seats: int, pack: Pack) -> Iterator[tuple[str, str]]:
    """Yield the fields for which no play leads to ``p``, each with the reason."""
    state = p.match_state
    if p.phase not in (NEW_DEAL, PLAY, MATCH_OVER):
        yield "phase", "there is no such phase"
    for name, row in (("scores", state.scores), ("hands", p.hands), ("taken", p.taken), ("sweeps", p.sweeps)):
        if len(row) != seats:
            yield name, f"there must be one for each of {seats} seats"
    if any(not 0 <= number <= MAX_COUNT for number in (state.deal, *state.scores, *p.sweeps)):
        yield "deal", f"deals, scores and sweeps are numbers from 0 to {MAX_COUNT}"
    for name, seat in (("dealer", state.dealer), ("at", p.at), ("taker", p.taker or 0)):
        if not 0 <= seat < seats:
            yield name, f"seats are numbered from 0 to {seats - 1}"
    cards = [card for row in (*p.hands, *p.taken, p.stock, p.table) for card in row]
    if not pack.holds_exactly(cards) if state.deal else cards:
        yield "deal", "every card is in one place once a pack is dealt, and none before"
    if (p.taker is None) != (not any(p.taken)):
        yield "taker", "it is the seat that has taken last"
    if any(2 * sweeps > len(taken) for sweeps, taken in zip(p.sweeps, p.taken, strict=False)):
        yield "sweeps", "each has taken two cards at least"
    if p.phase == PLAY:
        yield from _deal_faults(p, seats)
    elif any(p.hands) or p.stock or p.table:
        yield "hands", "between two deals all cards are taken"


def _deal_faults(p: Position, seats: int) -> Iterator[tuple[str, str]]:
    """Yield the faults of a deal that goes on: eldest plays first, and the hands are refilled when all are empty."""
    if not p.match_state.deal:
        yield "phase", "a pack was dealt"
    if len(p.stock) % (HAND * seats):
        yield "stock", f"it is dealt {HAND} cards at a time to each seat"
    order = [(p.match_state.dealer + 1 + step) % seats for step in range(seats)]
    if any(not 0 <= seat < seats for seat in order) or p.at not in order or len(p.hands) != seats:
        return
    left, at = len(p.hands[p.at]), order.index(p.at)
    sizes = [left - (step < at) for step in range(seats)]
    if not 1 <= left <= HAND or sizes != [len(p.hands[seat]) for seat in order]:
        yield "hands", f"the seat to play has 1 to {HAND} cards, and those that have played one less"
