"""Cards, hands and packs, and the notation of cards.

A card is written as its rank followed by its suit: ``Ab`` is the ace of batons, ``Th`` the ten of hearts. Cards of the
Cucco pack have no suit and are written as their rank: ``XIV``, ``MAT``. `Pack.card` is the only way from text to a
card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias


class Card(str):
    """A face: rank and suit, equal to its own notation.

    Two copies of one face are equal: nobody at the table can tell them apart.
    """

    __slots__ = ("rank", "suit")
    rank: str
    suit: str

    def __new__(cls, rank: str, suit: str = "") -> Card:
        """Create the face of ``rank`` and ``suit``. Outside this module cards come from a `Pack`."""
        self = super().__new__(cls, rank + suit)
        self.rank = rank
        self.suit = suit
        return self

    def __repr__(self) -> str:
        """Return the notation."""
        return str.__str__(self)


Hand: TypeAlias = tuple[Card, ...]
"""Cards held together: a multiset. Its order has a meaning only where a zone says so."""


class UnknownCard(ValueError):
    """A word that is no card of the pack."""

    def __init__(self, word: str, pack: str) -> None:
        """Keep the ``word`` and the name of the ``pack``."""
        super().__init__(f"{word[:24]!r} is no card of the {pack} pack")
        self.word = word
        self.pack = pack


class CardsByName(dict[str, Card]):
    """The faces of a pack by their notation. The lookup of any other word raises `UnknownCard`."""

    def __init__(self, pack: str, faces: dict[str, Card]) -> None:
        """Hold the ``faces`` of the ``pack`` with that name."""
        super().__init__(faces)
        self._pack = pack

    def __missing__(self, word: str) -> Card:
        """Raise `UnknownCard`."""
        raise UnknownCard(word, self._pack)


@dataclass(frozen=True)
class Pack:
    """All cards of a game, in canonical order: suit by suit, ranks as listed.

    ``copies`` is the number of copies of each face. ``left_out`` are faces that are printed but not in play.

    >>> pack = Pack("Italian", ("A", "2", "3", "R"), ("b", "c", "d", "s"), left_out=frozenset({Card("2", "b")}))
    >>> pack.cards
    (Ab, 3b, Rb, Ac, 2c, 3c, Rc, Ad, 2d, 3d, Rd, As, 2s, 3s, Rs)
    >>> pack.hand(["Rs", "Ab"])
    (Rs, Ab)
    """

    name: str
    ranks: tuple[str, ...]
    suits: tuple[str, ...] = ("",)
    copies: int = 1
    left_out: frozenset[Card] = frozenset()

    @cached_property
    def faces(self) -> dict[str, Card]:
        """Every printed face by its notation, also those left out of play."""
        return CardsByName(self.name, {rank + suit: Card(rank, suit) for suit in self.suits for rank in self.ranks})

    @cached_property
    def cards(self) -> Hand:
        """The cards in play, in canonical order; copies of a face stand side by side."""
        return tuple(card for card in self.faces.values() if card not in self.left_out for _ in range(self.copies))

    @cached_property
    def copies_of(self) -> dict[Card, int]:
        """The faces in play, in canonical order, each with the number of its copies."""
        return dict(Counter(self.cards))

    @cached_property
    def places(self) -> dict[Card, int]:
        """The index of every face in the canonical order."""
        return {card: place for place, card in enumerate(self.faces.values())}

    @cached_property
    def _places_in_play(self) -> list[int]:
        return [self.places[card] for card in self.cards]

    def in_order(self, hand: Iterable[Card]) -> Hand:
        """Sort cards into the canonical order."""
        return tuple(sorted(hand, key=self.places.__getitem__))

    def card(self, text: str) -> Card:
        """Parse one card; raises `UnknownCard`."""
        return self.faces[text]

    def face(self, rank: str, suit: str) -> Card:
        """Return the card of ``rank`` and ``suit``; raises `UnknownCard`."""
        return self.faces[rank + suit]

    def hand(self, texts: Iterable[str]) -> Hand:
        """Parse several cards and keep their order; raises `UnknownCard`."""
        return tuple(map(self.faces.__getitem__, texts))

    def holds_exactly(self, cards: Collection[Card]) -> bool:
        """Whether ``cards``, which are faces of this pack, are all cards in play, in any order."""
        if len(cards) != len(self.cards):
            return False
        if self.copies == 1:  # then all are there, if none is there twice
            faces = set(cards)
            return len(faces) == len(cards) and faces.isdisjoint(self.left_out)
        return sorted(map(self.places.__getitem__, cards)) == self._places_in_play

    def surplus(self, cards: Iterable[Card]) -> Hand:
        """Return the faces that ``cards`` have more often than the pack in play."""
        return tuple(card for card, number in Counter(cards).items() if number > self.copies_of.get(card, 0))

    def missing(self, cards: Iterable[Card]) -> Hand:
        """Return the faces that the pack in play has more often than ``cards``."""
        given = Counter(cards)
        return tuple(card for card, number in self.copies_of.items() if number > given.get(card, 0))

    def without(self, *faces: Card) -> Pack:
        """Return the pack with some faces out of play. They remain known, so naming one is no misspelling."""
        return replace(self, left_out=self.left_out.union(faces))


@dataclass(frozen=True)
class RankOrder:
    """Ranks from the highest to the lowest; any other rank, such as that of a fool, is below them all."""

    ranks: tuple[str, ...]

    @cached_property
    def strengths(self) -> dict[str, int]:
        """The strength of each rank: a higher number is a higher rank, and 1 the lowest."""
        return {rank: len(self.ranks) - place for place, rank in enumerate(self.ranks)}

    def strength(self, rank: str) -> int:
        """Return the strength of a rank, 0 for one that has none."""
        return self.strengths.get(rank, 0)

    def lowest(self, ranks: Iterable[str]) -> str:
        """Return the lowest of ``ranks``, of which there is at least one."""
        return min(ranks, key=self.strength)

    def highest(self, ranks: Iterable[str]) -> str:
        """Return the highest of ``ranks``, of which there is at least one."""
        return max(ranks, key=self.strength)

    def is_lower(self, rank: str, other: str) -> bool:
        """Whether ``rank`` is lower than ``other``."""
        return self.strength(rank) < self.strength(other)

    def highest_first(self, ranks: Sequence[str]) -> tuple[int, ...]:
        """Return the indices of ``ranks``, that of the highest first; of equal ones the earlier."""
        return tuple(sorted(range(len(ranks)), key=lambda place: -self.strength(ranks[place])))


def put(hands: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    """Return ``hands`` with another one at the index ``seat``."""
    every = list(hands)
    every[seat] = hand
    return tuple(every)


def minus(hand: Hand, card: Card) -> Hand:
    """Remove one copy of ``card`` from ``hand``; raises `ValueError` where it is not there."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


