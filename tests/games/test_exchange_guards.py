"""Guards of exchange games against states that no play leads to."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.model import Move
from chitarrella.exchange.checks import (
    MAX_BALANCE,
    are_valid_shares,
    dealt_seats,
    money_faults,
    pool_split_faults,
    share_faults,
    token_faults,
    turn_faults,
)
from chitarrella.exchange.round import MAX_PERSONS, Payment, Promise
from chitarrella.exchange.turns import Exchange
from tests.games.test_guards import positions
from tests.walks import CATALOGUE

CUCU = RuleSet("cucu", 4)


def dealt() -> Any:
    """A round in which cards go round."""
    return next(p for p in positions(CUCU) if p.held and all(p.held) and p.asker is None)


def test_who_has_no_card_is_not_reached() -> None:
    """Out of turn nothing is within reach of a seat without a card, or before the deal."""
    game: Any = CATALOGUE.game_for(CUCU)
    assert game.potential_moves(game.start(), 2) == []
    r = dealt()
    seat = next(seat for seat in range(4) if seat != game.turn(r))
    assert game.potential_moves(r, seat) != []
    out = r._replace(held=tuple(None if at == seat else held for at, held in enumerate(r.held)))
    assert game.potential_moves(out, seat) == []


def test_the_dealer_exchanges_with_nobody() -> None:
    """After the dealer comes the pack; to try it with a seat is a fault of the program."""
    game: Any = CATALOGUE.game_for(CUCU)
    r = dealt()
    with pytest.raises(LookupError, match="the dealer exchanges with the pack"):
        Exchange().apply(game, r, r.order[-1], Move("exchange"), [])


def test_a_round_that_cannot_be_is_named_by_its_field() -> None:
    """Tokens, claims, promises and talk are held against one another."""
    game: Any = CATALOGUE.game_for(CUCU)
    r = dealt()
    dealer = r.order[-1]
    poor = r._replace(match_state=r.match_state._replace(tokens=tuple(0 if s == dealer else 3 for s in range(4))))
    assert ("tokens", "the dealer loses no token before the comparison") in list(turn_faults(poor, dealt_seats(poor)))
    met = poor._replace(asker=r.order[0], target=dealer)
    assert ("tokens", "guest and host have tokens") in list(token_faults(game, met, dealt_seats(met)))
    assert [field for field, _ in pool_split_faults(r)] == ["order"]
    claims = tuple(Payment(1, f"zia {number:04}", 1) for number in range(MAX_PERSONS + 1))
    many = r._replace(match_state=r.match_state._replace(claims=claims))
    assert ("claims", f"there are at most {MAX_PERSONS}") in list(money_faults(game, many))
    promised = r._replace(match_state=r.match_state._replace(promises=(Promise(0, 1, 0),)))
    assert ("promises", "a guest promises a host from 1 to 100 percent") in list(share_faults(game, promised))


def test_shares_are_bounded() -> None:
    """A share of the seats is valid up to the greatest balance, positive or negative, and not beyond."""
    others = (("1", 0), ("2", 0), ("3", 0))
    for amount, is_valid in ((MAX_BALANCE, True), (-MAX_BALANCE, True), (MAX_BALANCE + 1, False)):
        assert is_valid == are_valid_shares((("0", amount), *others), 4)
