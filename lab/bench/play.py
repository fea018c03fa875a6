"""Random play through the rules beside other engines, in one thread, measured in CPU time."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from time import thread_time
from typing import Any

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, legal_moves, play
from chitarrella.core.model import CHANCE
from chitarrella.tricks.rules import Rules
from lab.bench.servers import Servers
from lab.bench.turns import Contender, Figures
from tests.walks import CATALOGUE, shuffled, tables

TRICKS, EXCHANGE = "a table of tricks", "Cucù or Lu Stù"
BRIDGE, CHESS, HEARTS = "RLCard, bridge", "python-chess", "OpenSpiel, hearts"


def measured(deal: Callable[[], Any], play_out: Callable[[Any], int]) -> Callable[[float], Figures]:
    """Return what plays whole deals for some seconds: moves a second with and without the dealing.

    ``play_out`` plays a deal to its end with random legal choices, and returns the number of moves.
    """

    def measure(seconds: float) -> Figures:
        moves, dealing, playing = 0, 0.0, 0.0
        while dealing + playing < seconds:
            begun = thread_time()
            dealt = deal()
            between = thread_time()
            moves += play_out(dealt)
            dealing, playing = dealing + between - begun, playing + thread_time() - between
        return {"moves": moves / (dealing + playing), "bare": moves / playing}

    return measure


def ours(game: AnyGame) -> Callable[[float], Figures]:
    """A game of the catalogue: list the legal moves, choose, validate and apply."""
    rng = Random("ours")

    def deal() -> Any:
        p = game.start()
        while game.turn(p) == CHANCE:
            p, _ = play(game, p, CHANCE, shuffled(game, p, rng))
        return p

    def play_out(p: Any) -> int:
        moves, choose, turn, controller = 0, rng.choice, game.turn, game.controller
        while (seat := turn(p)) is not None and seat != CHANCE:
            actor = controller(seat)
            p, _ = play(game, p, actor, choose(legal_moves(game, p, actor)))
            moves += 1
        return moves

    return measured(deal, play_out)


def bridge() -> Callable[[float], Figures]:
    """RLCard's Bridge, through its environment, which is how RLCard is used."""
    table: Any = import_module("rlcard").make("bridge")
    choose = Random("bridge").choice

    def play_out(dealt: Any) -> int:
        moves, (state, _) = 0, dealt
        while not table.is_over():
            state, _ = table.step(choose(list(state["legal_actions"])))
            moves += 1
        return moves

    return measured(table.reset, play_out)


def chess() -> Callable[[float], Figures]:
    """python-chess: another game, but what a library of rules in Python costs."""
    choose = Random("chess").choice

    def play_out(board: Any) -> int:
        while not board.is_game_over():
            board.push(choose(list(board.legal_moves)))
        return len(board.move_stack)

    return measured(import_module("chess").Board, play_out)


def hearts() -> Callable[[float], Figures]:
    """Hearts of OpenSpiel, used as in its own example; cards are dealt one by one. It does not validate."""
    game: Any = import_module("pyspiel").load_game("hearts")
    choose = Random("hearts").choice

    def deal() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(choose(state.legal_actions()))
        return state

    def play_out(state: Any) -> int:
        moves = 0
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions(state.current_player())))
            moves += 1
        return moves

    return measured(deal, play_out)


def engines(_: Servers) -> list[Contender]:
    """Through the public functions: list what is legal, choose, validate, apply; the others list, choose, apply.
    Moves a second of CPU, of whole deals and without the dealing; every game with every number of players, or with some
    of them if there are many. OpenSpiel is C++ behind Python, python-chess another game: they are there for scale.
    """
    found = []
    for rule_set in (RuleSet(game.key, players) for game in CATALOGUE for players in tables(game)):
        game: AnyGame = CATALOGUE.game_for(rule_set)
        group = TRICKS if isinstance(game, Rules) else EXCHANGE
        found.append(Contender(f"{rule_set.game}, {rule_set.players} players", ours(game), group))
    return [*found, Contender(BRIDGE, bridge()), Contender(CHESS, chess()), Contender(HEARTS, hearts())]
