"""Other engines, played at random in the same process: OpenSpiel through its Python API, and RLCard's Bridge.

Both have no types; they are imported by name, because they are no part of an ordinary installation.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from random import Random
from typing import Any

from tests.bench.play import Player

HEARTS = "OpenSpiel hearts"
BRIDGE = "RLCard bridge"


class OpenSpiel:
    """A game of OpenSpiel, whose engine is written in C++, used as its own example does; cards are dealt one by one."""

    def __init__(self, key: str) -> None:
        """Load it."""
        self.name = f"OpenSpiel {key}"
        self._game: Any = import_module("pyspiel").load_game(key)
        self._choose = Random(key).choice

    def deal(self) -> Any:
        """Give a game in which the cards are dealt."""
        state, choose = self._game.new_initial_state(), self._choose
        while state.is_chance_node():
            state.apply_action(choose(state.legal_actions()))
        return state

    def play(self, deal: Any) -> int:
        """Play it: ask what is legal, choose, apply; OpenSpiel does not judge."""
        moves, state, choose = 0, deal, self._choose
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions(state.current_player())))
            moves += 1
        return moves


class Bridge:
    """RLCard's Bridge, through its environment, which is how RLCard is used."""

    name = BRIDGE

    def __init__(self) -> None:
        """Load it."""
        self._table: Any = import_module("rlcard").make("bridge")
        self._choose = Random("bridge").choice

    def deal(self) -> Any:
        """Give what the first seat sees of a new deal."""
        state, _ = self._table.reset()
        return state

    def play(self, deal: Any) -> int:
        """Play it, the bidding too."""
        moves, state, table, choose = 0, deal, self._table, self._choose
        while not table.is_over():
            state, _ = table.step(choose(list(state["legal_actions"])))
            moves += 1
        return moves


def peers() -> list[Player]:
    """Load the other engines."""
    return [OpenSpiel("hearts"), OpenSpiel("spades"), Bridge()]


def versions() -> str:
    """Name them with their versions."""
    return f"OpenSpiel {version('open-spiel')}, RLCard {version('rlcard')}"
