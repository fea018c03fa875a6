"""Random play through the rules, and the cost of a single move: from notation to notation, early and late in a match.

Measured in one thread, in CPU time.
"""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from importlib import import_module
from importlib.metadata import version
from itertools import cycle, islice
from random import Random
from statistics import median
from time import thread_time
from typing import Any, NamedTuple, Protocol

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, legal_moves, play
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.tricks.game import TrickGame
from lab.bench.connections import rounds_within
from tests import walks
from tests.walks import CATALOGUE, shuffled


class Speed(NamedTuple):
    """Speed of random play: moves a second of whole deals, and without the dealing."""

    whole: float
    bare: float


class Player(Protocol):
    """An engine that plays itself at random."""

    @property
    def name(self) -> str:
        """The name in the report."""

    def speed(self, seconds: float) -> Speed:
        """Measure it for ``seconds``."""


class Dealer(ABC):
    """An engine of this process."""

    @abstractmethod
    def deal(self) -> object:
        """Return a deal that is ready to be played."""

    @abstractmethod
    def play(self, deal: Any) -> int:
        """Play a deal to its end with random legal choices; return the number of moves."""

    def speed(self, seconds: float) -> Speed:
        """Measure whole deals for ``seconds``."""
        moves, dealing, playing = 0, 0.0, 0.0
        while dealing + playing < seconds:
            begun = thread_time()
            deal = self.deal()
            dealt = thread_time()
            moves += self.play(deal)
            ended = thread_time()
            dealing, playing = dealing + dealt - begun, playing + ended - dealt
        return Speed(moves / (dealing + playing), moves / playing)


def interleaved(
    players: Sequence[Player], rounds: int, seconds: float, done: Callable[[str], None]
) -> list[list[Speed]]:
    """Measure all players in turn for several rounds; return the results of each player by round."""
    for player in players:
        player.speed(seconds / 10)
    seen: list[list[Speed]] = [[] for _ in players]
    for _ in rounds_within(rounds, rounds * seconds * len(players)):
        for place, player in enumerate(players):
            seen[place].append(player.speed(seconds))
            done(player.name)
    return seen


# ---------------------------------------------------------------------- our tables


class Group(Enum):
    """Tables that are measured against one goal."""

    PLAIN = "plain trick games"
    SIDE_ACTIONS = "trick games with an auction or side actions"
    HARJAN = "Harjan"
    EXCHANGE = "Cucù and Lu Stù"


SIDE_ACTIONS = {
    "bisca-brazil",
    "bisca-guyana",
    "briscola-chiamata",
    "coteccio",
    "cuccu-a-trionfo",
    "madrasso",
    "zifuli",
}
"""Games of tricks whose seats bid, cut, rob, claim or annul besides playing cards."""
SIGNALS = {"brisca", "briscola"}
"""Games whose partners signal: four players do more than play cards."""


class CatalogueGame(Dealer):
    """A rule set of the catalogue."""

    def __init__(self, rule_set: RuleSet) -> None:
        """Configure the game."""
        self.name = f"{rule_set.game}, {rule_set.players} players"
        self.rule_set = rule_set
        self.game: AnyGame = CATALOGUE.game_for(rule_set)
        self._rng = Random(self.name)
        self._moves = self.moves()

    @property
    def group(self) -> Group:
        """The goal that its speed is held against."""
        key, players = self.rule_set.game, self.rule_set.players
        if not isinstance(self.game, TrickGame):
            return Group.EXCHANGE
        if key == "harjan":
            return Group.HARJAN
        return Group.SIDE_ACTIONS if key in SIDE_ACTIONS or (key in SIGNALS and players == 4) else Group.PLAIN

    def deal(self) -> Any:
        """Return a match after its first deal."""
        p = self.game.start()
        while self.game.turn(p) == CHANCE:
            p, _ = play(self.game, p, CHANCE, shuffled(self.game, p, self._rng))
        return p

    def play(self, deal: Any) -> int:
        """Play one deal: list the legal moves, choose, validate and apply."""
        game, p, moves, choose = self.game, deal, 0, self._rng.choice
        turn, controller = game.turn, game.controller
        while (seat := turn(p)) is not None and seat != CHANCE:
            actor = controller(seat)
            p, _ = play(game, p, actor, choose(legal_moves(game, p, actor)))
            moves += 1
        return moves

    def notation(self, positions: int) -> float:
        """Measure the microseconds to decode a position, validate and apply a move, and encode the result."""
        game = self.game
        lines = [(game.encode(p), actor, move) for p, actor, move in islice(self._moves, positions)]
        gc.collect()  # not in the middle of the short measurement
        begun = thread_time()
        for line, actor, move in lines:
            p, _ = play(game, game.decode(line), actor, move)
            game.encode(p)
        return (thread_time() - begun) / len(lines) * 1e6

    def moves(self) -> Iterator[tuple[Any, Seat, Move]]:
        """The moves of random deals, each with its position."""
        while True:
            p = self.deal()
            while (seat := self.game.turn(p)) is not None and seat != CHANCE:
                actor = self.game.controller(seat)
                move = self._rng.choice(legal_moves(self.game, p, actor))
                yield p, actor, move
                p, _ = play(self.game, p, actor, move)


def tables() -> list[CatalogueGame]:
    """Every game with every number of players, or with some of them if there are many."""
    return [CatalogueGame(RuleSet(game.key, players)) for game in CATALOGUE for players in walks.tables(game)]


# ---------------------------------------------------------------------- single moves


LONG = RuleSet("coech", 4, (("first_dealer", "3"), ("match_deals", "100")))
"""A match of thousands of moves; every deal has forty, and the pack."""
EARLY, LATE = 10, 1000


def long_match(seed: str) -> Iterator[tuple[Any, Seat, Move]]:
    """The moves of the long match; every deal is the same, so that deals can be compared."""
    game: AnyGame = CATALOGUE.game_for(LONG)
    p = game.start()
    rng = Random(seed)
    pack = shuffled(game, p, rng)
    for _ in cycle("."):
        seat = game.turn(p)
        actor = CHANCE if seat is None or seat == CHANCE else game.controller(seat)
        move = pack if actor == CHANCE else legal_moves(game, p, actor)[0]
        yield p, actor, move
        p, _ = play(game, p, actor, move)


def early_and_late(rounds: int, times: int) -> tuple[float, float]:
    """Return the microseconds to validate and apply a move, over the deals at move 10 and at move 1,000."""
    game: AnyGame = CATALOGUE.game_for(LONG)
    length = len(game.pack.cards) + 1
    late = EARLY + -(-(LATE - EARLY) // length) * length  # the same place in a later deal
    moves = list(islice(long_match("early and late"), late + length))
    parts = [[one for one in moves[begin : begin + length] if one[1] != CHANCE] for begin in (EARLY, late)]
    seen: list[list[float]] = [[], []]
    for _ in range(rounds):
        for place, part in enumerate(parts):
            begun = thread_time()
            for _ in range(times):
                for p, actor, move in part:
                    play(game, p, actor, move)
            seen[place].append((thread_time() - begun) / times / len(part) * 1e6)
    return median(seen[0]), median(seen[1])


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
