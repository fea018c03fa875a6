"""The table of a trick-taking game: its seats, its cards and their order, its phases, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias

from chitarrella.core.cards import Card, Hand, Pack, places
from chitarrella.core.model import EVERYBODY, CardSpec, Event, Move, Seat, SuitRanking, Visibility, hidden_cards_event
from chitarrella.tricks.order import Order
from chitarrella.tricks.table import Table


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The seats at a table.

    ``sides`` is the side of every seat. ``controllers`` is the seat whose person moves the cards of a seat: its own,
    but for a dummy its partner's.
    """

    sides: tuple[int, ...] = (0, 1)
    controllers: tuple[Seat, ...] = (0, 1)

    @cached_property
    def seats(self) -> int:
        """The number of places at the table, dummies included."""
        return len(self.sides)

    @cached_property
    def everybody(self) -> tuple[Seat, ...]:
        """Every seat, in order of play."""
        return tuple(range(self.seats))

    @property
    def has_dummies(self) -> bool:
        """Whether the cards of some seat are moved by the person of another one."""
        return self.controllers != self.everybody

    @cached_property
    def rotations(self) -> tuple[tuple[Seat, ...], ...]:
        """Every seat in order of play, beginning with each of them."""
        return tuple(self.everybody[first:] + self.everybody[:first] for first in self.everybody)

    @cached_property
    def seat_set(self) -> frozenset[Seat]:
        """All seats as a set, for quick membership tests."""
        return frozenset(self.everybody)

    def controller(self, seat: Seat) -> Seat:
        """Return the seat whose person moves the cards of ``seat``."""
        return self.controllers[seat]

    def partner(self, seat: Seat) -> Seat | None:
        """Return the other person of the same side, None where there is none."""
        return self._partner[seat]

    def partners(self, seat: Seat) -> frozenset[Seat]:
        """Return ``seat`` and its partner."""
        return frozenset({seat, seat if (partner := self.partner(seat)) is None else partner})

    def watchers(self, seat: Seat) -> Visibility:
        """Return who sees the hand of ``seat``: its person, but everybody where it is a dummy's."""
        return self._watchers[seat]

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        """Return the seats of a side."""
        return tuple(seat for seat in range(self.seats) if self.sides[seat] == side)

    @cached_property
    def _partner(self) -> tuple[Seat | None, ...]:
        persons = [seat for seat in range(self.seats) if self.controllers[seat] == seat]
        others = ([p for p in persons if p != seat and self.sides[p] == side] for seat, side in enumerate(self.sides))
        return tuple(other[0] if other else None for other in others)

    @cached_property
    def _watchers(self) -> tuple[Visibility, ...]:
        return tuple(frozenset({s}) if self.controllers[s] == s else EVERYBODY for s in range(self.seats))

    @cached_property
    def hands_of(self) -> dict[Seat, tuple[Seat, ...]]:
        """The seats whose cards a person moves, by the seat where the person sits."""
        return {
            actor: tuple(s for s in range(self.seats) if self.controllers[s] == actor) for actor in range(self.seats)
        }


def everybody(g: Seating, t: object) -> tuple[Seat, ...]:
    """Return every seat: all take part in the deal."""
    return g.everybody


# What a game reads in its cards, looked up once


CACHE_SIZE = 64
"""The number of hands in the cache: enough while a list of moves is made and the chosen one is validated."""


class TrickStrengths(dict[str, dict[Card, dict[Card, int]]]):
    """How strong each card is in a trick, by the trumps and the card led, computed when the trumps are first asked for.

    A trump beats the suit led, and a card of another suit, which is worth 0, takes nothing.
    """

    def __init__(self, suit: Mapping[Card, str], strength: Mapping[Card, int]) -> None:
        """Hold the ``suit`` of each card and its ``strength`` inside that suit."""
        super().__init__()
        self._suit, self._strength = suit, strength

    def __missing__(self, trump: str) -> dict[Card, dict[Card, int]]:
        """Compute the strengths with these trumps; all cards of a suit have the same when they are led."""
        by_suit = {led: self._strengths(trump, led) for led in set(self._suit.values())}
        self[trump] = found = {card: by_suit[suit] for card, suit in self._suit.items()}
        return found

    def _strengths(self, trump: str, led: str) -> dict[Card, int]:
        base = {led: 0, trump: max(self._strength.values())}
        return {card: base[suit] + self._strength[card] if suit in base else 0 for card, suit in self._suit.items()}


