"""What is true of every deal of the Briscola family, held against random deals (the invariants of BR, BN and BQ)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import legal_moves, view_for
from chitarrella.core.model import EVERYBODY, Move
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.table import Match, seat
from tests.walks import Walk, known_walk, name

BRISCOLA = [
    *(RuleSet("briscola", players, (("signals", "free"),)) for players in (2, 3, 4)),
    *(RuleSet("briscola", players, (("deuce_exchange", "true"),)) for players in (2, 3, 4)),
]
BRISCOLONE = [RuleSet("briscolone", 2)]
BRUSQUEMBILLE = [RuleSet("brusquembille", 2, (("seven_exchange", choice),)) for choice in ("true", "false")]
SEEDS = ("one", "two", "three")

SIZES = {
    ("briscola", 2): (17, 20),
    ("briscola", 3): (10, 13),
    ("briscola", 4): (7, 10),
    ("briscolone", 2): (15, 20),
    ("brusquembille", 2): (13, 16),
}
"""Rounds of drawing and tricks of a deal."""


def walks(*rule_sets: RuleSet, deals: int = 1) -> pytest.MarkDecorator:
    """Run a test over some random deals of these rule sets."""
    every = [
        pytest.param((rule_set, seed, deals), id=f"{name(rule_set)}-{seed}") for rule_set in rule_sets for seed in SEEDS
    ]
    return pytest.mark.parametrize("walk", every, indirect=True)


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Play the deals of a rule set."""
    rule_set, seed, deals = request.param
    return known_walk(rule_set, seed, deals, 6)


def game_of(walk: Walk) -> TrickGame:
    """The game of a walk."""
    assert isinstance(walk.game, TrickGame)
    return walk.game


def played(walk: Walk) -> list[Table]:
    """The positions once the cards are dealt."""
    return [p for p in walk.positions if p.hands]


FAMILY = walks(*BRISCOLA, *BRISCOLONE, *BRUSQUEMBILLE)


@FAMILY
def test_cards_are_never_lost_or_doubled(walk: Walk) -> None:
    """BR, BN, BQ 1: cards taken, hands, stock and trick are the pack."""
    for p in played(walk):
        cards = [card for hand in p.hands for card in hand] + [card for trick in p.tricks for card in trick.cards]
        assert Counter(walk.game.pack.cards) == Counter([*cards, *p.stock, *p.trick])


@pytest.mark.clause("BR-5.3", "BN-5.3", "BQ-5.3")
@FAMILY
def test_hands_are_level_between_tricks(walk: Walk) -> None:
    """BR, BN, BQ 2: between tricks all hands have one size, the dealt one while the stock lasted at the last draw."""
    game = game_of(walk)
    size = game.dealing.start.size
    rounds, tricks = SIZES[game.key, game.seats]
    for p in played(walk):
        if not p.trick:
            assert {size if len(p.tricks) <= rounds else tricks - len(p.tricks)} == {len(hand) for hand in p.hands}


@pytest.mark.clause("BR-4.2", "BN-4.2", "BQ-4.1")
@FAMILY
def test_number_of_tricks_and_draws(walk: Walk) -> None:
    """BR, BN, BQ 3: so many tricks and rounds of drawing as the table says."""
    game = game_of(walk)
    rounds, tricks = SIZES[game.key, game.seats]
    drawn = [event for step in walk.steps for event in step.events if event.kind == "card_drawn"]
    assert (tricks, rounds * game.seats) == (len(walk.positions[-1].tricks), len(drawn))


@pytest.mark.clause("BR-3.1", "BN-3.1", "BQ-3.1")
@FAMILY
def test_points_add_up(walk: Walk) -> None:
    """BR, BN, BQ 4: the points taken in a deal are 120."""
    assert 120 == sum(game_of(walk).points(walk.positions[-1]))


@pytest.mark.clause("BR-5.2", "BN-5.2", "BQ-5.2")
@FAMILY
def test_every_card_of_the_hand_may_be_played(walk: Walk) -> None:
    """BR, BN, BQ 5: whoever is to play may play any card of its hand."""
    game = game_of(walk)
    for p in played(walk):
        turn = game.turn(p)
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(game, p, turn) if move.verb == "play_card"}
            assert set(p.hands[turn]) == cards


@pytest.mark.clause("BR-5.3", "BR-5.7", "BQ-5.3", "BQ-5.4")
@walks(*BRISCOLA, *BRUSQUEMBILLE)
def test_the_turn_up_is_drawn_last(walk: Walk) -> None:
    """BR 6, BQ 7: the turn-up, whatever lies there, goes to the seat before the winner of the last draw's trick."""
    game = game_of(walk)
    rounds, _ = SIZES[game.key, game.seats]
    (step,) = [step for step in walk.steps if step.before.stock and not step.after.stock]
    winner = step.after.tricks[rounds - 1].winner
    *_, last = [event for event in step.events if event.kind == "card_drawn"]
    assert ((winner - 1) % game.seats, (step.before.turn_up,), EVERYBODY) == (last.seat, last.cards, last.seen_by)


