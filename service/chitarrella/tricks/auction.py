"""Auctions: seats speak in turn, each bid better than the last, until nobody goes on.

A game says what a bid is and when it is better; this file knows whose turn it is and when the auction is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse, pairwise
from typing import TYPE_CHECKING, NamedTuple

from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.dealing import after_dealer
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Event, Fact, Form, Move, Reason, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

CALL_NOT_LOWER = Reason("call_not_lower", "{word} is not lower than what was bid last.")


class Bid(NamedTuple):
    """What a seat said: a word (a rank, a face, a number of points), or nothing for a pass."""

    seat: Seat
    word: str = ""


class Talk(NamedTuple):
    """All that was said in an auction; a game's own record holds it as ``talk``."""

    said: tuple[Bid, ...] = ()

    @property
    def best(self) -> Bid | None:
        """The last bid, None before the first."""
        for bid in reversed(self.said):
            if bid.word:
                return bid
        return None

    @property
    def bid(self) -> str:
        """The word of the last bid; empty before the first."""
        best = self.best
        return "" if best is None else best.word

    @property
    def bidder(self) -> Seat | None:
        """The seat that made the last bid."""
        best = self.best
        return None if best is None else best.seat


@dataclass(frozen=True)
class PassBid(Act):
    """A seat says nothing."""

    form = Form("pass_bid", "Pass in the auction.", frozenset(), lapse=True)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Pass the word on, or end the auction."""
        tell.append(public("bid_passed", seat))
        return spoken(g, t, Bid(seat), tell)


@dataclass(frozen=True)
class Auction(Phase):
    """The phase in which seats bid; ``bids`` are the ways to bid.

    ``ladders`` are rows of words, from the weakest bid to the strongest: the first bid may be any word, every later one
    stands further on in the same row, and the last word of a row ends the auction. A pass is for good where ``final``;
    else the word goes round until all others have passed one after the other. ``backwards`` lets it go round against
    the order of play, beginning with eldest all the same. What stands beyond ``floor`` in its row may be bid when the
    floor was.
    """

    bids: tuple[Act, ...]
    ladders: tuple[tuple[str, ...], ...]
    floor: str = ""
    final: bool = True
    backwards: bool = False
    name: str = "auction"

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Bidding, and passing."""
        return (*self.bids, PassBid())

    def turn(self, g: TrickGame, t: Table) -> Seat | None:
        """Name the seat that has the word, None when the auction is over."""
        *_, speaker = self.speakers(self.order(g, t), t.own.talk)
        return speaker

    def order(self, g: TrickGame, t: Table) -> tuple[Seat, ...]:
        """Name the seats in the order of speaking."""
        eldest, *others = after_dealer(g, t)
        return (eldest, *(reversed(others) if self.backwards else others))

    def speakers(self, order: tuple[Seat, ...], talk: Talk) -> Iterator[Seat | None]:
        """Name the seat that speaks first, and after each bid or pass the next; None says that the auction is over."""
        bidder: Seat | None = None
        out: set[Seat] = set()  # who has passed: for good, or since the last bid
        best = ""
        yield order[0]
        for seat, word in talk.said:
            if word:
                bidder, best = seat, word
                out = out if self.final else set()
            else:
                out.add(seat)
            others = order[order.index(seat) + 1 :] + order
            silent = {bidder, *out}  # who made the last bid is not asked to better it
            yield None if best in self.highest else next(filterfalse(silent.__contains__, others), None)

    @cached_property
    def highest(self) -> frozenset[str]:
        """The bids that end the auction."""
        return frozenset(ladder[-1] for ladder in self.ladders)

    @cached_property
    def above(self) -> dict[str, frozenset[str]]:
        """What may be bid after each bid; after none, which is the empty word, anything."""
        above = {"": frozenset[str]()}
        for ladder in self.ladders:
            free = ladder.index(self.floor) + 1 if self.floor in ladder else len(ladder)
            for place, word in enumerate(("", *ladder)):
                above[word] = above.get(word, frozenset()).union(ladder[place : free if place < free else None])
        return above

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Say why the auction of ``t`` cannot have been; whose turn it was is known until the deal has passed on."""
        talk: Talk = t.own.talk
        if not all(0 <= seat < g.seats for seat, _ in talk.said):
            return "talk", f"seats are numbered from 0 to {g.seats - 1}"
        words = ["", *[word for _, word in talk.said if word]]
        if not all(word in self.above.get(before, ()) for before, word in pairwise(words)):
            return "talk", "every bid is a better one than the last"
        if (t.tricks or t.trick) and talk.bidder is None:
            return "talk", "no card is played without a bid"
        if t.phase not in g.running:
            return None
        order = self.order(g, t)
        *speakers, last = self.speakers(order, talk)
        if speakers != [seat for seat, _ in talk.said]:
            return "talk", "the seats speak in turn, until the auction is over"
        over = last is None
        if over != (t.phase != self.name) or (over and talk.bidder is None):
            return "talk", "the auction comes first, and ends with a bid"
        return None


def spoken(g: TrickGame, t: Table, bid: Bid, tell: list[Event]) -> Table:
    """Take a bid or a pass down; the auction may be over with it."""
    talk = Talk((*t.own.talk.said, bid))
    t = t._replace(own=t.own._replace(talk=talk))
    auction = g.stages[t.phase]
    if not isinstance(auction, Auction) or auction.turn(g, t) is not None:
        return t
    if talk.best is None:
        return g.series.void(g, t, tell)
    tell.append(public("auction_won", talk.best.seat, word=talk.best.word))
    return g.leave(t, tell)


def auction_facts(t: Table) -> Iterable[Fact]:
    """Say what was said, by whom, and who has made the last bid: all of it public."""
    talk: Talk = t.own.talk
    for bid in talk.said:
        yield Fact("bid", bid.word or "pass", bid.seat, EVERYBODY)
    if talk.best is not None:
        yield Fact("bidder", talk.best.seat, talk.best.seat, EVERYBODY)
