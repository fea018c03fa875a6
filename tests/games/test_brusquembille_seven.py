"""Brusquembille: the exchange of the Seven, refusals, and what is seen (clauses BQ-5.4 to BQ-5.6)."""

from __future__ import annotations

import pytest

from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.notation import MalformedMove, parse_move
from tests.games.support.scripted_deals import rubber
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, zone


def with_seven(hands: dict[int, str], agreed: str = "true") -> Match:
    """Deal these hands, s1 to lead; trump s, turn-up Ks."""
    return table(seat("brusquembille", seven_exchange=agreed), hands, "Ks")


@pytest.mark.clause("BQ-5.4")
def test_the_seven_goes_under_the_stock() -> None:
    """BQ-EX11: s1 lays 7s down and takes Ks; 7s lies last in the stock, face up, and everybody sees both."""
    match = with_seven({1: "7s 8h 9h"})
    match.say(1, "exchange_turn_up 7s")
    assert ("8h 9h Ks", "7s", "7s", "s") == (match.hand(1), match.p.stock[-1], match.p.turn_up, match.p.trump)
    for viewer in (0, 1, None):
        assert [("turn_up_exchanged", 1, ("7s", "Ks"))] == [(e.kind, e.seat, e.cards) for e in match.events_for(viewer)]
        assert ("7s",) == zone(match.view(viewer), "turn_up").cards
    assert ["play_card 8h", "play_card 9h", "play_card Ks"] == match.moves(1)


@pytest.mark.clause("BQ-5.4", "BQ-5.6")
def test_no_exchange_when_the_turn_up_has_been_drawn() -> None:
    """BQ-EX11, end: once the turn-up has been drawn there is nothing to exchange."""
    match = with_seven({1: "7s 8h 9h"})
    while match.p.stock:
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, f"play_card {next(card for card in reversed(match.p.hands[turn]) if card != '7s')}")
    holder = next(place for place in (0, 1) if "7s" in match.p.hands[place])
    if holder != match.game.turn(match.p):
        match.say(1 - holder, match.moves(1 - holder)[0])
    assert ["exchange_not_available"] == match.codes(holder, "exchange_turn_up 7s")
    assert ["BQ-5.4"] == match.cited(holder, "exchange_turn_up 7s")


@pytest.mark.clause("BQ-5.4", "BQ-7.2")
def test_exchange_second_to_play() -> None:
    """BQ-EX13: s1 leads Th; s0 exchanges, plays Ks at once, wins 14 and is paid 1 (BQ-R14)."""
    match = with_seven({1: "Th 8d 9d", 0: "7s 8c 9c"}, "true")
    match.play("1 Th")
    match.say(0, "exchange_turn_up 7s")
    assert (0, 14) == match.one_trick("0 Ks")
    assert [(1, 0, 1)] == [(e.seat, e.other, e.amount) for e in events_of(match, "chips_paid")]


@pytest.mark.clause("BQ-5.4")
def test_exchange_in_a_later_trick() -> None:
    """BQ-EX13, end: 9h is led, 8c played, both draw; in trick 2 s1 may still exchange before leading Th."""
    match = with_seven({1: "7s 9h Th", 0: "8c 9c Jc"})
    assert (1, 0) == match.one_trick("1 9h, 0 8c")
    match.say(1, "exchange_turn_up 7s")
    match.play("1 Th")
    assert "Ks" in match.p.hands[1]


@pytest.mark.clause("BQ-5.4")
def test_no_exchange_where_the_seven_is_turned_up() -> None:
    """When the Seven of trumps is the turn-up nobody has anything to exchange."""
    match = table(seat("brusquembille", seven_exchange="true"), {1: "7h 8h 9h"}, "7s")
    assert 3 == len(match.moves(1))
    assert ["exchange_wrong_card"] == match.codes(1, "exchange_turn_up 7h")


@pytest.mark.clause("BQ-5.4", "ALL-8")
@pytest.mark.parametrize("agreed", ["", "true", "false"])
def test_seven_exchange(agreed: str) -> None:
    """`seven_exchange`: off where nothing is said (BQ-R10)."""
    options = {"seven_exchange": agreed} if agreed else {}
    match = table(seat("brusquembille", **options), {1: "7s 8h 9h"}, "Ks")
    codes = [] if agreed == "true" else ["exchange_not_available"]
    assert codes == match.codes(1, "exchange_turn_up 7s")
    assert (agreed == "true") == ("exchange_turn_up 7s" in match.moves(1))


