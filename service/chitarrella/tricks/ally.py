"""Called cards: whoever holds the card that was called is the soloist's ally, and nobody says so before it is played.

A game's own record keeps the auction as ``talk`` and names the called card. Copies of a face are called together: the
ally is who holds a copy beside the soloist's, and a soloist who holds them all is alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from chitarrella.tricks.arrangement import Layout
from chitarrella.tricks.auction import Talk, auction_facts
from chitarrella.tricks.play import Play, PlayCard
from chitarrella.tricks.soundness import Fault
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Event, Fact, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


class Contract(Protocol):
    """What a game with a secret ally remembers of its own."""

    talk: Talk

    def called(self, t: Table) -> str:
        """Name the called card, or nothing while there is none."""


class Ally(NamedTuple):
    """Who helps the soloist, himself if nobody does, and whether the cards on the table tell it."""

    seat: Seat
    known: bool


def soloist(t: Table) -> Seat:
    """Name the seat that has won the auction; raises `LookupError` where there was no bid."""
    talk: Talk = t.own.talk
    if talk.best is None:
        raise LookupError("no bid was made")
    return talk.best.seat


def ally(g: TrickGame, t: Table) -> Ally:
    """Find the ally: he is known with his called card, a lone soloist with the last of them."""
    alone, called = soloist(t), t.own.called(t)
    played = laid_by(g, t, called)
    held = [seat for seat, hand in enumerate(t.hands) if called in hand]
    for known, seats in ((True, played), (False, held)):
        for seat in seats:
            if seat != alone:
                return Ally(seat, known)
    return Ally(alone, not held)


def laid_by(g: TrickGame, t: Table, face: str) -> list[Seat]:
    """Name the seats that have played a card of that face in this deal, in order of play."""
    tricks = [(leader, cards) for leader, cards, _ in t.tricks if face in cards] + [(t.leader, t.trick)]
    return [(leader + place) % g.seats for leader, cards in tricks for place, card in enumerate(cards) if card == face]


@dataclass(frozen=True)
class PlayAndReveal(PlayCard):
    """A card goes to the trick, and when it settles who plays with whom, everybody is told so at once."""

    def laid(self, g: TrickGame, t: Table, seat: Seat, tell: list[Event]) -> None:
        """Name the ally when he plays the called card, or the soloist who has played all of its copies."""
        if t.trick[-1] != t.own.called(t):
            return
        friend = ally(g, t)
        if friend == Ally(seat, known=True):
            alone = soloist(t)
            tell.append(public("alone_revealed", seat) if seat == alone else public("ally_revealed", seat, other=alone))


@dataclass(frozen=True)
class SecretAlly(Layout):
    """The common layout, with the auction, the called card, and the ally whom only his own hand tells.

    The soloist's hand tells him whether he has an ally, and no more.
    """

    def facts(self, g: TrickGame, t: Table) -> Iterator[Fact]:
        """Say what everybody knows of the contract, to the ally that he is the one, to the soloist if there is one."""
        yield from super().facts(g, t)
        yield from auction_facts(t)
        if called := t.own.called(t):
            alone, friend = soloist(t), ally(g, t)
            yield Fact("called_card", called, alone, EVERYBODY)
            yield Fact("ally", friend.seat, friend.seat, EVERYBODY if friend.known else frozenset({friend.seat}))
            lonely = "yes" if friend.seat == alone else "no"
            yield Fact("alone", lonely, alone, EVERYBODY if friend.known else frozenset({alone}))
            if friend.known:
                yield from self.together(g, t, frozenset({alone, friend.seat}))

    def together(self, g: TrickGame, t: Table, side: frozenset[Seat]) -> Iterable[Fact]:
        """Say what everybody may know as soon as the soloist's ``side`` is known: nothing more."""
        return ()

    def seats_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check the auction too, and that trumps are named after it."""
        if fault := super().seats_fault(g, t):
            return fault
        playing = isinstance(g.stages.get(t.phase), Play)
        if t.phase in g.running and not playing and (t.trick or t.tricks):
            return "tricks", "no card is played before the auction is over"
        if self.named_trumps and bool(t.trump) != (playing or bool(t.tricks)):
            return "trump", "trumps are named after the auction, before a card is played"
        return None
