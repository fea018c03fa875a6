"""Auctions: seats speak in turn, each bid better than the last, until nobody goes on.

A game says what a bid is and when it is better; this file knows whose turn it is and when the auction is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.dealing import after_dealer
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Event, Fact, Form, Move, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


class Bid(NamedTuple):
    """What a seat said: a word (a rank, a face, a number of points), or nothing for a pass."""

    seat: Seat
    word: str = ""


class Talk(NamedTuple):
    """The auction so far and what it has led to: every word said, who speaks, the seat and word of the last bid."""

    said: tuple[Bid, ...] = ()
    speaker: Seat = 0
    bidder: Seat | None = None
    bid: str = ""

    @property
    def passed(self) -> frozenset[Seat]:
        """The seats that have passed."""
        return frozenset(bid.seat for bid in self.said if not bid.word)


@dataclass(frozen=True)
class PassBid(Act):
    """A seat says nothing."""

    form = Form("pass_bid", "Pass in the auction.", frozenset())

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Pass the word on, or end the auction."""
        tell.append(public("bid_passed", seat))
        return spoken(g, t, Bid(seat), tell)


@dataclass(frozen=True)
class Auction(Phase):
    """The phase in which seats bid. ``bids`` are the ways to bid; the game's own record holds a `Talk` as ``talk``.

    A pass is for good where ``final``; else the word goes round until all others have passed one after the other.
    ``backwards`` lets it go round against the order of play, beginning with eldest all the same.
    """

    bids: tuple[Act, ...]
    final: bool = True
    backwards: bool = False
    name: str = "auction"

    @property
    def acts(self) -> tuple[Act, ...]:
        """Bidding, and passing."""
        return (*self.bids, PassBid())

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Give eldest the word."""
        return t._replace(phase=self.name, own=t.own._replace(talk=Talk(speaker=self.order(g, t)[0])))

    def order(self, g: TrickGame, t: Table) -> tuple[Seat, ...]:
        """Name the seats in the order of speaking."""
        eldest, *others = after_dealer(g, t)
        return (eldest, *(reversed(others) if self.backwards else others))

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the seat that has the word."""
        speaker: Seat = t.own.talk.speaker
        return speaker

    def next_speaker(self, g: TrickGame, t: Table) -> Seat | None:
        """Name the seat that is asked next, None where the auction is over."""
        talk: Talk = t.own.talk
        order = self.order(g, t)
        at = order.index(talk.speaker)
        others = [seat for seat in order[at + 1 :] + order[:at] if seat != talk.bidder]
        if self.final:
            return next((seat for seat in (*others, talk.speaker) if self._in(talk, seat)), None)
        passes = 0
        while passes < len(talk.said) and not talk.said[-1 - passes].word:
            passes += 1
        silent = passes >= len(order) - (talk.bidder is not None)
        return None if silent else (others or [talk.speaker])[0]

    def _in(self, talk: Talk, seat: Seat) -> bool:
        return seat not in talk.passed and seat != talk.bidder


def spoken(g: TrickGame, t: Table, bid: Bid, tell: list[Event], *, last: bool = False) -> Table:
    """Take a bid or a pass down and give the next seat the word; ``last`` says that nobody could go on."""
    talk: Talk = t.own.talk
    talk = talk._replace(said=(*talk.said, bid))
    if bid.word:
        talk = talk._replace(bidder=bid.seat, bid=bid.word)
    t = t._replace(own=t.own._replace(talk=talk))
    auction = g.stages[t.phase]
    speaker = None if last or not isinstance(auction, Auction) else auction.next_speaker(g, t)
    if speaker is not None:
        return t._replace(own=t.own._replace(talk=talk._replace(speaker=speaker)))
    if talk.bidder is None:
        return g.series.void(g, t, tell)
    tell.append(public("auction_won", talk.bidder, word=talk.bid))
    return g.leave(t, tell)


def auction_facts(t: Table) -> Iterable[Fact]:
    """Say what was said, by whom, and who has made the last bid: all of it public."""
    talk: Talk = t.own.talk
    for bid in talk.said:
        yield Fact("bid", bid.word or "pass", bid.seat, EVERYBODY)
    if talk.bidder is not None:
        yield Fact("bidder", talk.bidder, talk.bidder, EVERYBODY)
