"""Card perft over every pack: the counts of a deal added up over all orders in which its cards can lie.

A game that deals card by card can be counted without going through every pack: a card is named only when it leaves the
pack, and each face counts as often as there are copies of it left. What has reached fewer cards than another way to
play counts once for every order of the cards that it did not reach, so all figures are sums over the same orders: those
of the most cards that leave the pack in any way to play.

It rests on two things that hold of a pack at any table: no rule looks at a card that has not left it, and it is dealt
from one end, save perhaps the last card at the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import perm
from typing import Any, NamedTuple, TypeAlias

from chitarrella.cards import Hand, minus
from chitarrella.game import AnyGame, Position
from chitarrella.notation import write_move
from chitarrella.perft import ENDLESS, Level, Report, decisions, end_of, running
from chitarrella.words import CHANCE, Event, Move, Seat


class NotDealtByCards(TypeError):
    """A game whose pack is dealt out at once, so that nothing is left to chance."""


class Sum(NamedTuple):
    """Counts over every order of the cards that can matter: how many ``cards``, in how many ``orders``."""

    cards: int
    orders: int
    report: Report
    parts: tuple[tuple[str, Report], ...]


class _Way(NamedTuple):
    """A position that was reached, in how many ways its cards can have come, and how many have left the pack."""

    p: Position
    told: list[Event]
    ways: int
    gone: int


_Tally: TypeAlias = Counter[tuple[str, Any, int]]
"""What is counted, at which depth or with what result, and how many cards had left the pack: in how many ways."""


def over_every_pack(game: AnyGame, position: Position, depth: int | None = None) -> Sum:
    """Count all that can follow ``position``, with every pack that can lie there; raises `NotDealtByCards`."""
    deepest = ENDLESS if depth is None else depth
    beginning = _Way(position, [], 1, 0)
    cards = len(_pack(game, position))
    whole: _Tally = Counter()
    parts: dict[str, _Tally] = {}
    for way in _chance(game, beginning):
        for move, after in _grow(game, way, 0, deepest, whole):
            _count(game, after, 1, deepest, parts.setdefault(write_move(move), Counter()))
    for part in parts.values():
        whole.update(part)
    most = max(gone for _, _, gone in whole)
    reports = tuple((text, _report(parts[text], cards, most)) for text in sorted(parts))
    return Sum(most, perm(cards, most), _report(whole, cards, most), reports)


def _report(tally: _Tally, cards: int, most: int) -> Report:
    """Put the counts into order, for all orders of ``most`` of the ``cards`` of the pack."""
    total: Counter[tuple[str, Any]] = Counter()
    for (what, key, gone), ways in tally.items():
        total[what, key] += ways * perm(cards - gone, most - gone)
    of: dict[str, dict[Any, int]] = {what: {} for what in ("nodes", "leaves", "forced", "refused", "end", "result")}
    for (what, key), number in total.items():
        of[what][key] = number
    levels = tuple(
        Level(nodes, of["leaves"].get(depth, 0), of["forced"].get(depth, 0), _broken(of["refused"], depth))
        for depth, nodes in sorted(of["nodes"].items())
    )
    won, drawn, lost = (of["end"].get(end, 0) for end in ("won", "drawn", "lost"))
    return Report(levels, won, drawn, lost, tuple(sorted(of["result"].items())))


def _broken(refused: dict[tuple[int, str], int], depth: int) -> tuple[tuple[str, int], ...]:
    """Give what is refused at a depth, by clause."""
    return tuple(sorted((clause, number) for (at, clause), number in refused.items() if at == depth))


def _pack(game: AnyGame, p: Position) -> Hand:
    """Give the cards whose order is open: those that are wanted, or those that are left."""
    pack: Hand | None = getattr(p, "pack", None)
    if pack is None:
        raise NotDealtByCards(f"the pack of {game.key} is dealt out at once")
    return game.chance(p).cards if game.turn(p) == CHANCE else pack


def _chance(game: AnyGame, way: _Way) -> Iterator[_Way]:
    """Hand in the pack, where one is wanted."""
    if game.turn(way.p) != CHANCE:
        yield way
        return
    yield from _made(game, way, CHANCE, Move(game.chance(way.p).verb))


def _count(game: AnyGame, way: _Way, at: int, depth: int, tally: _Tally) -> None:
    """Count a position and all that follows."""
    for _, after in _grow(game, way, at, depth, tally):
        _count(game, after, at + 1, depth, tally)


def _grow(game: AnyGame, way: _Way, at: int, depth: int, tally: _Tally) -> Iterator[tuple[Move, _Way]]:
    """Count a position alone, and give those one decision on, card by card."""
    p, told, ways, gone = way
    tally["nodes", at, gone] += ways
    if not running(game, p):
        tally["leaves", at, gone] += ways
        tally["result", game.points(p), gone] += ways
        tally["end", end_of(told), gone] += ways
    elif at < depth:
        moves, broken = decisions(game, p)
        tally["forced", at, gone] += ways * (len(moves) == 1)
        for clause in broken:
            tally["refused", (at, clause), gone] += ways
        for actor, move in moves:
            for after in _made(game, way, actor, move):
                yield move, after


def _made(game: AnyGame, way: _Way, actor: Seat, move: Move) -> Iterator[_Way]:
    """Make a move with every face that can leave the pack by it."""
    return _named(game, way, actor, move, (), (), 1)


def _named(game: AnyGame, way: _Way, actor: Seat, move: Move, front: Hand, back: Hand, ways: int) -> Iterator[_Way]:
    """Make a move with these cards at the two ends of the pack; name one more where it reaches a card without name."""
    rest = _pack(game, way.p)
    for card in (*front, *back):
        rest = minus(rest, card)
    pack, tell = (*front, *rest, *back), list[Event]()
    if actor == CHANCE:
        after = game.apply(way.p, CHANCE, move._replace(cards=pack), tell)
    else:
        after = game.apply(way.p._replace(pack=pack), actor, move, tell)
    left: Hand = getattr(after, "pack", ())
    gone = len(pack) - len(left)
    from_the_end = int(left != pack[gone:])
    if gone - from_the_end > len(front):
        for card, copies in Counter(rest).items():
            yield from _named(game, way, actor, move, (*front, card), back, ways * copies)
    elif from_the_end > len(back):
        for card, copies in Counter(rest).items():
            yield from _named(game, way, actor, move, front, (card,), ways * copies)
    else:
        yield _Way(after, tell, way.ways * ways, way.gone + gone)
