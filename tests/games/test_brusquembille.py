"""Brusquembille: tens for threes, chips for aces and tens, the exchange of the Seven (clauses BQ)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.notation import MalformedMove, parse_move
from chitarrella.core.options import InvalidOption
from tests.games.support.scripted_deals import Script, contrive, last_draw, points, rubber
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, worth, zone
from tests.games.support.tricks import taker

RANKS = ["A", "T", "K", "Q", "J", "9", "8", "7"]
TRICKS = {
    "BQ-EX1": ("Ac", "7c", 1, 11, 2),
    "BQ-EX2": ("Tc", "Ac", 0, 21, 3),
    "BQ-EX3": ("Ac", "7h", 0, 11, 2),
    "BQ-EX4": ("9d", "Ts", 1, 10, 1),
    "BQ-EX5": ("Ah", "Th", 1, 21, 3),
    "BQ-EX6": ("Kd", "Qd", 1, 7, 0),
}
"""Trump h; led, played, winner, worth, chips."""


def paid(match: Match) -> list[tuple[int | None, int | None, int | None]]:
    """The payments of a match: who paid, to whom, how much."""
    return [(event.seat, event.other, event.amount) for event in events_of(match, "chips_paid")]


def balance(match: Match) -> dict[int | None, str | int]:
    """The balance of chips that everybody sees."""
    return facts(match.view(None), "chips")


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BQ-3.1")
@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_ranks_and_points(suit: str) -> None:
    """A T K Q J 9 8 7 rank in this order, the Ten under the Ace (BQ-R11): 30 points a suit, 120 in 32 cards."""
    game = seat("brusquembille")
    cards = game.pack.hand(rank + suit for rank in RANKS)
    for high, low in combinations(cards, 2):
        assert (0, 1) == (
            taker(game, (high, low)),
            taker(game, (low, high)),
        )
    assert [11, 10, 4, 3, 2, 0, 0, 0] == [worth(game, (card,)) for card in cards]
    assert (32, 120) == (len(game.pack.cards), worth(game, game.pack.cards))


@pytest.mark.clause("BQ-4.1", "ALL-8")
@pytest.mark.parametrize(
    ("packets", "hands"),
    [("", ((4, 5, 6), (1, 2, 3))), ("3", ((4, 5, 6), (1, 2, 3))), ("1-1-1", ((2, 4, 6), (1, 3, 5)))],
)
def test_packets(packets: str, hands: tuple[tuple[int, ...], ...]) -> None:
    """`deal_packets`: three each, eldest first (BQ-R9); the seventh card is turned and is the last of 26."""
    options = {"deal_packets": packets} if packets else {}
    game = seat("brusquembille", **options)
    match = Match(game)
    match.deal(game.pack.cards)
    assert tuple(tuple(game.pack.cards[number - 1] for number in row) for row in hands) == match.p.hands
    assert (game.pack.cards[6], game.pack.cards[6].suit) == (match.p.turn_up, match.p.trump)
    assert (*game.pack.cards[7:], game.pack.cards[6]) == match.p.stock
    assert 26 == len(match.p.stock)


@pytest.mark.clause("BQ-4.2", "BQ-5.1")
@pytest.mark.parametrize("first", [0, 1])
def test_the_deal_alternates_and_eldest_leads(first: int) -> None:
    """The other seat deals next; the seat that does not deal leads."""
    match = Match(seat("brusquembille", rubber_games="99", first_dealer=str(first)))
    for deal in range(4):
        dealer = (first + deal) % 2
        assert (dealer, 1 - dealer) == (match.p.match_state.dealer, match.p.leader)
        match.deal(match.game.pack.cards)
        assert 1 - dealer == match.game.turn(match.p)
        match.play_out()


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("players", [1, 3, 4, 5])
def test_two_players_only(players: int) -> None:
    """BQ-R7, BQ-R8: more than two players are not offered."""
    with pytest.raises(InvalidOption) as refused:
        seat("brusquembille", players)
    assert "players" == refused.value.field


# ---------------------------------------------------------------------- tricks and chips


@pytest.mark.clause("BQ-6.1", "BQ-7.2", "BQ-3.2")
@pytest.mark.parametrize("example", TRICKS)
def test_tricks_and_their_chips(example: str) -> None:
    """BQ-EX1 to 6: who takes the trick, its worth, and what the loser pays the winner for it (BQ-R1, BQ-R2, BQ-R5)."""
    led, played, winner, worth_, chips = TRICKS[example]
    match = table(seat("brusquembille"), {1: led, 0: played}, "8h")
    assert (winner, worth_) == match.one_trick(f"1 {led}, 0 {played}")
    assert ([(1 - winner, winner, chips)] if chips else []) == paid(match)
    assert {winner: chips, 1 - winner: -chips} == balance(match)


@pytest.mark.clause("BQ-3.2", "BQ-7.2")
@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_every_ace_and_ten_is_paid_alike(suit: str) -> None:
    """All four aces cost 2 and all four tens 1, trumps no more than others (BQ-R4); no other card costs anything."""
    game = seat("brusquembille")
    due = {}
    for rank in RANKS:
        low = f"7{suit}" if rank != "7" else f"8{suit}"
        match = table(game, {1: f"{rank}{suit}", 0: low}, "9h" if f"{rank}{suit}" != "9h" else "Kh")
        match.play(f"1 {rank}{suit}, 0 {low}")
        due[rank] = sum(amount or 0 for _, _, amount in paid(match))
    assert {"A": 2, "T": 1} == {rank: chips for rank, chips in due.items() if chips}


@pytest.mark.clause("BQ-7.2", "BQ-5.3")
def test_chips_are_paid_before_the_draw() -> None:
    """After a trick the chips change hands first, then the cards are drawn."""
    match = table(seat("brusquembille"), {1: "Ac", 0: "7c"}, "8h")
    match.play("1 Ac, 0 7c")
    assert ["card_played", "trick_taken", "chips_paid", "card_drawn", "card_drawn"] == [e.kind for e in match.last]


@pytest.mark.clause("BQ-7.2", "BQ-7.3")
def test_balance_of_six_tricks() -> None:
    """BQ-EX7: the payments of EX1 to EX6, won by s0 s1 s1 s0 s0 s1: received 6 and 5, net +1 and -1."""
    received, net = [0, 0], [0, 0]
    for (led, played, winner, _, _), taking_seat in zip(TRICKS.values(), (0, 1, 1, 0, 0, 1), strict=True):
        leader = taking_seat if winner == 1 else 1 - taking_seat
        game = seat("brusquembille", first_dealer=str(1 - leader))
        match = table(game, {leader: led, 1 - leader: played}, "8h", dealer=1 - leader)
        match.play(f"{leader} {led}, {1 - leader} {played}")
        for _, to, amount in paid(match):
            received[to or 0] += amount or 0
        net = [before + chips for before, chips in zip(net, match.p.match_state.chips, strict=True)]
    assert ([6, 5], [1, -1]) == (received, net)


@pytest.mark.clause("BQ-7.2", "ALL-8")
@pytest.mark.parametrize(
    ("ace", "ten", "chips"),
    [
        pytest.param("1", "1", 2, id="BQ-EX8"),
        ("0", "0", 0),
        ("99", "99", 198),
        ("0", "5", 5),
        ("7", "0", 7),
        ("", "4", 6),
        ("4", "", 5),
    ],
)
def test_prices(ace: str, ten: str, chips: int) -> None:
    """BQ-EX8, `ace_payment` and `ten_payment`: an Ace and a Ten in one trick cost both prices (BQ-R3)."""
    options = {name: price for name, price in (("ace_payment", ace), ("ten_payment", ten)) if price}
    match = table(seat("brusquembille", **options), {1: "Tc", 0: "Ac"}, "8h")
    assert (0, 21) == match.one_trick("1 Tc, 0 Ac")
    assert ([(1, 0, chips)] if chips else []) == paid(match)


@pytest.mark.clause("BQ-5.3")
def test_last_draw() -> None:
    """BQ-EX9: stock 8c Jh, s1 wins trick 13: s1 draws 8c, s0 the turn-up Jh (BQ-R13)."""
    match, drawn = last_draw(seat("brusquembille"), 1, "1 8c, 0 Jh")
    assert ("1 8c, 0 Jh", 13, "Jh") == (drawn, len(match.p.tricks), match.p.turn_up)
    assert (0, 1) == (len(match.p.stock), match.game.turn(match.p))


@pytest.mark.clause("BQ-5.2")
def test_every_card_may_be_played_to_the_end() -> None:
    """Nobody ever need follow suit, not even when the stock is gone (BQ-R17)."""
    match = first_cards(table(seat("brusquembille"), {}), 13)
    while match.p.phase == "play":
        turn = match.game.turn(match.p)
        assert turn is not None
        assert sorted(f"play_card {card}" for card in match.p.hands[turn]) == match.moves(turn)
        match.say(turn, match.moves(turn)[0])


# ---------------------------------------------------------------------- results


def with_chips(taken: tuple[int, int], got: tuple[int, int]) -> Callable[[Script], int]:
    """Want these points and these chips received, seat by seat."""
    near = points(*taken)
    return lambda script: near(script) + 5 * abs(chips_of_first(script) - got[0])


def chips_of_first(script: Script) -> int:
    """What seat 0 is paid in a script, at 2 for an ace and 1 for a ten."""
    return sum(
        {"A": 2, "T": 1}.get(card.rank, 0)
        for trick, winner in enumerate(script.winners)
        for _, card in script.plays[2 * trick : 2 * trick + 2]
        if winner == 0
    )


@pytest.mark.clause("BQ-7.3", "BQ-7.1")
def test_game_and_chips_differ() -> None:
    """BQ-EX10: s0 wins the game with 66 to 54 and pays 2 chips net all the same (BQ-R6)."""
    match = Match(seat("brusquembille"))
    script = contrive(match.game, 0, with_chips((66, 54), (5, 7)))
    script.perform(match)
    assert ((66, 54), (1, 0)) == (match.game.points(match.p), match.p.match_state.wins)
    assert {0: -2, 1: 2} == balance(match)


@pytest.mark.clause("BQ-7.3", "BQ-5.5")
def test_balance_of_a_rubber() -> None:
    """BQ-EX14: received 9:3, 2:10 and, in a stand-off, 6:6; the balance goes on: +6, -2, -2 for s0 (BQ-R12)."""
    match = Match(seat("brusquembille"))
    deals = [((70, 50), (9, 3), 6), ((50, 70), (2, 10), -2), ((60, 60), (6, 6), -2)]
    for taken, got, net in deals:
        contrive(match.game, match.p.match_state.dealer, with_chips(taken, got)).perform(match)
        assert {0: net, 1: -net} == balance(match)
    assert (1, 1) == match.p.match_state.wins
    match.deal(match.game.pack.cards)
    assert {0: -2, 1: 2} == balance(match) == facts(match.view(0), "chips") == facts(match.view(1), "chips")


@pytest.mark.clause("BQ-7.2")
@pytest.mark.parametrize(("played", "winner", "chips"), [("9c", 1, 1), ("Ah", 0, 3)])
def test_a_ten_that_is_led(played: str, winner: int, chips: int) -> None:
    """BQ-EX14, end: trump s, Th is led; 9c pays 1 to the leader, Ah takes it and is paid 3."""
    match = table(seat("brusquembille"), {1: "Th", 0: played}, "8s")
    match.play(f"1 Th, 0 {played}")
    assert [(1 - winner, winner, chips)] == paid(match)


@pytest.mark.clause("BQ-7.1")
@pytest.mark.parametrize(("taken", "wins"), [((61, 59), (1, 0)), ((59, 61), (0, 1)), ((60, 60), (0, 0))])
def test_results(taken: tuple[int, int], wins: tuple[int, int]) -> None:
    """More than 60 points win the game, 60 each are a stand-off, whatever the chips say (BQ-R16)."""
    match = Match(seat("brusquembille"))
    contrive(match.game, 0, points(*taken)).perform(match)
    assert (taken, wins) == (match.game.points(match.p), match.p.match_state.wins)


@pytest.mark.clause("BQ-7.1", "ALL-8")
@pytest.mark.parametrize(("games", "deals"), [("", 3), ("1", 1), ("2", 2), ("3", 3)])
def test_rubber_games(games: str, deals: int) -> None:
    """`rubber_games`: the rubber is over with that many games won, three where nothing is said."""
    options = {"rubber_games": games} if games else {}
    match = Match(seat("brusquembille", **options))
    rubber(match, [None] + [0] * (deals - 1))
    assert "await_deal" == match.p.phase
    rubber(match, [0])
    assert ("rubber_over", frozenset({0})) == (match.p.phase, match.game.outcome(match.p))


# ---------------------------------------------------------------------- brusquembille seven


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
