"""The strength of the bots as the page of proofs plots it: how often one was ahead of another, with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

RESULT: Final = Path(__file__).with_name("strength.json")
"""The results of ``chitarrella strength``, which ``make strength`` writes."""


class StrengthRow(NamedTuple):
    """Two bots at one game, in percent: how often the first was ahead, and the ends of the interval of 95 %."""

    game: str
    players: int
    bots: tuple[str, str]
    deals: int
    ahead: float
    low: float
    high: float
    points: str


class Strength(NamedTuple):
    """Two bots, the command that repeats their result, and its rows, the clearest advantage first."""

    bots: tuple[str, str]
    command: str
    rows: tuple[StrengthRow, ...]


def strengths() -> tuple[Strength, ...]:
    """Read the results."""
    return tuple(map(_strength, orjson.loads(RESULT.read_bytes())))


def _strength(result: dict[str, Any]) -> Strength:
    rows = sorted(map(_row, result["pairs"]), key=lambda row: (-row.ahead, row.game))
    return Strength(rows[0].bots, result["command"], tuple(rows))


def _row(pair: dict[str, Any]) -> StrengthRow:
    mean, within = 100 * pair["ahead"]["mean"], 100 * (pair["ahead"]["within"] or 0)
    points = f"{pair['points']['mean']:+.2f} ± {pair['points']['within'] or 0:.2f}"
    low, high = max(0.0, mean - within), min(100.0, mean + within)
    return StrengthRow(pair["game"], pair["players"], tuple(pair["bots"]), pair["deals"], mean, low, high, points)
