"""What everybody can tell of cards that lie face down, worked out here from the tricks in another, plainer way."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from chitarrella.bots.imagining import Unseen
from chitarrella.catalogue import Agreement
from chitarrella.tricks.apart import robbers
from chitarrella.words import Clue
from tests.kit import CATALOGUE, Walk, defaults, known_walk, name, tables, variants

DRAWN = [Agreement("briscola", 2), Agreement("briscola", 4), Agreement("brisca", 3), Agreement("bisca-guyana", 3)]
FOLLOWED = [Agreement("coteccio", 4), Agreement("coteccio", 6), Agreement("madrasso", 4)]
ROBBED = [each for each in variants() if each.game == "cuccu-a-trionfo"]


EVERYWHERE = [*(each for each in defaults() if each.players in tables(CATALOGUE.game(each.game))), *ROBBED]


def walks(agreement: Agreement, number: int) -> list[Walk]:
    """Some deals."""
    return [known_walk(agreement, f"clues {place}", deals=1, effort=1) for place in range(number)]


def told(walk: Walk, p: Any, eyes: int | None = None) -> list[Clue]:
    """The clues of a position."""
    game: Any = walk.game
    return list(game.clues(p, eyes))


@pytest.mark.parametrize("agreement", EVERYWHERE, ids=name)
def test_what_is_told_is_true(agreement: Agreement) -> None:
    """No eyes are told of cards that do not lie there: as the table lies is one way in which it may."""
    for walk in walks(agreement, 2):
        for p in walk.positions[::3]:
            for eyes in (None, *range(walk.game.seats)):
                lying = Unseen(walk.game, p, eyes)
                clues = told(walk, p, eyes)
                for clue in clues:
                    mine = [place for place in lying.places if place.zone in clue.zones and place.seat == clue.seat]
                    if clue.place is not None:
                        mine = [place for place in mine if clue.place in (place.front, place.back)]
                    there = sum(place.card in clue.cards for place in lying.places)  # the others have been seen
                    least = len(mine) if clue.many is None else min(clue.many, len(mine), there)
                    assert sum(place.card in clue.cards for place in mine) >= least


@pytest.mark.parametrize("agreement", DRAWN, ids=name)
def test_everybody_knows_who_drew_the_turn_up(agreement: Agreement) -> None:
    """When the stock is gone the turn-up lies in a hand, in that of which it is told, until it is played."""
    known = 0
    for walk in walks(agreement, 6):
        game: Any = walk.game
        for p in (p for p in walk.positions if p.hands and p.turn_up and game.phase(p) in game.running and not p.stock):
            holders = [seat for seat, hand in enumerate(p.hands) if p.turn_up in hand]
            clues = [clue for clue in told(walk, p) if clue.many is not None]
            for seat in holders:
                assert [Clue(("hand",), seat, frozenset({p.turn_up}), 1)] == clues
            known += len(holders)
    assert known > 5


@pytest.mark.parametrize("agreement", FOLLOWED, ids=name)
def test_who_did_not_follow_has_none_of_that_suit(agreement: Agreement) -> None:
    """Everybody has seen it, whether or not that seat has played to the present trick, and however long ago it was."""
    found = Counter[bool]()
    for walk in walks(agreement, 6):
        game: Any = walk.game
        for p in (p for p in walk.positions if any(p.hands) and game.phase(p) in game.running and not p.stock):
            sitting = game.sitting(game, p)
            void: dict[int, set[str]] = {seat: set() for seat in sitting}
            for leader, cards in (*(trick[:2] for trick in p.tricks), (p.leader, p.trick)):
                for step, card in enumerate(cards):
                    if game.suit[card] != game.suit[cards[0]]:
                        void[sitting[(sitting.index(leader) + step) % len(sitting)]].add(game.suit[cards[0]])
            may = {clue.seat: clue.cards for clue in told(walk, p) if clue.zones == ("hand",) and clue.many is None}
            for seat in (seat for seat in sitting if p.hands[seat]):
                for suit in void[seat]:
                    assert not {card for card in may[seat] if game.suit[card] == suit}
                    found[(sitting.index(seat) - sitting.index(p.leader)) % len(sitting) < len(p.trick)] += 1
    assert set(found) == {True, False}


def test_a_robber_knows_what_he_has_robbed() -> None:
    """Of each card that he took and has not played since he is told that it is still somewhere with him."""
    found = 0
    for agreement in ROBBED:
        for walk in walks(agreement, 2):
            game: Any = walk.game
            for p in (p for p in walk.positions if p.hands and game.phase(p) == "play"):
                for _, seat, robber in robbers(game, p):
                    places = [(seat - trick.leader) % game.seats for trick in p.tricks]
                    played = [trick.cards[place] for trick, place in zip(p.tricks, places, strict=True)]
                    played += p.trick[(seat - p.leader) % game.seats :][:1]
                    left = Counter(robber.robbed) - Counter(played)
                    clues = [clue for clue in told(walk, p, seat) if "robbed" in clue.zones and clue.seat == seat]
                    assert dict(left) == {card: clue.many for clue in clues for card in clue.cards}
                    found += len(robber.robbed) - left.total()
    assert found > 5
