"""Everything that a run measured; a part that was left out is empty or None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lab.bench.boardgame import Beside
from lab.bench.growth import Grown
from lab.bench.http_watchers import HttpWatched
from lab.bench.play import Group
from lab.bench.round_statistics import Measured
from lab.bench.saturation import Saturated
from lab.bench.service import Row
from lab.bench.start import Start
from lab.bench.store import Cost, Size
from lab.bench.watching import Watched


class Playing(NamedTuple):
    """Random play of a table of ours, or of another engine, whose group is None.

    Moves a second of whole deals and of the play alone; whole deals beside two other engines; microseconds of a move
    from notation to notation.
    """

    name: str
    group: Group | None
    whole: float
    bare: float
    beside_hearts: Measured
    beside_bridge: Measured
    notation: Measured | None = None


class Results(NamedTuple):
    """All results."""

    playing: Sequence[Playing] = ()
    early_and_late: tuple[float, float] | None = None
    grpc: Sequence[Row] = ()
    half: Sequence[Row] = ()
    rest: Sequence[Row] = ()
    boardgame: Beside | None = None
    watching: Sequence[Watched] = ()
    http_watching: Sequence[HttpWatched] = ()
    sizes: Sequence[Size] = ()
    stored: Sequence[tuple[str, Cost, Cost]] = ()
    start: Start | None = None
    grown: Sequence[Grown] = ()
    saturated: Sequence[Saturated] = ()
