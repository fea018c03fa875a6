"""Determinizations agree with what play has shown of hidden cards."""

from random import Random

import pytest

from chitarrella.bots import InformationState
from chitarrella.bots.information_state import assign
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import Seat
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.walks import CATALOGUE, walk


def lacking(game: TrickGame, t: Table) -> set[tuple[Seat, str]]:
    """The seats that did not follow a suit, with the suit; for games without drawing."""
    tricks = [*((trick.leader, trick.cards) for trick in t.tricks), (t.leader, t.trick)]
    return {
        ((leader + place) % game.seats, game.cards.suit[cards[0]])
        for leader, cards in tricks
        for place, card in enumerate(cards)
        if game.cards.suit[card] != game.cards.suit[cards[0]]
    }


@pytest.mark.parametrize(("key", "players"), [("madrasso", 4), ("coteccio", 4), ("zifuli", 5)])
def test_who_did_not_follow_has_none_of_the_suit(key: str, players: int) -> None:
    """If following is a duty, a seat that did not follow has none of the suit in a determinization."""
    shown = 0
    played = walk(RuleSet(key, players), "imagining")
    game = played.game
    assert isinstance(game, TrickGame)
    for t in played.positions:
        if t.phase in game.deal_phases and t.hands:
            for seat in range(players):
                q = InformationState(game, t, seat).sample(Random(1))
                for other, suit in lacking(game, t):
                    shown += 1
                    assert not game.cards.of_suit(q.hands[other], suit)
    assert shown > 20


def test_who_called_a_card_holds_it() -> None:
    """At Zifuli the called card is in the caller's hand until it is played."""
    played = walk(RuleSet("zifuli", 5), "called")
    met = 0
    for t in played.positions:
        for bid in t.own.talk.bids:
            if bid.word and t.hands and not t.tricks and not t.trick:
                met += 1
                for seat in range(5):
                    assert bid.word in InformationState(played.game, t, seat).sample(Random(3)).hands[bid.seat]
    assert met


def test_every_unknown_card_is_possible() -> None:
    """Every card that is not known comes into the other hand in some determinization."""
    game = CATALOGUE.game_for(RuleSet("briscola", 2))
    t = walk(RuleSet("briscola", 2), "all").positions[1]
    info_state, rng = InformationState(game, t, 0), Random(4)
    seen = {*t.hands[0], t.turn_up}
    came = {card for _ in range(200) for card in info_state.sample(rng).hands[1]}
    assert came == set(game.pack.cards) - seen


def test_cards_make_room_for_each_other() -> None:
    """A card is placed elsewhere if another place needs its own; impossible constraints are reported."""
    ace, two, three = ITALIAN.hand(["Ab", "2b", "3b"])
    assert [two, ace, three] == assign([ace, two, three], [frozenset({ace, two}), frozenset({ace}), None])
    assert assign([ace, two], [frozenset({ace}), frozenset({ace})]) is None
