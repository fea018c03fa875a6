"""Cöch: the dummies of three and of two players (clauses CO-3, CO-13, CO-15)."""

from __future__ import annotations

import pytest

from chitarrella.core.model import CHANCE
from tests.games.support.table import Match, closing, events_of, seat, zone

CONTROLLERS = {4: (0, 1, 2, 3), 3: (0, 1, 0, 3), 2: (0, 1, 0, 1)}


def deal_table(players: int, dealer: int, **options: str) -> Match:
    """Deal an unshuffled pack."""
    match = Match(seat("coech", players, first_dealer=str(dealer), **options))
    match.deal(match.game.pack.cards)
    return match


@pytest.mark.clause("CO-3", "CO-15")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_plays_which_seat(players: int) -> None:
    """Seat 2 is a dummy for three players, seats 2 and 3 for two, played by the partner (CO-R11, CO-R12, CO-R13)."""
    match = deal_table(players, 3)
    assert CONTROLLERS[players] == tuple(match.game.controller(place) for place in range(4))
    while match.p.phase == "play":
        turn = match.game.turn(match.p)
        assert turn is not None
        person = CONTROLLERS[players][turn]
        at = "" if person == turn else f" @{turn}"
        assert all(move.endswith(at) for move in match.moves(person))
        assert [[]] * 3 == [match.moves(other) for other in range(4) if other != person]
        match.say(person, match.moves(person)[0])


@pytest.mark.clause("CO-14", "CO-15", "CO-12")
def test_three_players() -> None:
    """CO-E14: dealer 1, so the dummy leads, played by seat 0 alone; the next deal is the dummy's, leader 3 (CO-R15)."""
    match = deal_table(3, 1, match_deals="2")
    assert 2 == match.game.turn(match.p)
    card = match.p.hands[2][0]
    for place in (1, 3):
        assert ["not_your_turn"] == match.codes(place, f"play_card {card} @2")
        assert ["CO-15"] == match.cited(place, f"play_card {card} @2")
    assert ["not_your_turn"] == match.codes(2, f"play_card {card}")
    assert "not_your_turn" == match.codes(0, f"play_card {match.p.hands[0][0]}")[0]
    assert ["not_in_hand"] == match.codes(0, "play_card LEO @2")
    match.say(0, f"play_card {card} @2")
    assert [("card_played", 2, (card,))] == [(event.kind, event.seat, event.cards) for event in match.events_for(None)]
    match.play_out()
    assert (2, CHANCE) == (match.p.match_state.dealer, match.game.turn(match.p))
    match.deal(match.game.pack.cards)
    assert 3 == match.game.turn(match.p)


@pytest.mark.clause("CO-14", "CO-3")
def test_two_players() -> None:
    """CO-E14, end: dealer 3: seat 0 leads, then seat 1, then 0 for seat 2, then 1 for seat 3."""
    match = deal_table(2, 3)
    for turn, person in ((0, 0), (1, 1), (2, 0), (3, 1)):
        assert turn == match.game.turn(match.p)
        card = match.moves(person)[0].split()[1]
        at = "" if person == turn else f" @{turn}"
        assert "not_your_turn" == match.codes(1 - person, f"play_card {card} @{turn}")[0]
        match.say(person, f"play_card {card}{at}")


@pytest.mark.clause("CO-13", "CO-21", "ALL-5")
@pytest.mark.parametrize(("players", "dummies"), [(4, set()), (3, {2}), (2, {2, 3})])
def test_a_dummy_lies_open(players: int, dummies: set[int]) -> None:
    """CO-E14: before the lead everybody sees a dummy's ten cards, and nobody another real hand (CO-R10)."""
    match = deal_table(players, 1)
    for viewer in (None, *range(4)):
        for place in range(4):
            seen = place in dummies or place == viewer
            hand = zone(match.view(viewer), "hand", place)
            assert (match.p.hands[place] if seen else (), 10) == (hand.cards, hand.size)
        dealt_openly = {event.seat for event in events_of(match, "dealt", viewer) if event.cards}
        assert dummies | ({viewer} - {None}) == dealt_openly
    for _ in range(5):
        turn = match.game.turn(match.p)
        assert turn is not None
        person = match.game.controller(turn)
        match.say(person, match.moves(person)[0])
    for place in dummies:
        assert match.p.hands[place] == zone(match.view(None), "hand", place).cards


@pytest.mark.clause("CO-17", "CO-15")
def test_a_dummy_follows_suit() -> None:
    """A dummy's card must follow suit like any other, and the refusal names what the dummy holds."""
    match = closing(seat("coech", 3), {2: "I LEO"}, "1 V")
    assert ["play_card I @2"] == match.moves(0)
    (refusal,) = match.refusals(0, "play_card LEO @2")
    assert ("must_follow_suit", "CO-17", ("I",)) == (refusal.code, refusal.clause.key, refusal.allowed_cards)
    assert ["not_in_hand"] == match.codes(0, "play_card X @2")


@pytest.mark.clause("CO-28")
@pytest.mark.parametrize("players", [2, 3])
def test_a_person_has_the_results_of_both_seats(players: int) -> None:
    """CO-R16: who plays a dummy wins or loses two, and all results add up to nothing (CO-R8)."""
    match = deal_table(players, 3)
    match.play_out()
    (won,) = [event.seat for event in events_of(match, "match_won") if event.seat in (0, 1)]
    persons = dict.fromkeys(CONTROLLERS[players], 0)
    for place, score in enumerate(match.game.scores(match.p)):
        persons[match.game.controller(place)] += score
    size = 2 if won == 0 else -2
    assert ({0: size, 1: -size} if players == 2 else {0: size, 1: -size // 2, 3: -size // 2}) == persons


@pytest.mark.clause("CO-12", "ALL-8")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("skip", ["", "false", "true"])
def test_skip_dummy_dealer(players: int, skip: str) -> None:
    """`skip_dummy_dealer`: the deal goes round all four seats where nothing is said, else round real ones (CO-R14)."""
    options = {"skip_dummy_dealer": skip} if skip else {}
    match = Match(seat("coech", players, first_dealer="0", match_deals="9", **options))
    dealers = []
    for _ in range(6):
        dealers.append(match.p.match_state.dealer)
        match.play_out()
    real = [place for place in range(4) if CONTROLLERS[players][place] == place] if skip == "true" else [0, 1, 2, 3]
    assert (real * 6)[:6] == dealers
