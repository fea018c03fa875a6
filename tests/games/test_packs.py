"""Packs: which cards are in play, and how often."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import CUCCO, ITALIAN, Pack
from chitarrella.core.game import play, validate_move
from chitarrella.core.model import CHANCE, Move
from tests.walks import CATALOGUE


@pytest.mark.parametrize(
    ("pack", "cards", "surplus"),
    [
        (ITALIAN, "Ab 3b Ac", ""),
        (ITALIAN, "Ab 3b Ab Ab Ac Ac", "Ab Ac"),
        (ITALIAN.without(ITALIAN.card("2b")), "2b 2c", "2b"),
        (CUCCO, "XV XV MAT MAT", ""),
        (CUCCO, "XV XV XV NUL", "XV"),
    ],
)
def test_surplus_are_the_faces_that_are_named_too_often(pack: Pack, cards: str, surplus: str) -> None:
    """A face may be named as often as the pack in play has it: once, twice with two copies, never if left out."""
    assert surplus == " ".join(pack.surplus(pack.hand(cards.split())))


@pytest.mark.parametrize(
    ("pack", "cards", "missing"),
    [
        (ITALIAN, " ".join(ITALIAN.cards[2:]), " ".join(ITALIAN.cards[:2])),
        (ITALIAN, " ".join(ITALIAN.cards), ""),
        (ITALIAN.without(ITALIAN.card("2b")), " ".join(ITALIAN.cards), ""),
        (CUCCO, " ".join(CUCCO.cards[1:]), CUCCO.cards[0]),
    ],
)
def test_missing_are_the_faces_that_are_not_named_often_enough(pack: Pack, cards: str, missing: str) -> None:
    """A face is missing if it is named less often than the pack in play has it."""
    assert missing == " ".join(pack.missing(pack.hand(cards.split())))


@pytest.mark.parametrize("rule_set", [RuleSet("briscola", 2), RuleSet("coech", 2), RuleSet("cucu", 2)])
def test_a_wrong_pack_is_refused_with_what_is_wrong_with_it(rule_set: RuleSet) -> None:
    """The refusal of a pack names the cards that it misses and those that it has too often."""
    game = CATALOGUE.game_for(rule_set)
    p = game.start()
    while not game.chance_request(p).cards:
        request = game.chance_request(p)
        p, _ = play(game, p, CHANCE, Move(request.verb, amount=request.amounts[0]))
    verb, cards = game.chance_request(p).verb, game.chance_request(p).cards
    spoilt = (*cards[:-1], cards[0])
    (refusal,) = validate_move(game, p, CHANCE, Move(verb, spoilt))
    assert ("bad_pack", (cards[-1],), (cards[0],)) == (refusal.code, refusal.allowed_cards, refusal.offending_cards)
