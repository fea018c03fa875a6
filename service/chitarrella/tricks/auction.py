"""Auctions: bidding, announcing, and the secret ally."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse, pairwise
from typing import Final, NamedTuple, TypeAlias

from chitarrella.core.cards import ITALIAN, Card
from chitarrella.core.model import EVERYBODY, Event, Fact, Move, MoveSpec, Reason, Seat, public_event
from chitarrella.tricks.dealing import deal_order
from chitarrella.tricks.parts import Action, Fault, Phase, Rules
from chitarrella.tricks.play import Play, PlayCard, seats_that_played
from chitarrella.tricks.table import Table

# The record of an auction
Value: TypeAlias = Card | int | str


class Bid(NamedTuple):
    """What a seat said in an auction: a card, a rank or a number of points, or nothing for a pass."""

    seat: Seat
    value: Value = ""


class Bidding(NamedTuple):
    """All bids and passes of an auction, in order; a game's own record holds it as ``talk``."""

    bids: tuple[Bid, ...] = ()

    @property
    def best(self) -> Bid | None:
        """The last bid, None before the first."""
        for bid in reversed(self.bids):  # a loop, for speed: each card that is played asks
            if bid.value:
                return bid
        return None

    @property
    def bid(self) -> Value:
        """What was bid last; empty before the first."""
        return best.value if (best := self.best) else ""

    @property
    def bidder(self) -> Seat | None:
        """The seat that bid last, None before the first bid."""
        return best.seat if (best := self.best) else None


def soloist(t: Table) -> Seat:
    """Return the seat that won the auction; raises `LookupError` where there was no bid."""
    bidder: Seat | None = t.own.talk.bidder
    if bidder is None:
        raise LookupError("no bid was made")
    return bidder


def auction_facts(t: Table) -> Iterable[Fact]:
    """Return every bid and pass by seat, and who made the last bid; all of it is public."""
    talk: Bidding = t.own.talk
    for seat, value in talk.bids:
        yield Fact("bid", str(value) if isinstance(value, int) else value or "pass", seat, EVERYBODY)
    if best := talk.best:
        yield Fact("bidder", best.seat, best.seat, EVERYBODY)


CALL_NOT_LOWER = Reason("call_not_lower", "{word} is not lower than what was bid last.")


def stay_out(passed: frozenset[Seat]) -> frozenset[Seat]:
    """Return ``passed``: a seat that has passed is out."""
    return passed


def speak_again(passed: frozenset[Seat]) -> frozenset[Seat]:
    """Return nobody: seats that have passed are asked again, until all pass one after the other."""
    return frozenset()


@dataclass(frozen=True)
class PassBid(Action):
    spec = MoveSpec("pass_bid", "Pass in the auction.", frozenset(), timeout_default=True)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        events.append(public_event("bid_passed", seat))
        return record_bid(g, t, Bid(seat), events)


