"""Harjan: leads, answers, drawing, and how a game is won (clauses HA)."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from chitarrella.core.game import legal_moves
from chitarrella.core.notation import make_move
from chitarrella.core.options import InvalidOption
from chitarrella.tricks.following import jack_order
from chitarrella.tricks.game import TrickGame
from tests.games.support.harjan_tables import answer, finish, laid, lead, sets, trick
from tests.games.support.table import Match, events_of, seat, table, zone
from tests.games.test_options import NONSENSE, Said
from tests.walks import CATALOGUE

OPTIONS = {
    "target": Said("121", (), 1, 1000),
    "jan_threshold": Said("default", ("default",), 0, 1000),
    "target_check": Said("end_of_deal", ("end_of_deal", "immediate")),
    "turn_up": Said("after_deal", ("after_deal", "after_first_round")),
    "first_dealer": Said("0", (), 0, 1),
}


def game(first_dealer: int = 1, /, **options: str) -> TrickGame:
    """Seat Harjan; s1 deals first, so that s0 leads."""
    return seat("harjan", first_dealer=str(first_dealer), **options)


def hands(*words: str) -> set[frozenset[str]]:
    """Sets of cards."""
    return {frozenset(each.split()) for each in words}


# ---------------------------------------------------------------------- options


@pytest.mark.clause("ALL-8")
def test_the_options_are_those_of_the_specification() -> None:
    """Names, defaults and allowed values are those of the specification, and two play."""
    book = CATALOGUE.game("harjan")
    assert OPTIONS == {o.name: Said(o.default, tuple(sorted(o.choices)), o.minimum, o.maximum) for o in book.options}
    assert [2] == list(book.seatings)


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("name", OPTIONS)
def test_values_of_options(name: str) -> None:
    """Every allowed value makes a match, every other one is refused; a number of players but two too."""
    said = OPTIONS[name]
    for value in [*said.words, *(map(str, {said.least, said.most}) if said.least is not None else ())]:
        match = Match(seat("harjan", **{name: value, **({"target": "1000"} if name == "jan_threshold" else {})}))
        match.play_out()
        assert 1 == match.p.match_state.deal
    beyond = [] if said.most is None else [str(said.most + 1)]
    for value in [*NONSENSE, *beyond, "Immediate"]:
        with pytest.raises(InvalidOption) as refused:
            seat("harjan", **{name: value})
        assert f"options.{name}" == refused.value.field
    for players in (1, 3, 4):
        with pytest.raises(InvalidOption):
            seat("harjan", players)


@pytest.mark.clause("ALL-8", "HA-7.4")
def test_a_threshold_above_the_target_is_refused() -> None:
    """HA-EX17: `target` 20 with `jan_threshold` 30 is refused; the threshold may be the target itself."""
    for target, threshold in (("20", "30"), ("121", "122")):
        with pytest.raises(InvalidOption) as refused:
            seat("harjan", target=target, jan_threshold=threshold)
        assert "options.jan_threshold" == refused.value.field
    seat("harjan", target="20", jan_threshold="20")


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("HA-3.1", "HA-3.2", "HA-3.3", "HA-3.4", "HA-3.5", "HA-6.1")
@pytest.mark.parametrize(("trump", "left"), [("c", "s"), ("s", "c"), ("d", "h"), ("h", "d")])
def test_ranks_suits_and_points(trump: str, left: str) -> None:
    """Fourteen trumps under right and left Jack, twelve cards where it was taken from; 140 points."""
    g = game()
    order, count = jack_order(g), g.order.counts[0]
    trumps = g.pack.hand([f"J{trump}", f"J{left}", *(rank + trump for rank in "ATKQ98765432")])
    assert set(trumps) == {card for card in g.pack.cards if order.jacks.effective_suit(card, trump) == trump}
    for high, low in combinations(trumps, 2):
        assert (True, False) == (order.beats(high, low, trump), order.beats(low, high, trump))
    for suit in {"c", "d", "h", "s"} - {trump}:
        plain = g.pack.hand(rank + suit for rank in "ATKQJ98765432" if (rank, suit) != ("J", left))
        assert (12 if suit == left else 13) == len(plain)
        for high, low in combinations(plain, 2):
            assert (True, False) == (order.beats(high, low, trump), order.beats(low, high, trump))
        assert all(order.beats(each, card, trump) for each in trumps for card in plain)
    assert [12, 12, 11, 10, 4, 3, 0] == [count.of((card,), trump) for card in trumps[:7]]
    assert (52, 140) == (len(g.pack.cards), count.of(g.pack.cards, trump))


@pytest.mark.clause("HA-4.1", "HA-4.2", "HA-4.3", "HA-5.1", "ALL-1", "ALL-2")
@pytest.mark.parametrize("how", ["after_deal", "after_first_round"])
def test_the_deal(how: str) -> None:
    """HA-EX18: where each card of the pack goes, the turn-up late or early; eldest leads (HA-R5, HA-R6)."""
    match = Match(game(turn_up=how))
    pack = match.game.pack.cards
    match.deal(pack)
    if how == "after_deal":
        dealt, up = (pack[0:3] + pack[6:9], pack[3:6] + pack[9:12]), pack[12]
    else:
        dealt, up = (pack[0:3] + pack[7:10], pack[3:6] + pack[10:13]), pack[6]
    assert (dealt, up, up.suit) == (match.p.hands, match.p.turn_up, match.p.trump)
    assert ((*pack[13:], up), 40) == (match.p.stock, len(match.p.stock))
    assert ("lead", 0) == (match.p.phase, match.game.turn(match.p))
    for viewer in (None, 0, 1):
        assert ((up,), 39) == (zone(match.view(viewer), "turn_up").cards, zone(match.view(viewer), "stock").size)


@pytest.mark.clause("HA-4.4")
def test_a_turned_jack_is_the_right_jack() -> None:
    """When Jh is turned up hearts are trumps and Jd is the left Jack."""
    match = table(game(), {0: "Jd 2h 3h 4c 5s 6s"}, "Jh", dealer=1)
    assert hands("Jd 2h 3h") == sets(match, 0)


# ---------------------------------------------------------------------- leads

LEADS = {
    "HA-EX1": ("Ah Kh 7h 5c 5d 2s", "s", ["Ah Kh 7h"]),
    "HA-EX2": ("Ac Tc 9c 4c Kd 3d", "h", ["Ac Tc 9c", "Ac Tc 4c", "Ac 9c 4c", "Tc 9c 4c", "Ac Tc 9c 4c"]),
    "HA-EX3": ("Jh Qh 9h Td 4d 2c", "d", ["Jh Td 4d"]),
    "HA-EX4": (
        "Ah 3h Kc 7c Qd 5s",
        "s",
        [f"Ah 3h {third}" for third in ("Kc", "7c", "Qd", "5s")]
        + [f"Kc 7c {third}" for third in ("Ah", "3h", "Qd", "5s")],
    ),
    "HA-R9": (
        "Ah 3h Kc 7c Qd 5d",
        "s",
        [
            f"{pair} {third}"
            for pair in ("Ah 3h", "Kc 7c", "Qd 5d")
            for third in ["Ah", "3h", "Kc", "7c", "Qd", "5d"]
            if third not in pair
        ],
    ),
    "HA-R7": ("Ah 3h 2h Kc 7c 6c", "s", ["Ah 3h 2h", "Kc 7c 6c"]),
}  # fmt: skip
"""Hand, trump, and every legal lead."""


@pytest.mark.clause("HA-5.2", "HA-3.2")
@pytest.mark.parametrize("example", LEADS)
def test_leads_from_a_full_hand(example: str) -> None:
    """HA-EX1 to EX4, HA-R7 to HA-R9: the legal leads, and no other set of the hand."""
    hand, trump, wanted = LEADS[example]
    match = table(game(), {0: hand}, f"8{trump}", dealer=1)
    assert hands(*wanted) == sets(match, 0)
    for size in range(1, 7):
        for cards in combinations(hand.split(), size):
            assert (frozenset(cards) in hands(*wanted)) == (not match.codes(0, lead(" ".join(cards))))


@pytest.mark.clause("HA-5.2")
@pytest.mark.parametrize(
    ("hand", "other", "wanted"),
    [
        pytest.param("9c Kd 4s", "2c 3c 4c", ["9c Kd 4s"], id="HA-EX11"),
        pytest.param("Ac Kd 5s 2h", "2c 3c 4c 5c", ["Ac Kd 5s", "Ac Kd 2h", "Ac 5s 2h", "Kd 5s 2h"], id="HA-EX11/2"),
        pytest.param("Ac 4d", "2c 3c", ["Ac 4d"], id="HA-EX10"),
        pytest.param("Ac", "2c", ["Ac"], id="HA-R11"),
        pytest.param("Ac Kc", "2c 3c", ["Ac Kc"], id="HA-R11/2"),
        pytest.param("Ac Kc 5s 2s", "2c 3c 4c 5c", ["Ac Kc 5s", "Ac Kc 2s", "5s 2s Ac", "5s 2s Kc"], id="HA-R12"),
        pytest.param("Ac Kc Qc 2s", "2c 3c 4c 5c", ["Ac Kc Qc"], id="HA-R31"),
    ],
)
def test_leads_from_a_small_hand(hand: str, other: str, wanted: list[str]) -> None:
    """HA-EX10, EX11: three different cards, or all of two; three of a suit where there are (trump h)."""
    assert hands(*wanted) == sets(laid(game(), (hand, other), "h"), 0)


@pytest.mark.clause("HA-5.2", "HA-5.8")
def test_reason_codes() -> None:
    """HA-EX20, HA-EX22: what is refused, by the case that the hand is in."""
    match = table(game(), {0: "Ah Kh 7h 5c 5d 2s", 1: "Qd Jd 4d 2c 3c 4c"}, "8s", dealer=1)
    said = {
        lead("Ah"): "must_lead_three_or_more",
        lead("5c 5d 2s"): "must_lead_three_or_more",
        lead("Ah Kh 5c"): "must_lead_three_or_more",
        lead("Ah Ah Kh"): "not_in_hand",
        lead("Ah Kh 9h"): "not_in_hand",
        answer("Ah"): "wrong_phase",
    }
    assert {move: [code] for move, code in said.items()} == {move: match.codes(0, move) for move in said}
    assert ["not_your_turn"] == match.codes(1, lead("Qd Jd 4d"))
    match.say(0, lead("Ah Kh 7h"))
    assert ["wrong_card_count"] == match.codes(1, answer("Qd Jd")) == match.codes(1, answer("Qd Jd 4d 2c"))
    assert 20 == len(sets(match, 1))
    pair = table(game(), {0: "Ah 3h Kc 7c Qd 5s"}, "8s", dealer=1)
    assert ["must_lead_pair_and_third"] == pair.codes(0, lead("Ah Kc Qd"))
    assert ["must_lead_three"] == laid(game(), ("Ac Kd 5s 2h", "2c 3c 4c 5c"), "h").codes(0, lead("Ac Kd"))
    assert ["must_lead_all"] == laid(game(), ("Ac 4d", "2c 3c"), "s").codes(0, lead("Ac"))
    waiting = Match(game())
    assert [["wrong_phase"]] * 2 == [waiting.codes(0, lead("Ah")), waiting.codes(1, answer("Ah"))]
    over = finish(Match(game()), 121)
    assert ("game_over", ["wrong_phase"]) == (over.p.phase, over.codes(0, lead("Ah")))


# ---------------------------------------------------------------------- tricks

TRICKS = {
    "HA-EX5": ("s", "Kh 9h 5h 2c 3c 2d", "Kh 9h 5h", "Ah Th 2s", 1, 25),
    "HA-EX6": ("c", "Th 8h 3h 2s 3s 2d", "Th 8h 3h", "Qh 9h 2c", 1, 13),
    "HA-EX6/2": ("c", "Th 8h 3h 2s 3s 2d", "Th 8h 3h", "Kh Qh 4h", 0, 17),
    "HA-EX7": ("d", "Ad Td 6d 2c 3c 2s", "Ad Td 6d", "Jd Jh Kd", 1, 49),
    "HA-EX7/2": ("d", "Jd Ad 6d 2c 3c 2s", "Jd Ad 6d", "Jh Kd Qd", 0, 42),
    "HA-EX8": ("h", "Ks Qs 4d 2c 3c 2h", "Ks Qs 4d", "As Ts 5d", 1, 28),
    "HA-EX8/2": ("h", "Ks Qs 4d 2c 3c 2h", "Ks Qs 4d", "As Ts 3d", 0, 28),
    "HA-EX20": ("s", "Qd Jd 4d 2c 3c 2h", "Qd Jd 4d", "2s 3s 4s", 1, 5),
}
"""Trump, the leader's hand, cards led and played, who wins what."""


