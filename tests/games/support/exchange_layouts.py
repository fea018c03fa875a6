"""Positions of the exchange family: games with their options, positions before a deal, and packs."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, TypeAlias

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand, minus
from chitarrella.core.game import legal_moves, play
from chitarrella.core.model import REFEREE, Event, Move, Seat, Shares
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import MatchState, Payment, Promise, Round
from tests.games.support.exchange_events import in_words
from tests.walks import CATALOGUE

Said: TypeAlias = Mapping[Any, Any]
"""A document, or a part of one."""

STAKE = 10
"""The default stake of a seat."""


def seat(key: str, players: int, **options: object) -> ExchangeGame:
    """Configure a game of the family; options may be numbers or booleans."""
    words = {name: str(value).lower() for name, value in options.items()}
    game = CATALOGUE.game_for(RuleSet(key, players, tuple(sorted(words.items()))))
    assert isinstance(game, ExchangeGame)
    return game


def shares_of(amounts: Said) -> Shares:
    """The amounts by person."""
    return tuple((str(person), amount) for person, amount in amounts.items())


def in_debt(seats: int, pool: int) -> Shares:
    """Book what is in the pool as paid by the seats; the division does not matter."""
    each = pool // seats
    paid = [pool - each * (seats - 1), *([each] * (seats - 1))]
    return tuple((str(place), -amount) for place, amount in enumerate(paid))


def set_up(key: str, said: Said) -> tuple[ExchangeGame, Round]:
    """Configure the game of an example, and make the position before its first deal."""
    players = said["players"]
    game = seat(key, players, **({"stake": said.get("stake", STAKE)} | said.get("options", {})))
    tokens = tuple(said.get("tokens", [game.tokens] * players))
    virgin = said.get("virgin", [held == game.tokens for held in tokens])
    pool = said.get("pool", game.stake * players)
    paid_by = said.get("syndicates", {})
    match_state = MatchState(
        dealer=said["dealer"],
        tokens=tokens,
        virgins=tuple(place for place in range(players) if virgin[place]),
        pool=pool,
        counter=said.get("counter", 0),
        claims=tuple(sorted(Payment(to, who, n) for to, paid in paid_by.items() for who, n in shares_of(paid))),
        agreement=shares_of(said.get("agreement", {})),
        promises=tuple(Promise(*promise) for promise in said.get("promises", ())),
        net=in_debt(players, pool),
    )
    return game, Round("new_deal", match_state)


def pack_of(cards: Hand, first: Hand, last: Hand = ()) -> Hand:
    """Order ``cards`` so that they begin and end as given; the rest is in any order."""
    rest = cards
    for card in (*first, *last):
        rest = minus(rest, card)
    return (*first, *rest, *last)


class GameInPlay:
    """A game, its position, and all its events so far."""

    def __init__(self, game: ExchangeGame, p: Round, rng: Random) -> None:
        """Start at ``p``."""
        self.game = game
        self.p = p
        self._rng = rng
        self._emitted: list[Event] = []

    @property
    def words(self) -> list[str]:
        """The events in the notation of the reference."""
        return in_words(self._emitted, REFEREE)

    def move(self, actor: Seat, made: Move) -> None:
        """Play a move."""
        self.p, events = play(self.game, self.p, actor, made)
        self._emitted.extend(events)

    def choose(self, actor: Seat, phase: str, verbs: set[str], favoured: set[str]) -> str:
        """Choose one of ``verbs``, a favoured one twice as often; they must be the legal ones of the seat to move."""
        assert (phase, actor) == (self.p.phase, self.game.turn(self.p))
        assert verbs == {each.verb for each in legal_moves(self.game, self.p, actor)}
        return self._rng.choice([*sorted(verbs), *sorted(favoured & verbs)])
