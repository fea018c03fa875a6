"""Tables of the exchange family, laid out: games with their options, how a table stands before a deal, and packs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand, minus
from chitarrella.core.model import Shares
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import MatchState, Payment, Promise, Round
from tests.walks import CATALOGUE

Said: TypeAlias = Mapping[Any, Any]
"""A document, or a part of one."""

STAKE = 10
"""What everybody pays where nothing is said."""


def seat(key: str, players: int, **options: object) -> ExchangeGame:
    """Seat a game of the family; options may be given as numbers or as true and false."""
    words = {name: str(value).lower() for name, value in options.items()}
    game = CATALOGUE.game_for(RuleSet(key, players, tuple(sorted(words.items()))))
    assert isinstance(game, ExchangeGame)
    return game


def shares_of(amounts: Said) -> Shares:
    """Give amounts by person."""
    return tuple((str(person), amount) for person, amount in amounts.items())


def in_debt(seats: int, pool: int) -> Shares:
    """Let the seats have paid what is in the pool; who paid what does not matter."""
    each = pool // seats
    paid = [pool - each * (seats - 1), *([each] * (seats - 1))]
    return tuple((str(place), -amount) for place, amount in enumerate(paid))


def set_up(key: str, said: Said) -> tuple[ExchangeGame, Round]:
    """Seat the game of an example, and lay out how the table stands before the first deal of it."""
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
    """Order ``cards`` so that they begin and end as wanted; between them they lie as they come."""
    rest = cards
    for card in (*first, *last):
        rest = minus(rest, card)
    return (*first, *rest, *last)
