"""Perft counts as lines of text: all counts of every level, or the nodes by level and the sums of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame, Position
from chitarrella.perft.all_deals import NotDealtByCards, over_every_pack
from chitarrella.perft.case import Case, InvalidCase, lay_out
from chitarrella.perft.count import Report, divide, perft

COUNTS = ("orders", "level", "ends", "result", "divide")
"""How the lines of a block begin that hold its counts."""
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
    """Add up the refusals of all levels."""
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
    if head in ("nodes", "refused"):
        return len(line.replace(",", " ").split(" ")) - 1
    return {"orders": 2, "ends": 4, "result": 1, "divide": 2, "leaves": 1, "forced": 1}[head]