@dataclass(frozen=True)
class Auction(Phase):
    """The phase in which seats bid; ``bids`` are the kinds of bid: actions that end with `record_bid`.

    The own record holds a `Bidding` as ``talk``. ``ladders`` are rows of bids from the weakest to the strongest: the
    first bid may be any, every later one stands further on in the same row, and the last of a row ends the auction.
    What stands beyond ``floor`` in its row may be bid only on top of it. ``after_bid`` maps the seats that have passed
    to those that stay out after a further bid. ``direction`` puts the seats after eldest, given in the order of play,
    into that of bidding.
    """

    bids: tuple[Action, ...]
    ladders: tuple[tuple[Value, ...], ...]
    floor: str = ""
    after_bid: Callable[[frozenset[Seat]], frozenset[Seat]] = stay_out
    direction: Callable[[Sequence[Seat]], Iterable[Seat]] = tuple
    name: str = "auction"

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return (*self.bids, PassBid())

    def turn(self, g: Rules, t: Table) -> Seat | None:
        *_, speaker = self.speakers(self.order(g, t), t.own.talk)
        return speaker

    def order(self, g: Rules, t: Table) -> tuple[Seat, ...]:
        """Return all seats in the order of bidding: eldest, then the others by ``direction``."""
        eldest, *others = deal_order(g, t)
        return (eldest, *self.direction(others))

    def speakers(self, order: tuple[Seat, ...], talk: Bidding) -> Iterator[Seat | None]:
        """Yield the seat that bids first, and after each bid or pass the next; None when the auction is over."""
        bidder: Seat | None = None
        out = frozenset[Seat]()  # who has passed: for good, or since the last bid
        best: Value = ""
        yield order[0]
        for seat, value in talk.bids:
            if value:
                bidder, best = seat, value
                out = self.after_bid(out)
            else:
                out |= {seat}
            others = order[order.index(seat) + 1 :] + order
            silent = {bidder, *out}  # the last bidder is not asked to better the bid
            over = not self.higher_bids.get(best, best)
            yield None if over else next(filterfalse(silent.__contains__, others), None)

    @cached_property
    def higher_bids(self) -> dict[Value, frozenset[Value]]:
        """The bids that are possible after each bid, and after none."""
        above = dict[Value, frozenset[Value]]()
        for ladder in self.ladders:
            free = ladder.index(self.floor) + 1 if self.floor in ladder else len(ladder)
            for place, bid in enumerate(("", *ladder)):
                above[bid] = above.get(bid, frozenset()).union(ladder[place : free if place < free else None])
        return above

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the auction of ``t`` is impossible; its order is known only while the deal is running."""
        talk: Bidding = t.own.talk
        if not all(0 <= seat < g.seats for seat, _ in talk.bids):
            return "talk", f"seats are numbered from 0 to {g.seats - 1}"
        bids = ["", *[value for _, value in talk.bids if value]]
        if not all(bid in self.higher_bids.get(before, ()) for before, bid in pairwise(bids)):
            return "talk", "every bid is a better one than the last"
        if (t.tricks or t.trick) and talk.bidder is None:
            return "talk", "no card is played without a bid"
        if t.phase not in g.deal_phases:
            return None
        order = self.order(g, t)
        *speakers, last = self.speakers(order, talk)
        if speakers != [seat for seat, _ in talk.bids]:
            return "talk", "the seats speak in turn, until the auction is over"
        over = last is None
        if over != (t.phase != self.name) or (over and talk.bidder is None):
            return "talk", "the auction comes first, and ends with a bid"
        return None


def record_bid(g: Rules, t: Table, bid: Bid, events: list[Event]) -> Table:
    """Record a bid or a pass; go on to the next phase, or void the deal, where it ends the auction."""
    talk = Bidding((*t.own.talk.bids, bid))
    t = t._replace(own=t.own._replace(talk=talk))
    auction = g.phases_by_name[t.phase]
    if not isinstance(auction, Auction) or auction.turn(g, t) is not None:
        return t
    if talk.best is None:
        return g.series.void_deal(g, t, events)
    events.append(public_event("auction_won", talk.best.seat, word=str(talk.best.value)))
    return g.next_phase(t, events)


# Announcing trumps
@dataclass(frozen=True)
class AnnounceTrump(Action):
    spec = MoveSpec("announce_trump", "Name the trump suit.", frozenset(), choices=ITALIAN.suits)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterator[Move]:
        return (Move("announce_trump", choice=suit) for suit in g.pack.suits)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Set the trump suit; from now on there is a called card."""
        t = t._replace(trump=move.choice)
        events.append(public_event("trump_announced", seat, (t.own.called(g, t),), move.choice))
        return g.next_phase(t, events)


@dataclass(frozen=True)
class Announce(Phase):
    """The phase in which the soloist names trumps, and so the card ``called(g, t)`` of the own record; eldest leads."""

    name: str = "announce"
    names_trumps = True
    actions = (AnnounceTrump(),)

    def turn(self, g: Rules, t: Table) -> Seat:
        return soloist(t)


@dataclass(frozen=True)
class AnnounceAndLead(Announce):
    """The phase in which the soloist names trumps, and after which he leads to the first trick."""

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the soloist, who leads."""
        return super().enter(g, t, events)._replace(leader=soloist(t))

    def first_lead(self, g: Rules, t: Table) -> Seat | None:
        """Return the soloist, once the auction is over."""
        return None if isinstance(g.phases_by_name[t.phase], Auction) else soloist(t)


# The soloist's secret ally
class Ally(NamedTuple):
    """The soloist's ally, the soloist where there is none, and whether the cards on the table show it."""

    seat: Seat
    known: bool


def ally(g: Rules, t: Table) -> Ally:
    """Find the ally: the called card reveals it when played, and a lone soloist when playing its last copy.

    The own record of the game has the auction as ``talk``, and ``called`` returns the called card, None for none.
    """
    alone, called = soloist(t), t.own.called(g, t)
    played = seats_that_played(g, t, called)
    held = [seat for seat, hand in enumerate(t.hands) if called in hand]
    for known, seats in ((True, played), (False, held)):
        for seat in seats:
            if seat != alone:
                return Ally(seat, known)
    return Ally(alone, not held)


@dataclass(frozen=True)
class PlayAndReveal(PlayCard):
    """A card goes to the trick; when it shows who plays with whom, that becomes public at once."""

    reveals = True

    def on_card_played(self, g: Rules, t: Table, seat: Seat, events: list[Event]) -> None:
        """Report the ally that plays the called card, or the soloist that has played all of its copies."""
        if t.trick[-1] != t.own.called(g, t):
            return
        if ally(g, t) == Ally(seat, known=True):
            alone = soloist(t)
            events.append(
                public_event("alone_revealed", seat)
                if seat == alone
                else public_event("ally_revealed", seat, other=alone)
            )


PLAY_AND_REVEAL: Final = Play(play_action=PlayAndReveal())  # the play of tricks in which a card can reveal the ally