@lru_cache(maxsize=256)
def _trick_strengths(pack: Pack, ranks: tuple[str, ...], suits: tuple[tuple[str, str], ...]) -> TrickStrengths:
    """Return the strengths that all games with this pack and order share."""
    order = Order(ranks, (), dict(suits))
    return TrickStrengths(order.suit(pack), order.strength(pack))


@dataclass(frozen=True, kw_only=True)
class CardIndex:
    """The pack, the order in which a game sees it, and what follows from both for every card."""

    pack: Pack
    order: Order

    @cached_property
    def suit(self) -> dict[Card, str]:
        """The suit each card counts as."""
        return self.order.suit(self.pack)

    @cached_property
    def suits(self) -> frozenset[str]:
        """The suits of the game."""
        return frozenset(self.suit.values())

    @cached_property
    def strength(self) -> dict[Card, int]:
        """How strong each card is inside its suit."""
        return self.order.strength(self.pack)

    @cached_property
    def faces_of_suits(self) -> dict[str, frozenset[Card]]:
        """The faces of each suit."""
        return {wanted: frozenset(card for card, suit in self.suit.items() if suit == wanted) for wanted in self.suits}

    @cached_property
    def of_suit(self) -> Callable[[Hand, str], Hand]:
        """A cached function that returns the faces of a suit in a hand, each once, in the order of the hand."""
        return lru_cache(CACHE_SIZE)(self._of_suit)

    def _of_suit(self, hand: Hand, wanted: str) -> Hand:
        faces = self.faces_of_suits.get(wanted)
        if faces is None or faces.isdisjoint(hand):
            return ()
        found = [card for card in hand if card in faces]
        return tuple(found if self.pack.copies == 1 else dict.fromkeys(found))

    @cached_property
    def trick_strengths(self) -> TrickStrengths:
        """How strong each card is in a trick, by the trumps and the card led."""
        return _trick_strengths(self.pack, self.order.ranks, tuple(self.order.suits.items()))

    @cached_property
    def card_values(self) -> dict[Card, int]:
        """What each card counts in the main count, where no suit is trumps."""
        return {card: self.order.counts[0].of((card,)) for card in self.pack.faces.values()}

    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        """The ranks with their counts; one entry for each group of ranks that has its own suit."""
        suits = dict.fromkeys(self.order.suits.get(rank, "") for rank in self.order.ranks)
        ranks = {suit: tuple(r for r in self.order.ranks if self.order.suits.get(r, "") == suit) for suit in suits}
        return tuple(
            SuitRanking(
                suit,
                ranks[suit],
                {count.name: tuple(count.worth.get(rank, 0) for rank in ranks[suit]) for count in self.order.counts},
            )
            for suit in suits
        )

    @property
    def card_specs(self) -> tuple[CardSpec, ...]:
        """Each different card in play, in canonical order, as it ranks and counts where no suit is trumps."""
        copies = self.pack.copies_of
        by_suit = {
            suit: places(self.strength[card] for card in copies if self.suit[card] == suit) for suit in self.suits
        }
        return tuple(
            CardSpec(card, suit, by_suit[suit][self.strength[card]], self.card_values[card], number)
            for card, number in copies.items()
            for suit in (self.suit[card],)
        )

    def count(self, cards: Hand, trump: str = "") -> tuple[tuple[str, int], ...]:
        """Return what cards are worth, by the name of each count."""
        return tuple((count.name, count.of(cards, trump)) for count in self.order.counts)


# What follows from the cards and the seats of a game, built once


class PlayTables(NamedTuple):
    """What playing a card looks up in a game, put together once.

    ``best`` is that of `Taking`. ``size`` is the number of cards of a full trick, 0 where it changes from deal to deal.
    ``draws_at_once`` says that nothing comes between a trick and the cards that everybody draws for it.
    """

    size: int
    play_events: tuple[dict[Card, Event], ...]
    orders: tuple[tuple[Seat, ...], ...]
    best: Callable[[Any, Any, Hand], int]
    draws_at_once: bool
    draw_events: tuple[dict[Card, Event], ...]


