"""Cuccu a trionfo: seats, cards, the cut, the turn-up and laying aside (robbing is in test_cuccu_robbing)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import pytest

from chitarrella.core.notation import MalformedMove, parse_move
from tests.games.support.table import Match, events_of, facts, zone
from tests.games.support.trionfo_tables import (
    CUT_ALREADY,
    cut_pack,
    game,
    in_play,
    perform,
    play_at_random,
    rob,
    robbing,
)

NUMBERS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
PICTURES = ["MAT", "LEO", "MAS", "SEC", "NUL", "XI", "XII", "XIII", "XIV", "XV"]


@pytest.mark.clause("CT-2", "CT-4", "CT-5", "ALL-2")
def test_cards() -> None:
    """Two suits of ten faces, each twice; numbers count 110 and pictures 130, and the zero cards nothing (CT-R26)."""
    table = game()
    assert dict.fromkeys(NUMBERS + PICTURES, 2) == Counter(map(str, table.pack.cards))
    assert dict.fromkeys(NUMBERS, "numbers") | dict.fromkeys(PICTURES, "pictures") == table.suit
    worth = [*range(1, 11), 0, 0, 0, 0, 0, *range(11, 16)]
    for face, value in zip(NUMBERS + PICTURES, worth, strict=True):
        assert (("card_points", value),) == table.count((table.pack.card(face),))
    for faces, total in ((NUMBERS, 110), (PICTURES, 130)):
        assert (("card_points", total),) == table.count(table.pack.hand(faces * 2))


@pytest.mark.clause("CT-1", "ALL-1")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_places(dealer: int) -> None:
    """Four seats (CT-R28); the seat before the dealer cuts and robs, an opponent of his, and the one after leads."""
    match = Match(game(dealer))
    assert ((0, 1, 0, 1), [4]) == (match.game.sides, list(match.game.seatings))
    match.deal(match.game.pack.cards)
    cutter = (dealer + 3) % 4
    assert match.game.sides[cutter] != match.game.sides[dealer]
    for phase, place, move in (
        ("cut", cutter, "cut 20"),
        ("cutter_rob", cutter, "rob_pass"),
        ("dealer_rob", dealer, "rob_pass"),
        ("play", (dealer + 1) % 4, ""),
    ):
        assert (phase, place) == (match.p.phase, match.game.turn(match.p))
        if move:
            match.say(place, move)


# ---------------------------------------------------------------------- the cut


@pytest.mark.clause("CT-6", "CT-9")
@pytest.mark.parametrize("lifted", [1, 2, 20, 39])
def test_the_cut(lifted: int) -> None:
    """CT-E3, CT-R1, CT-R3: what is lifted goes under the rest; its bottom card is the pack's, and its height public."""
    match = Match(game())
    pack = match.game.pack.cards
    match.deal(pack)
    match.say(3, f"cut {lifted}")
    assert pack[lifted:] + pack[:lifted] == match.p.stock
    assert {None: lifted} == facts(match.view(None), "lifted")
    assert [("pack_cut", 3, lifted, ())] == [
        (event.kind, event.seat, event.amount, event.cards) for event in match.last
    ]


@pytest.mark.clause("CT-9", "CT-11")
def test_the_lifted_packet_is_used_up() -> None:
    """CT-E3, CT-R2, CT-R32: of three lifted cards the cutter may rob three; then the deal begins with the fourth."""
    match = robbing(game(rob_limit="6"), "X XIV XV")
    fourth = match.p.stock[0]
    rob(match, 3, "rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(X), rob_take")
    assert "dealer_rob" == match.p.phase
    assert fourth == match.p.hands[1][0]


@pytest.mark.clause("CT-9", "CT-11")
def test_a_pack_that_comes_cut() -> None:
    """`cut_mode`: nobody cuts; the pack is taken as it is, and the whole of it counts as lifted."""
    match = Match(game(**CUT_ALREADY))
    match.deal(match.game.pack.cards)
    assert ("cutter_rob", match.game.pack.cards) == (match.p.phase, match.p.stock)
    assert {None: 40} == facts(match.view(None), "lifted")


@pytest.mark.clause("CT-31", "ALL-4")
@pytest.mark.parametrize(
    "words", ["cut", "cut x", "cut 1.5", "cut X", "play_card VII coins", "play_card XVI", "rob_look X"]
)
def test_malformed(words: str) -> None:
    """No whole number, no face and no suit: such words name nothing of the game."""
    with pytest.raises(ValueError, match=r".+"):
        parse_move(game(), words)


@pytest.mark.clause("CT-30")
def test_there_is_no_other_move() -> None:
    """Nobody bids, claims, concedes or signals."""
    robbing_moves = {"rob_look", "rob_pass", "rob_take", "rob_leave"}
    assert {"start_deal", "cut", *robbing_moves, "discard", "play_card"} == set(game().move_specs)
    for words in ("pass_bid", "claim_777", "exchange_turn_up VII", "signal X", "annul_deal", "cut_stock 3"):
        with pytest.raises(MalformedMove):
            parse_move(game(), words)


# ---------------------------------------------------------------------- turn-up and trionfo


@pytest.mark.clause("CT-18", "CT-16")
@pytest.mark.parametrize("moves", ["rob_look(XIV), rob_leave", "rob_pass"])
def test_a_robbable_card_is_turned_up(moves: str) -> None:
    """CT-E5: a card that the dealer leaves, or does not look at, is turned up, and lies apart for everybody to see."""
    match = robbing(game(), "II", "XIV", {1: "XIV"})
    rob(rob(match, 3, "rob_pass"), 0, moves)
    assert ("play", ("XIV",)) == (match.p.phase, zone(match.view(None), "turn_up").cards)
    assert "play_card XIV numbers" in match.moves(1)


