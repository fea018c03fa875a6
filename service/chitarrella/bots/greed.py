"""The greedy player: it takes a trick when it is worth something, as cheaply as it can, and throws its least card else.

Where points are to be avoided it does the opposite. At games of exchange it is prudent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from chitarrella.bots.outlook import Outlook
from chitarrella.bots.prudence import Prudence
from chitarrella.cards import Card, Hand
from chitarrella.exchange.game import ExchangeGame
from chitarrella.game import AnyGame, around
from chitarrella.tricks.game import TrickGame
from chitarrella.words import Move, Seat, View

HELPS = frozenset({"exchange_turn_up", "show_hand_to_partner"})
"""What can only be of use."""


def greedy(game: AnyGame) -> Callable[[Outlook, Random], Move]:
    """Give the bot that looks no further than the present trick, or card."""
    if isinstance(game, ExchangeGame):
        prudence = Prudence(game)
        return lambda outlook, rng: prudence.choose(outlook.view, outlook.moves, rng)
    if not isinstance(game, TrickGame):
        return lambda outlook, rng: rng.choice(outlook.moves)
    return Greed(game).choose


class Greed:
    """What a greedy player knows of one game: its rules, which are public."""

    def __init__(self, game: TrickGame) -> None:
        """Learn what each card is worth, and whether that is good."""
        self.game = game
        self.good = -1 if game.reckoning.avoided else 1
        self.worth = {card: game.order.counts[0].of((card,)) for card in game.pack.faces.values()}

    def choose(self, outlook: Outlook, rng: Random) -> Move:
        """Do what helps and costs nothing, then play the best card; what it does not understand it leaves to luck."""
        view, moves = outlook.view, outlook.moves
        free = [move for move in moves if helps(view, outlook.seat, move)]
        if free:
            return free[0]
        plays = [move for move in moves if move.verb == "play_card"]
        if not plays:
            return rng.choice(moves)
        trick = next((pile for pile in view.piles if pile.name == "trick"), None)
        if trick is None or trick.leader is None:
            return self.best(plays, (), (), trump(view), rng)
        order = around(view, self.game.seats, trick.leader)
        return self.best(plays, trick.cards, order, trump(view), rng)

    def best(self, plays: Sequence[Move], trick: Hand, order: Sequence[Seat], trumps: str, rng: Random) -> Move:
        """Choose among cards to be played to ``trick``, to which the seats play in this ``order``."""
        if len(plays) == 1:
            return plays[0]
        gains = self._gains([move.cards[0] for move in plays], trick, order, trumps)
        best = max(gains)
        return rng.choice([move for move, gain in zip(plays, gains, strict=True) if gain == best])

    def _gains(self, cards: Sequence[Card], trick: Hand, order: Sequence[Seat], trumps: str) -> list[tuple[int, int]]:
        """Weigh each card: what the trick brings or costs, then how little strength is spent on it.

        Where points are to be avoided strength is a burden, and best spent on tricks that others take.
        """
        g, worth = self.game, self.worth
        dear = len(g.pack.ranks)
        thrift = [-g.strength[card] - (dear if g.suit[card] == trumps else 0) for card in cards]
        if not trick:
            return [(-worth[card], spared) for card, spared in zip(cards, thrift, strict=True)]
        glance, lies, mine = g.glance(trick, trumps), sum([worth[card] for card in trick]), g.sides[order[len(trick)]]
        gains = []
        for card, spared in zip(cards, thrift, strict=True):
            taker = order[g.taking.best(g, glance, (*trick, card))]
            brings = (lies + worth[card]) * self.good
            gains.append((brings if g.sides[taker] == mine else -brings, spared * self.good))
        return gains


def helps(view: View, seat: Seat, move: Move) -> bool:
    """Tell whether a move of ``seat`` beside the play can only be of use; a signal must be true."""
    if move.verb == "signal":
        hands = (pile.cards for pile in view.piles if pile.name == "hand" and pile.seat == seat)
        return any(card.rank == move.word and card.suit == trump(view) for hand in hands for card in hand)
    return move.verb in HELPS


def trump(view: View) -> str:
    """Name the trump suit that lies open, if there is one."""
    return next((str(fact.value) for fact in view.facts if fact.name == "trump"), "")