def relabelled(game: TrickGame, walk: Walk, suits: dict[str, str]) -> Match:
    """Play the same deal with suits renamed."""

    def renamed(cards: Hand) -> Hand:
        return tuple(game.pack.card(card.rank + suits[card.suit]) for card in cards)

    match = Match(game)
    for actor, move in walk.moves:
        match.move(actor, move._replace(cards=renamed(move.cards)))
    return match


@pytest.mark.clause("BR-6.1", "BN-6.1", "BQ-6.1")
@walks(RuleSet("briscola", 2), RuleSet("briscola", 4), *BRISCOLONE, *BRUSQUEMBILLE)
def test_plain_suits_are_alike(walk: Walk) -> None:
    """BR 7, BN 6: renaming the plain suits among themselves, in Briscolone all four, changes no winner."""
    game = game_of(walk)
    trump = walk.positions[-1].trump
    plain = [suit for suit in game.pack.suits if suit != trump]
    for order in list(permutations(plain))[1:8:3]:
        match = relabelled(game, walk, {**dict(zip(plain, order, strict=True)), trump: trump})
        assert [trick.winner for trick in walk.positions[-1].tricks] == [trick.winner for trick in match.p.tricks]


@pytest.mark.clause("BR-5.5", "BR-5.9")
@walks(RuleSet("briscola", 4, (("signals", "free"),)), RuleSet("briscola", 4))
def test_signals_and_showing_change_nothing_else(walk: Walk) -> None:
    """BR 8: without signals and shown hands the deal is the same, and opponents saw the same all along."""
    game = game_of(walk)
    silent = Match(game)
    spoken = 0
    for step in walk.steps:
        if step.move.verb in ("signal", "show_hand_to_partner"):
            spoken += 1
            for viewer in ((step.actor + 1) % 4, (step.actor + 3) % 4, None):
                assert view_for(game, step.before, viewer) == view_for(game, step.after, viewer)
        else:
            silent.move(step.actor, step.move)
        assert (step.after.hands, step.after.stock, step.after.tricks) == (
            silent.p.hands,
            silent.p.stock,
            silent.p.tricks,
        )
        assert cards_of(game, step.after) == cards_of(game, silent.p)
    assert spoken > 0
    assert silent.p.match_state == walk.positions[-1].match_state


def cards_of(game: TrickGame, p: Table) -> list[list[Move]]:
    """The cards each seat may play."""
    return [[move for move in legal_moves(game, p, place) if move.verb == "play_card"] for place in range(game.seats)]


@pytest.mark.clause("BR-7.4", "BN-7.1", "BQ-7.1")
@walks(RuleSet("briscola", 2), RuleSet("briscola", 3), *BRISCOLONE, *BRUSQUEMBILLE, deals=30)
def test_a_rubber_ends_with_the_third_win(walk: Walk) -> None:
    """BR 9: the rubber ends when somebody first has three wins, and not before."""
    for p in walk.positions:
        assert (p.phase == "rubber_over") == (max(p.match_state.wins) == 3)
    assert "rubber_over" == walk.positions[-1].phase


@pytest.mark.clause("BN-6.1", "BN-4.2")
@walks(*BRISCOLONE)
def test_without_trumps_the_leader_wins_mixed_tricks(walk: Walk) -> None:
    """BN 7: the leader wins every trick in which the suits differ (BN-R7, BN-R13)."""
    mixed = [trick for trick in walk.positions[-1].tricks if len({card.suit for card in trick.cards}) == 2]
    assert mixed
    assert all(trick.leader == trick.winner for trick in mixed)


@pytest.mark.clause("BQ-7.2", "BQ-7.3")
@walks(*BRUSQUEMBILLE)
def test_chips_of_a_deal(walk: Walk) -> None:
    """BQ 4 and 6: the chips received are 12, the balance is level, and only aces and tens move it."""
    assert 12 == sum(event.amount or 0 for step in walk.steps for event in step.events if event.kind == "chips_paid")
    for step in walk.steps:
        assert 0 == sum(step.after.match_state.chips)
        if step.before.match_state.chips != step.after.match_state.chips:
            assert {"A", "T"} & {card.rank for card in step.after.tricks[-1].cards}


@pytest.mark.clause("BQ-7.2")
@pytest.mark.parametrize(("ace", "ten"), [(0, 0), (5, 0), (0, 7), (99, 99)])
def test_chips_of_a_deal_at_other_prices(ace: int, ten: int) -> None:
    """BQ 4: four aces and four tens are paid for in every deal, at whatever price."""
    game = seat("brusquembille", ace_payment=str(ace), ten_payment=str(ten))
    match = Match(game)
    match.play_out()
    assert 4 * ace + 4 * ten == sum(event.amount or 0 for event in match.events if event.kind == "chips_paid")
