"""Perft cases: what is counted, laid out without a random generator, and the text file that keeps the counts.

In the stride pack of a step k the i-th card is card (k x i) mod N of the canonical order of the N cards of the game.
A case begins at such a pack or at a position, and its file says so before it gives the counts::

    game briscola
    players 2
    edition 1
    pack stride 7 first 12
    depth all

or, instead of a pack, ``chance weighted``: then the counts are those of all packs together (`perft_chance`), and after
``among`` stand the faces that are in play.

`write_case` writes such a file, `read_case` reads it, `check` counts again and says what differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import gcd
from typing import Any, NamedTuple, cast

from chitarrella.cards import Hand, Pack
from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.game import AnyGame, Position, play
from chitarrella.notation import make_move
from chitarrella.perft import Report, divide
from chitarrella.perft_chance import NotDealtByCards, over_every_pack
from chitarrella.words import CHANCE

COUNTS = ("orders", "level", "ends", "result", "divide")
"""How the lines of a file begin that hold its counts."""


class BadCase(ValueError):
    """Text that is no case, or a case that cannot be laid out."""


class Case(NamedTuple):
    """What is counted: a game, a position of it (empty: the beginning), the pack handed in there, and how deep.

    ``stride`` is the step of the stride pack, 0 where no pack is handed in; ``first`` the number of its cards that are
    in play, 0 for all; ``depth`` None goes to the end of the deal. Moves of the verbs ``without`` are left out.
    ``weighted`` counts every pack instead, of the faces ``among`` which there are others, none for all.
    """

    agreement: Agreement
    position: str = ""
    stride: int = 0
    first: int = 0
    depth: int | None = None
    without: tuple[str, ...] = ()
    weighted: bool = False
    among: tuple[str, ...] = ()


def stride_pack(pack: Pack, step: int) -> Hand:
    """Give every ``step``-th card of ``pack``, round and round; raises `BadCase` where that misses some."""
    cards = pack.cards
    if gcd(step, len(cards)) != 1:
        raise BadCase(f"steps of {step} do not reach all {len(cards)} cards")
    return tuple(cards[step * place % len(cards)] for place in range(len(cards)))


def wanted_of(cards: Hand, wanted: Hand) -> Hand:
    """Give those of ``cards`` that are wanted, in their order: half a pack, or a pack without some card."""
    left = Counter(wanted)
    found = []
    for card in cards:
        if left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)


def lay_out(catalogue: Catalogue, case: Case) -> tuple[AnyGame, Position]:
    """Give the game, with a short pack where only the first cards are in play, and the position to count from."""
    game = catalogue.seat(case.agreement)
    if case.among:
        game = _with(game, game.pack.without(*(set(game.pack.faces) - set(game.pack.hand(case.among)))))
    cards = stride_pack(game.pack, case.stride) if case.stride else ()
    if case.first:
        cards = cards[: case.first]
        short = game.pack.without(*(set(game.pack.cards) - set(cards)))
        if not short.holds_exactly(cards):
            raise BadCase(f"among the first {case.first} cards there is one copy of a face without the other")
        game = _with(game, short)
    p = game.read(case.position) if case.position else game.start()
    if cards:
        wanted = game.chance(p) if game.turn(p) == CHANCE else None
        if wanted is None or not wanted.cards:
            raise BadCase("no pack is wanted here; who deals first must be agreed, not drawn")
        p, _ = play(game, p, CHANCE, make_move(game, wanted.verb, wanted_of(cards, wanted.cards)))
    return game, p


def _with(game: AnyGame, pack: Pack) -> AnyGame:
    """Give the game with a shorter pack."""
    return cast("AnyGame", replace(cast("Any", game), pack=pack))  # the games of every family are frozen dataclasses


def write_case(catalogue: Catalogue, case: Case, note: str = "") -> str:
    """Count a case and put it into text, after a ``note`` on what it is."""
    agreement = catalogue.settle(case.agreement)
    game, p = lay_out(catalogue, case)
    lines = [f"# {line}" for line in note.splitlines()]
    lines += [f"game {agreement.game}", f"players {agreement.players}", f"edition {agreement.edition}"]
    lines += [f"option {name} {value}" for name, value in agreement.options]
    lines += [f"position {case.position}"] * bool(case.position)
    lines += [f"pack stride {case.stride}" + f" first {case.first}" * bool(case.first)] * bool(case.stride)
    lines += [f"without {' '.join(case.without)}"] * bool(case.without)
    lines += [" ".join(["chance weighted", *(("among", *case.among) if case.among else ())])] * case.weighted
    lines += [f"depth {'all' if case.depth is None else case.depth}", ""]
    counts = _sums(game, p, case.depth) if case.weighted else _counts(*divide(game, p, case.depth, case.without))
    return "\n".join([*lines, *counts]) + "\n"


def _sums(game: AnyGame, p: Position, depth: int | None) -> Iterator[str]:
    """Write the sums over every pack, and each result with the number of ways in which it comes."""
    try:
        cards, orders, report, parts = over_every_pack(game, p, depth)
    except NotDealtByCards as error:
        raise BadCase(str(error)) from None
    except IndexError:
        raise BadCase("there are too few cards for a deal") from None
    yield f"orders {orders} of {cards} cards"
    yield from _counts(report, parts)
    for points, count in report.results:
        yield f"result {','.join(map(str, points))} {count}"


def _counts(report: Report, parts: tuple[tuple[str, Report], ...]) -> Iterator[str]:
    """Write the counts: a line a level, the ends of the deal, a line for each first decision."""
    yield f"# {'level':>7} {'nodes':>9} {'leaves':>9} {'forced':>9}  refused"
    for at, level in enumerate(report.levels):
        refused = ",".join(f"{code}:{count}" for code, count in level.refused) or "-"
        yield f"level {at:>3} {level.nodes:>9} {level.leaves:>9} {level.forced:>9}  {refused}"
    if report.leaves:
        yield f"ends won {report.won} drawn {report.drawn} lost {report.lost} results {report.digest}"
    for text, part in parts:
        yield f"divide {text} nodes {sum(level.nodes for level in part.levels)} leaves {part.leaves}"


def read_case(text: str) -> Case:
    """Read the case out of such a text, without its counts; raises `BadCase`."""
    said: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    for line in _lines(text):
        head, _, rest = line.partition(" ")
        if head == "option":
            name, _, value = rest.partition(" ")
            options.append((name, value))
        elif head not in COUNTS:
            said[head] = rest
    try:
        stride, first = _pack(said.pop("pack", ""))
        weighted, among = _chance(said.pop("chance", ""))
        if stride and weighted:
            raise ValueError("a pack, or every pack")
        depth = said.pop("depth", "all")
        agreement = Agreement(
            said.pop("game"), int(said.pop("players")), tuple(sorted(options)), int(said.pop("edition"))
        )
        deepest, without = None if depth == "all" else int(depth), tuple(said.pop("without", "").split())
        position = said.pop("position", "")
        case = Case(agreement, position, stride, first, deepest, without, weighted, among)
    except (KeyError, ValueError) as error:
        raise BadCase(f"a heading is missing or wrong: {error}") from None
    if said:
        raise BadCase(f"there is no heading {next(iter(said))!r}")
    return case


def _lines(text: str) -> list[str]:
    """Give the lines that say something, with single blanks."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _pack(text: str) -> tuple[int, int]:
    """Read ``stride 7 first 12``."""
    words = text.split()
    if words[::2] not in ([], ["stride"], ["stride", "first"]) or len(words) % 2:
        raise ValueError(text)
    stride, first = (*map(int, words[1::2]), 0, 0)[:2]
    return stride, first


def _chance(text: str) -> tuple[bool, tuple[str, ...]]:
    """Read ``weighted among II NUL XIII``."""
    words = text.split()
    if words[:1] not in ([], ["weighted"]) or words[1:2] not in ([], ["among"]) or len(words) == 2:
        raise ValueError(text)
    return bool(words), tuple(words[2:])


def check(catalogue: Catalogue, text: str) -> list[str]:
    """Count the case of ``text`` again and say where its counts differ; nothing where they are right."""
    written = [line for line in _lines(text) if line.split()[0] in COUNTS]
    counted = [line for line in _lines(write_case(catalogue, read_case(text))) if line.split()[0] in COUNTS]
    missing = [f"written but not counted: {line}" for line in written if line not in counted]
    return missing + [f"counted but not written: {line}" for line in counted if line not in written]
