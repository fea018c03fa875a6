"""Perft over every pack: the counts of a deal added up over all orders of its cards.

For a game that deals card by card not every pack has to be enumerated: a card is chosen only when it leaves the pack,
and each face has the weight of its copies left. A line of play that draws fewer cards than another counts once for
every order of the cards that it does not draw. So all figures are sums over the same orders: those of the greatest
number of cards that leave the pack in any line.

Two conditions must hold: no rule looks at a card that has not left the pack, and cards leave it at the front, except
perhaps one at the back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import perm
from typing import Any, NamedTuple, TypeAlias

from chitarrella.core.cards import Hand, minus
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Event, Move, Seat
from chitarrella.core.notation import format_move
from chitarrella.perft.count import ENDLESS, Level, Report, decisions, end_of, is_deal_running


class NotDealtByCards(TypeError):
    """A game whose pack is dealt at once, so that no card is drawn later."""


class SumOverPacks(NamedTuple):
    """The report over all orders of the cards that can leave the pack, and that of each first decision."""

    cards: int
    orders: int
    report: Report
    parts: tuple[tuple[str, Report], ...]


class _Branch(NamedTuple):
    """A position with the ``events`` of its last move, its weight ``ways``, and the number of cards ``gone``."""

    p: Position
    events: list[Event]
    ways: int
    gone: int


_Counts: TypeAlias = Counter[tuple[str, Any, int]]
"""Weights by what is counted, its depth or result, and the number of cards that had left the pack."""


def over_every_pack(game: AnyGame, position: Position, depth: int | None = None) -> SumOverPacks:
    """Count the tree below ``position`` over every pack; raises `NotDealtByCards`."""
    deepest = ENDLESS if depth is None else depth
    beginning = _Branch(position, [], 1, 0)
    cards = len(_pack(game, position))
    whole: _Counts = Counter()
    parts: dict[str, _Counts] = {}
    for way in _after_chance(game, beginning):
        for move, after in _expand(game, way, 0, deepest, whole):
            _count(game, after, 1, deepest, parts.setdefault(format_move(move), Counter()))
    for part in parts.values():
        whole.update(part)
    most = max(gone for _, _, gone in whole)
    reports = tuple((text, _report(parts[text], cards, most)) for text in sorted(parts))
    return SumOverPacks(most, perm(cards, most), _report(whole, cards, most), reports)


def _report(counts: _Counts, cards: int, most: int) -> Report:
    """Return the counts as a report over all orders of ``most`` of the ``cards`` cards of the pack."""
    total: Counter[tuple[str, Any]] = Counter()
    for (what, key, gone), ways in counts.items():
        total[what, key] += ways * perm(cards - gone, most - gone)
    of: dict[str, dict[Any, int]] = {what: {} for what in ("nodes", "leaves", "forced", "refused", "end", "result")}
    for (what, key), number in total.items():
        of[what][key] = number
    levels = tuple(
        Level(nodes, of["leaves"].get(depth, 0), of["forced"].get(depth, 0), _refused_at(of["refused"], depth))
        for depth, nodes in sorted(of["nodes"].items())
    )
    won, drawn, lost = (of["end"].get(end, 0) for end in ("won", "drawn", "lost"))
    return Report(levels, won, drawn, lost, tuple(sorted(of["result"].items())))


def _refused_at(refused: dict[tuple[int, str], int], depth: int) -> tuple[tuple[str, int], ...]:
    """Return the refusals at a depth, by clause."""
    return tuple(sorted((clause, number) for (at, clause), number in refused.items() if at == depth))


def _pack(game: AnyGame, p: Position) -> Hand:
    """Return the cards whose order is open: those requested from chance, or those left in the pack."""
    pack: Hand | None = getattr(p, "pack", None)
    if pack is None:
        raise NotDealtByCards(f"the pack of {game.key} is dealt out at once")
    return game.chance_request(p).cards if game.turn(p) == CHANCE else pack


def _after_chance(game: AnyGame, way: _Branch) -> Iterator[_Branch]:
    """Yield the branch itself, or those after the pack that chance has to supply."""
    if game.turn(way.p) != CHANCE:
        yield way
        return
    yield from _branches_of(game, way, CHANCE, Move(game.chance_request(way.p).verb))


def _count(game: AnyGame, way: _Branch, at: int, depth: int, counts: _Counts) -> None:
    """Count a position and the tree below it."""
    for _, after in _expand(game, way, at, depth, counts):
        _count(game, after, at + 1, depth, counts)


def _expand(game: AnyGame, way: _Branch, at: int, depth: int, counts: _Counts) -> Iterator[tuple[Move, _Branch]]:
    """Count a position, and yield the branches after each decision."""
    p, events, ways, gone = way
    counts["nodes", at, gone] += ways
    if not is_deal_running(game, p):
        counts["leaves", at, gone] += ways
        counts["result", game.points(p), gone] += ways
        counts["end", end_of(events), gone] += ways
    elif at < depth:
        moves, broken = decisions(game, p)
        counts["forced", at, gone] += ways * (len(moves) == 1)
        for clause in broken:
            counts["refused", (at, clause), gone] += ways
        for actor, move in moves:
            for after in _branches_of(game, way, actor, move):
                yield move, after


def _branches_of(game: AnyGame, way: _Branch, actor: Seat, move: Move) -> Iterator[_Branch]:
    """Yield the branches after a move, one for each choice of the cards that it draws."""
    return _branches_by_card(game, way, actor, move, (), (), 1)


def _branches_by_card(
    game: AnyGame, way: _Branch, actor: Seat, move: Move, front: Hand, back: Hand, ways: int
) -> Iterator[_Branch]:
    """Play a move with ``front`` and ``back`` at the ends of the pack; branch if it draws another card."""
    rest = _pack(game, way.p)
    for card in (*front, *back):
        rest = minus(rest, card)
    pack, events = (*front, *rest, *back), list[Event]()
    if actor == CHANCE:
        after = game.apply(way.p, CHANCE, move._replace(cards=pack), events)
    else:
        after = game.apply(way.p._replace(pack=pack), actor, move, events)
    left: Hand = getattr(after, "pack", ())
    gone = len(pack) - len(left)
    from_the_end = int(left != pack[gone:])
    if gone - from_the_end > len(front):
        for card, copies in Counter(rest).items():
            yield from _branches_by_card(game, way, actor, move, (*front, card), back, ways * copies)
    elif from_the_end > len(back):
        for card, copies in Counter(rest).items():
            yield from _branches_by_card(game, way, actor, move, front, (card,), ways * copies)
    else:
        yield _Branch(after, events, way.ways * ways, way.gone + gone)
