"""The parts of the rules that only games of other packages use, by the games of ``examples/`` in this process."""

import sys
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any

import pytest

from chitarrella import tricks
from chitarrella.bots.information_state import InformationState
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import legal_moves, persons_to_move, play
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import InvalidPosition
from chitarrella_testing.checks import LAWS, check_law
from chitarrella_testing.expectations import Expectations
from chitarrella_testing.walks import walk
from tests.example_packages import EXAMPLES

EXPECTED = Expectations(reveals=frozenset({"2c"}))
CHOICES = {
    "sueca": [{}, {"turned_card": "first", "four_games_for": "all_points", "level_counts": "true", "target": "1"}],
    "hearts": [{"target": "30"}, {"passing": "never", "moon": "takes_off", "points_in_first_trick": "true"}],
}


def imported(key: str) -> ModuleType:
    """The module of a package, from its sources."""
    sys.path.insert(0, str(EXAMPLES / key / "src"))
    try:
        return import_module(f"chitarrella_{key}")
    finally:
        del sys.path[0]


@pytest.mark.parametrize("chosen", [0, 1], ids=["usual", "unusual"])
@pytest.mark.parametrize("key", CHOICES)
def test_examples_keep_the_laws(key: str, chosen: int) -> None:
    """Every law holds; that of names is for the kit, which knows the texts of a package."""
    games = Catalogue(iter([imported(key)]))
    rule_set = games.normalize(RuleSet(key, 4, tuple(CHOICES[key][chosen].items())))
    played = walk(games, rule_set, "0", 4, 6, EXPECTED)
    for law in LAWS:
        check_law(law, played)


@pytest.fixture
def passing() -> tuple[Any, Any]:
    """Hearts, and its first deal before anybody has chosen."""
    game = imported("hearts").HEARTS.configure(4, {})
    return game, play(game, game.start(), CHANCE, Move("start_deal", game.pack.cards))[0]


def test_impossible_choices_are_refused(passing: tuple[Any, Any]) -> None:
    """Nobody chooses another number of cards, or passes what the receiver neither holds nor has played."""
    game, p = passing
    short = p._replace(hands=(p.hands[0][1:], *p.hands[1:]), own=p.own._replace(chosen=(p.hands[0][:1], (), (), ())))
    chosen = tuple(hand[:3] for hand in p.hands)
    every = p._replace(hands=tuple(hand[3:] for hand in p.hands), own=p.own._replace(chosen=chosen))
    for one in (
        short,
        every,
        *(p._replace(own=p.own._replace(**own)) for own in ({"chosen": ()}, {"passed": ((),) * 4})),
    ):
        with pytest.raises(InvalidPosition, match=r"chosen|passed"):
            game.decode(game.encode(one))
    after = p
    for seat in game.turns(p):
        after = play(game, after, seat, legal_moves(game, after, seat)[0])[0]
    assert after == game.decode(game.encode(after))
    elsewhere = after.own.passed[1:] + after.own.passed[:1]
    with pytest.raises(InvalidPosition, match="passed"):
        game.decode(game.encode(after._replace(own=after.own._replace(passed=elsewhere))))


def test_two_reasons_to_know_a_card_are_one(passing: tuple[Any, Any]) -> None:
    """Who passed the Two knows from this and from the lead where it is; with hidden cards dealt anew it stays there."""
    game, p = passing
    giver = next(seat for seat, hand in enumerate(p.hands) if "2c" in hand)
    for seat in game.turns(p):
        p = play(game, p, seat, Move("pass_cards", p.hands[seat][:3]))[0]
    state = InformationState(game, p, giver)
    assert all("2c" in state.sample(Random(seed)).hands[game.turn(p)] for seed in range(9))


def test_impossible_totals_are_refused(passing: tuple[Any, Any]) -> None:
    """A match that somebody has won is over, and no more deals were level than were dealt."""
    game, p = passing
    won = p._replace(match_state=p.match_state._replace(totals=(100, 0, 1, 2)))
    level = p._replace(match_state=p.match_state._replace(draws=9))
    for one, field in ((won, "totals"), (level, "draws")):
        with pytest.raises(InvalidPosition, match=field):
            game.decode(game.encode(one))


def test_all_who_choose_have_to_move(passing: tuple[Any, Any]) -> None:
    """Four persons have to move at once; a suit with its own counts has its own ranking."""
    game, p = passing
    assert {0, 1, 2, 3} == set(persons_to_move(game, p))
    assert {"c", "d", "h", "s"} == {each.suit for each in game.ranking}
    assert () == tuple(tricks.Play().inferences(game, p))
