"""Bisca of Guyana: cards, deal, cut, and what may answer a lead (clauses BG-3 to BG-6)."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE
from chitarrella.tricks.game import TrickGame
from tests.games.support.bisca_deals import answers, cut
from tests.games.support.table import Match, facts, first_cards, seat, table, worth, zone
from tests.walks import CATALOGUE, known_walk

KEY = "bisca-guyana"


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BG-3.1", "BG-6.1")
@pytest.mark.parametrize(("led", "played", "points"), [("Qd", "Jd", 5), ("Kd", "7d", 14)])
def test_jack_over_queen_and_seven_over_king(led: str, played: str, points: int) -> None:
    """BG-EX4: trump s; the Jack takes the Queen, the Seven takes the King."""
    match = cut(seat(KEY), {1: led, 0: played}, "3s")
    assert (0, points) == match.one_trick(f"1 {led}, 0 {played}")


@pytest.mark.clause("BG-3.2", "ALL-2", "ALL-8")
def test_three_players_leave_out_a_worthless_card() -> None:
    """BG-EX17, `removed_card`: 6h instead of 2c (BG-R4); a pack with it is refused, and nobody holds it."""
    game = seat(KEY, 3, removed_card="6h")
    assert ({"6h"}, True) == (set(seat(KEY).pack.cards) - set(game.pack.cards), "2c" in game.pack.cards)
    assert (39, 120) == (len(game.pack.cards), worth(game, game.pack.cards))
    assert ["bad_pack"] == Match(game).codes(CHANCE, f"start_deal {' '.join(seat(KEY).pack.cards)}")
    assert ["not_in_hand"] == cut(game, {1: "4c"}, "3s").codes(1, "play_card 6h")
    assert {"2c"} == set(seat(KEY).pack.cards) - set(seat(KEY, 3).pack.cards)
    for players in (2, 4):
        assert 40 == len(seat(KEY, players, removed_card="6h").pack.cards)


@pytest.mark.clause("BG-3.2")
def test_the_card_left_out_may_be_of_the_trump_suit() -> None:
    """BG-R23: trumps of nine cards are trumps like any other."""
    match = cut(seat(KEY, 3, removed_card="2c"), {1: "4d", 2: "3c", 0: "Ad"}, "5c")
    assert (2, 11) == match.one_trick("1 4d, 2 3c, 0 Ad")


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BG-5.3", "BG-5.8")
@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        pytest.param("4h", "Kh 2h Ad", "2h Kh", id="BG-EX1-plain"),
        pytest.param("4h", "Kh 2h 3s", "2h 3s Kh", id="BG-EX1-trump"),
        pytest.param("4h", "2h 3s Ad", "2h 3s", id="BG-EX1-third-suit"),
        pytest.param("4h", "3s Ad 5c", "3s 5c Ad", id="BG-EX2"),
        pytest.param("2s", "As 6h 7d", "6h 7d As", id="BG-EX3"),
    ],
)
def test_what_may_answer_a_lead(led: str, hand: str, allowed: str) -> None:
    """BG-EX1 to 3: follow or trump a plain suit; void, or to a trump, play anything (BG-R5 to BG-R9)."""
    match = cut(seat(KEY), {1: led, 0: hand}, "Qs")
    match.play(f"1 {led}")
    assert allowed == answers(match, 0)
    for card in set(hand.split()) - set(allowed.split()):
        (refusal,) = match.refusals(0, f"play_card {card}")
        assert ("must_follow_or_trump", "BG-5.3") == (refusal.code, refusal.clause.key)
        assert allowed == " ".join(sorted(refusal.allowed_cards))


@pytest.mark.clause("BG-5.3", "BG-6.1")
def test_nobody_need_beat_a_trick() -> None:
    """BG-R9: with the Ace in hand the Two of the suit led may be played, and loses."""
    match = cut(seat(KEY), {1: "Kh", 0: "Ah 2h Ad"}, "Qs")
    assert (1, 4) == match.one_trick("1 Kh, 0 2h")


@pytest.mark.clause("BG-5.3", "BG-5.6", "BG-6.1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", ["one", "two"])
def test_legal_cards(players: int, seed: str) -> None:
    """BG 3 to 5: in suit or a trump to a plain lead, else the whole hand, also without a stock (BG-R22)."""
    walk = known_walk(RuleSet(KEY, players, (("sudden_death", "false"),)), seed, 1, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, TrickGame)
    for p in walk.positions:
        turn = game.turn(p)
        assert not p.stock or p.turn_up in (None, p.stock[-1])
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(game, p, turn)}
            led = p.trick[0].suit if p.trick else p.trump
            bound = led != p.trump and any(card.suit == led for card in p.hands[turn])
            assert cards == {card for card in p.hands[turn] if not bound or card.suit in (led, p.trump)}
    assert 120 == sum(game.points(walk.positions[-1]))


@pytest.mark.clause("ALL-6", "BG-5.7")
def test_between_deals_the_tricks_stay() -> None:
    """What was public at the end of a deal stays in view until the next pack, hands not played out do not open."""
    match = cut(seat(KEY), {1: "7h 4c 5c", 0: "Ah"}, "3s")
    match.play("1 7h, 0 Ah")
    assert ("await_deal", 1) == (match.p.phase, match.p.match_state.dealer)
    view = match.view(None)
    assert (("3s",), 2, ()) == (
        zone(view, "turn_up").cards,
        zone(view, "hand", 1).size,
        zone(view, "hand", 1).cards,
    )
    assert {None: "s"} == facts(view, "trump")
    first_cards(match, 0).deal(match.game.pack.cards)
    assert {} == facts(match.view(None), "trump")


@pytest.mark.clause("BG-4.3", "BG-5.1")
def test_positions_that_no_table_shows() -> None:
    """In the phase of the cut no card has been played and none is turned up; afterwards one is."""
    game = seat(KEY)
    before, after = Match(game), cut(game, {}, "3s")
    before.deal(game.pack.cards)
    for bad in (
        before.p._replace(phase="play"),
        after.p._replace(phase="cut"),
        before.p._replace(turn_up=before.p.stock[-1], trump=before.p.stock[-1].suit),
        table(seat(KEY, trump_by="turn_up"), {}).p._replace(phase="cut"),
    ):
        with pytest.raises(ValueError, match="turn"):
            game.decode(game.encode(bad))
