"""The search bot: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

Every iteration starts from a new determinization, so the tree knows no more of the hidden cards than the seat does. Its
branches are moves; in each determinization only those are considered that are legal there. From the edge of the tree
the rollout policy plays the deal to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from time import perf_counter
from typing import Final, NamedTuple, TypeAlias

from chitarrella.bots.evaluation import Evaluation, Row, best_move, evaluate, progress
from chitarrella.bots.information_state import Bot, InformationState
from chitarrella.core.game import UNKNOWN, AnyGame, Position, apply_move, legal_moves, seat_to_move
from chitarrella.core.model import Move, Seat

RolloutPolicy: TypeAlias = Callable[[Position, Seat, Sequence[Move], Random], Move]
"""Chooses one of the legal moves (at least one) of a seat in a position."""


def rollout_policy(game: AnyGame) -> RolloutPolicy:
    """Return the greedy policy for ``game``. It works on positions, because to build views would cost too much time."""
    move_values = game.move_values

    def choose(p: Position, seat: Seat, moves: Sequence[Move], rng: Random) -> Move:
        return moves[0] if len(moves) == 1 else best_move(moves, move_values(p, seat, moves), rng)

    return choose


EXPLORATION: Final = 0.7
"""The exploration constant of UCB1, for values scaled to the range from the worst to the best seen so far."""
VISITS_PER_BRANCH: Final = 10  # a node gets another branch after so many visits (progressive widening)
ROUNDS_PER_HALVING: Final = 5
"""After so many determinizations the worse half of the moves is dropped (sequential halving)."""
MAX_DEPTH: Final = 600  # the greatest number of moves in one playout; no deal of tricks has more


class Effort(NamedTuple):
    """The limit of a search for one move: seconds, number of playouts, or both; None for no limit."""

    seconds: float | None = 0.1
    playouts: int | None = None

    def at_most(self, playouts: int) -> Effort:
        """Return the same effort with no more than ``playouts``."""
        return self._replace(playouts=min(playouts, self.playouts or playouts))


DEFAULT: Final = Effort()  # how long a search takes unless the caller says more
TRIAL: Final = Effort(None, 40)  # what the greedy bot spends on moves that the heuristic does not know


@dataclass(slots=True)
class Node:
    """A move that ``seat`` made in the tree, with its statistics.

    ``offered`` counts the visits of the parent in which it was legal, ``visits`` those in which it was chosen; ``gain``
    is the sum of what ``seat`` gained.
    """

    seat: Seat
    offered: int = 0
    visits: int = 0
    gain: float = 0.0
    children: dict[Move, Node] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """The mean gain; defined after the first visit."""
        return self.gain / self.visits


def play_greedily(info_state: InformationState, rng: Random) -> Move:
    """Return a legal move of the greatest heuristic value, each of them with the same probability.

    Moves in turn that the heuristic does not know, such as a claim, are tried beside it by a short search.
    """
    specs, values = info_state.game.move_specs, info_state.move_values
    best = best_move(info_state.moves, values, rng)
    unknown = [move for move, value in zip(info_state.moves, values, strict=True) if value == UNKNOWN]
    moves = dict.fromkeys(move for move in (best, *unknown) if not specs[move.verb].out_of_turn)
    if len(moves) < 2 or best not in moves:
        return best
    return DeterminizedSearch(info_state.game, info_state, [*moves], rng).best(TRIAL)


def search_bot(game: AnyGame, effort: Effort = DEFAULT) -> Bot:
    """Return a bot that searches with ``effort``; raises `ValueError` if both limits are None."""
    if effort.seconds is None and effort.playouts is None:
        raise ValueError("a search needs a limit")

    def choose(info_state: InformationState, rng: Random) -> Move:
        """Search among the moves in turn; moves out of turn, such as signals, are left to the greedy bot."""
        if len(info_state.moves) == 1:
            return info_state.moves[0]
        in_turn = [move for move in info_state.moves if not game.move_specs[move.verb].out_of_turn]
        first = best_move(info_state.moves, info_state.move_values, rng)
        if first not in in_turn or len(in_turn) == 1:
            return first
        moves = [first, *(move for move in in_turn if move != first)]
        return DeterminizedSearch(game, info_state, moves, rng).best(effort)

    return choose


class DeterminizedSearch:
    """One decision: it tries the moves on samples of what is hidden, and drops the worse half again and again."""

    def __init__(self, game: AnyGame, info_state: InformationState, moves: Sequence[Move], rng: Random) -> None:
        self.game, self.info_state, self.rng = game, info_state, rng
        self.rollout = rollout_policy(game)
        self.branches = {move: Node(info_state.seat) for move in moves}
        self.low, self.high = inf, -inf

    def best(self, effort: Effort) -> Move:
        """Search until the effort is spent; return the move with the greatest total gain.

        In a round every remaining move is tried on the same determinization, so that all have the same luck. A round
        that was broken off counts only if there is no complete one. At least one playout is made.
        """
        deadline = inf if effort.seconds is None else perf_counter() + effort.seconds
        most = inf if effort.playouts is None else effort.playouts
        total = dict.fromkeys(self.branches, 0.0)
        remaining = list(self.branches)
        playouts = rounds = 0
        while len(remaining) > 1:
            p, gains = self.info_state.sample(self.rng), dict[Move, float]()
            before = evaluate(self.game, p)
            for move in remaining:
                if playouts and (playouts >= most or perf_counter() >= deadline):
                    found = total if rounds else gains
                    return max(found, key=found.__getitem__)
                gains[move] = self._iterate(p, before, move)
                playouts += 1
            rounds += 1
            total = {move: total[move] + gain for move, gain in gains.items()}
            if rounds % ROUNDS_PER_HALVING == 0:
                remaining.sort(key=total.__getitem__, reverse=True)
                del remaining[max(2, (len(remaining) + 1) // 2) :]
                total = {move: total[move] for move in remaining}
        return remaining[0]

    def _iterate(self, p: Position, before: Evaluation, move: Move) -> float:
        """Make ``move`` in ``p``, descend to a new node, play out, back up; return the gain of the searching seat."""
        node, new = self.branches[move], False
        path, left = [node], MAX_DEPTH
        p, _ = apply_move(self.game, p, self.info_state.seat, move)
        while (actor := seat_to_move(self.game, p)) is not None and not new and left:
            chosen, new = self._select(node, p, actor, self._moves(p, actor))
            p, _ = apply_move(self.game, p, actor, chosen)
            node = node.children[chosen]
            path.append(node)
            left -= 1
        gains = progress(self.game, before, self._play_out(p, left))
        self._back_up(path, gains)
        return gains[self.info_state.seat]

    def _select(self, node: Node, p: Position, actor: Seat, moves: Sequence[Move]) -> tuple[Move, bool]:
        """Return a move, and whether a child was added for it: else it is the child with the greatest UCB1 value."""
        known = [move for move in moves if move in node.children]
        for move in known:
            node.children[move].offered += 1
        if len(known) < min(len(moves), 1 + node.visits // VISITS_PER_BRANCH):
            fresh = [move for move in moves if move not in node.children]
            move = self.rng.choice(fresh) if known else self.rollout(p, actor, fresh, self.rng)
            node.children[move] = Node(actor, offered=1)
            return move, True
        return max(known, key=lambda move: self._ucb(node.children[move])), False

    def _ucb(self, node: Node) -> float:
        span = (self.high - self.low) or 1.0
        return (node.mean - self.low) / span + EXPLORATION * sqrt(log(node.offered) / node.visits)

    def _play_out(self, p: Position, left: int) -> Position:
        """Play with the rollout policy to the end of the deal, at most ``left`` moves."""
        game = self.game
        while left and (actor := seat_to_move(game, p)) is not None:
            p, _ = apply_move(game, p, actor, self.rollout(p, actor, self._moves(p, actor), self.rng))
            left -= 1
        return p

    def _moves(self, p: Position, actor: Seat) -> Sequence[Move]:
        specs = self.game.move_specs
        return [move for move in legal_moves(self.game, p, actor) if not specs[move.verb].out_of_turn]

    def _back_up(self, path: Sequence[Node], gains: Row) -> None:
        for node in path:
            gain = gains[node.seat]
            node.visits += 1
            node.gain += gain
            self.low, self.high = min(self.low, gain), max(self.high, gain)


def chance_move(game: AnyGame, p: Position, rng: Random) -> Move:
    """Return the move that `Game.chance_request` asks for: a lot, or the cards in random order."""
    request = game.chance_request(p)
    if request.amounts:
        return Move(request.verb, amount=rng.choice(request.amounts))
    pack = list(request.cards)
    rng.shuffle(pack)
    return Move(request.verb, tuple(pack))
