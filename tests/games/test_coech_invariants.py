"""Cöch: what is true of every deal, held against deals played at random (CO-I1 to CO-I13)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import IllegalMove, legal_moves, play, replay, view_for
from chitarrella.core.model import Seat
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.table import Match, seat
from tests.walks import Walk, known_walk, name

TABLES = [
    *(RuleSet("coech", players, (("match_deals", "2"),)) for players in (2, 3, 4)),
    RuleSet("coech", 4, (("match_deals", "2"), ("matto_rank", "above_nulla"))),
    RuleSet("coech", 3, (("match_deals", "2"), ("skip_dummy_dealer", "true"))),
]
EVERY = pytest.mark.parametrize(
    "walk",
    [pytest.param((table, seed), id=f"{name(table)}-{seed}") for table in TABLES for seed in ("one", "two")],
    indirect=True,
)


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Play two deals of a rule set."""
    rule_set, seed = request.param
    return known_walk(rule_set, seed, 2, 6)


def game_of(walk: Walk) -> TrickGame:
    """The game of a walk."""
    assert isinstance(walk.game, TrickGame)
    return walk.game


def running(walk: Walk) -> list[Table]:
    """The positions in which somebody is to play."""
    return [p for p in walk.positions if p.phase == "play"]


def ended(walk: Walk) -> list[Table]:
    """The position after the last card of each deal."""
    return [step.after for step in walk.steps if step.before.phase == "play" != step.after.phase]


@EVERY
def test_forty_cards(walk: Walk) -> None:
    """CO-I1: hands, trick and tricks are the forty cards, each face twice."""
    for p in running(walk) + ended(walk):
        cards = Counter([*p.trick, *(card for hand in p.hands for card in hand)])
        cards.update(card for trick in p.tricks for card in trick.cards)
        assert dict.fromkeys(game_of(walk).pack.faces.values(), 2) == cards


@pytest.mark.clause("CO-18")
@EVERY
def test_hands_are_level(walk: Walk) -> None:
    """CO-I2: at the start of a trick every hand has ten cards less the tricks played."""
    for p in running(walk):
        if not p.trick:
            assert [10 - len(p.tricks)] * 4 == [len(hand) for hand in p.hands]


@pytest.mark.clause("CO-16", "CO-17")
@EVERY
def test_playable_cards_are_one_suit_or_the_hand(walk: Walk) -> None:
    """CO-I3: the playable cards are never none, are of the hand, and are one suit of it or all of it."""
    game = game_of(walk)
    for p in running(walk):
        turn = game.turn(p)
        assert turn is not None
        hand = set(p.hands[turn])
        cards = {move.cards[0] for move in legal_moves(game, p, game.controller(turn))}
        suits = {game.cards.suit[card] for card in cards}
        assert cards in (
            [hand] if len(suits) == 2 else [hand, {card for card in hand if game.cards.suit[card] in suits}]
        )
        assert cards
        led = game.cards.suit[p.trick[0]] if p.trick else None
        assert cards == ({card for card in hand if game.cards.suit[card] == led} or hand)


@pytest.mark.clause("CO-9", "CO-24")
@EVERY
def test_counts_are_conserved(walk: Walk) -> None:
    """CO-I4: what the sides have and what is still out add up to 38 half-points and 82 units."""
    game = game_of(walk)
    for p in running(walk):
        out = (*p.trick, *(card for hand in p.hands for card in hand))
        sides = game.deal_scoring.by_side(game, p)
        left = [worth for _, worth in game.cards.count(out)]
        assert [38, 82] == [sum(side[place] for side in sides) + left[place] for place in (0, 1)]


@pytest.mark.clause("CO-25", "CO-26", "CO-27", "CO-28")
@EVERY
def test_exactly_one_result(walk: Walk) -> None:
    """CO-I5, CO-I6: side 0 wins, side 1 wins or it is a draw, a draw only at 19 and 41 each; results add up to 0."""
    game = game_of(walk)
    wins = [0, 0]
    for p in ended(walk):
        one, other = game.deal_scoring.by_side(game, p)
        assert (38, 82) == (one[0] + other[0], one[1] + other[1])
        if one != other:
            wins[one < other] += 1
        assert (one == other) == (one == (19, 41))
        assert tuple(wins) == p.match_state.wins
        assert (wins[0] - wins[1], wins[1] - wins[0]) * 2 == game.scores(p)
        assert 0 == sum(game.scores(p))


