"""Tricks that were played before: made of given cards, so that the position is possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Seat
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table, Trick

Far: TypeAlias = Callable[[Table], int]
"""The distance of the tricks from the wanted result; 0 is reached."""


def wherever(p: Table) -> int:
    """No condition on the tricks."""
    return 0


def worth_by_seat(game: TrickGame, *wanted: int) -> Far:
    """A condition on card points in the tricks, by seat."""
    return lambda p: sum(abs(have - want) for have, want in zip(game.card_points(p, 0), wanted, strict=True))


def past(
    game: TrickGame, p: Table, cards: Hand, last: Seat, far: Far = wherever, sizes: Sequence[int] = ()
) -> tuple[Trick, ...]:
    """Make past tricks of these cards in the deal of ``p``: eldest leads first, and ``last`` takes the last.

    The winner of a trick leads to the next, and no trick ends the deal. Every seat plays one card to a trick, or the
    number in ``sizes``. The cards begin in random order and are swapped while that does not increase the distance;
    after too many swaps the search starts again.
    """
    first, rng = (p.match_state.dealer + 1) % game.seats, Random(0)
    sizes = sizes or (1,) * (len(cards) // game.seats)
    assert len(cards) == game.seats * sum(sizes)
    if not cards:
        assert first == last
        return ()
    laid, nearest = list(cards), 0
    for step in range(100_000):
        anew = step % 500 == 0
        trial = rng.sample(cards, len(cards)) if anew else laid.copy()
        one, other = rng.sample(range(len(cards)), 2)
        trial[one], trial[other] = trial[other], trial[one]
        tricks = _tricks(game, p, trial, first, sizes)
        distance = far(p._replace(tricks=tricks)) + (tricks[-1].winner != last) or _ended(game, p, tricks)
        if not distance:
            return tricks
        if anew or distance <= nearest:
            laid, nearest = trial, distance
    raise AssertionError("no such tricks were found")


def _tricks(game: TrickGame, p: Table, cards: list[Card], leader: Seat, sizes: Sequence[int]) -> tuple[Trick, ...]:
    """Play the cards; those of a trick are in the order of the seats."""
    tricks, at = [], 0
    for size in sizes:
        ends = at + game.seats * size
        begins = at + leader * size
        trick = (*cards[begins:ends], *cards[at:begins])
        winner = (leader + game.taking.best(game, p, trick) // size) % game.seats
        tricks.append(Trick(leader, trick, winner))
        leader, at = winner, ends
    return tuple(tricks)


def _ended(game: TrickGame, p: Table, tricks: tuple[Trick, ...]) -> int:
    """The number of tricks that would have ended the deal."""
    ends = [after.ends_deal for after in game.all_trick_effects]
    so_far = [p._replace(tricks=tricks[:number]) for number in range(1, len(tricks) + 1)] if ends else []
    return sum(end(game, each) for each in so_far for end in ends)
