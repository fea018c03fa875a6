"""Perft files: cases as text, each with its counts.

A file says what is counted before it gives the counts::

    game briscola
    players 2
    edition 1
    pack stride 7 first 12
    depth all

or, instead of a pack, ``chance weighted``: then the counts are those of all packs together (`perft_chance`), and after
``among`` stand the faces that are in play. Where a line ``case NAME`` follows, a file holds several cases: what stands
before the first of these lines is said for all of them.

`write_case` and `write_cases` write such files, `read_cases` reads one, `check` counts again and says what differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.game import AnyGame, Position
from chitarrella.perft import Report, divide
from chitarrella.perft_case import BadCase, Case, lay_out
from chitarrella.perft_chance import NotDealtByCards, over_every_pack

COUNTS = ("orders", "level", "ends", "result", "divide")
"""How the lines of a file begin that hold its counts."""
CASE = "case"
LEGEND = "# level: decisions made, nodes, leaves, forced, refused by clause and reason"


class Written(NamedTuple):
    """A case as it stands in a file: its name, what it counts, and the lines of its counts."""

    name: str
    case: Case
    lines: tuple[str, ...]

    @property
    def figures(self) -> int:
        """The number of its counts: of every number, and every digest, that is counted again."""
        return sum(map(_figures, self.lines))


# ---------------------------------------------------------------------- writing


def write_case(catalogue: Catalogue, case: Case, note: str = "") -> str:
    """Count a case and put it into text, after a ``note`` on what it is."""
    head = [*_note(note), LEGEND, *_agreed(catalogue, case), *_laid(case)]
    return "\n".join([*head, "", *counts(catalogue, case)]) + "\n"


def write_cases(catalogue: Catalogue, cases: Iterable[tuple[str, Case]], note: str = "") -> str:
    """Count cases of one rule set, each with its name, and put them into one text."""
    blocks = []
    head: list[str] = []
    for name, case in cases:
        agreed = [*_note(note), LEGEND, *_agreed(catalogue, case)]
        if head not in ([], agreed):
            raise BadCase("the cases of a file are of one rule set")
        head = agreed
        blocks.append("\n".join([f"{CASE} {name}", *_laid(case), *counts(catalogue, case)]) + "\n")
    return "\n".join(["\n".join(head) + "\n", *blocks])


def _note(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]


def _agreed(catalogue: Catalogue, case: Case) -> list[str]:
    """Say what is played."""
    agreement = catalogue.settle(case.agreement)
    lines = [f"game {agreement.game}", f"players {agreement.players}", f"edition {agreement.edition}"]
    return lines + [f"option {name} {value}" for name, value in agreement.options]


def _laid(case: Case) -> list[str]:
    """Say where the count begins, and how far it goes."""
    lines = [f"position {case.position}"] * bool(case.position)
    steps = " ".join(map(str, case.strides))
    lines += [f"pack stride {steps}" + f" first {case.first}" * bool(case.first)] * bool(steps)
    lines += [f"played {case.played}"] * bool(case.played)
    lines += [f"without {' '.join(case.without)}"] * bool(case.without)
    lines += [" ".join(["chance weighted", *(("among", *case.among) if case.among else ())])] * case.weighted
    return [*lines, f"depth {'all' if case.depth is None else case.depth}"]


def counts(catalogue: Catalogue, case: Case) -> Iterator[str]:
    """Count a case, and give its counts line by line."""
    game, p = lay_out(catalogue, case)
    yield from _sums(game, p, case.depth) if case.weighted else _counts(*divide(game, p, case.depth, case.without))


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
    rows = [(str(at), *map(str, level[:3])) for at, level in enumerate(report.levels)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, level in zip(rows, report.levels, strict=True):
        refused = ",".join(f"{clause}:{count}" for clause, count in level.refused) or "-"
        yield " ".join(["level", *(word.rjust(width) for word, width in zip(row, widths, strict=True)), refused])
    if report.leaves:
        yield f"ends won {report.won} drawn {report.drawn} lost {report.lost} results {report.digest}"
    for text, part in parts:
        yield f"divide {text} nodes {sum(level.nodes for level in part.levels)} leaves {part.leaves}"


# ---------------------------------------------------------------------- reading


def read_cases(text: str) -> list[Written]:
    """Read all cases of a text with the counts that it gives; raises `BadCase`."""
    common, *blocks = _blocks(text)
    if not blocks:
        return [_written("", common)]
    if any(line.split()[0] in COUNTS for line in common):
        raise BadCase("there are counts before the first case")
    return [_written(block[0].partition(" ")[2], [*common, *block[1:]]) for block in blocks]


def read_case(text: str) -> Case:
    """Read the case of a text that holds a single one, without its counts; raises `BadCase`."""
    (written, *others) = read_cases(text)
    if others:
        raise BadCase("there are several cases")
    return written.case


def _blocks(text: str) -> list[list[str]]:
    """Give the lines that say something, with single blanks; a new block begins with each case."""
    blocks: list[list[str]] = [[]]
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if line.split(" ", 1)[0] == CASE:
            blocks.append([line])
        elif line and not line.startswith("#"):
            blocks[-1].append(line)
    return blocks


def _written(name: str, lines: list[str]) -> Written:
    said: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    for line in lines:
        head, _, rest = line.partition(" ")
        if head == "option":
            option, _, value = rest.partition(" ")
            options.append((option, value))
        elif head not in COUNTS:
            said[head] = rest
    try:
        case = _case(said, options)
    except (KeyError, ValueError) as error:
        raise BadCase(f"a heading is missing or wrong: {error}") from None
    if said:
        raise BadCase(f"there is no heading {next(iter(said))!r}")
    return Written(name, case, tuple(line for line in lines if line.split(" ", 1)[0] in COUNTS))


def _case(said: dict[str, str], options: list[tuple[str, str]]) -> Case:
    """Make a case of its headings, and take away those that were understood."""
    strides, first = _pack(said.pop("pack", ""))
    weighted, among = _chance(said.pop("chance", ""))
    if strides and weighted:
        raise ValueError("a pack, or every pack")
    depth = said.pop("depth", "all")
    return Case(
        Agreement(said.pop("game"), int(said.pop("players")), tuple(sorted(options)), int(said.pop("edition"))),
        said.pop("position", ""),
        strides,
        first,
        int(said.pop("played", "0")),
        None if depth == "all" else int(depth),
        tuple(said.pop("without", "").split()),
        weighted,
        among,
    )


def _pack(text: str) -> tuple[tuple[int, ...], int]:
    """Read ``stride 7 9 11`` or ``stride 7 first 12``."""
    if not text:
        return (), 0
    steps, _, first = text.partition(" first ")
    word, *numbers = steps.split()
    if word != "stride" or not numbers or (" first" in text and not first):
        raise ValueError(text)
    return tuple(map(int, numbers)), int(first or "0")


def _chance(text: str) -> tuple[bool, tuple[str, ...]]:
    """Read ``weighted among II NUL XIII``."""
    words = text.split()
    if words[:1] not in ([], ["weighted"]) or words[1:2] not in ([], ["among"]) or len(words) == 2:
        raise ValueError(text)
    return bool(words), tuple(words[2:])


# ---------------------------------------------------------------------- checking


def check(catalogue: Catalogue, written: Written) -> list[str]:
    """Count a case again and say where its counts differ; nothing where they are right."""
    counted = Counter(" ".join(line.split()) for line in counts(catalogue, written.case) if not line.startswith("#"))
    said = Counter(written.lines)
    missing = [f"written but not counted: {line}" for line in said - counted]
    return missing + [f"counted but not written: {line}" for line in counted - said]


def _figures(line: str) -> int:
    """Count the counts in a line."""
    head, *words = line.split(" ")
    if head == "level":
        return 3 + (words[-1] != "-") * len(words[-1].split(","))
    return {"orders": 2, "ends": 4, "result": 1, "divide": 2}[head]