@pytest.mark.clause("CT-19", "CT-21")
@pytest.mark.parametrize("laid", ["VII", "MAT"])
def test_missing_trionfo_is_no_event(laid: str) -> None:
    """CT-R10, CT-R23: whether the trionfo or another card was laid aside, the others get the same views and events."""
    match = robbing(game(), "II X", "VII", {3: "VII MAT"})
    rob(rob(match, 3, "rob_look(X), rob_take, rob_pass"), 0, "rob_pass")
    match.say(3, f"discard {laid}")
    for viewer in (None, 0, 1, 2):
        view = match.view(viewer)
        assert ((), 1) == (zone(view, "discards", 3).cards, zone(view, "discards", 3).size)
        assert laid not in " ".join(f"{event.cards} {event.word}" for event in match.events_for(viewer))
    assert (laid,) == zone(match.view(3), "discards", 3).cards


# ---------------------------------------------------------------------- laying aside


@pytest.mark.clause("CT-20", "CT-31")
def test_any_two_cards_may_be_laid_aside() -> None:
    """CT-E7, CT-R9, CT-R10, CT-R11: any two cards of the ten, in any order, the trionfo too; no other number."""
    match = robbing(game(), "XII XIV X", "VII", {3: "VI VI II MAT NUL XI XII VII"})
    rob(rob(match, 3, "rob_look(X), rob_take, rob_look(XIV), rob_take, rob_look(XII), rob_leave"), 0, "rob_pass")
    assert Counter(["X", "XIV", "VI", "VI", "II", "MAT", "NUL", "XI", "XII", "VII"]) == Counter(match.p.hands[3])
    assert (
        [] == match.codes(3, "discard MAT II") == match.codes(3, "discard II MAT") == match.codes(3, "discard VII MAT")
    )
    assert ["wrong_discard_count"] == match.codes(3, "discard MAT") == match.codes(3, "discard II MAT NUL")
    assert ["not_in_hand"] == match.codes(3, "discard MAT MAT")
    assert ["wrong_discard_count", "not_in_hand"] == match.codes(3, "discard V")
    assert parse_move(match.game, "discard MAT II") == parse_move(match.game, "discard II MAT")
    faces = set(match.p.hands[3])
    assert comb(len(faces), 2) + 1 == len(match.moves(3))
    match.say(3, "discard II MAT")
    assert ("play", 8) == (match.p.phase, len(match.p.hands[3]))


@pytest.mark.clause("CT-20")
def test_every_choice_stands_in_the_list_once() -> None:
    """CT-R39: after six robbed cards the list holds every multiset of six once."""
    match = robbing(game(preset="masenghini"), "IX X X XIV XIV XV XV", "V", {3: "I II III IV IV VI VI VII"})
    rob(match, 3, ", ".join(f"rob_look({card}), rob_take" for card in ("XV", "XV", "XIV", "XIV", "X", "X")))
    rob(rob(match, 3, "rob_pass"), 0, "rob_pass")
    every = {tuple(sorted(cards)) for cards in combinations(match.p.hands[3], 6)}
    assert len(every) == len(match.moves(3)) <= 1201


@pytest.mark.clause("CT-20", "CT-21")
def test_the_cutter_lays_aside_before_the_dealer() -> None:
    """CT-R9: first the cutter, then the dealer, each as many as he has robbed; then the play begins."""
    match = robbing(game(), "II X", "XV VII")
    rob(rob(match, 3, "rob_look(X), rob_take, rob_pass"), 0, "rob_look(XV), rob_take, rob_pass")
    for place in (3, 0):
        assert ("discard", place) == (match.p.phase, match.game.turn(match.p))
        match.say(place, match.moves(place)[0])
    assert ("play", {8}) == (match.p.phase, {len(hand) for hand in match.p.hands})
    assert [(3, 1), (0, 1)] == [(event.seat, len(event.cards)) for event in events_of(match, "discarded")]


@pytest.mark.clause("CT-8", "CT-37", "CT-21")
def test_eight_cards_are_out_of_play() -> None:
    """CT-R24, CT-R37: turn-up, stock and what was laid aside count for nobody; if all are zeros 240 are in play."""
    zeros = "NUL NUL SEC SEC MAS MAS LEO"
    pack = cut_pack(game(**CUT_ALREADY), "", f"{zeros} LEO")
    match = Match(game(**CUT_ALREADY))
    match.deal(pack)
    rob(rob(match, 3, "rob_pass"), 0, "rob_pass")
    assert ("NUL", [*zeros.split()[1:], "LEO"]) == (match.p.turn_up, list(match.p.stock))
    match.play_out()
    assert 240 == sum(match.game.points(match.p))


@pytest.mark.clause("CT-7", "CT-38")
def test_the_deal_goes_round() -> None:
    """The next seat deals after every deal; after the last one the dealer stays who he was."""
    match = Match(game(2, match_deals="3"))
    for dealer in (2, 3, 0):
        assert ("await_deal", dealer) == (match.p.phase, match.p.match_state.dealer)
        play_at_random(match, Random(dealer))
    assert ("match_over", 0) == (match.p.phase, match.p.match_state.dealer)


@pytest.mark.clause("CT-19", "CT-33")
def test_the_trionfo_is_the_twin_of_the_turn_up() -> None:
    """CT-R22: the other copy of the turn-up takes the trick and counts what its face does."""
    match = perform(in_play(game(), "I", {0: "I", 1: "XV", 2: "XV", 3: "XIV"}, leader=1), "1 XV, 2 XV, 3 XIV, 0 I")
    assert (0, 45) == (match.p.tricks[-1].winner, match.game.count(match.p.tricks[-1].cards)[0][1])
