"""The player that looks ahead: it imagines what it does not see, plays on in its head, and remembers what came of it.

Each time all that is hidden is imagined anew, so the tree that grows knows no more of the cards than the seat does: its
branches are moves, and in every imagined position only those that are legal there are considered (information-set
Monte Carlo tree search). From the edge of the tree a simple player plays the deal to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from chitarrella.bots.greed import greedy
from chitarrella.bots.instinct import instinct
from chitarrella.bots.outlook import Outlook
from chitarrella.bots.standing import Row, Standing, progress, standing
from chitarrella.game import AnyGame, Position, applied, legal, waited_for
from chitarrella.words import Move, Seat

CURIOSITY: Final = 0.7
"""How much a move that was seldom tried is favoured over one that did well, on a scale from the worst to the best."""
PATIENCE: Final = 10
"""So often it is seen what comes of the answer that a simple player would give, before another one is tried."""
ROUNDS: Final = 5
"""After so many imagined tables the worse half of the moves is thought over no more."""
FARTHEST: Final = 600
"""So many moves are played in the head at most; a deal of tricks has no more."""


class Effort(NamedTuple):
    """How long a bot may think over a move: so many seconds, so many times that it plays on in its head, or both."""

    seconds: float | None = 0.1
    playouts: int | None = None


DEFAULT: Final = Effort()


@dataclass(slots=True)
class Node:
    """A move that ``seat`` made in the head: how often it could be made, how often it was, and what came of it."""

    seat: Seat
    offered: int = 0
    visits: int = 0
    gain: float = 0.0
    after: dict[Move, Node] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """What comes of it, as far as is known."""
        return self.gain / self.visits


def searching(game: AnyGame, effort: Effort = DEFAULT) -> Callable[[Outlook, Random], Move]:
    """Give the bot that looks ahead with so much effort; raises `ValueError` where there is no limit to it."""
    if effort.seconds is None and effort.playouts is None:
        raise ValueError("a search needs a limit")
    simple = greedy(game)

    def choose(outlook: Outlook, rng: Random) -> Move:
        """Leave to the simple player what does not wait for its turn, as signals: they change nothing on the table."""
        waiting = [move for move in outlook.moves if not game.forms[move.verb].free]
        if len(outlook.moves) == 1:
            return outlook.moves[0]
        first = simple(outlook, rng)
        if first not in waiting or len(waiting) == 1:
            return first
        return Search(game, outlook, [first, *(move for move in waiting if move != first)], rng).best(effort)

    return choose


class Search:
    """The thoughts over one move."""

    def __init__(self, game: AnyGame, outlook: Outlook, moves: Sequence[Move], rng: Random) -> None:
        """Begin with nothing known; of the ``moves`` those that stand first are thought over first."""
        self.game, self.outlook, self.rng = game, outlook, rng
        self.instinct = instinct(game)
        self.branches = {move: Node(outlook.seat) for move in moves}
        self.low, self.high = inf, -inf

    def best(self, effort: Effort) -> Move:
        """Think until the effort is spent; gives the move from which most is to be expected.

        Every table that is imagined is thought through with each move that is in doubt, so that all have the same
        luck; a round that was broken off counts only where there is no other.
        """
        until = inf if effort.seconds is None else perf_counter() + effort.seconds
        most = inf if effort.playouts is None else effort.playouts
        total = dict.fromkeys(self.branches, 0.0)
        doubted = list(self.branches)
        done = rounds = 0
        while len(doubted) > 1:
            p, gains = self.outlook.imagine(self.rng), dict[Move, float]()
            before = standing(self.game, p)
            for move in doubted:
                if done and (done >= most or perf_counter() >= until):
                    found = total if rounds else gains
                    return max(found, key=found.__getitem__)
                gains[move] = self._think(p, before, move)
                done += 1
            rounds += 1
            total = {move: total[move] + gain for move, gain in gains.items()}
            if rounds % ROUNDS == 0:
                doubted.sort(key=total.__getitem__, reverse=True)
                del doubted[max(2, (len(doubted) + 1) // 2) :]
                total = {move: total[move] for move in doubted}
        return doubted[0]

    def _think(self, p: Position, before: Standing, move: Move) -> float:
        """Make a move in the head, go down the tree and one step beyond, and play on; gives what the seat gains."""
        node, new = self.branches[move], False
        path, left = [node], FARTHEST
        p, _ = applied(self.game, p, self.outlook.seat, move)
        while (actor := waited_for(self.game, p)) is not None and not new and left:
            further, new = self._step(node, p, actor, self._legal(p, actor))
            p, _ = applied(self.game, p, actor, further)
            node = node.after[further]
            path.append(node)
            left -= 1
        gains = progress(self.game, before, self._played_on(p, left))
        self._learn(path, gains)
        return gains[self.outlook.seat]

    def _step(self, node: Node, p: Position, actor: Seat, moves: Sequence[Move]) -> tuple[Move, bool]:
        """Choose a branch, while there is room a new one, else the one that promises most; says whether it is new."""
        known = [move for move in moves if move in node.after]
        for move in known:
            node.after[move].offered += 1
        if len(known) < min(len(moves), 1 + node.visits // PATIENCE):
            fresh = [move for move in moves if move not in node.after]
            move = self.rng.choice(fresh) if known else self.instinct(p, actor, fresh, self.rng)
            node.after[move] = Node(actor, offered=1)
            return move, True
        return max(known, key=lambda move: self._promise(node.after[move])), False

    def _promise(self, node: Node) -> float:
        """Weigh what came of a move against how seldom it was tried, when it could be."""
        span = (self.high - self.low) or 1.0
        return (node.mean - self.low) / span + CURIOSITY * sqrt(log(node.offered) / node.visits)

    def _played_on(self, p: Position, left: int) -> Position:
        """Let simple players finish the deal, or as much of it as may be."""
        game = self.game
        while left and (actor := waited_for(game, p)) is not None:
            p, _ = applied(game, p, actor, self.instinct(p, actor, self._legal(p, actor), self.rng))
            left -= 1
        return p

    def _legal(self, p: Position, actor: Seat) -> Sequence[Move]:
        """List what the person on turn may do; acts out of turn are left out."""
        forms = self.game.forms
        return [move for move in legal(self.game, p, actor) if not forms[move.verb].free]

    def _learn(self, path: Sequence[Node], gains: Row) -> None:
        """Remember what came of the moves that were made."""
        for node in path:
            gain = gains[node.seat]
            node.visits += 1
            node.gain += gain
            self.low, self.high = min(self.low, gain), max(self.high, gain)
