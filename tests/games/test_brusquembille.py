"""Brusquembille: tens for threes, chips for aces and tens, the exchange of the Seven (clauses BQ)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chitarrella.catalogue.registry import RuleSet
from tests.games.support.scripted_deals import Script, contrive, points
from tests.games.support.table import Match, events_of, facts, seat, table, zone
from tests.walks import known_walk

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
    for rank in "ATKQJ987":
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


@pytest.mark.clause("BQ-7.2", "BQ-7.3")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_chips_of_a_deal(seed: str) -> None:
    """BQ 4 and 6: the chips received are 12, the balance is level, and only aces and tens move it."""
    walk = known_walk(RuleSet("brusquembille", 2), seed, 1, 6)
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
