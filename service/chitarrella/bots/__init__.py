"""Bots: random, greedy, and search over determinizations; levels of strength are made of them.

A bot gets an information state (`chitarrella.bots.information_state.InformationState`): what its seat can know, and
nothing more. It gets its random generator from the caller, so that a match can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple, TypeAlias

from chitarrella.bots.evaluation import side_of
from chitarrella.bots.information_state import SAMPLES, Bot, InformationState
from chitarrella.bots.search import DEFAULT, Effort, play_greedily, rollout_policy, search_bot
from chitarrella.core.game import AnyGame, apply_move, legal_moves, seat_to_move
from chitarrella.core.model import Move

Build: TypeAlias = Callable[[AnyGame, Effort], Bot]
NORMAL_PLAYOUTS: Final = 40  # the most playouts of the level between the greedy bot and a search without that limit


def play_randomly(info_state: InformationState, rng: Random) -> Move:
    """Return a legal move, each with the same probability."""
    return rng.choice(info_state.moves)


def loss_avoiding(build: Build) -> Build:
    """Return what builds the same bots, which make no move that loses the match at once where another does not."""

    def build_avoiding(game: AnyGame, effort: Effort) -> Bot:
        bot = build(game, effort)

        def choose(info_state: InformationState, rng: Random) -> Move:
            move = bot(info_state, rng)
            if len(info_state.moves) == 1 or not info_state.loses(move):
                return move
            others = tuple(other for other in info_state.moves if not info_state.loses(other))
            return bot(info_state.only(others), rng) if others else move

        return choose

    return build_avoiding


RANDOM: Final = loss_avoiding(lambda game, effort: play_randomly)
GREEDY: Final = loss_avoiding(lambda game, effort: play_greedily)
SEARCH: Final = loss_avoiding(search_bot)
NORMAL: Final = loss_avoiding(lambda game, effort: search_bot(game, effort.at_most(NORMAL_PLAYOUTS)))
BOTS: Final[Mapping[str, Build]] = {
    "easy": GREEDY, "normal": NORMAL, "strong": SEARCH, "random": RANDOM, "greedy": GREEDY, "search": SEARCH
}  # fmt: skip
"""Every bot by name: a function that builds it for a game, with the effort it may spend on a move."""
SLOW_BOTS: Final = frozenset(name for name, build in BOTS.items() if build in (NORMAL, SEARCH))
"""The bots that spend their effort; the others answer at once."""

__all__ = ["BOTS", "SLOW_BOTS", "Bot", "Effort", "InformationState", "bot_for", "play_greedily", "play_randomly"]


class Suggestion(NamedTuple):
    """A move, and what its side then takes, less what others take, until it moves again; None where nothing counts."""

    move: Move
    points: int | None


def suggest(info_state: InformationState, rng: Random) -> Suggestion:
    """Return the move that a normal bot makes in a state with moves, with its mean points in samples of the rest."""
    game, seat, mates = info_state.game, info_state.seat, side_of(info_state.game, info_state.seat)
    move = NORMAL(game, DEFAULT)(info_state, rng)
    if not any(card.points for card in game.card_specs):
        return Suggestion(move, None)
    choose, gained = rollout_policy(game), 0
    for _ in range(SAMPLES):
        before = p = info_state.sample(rng)
        p, _ = apply_move(game, p, seat, move)
        while (actor := seat_to_move(game, p)) is not None and actor != seat:
            moves = [one for one in legal_moves(game, p, actor) if not game.move_specs[one.verb].out_of_turn]
            p, _ = apply_move(game, p, actor, choose(p, actor, moves, rng))
        taken = zip(game.points(before), game.points(p), strict=True)
        gained += sum((after - had) * (1 if one in mates else -1) for one, (had, after) in enumerate(taken))
    return Suggestion(move, round(gained / SAMPLES))


def bot_for(name: str, game: AnyGame, effort: Effort = DEFAULT) -> Bot:
    """Return the bot called ``name`` for ``game``. Only slow bots use ``effort``."""
    return BOTS[name](game, effort)
