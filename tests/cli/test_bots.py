"""Bots play legal moves, the better ones better, and determinizations agree with what play has shown."""

from random import Random
from time import perf_counter
from typing import Any

import pytest

from chitarrella.bots import BOTS, Effort, InformationState, bot_for, play_greedily
from chitarrella.bots.information_state import assign
from chitarrella.bots.search import chance_move
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import ITALIAN
from chitarrella.core.game import AnyGame, legal_moves, play
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from chitarrella_lab.duplicate_match import Margin, estimate, play_duplicate
from tests.walks import CATALOGUE, walk


def deal(game: AnyGame, bots: list[Any], rng: Random) -> Any:
    """Play one deal with the view of each seat, and check that every chosen move is legal."""
    p, packs = game.start(), 0
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE:
            packs += bool(game.chance_request(p).cards)
            if packs == 2:
                break
            p, _ = play(game, p, CHANCE, chance_move(game, p, rng))
        else:
            actor = game.controller(turn)
            move = bots[actor](InformationState(game, p, actor), rng)
            assert move in legal_moves(game, p, actor)
            p, _ = play(game, p, actor, move)
    return p


@pytest.mark.parametrize(
    ("key", "players", "kinds", "deals", "least"),
    [
        *(
            (key, 2, "greedy random", 30, {"ahead": 0.6})
            for key in ("briscola", "briscolone", "brusquembille", "coech")
        ),
        ("coteccio", 4, "greedy random", 60, {"points": 2}),
        ("harjan", 2, "greedy random", 10, {"ahead": 0.8}),
        ("briscola-chiamata", 5, "normal random", 4, {"ahead": 0.5, "score": 0}),
    ],
)
def test_better_bot_is_ahead(key: str, players: int, kinds: str, deals: int, least: dict[str, float]) -> None:
    """Over the same deals with swapped seats a greedy bot beats a random one, and a search bot a greedy one."""
    game = CATALOGUE.game_for(CATALOGUE.normalize(RuleSet(key, players)))
    bots = [bot_for(kind, game, Effort(None, 30)) for kind in kinds.split()]
    margins = [play_duplicate(game, (bots[0], bots[1]), f"look ahead {number}") for number in range(deals)]
    for name, bound in least.items():
        assert estimate([getattr(margin, name) for margin in margins]).mean > bound


@pytest.mark.parametrize("kind", ["easy", "normal", "random"])
def test_a_false_claim_is_not_made(kind: str) -> None:
    """Where a claim of the target is possible, but false at any time of the deal, no bot makes it."""
    options = (("claim_from_deal", "1"), ("min_deals", "2"))
    game = CATALOGUE.game_for(RuleSet("madrasso", 4, options))
    assert all(
        game.outcome(deal(game, [bot_for(kind, game, Effort(None, 4))] * 4, Random(seed))) is None for seed in (1, 2)
    )


def test_against_itself_a_bot_is_level() -> None:
    """A bot against itself over the same deals, with the same seeds in both seats, is level."""
    game = CATALOGUE.game_for(RuleSet("briscola", 2))
    margins = [play_duplicate(game, (play_greedily, play_greedily), str(number)) for number in range(5)]
    assert margins == [Margin(0.5, 0, 0)] * 5


@pytest.mark.parametrize("effort", [Effort(0.0), Effort(None, 0), Effort(None, 1), Effort(0.0, 1)])
def test_the_least_effort_is_enough_for_a_move(effort: Effort) -> None:
    """A search bot chooses a legal move with the least effort."""
    game = CATALOGUE.game_for(RuleSet("briscola", 2))
    deal(game, [bot_for("search", game, effort)] * 2, Random(1))


@pytest.mark.parametrize("kind", BOTS)
def test_a_bot_may_be_asked_out_of_turn(kind: str) -> None:
    """A bot that is asked out of turn makes a move that is possible out of turn."""
    game = CATALOGUE.game_for(RuleSet("briscola", 4))
    asked = 0
    for seed in range(6):
        p, rng = game.start(), Random(seed)
        p, _ = play(game, p, CHANCE, chance_move(game, p, rng))
        for seat in range(4):
            info_state = InformationState(game, p, seat)
            if seat != game.turn(p) and info_state.moves:
                asked += 1
                assert bot_for(kind, game, Effort(None, 2))(info_state, rng).verb == "signal"
    assert asked


