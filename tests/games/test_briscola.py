"""Briscola: cards, deal, tricks, draws, results and the rubber (clauses BR-3 to BR-7)."""

from __future__ import annotations

import pytest

from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import CHANCE, REFEREE
from tests.games.support.scripted_deals import contrive, points
from tests.games.support.table import Match, facts, seat, table, worth

RANKS = ["A", "3", "R", "C", "F", "7", "6", "5", "4", "2"]


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BR-3.3")
def test_spanish_cards_keep_the_codes() -> None:
    """The codes stay A 3 R C F also for Spanish or French cards: a King is R, and K, S or J name no card."""
    game = seat("briscola")
    assert set(RANKS) == {card.rank for card in game.pack.cards}
    for word in ("Kb", "Sb", "Jb", "Qb", "1b"):
        with pytest.raises(UnknownCard):
            game.pack.card(word)


@pytest.mark.clause("BR-3.2", "ALL-8")
@pytest.mark.parametrize("two", ["2b", "2c", "2d", "2s"])
def test_three_players_leave_out_the_agreed_two(two: str) -> None:
    """`removed_two`: 39 cards without that Two, still 120 points; other tables keep all four (BR-R1, BR-R25)."""
    game = seat("briscola", 3, removed_two=two)
    assert {two} == set(seat("briscola", 2).pack.cards) - set(game.pack.cards)
    assert (39, 120) == (len(game.pack.cards), worth(game, game.pack.cards))
    for players in (2, 4):
        assert 40 == len(seat("briscola", players, removed_two=two).pack.cards)


@pytest.mark.clause("BR-3.2")
def test_three_players_leave_out_the_two_of_batons_unless_agreed() -> None:
    """BR-R1: the Two of batons is the one that is left out where nothing is said."""
    assert seat("briscola", 3, removed_two="2b").pack == seat("briscola", 3).pack


@pytest.mark.clause("ALL-2", "BR-3.2")
def test_forty_cards_are_no_pack_for_three() -> None:
    """BR-R24: a pack with the Two that is out of play is refused; the 39 cards are dealt."""
    game = seat("briscola", 3)
    whole = " ".join(seat("briscola", 2).pack.cards)
    match = Match(game)
    assert ["bad_pack"] == match.codes(CHANCE, f"start_deal {whole}")
    assert [] == match.codes(CHANCE, f"start_deal {' '.join(game.pack.cards)}")


@pytest.mark.clause("BR-4.2")
@pytest.mark.parametrize("turn_up", ["As", "3s", "2s", "7s"])
def test_any_card_may_be_turned_up(turn_up: str) -> None:
    """BR-R19: whatever is turned up fixes trumps and stays; an Ace or a Two changes nothing else."""
    match = table(seat("briscola"), {}, turn_up)
    assert ("play", "s", turn_up, turn_up) == (match.p.phase, match.p.trump, match.p.turn_up, match.p.stock[-1])
    assert (0, 0) == match.p.match_state.wins


@pytest.mark.clause("BR-3.2", "BR-6.1")
def test_the_trump_suit_may_be_the_one_without_its_two() -> None:
    """BR-R20: trumps of nine cards are trumps like any other."""
    game = seat("briscola", 3, removed_two="2d")
    match = table(game, {1: "Ac 5c 6c", 2: "4d 5s 6s", 0: "3c 7c 4c"}, "5d")
    assert (2, 21) == match.one_trick("1 Ac, 2 4d, 0 3c")
    assert 9 == sum(suit == "d" for suit in (game.cards.suit[card] for card in game.pack.cards))


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("BR-6.1")
def test_a_higher_card_of_another_suit_loses() -> None:
    """BR-EX1: trump d, s1 leads 5c, s0 plays 3s: s1 wins 10."""
    match = table(seat("briscola"), {1: "5c 6c 7c", 0: "3s 4s 5s"}, "4d")
    assert (1, 10) == match.one_trick("1 5c, 0 3s")


@pytest.mark.clause("BR-6.1")
def test_the_highest_trump_wins_for_its_side() -> None:
    """BR-EX2: trump c; of 2c and Fc the Fc wins 23, and side A has them (BR-R22)."""
    game = seat("briscola", 4, first_dealer="1")
    match = table(game, {2: "Ab 4b 5b", 3: "2c 4s 5s", 0: "Fc 6s 7s", 1: "3b 6b 7b"}, "4c", dealer=1)
    assert (0, 23) == match.one_trick("2 Ab, 3 2c, 0 Fc, 1 3b")
    assert (23, 0) == tuple(count[0] for count in game.deal_scoring.by_side(game, match.p))


@pytest.mark.clause("BR-6.1")
@pytest.mark.parametrize(("third", "worth_"), [("Cc", 3), ("2b", 0)], ids=["BR-EX4-suit", "BR-EX4-trump"])
def test_three_players_take_by_suit_or_trump(third: str, worth_: int) -> None:
    """BR-EX4: trump b, 7c and 6c lie; s2 wins 3 with Cc, or nothing with 2b where 2c was left out."""
    game = seat("briscola", 3, removed_two="2c", first_dealer="2")
    match = table(game, {0: "7c 4s 5s", 1: "6c 6s 7s", 2: f"{third} 4d 5d"}, "4b", dealer=2)
    assert (2, worth_) == match.one_trick(f"0 7c, 1 6c, 2 {third}")


# ---------------------------------------------------------------------- briscola results


@pytest.mark.clause("BR-7.4", "BR-7.2")
def test_a_side_wins_the_rubber_together() -> None:
    """Of four players both seats of a side win, and both have its games."""
    match = Match(seat("briscola", 4, rubber_games="1"))
    match.play_out()
    while match.game.outcome(match.p) is None:
        match.play_out()
    won = match.p.match_state.wins.index(1)
    assert frozenset({won, won + 2}) == match.game.outcome(match.p)
    assert tuple(int(place % 2 == won) for place in range(4)) == match.game.scores(match.p)
    assert {0: 1 - won, 1: won, 2: 1 - won, 3: won} == facts(match.view(REFEREE), "deals_won")


@pytest.mark.clause("ALL-3", "BR-7.1")
def test_forced_cards_are_moves() -> None:
    """The last card of a hand is not played by itself."""
    game = seat("briscola")
    match = contrive(game, 0, points(61, 59)).perform(Match(game), tricks=19)
    for cards_left in (2, 1):
        turn = match.game.turn(match.p)
        assert turn is not None
        assert ("play", cards_left) == (match.p.phase, sum(len(hand) for hand in match.p.hands))
        (move,) = match.moves(turn)
        match.say(turn, move)
    assert "await_deal" == match.p.phase


@pytest.mark.clause("BR-5.2")
def test_every_card_may_be_played() -> None:
    """BR-EX3: Rd is led, trump s; Ad, 4d and 2s may all be played."""
    match = table(seat("briscola"), {1: "Rd 5c 6c", 0: "Ad 4d 2s"}, "4s")
    match.play("1 Rd")
    assert ["play_card 2s", "play_card 4d", "play_card Ad"] == match.moves(0)
