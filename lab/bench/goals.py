"""The goals of a run: what was measured, and what it should be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lab.bench.boardgame import Beside
from lab.bench.http_watchers import HttpWatched
from lab.bench.measured_calls import (
    BATCHED,
    CONNECT_PLAY,
    CONNECT_VALIDATE,
    GRANIAN_SCRIPT,
    PIPELINED,
    PLAIN,
    PLAY,
    REST_PLAY,
    REST_SCRIPT,
    SCRIPT,
    VALIDATE,
)
from lab.bench.play import Group
from lab.bench.results import Playing, Results
from lab.bench.round_statistics import Measured, of_rounds
from lab.bench.service import Row
from lab.bench.watching import WATCHERS, Watched

IN_FLIGHT = 16
"""The calls in flight of the goals: enough to keep one worker busy."""
RATIO = "x"
COMPARED = (RATIO, " bytes")
"""The units of figures that do not depend on the hour, so that they can be compared with those of an earlier run."""


class Goal(NamedTuple):
    """A figure that should be at least, or at most, ``goal``, and if possible ``beyond``; it may have no goal.

    ``key`` names it in the history. ``missing`` is why it was not measured.
    """

    key: str
    what: str
    seen: Measured
    goal: float | None = None
    beyond: float | None = None
    unit: str = RATIO
    at_least: bool = False
    missing: str = ""

    @property
    def mark(self) -> str:
        """Whether the goal was reached, or by how much it was missed."""
        if self.missing:
            return self.missing
        if self.goal is None:
            return ""
        if self.beyond is not None and self._reaches(self.beyond):
            return "beyond"
        if self._reaches(self.goal):
            return "reached"
        return f"**short by {abs(self.seen.median / self.goal - 1):.0%}**"

    def _reaches(self, aim: float) -> bool:
        seen = round(self.seen.median, 2)
        return seen >= aim if self.at_least else seen <= aim

    @property
    def is_compared(self) -> bool:
        """Whether the figure can be compared with that of an earlier run."""
        return self.unit in COMPARED and not self.missing


def goals(found: Results) -> list[Goal]:
    """Compare the results with the goals."""
    return [
        *_playing(found.playing),
        *_calls(found.grpc),
        *_half_loaded(found.half),
        *_rest(found.rest),
        *_boardgame(found.boardgame),
        *_watching(found.watching),
        *_http_watching(found.http_watching),
        *_sizes(found),
        *_start(found),
        *_growth(found),
    ]


PLAY_GOALS = {Group.PLAIN: 0.35, Group.SIDE_ACTIONS: 0.25, Group.HARJAN: 0.12, Group.EXCHANGE: 0.15}
"""Whole deals of random play beside OpenSpiel's hearts; beyond is twice that."""


def _playing(playing: Sequence[Playing]) -> Iterator[Goal]:
    for group, aim in PLAY_GOALS.items():
        if ours := [one for one in playing if one.group is group]:
            slowest = min(ours, key=lambda one: one.beside_hearts.median)
            what = f"random play, {group.value}, slowest table ({slowest.name}), beside OpenSpiel's Python API, hearts"
            yield Goal(
                f"play {group.name.lower().replace('_', ' ')}", what, slowest.beside_hearts, aim, 2 * aim, at_least=True
            )
    of_tricks = [one for one in playing if one.group not in (None, Group.EXCHANGE)]
    if of_tricks:
        slowest = min(of_tricks, key=lambda one: one.beside_bridge.median)
        what = f"random play, slowest table of tricks ({slowest.name}), beside RLCard's Bridge"
        yield Goal("play beside rlcard", what, slowest.beside_bridge, 4, 10, at_least=True)
        notation = max((one.notation for one in of_tricks if one.notation), key=lambda one: one.median)
        yield Goal("notation", "a move from notation to notation, slowest table of tricks", notation, 40, 5, " us")


def _row(rows: Sequence[Row], name: str, baseline: str = "", lanes: int = IN_FLIGHT) -> Row:
    return next(row for row in rows if (row.name, row.baseline, row.lanes) == (name, baseline, lanes))


def _cpu(rows: Sequence[Row], name: str, baseline: str) -> Measured:
    ratio = _row(rows, name, baseline).ratio
    assert ratio is not None
    return ratio.cpu


