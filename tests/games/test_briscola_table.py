"""Briscola: the exchange of the turn-up, refusals, and what is seen (clauses BR-5.7, BR-5.8, BR-5.10)."""

from __future__ import annotations

import pytest

from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.notation import MalformedMove
from tests.games.support.scripted_deals import rubber
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, zone

EX17 = {1: "5c 6c 7c", 0: "2d 3s 4s"}


# ---------------------------------------------------------------------- the exchange of the turn-up


@pytest.mark.clause("BR-5.7")
def test_the_two_goes_under_the_stock() -> None:
    """BR-EX12: trump d, s0 plays second with 2d; he takes Ad and everybody sees both; in trick 2 it is too late."""
    match = table(seat("briscola", deuce_exchange="true"), {1: "5c 6c 7c", 0: "2d 3s 4s"}, "Ad")
    match.play("1 5c")
    assert "exchange_turn_up 2d" in match.moves(0)
    late = Match(match.game, match.p)
    match.say(0, "exchange_turn_up 2d")
    assert ("3s 4s Ad", "2d", "2d", "d") == (match.hand(0), match.p.stock[-1], match.p.turn_up, match.p.trump)
    for viewer in (0, 1, None):
        assert [("turn_up_exchanged", 0, ("2d", "Ad"))] == [(e.kind, e.seat, e.cards) for e in match.events_for(viewer)]
    assert ["play_card 3s", "play_card 4s", "play_card Ad"] == match.moves(0)
    late.play("0 3s")
    late.play(f"1 {late.p.hands[1][0]}")
    assert (1, ["exchange_not_available"]) == (len(late.p.tricks), late.codes(0, "exchange_turn_up 2d"))


@pytest.mark.clause("BR-5.7", "ALL-8")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("agreed", ["", "true", "false"])
def test_deuce_exchange(players: int, agreed: str) -> None:
    """`deuce_exchange`: off where nothing is said; otherwise also at a table of three or four."""
    options = {"deuce_exchange": agreed} if agreed else {}
    match = table(seat("briscola", players, **options), {1: "2d 5s 6s"}, "Ad")
    codes = [] if agreed == "true" else ["exchange_not_available"]
    assert codes == match.codes(1, "exchange_turn_up 2d")
    assert (agreed == "true") == ("exchange_turn_up 2d" in match.moves(1))


@pytest.mark.clause("BR-5.7")
def test_no_exchange_where_the_two_is_turned_up() -> None:
    """BR-R21: when the Two of trumps is the turn-up, nobody has anything to exchange."""
    match = table(seat("briscola", deuce_exchange="true"), {1: "2c 5s 6s"}, "2d")
    assert 3 == len(match.moves(1))
    assert ["exchange_wrong_card"] == match.codes(1, "exchange_turn_up 2c")
    assert ["not_in_hand"] == match.codes(1, "exchange_turn_up 2d")


@pytest.mark.clause("BR-5.7", "BR-5.3")
def test_the_two_is_drawn_last() -> None:
    """After an exchange the Two is the card that is drawn last, face up."""
    match = table(seat("briscola", deuce_exchange="true"), {1: "2d 5s 6s"}, "Ad")
    match.say(1, "exchange_turn_up 2d")
    first_cards(match, 17)
    drawn = events_of(match, "card_drawn", None)
    assert [("2d",)] == [event.cards for event in drawn if event.cards]
    assert "2d" == drawn[-1].cards[0]


# ---------------------------------------------------------------------- refusals and views


@pytest.mark.clause("BR-5.10", "BR-5.2", "ALL-7", "ALL-4")
def test_refusals() -> None:
    """BR-EX17: every broken clause is named, in the order of checking, and nothing changes."""
    game = seat("briscola", deuce_exchange="true", rubber_games="1")
    match = Match(game)
    moves = ("play_card 3s", "exchange_turn_up 2d", "signal A", "show_hand_to_partner")
    assert [["wrong_phase"]] * 8 == [match.codes(place, move) for place in (0, 1) for move in moves]
    match = table(game, EX17, "Ad")
    assert ["not_your_turn"] == match.codes(0, "play_card 3s") == match.codes(0, "exchange_turn_up 2d")
    assert ["not_your_turn", "not_in_hand"] == match.codes(0, "play_card 6c")
    assert ["BR-5.3", "BR-5.2"] == match.cited(0, "play_card 6c")
    assert ["not_in_hand"] == match.codes(1, "play_card 3s")
    assert ["exchange_wrong_card"] == match.codes(1, "exchange_turn_up 5c")
    assert ["not_in_hand", "exchange_wrong_card"] == match.codes(1, "exchange_turn_up 3s")
    assert ["BR-5.7", "BR-5.7"] == match.cited(1, "exchange_turn_up 3s")
    assert ["signal_not_available"] == match.codes(1, "signal A")
    pack = f"start_deal {' '.join(game.pack.cards)}"
    assert ["wrong_phase"] == match.codes(CHANCE, pack)
    match.play("1 5c")
    assert [] == match.codes(0, "exchange_turn_up 2d")
    match.play_out()
    while match.game.turn(match.p) is not None:
        match.play_out()
    assert [["match_over"]] * 8 == [match.codes(place, move) for place in (0, 1) for move in moves]
    assert ["match_over"] == match.codes(CHANCE, pack)


