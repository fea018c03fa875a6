"""Callers of a running service, over each transport, a match with all its keys, and distributions with games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import copy
from pathlib import Path
from random import Random
from typing import Any, Final

from chitarrella import v1
from chitarrella.api.dispatcher import rpcs
from tests.transports.all_transports import Transport

REQUESTS: Final = {rpc.method.name: rpc.request for rpc in rpcs()}
SHORT: Final[Mapping[str, str]] = {"target": "11"}  # the options of a short match of each example


class PlayedMatch:
    """A match that was created over a transport, and is played with the key of each seat."""

    def __init__(
        self, over: Transport, game: str, players: int = 0, options: Mapping[str, str] = SHORT, **more: Any
    ) -> None:
        """Create it; ``more`` are fields of the request."""
        self._over, self._rng = over, Random(game)
        rule_set = v1.RuleSet(game_id=game, players=players, options=options)
        self.created: v1.CreatedMatch = over("CreateMatch", v1.CreateMatchRequest(rule_set=rule_set, **more))
        self.match_id, self.referee = self.created.match.match_id, self.created.referee_key
        self.keys = {one.seat: one.key for one in self.created.seat_keys}

    def through(self, over: Transport) -> PlayedMatch:
        other = copy(self)
        other._over = over
        return other

    def ask(self, rpc: str, key: str = "", **fields: Any) -> Any:
        return self._over(rpc, REQUESTS[rpc](match_id=self.match_id, **fields), key)

    def state(self, key: str = "") -> v1.Match:
        """The match as the holder of a key sees it, by default the referee."""
        found: v1.Match = self.ask("GetMatch", key or self.referee)
        return found

    def play(self, most: int = 1000) -> Iterator[v1.Match]:
        """Play random legal moves; yields the state before each, and the one after the last."""
        for made in range(most + 1):
            state = self.state()
            yield state
            if made == most or state.view.waiting != v1.WAITING_SEAT:
                return
            key = self.keys[state.view.turn]
            move = self._rng.choice(self.ask("ListMatchMoves", key).moves)
            played = self.ask("PlayMove", key, move=move, expected_revision=state.revision)
            assert played.accepted, played


GAME = """
from dataclasses import replace
from pathlib import Path
from chitarrella.core.model import Clause
from chitarrella.core.options import RuleBook
from chitarrella.games.briscolone import BRISCOLONE
BOOK = RuleBook((Clause("{clause}", "{text}", "ruling"),), dict.fromkeys(BRISCOLONE.book.citations, "{clause}"))
GAMES = (
    replace(
        BRISCOLONE, key="{key}", title="{key}", book=BOOK,
    ),
)
LOCALE = Path(__file__).parent / "locale_{key}"
"""


def variant(key: str, clause: str = "", text: str = "Any card may be played.") -> str:
    """The module of a game that is Briscolone under another key, with one clause."""
    return GAME.format(key=key, clause=clause or f"{key.upper()}-1", text=text)


def distribute(folder: Path, name: str, code: str, version: str = "1.0") -> None:
    """Install a distribution with one module, which an entry point names."""
    module = re.sub("[-.]", "_", name).lower()
    (folder / f"{module}.py").write_text(code)
    info = folder / f"{module}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[chitarrella.games]\n{module} = {module}\n")
