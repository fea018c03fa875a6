"""The record of an auction: bids and passes in order, the last bid, and the soloist, who made it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chitarrella.core.model import Fact, Seat
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.table import Table


class Bid(NamedTuple):
    """What a seat said in an auction: a word (a rank, a face, a number of points), or nothing for a pass."""

    seat: Seat
    word: str = ""


class Bidding(NamedTuple):
    """All bids and passes of an auction, in order; a game's own record holds it as ``talk``."""

    bids: tuple[Bid, ...] = ()

    @property
    def best(self) -> Bid | None:
        """The last bid, None before the first."""
        for bid in reversed(self.bids):
            if bid.word:
                return bid
        return None

    @property
    def bid(self) -> str:
        """The word of the last bid; empty before the first."""
        for _, word in reversed(self.bids):
            if word:
                return word
        return ""

    @property
    def bidder(self) -> Seat | None:
        """The seat that made the last bid."""
        best = self.best
        return None if best is None else best.seat


def soloist(t: Table) -> Seat:
    """Return the seat that won the auction; raises `LookupError` where there was no bid."""
    talk: Bidding = t.own.talk
    if talk.best is None:
        raise LookupError("no bid was made")
    return talk.best.seat


def auction_facts(t: Table) -> Iterable[Fact]:
    """Return every bid and pass by seat, and who made the last bid; all of it is public."""
    talk: Bidding = t.own.talk
    for bid in talk.bids:
        yield Fact("bid", bid.word or "pass", bid.seat, EVERYBODY)
    if talk.best is not None:
        yield Fact("bidder", talk.best.seat, talk.best.seat, EVERYBODY)
