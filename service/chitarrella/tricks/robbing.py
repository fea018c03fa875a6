"""Robbing: the cutter, before the deal, and the dealer, after it, may take high cards out of the pack.

A robber looks at a card that nobody else sees. If it may be robbed he may take it and look at the next one; as soon as
he leaves a card he is done. What he has too many in the end he lays aside: see `chitarrella.tricks.discarding`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chitarrella.cards import Card, Hand
from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.dealing import StartDeal
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Event, Form, Move, Reason, Refusal, Seat, Sight, covert, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

NOT_ROBBABLE = Reason("not_robbable", "{word} may not be robbed; it must be left where it is.")

CUTTER, DEALER = 0, 1
"""Those who rob, in their order."""


class Robber(NamedTuple):
    """What one of them did: the cards that he took, whether he has seen one he did not take, what he laid aside."""

    robbed: Hand = ()
    looked: bool = False
    discarded: Hand = ()


class Robbery(NamedTuple):
    """What a deal with robbing remembers: the height of the cut, both robbers, the suit that a led trionfo asks for."""

    lifted: int = 0
    robbers: tuple[Robber, ...] = (Robber(), Robber())
    declared: str = ""


def robber_with(t: Table, role: int, robber: Robber) -> Table:
    """Put this into the place of what one of them did."""
    cutter, dealer = t.own.robbers
    return t._replace(own=t.own._replace(robbers=(robber, dealer) if role == CUTTER else (cutter, robber)))


@dataclass(frozen=True)
class HandInPack(StartDeal):
    """The table hands in the pack to be cut and robbed; it is dealt afterwards, and no card is turned up yet."""

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Lay it down."""
        return g.phases[0].enter(g, self.laid(g, t, move.cards, tell), tell)


# ---------------------------------------------------------------------- what a robber does


class RobbingAct(Act):
    """An act of a robber; he either has a card before his eyes, or is free to look at one."""

    looking = False
    """Whether it is done with a card before his eyes."""

    def belongs(self, g: TrickGame, t: Table) -> bool:
        """Tell whether he has one, or has none."""
        rob = g.stages[t.phase]
        return isinstance(rob, Rob) and t.own.robbers[rob.role].looked == self.looking

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer it in its state only."""
        return (Move(self.form.verb),) if self.belongs(g, t) else ()


@dataclass(frozen=True)
class Look(RobbingAct):
    """The robber looks at the next card; nobody else sees it."""

    form = Form("rob_look", "Look at the next card that may be robbed.", frozenset())

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Show him the card."""
        rob = robbing(g, t)
        tell.append(covert("rob_looked", seat, (rob.next_card(t),), g.watchers(seat)))
        return robber_with(t, rob.role, t.own.robbers[rob.role]._replace(looked=True))


@dataclass(frozen=True)
class Pass(RobbingAct):
    """The robber does not look."""

    form = Form("rob_pass", "Do not look at another card.", frozenset(), lapse=True)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """End the robbing."""
        tell.append(public("rob_passed", seat))
        return g.leave(t, tell)


@dataclass(frozen=True)
class Take(RobbingAct):
    """The robber takes the card that he has looked at."""

    looking = True

    form = Form("rob_take", "Take the card that you have looked at.", frozenset())
    reasons = (NOT_ROBBABLE,)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a card that nobody may rob."""
        rob = robbing(g, t)
        card = rob.next_card(t)
        return () if card.rank in rob.robbable else (g.refuse(NOT_ROBBABLE, word=card),)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Take it, and go on unless this was the last that he may have."""
        return robbing(g, t).taken(g, t, seat, tell)


@dataclass(frozen=True)
class Leave(RobbingAct):
    """The robber leaves the card that he has looked at, whether he might have taken it or not."""

    looking = True

    form = Form("rob_leave", "Leave the card that you have looked at.", frozenset(), lapse=True)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """End the robbing; nobody learns what card it was."""
        tell.append(public("rob_left", seat))
        return g.leave(t, tell)


# ---------------------------------------------------------------------- the two robbers


@dataclass(frozen=True)
class Rob(Phase):
    """The phase in which one of them may rob; he takes at most ``limit`` cards.

    ``robbable`` are the ranks that may be taken. Where ``shows`` is said, everybody sees what was taken.
    """

    robbable: frozenset[str]
    limit: int = 3
    shows: bool = False

    role = CUTTER
    place = -1
    """Where in the stock the next card lies: at the bottom, or on the top."""

    acts = (Look(), Pass(), Take(), Leave())

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the robber, unless there is nothing for him to do."""
        t = t._replace(phase=self.name)
        return g.leave(t, tell) if self.done(t) else t

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the robber."""
        return robber_seat(g, t.standing.dealer, self.role)

    def next_card(self, t: Table) -> Card:
        """Give the card he may look at."""
        return t.stock[self.place]

    def most(self, t: Table) -> int:
        """Say how many he may take."""
        return self.limit

    def done(self, t: Table) -> bool:
        """Tell whether he has taken as many as he may."""
        return len(t.own.robbers[self.role].robbed) >= self.most(t)

    def sight(self, g: TrickGame, seat: Seat) -> Sight:
        """Say who sees what was robbed."""
        return EVERYBODY if self.shows else g.watchers(seat)

    def taken(self, g: TrickGame, t: Table, seat: Seat, tell: list[Event]) -> Table:
        """Take the card out of the stock."""
        card = self.next_card(t)
        tell.append(covert("robbed", seat, (card,), self.sight(g, seat)))
        robber = Robber((*t.own.robbers[self.role].robbed, card))
        t = robber_with(t, self.role, robber)._replace(stock=t.stock[1:] if self.place == 0 else t.stock[:-1])
        t = self.picked_up(t, seat, card)
        return g.leave(t, tell) if self.done(t) else t

    def picked_up(self, t: Table, seat: Seat, card: Card) -> Table:
        """Put the card where it belongs for now."""
        return t


@dataclass(frozen=True)
class RobBeforeDeal(Rob):
    """The cutter robs from the bottom, from what he has lifted; the cards lie before him until the deal."""

    name: str = "cutter_rob"

    def most(self, t: Table) -> int:
        """Say how many he may take: no more than he has lifted."""
        lifted: int = t.own.lifted
        return min(self.limit, lifted)


@dataclass(frozen=True)
class RobAfterDeal(Rob):
    """The deal; then the dealer robs from the top of what is left, into his hand."""

    name: str = "dealer_rob"

    role = DEALER
    place = 0

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Deal, let the cutter pick up what he robbed, and wait for the dealer."""
        t = g.dealing.start.dealt(g, t, tell)
        for card in t.own.robbers[CUTTER].robbed:
            t = self.picked_up(t, robber_seat(g, t.standing.dealer, CUTTER), card)
        return super().enter(g, t, tell)

    def picked_up(self, t: Table, seat: Seat, card: Card) -> Table:
        """Put the card into the hand."""
        return t._replace(hands=(*t.hands[:seat], (*t.hands[seat], card), *t.hands[seat + 1 :]))


def robbing(g: TrickGame, t: Table) -> Rob:
    """Give the phase in which somebody robs."""
    rob = g.stages[t.phase]
    assert isinstance(rob, Rob), f"nobody robs in the phase {t.phase}"
    return rob


def robber_seat(g: TrickGame, dealer: Seat, role: int) -> Seat:
    """Name the seat of a robber: the dealer's own, or the one before it."""
    return dealer if role == DEALER else (dealer - 1) % g.seats