@pytest.mark.clause("HA-6.1", "HA-6.2", "HA-5.3", "HA-5.4")
@pytest.mark.parametrize("example", TRICKS)
def test_every_card_must_be_beaten(example: str) -> None:
    """HA-EX5 to EX8: the follower wins if his cards can be paired with those led, in whatever order (HA-R14, R16)."""
    trump, hand, led, played, winner, points = TRICKS[example]
    for order in permutations(played.split()):
        match = table(game(), {0: hand, 1: played}, f"7{trump}", dealer=1)
        assert (winner, points) == trick(match, led, " ".join(order))
        assert (winner, "lead") == (match.game.turn(match.p), match.p.phase)


@pytest.mark.clause("HA-5.5", "HA-4.3", "HA-5.7")
def test_short_stock() -> None:
    """HA-EX9: s1 has won; the stock is 9c 2d Qs 5h: s1 9c, s0 2d, s1 Qs, s0 the turn-up 5h, which all see (HA-R18)."""
    match = laid(game(), ("Kh Qh 7h 2c 3c 4d", "Ah Th 8h 2s 3s 5d"), "h", stock="9c 2d Qs 5h")
    assert 1 == trick(match, "Kh Qh 7h", "Ah Th 8h")[0]
    drawn = [(e.seat, *e.cards) for e in match.last if e.kind == "card_drawn"]
    assert [(1, "9c"), (0, "2d"), (1, "Qs"), (0, "5h")] == drawn
    seen = [(e.seat, *e.cards) for e in match.events_for(None) if e.kind == "card_drawn"]
    assert [(1,), (0,), (1,), (0, "5h")] == seen
    assert (5, 5, 1) == (len(match.p.hands[0]), len(match.p.hands[1]), match.game.turn(match.p))