def _calls(rows: Sequence[Row]) -> Iterator[Goal]:
    if not rows:
        return
    busy = f"CPU, {IN_FLIGHT} in flight, beside"
    for key, name, baseline, goal, beyond in (
        ("play cpu", PLAY, SCRIPT, 0.95, 0.8),
        ("play cpu pipelined", PLAY, PIPELINED, 1.6, 1.4),
        ("connect play cpu", CONNECT_PLAY, SCRIPT, 0.45, 0.36),
        ("validate cpu", VALIDATE, PLAIN, 1.5, 1.2),
        ("connect validate cpu", CONNECT_VALIDATE, PLAIN, 0.85, 0.7),
    ):
        yield Goal(key, f"{name}, {busy} {baseline} over gRPC", _cpu(rows, name, baseline), goal, beyond)
    batch = _row(rows, BATCHED).items_a_second
    what = "moves validated in batches of 100, a second"
    yield Goal("batch", what, Measured(batch), 50_000, 100_000, "/s", at_least=True)


def _half_loaded(rows: Sequence[Row]) -> Iterator[Goal]:
    for row in rows:
        if row.ratio is not None:
            what = f"{row.name} at half its highest load, p99 beside {row.baseline}, median of rounds"
            aims = (1.5, 1.2) if row.baseline == SCRIPT else (None, None)
            yield Goal(f"half p99 {row.baseline}", what, row.ratio.p99, *aims)


def _rest(rows: Sequence[Row]) -> Iterator[Goal]:
    if rows:
        busy = f"REST PlayMove, CPU, {IN_FLIGHT} in flight, beside"
        yield Goal("rest play cpu", f"{busy} {REST_SCRIPT}", _cpu(rows, REST_PLAY, REST_SCRIPT), 1.4, 1.2)
        yield Goal("rest play cpu granian", f"{busy} {GRANIAN_SCRIPT}", _cpu(rows, REST_PLAY, GRANIAN_SCRIPT))


def _boardgame(beside: Beside | None) -> Iterator[Goal]:
    if beside is None:
        return
    for key, name, goal, beyond in (("connect", CONNECT_PLAY, 3.0, 4.0), ("grpc", PLAY, None, None)):
        seen = next((one.beside for one in beside.servers if one.name == name), Measured(0))
        what = f"{name}, moves a second of {IN_FLIGHT} matches, beside boardgame.io's server"
        yield Goal(f"{key} beside boardgame.io", what, seen, goal, beyond, at_least=True, missing=beside.missing)


def _watching(watching: Sequence[Watched]) -> Iterator[Goal]:
    if not watching:
        return
    one = watching[0]
    who = f"{WATCHERS:,} watchers of a match at one worker"
    yield Goal("watch last", f"{who}, a move to the last of them, beside a bare fan-out", one.ratio.last, 1.5, 1.15)
    yield Goal("watch cpu", "the same, CPU a message", one.ratio.cpu, 1.5, 1.15)
    yield Goal("watch memory", "the same, memory a watcher", Measured(one.size / one.baseline_size), 1.3, 1.05)
    yield Goal("watch lines", "the same, connections on which the store publishes", Measured(one.lines), 1, 1, "")


def _http_watching(watching: Sequence[HttpWatched]) -> Iterator[Goal]:
    for one in watching:
        what = f"{one.transport} PlayMove while {one.watchers:,} watch over HTTP"
        yield Goal(f"http watch {one.transport.lower()}", f"{what}, p50 beside none", one.ratio.p50)
        yield Goal(f"http watch p99 {one.transport.lower()}", f"{what}, p99 beside none", one.ratio.p99, 2.0, 1.5)


def _sizes(found: Results) -> Iterator[Goal]:
    if found.sizes:
        size = max(one.whole for one in found.sizes if one.moves == 40)
        yield Goal("bytes", "a live match of 40 moves", Measured(size), 6_000, 2_000, " bytes")


def _start(found: Results) -> Iterator[Goal]:
    if found.start is not None:
        what = "`serve`, start to first answer"
        yield Goal("start", f"{what}, beside a bare grpc.aio server with a store", found.start.ratio, 5, 3.5)
        yield Goal("start seconds", what, found.start.service, unit=" s")


def _growth(found: Results) -> Iterator[Goal]:
    if found.early_and_late is not None:
        early, late = found.early_and_late
        yield Goal(
            "rules growth", "a move of the rules, at move 1,000 beside move 10", of_rounds([late / early]), 1.2, 1.05
        )
    for key, (what, first, then) in zip(("match growth", "store growth"), found.stored, strict=False):
        yield Goal(key, f"a kept move, {what}", Measured(then.whole / first.whole), 1.2, 1.05)
    for grown in found.grown:
        yield Goal(f"grown {grown.key}", grown.what, grown.ratio, 1.3 if grown.has_goal else None)
