"""Other engines that play at random in the same process: OpenSpiel through its Python API, and RLCard's Bridge.

They have no types, and are imported by name because an ordinary installation does not have them.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from random import Random
from typing import Any

from lab.bench.play import Dealer, Player

HEARTS = "OpenSpiel hearts"
BRIDGE = "RLCard bridge"


class OpenSpiel(Dealer):
    """A game of OpenSpiel, an engine in C++, used as in its own example; cards are dealt one by one."""

    def __init__(self, key: str) -> None:
        """Load the game."""
        self.name = f"OpenSpiel {key}"
        self._game: Any = import_module("pyspiel").load_game(key)
        self._choose = Random(key).choice

    def deal(self) -> Any:
        """Return a game after the deal."""
        state, choose = self._game.new_initial_state(), self._choose
        while state.is_chance_node():
            state.apply_action(choose(state.legal_actions()))
        return state

    def play(self, deal: Any) -> int:
        """Play a deal: list the legal actions, choose, apply. OpenSpiel does not validate."""
        moves, state, choose = 0, deal, self._choose
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions(state.current_player())))
            moves += 1
        return moves


class Bridge(Dealer):
    """RLCard's Bridge, through its environment, which is how RLCard is used."""

    name = BRIDGE

    def __init__(self) -> None:
        """Load the environment."""
        self._table: Any = import_module("rlcard").make("bridge")
        self._choose = Random("bridge").choice

    def deal(self) -> Any:
        """Return what the first seat sees of a new deal."""
        state, _ = self._table.reset()
        return state

    def play(self, deal: Any) -> int:
        """Play a deal, with the bidding."""
        moves, state, table, choose = 0, deal, self._table, self._choose
        while not table.is_over():
            state, _ = table.step(choose(list(state["legal_actions"])))
            moves += 1
        return moves


def peers() -> list[Player]:
    """The other engines."""
    return [OpenSpiel("hearts"), OpenSpiel("spades"), Bridge()]


def versions() -> str:
    """The other engines with their versions."""
    return f"OpenSpiel {version('open-spiel')}, RLCard {version('rlcard')}"