@pytest.mark.clause("BR-5.10")
def test_a_wrong_card_out_of_time_breaks_two_clauses() -> None:
    """Where no exchange is agreed, laying down another card than the Two of trumps breaks both clauses."""
    match = table(seat("briscola"), EX17, "Ad")
    assert ["exchange_not_available", "exchange_wrong_card"] == match.codes(1, "exchange_turn_up 5c")
    both = ["not_in_hand", "exchange_not_available", "exchange_wrong_card"]
    assert both == match.codes(1, "exchange_turn_up 3s")


@pytest.mark.clause("ALL-5", "BR-5.8")
def test_nobody_asks_for_the_hand_of_another() -> None:
    """Where there are no dummies no card can be named for another seat, whether or not it is held there."""
    match = table(seat("briscola"), EX17, "Ad")
    for card in ("5c", "3s"):
        with pytest.raises(MalformedMove):
            match.codes(0, f"play_card {card} @1")


@pytest.mark.clause("ALL-4", "BR-3.2")
def test_the_card_left_out_is_no_misspelling() -> None:
    """The Two that three players leave out is a card nobody holds, so naming it is refused and not malformed."""
    match = table(seat("briscola", 3), {1: "5c 6c 7c"}, "4d")
    assert ["not_in_hand"] == match.codes(1, "play_card 2b")


@pytest.mark.clause("BR-5.8", "ALL-5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_each_seat_sees(players: int) -> None:
    """Everybody sees turn-up, sizes, tricks and games won; a hand only its seat; a drawn card only who drew it."""
    match = first_cards(table(seat("briscola", players), {}, "Ad"), 3)
    for viewer in (None, *range(players)):
        view = match.view(viewer)
        for place in range(players):
            hand = zone(view, "hand", place)
            assert (match.p.hands[place] if place == viewer else (), 3) == (hand.cards, hand.size)
        assert ((), len(match.p.stock) - 1) == (zone(view, "stock").cards, zone(view, "stock").size)
        assert ("Ad",) == zone(view, "turn_up").cards
        assert ({None: len(match.p.stock)}, {None: "d"}) == (facts(view, "stock"), facts(view, "trump"))
        assert [trick.cards for trick in match.p.tricks] == [p.cards for p in view.zones if p.name == "taken"]
        assert dict.fromkeys(range(players), 0) == facts(view, "deals_won")
        drawn = events_of(match, "card_drawn", viewer)
        assert players * 3 == len(drawn)
        assert {viewer} - {None} == {event.seat for event in drawn if event.cards}


@pytest.mark.clause("ALL-6", "BR-5.8")
@pytest.mark.parametrize(("winner", "state"), [(0, ("rubber_over", 0)), (None, ("await_deal", 1))])
def test_after_a_deal_everything_public_stays_in_view(winner: int | None, state: tuple[str, int]) -> None:
    """Tricks, points and turn-up stay in view until the next pack is dealt; after the last deal for good (BR-R23)."""
    match = Match(seat("briscola", rubber_games="1"))
    rubber(match, [winner])
    assert state == (match.p.phase, match.p.match_state.dealer)
    for viewer in (0, 1, None, REFEREE):
        view = match.view(viewer)
        assert match.p.tricks == tuple((p.leader, p.cards, p.seat) for p in view.zones if p.name == "taken")
        assert ({None: match.p.turn_up}, {None: match.p.trump}) == (facts(view, "turn_up"), facts(view, "trump"))
        assert 120 == sum(int(count) for count in facts(view, "card_points").values())


@pytest.mark.clause("ALL-6")
def test_the_next_pack_clears_the_table() -> None:
    """Dealer and leader are the coming ones; the next pack clears tricks, signals and hands shown away."""
    match = table(seat("briscola", 4, signals="free"), {})
    match.say(0, "signal A")
    first_cards(match, 7)
    match.say(0, "show_hand_to_partner")
    first_cards(match, 3)
    assert ("await_deal", {0: "A"}) == (match.p.phase, facts(match.view(2), "signal"))
    assert (1, 2) == (match.p.match_state.dealer, match.p.leader)
    match.deal(match.game.pack.cards)
    assert ((), (), ()) == (match.p.tricks, match.p.signals, match.p.shown)
