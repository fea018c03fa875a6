"""Perft for card games: exact counts of all ways in which a deal can go, as chess engines count positions.

A decision is an accepted move in turn, at a penalty or not; moves out of turn, such as signals, are left out. Copies of
a card are one decision. A case (`chitarrella_testing.perft`) says what is counted; text files
(`chitarrella_testing.perft_files`) hold cases with their counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import sha256
from math import gcd, perm
from typing import Any, NamedTuple, TypeAlias, cast

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Card, Hand, Pack, minus
from chitarrella.core.game import AnyGame, Position, is_accepted, play, validate_move
from chitarrella.core.model import CHANCE, Event, Move, Seat, Shares
from chitarrella.core.notation import format_move, make_move


class Level(NamedTuple):
    """The counts at one depth.

    ``nodes`` counts the positions, ``leaves`` those in which the deal is over. Of the others, if they were expanded,
    ``forced`` counts those with a single decision, and ``refused`` the candidate moves that are refused, by the first
    clause that they break and the reason code, with a slash between them.
    """

    nodes: int
    leaves: int
    forced: int
    refused: tuple[tuple[str, int], ...]


class Reach(NamedTuple):
    """The limits of a count: the depth in decisions, None for the end of the deal; verbs whose moves are not made."""

    depth: int | None = None
    without: tuple[str, ...] = ()


class Report(NamedTuple):
    """The counts level by level; and of all leaves how many seat 0 won, drew and lost, and how often each result came.

    A result is the points of every seat, in the main count of the game.
    """

    levels: tuple[Level, ...]
    won: int
    drawn: int
    lost: int
    results: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def leaves(self) -> int:
        """The number of ends of the deal."""
        return sum(level.leaves for level in self.levels)

    @property
    def forced(self) -> int:
        """The number of positions with a single decision."""
        return sum(level.forced for level in self.levels)

    @property
    def refused(self) -> int:
        """The number of refused candidates."""
        return sum(count for level in self.levels for _, count in level.refused)

    @property
    def digest(self) -> str:
        """The first 16 hexadecimal digits of a SHA-256 of all results with their numbers."""
        lines = [f"{','.join(map(str, points))}={count}\n" for points, count in self.results]
        return sha256("".join(lines).encode()).hexdigest()[:16]


def perft(game: AnyGame, position: Position, depth: int | None = None, without: tuple[str, ...] = ()) -> Report:
    """Count the tree below ``position``, to the end of the deal or to ``depth`` decisions.

    Moves of the verbs ``without`` are not made.
    """
    return divide(game, position, depth, without)[0]


def divide(
    game: AnyGame, position: Position, depth: int | None = None, without: tuple[str, ...] = ()
) -> tuple[Report, tuple[tuple[str, Report], ...]]:
    """Count like `perft`; also return the report of each first decision, in canonical order."""

    def play_on(before: _Branch, actor: Seat, move: Move) -> Iterator[_Branch]:
        events: list[Event] = []
        yield _Branch(game.apply(before.p, actor, move, events), events)

    whole, parts = _count_tree(game, [_Branch(position, [])], Reach(depth, without), play_on)
    moves = sorted(parts, key=lambda move: _sort_key(move, game.pack.places))
    return _report(whole), tuple((format_move(move), _report(parts[move])) for move in moves)


def is_deal_running(game: AnyGame, p: Position) -> bool:
    """Return whether a seat is on turn: not between deals, nor after the match."""
    return game.turn(p) not in (CHANCE, None)


def decisions(game: AnyGame, p: Position, without: tuple[str, ...] = ()) -> tuple[list[tuple[Seat, Move]], list[str]]:
    """Return the decisions of the seat on turn, and for each refused candidate the clause that it breaks first."""
    actor = game.controller(game.turn(p) or 0)
    moves, broken = [], []
    for move in game.candidates(p, actor):
        if game.move_specs[move.verb].out_of_turn or move.verb in without:
            continue
        refusals = validate_move(game, p, actor, move)
        if is_accepted(refusals):
            moves.append((actor, move))
        else:
            broken.append(f"{refusals[0].clause.key}/{refusals[0].code}")
    return moves, broken


def fixed_decision(game: AnyGame, p: Position, number: int) -> tuple[Seat, Move]:
    """Return decision ``number`` of a deal by the fixed rule: in canonical order the one at 7 x number + 3.

    The index is taken modulo the number of decisions.
    """
    moves, _ = decisions(game, p)
    moves.sort(key=lambda decision: _sort_key(decision[1], game.pack.places))
    return moves[(7 * number + 3) % len(moves)]


def _sort_key(move: Move, places: dict[Card, int]) -> tuple[str, list[int], str, int, Shares]:
    amount = -1 if move.amount is None else move.amount
    return move.verb, [places[card] for card in move.cards], move.choice, amount, move.shares


class _Branch(NamedTuple):
    """A position with the ``events`` of its last move, its weight ``ways``, and the number of cards ``gone``."""

    p: Position
    events: list[Event]
    ways: int = 1
    gone: int = 0


# Weights by what is counted, its depth or result, and the number of cards that had left the pack
_Counts: TypeAlias = Counter[tuple[str, Any, int]]
# Plays a move, and yields what can come of it
_PlayMove: TypeAlias = Callable[[_Branch, Seat, Move], Iterator[_Branch]]


def _count_tree(
    game: AnyGame, roots: Iterable[_Branch], reach: Reach, play_move: _PlayMove
) -> tuple[_Counts, dict[Move, _Counts]]:
    """Count the trees below ``roots``: all together, and below each first decision."""
    whole: _Counts = Counter()
    parts: dict[Move, _Counts] = {}
    for root in roots:
        for move, after in _expand(game, root, 0, reach, play_move, whole):
            _count(game, after, 1, reach, play_move, parts.setdefault(move, Counter()))
    for part in parts.values():
        whole.update(part)
    return whole, parts


def _count(game: AnyGame, branch: _Branch, at: int, reach: Reach, play_move: _PlayMove, counts: _Counts) -> None:
    for _, after in _expand(game, branch, at, reach, play_move, counts):
        _count(game, after, at + 1, reach, play_move, counts)


def _expand(
    game: AnyGame, branch: _Branch, at: int, reach: Reach, play_move: _PlayMove, counts: _Counts
) -> Iterator[tuple[Move, _Branch]]:
    """Count a position, and yield the branches after each decision."""
    p, events, ways, gone = branch
    counts["nodes", at, gone] += ways
    if not is_deal_running(game, p):
        counts["leaves", at, gone] += ways
        counts["result", game.points(p), gone] += ways
        counts["end", end_of(events), gone] += ways
    elif reach.depth is None or at < reach.depth:
        moves, broken = decisions(game, p, reach.without)
        counts["forced", at, gone] += ways * (len(moves) == 1)
        for clause in broken:
            counts["refused", (at, clause), gone] += ways
        for actor, move in moves:
            for after in play_move(branch, actor if move.seat is None else move.seat, move):
                yield move, after


def _report(counts: _Counts, cards: int = 0, most: int = 0) -> Report:
    """Return the counts as a report over all orders of ``most`` of the ``cards`` cards of the pack."""
    of: defaultdict[str, Counter[Any]] = defaultdict(Counter)
    for (what, key, gone), ways in counts.items():
        of[what][key] += ways * perm(cards - gone, most - gone)
    refused: dict[int, dict[str, int]] = {}
    for (at, clause), number in sorted(of["refused"].items()):
        refused.setdefault(at, {})[clause] = number
    levels = tuple(
        Level(of["nodes"][at], of["leaves"][at], of["forced"][at], tuple(refused.get(at, {}).items()))
        for at in range(max(of["nodes"]) + 1)
    )
    won, drawn, lost = (of["end"][end] for end in ("won", "drawn", "lost"))
    return Report(levels, won, drawn, lost, tuple(sorted(of["result"].items())))


def end_of(events: list[Event]) -> str:
    """Return how the deal ended for seat 0: won, drawn, lost, or empty if the game has no winner of a deal."""
    winners = {event.seat for event in events if event.kind == "deal_won"}
    drawn = any(event.kind == "deal_drawn" for event in events)
    return "won" if 0 in winners else "lost" if winners else "drawn" if drawn else ""


class InvalidCase(ValueError):
    """Text that is no case, or a case that cannot be set up."""


class Case(NamedTuple):
    """What is counted: a game, a position of it (empty: the start), the packs, and the depth.

    ``strides`` are the steps of the stride packs, one for each deal. ``first`` is the number of cards of the pack in
    play, 0 for all. ``played`` is the number of decisions of the last deal that the fixed rule makes before the count.
    ``depth`` None goes to the end of the deal. Moves of the verbs ``without`` are not made. With ``weighted`` the
    counts are sums over every pack, of the faces ``among`` only if there are any.
    """

    rule_set: RuleSet
    position: str = ""
    strides: tuple[int, ...] = ()
    first: int = 0
    played: int = 0
    depth: int | None = None
    without: tuple[str, ...] = ()
    weighted: bool = False
    among: tuple[str, ...] = ()


def stride_pack(pack: Pack, step: int) -> Hand:
    """Return the stride pack of ``step``; raises `InvalidCase` if it does not reach all cards."""
    cards = pack.cards
    if gcd(step, len(cards)) != 1:
        raise InvalidCase(f"steps of {step} do not reach all {len(cards)} cards")
    return tuple(cards[step * place % len(cards)] for place in range(len(cards)))


def requested_cards(cards: Hand, wanted: Hand) -> Hand:
    """Return those of ``cards`` that are in ``wanted``, in their order: some games deal only part of the pack."""
    left = Counter(wanted)
    found = []
    for card in cards:
        if left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)


def lay_out(catalogue: Catalogue, case: Case) -> tuple[AnyGame, Position]:
    """Return the game, with a shortened pack if the case asks for it, and the position to count from."""
    game = catalogue.game_for(case.rule_set)
    if case.among:
        game = _with_pack(game, game.pack.without(*(set(game.pack.faces.values()) - set(game.pack.hand(case.among)))))
    if case.first:
        game = _with_pack(game, _shortened_pack(game.pack, case.first, case.strides))
    if case.strides:
        p, _ = _after_pack(catalogue, game, case._replace(played=0, depth=None, without=()))
    else:
        p = game.decode(case.position) if case.position else game.start()
    for number in range(case.played):
        if not is_deal_running(game, p):
            raise InvalidCase(f"the deal is over after {number} decisions")
        p, _ = play(game, p, *fixed_decision(game, p, number))
    return game, p


def _shortened_pack(pack: Pack, first: int, strides: tuple[int, ...]) -> Pack:
    """Return ``pack`` with only the first cards of its stride pack in play."""
    if len(strides) != 1:
        raise InvalidCase("a short pack is for a single deal")
    cards = stride_pack(pack, strides[0])[:first]
    short = pack.without(*(set(pack.cards) - set(cards)))
    if not short.holds_exactly(cards):
        raise InvalidCase(f"among the first {first} cards there is one copy of a face without the other")
    return short


def _after_pack(catalogue: Catalogue, game: AnyGame, case: Case) -> tuple[Position, int]:
    """Return the position after the last pack of a case, and the number of lots drawn until then."""
    if len(case.strides) == 1:
        p, lots = (game.decode(case.position) if case.position else game.start()), 0
    else:
        p, lots = _after_deal(catalogue, case._replace(strides=case.strides[:-1]))
    while game.turn(p) == CHANCE and (amounts := sorted(game.chance_request(p).amounts)):
        p, _ = play(game, p, CHANCE, make_move(game, game.chance_request(p).verb, amount=amounts[lots % len(amounts)]))
        lots += 1
    if game.turn(p) != CHANCE:
        raise InvalidCase("the match is finished" if game.turn(p) is None else "no pack is wanted here")
    cards = stride_pack(catalogue.game_for(case.rule_set).pack, case.strides[-1])
    request = game.chance_request(p)
    p, _ = play(game, p, CHANCE, make_move(game, request.verb, requested_cards(cards, request.cards)))
    return p, lots


@lru_cache(maxsize=4)
def _after_deal(catalogue: Catalogue, case: Case) -> tuple[Position, int]:
    """Return the position after the last deal of a case, and its lots; cached, for cases often continue each other."""
    game = catalogue.game_for(case.rule_set)
    p, lots = _after_pack(catalogue, game, case)
    number = 0
    while is_deal_running(game, p):
        p, _ = play(game, p, *fixed_decision(game, p, number))
        number += 1
    return p, lots


def _with_pack(game: AnyGame, pack: Pack) -> AnyGame:
    return cast("AnyGame", replace(cast("Any", game), pack=pack))  # the games of every family are frozen dataclasses


class NotDealtByCards(TypeError):
    """A game whose pack is dealt at once, so that no card is drawn later."""


class SumOverPacks(NamedTuple):
    """The report over all orders of the cards that can leave the pack, and that of each first decision."""

    cards: int
    orders: int
    report: Report
    parts: tuple[tuple[str, Report], ...]


def over_every_pack(game: AnyGame, position: Position, depth: int | None = None) -> SumOverPacks:
    """Count the tree below ``position`` over every pack; raises `NotDealtByCards`."""
    cards = len(_pack(game, position))
    play_move = partial(_branches_by_card, game, front=(), back=(), ways=1)
    root = _Branch(position, [])
    is_chance = game.turn(position) == CHANCE
    roots = play_move(root, CHANCE, Move(game.chance_request(position).verb)) if is_chance else [root]
    whole, parts = _count_tree(game, roots, Reach(depth), play_move)
    most = max(gone for _, _, gone in whole)
    reports = tuple(sorted((format_move(move), _report(part, cards, most)) for move, part in parts.items()))
    return SumOverPacks(most, perm(cards, most), _report(whole, cards, most), reports)


def _pack(game: AnyGame, p: Position) -> Hand:
    """Return the cards whose order is open: those requested from chance, or those left in the pack."""
    pack: Hand | None = getattr(p, "pack", None)
    if pack is None:
        raise NotDealtByCards(f"the pack of {game.key} is dealt out at once")
    return game.chance_request(p).cards if game.turn(p) == CHANCE else pack


def _branches_by_card(
    game: AnyGame, branch: _Branch, actor: Seat, move: Move, front: Hand, back: Hand, ways: int
) -> Iterator[_Branch]:
    """Play a move with ``front`` and ``back`` at the ends of the pack; branch if it draws another card."""
    rest = _pack(game, branch.p)
    for card in (*front, *back):
        rest = minus(rest, card)
    pack, events = (*front, *rest, *back), list[Event]()
    if actor == CHANCE:
        after = game.apply(branch.p, CHANCE, move._replace(cards=pack), events)
    else:
        after = game.apply(branch.p._replace(pack=pack), actor, move, events)
    left: Hand = getattr(after, "pack", ())
    gone = len(pack) - len(left)
    from_the_end = int(left != pack[gone:])
    if gone - from_the_end > len(front):
        for card, copies in Counter(rest).items():
            yield from _branches_by_card(game, branch, actor, move, (*front, card), back, ways * copies)
    elif from_the_end > len(back):
        for card, copies in Counter(rest).items():
            yield from _branches_by_card(game, branch, actor, move, front, (card,), ways * copies)
    else:
        yield _Branch(after, events, branch.ways * ways, branch.gone + gone)


COUNTS = ("orders", "level", "ends", "result", "divide")  # how the lines of a block begin that hold its counts
LEGEND = "# level: decisions made, nodes, leaves, forced, refused by clause and reason"
"""The first line of a count, which explains the columns."""


def counts(catalogue: Catalogue, case: Case) -> Iterator[str]:
    """Count a case, and give its counts line by line."""
    game, p = lay_out(catalogue, case)
    yield from (
        _every_pack(game, p, case.depth) if case.weighted else _counts(*divide(game, p, case.depth, case.without))
    )


def sums(catalogue: Catalogue, case: Case) -> Iterator[str]:
    """Count a case, and give part by part its nodes level by level and the sums of its other counts."""
    game, p = lay_out(catalogue, case)
    report = perft(game, p, case.depth, case.without)
    yield " ".join(["nodes", *(str(level.nodes) for level in report.levels)])
    yield f"leaves {report.leaves}"
    yield f"forced {report.forced}"
    if refused := _refused(report):
        yield f"refused {refused}"
    if report.leaves:
        yield _ends(report)


def _refused(report: Report) -> str:
    total: Counter[str] = Counter()
    for level in report.levels:
        total.update(dict(level.refused))
    return ",".join(f"{clause}:{count}" for clause, count in sorted(total.items()))


def _ends(report: Report) -> str:
    return f"ends won {report.won} drawn {report.drawn} lost {report.lost} results {report.digest}"


def _every_pack(game: AnyGame, p: Position, depth: int | None) -> Iterator[str]:
    """Write the sums over every pack, and each result with the number of ways in which it comes."""
    try:
        cards, orders, report, parts = over_every_pack(game, p, depth)
    except NotDealtByCards as error:
        raise InvalidCase(str(error)) from None
    except IndexError:
        raise InvalidCase("there are too few cards for a deal") from None
    yield f"orders {orders} of {cards} cards"
    yield from _counts(report, parts)
    for points, count in report.results:
        yield f"result {','.join(map(str, points))} {count}"


def _counts(report: Report, parts: tuple[tuple[str, Report], ...]) -> Iterator[str]:
    """Write the counts: a line a level, the ends of the deal, a line for each first decision."""
    rows = [(str(at), *map(str, level[:3])) for at, level in enumerate(report.levels)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, level in zip(rows, report.levels, strict=True):
        refused = ",".join(f"{clause}:{count}" for clause, count in level.refused) or "-"
        yield " ".join(["level", *(word.rjust(width) for word, width in zip(row, widths, strict=True)), refused])
    if report.leaves:
        yield _ends(report)
    for text, part in parts:
        yield f"divide {text} nodes {sum(level.nodes for level in part.levels)} leaves {part.leaves}"


def figures(line: str) -> int:
    """Count the counts in a line."""
    head, *words = line.split(" ")
    if head == "level":
        return 3 + (words[-1] != "-") * len(words[-1].split(","))
    return {"orders": 2, "ends": 4, "result": 1, "divide": 2}[head]