@pytest.mark.clause("BQ-5.6", "BQ-5.2", "BQ-5.3")
def test_refusals() -> None:
    """BQ-EX15: wrong card, a card not held, out of turn, and no exchange agreed; every broken clause is named."""
    match = with_seven({1: "7s 8h 9h", 0: "8d 9d Jd"})
    assert ["exchange_wrong_card"] == match.codes(1, "exchange_turn_up 8h")
    assert ["not_in_hand", "exchange_wrong_card"] == match.codes(1, "exchange_turn_up 7c")
    assert ["BQ-5.4", "BQ-5.4"] == match.cited(1, "exchange_turn_up 7c")
    assert [["not_your_turn"]] * 3 == [match.codes(0, f"play_card {card}") for card in ("8d", "9d", "Jd")]
    assert ["not_your_turn", "not_in_hand"] == match.codes(0, "play_card 7s")
    assert ["BQ-5.3", "BQ-5.2"] == match.cited(0, "play_card 7s")
    assert ["not_your_turn", "exchange_wrong_card"] == match.codes(0, "exchange_turn_up 8d")
    assert ["BQ-5.4", "BQ-5.4"] == match.cited(0, "exchange_turn_up 8d")
    off = with_seven({1: "7s 8h 9h"}, "false")
    assert ["exchange_not_available"] == off.codes(1, "exchange_turn_up 7s")
    assert ["exchange_not_available", "exchange_wrong_card"] == off.codes(1, "exchange_turn_up 8h")


@pytest.mark.clause("BQ-5.6", "ALL-7")
def test_before_and_after() -> None:
    """While a pack is wanted every move is out of phase, a pack during the deal too; after the rubber all is over."""
    game = seat("brusquembille", rubber_games="1")
    match = Match(game)
    pack = f"start_deal {' '.join(game.pack.cards)}"
    moves = ("play_card 7c", "exchange_turn_up 7c")
    assert [["wrong_phase"]] * 4 == [match.codes(place, move) for place in (0, 1) for move in moves]
    match.say(CHANCE, pack)
    assert ["wrong_phase"] == match.codes(CHANCE, pack)
    over = Match(game)
    rubber(over, [1])
    assert [["match_over"]] * 4 == [over.codes(place, move) for place in (0, 1) for move in moves]
    assert ["match_over"] == over.codes(CHANCE, pack)


@pytest.mark.clause("ALL-4")
@pytest.mark.parametrize("words", ["signal A", "show_hand_to_partner", "play_card 2c", "play_card Ab", "claim_777"])
def test_what_is_no_move_here(words: str) -> None:
    """Signals and showing are no moves of this game, and a card of another pack is none."""
    game = seat("brusquembille")
    assert {"start_deal", "play_card", "exchange_turn_up"} == set(game.move_specs)
    with pytest.raises((MalformedMove, UnknownCard)):
        parse_move(game, words)


@pytest.mark.clause("BQ-5.5", "ALL-5", "ALL-6")
def test_what_is_seen() -> None:
    """As in Briscola: hands and drawn cards are private, all else is public, the balance of chips too."""
    match = first_cards(table(seat("brusquembille"), {1: "Ac 8c 9c", 0: "7c Jc Qc"}, "Ks"), 3)
    for viewer in (0, 1, None):
        view = match.view(viewer)
        for place in (0, 1):
            assert (match.p.hands[place] if viewer == place else ()) == zone(view, "hand", place).cards
        assert ((), len(match.p.stock) - 1) == (zone(view, "stock").cards, zone(view, "stock").size)
        assert ({None: "Ks"}, {None: "s"}) == (facts(view, "turn_up"), facts(view, "trump"))
        assert dict(enumerate(match.p.match_state.chips)) == facts(view, "chips")
        assert match.p.match_state.chips != (0, 0)
        assert {viewer} - {None} == {event.seat for event in events_of(match, "card_drawn", viewer) if event.cards}


@pytest.mark.clause("BQ-5.5", "ALL-6")
def test_after_the_rubber_all_stays_in_view() -> None:
    """Tricks, points, turn-up and chips of the last deal stay in view for good."""
    match = Match(seat("brusquembille", rubber_games="1"))
    rubber(match, [0])
    for viewer in (0, 1, None, REFEREE):
        view = match.view(viewer)
        assert ("rubber_over", 16) == (view.phase, sum(each.name == "taken" for each in view.zones))
        assert {0: 80, 1: 40} == facts(view, "card_points")
        assert dict(enumerate(match.p.match_state.chips)) == facts(view, "chips")
        assert {None: match.p.turn_up} == facts(view, "turn_up")
