"""The seats and the cards of a trick-taking game: values that a game is made of, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from chitarrella.core.cards import Card, Hand, Pack, places
from chitarrella.core.model import EVERYBODY, CardSpec, Event, Seat, SuitRanking, Visibility, hidden_cards_event
from chitarrella.tricks.card_values import Computed, Order


@dataclass(frozen=True)
class Seating:
    """The seats at a table.

    ``sides`` is the side of every seat. ``controllers`` is the seat whose person moves the cards of a seat: its own,
    but for a dummy its partner's.
    """

    sides: tuple[int, ...]
    controllers: tuple[Seat, ...]

    @cached_property
    def everybody(self) -> tuple[Seat, ...]:
        """Every seat, in order of play."""
        return tuple(range(len(self.sides)))

    @cached_property
    def rotations(self) -> tuple[tuple[Seat, ...], ...]:
        """Every seat in order of play, beginning with each of them."""
        return tuple(self.everybody[first:] + self.everybody[:first] for first in self.everybody)

    @cached_property
    def seat_set(self) -> frozenset[Seat]:
        """All seats as a set, for quick membership tests."""
        return frozenset(self.everybody)

    def partner(self, seat: Seat) -> Seat | None:
        """Return the other person of the same side, None where there is none."""
        return self._partner[seat]

    def partners(self, seat: Seat) -> frozenset[Seat]:
        return frozenset({seat, seat if (partner := self.partner(seat)) is None else partner})

    def watchers(self, seat: Seat) -> Visibility:
        """Return who sees the hand of ``seat``: its person, but everybody where it is a dummy's."""
        return self._watchers[seat]

    def seats_of(self, side: int | None) -> tuple[Seat, ...]:
        """Return the seats of ``side``; of None there are none."""
        return tuple(seat for seat in self.everybody if self.sides[seat] == side)

    @cached_property
    def _partner(self) -> tuple[Seat | None, ...]:
        persons = [seat for seat in self.everybody if self.controllers[seat] == seat]
        others = ([p for p in persons if p != seat and self.sides[p] == side] for seat, side in enumerate(self.sides))
        return tuple(other[0] if other else None for other in others)

    @cached_property
    def _watchers(self) -> tuple[Visibility, ...]:
        return tuple(frozenset({s}) if self.controllers[s] == s else EVERYBODY for s in self.everybody)

    @cached_property
    def hands_of(self) -> dict[Seat, tuple[Seat, ...]]:
        """The seats whose cards a person moves, by the seat where the person sits."""
        return {actor: tuple(s for s in self.everybody if self.controllers[s] == actor) for actor in self.everybody}


def alone(seats: int) -> Seating:
    """Return ``seats`` seats, each for itself."""
    return Seating(tuple(range(seats)), tuple(range(seats)))


def partnerships(*controllers: Seat) -> Seating:
    """Return four seats, partners opposite each other; ``controllers`` are the persons, by default one at each seat."""
    return Seating((0, 1, 0, 1), controllers or (0, 1, 2, 3))


def alone_or_partners(players: int) -> Seating:
    """Return four players as partners, any other number each for himself."""
    return partnerships() if players == 4 else alone(players)


# What a game reads in its cards, looked up once
@dataclass(frozen=True)
class CardIndex:
    """The pack, the order in which a game sees it, and what follows from both for every card."""

    pack: Pack
    order: Order

    @cached_property
    def ranks(self) -> Computed[str, dict[Card, tuple[str, int]]]:
        """The suit and the strength of each card, by the trumps."""
        faces, order = self.pack.faces.values(), self.order
        return Computed(lambda trump: {card: order.suit_and_strength(card, trump) for card in faces})

    @cached_property
    def suit(self) -> dict[Card, str]:
        """The suit that each card counts as where no suit is trumps."""
        return {card: suit for card, (suit, _) in self.ranks[""].items()}

    @cached_property
    def suits(self) -> frozenset[str]:
        return frozenset(self.suit.values())

    @cached_property
    def strength(self) -> dict[Card, int]:
        """How strong each card is inside its suit."""
        return {card: strength for card, (_, strength) in self.ranks[""].items()}

    def of_suit(self, hand: Hand, wanted: str) -> Hand:
        """Return the faces of a suit in a hand, each once, in the order of the hand."""
        suit = self.suit
        found = [card for card in hand if suit[card] == wanted]
        return tuple(found if self.pack.copies == 1 else dict.fromkeys(found))

    @cached_property
    def trick_strengths(self) -> Computed[str, dict[Card, dict[Card, int]]]:
        """How strong each card is in a trick, by the trumps and the card led."""
        return Computed(lambda trump: self.order.trick_strengths(self.ranks[trump], trump))

    @cached_property
    def card_values(self) -> dict[Card, int]:
        """What each card counts in the main count, where no suit is trumps."""
        return {card: self.order.counts[0].of((card,)) for card in self.pack.faces.values()}

    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        """The ranks with their counts; one entry for each group of ranks with its own suit, or suit with its counts."""
        order = self.order
        groups = {
            suit: [rank for rank in order.ranks if order.suits.get(rank, "") == suit]
            for suit in ("", *order.suits.values())
        }
        if any(set(count.worth) - set(order.ranks) for count in order.counts):  # cards of a rank count differently
            groups = {suit: [*order.ranks] for suit in self.pack.suits}
        return tuple(
            SuitRanking(
                suit,
                tuple(ranks),
                {count.name: tuple(count.by_card[card[rank]] for rank in ranks) for count in order.counts},
            )
            for suit, ranks in groups.items()
            if ranks
            for card in ({card.rank: card for card, own in self.suit.items() if suit in ("", own)},)
        )

    @property
    def specs(self) -> tuple[CardSpec, ...]:
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


card_index: Final = lru_cache(maxsize=256)(CardIndex)
"""Builds the index that all games with the same pack and order share."""


@lru_cache(maxsize=256)
def card_events(kind: str, pack: Pack, seen_by: tuple[Visibility, ...]) -> tuple[dict[Card, Event], ...]:
    """Return the event of ``kind`` for each card and seat, given who sees the cards of each seat.

    All games with the same pack and seats share them.
    """
    return tuple(
        {card: hidden_cards_event(kind, seat, (card,), watchers) for card in pack.faces.values()}
        for seat, watchers in enumerate(seen_by)
    )