def test_a_search_without_a_limit_is_refused() -> None:
    """A search without a limit is refused."""
    with pytest.raises(ValueError, match="a search needs a limit"):
        bot_for("search", CATALOGUE.game_for(RuleSet("briscola", 2)), Effort(None, None))


def test_a_time_limit_is_kept() -> None:
    """A search takes about its time limit, in any position."""
    game = CATALOGUE.game_for(RuleSet("cuccu-a-trionfo", 4))
    p, rng = game.start(), Random(5)
    while game.turn(p) == CHANCE:
        p, _ = play(game, p, CHANCE, chance_move(game, p, rng))
    began = perf_counter()
    bot_for("search", game, Effort(0.2))(InformationState(game, p, game.turn(p) or 0), rng)
    assert 0.15 < perf_counter() - began < 5


def test_a_signal_of_a_greedy_player_is_true() -> None:
    """If false signals are allowed, a greedy bot still signals only trumps that it holds."""
    game = CATALOGUE.game_for(RuleSet("briscola", 4, (("signals", "free"),)))
    output = 0
    for seed in range(12):
        p, rng = game.start(), Random(seed)
        p, _ = play(game, p, CHANCE, chance_move(game, p, rng))
        for _ in range(12):
            turn = game.turn(p)
            assert turn is not None
            info_state = InformationState(game, p, turn)
            view, move = info_state.view, play_greedily(info_state, rng)
            (trump,) = (fact.value for fact in view.facts if fact.name == "trump")
            if move.verb == "signal":
                (hand,) = (zone for zone in view.zones if zone.name == "hand" and zone.seat == turn)
                assert f"{move.choice}{trump}" in hand.cards
                output += 1
            p, _ = play(game, p, turn, move)
    assert output


def test_supply_gives_the_whole_pack() -> None:
    """Supply gives the whole pack of the game; the same seed gives the same order."""
    game = CATALOGUE.game_for(RuleSet("briscola", 3))
    first, second = (chance_move(game, game.start(), Random(3)) for _ in range(2))
    assert game.pack.holds_exactly(first.cards)
    assert first == second


def test_supply_draws_a_lot() -> None:
    """If the first dealer is drawn, supply draws a seat that deals."""
    game = CATALOGUE.game_for(RuleSet("coech", 4))
    lots = {chance_move(game, game.start(), Random(seed)) for seed in range(40)}
    assert {Move("draw_dealer", amount=seat) for seat in range(4)} == lots


# ---------------------------------------------------------------------- determinizations


def lacking(game: Rules, t: Table) -> set[tuple[Seat, str]]:
    """The seats that did not follow a suit, with the suit; for games without drawing."""
    tricks = [*((trick.leader, trick.cards) for trick in t.tricks), (t.leader, t.trick)]
    suit = game.cards.suit
    played = ((leader, cards, place, card) for leader, cards in tricks for place, card in enumerate(cards))
    return {((leader + at) % game.seats, suit[of[0]]) for leader, of, at, card in played if suit[card] != suit[of[0]]}


@pytest.mark.parametrize(("key", "players"), [("madrasso", 4), ("coteccio", 4), ("zifuli", 5)])
def test_who_did_not_follow_has_none_of_the_suit(key: str, players: int) -> None:
    """If following is a duty, a seat that did not follow has none of the suit in a determinization."""
    shown = 0
    played = walk(RuleSet(key, players), "imagining")
    game = played.game
    assert isinstance(game, Rules)
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
            if bid.value and t.hands and not t.tricks and not t.trick:
                met += 1
                for seat in range(5):
                    assert bid.value in InformationState(played.game, t, seat).sample(Random(3)).hands[bid.seat]
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