@pytest.mark.clause("CO-22", "CO-23", "CO-7")
@EVERY
def test_winner_of_every_trick(walk: Walk) -> None:
    """CO-I7: the winner's card is of the suit led, none of it ranks higher, no equal one was played before."""
    game = game_of(walk)
    for p in ended(walk):
        for trick in p.tricks:
            at = (trick.winner - trick.leader) % 4
            led = [
                game.cards.strength[card]
                for card in trick.cards
                if game.cards.suit[card] == game.cards.suit[trick.cards[0]]
            ]
            assert game.cards.suit[trick.cards[0]] == game.cards.suit[trick.cards[at]]
            assert max(led) == game.cards.strength[trick.cards[at]]
            assert at == trick.cards.index(trick.cards[at])


@pytest.mark.clause("CO-7")
@EVERY
def test_copies_are_alike(walk: Walk) -> None:
    """CO-I8: played with other copies of the faces the deal is the same, move by move."""
    game = game_of(walk)
    p = game.start()
    for step in walk.steps:
        copies = tuple(Card(card.rank, card.suit) for card in step.move.cards)
        p, events = play(game, p, step.actor, step.move._replace(cards=copies))
        assert (step.after, step.events) == (p, events)


@pytest.mark.clause("CO-21", "ALL-5")
@EVERY
def test_hidden_cards_do_not_show(walk: Walk) -> None:
    """CO-I9: exchanging cards between the other real hands changes nothing that a player sees."""
    game, rng = game_of(walk), Random(9)
    for p in running(walk):
        for viewer in range(4):
            hidden = [place for place in range(4) if place != viewer and game.controller(place) == place]
            cards = [card for place in hidden for card in p.hands[place]]
            rng.shuffle(cards)
            hands = list(p.hands)
            for place in hidden:
                hands[place] = tuple(cards.pop() for _ in p.hands[place])
            assert view_for(game, p, viewer) == view_for(game, p._replace(hands=tuple(hands)), viewer)


@pytest.mark.clause("ALL-2")
@EVERY
def test_moves_are_the_match(walk: Walk) -> None:
    """CO-I10: the same moves from the same pack lead to the same table, and a refused move changes nothing."""
    game = game_of(walk)
    assert walk.positions[-1] == replay(game, walk.moves)
    for p in running(walk)[::7]:
        before = game.encode(p)
        turn = game.turn(p)
        assert turn is not None
        card = next(card for card in game.pack.cards if card not in p.hands[turn])
        for actor in range(4):
            with pytest.raises(IllegalMove):
                play(game, p, actor, game.moves_by_card[actor][card])
        assert before == game.encode(p)


def shifted(seats: Seat) -> Seat:
    """The next seat."""
    return (seats + 1) % 4


@pytest.mark.clause("ALL-1", "CO-1", "CO-11", "CO-14")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_seats_are_alike(seed: str) -> None:
    """CO-I11: with four players every seat renumbered by one gives the renumbered deal and the renumbered result."""
    first = known_walk(RuleSet("coech", 4, (("first_dealer", "1"),)), seed, 1, 6)
    match = Match(seat("coech", 4, first_dealer="2"))
    for actor, move in first.moves:
        match.move(actor if actor < 0 else shifted(actor), move)
    last = first.positions[-1]
    assert [shifted(trick.winner) for trick in last.tricks] == [trick.winner for trick in match.p.tricks]
    scores = first.game.scores(last)
    assert (scores[3], *scores[:3]) == match.game.scores(match.p)
    assert frozenset(map(shifted, first.game.outcome(last) or ())) == match.game.outcome(match.p)


@pytest.mark.clause("CO-12", "CO-14")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("first", ["0", "3"])
def test_four_deals_go_round(players: int, first: str) -> None:
    """CO-I12: over four deals every seat deals once and leads first once, dummies too."""
    match = Match(seat("coech", players, first_dealer=first, match_deals="4"))
    dealers, leaders = [], []
    for _ in range(4):
        dealers.append(match.p.match_state.dealer)
        match.play_out()
        leaders.append(match.p.tricks[0].leader)
    assert [0, 1, 2, 3] == sorted(dealers) == sorted(leaders)
    assert all((one + 1) % 4 == other for one, other in pairwise(dealers))


@pytest.mark.clause("CO-8")
def test_half_points_and_units_make_the_number() -> None:
    """CO-I13: five times the half-points and the units make the number of a face, and 16 for the lion."""
    game = seat("coech", 4)
    romans = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "LEO"]
    numbers = {face: number for number, face in enumerate(romans, 1)}
    for face, card in game.pack.faces.items():
        worth = dict(game.cards.count((card,)))
        assert numbers.get(face, 0) == 5 * worth["half_points"] + worth["units"]
