"""What everybody can tell of cards that lie face down, worked out here from the tricks in another, plainer way."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from chitarrella.bots import Effort, bot_for
from chitarrella.bots.information_state import HiddenCards
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import play
from chitarrella.core.model import CHANCE, REFEREE, Inference, Move
from chitarrella.core.notation import InvalidPosition
from chitarrella.tricks.robbing import robbers
from tests.cli.test_bots import deal
from tests.walks import CATALOGUE, Walk, defaults, known_walk, name, tables, variants

DRAWN = [RuleSet("briscola", 2), RuleSet("briscola", 4), RuleSet("brisca", 3), RuleSet("bisca-guyana", 3)]
FOLLOWED = [RuleSet("coteccio", 4), RuleSet("coteccio", 6), RuleSet("madrasso", 4)]
ROBBED = [each for each in variants() if each.game == "cuccu-a-trionfo"]


EVERYWHERE = [*(each for each in defaults() if each.players in tables(CATALOGUE.game(each.game))), *ROBBED]


def walks(rule_set: RuleSet, number: int) -> list[Walk]:
    return [known_walk(rule_set, f"clues {place}", deals=1, effort=1) for place in range(number)]


def inferences_of(walk: Walk, p: Any, viewer: int | None = None) -> list[Inference]:
    game: Any = walk.game
    return list(game.inferences(p, viewer))


@pytest.mark.unmeasured
@pytest.mark.parametrize("rule_set", EVERYWHERE, ids=name)
def test_events_agree_with_the_positions(rule_set: RuleSet) -> None:
    """No inference is false: the true position is one of those that every viewer thinks possible."""
    for walk in walks(rule_set, 2):
        for p in walk.positions[::3]:
            for viewer in (None, *range(walk.game.seats)):
                lying = HiddenCards(walk.game, p, viewer)
                inferences = inferences_of(walk, p, viewer)
                for inference in inferences:
                    mine = [one for one in lying.places if one.zone in inference.zones and one.seat == inference.seat]
                    if inference.place is not None:
                        mine = [place for place in mine if inference.place in (place.front, place.back)]
                    there = sum(place.card in inference.cards for place in lying.places)  # the others have been seen
                    least = len(mine) if inference.many is None else min(inference.many, len(mine), there)
                    assert sum(place.card in inference.cards for place in mine) >= least


@pytest.mark.parametrize("rule_set", DRAWN, ids=name)
def test_everybody_knows_who_drew_the_turn_up(rule_set: RuleSet) -> None:
    """When the stock is gone the turn-up lies in a hand, in that of which it is told, until it is played."""
    known = 0
    for walk in walks(rule_set, 6):
        game: Any = walk.game
        for p in (
            p for p in walk.positions if p.hands and p.turn_up and game.phase(p) in game.deal_phases and not p.stock
        ):
            holders = [seat for seat, hand in enumerate(p.hands) if p.turn_up in hand]
            inferences = [inference for inference in inferences_of(walk, p) if inference.many is not None]
            for seat in holders:
                assert [Inference(("hand",), seat, frozenset({p.turn_up}), 1)] == inferences
            known += len(holders)
    assert known > 5


@pytest.mark.parametrize("rule_set", FOLLOWED, ids=name)
def test_who_did_not_follow_has_none_of_that_suit(rule_set: RuleSet) -> None:
    """Everybody has seen it, whether or not that seat has played to the present trick, and however long ago it was."""
    found = Counter[bool]()
    for walk in walks(rule_set, 6):
        game: Any = walk.game
        for p in (p for p in walk.positions if any(p.hands) and game.phase(p) in game.deal_phases and not p.stock):
            players_in = game.dealt_in_seats(game, p)
            void: dict[int, set[str]] = {seat: set() for seat in players_in}
            for leader, cards in (*(trick[:2] for trick in p.tricks), (p.leader, p.trick)):
                for step, card in enumerate(cards):
                    if game.cards.suit[card] != game.cards.suit[cards[0]]:
                        void[players_in[(players_in.index(leader) + step) % len(players_in)]].add(
                            game.cards.suit[cards[0]]
                        )
            sure = (one for one in inferences_of(walk, p) if one.zones == ("hand",) and one.many is None)
            may = {one.seat: one.cards for one in sure}
            for seat in (seat for seat in players_in if p.hands[seat]):
                for suit in void[seat]:
                    assert not {card for card in may[seat] if game.cards.suit[card] == suit}
                    found[(players_in.index(seat) - players_in.index(p.leader)) % len(players_in) < len(p.trick)] += 1
    assert set(found) == {True, False}


def test_a_robber_knows_what_he_has_robbed() -> None:
    """Of each card that he took and has not played since he is told that it is still somewhere with him."""
    found = 0
    for rule_set in ROBBED:
        for walk in walks(rule_set, 2):
            game: Any = walk.game
            for p in (p for p in walk.positions if p.hands and game.phase(p) == "play"):
                for _, seat, robber in robbers(game, p):
                    places = [(seat - trick.leader) % game.seats for trick in p.tricks]
                    played = [trick.cards[place] for trick, place in zip(p.tricks, places, strict=True)]
                    played += p.trick[(seat - p.leader) % game.seats :][:1]
                    left = Counter(robber.robbed) - Counter(played)
                    known = inferences_of(walk, p, seat)
                    inferences = [one for one in known if "robbed" in one.zones and one.seat == seat]
                    assert dict(left) == {card: inference.many for inference in inferences for card in inference.cards}
                    found += len(robber.robbed) - left.total()
    assert found > 5


# ---------------------------------------------------------------------- heuristics


@pytest.mark.parametrize("kind", ["greedy", "search"])
@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_bots_play_a_deal(rule_set: RuleSet, kind: str) -> None:
    """A bot that asks the rules for values, or for hidden cards dealt again, plays a deal with legal moves."""
    game = CATALOGUE.game_for(rule_set)
    deal(game, [bot_for(kind, game, Effort(None, 2))] * game.seats, Random(2))


@pytest.mark.parametrize(("key", "players"), [("cuccu-a-trionfo", 4), ("coech", 4), ("scopa", 4)])
def test_cards_that_stay_change_nothing(key: str, players: int) -> None:
    """Dealt anew with the same cards in the same places, every position of a deal is itself to the referee."""
    options = (("cutter_robs", "true"),) if key == "coech" else ()
    for seed in range(8):  # some robber takes a card in the sixth deal
        walk = known_walk(CATALOGUE.normalize(RuleSet(key, players, options)), f"redeal {seed}", 2, 6)
        for p in walk.positions:
            assert p == walk.game.redeal(p, REFEREE, list(walk.game.zones(p)))
    assert walk.game.partner(0) == 2


def test_hands_of_a_partial_deal_are_of_their_size() -> None:
    """Where nobody draws, a hand has the cards that were dealt, less those that were played."""
    game = CATALOGUE.game_for(RuleSet("coteccio", 4, (("first_dealer", "0"),)))
    p, _ = play(game, game.start(), CHANCE, Move("start_deal", game.pack.cards))
    aside = tuple(hand[0] for hand in p.hands)
    short = p._replace(hands=tuple(hand[1:] for hand in p.hands), own=p.own._replace(undealt=p.own.undealt + aside))
    with pytest.raises(InvalidPosition, match="less those that were played"):
        game.decode(game.encode(short))