@pytest.mark.clause("HA-3.6", "HA-5.6", "HA-7.1")
def test_last_two_cards() -> None:
    """HA-EX10: Ac 4d are led, Ts 8s (trumps) win 21, and 10 for the last trick."""
    match = laid(game(), ("Ac 4d", "Ts 8s"), "s")
    assert (1, 21) == trick(match, "Ac 4d", "Ts 8s")
    assert [(("0", 119), ("1", 31))] == [event.shares for event in events_of(match, "deal_scored")]
    assert (119, 31) == match.p.match_state.totals


@pytest.mark.clause("HA-5.6", "HA-5.2", "HA-5.5")
@pytest.mark.parametrize("stock", ["Ts Qs Jd 2h", "Ts Qs Jd 3d 4s 5s 6s 7s 8s 9s As Ks 3s 2h"])
def test_the_whole_hand_led(stock: str) -> None:
    """HA-EX19: six clubs are led; both hands are empty for a moment, both draw, and the deal goes on (HA-R29)."""
    follower = "2d 3d 4d 5d 6d 7d" if len(stock) < 20 else "2d 8d 4d 5d 6d 7d"
    match = laid(game(), ("Ac Tc Kc Qc 9c 8c", follower), "h", stock=stock)
    assert (0, 28) == trick(match, "Ac Tc Kc Qc 9c 8c", follower)
    assert "lead" == match.p.phase
    if len(stock) < 20:
        assert ("Jd Ts", "2h Qs", 0) == (match.hand(0), match.hand(1), len(match.p.stock))
        assert hands("Ts Jd") == sets(match, 0)
    else:
        assert (6, 6, 2) == (len(match.p.hands[0]), len(match.p.hands[1]), len(match.p.stock))


@pytest.mark.clause("HA-5.3", "HA-5.8", "ALL-3")
def test_the_order_of_a_set_has_no_meaning() -> None:
    """HA 8: a set named in another order is the same move."""
    match = table(game(), {0: "Ah Kh 7h 5c 5d 2s"}, "8s", dealer=1)
    moves = {make_move(match.game, "lead_cards", order) for order in permutations(["Ah", "Kh", "7h"])}
    assert set(legal_moves(match.game, match.p, 0)) == moves
