"""Simple players: one that plays anything, and one that grabs what it can.

A bot sees what its seat sees (`chitarrella.game.look`) and its legal moves, never more. Randomness comes from outside,
so that a match can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, TypeAlias

from chitarrella.cards import Card, Hand
from chitarrella.exchange.game import ExchangeGame
from chitarrella.game import AnyGame, around
from chitarrella.prudence import Prudence
from chitarrella.tricks.game import TrickGame
from chitarrella.words import Move, View

Bot: TypeAlias = Callable[[View, tuple[Move, ...], Random], Move]
"""Chooses one of the legal moves, of which there is at least one."""

UNSEEN: Final = View("", None, (), (), (), None)
"""A view of nothing, for a bot that does not look; making a true one takes longer than playing the move."""


def supply(game: AnyGame, p: Any, rng: Random) -> Move:
    """Do the table's part: shuffle the pack, or draw the lot that is wanted."""
    wanted = game.chance(p)
    if wanted.amounts:
        return Move(wanted.verb, amount=rng.choice(wanted.amounts))
    pack = list(wanted.cards)
    rng.shuffle(pack)
    return Move(wanted.verb, tuple(pack))


def at_random(view: View, moves: tuple[Move, ...], rng: Random) -> Move:
    """Make any legal move, each as likely as the others."""
    return rng.choice(moves)


def blind(game: AnyGame) -> Bot:
    """Give the bot that plays at random; it needs to know nothing of the game."""
    return at_random


def greedy(game: AnyGame) -> Bot:
    """Give a bot that takes a trick when it is worth something, as cheaply as it can, and else throws its least card.

    At games of exchange it keeps what is high and passes on what is low.
    """
    if isinstance(game, ExchangeGame):
        return Prudence(game).choose
    if not isinstance(game, TrickGame):
        return at_random
    mind = _Greed(game)
    return mind.choose


BOTS: Final[Mapping[str, Callable[[AnyGame], Bot]]] = {"random": blind, "greedy": greedy}
"""Every bot by its name, each to be told the game first."""


class _Greed:
    """The greedy bot's knowledge of one game: its rules, which are public."""

    def __init__(self, game: TrickGame) -> None:
        self.game = game

    def choose(self, view: View, moves: tuple[Move, ...], rng: Random) -> Move:
        """Do what helps and costs nothing, then play the best card; what it does not understand it leaves to luck."""
        free = [move for move in moves if self._helps(view, move)]
        if free:
            return free[0]
        plays = [move for move in moves if move.verb == "play_card"]
        if not plays:
            return rng.choice(moves)
        best = max(self._gain(view, move.cards[0]) for move in plays)
        return rng.choice([move for move in plays if self._gain(view, move.cards[0]) == best])

    def _helps(self, view: View, move: Move) -> bool:
        """Tell whether a move beside the play can only be of use; a signal must be true."""
        if move.verb == "signal":
            hand = next(pile for pile in view.piles if pile.name == "hand" and pile.seat == view.turn)
            return any(card.rank == move.word and card.suit == self._trump(view) for card in hand.cards)
        return move.verb in ("exchange_turn_up", "show_hand_to_partner")

    def _gain(self, view: View, card: Card) -> tuple[int, int]:
        """Weigh a card: what the trick brings or costs, then how little strength is spent on it."""
        trick = next((pile for pile in view.piles if pile.name == "trick"), None)
        before = () if trick is None else trick.cards
        cards = (*before, card)
        g = self.game
        thrift = -g.strength[card] - (len(g.pack.ranks) if g.suit[card] == self._trump(view) else 0)
        worth = self._worth(cards) if before else -self._worth((card,))
        if trick is None or trick.leader is None or not before:
            return worth, thrift
        seats = around(view, g.seats, trick.leader)
        taker = seats[g.taking.best(g, g.glance(cards, self._trump(view)), cards)]
        friend = g.sides[taker] == g.sides[seats[len(before)]]
        return (worth if friend else -worth), thrift

    def _worth(self, cards: Hand) -> int:
        """Count cards by the first count of the game."""
        return self.game.order.counts[0].of(cards)

    def _trump(self, view: View) -> str:
        """Name the trump suit that lies open, if there is one."""
        return next((str(fact.value) for fact in view.facts if fact.name == "trump"), "")
