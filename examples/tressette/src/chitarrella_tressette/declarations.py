"""Declarations: aces, twos and threes that a seat shows before its card to the first trick."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from chitarrella.core.cards import Hand
from chitarrella.core.model import (
    EVERYBODY,
    NOT_IN_HAND,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    Viewer,
    public_event,
)
from chitarrella.tricks.layout import CommonLayout
from chitarrella.tricks.parts import Action, Fault, is_deal_running
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table

RANKS: Final = ("A", "2", "3")
"""The ranks that are declared."""
NO_COMBINATION = Reason(
    "no_combination",
    "Declared are ace, two and three of a suit, or all aces, twos or threes of the hand if three or more.",
)
TOO_LATE = Reason("declaration_too_late", "Declarations belong to the first trick.")
REPEATED = Reason("declaration_repeated", "These cards were declared already.")


class Declaration(NamedTuple):
    """The cards that a seat has declared together."""

    seat: Seat
    cards: Hand


class Declarations(NamedTuple):
    """What was declared in this deal, in order."""

    declared: tuple[Declaration, ...] = ()


def combinations(hand: Hand) -> list[Hand]:
    """Return every combination that a hand holds: ace, two and three of a suit, three or four of a rank."""
    cards = [card for card in hand if card.rank in RANKS]
    by_suit = [
        tuple(card for card in cards if card.suit == suit) for suit in dict.fromkeys(card.suit for card in cards)
    ]
    by_rank = [tuple(card for card in cards if card.rank == rank) for rank in RANKS]
    return [some for some in (*by_suit, *by_rank) if len(some) >= 3]


def points_of(cards: Hand) -> int:
    """Return what a declaration is worth: one point for each card."""
    return len(cards)


@dataclass(frozen=True)
class Declare(Action):
    """Show a combination to everybody, before the own card to the first trick."""

    spec = MoveSpec("declare", "Declare aces, twos and threes of the hand.", frozenset(), (3, 4))
    reasons = (NOT_IN_HAND, NO_COMBINATION, TOO_LATE, REPEATED)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return every combination of the hand."""
        return [Move("declare", g.pack.in_order(cards)) for cards in combinations(t.hands[seat])]

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse other cards, a later trick, and a combination for the second time."""
        refusals = list(self.possession(g, t, seat, move))
        if t.tricks:
            refusals.append(g.refuse(TOO_LATE))
        if not refusals and move.cards not in [one.cards for one in self.offers(g, t, seat)]:
            refusals.append(g.refuse(NO_COMBINATION))
        if any(move.cards == one.cards for one in t.own.declared):
            refusals.append(g.refuse(REPEATED))
        return tuple(refusals)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Record the declaration; everybody sees its cards."""
        events.append(public_event("declared", seat, move.cards, amount=points_of(move.cards)))
        return t._replace(own=Declarations((*t.own.declared, Declaration(seat, move.cards))))

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the declarations cannot have been made."""
        declared = t.own.declared
        if len(set(declared)) < len(declared) or (declared and not t.hands):
            return "declared", "each combination is declared once, from a hand"
        for seat, cards in declared:
            if seat not in g.seating.everybody or cards not in [g.pack.in_order(one) for one in combinations(cards)]:
                return "declared", "a seat declares a combination"
            if not set(cards) <= held_or_played(g, t, seat):
                return "declared", "the seat holds the cards, or has played them"
        return None


def held_or_played(g: Rules, t: Table, seat: Seat) -> set[str]:
    """Return the cards that ``seat`` holds or has played in this deal."""
    tricks = [(trick.leader, trick.cards) for trick in t.tricks] + [(t.leader, t.trick)]
    played = {cards[place] for leader, cards in tricks if (place := (seat - leader) % g.seats) < len(cards)}
    return {*t.hands[seat], *played}


@dataclass(frozen=True)
class OpenDeclarations(CommonLayout):
    """The common layout, with what was declared."""

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Yield each declared card of a seat too."""
        yield from super().facts(g, t)
        for seat, cards in t.own.declared:
            yield from (Fact("declared", card, seat, EVERYBODY) for card in cards)

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """Yield where the declared cards are that were not played yet."""
        yield from super().inferences(g, t, viewer)
        if is_deal_running(g, t):
            for seat, cards in t.own.declared:
                held = [card for card in cards if card in t.hands[seat]]
                yield from (Inference(("hand",), seat, frozenset({card}), 1) for card in held)
