"""Briscolone: five cards, no trumps, the leader loses only to a higher card of its suit (clauses BN)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.notation import InvalidPosition, MalformedMove, parse_move
from chitarrella.core.options import InvalidOption
from tests.games.support.scripted_deals import contrive, last_draw, points, rubber
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, worth, zone
from tests.games.support.tricks import taker

RANKS = ["A", "3", "R", "C", "F", "7", "6", "5", "4", "2"]


@pytest.mark.clause("BN-3.1")
@pytest.mark.parametrize("suit", ["b", "c", "d", "s"])
def test_ranks_and_points(suit: str) -> None:
    """Cards rank and count as in Briscola: 30 points a suit, 120 in the pack."""
    game = seat("briscolone")
    cards = game.pack.hand(rank + suit for rank in RANKS)
    for high, low in combinations(cards, 2):
        assert (0, 1) == (
            taker(game, (high, low)),
            taker(game, (low, high)),
        )
    assert [11, 10, 4, 3, 2, 0, 0, 0, 0, 0] == [worth(game, (card,)) for card in cards]
    assert 120 == worth(game, game.pack.cards)


@pytest.mark.clause("BN-6.1", "BN-3.1")
@pytest.mark.parametrize(
    ("led", "played", "winner", "worth_"),
    [
        pytest.param("4b", "Ab", 0, 11, id="BN-EX1"),
        pytest.param("4b", "As", 1, 11, id="BN-EX2"),
        pytest.param("3c", "Rc", 1, 14, id="BN-EX3"),
        pytest.param("Fd", "Cd", 0, 5, id="BN-EX4"),
    ],
)
def test_who_takes_the_trick(led: str, played: str, winner: int, worth_: int) -> None:
    """BN-EX1 to 4: only a higher card of the suit led beats the leader (BN-R7, BN-R13)."""
    match = table(seat("briscolone"), {1: led, 0: played})
    assert (winner, worth_) == match.one_trick(f"1 {led}, 0 {played}")


@pytest.mark.clause("BN-5.2", "BN-6.1")
@pytest.mark.parametrize(("card", "points_"), [("As", 11), ("2s", 0), ("3d", 10), ("5b", 0), ("Rc", 4)])
def test_all_five_cards_may_be_played(card: str, points_: int) -> None:
    """BN-EX5: on 7s any of As 2s 3d 5b Rc may be played; As wins 11, the other four lose."""
    match = table(seat("briscolone"), {1: "7s", 0: "As 2s 3d 5b Rc"})
    match.play("1 7s")
    assert [f"play_card {each}" for each in ("2s", "3d", "5b", "As", "Rc")] == match.moves(0)
    assert (0 if card == "As" else 1, points_) == match.one_trick(f"0 {card}")


@pytest.mark.clause("BN-4.1", "BN-4.2")
@pytest.mark.parametrize(
    ("packets", "hands"),
    [
        pytest.param("", ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10)), id="BN-EX6"),
        pytest.param("5", ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10)), id="BN-EX6-5"),
        pytest.param("3-2", ((1, 2, 3, 7, 8), (4, 5, 6, 9, 10)), id="BN-EX6-3-2"),
        pytest.param("1-1-1-1-1", ((1, 3, 5, 7, 9), (2, 4, 6, 8, 10)), id="BN-EX6-single"),
    ],
)
def test_packets(packets: str, hands: tuple[tuple[int, ...], ...]) -> None:
    """BN-EX6, `deal_packets`: dealer 1; cards 11 to 40 are the stock and nothing is turned (BN-R1, BN-R2)."""
    options = {"deal_packets": packets} if packets else {}
    game = seat("briscolone", first_dealer="1", **options)
    match = Match(game)
    match.deal(game.pack.cards)
    assert tuple(tuple(game.pack.cards[number - 1] for number in row) for row in hands) == match.p.hands
    assert (game.pack.cards[10:], None, "") == (match.p.stock, match.p.turn_up, match.p.trump)


@pytest.mark.clause("BN-4.2")
@pytest.mark.parametrize("addition", ["trump=b", "turn_up=2s", "turn_up=2s trump=s"])
def test_no_table_has_trumps(addition: str) -> None:
    """A position with trumps, or with a card turned up, is none of this game."""
    match = table(seat("briscolone"), {})
    assert match.p == match.game.decode(match.game.encode(match.p))
    with pytest.raises(InvalidPosition):
        match.game.decode(f"{match.game.encode(match.p)} {addition}")


@pytest.mark.clause("BN-4.3", "BN-5.1")
@pytest.mark.parametrize("first", [0, 1])
def test_the_deal_alternates_and_eldest_leads(first: int) -> None:
    """The other seat deals next, and the new eldest leads, whoever won the last trick (BN-R10)."""
    match = Match(seat("briscolone", rubber_games="99", first_dealer=str(first)))
    for deal in range(4):
        dealer = (first + deal) % 2
        assert (dealer, 1 - dealer) == (match.p.match_state.dealer, match.p.leader)
        match.deal(match.game.pack.cards)
        assert 1 - dealer == match.game.turn(match.p)
        match.play_out()


@pytest.mark.clause("BN-5.3")
def test_last_draw() -> None:
    """BN-EX7: stock 6c Rd, s1 wins trick 15: s1 draws 6c, s0 Rd; five tricks remain (BN-R3)."""
    match, drawn = last_draw(seat("briscolone"), 1, "1 6c, 0 Rd")
    assert "1 6c, 0 Rd" == drawn
    assert (15, 0, [5, 5]) == (len(match.p.tricks), len(match.p.stock), [len(hand) for hand in match.p.hands])
    assert 1 == match.game.turn(match.p)


@pytest.mark.clause("BN-5.2", "BN-6.1")
def test_no_duty_to_follow_in_the_end() -> None:
    """BN-EX10: with the stock gone s1 may throw Ad away on 2b, and the leader wins 11 (BN-R4)."""
    game = seat("briscolone")
    s0, s1 = ("2b", "5s", "6s", "7s", "5d"), ("Ad", "4b", "3b", "Ac", "As")
    fixed = {(15 + at, place): card for place, hand in ((0, s0), (1, s1)) for at, card in enumerate(hand)}
    match = contrive(game, 0, lambda script: int(script.winners[14] != 0), fixed).perform(Match(game), tricks=15)
    match.play("0 2b")
    assert [f"play_card {card}" for card in sorted(s1)] == match.moves(1)
    assert (0, 11) == match.one_trick("1 Ad")


@pytest.mark.clause("BN-7.1")
@pytest.mark.parametrize(
    ("taken", "wins"), [((61, 59), (1, 0)), ((60, 60), (0, 0)), ((120, 0), (1, 0)), ((0, 120), (0, 1))]
)
def test_results(taken: tuple[int, int], wins: tuple[int, int]) -> None:
    """BN-EX8: 61 points win, 60 each are a stand-off, 120 win one game and no more (BN-R5)."""
    game = seat("briscolone")
    match = contrive(game, 0, points(*taken)).perform(Match(game))
    assert (taken, wins) == (game.points(match.p), match.p.match_state.wins)
    assert (int(taken != (60, 60)), int(taken == (60, 60))) == tuple(
        len(events_of(match, kind)) for kind in ("deal_won", "deal_drawn")
    )


@pytest.mark.clause("BN-7.1")
def test_a_decided_deal_goes_on() -> None:
    """BN-R6: when a seat has passed 60 points all twenty tricks are played all the same."""
    game = seat("briscolone")
    match = contrive(game, 0, points(120, 0)).perform(Match(game), tricks=19)
    assert ("play", True) == (match.p.phase, max(game.points(match.p)) > 60)


@pytest.mark.clause("BN-7.1")
def test_rubber() -> None:
    """BN-EX9: s0, stand-off, s0, s1, s0: s0 wins the rubber 3 to 1 after five deals."""
    match = Match(seat("briscolone"))
    rubber(match, [0, None, 0, 1])
    assert ("await_deal", None) == (match.p.phase, match.game.outcome(match.p))
    rubber(match, [0])
    assert ("rubber_over", 5, (3, 1)) == (match.p.phase, match.p.match_state.deal, match.p.match_state.wins)
    assert frozenset({0}) == match.game.outcome(match.p)


@pytest.mark.clause("BN-7.1", "ALL-8")
@pytest.mark.parametrize("games", [1, 2, 99])
def test_rubber_games(games: int) -> None:
    """`rubber_games`: the rubber is over with exactly that many games won."""
    game = seat("briscolone", rubber_games=str(games))
    before = game.start()
    before = before._replace(match_state=before.match_state._replace(deal=games - 1, wins=(games - 1, 0)))
    match = Match(game, game.decode(game.encode(before)))
    rubber(match, [None, 0])
    assert ("rubber_over", (games, 0)) == (match.p.phase, match.p.match_state.wins)


@pytest.mark.clause("BN-5.4", "ALL-5")
def test_drawn_cards_are_private() -> None:
    """Everybody sees the size of the stock and the tricks; every drawn card is seen by who drew it alone (BN-R12)."""
    match = first_cards(table(seat("briscolone"), {}), 15)
    assert 30 == len(events_of(match, "card_drawn"))
    for viewer in (0, 1, None):
        assert {viewer} - {None} == {event.seat for event in events_of(match, "card_drawn", viewer) if event.cards}
    match = first_cards(table(seat("briscolone"), {}), 4)
    for viewer in (0, 1, None):
        view = match.view(viewer)
        assert ((), 22) == (zone(view, "stock").cards, zone(view, "stock").size)
        assert ({None: 22}, {}, {}) == (facts(view, "stock"), facts(view, "turn_up"), facts(view, "trump"))
        assert [] == [each for each in view.zones if each.name == "turn_up"]
        assert [trick.cards for trick in match.p.tricks] == [p.cards for p in view.zones if p.name == "taken"]
        for place in (0, 1):
            assert (match.p.hands[place] if viewer == place else ()) == zone(view, "hand", place).cards


@pytest.mark.clause("BN-5.4", "ALL-6")
def test_after_the_rubber_all_tricks_stay_in_view() -> None:
    """Tricks and points of the last deal stay in view for good."""
    match = Match(seat("briscolone", rubber_games="1"))
    rubber(match, [1])
    view = match.view(None)
    assert ("rubber_over", 20) == (view.phase, sum(each.name == "taken" for each in view.zones))
    assert {0: 40, 1: 80} == facts(view, "card_points")
    assert frozenset({1}) == view.winners == match.view(REFEREE).winners


@pytest.mark.clause("BN-5.5", "BN-5.2", "BN-5.3", "ALL-7")
def test_refusals() -> None:
    """BN-EX12: wrong phase, not your turn, not in hand, match over; and that is all a card can break."""
    game = seat("briscolone", rubber_games="1")
    match = Match(game)
    assert [["wrong_phase"]] * 2 == [match.codes(place, "play_card 4c") for place in (0, 1)]
    match = table(game, {0: "4c 5c 6c 7c 2c", 1: "4d 5d 6d 7d 2d"}, stock="As")
    assert ["not_your_turn"] == match.codes(0, "play_card 4c")
    assert ["not_in_hand"] == match.codes(1, "play_card 4c") == match.codes(1, "play_card As")
    assert ["not_your_turn", "not_in_hand"] == match.codes(0, "play_card As")
    assert ["BN-5.3", "BN-5.2"] == match.cited(0, "play_card As")
    assert ["wrong_phase"] == match.codes(CHANCE, f"start_deal {' '.join(game.pack.cards)}")
    while game.turn(match.p) is not None:
        match.play_out()
    assert [["match_over"]] * 2 == [match.codes(place, "play_card 4c") for place in (0, 1)]
    assert ["match_over"] == match.codes(CHANCE, f"start_deal {' '.join(game.pack.cards)}")


@pytest.mark.clause("ALL-4")
@pytest.mark.parametrize("words", ["exchange_turn_up 2c", "signal A", "show_hand_to_partner", "draw_dealer 0"])
def test_what_is_no_move_here(words: str) -> None:
    """BN-EX12: exchanging, signals and showing are no moves of this game (BN-R9, BN-R11)."""
    game = seat("briscolone")
    assert {"start_deal", "play_card"} == set(game.move_specs)
    with pytest.raises(MalformedMove):
        parse_move(game, words)


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("players", [1, 3, 4, 5])
def test_two_players_only(players: int) -> None:
    """BN-R8: more than two players are not offered."""
    with pytest.raises(InvalidOption) as refused:
        seat("briscolone", players)
    assert "players" == refused.value.field
