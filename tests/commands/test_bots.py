"""The bots: what they may know, and that the greedy one deserves its name."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from chitarrella.bots import BOTS, at_random, greedy, supply
from chitarrella.catalogue import Agreement
from chitarrella.game import AnyGame, legal, look, play
from chitarrella.words import CHANCE, Move
from tests.commands.running import CATALOGUE
from tests.kit import defaults, name, variants


def deal(game: AnyGame, bots: list[Any], rng: Random) -> Any:
    """Play one deal, every bot seeing what its seat sees, and check that what it chooses is legal."""
    p, packs = game.start(), 0
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE:
            packs += bool(game.chance(p).cards)
            if packs == 2:
                break
            p, _ = play(game, p, CHANCE, supply(game, p, rng))
        else:
            actor = game.controller(turn)
            moves = legal(game, p, actor)
            move = bots[actor](look(game, p, actor), moves, rng)
            assert move in moves
            p, _ = play(game, p, actor, move)
    return p


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("agreement", [*defaults(), *variants()], ids=name)
def test_bots_play_by_the_rules(agreement: Agreement, bot: str) -> None:
    """Whatever is agreed, every bot chooses one of its legal moves, until the deal is over."""
    game = CATALOGUE.seat(agreement)
    deal(game, [BOTS[bot](game)] * game.seats, Random(1))


@pytest.mark.parametrize(("key", "players"), [("briscola", 2), ("briscolone", 2), ("brusquembille", 2), ("coech", 2)])
def test_greed_pays(key: str, players: int) -> None:
    """A greedy player takes more points than one who plays at random, wherever it sits."""
    game = CATALOGUE.seat(Agreement(key, players))
    for seat in (0, 1):
        rng, ahead = Random(7), 0
        for _ in range(60):
            bots = [greedy(game) if game.controller(other) == seat else at_random for other in range(game.seats)]
            points = game.points(deal(game, bots, rng))
            mine = sum(taken for other, taken in enumerate(points) if game.controller(other) == seat)
            ahead += mine > sum(points) - mine
        assert ahead > 36


def test_a_signal_of_a_greedy_player_is_true() -> None:
    """Where false signals are allowed, a greedy player still tells its partner only of trumps that it holds."""
    game = CATALOGUE.seat(Agreement("briscola", 4, (("signals", "free"),)))
    told = 0
    for seed in range(12):
        p, rng = game.start(), Random(seed)
        p, _ = play(game, p, CHANCE, supply(game, p, rng))
        for _ in range(12):
            turn = game.turn(p)
            assert turn is not None
            view = look(game, p, turn)
            move = greedy(game)(view, legal(game, p, turn), rng)
            (trump,) = (fact.value for fact in view.facts if fact.name == "trump")
            if move.verb == "signal":
                assert (
                    f"{move.word}{trump}"
                    in next(pile for pile in view.piles if pile.name == "hand" and pile.seat == turn).cards
                )
                told += 1
            p, _ = play(game, p, turn, move)
    assert told


def test_supply_gives_the_whole_pack() -> None:
    """The table shuffles the whole pack of the game, the same one for the same luck."""
    game = CATALOGUE.seat(Agreement("briscola", 3))
    first, second = (supply(game, game.start(), Random(3)) for _ in range(2))
    assert game.pack.holds_exactly(first.cards)
    assert first == second


def test_supply_draws_a_lot() -> None:
    """Where the first dealer is drawn by lot, the table draws one of the seats that deal."""
    game = CATALOGUE.seat(Agreement("coech", 4))
    lots = {supply(game, game.start(), Random(seed)) for seed in range(40)}
    assert {Move("draw_dealer", amount=seat) for seat in range(4)} == lots