@dataclass(frozen=True, kw_only=True)
class CardTables(Seating, CardIndex):
    """The cards and the seats, with the move and the events of each card at each seat."""

    @cached_property
    def moves_by_card(self) -> tuple[dict[Card, Move], ...]:
        """The move that plays each card, seat by seat; the move of a dummy's card names the seat."""
        return tuple(
            {
                card: Move("play_card", (card,), seat=None if self.controllers[seat] == seat else seat)
                for card in self.pack.faces.values()
            }
            for seat in range(self.seats)
        )

    @cached_property
    def play_events(self) -> tuple[dict[Card, Event], ...]:
        """The event of each card that is played, seat by seat."""
        return _card_events("card_played", self.pack, (EVERYBODY,) * self.seats)

    @cached_property
    def draw_events(self) -> tuple[dict[Card, Event], ...]:
        """The event of each card that is drawn unseen by others, seat by seat."""
        return _card_events("card_drawn", self.pack, tuple(map(self.watchers, self.everybody)))


@lru_cache(maxsize=256)
def _card_events(kind: str, pack: Pack, seen_by: tuple[Visibility, ...]) -> tuple[dict[Card, Event], ...]:
    """Return the event of ``kind`` for each card and seat, given who sees the cards of each seat.

    All games with the same pack and seats share them.
    """
    return tuple(
        {card: hidden_cards_event(kind, seat, (card,), watchers) for card in pack.faces.values()}
        for seat, watchers in enumerate(seen_by)
    )


# What the check of positions asks of the phases of a game, looked up once


Check: TypeAlias = Callable[[Any, Table], tuple[str, str] | None]
"""Returns why a phase or an action cannot have left a table so, given the game and the table."""


@dataclass(frozen=True, kw_only=True)
class PhaseIndex:
    """The phase that deals and those of a deal, in order, and what follows from them for every position.

    `chitarrella.tricks.base.Rules` says of which types they are.
    """

    dealing: Any
    phases: tuple[Any, ...]

    @cached_property
    def hand_size(self) -> int:
        """The number of cards in the largest hand after the deal."""
        size: int = self.dealing.start.size
        return size

    @cached_property
    def turns_up_at_start(self) -> bool:
        """Whether a card is turned up for trumps with the deal."""
        turns_up: bool = self.dealing.start.turns_up
        return turns_up

    @cached_property
    def phase_checks(self) -> tuple[Check, ...]:
        """The checks of the phases, and of their actions, that can ever find a fault, in order."""
        checks: list[Check] = []
        for phase in self.phases:
            parts: tuple[Any, ...] = (phase,) if overrides(phase, "fault") else phase.actions
            checks += [part.fault for part in parts if overrides(part, "fault")]
        return tuple(checks)

    @cached_property
    def phase_checks_without_records(self) -> tuple[Check, ...]:
        """Those of them that can find a fault in a table on which no action has left anything."""
        return tuple(phase.fault for phase in self.phases if overrides(phase, "fault"))

    @cached_property
    def turn_up_phases(self) -> tuple[str, ...]:
        """The names of the phases in which a card is turned up for trumps."""
        return tuple(phase.name for phase in self.phases if phase.turns_up)

    @cached_property
    def names_trumps(self) -> bool:
        """Whether a seat names the trumps."""
        return any(phase.names_trumps for phase in self.phases)

    @cached_property
    def breaks_off_deals(self) -> bool:
        """Whether a move can end a deal before its last trick."""
        return any(action.breaks_off_deal for phase in self.phases for action in phase.actions)

    @cached_property
    def first_lead_phases(self) -> tuple[Any, ...]:
        """The phases that may decide who leads to the first trick (`Phase.first_lead`)."""
        return tuple(phase for phase in self.phases if overrides(phase, "first_lead"))

    @cached_property
    def identity(self) -> object:
        """A key of this one game for caches: it is hashed at once, and the parts of a game are not."""
        return object()


def overrides(part: object, method: str) -> bool:
    """Return whether the class of ``part`` has its own ``method`` in place of the one that all such parts have."""
    return sum(method in vars(kind) for kind in type(part).__mro__) > 1
