"""What no table can look like is named by its field, whichever way it is wrong; and what waits for nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import UnknownCard
from chitarrella.core.game import AnyGame, default_move, legal_moves, seat_to_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import (
    MAX_MOVE_LENGTH,
    InvalidPosition,
    MalformedMove,
    make_move,
    parse_actor,
    parse_move,
)
from chitarrella.exchange.round import held_by
from chitarrella.tricks.table import Signal, Table
from tests.walks import CATALOGUE, known_walk

BRISCOLA = RuleSet("briscola", 4, (("signals", "free"),))


def early(rule_set: RuleSet, tricks: int = 0, cards: int = 0) -> Table:
    """The first position of a deal with so many tricks taken and so many cards on the table."""
    walk = known_walk(rule_set, "sound", deals=1, effort=1)
    found: Table = next(p for p in walk.positions if p.hands and len(p.tricks) == tricks and len(p.trick) == cards)
    return found


def stirred(p: Table) -> Table:
    """Another card than the turn-up lies last in the stock."""
    return p._replace(stock=(p.stock[-1], *p.stock[:-1]))


def uneven(p: Table) -> Table:
    """One trick has a card of the other."""
    one, other = p.tricks
    more, less = (*one.cards, other.cards[0]), other.cards[1:]
    return p._replace(tricks=(one._replace(cards=more), other._replace(cards=less)))


def drawn(p: Table) -> Table:
    """One seat has drawn alone."""
    return p._replace(hands=((*p.hands[0], p.stock[0]), *p.hands[1:]), stock=p.stock[1:])


def given(p: Table) -> Table:
    """One seat has given a card to the next."""
    return p._replace(hands=(p.hands[0][1:], (*p.hands[1], p.hands[0][0]), *p.hands[2:]))


def too_many(p: Table) -> Table:
    """Every seat has drawn before anything was played."""
    hands = tuple((*hand, card) for hand, card in zip(p.hands, p.stock, strict=False))
    return p._replace(hands=hands, stock=p.stock[len(hands) :])


def too_few(p: Table) -> Table:
    """Every seat has put a card back."""
    return p._replace(hands=tuple(hand[1:] for hand in p.hands), stock=(*(hand[0] for hand in p.hands), *p.stock))


IMPOSSIBLE: list[tuple[int, Callable[[Table], Table], str]] = [
    (0, lambda p: p._replace(signals=(Signal(0, "X"),)), "signals"),
    (0, lambda p: p._replace(trump="x"), "trump"),
    (0, lambda p: p._replace(hands=p.hands[:3]), "hands"),
    (0, stirred, "turn_up"),
    (2, uneven, "tricks"),
    (0, drawn, "stock"),
    (0, given, "hands"),
    (0, too_many, "hands"),
    (0, too_few, "hands"),
]


@pytest.mark.parametrize(("tricks", "change", "field"), IMPOSSIBLE)
def test_a_table_that_cannot_be_is_named_by_its_field(
    tricks: int, change: Callable[[Table], Table], field: str
) -> None:
    """Cards where they cannot have come, and words that the game has not, are told from one another."""
    game, p = CATALOGUE.game_for(BRISCOLA), early(BRISCOLA, tricks)
    assert p == game.decode(game.encode(p))
    with pytest.raises(InvalidPosition) as wrong:
        game.decode(game.encode(change(p)))
    assert field == wrong.value.field


def test_a_position_says_at_least_its_phase() -> None:
    """What has no default must be there."""
    with pytest.raises(InvalidPosition, match="phase: is missing"):
        CATALOGUE.game_for(BRISCOLA).decode("trump=s")


def test_what_is_longer_than_any_move_is_not_read() -> None:
    """A move has a length that no honest one comes to; in it a card may be unknown."""
    game = CATALOGUE.game_for(BRISCOLA)
    with pytest.raises(MalformedMove, match=f"at most {MAX_MOVE_LENGTH} characters"):
        parse_move(game, "play_card" + " " * (MAX_MOVE_LENGTH - 9) + " ")
    with pytest.raises(UnknownCard):
        parse_move(game, "play_card " + "X" * (MAX_MOVE_LENGTH - 10))


@pytest.mark.parametrize("shares", [(("", 1),), (("\ud800", 1),), (("zia", 2**63),), (("zia", 1),) * 65])
def test_shares_that_nobody_can_have_are_named(shares: tuple[tuple[str, int], ...]) -> None:
    """Whoever is named has a name, an amount that can be sent, and not too many beside; else the field is said."""
    with pytest.raises(MalformedMove) as wrong:
        make_move(CATALOGUE.game_for(RuleSet("cucu", 3)), "reenter", shares=shares)
    assert "shares" == wrong.value.field


def test_the_table_and_the_seats_read_back() -> None:
    """Who makes a move is a seat, or the table."""
    assert (CHANCE, 0, 19) == tuple(map(parse_actor, ("table", "0", "19")))


@pytest.mark.parametrize(("key", "timeouts"), [("briscola", False), ("briscola-chiamata", True)])
def test_who_says_nothing_plays_the_first_card_or_passes(key: str, timeouts: bool) -> None:
    """When the time is over the first legal card is played, or what the game names for that is said."""
    game: AnyGame = CATALOGUE.game_for(RuleSet(key))
    walk = known_walk(RuleSet(key), "sound", deals=1, effort=1)
    p = next(p for p in walk.positions if seat_to_move(game, p) is not None)
    seat = seat_to_move(game, p)
    assert seat == game.turn(p)
    listed = legal_moves(game, p, seat or 0)
    move = default_move(game, p, seat or 0)
    assert timeouts == game.move_specs[move.verb].timeout_default
    assert timeouts or move == next(move for move in listed if not game.move_specs[move.verb].out_of_turn)
    assert move in listed
    assert seat_to_move(game, game.start()) is None


def test_no_card_lies_before_a_seat_that_is_out() -> None:
    """To ask for it is a fault of the program, and is said."""
    walk = known_walk(RuleSet("cucu", 4, (("tokens", "1"),)), "sound", deals=4, effort=1)
    p: Any = next(p for p in walk.positions if None in p.held)
    with pytest.raises(LookupError, match="no card lies before seat"):
        held_by(p, p.held.index(None))


def test_chance_takes_no_part_in_what_the_table_offers() -> None:
    """What chance supplies is listed to nobody as a move."""
    for key in ("briscola", "cucu"):
        game = CATALOGUE.game_for(RuleSet(key))
        assert legal_moves(game, game.start(), 0) == ()
        assert Move("start_deal") not in game.candidates(game.start(), 0)
