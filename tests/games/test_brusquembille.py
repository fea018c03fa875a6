"""Brusquembille: tens for threes, chips for aces and tens, the exchange of the Seven (clauses BQ)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from chitarrella.core.options import InvalidOption
from tests.games.support.scripted_deals import Script, contrive, last_draw, points, rubber
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, worth
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
