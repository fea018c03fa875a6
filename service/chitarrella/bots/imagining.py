"""Imagining: a position that looks the same to some eyes, in which what they do not see was dealt anew.

The cards that are not seen are gathered, put in the order of the pack and shuffled, so that nothing of how they lie in
truth is left. They are dealt into the places where they lay, heeding the clues that the game gives (`Game.clues`); what
else was kept from those eyes follows from the cards (`Game.squared`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from chitarrella.cards import Card, Hand
from chitarrella.game import AnyGame, Position
from chitarrella.words import Clue, Eyes, Seat, sees

ANY: Final = None
"""What may lie in a place of which nothing can be told."""

Allowed = frozenset[Card] | None
"""The cards that may lie in a place, or any."""


class Place(NamedTuple):
    """A place where a card lies face down: the zone, its seat, its number in the zone from the front and the back."""

    card: Card
    zone: str
    seat: Seat | None
    front: int
    back: int


class Unseen:
    """The cards of one position that some eyes do not see, and what they can tell of them."""

    def __init__(self, game: AnyGame, p: Position, eyes: Eyes) -> None:
        """Find the places, and what may lie in each of them."""
        self.game, self.eyes = game, eyes
        self.told_apart = type(p)(*map(told_apart, p))
        lying = {id(card) for part in self.told_apart for card in cards_in(part)}
        self.places = [place for place in hidden(game, self.told_apart, eyes) if id(place.card) in lying]
        self.cards = game.pack.in_order(faces(game, self.places))
        self.allowed = self._allowed(tuple(game.clues(p, eyes)))
        unseen = {id(place.card) for place in self.places}
        self.touched = [
            number for number, part in enumerate(self.told_apart) if any(id(card) in unseen for card in cards_in(part))
        ]
        self.p = p

    def dealt(self, rng: Random) -> Position:
        """Deal the cards anew."""
        cards = list(self.cards)
        rng.shuffle(cards)
        chosen = fitted(cards, self.allowed) or cards
        new = {id(place.card): card for place, card in zip(self.places, chosen, strict=True)}
        parts = list(self.p)
        for number in self.touched:
            parts[number] = replaced(self.told_apart[number], new)
        return self.game.squared(type(self.p)(*parts), self.eyes)

    def _allowed(self, clues: Sequence[Clue]) -> list[Allowed]:
        """Say what may lie in each place; clues that contradict each other, as in a made-up position, are let go."""
        strict = allowed(self.places, self.cards, clues)
        if fitted(self.cards, strict) is not None:
            return strict
        held = allowed(self.places, self.cards, [clue for clue in clues if clue.many or clue.place is not None])
        return held if fitted(self.cards, held) is not None else [ANY] * len(self.places)


# ---------------------------------------------------------------------- where the cards lie


def told_apart(part: Any) -> Any:
    """Copy a part of a position so that no card object is in it twice."""
    if isinstance(part, Card):
        return Card(part.rank, part.suit)
    if isinstance(part, tuple):
        return remade(part, [told_apart(each) for each in part])
    return part


def remade(part: tuple[Any, ...], parts: list[Any]) -> Any:
    """Make a row or a record of the same kind with other ``parts``."""
    return type(part)(*parts) if hasattr(part, "_fields") else tuple(parts)


def cards_in(part: Any) -> Iterator[Card]:
    """Go through the cards in a part of a position."""
    if isinstance(part, Card):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from cards_in(each)


def replaced(part: Any, new: dict[int, Card]) -> Any:
    """Copy a part of a position, with other cards for some of its own."""
    if isinstance(part, Card):
        return new.get(id(part), part)
    if isinstance(part, tuple):
        return remade(part, [replaced(each, new) for each in part])
    return part


def hidden(game: AnyGame, p: Position, eyes: Eyes) -> Iterator[Place]:
    """Go through the places whose cards those eyes do not see."""
    for zone in game.zones(p):
        if not sees(zone.seen_by, eyes):
            for front, card in enumerate(zone.cards):
                yield Place(card, zone.name, zone.seat, front, front - len(zone.cards))


def faces(game: AnyGame, places: Sequence[Place]) -> Iterator[Card]:
    """Give the faces that lie in ``places``, as the pack has them."""
    return (game.pack.faces[place.card] for place in places)


# ---------------------------------------------------------------------- which card may lie where


def allowed(places: Sequence[Place], cards: Hand, clues: Sequence[Clue]) -> list[Allowed]:
    """Say of each place which cards may lie there, by what can be told."""
    found: list[Allowed] = [ANY] * len(places)
    spoken_for: set[int] = set()
    for clue in clues:
        mine = [n for n, place in enumerate(places) if place.zone in clue.zones and place.seat == clue.seat]
        if clue.place is not None:
            mine = [n for n in mine if clue.place in (places[n].front, places[n].back)]
        elif clue.many is not None:
            there = sum(card in clue.cards for card in cards)
            mine = [n for n in mine if n not in spoken_for][: min(clue.many, there)]
            spoken_for.update(mine)
        for n in mine:
            before = found[n]
            found[n] = clue.cards if before is None else before & clue.cards
    return found


def fitted(cards: Sequence[Card], allowed: Sequence[Allowed]) -> list[Card] | None:
    """Lay each card into a place where it may lie, the first of them first; None where that cannot be.

    A card that is wanted elsewhere makes room, if another card will do in its place.
    """
    taken: dict[int, int] = {}  # which place has which card

    def find(place: int, tried: set[int]) -> bool:
        wanted = allowed[place]
        for number, card in enumerate(cards):
            if number not in tried and (wanted is None or card in wanted):
                tried.add(number)
                if number not in taken or find(taken[number], tried):
                    taken[number] = place
                    return True
        return False

    narrow = [place for place, wanted in enumerate(allowed) if wanted is not None]
    for place in sorted(narrow, key=lambda place: len(allowed[place] or ())):
        if not find(place, set()):
            return None
    laid = {place: cards[number] for number, place in taken.items()}
    rest = (card for number, card in enumerate(cards) if number not in taken)
    return [laid[place] if place in laid else next(rest) for place in range(len(allowed))]
