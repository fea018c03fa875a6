"""What the protocol of games says to bots and to questions without a position, of both families."""

from __future__ import annotations

import hmac
from dataclasses import replace
from typing import Any, cast

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core import provable_shuffle
from chitarrella.core.game import TrickState, legal_moves, play
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.provable_shuffle import commit, derive_nonce, shuffle, verify
from chitarrella.tricks.seating import everybody
from chitarrella.tricks.single_trick import SingleTrick
from tests.walks import CATALOGUE


def test_a_trick_without_a_position() -> None:
    """Briscola: the highest trump takes the trick, points are counted by card, every card of the hand may be played."""
    game = CATALOGUE.game_for(RuleSet("briscola", 2))
    tricks = game.trick_rules
    assert tricks is not None
    cards = game.pack.hand(["Rs", "2d", "6c", "3b"])
    assert 1 == tricks.winning_index(TrickState(cards, trump="d")).value
    assert (None, ("trump",)) == tricks.winning_index(TrickState(cards))
    assert (("card_points", 14),) == tuple(tricks.count(cards, "d"))
    assert {"b", "c", "d", "s"} == set(tricks.suits)
    assert "s" == tricks.suit_of[cards[0]]
    assert [((), ())] * 4 == list(tricks.plays(cards, TrickState(), 0).values())
    assert (0, 1) == everybody(cast(Any, game), None)


def test_rules_of_tricks_made_anew_ask_for_the_declared_suit() -> None:
    """Cuccu a trionfo: what follows the trionfo depends on the suit declared with it; in Briscola nothing does."""
    game = CATALOGUE.game_for(RuleSet("cuccu-a-trionfo", 4))
    cards = {code: game.pack.card(code) for code in ("MAT", "VI", "XI")}
    trick = TrickState((cards["MAT"],), trump="", trump_card=cards["MAT"], stock_size=0)
    tricks = replace(cast(SingleTrick, game.trick_rules))  # what the game keeps was worked out in another test
    answers = tricks.plays((cards["VI"], cards["XI"]), trick, 0)
    assert [("declared_suit",)] * 2 == [answer.depends_on for answer in answers.values()]
    other = CATALOGUE.game_for(RuleSet("briscola", 2))
    hand = other.pack.hand(["Rs", "2d"])
    plays = replace(cast(SingleTrick, other.trick_rules)).plays(hand, TrickState(other.pack.hand(["3b"])), 0)
    assert [()] * 2 == [answer.depends_on for answer in plays.values()]


def test_an_exchange_game_has_no_tricks() -> None:
    """Cucù: each seat is its own side, nobody has a partner, and moves have values for a bot."""
    game = CATALOGUE.game_for(RuleSet("cucu", 4))
    assert game.trick_rules is None
    assert not game.avoids_points
    assert (0, 1, 2, 3) == game.sides
    assert game.partner(0) is None
    p = game.start()
    while (turn := game.turn(p)) == CHANCE:
        request = game.chance_request(p)
        amount = request.amounts[0] if request.amounts else None
        p, _ = play(game, p, CHANCE, Move(request.verb, request.cards, amount=amount))
    assert turn is not None
    moves = legal_moves(game, p, turn)
    assert len(moves) == len(game.move_values(p, turn, moves))


def test_a_nonce_follows_from_the_seed() -> None:
    """A nonce is an HMAC of the number of the draw, and its shuffle verifies against the commitment to it."""
    nonce = derive_nonce("seed", 3)
    assert hmac.new(b"seed", b"shuffle 3", "sha256").hexdigest() == nonce
    cards = CATALOGUE.game_for(RuleSet("briscola", 2)).pack.cards
    assert "" == verify(cards, shuffle(cards, nonce, 3), commit(nonce), nonce, 3)


def test_a_number_that_would_favour_some_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of the last, incomplete span of 64 bits are passed over, so that every order is as likely."""
    monkeypatch.setattr(provable_shuffle, "_random_numbers", lambda *_: iter([2**64 - 1, 0, 0]))
    assert ("b", "c", "a") == shuffle(("a", "b", "c"), "nonce", 1)