ITALIAN = Pack("Italian", ("A", "2", "3", "4", "5", "6", "7", "F", "C", "R"), ("b", "c", "d", "s"))
"""Forty cards, from ace to king, in batons, cups, coins and swords."""
FRENCH_52 = Pack("French 52", ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"), ("c", "d", "h", "s"))
"""The whole French pack."""
FRENCH_40 = Pack("French 40", ("2", "3", "4", "5", "6", "7", "J", "Q", "K", "A"), ("c", "d", "h", "s"))
"""The French pack without 8, 9 and 10."""
FRENCH_36 = Pack("French 36", ("6", "7", "8", "9", "T", "J", "Q", "K", "A"), ("c", "d", "h", "s"))
"""The French pack from 6 on."""
FRENCH_32 = Pack("French 32", ("7", "8", "9", "T", "J", "Q", "K", "A"), ("c", "d", "h", "s"))
"""The French pack from 7 on."""
CUCCO = Pack(
    "Cucco",
    ranks=(
        *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
        *("MAT", "MAS", "SEC", "NUL", "XI", "XII", "XIII", "XIV", "XV", "LEO"),
    ),
    copies=2,
)
"""The pack of Cucco: twenty faces without suits, each twice."""


def places(strengths: Iterable[int]) -> dict[int, int]:
    """Map each of ``strengths`` to its place among them: 1 is the lowest, and equal strengths have one place."""
    return {strength: place for place, strength in enumerate(sorted(set(strengths)), 1)}
