"""Auctions: seats speak in turn, each bid better than the last, until nobody goes on.

A game says what a bid is and when it is better; this file knows whose turn it is and when the auction is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
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

    @property
    def passed(self) -> frozenset[Seat]:
        """The seats that have passed."""
        return frozenset(bid.seat for bid in self.said if not bid.word)

    @property
    def silence(self) -> int:
        """How many passes there were in succession up to now."""
        return next((after for after, bid in enumerate(reversed(self.said)) if bid.word), len(self.said))


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
    the order of play, beginning with eldest all the same.
    """

    bids: tuple[Act, ...]
    ladders: tuple[tuple[str, ...], ...]
    final: bool = True
    backwards: bool = False
    name: str = "auction"

    @property
    def acts(self) -> tuple[Act, ...]:
        """Bidding, and passing."""
        return (*self.bids, PassBid())

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the seat that has the word."""
        order = self.order(g, t)
        speaker = self.speaker(order, t.own.talk)
        return order[0] if speaker is None else speaker

    def order(self, g: TrickGame, t: Table) -> tuple[Seat, ...]:
        """Name the seats in the order of speaking."""
        eldest, *others = after_dealer(g, t)
        return (eldest, *(reversed(others) if self.backwards else others))

    def speaker(self, order: tuple[Seat, ...], talk: Talk) -> Seat | None:
        """Name the seat that speaks after ``talk``, None where the auction is over; who bid last is not asked."""
        if not talk.said:
            return order[0]
        bidder, word = talk.best or (None, "")
        if any(word == ladder[-1] for ladder in self.ladders):
            return None
        at = order.index(talk.said[-1].seat) + 1
        others = [seat for seat in order[at:] + order[:at] if seat != bidder]
        if self.final:
            passed = talk.passed
            return next((seat for seat in others if seat not in passed), None)
        return None if talk.silence >= len(others) else others[0]

    def climbs(self, before: str, word: str) -> bool:
        """Tell whether ``word`` may be bid after the bid ``before``, which is empty for the first."""
        if not before:
            return any(word in ladder for ladder in self.ladders)
        return any(word in ladder[ladder.index(before) + 1 :] for ladder in self.ladders if before in ladder)

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Say why the auction of ``t`` cannot have been; whose turn it was is known until the deal has passed on."""
        talk: Talk = t.own.talk
        if not all(0 <= bid.seat < g.seats for bid in talk.said):
            return "talk", f"seats are numbered from 0 to {g.seats - 1}"
        words = ["", *(bid.word for bid in talk.said if bid.word)]
        if not all(self.climbs(before, word) for before, word in pairwise(words)):
            return "talk", "every bid is a better one than the last"
        if (t.tricks or t.trick) and talk.bidder is None:
            return "talk", "no card is played without a bid"
        if t.phase not in g.running:
            return None
        order = self.order(g, t)
        if any(self.speaker(order, Talk(talk.said[:at])) != bid.seat for at, bid in enumerate(talk.said)):
            return "talk", "the seats speak in turn, until the auction is over"
        over = self.speaker(order, talk) is None
        if over != (t.phase != self.name) or (over and talk.bidder is None):
            return "talk", "the auction comes first, and ends with a bid"
        return None


def spoken(g: TrickGame, t: Table, bid: Bid, tell: list[Event]) -> Table:
    """Take a bid or a pass down; the auction may be over with it."""
    talk = Talk((*t.own.talk.said, bid))
    t = t._replace(own=t.own._replace(talk=talk))
    auction = g.stages[t.phase]
    if not isinstance(auction, Auction) or auction.speaker(auction.order(g, t), talk) is not None:
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
