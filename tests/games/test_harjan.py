"""Harjan: leads, answers, drawing, and how a game is won (clauses HA)."""

from collections.abc import Sequence
from itertools import combinations, permutations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card, Hand, minus
from chitarrella.core.game import legal_moves, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Move, Seat
from chitarrella.core.notation import InvalidPosition, make_move
from chitarrella.games.harjan import legal_leads
from chitarrella.games.hundredogen import JACKS
from chitarrella.tricks.following import JackOrder
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table, Trick
from tests.games.support.table import Match, events_of, facts, pack_for, past, seat, table, worth, zone
from tests.walks import Walk, known_walk

Taken = Sequence[tuple[Seat, str]]  # tricks already taken: the winner and the cards, the led ones first


def laid(
    g: Rules,
    hands: tuple[str, str],
    trump: str,
    *,
    leader: Seat = 0,
    led: str = "",
    stock: str | None = "",
    taken: Taken = (),
    start: Table | None = None,
) -> Match:
    """Make a position; points that are not given were taken by s0.

    Where ``stock`` is None, what is named nowhere lies there, and the tricks are those ``taken``.
    """
    begun = g.start() if start is None else start
    held = tuple(g.pack.hand(hand.split()) for hand in hands)
    tricks = [(winner, g.pack.hand(cards.split())) for winner, cards in taken]
    rest = g.pack.cards
    named = (*held[0], *held[1], *g.pack.hand(led.split()), *g.pack.hand((stock or "").split()))
    for card in (*named, *(card for _, cards in tricks for card in cards)):
        rest = minus(rest, card)
    if stock is None:
        turn_up = next(card for card in rest if card.suit == trump)
        below = (*minus(rest, turn_up), turn_up)
    else:
        below = g.pack.hand(stock.split())
        turn_up = below[-1] if below else next(card for card in g.pack.cards if card.suit == trump)
    state, trick = begun.match_state._replace(deal=begun.match_state.deal or 1), g.pack.hand(led.split())
    p = begun._replace(phase="follow" if led else "lead", match_state=state, hands=held, stock=below, trick=trick)
    p = p._replace(turn_up=turn_up, trump=trump, leader=leader)
    before = in_turn(p, tricks)
    if stock is not None:
        before = past(g, p, rest, leader, lambda p: g.card_points(p, 0)[1], threes(rest))
    return Match(g, g.decode(g.encode(p._replace(tricks=before))))


def in_turn(p: Table, tricks: Sequence[tuple[Seat, Hand]]) -> tuple[Trick, ...]:
    """The leader of each of these tricks: eldest, then the winner of the one before."""
    leaders = [1 - p.match_state.dealer, *(winner for winner, _ in tricks)]
    return tuple(Trick(leader, cards, winner) for leader, (winner, cards) in zip(leaders, tricks, strict=False))


def threes(cards: Hand) -> list[int]:
    """Share cards out to tricks of three cards a seat; some get more if the number does not divide."""
    each = len(cards) // 2
    tricks = max(1, each // 3)
    return [each // tricks + (number < each % tricks) for number in range(tricks)]


def finish(match: Match, first: int, *, worthless: bool = False) -> Match:
    """Deal, and end the deal with so many points for s0, of 150.

    A loser without points has no trick either; but with ``worthless`` he has one.
    """
    match.deal(match.game.pack.cards)
    g, best = match.game, 0 if first >= 75 else 1
    least = min(first, 150 - first)
    ends = g.pack.hand(["2c", "3c", "2d", "3d"])
    p = match.p._replace(hands=(ends[:2], ends[2:]), stock=(), turn_up=g.pack.card("3s"), trump="s", leader=best)

    def far(p: Table) -> int:
        some = any(trick.winner != best for trick in p.tricks)
        return abs(g.card_points(p, 0)[1 - best] - least) + 100 * (some != (worthless or least > 0))

    rest = g.pack.cards
    for card in ends:
        rest = minus(rest, card)
    match.p = g.decode(g.encode(p._replace(tricks=past(g, p, rest, best, far, threes(rest)))))
    for _ in range(2):
        turn = g.turn(match.p) or 0
        match.move(turn, legal_moves(g, match.p, turn)[0])
    assert 0 == worth(g, ends)
    return match


def lead(cards: str) -> str:
    return f"lead_cards {cards}"


def answer(cards: str) -> str:
    return f"follow_cards {cards}"


def trick(match: Match, led: str, played: str) -> tuple[Seat, int]:
    """Lead, follow, and return who won how much."""
    leader = match.p.leader
    match.say(leader, lead(led))
    match.say(1 - leader, answer(played))
    last = match.p.tricks[-1]
    return last.winner, match.game.order.counts[0].of(last.cards, match.p.trump)


def sets(match: Match, seat: Seat) -> set[frozenset[str]]:
    moves: list[Move] = list(legal_moves(match.game, match.p, seat))
    found = {frozenset(map(str, move.cards)) for move in moves}
    assert len(found) == len(moves)
    return found


def game(first_dealer: int = 1, /, **options: str) -> Rules:
    """Seat Harjan without an end of the match; s1 deals first, so that s0 leads."""
    return seat("harjan", first_dealer=str(first_dealer), **{"match_games": "0", **options})


def hands(*words: str) -> set[frozenset[str]]:
    return {frozenset(each.split()) for each in words}


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("HA-3.1", "HA-3.2", "HA-3.3", "HA-3.4", "HA-3.5", "HA-6.1")
@pytest.mark.parametrize(("trump", "left"), [("c", "s"), ("s", "c"), ("d", "h"), ("h", "d")])
def test_ranks_suits_and_points(trump: str, left: str) -> None:
    """Fourteen trumps under right and left Jack, twelve cards where it was taken from; 140 points."""
    g = game()
    order, count, strengths = g.order, g.order.counts[0], g.cards.trick_strengths[trump]

    def beats(card: Card, led: Card) -> bool:
        return strengths[led][card] > strengths[led][led]

    assert isinstance(order, JackOrder)
    trumps = g.pack.hand([f"J{trump}", f"J{left}", *(rank + trump for rank in "ATKQ98765432")])
    assert set(trumps) == {card for card in g.pack.cards if order.jacks.effective_suit(card, trump) == trump}
    for high, low in combinations(trumps, 2):
        assert (True, False) == (beats(high, low), beats(low, high))
    for suit in {"c", "d", "h", "s"} - {trump}:
        plain = g.pack.hand(rank + suit for rank in "ATKQJ98765432" if (rank, suit) != ("J", left))
        assert (12 if suit == left else 13) == len(plain)
        for high, low in combinations(plain, 2):
            assert (True, False) == (beats(high, low), beats(low, high))
        assert all(beats(each, card) for each in trumps for card in plain)
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


# ---------------------------------------------------------------------- games


@pytest.mark.clause("HA-7.1", "HA-7.2", "HA-7.4")
@pytest.mark.parametrize(
    ("deals", "worthless", "games", "totals"),
    [
        pytest.param([121], False, (2, 0), (121, 29), id="HA-EX12a"),
        pytest.param([150], False, (3, 0), (150, 0), id="HA-EX12b"),
        pytest.param([150], True, (2, 0), (150, 0), id="HA-EX12c"),
        pytest.param([120], False, (0, 0), (120, 30), id="HA-EX12d/1"),
        pytest.param([120, 40], False, (1, 0), (160, 140), id="HA-EX12d"),
        pytest.param([120, 30], False, (0, 0), (150, 150), id="HA-EX12e"),
        pytest.param([120, 30, 76], False, (1, 0), (226, 224), id="HA-EX12e/2"),
        pytest.param([120, 150], False, (1, 0), (270, 30), id="HA-EX15"),
        pytest.param([0], False, (0, 3), (0, 150), id="harjan for s1"),
        pytest.param([29], False, (0, 2), (29, 121), id="jan for s1"),
    ],
)
def test_games(deals: list[int], worthless: bool, games: tuple[int, int], totals: tuple[int, int]) -> None:
    """HA-EX12, EX15: who wins a game after which deals, and what it counts (HA-R21 to HA-R25)."""
    match = Match(game())
    for first in deals:
        assert "await_deal" == match.p.phase
        finish(match, first, worthless=worthless)
    assert (games, totals) == (match.game.scores(match.p), match.p.match_state.totals)
    assert ("game_over" if any(games) else "await_deal", CHANCE) == (match.p.phase, match.game.turn(match.p))
    won = [(event.seat, event.amount) for event in events_of(match, "game_won", None)]
    assert [(place, worth) for place, worth in enumerate(games) if worth] == won
    assert match.game.outcome(match.p) is None


@pytest.mark.clause("HA-7.5", "HA-5.1", "HA-4.5", "ALL-6", "ALL-7")
@pytest.mark.parametrize(("second", "games"), [(150, (5, 0)), (0, (2, 3))])
def test_a_second_game(second: int, games: tuple[int, int]) -> None:
    """HA-EX16: the next pack opens a game from nothing, the deal goes on alternating (HA-R30, HA-R34)."""
    match = finish(Match(game(0)), 121)
    assert ("game_over", (121, 29), 1) == (match.p.phase, match.p.match_state.totals, match.p.match_state.dealer)
    for viewer in (None, 0, 1):
        view = match.view(viewer)
        assert ({0: 121, 1: 29}, {0: 2, 1: 0}) == (facts(view, "total"), facts(view, "games"))
    match.deal(match.game.pack.cards)
    assert ((0, 0), (0, 0)) == (match.p.match_state.totals, match.p.own.tricks_before)
    assert (2, 0) == match.game.scores(match.p)
    assert (1, 0) == (match.p.match_state.dealer, match.game.turn(match.p))
    match = finish(finish(Match(game(0)), 121), second)
    assert (games, 0) == (match.game.scores(match.p), match.p.match_state.dealer)


@pytest.mark.clause("HA-7.5", "ALL-7")
def test_three_games_win_the_match() -> None:
    """Who first has three games wins the match: here a jan, and a game that counts three (HA-R34)."""
    match = finish(Match(seat("harjan", first_dealer="0")), 121)
    assert ("game_over", None) == (match.p.phase, match.game.outcome(match.p))
    match = finish(match, 150)
    assert ("match_over", frozenset({0}), (5, 0)) == (
        match.p.phase,
        match.game.outcome(match.p),
        match.game.scores(match.p),
    )
    assert [0] == [event.seat for event in events_of(match, "match_won", None)]
    for games in ((2, 0), (6, 0), (0, 3), (3, 3)):
        wrong = match.p._replace(own=match.p.own._replace(games=games))
        with pytest.raises(InvalidPosition, match="games"):
            match.game.decode(match.game.encode(wrong))


@pytest.mark.clause("HA-7.2", "HA-7.4", "ALL-8")
@pytest.mark.parametrize(
    ("options", "deals", "worthless", "games"),
    [
        ({"target": "200"}, [150], False, (0, 0)),
        ({"target": "200"}, [150, 150], False, (3, 0)),
        ({"target": "20"}, [131], False, (2, 0)),
        ({"target": "20"}, [130], False, (1, 0)),
        ({"jan_threshold": "0"}, [121], False, (1, 0)),
        ({"jan_threshold": "0"}, [150], True, (1, 0)),
        ({"jan_threshold": "0"}, [150], False, (3, 0)),
        ({"jan_threshold": "60"}, [121], False, (2, 0)),
        ({"jan_threshold": "60"}, [110, 100], False, (1, 0)),
        ({"jan_threshold": "default"}, [121], False, (2, 0)),
    ],
)
def test_other_targets(options: dict[str, str], deals: list[int], worthless: bool, games: tuple[int, int]) -> None:
    """HA-EX17: other targets and thresholds; with a small target the threshold is the target (HA-R33)."""
    match = Match(game(**options))
    for first in deals:
        finish(match, first, worthless=worthless)
    assert games == match.game.scores(match.p)


@pytest.mark.clause("HA-7.3", "HA-5.7")
def test_immediate() -> None:
    """HA-EX13: totals 110 to 40; s1 wins 25, 30 and 20 (115), then s0 wins 11: his game at once, one game-point."""
    g = game(target_check="immediate")
    start = g.start()
    state = start.match_state._replace(deal=2, totals=(110, 40))
    start = start._replace(match_state=state, own=start.own._replace(tricks_before=(5, 4)))
    taken = [(1, "2c 3c 4c Ac Tc Kc"), (1, "Ad Td Kd Qd Jd 2d"), (1, "Th 2h 6h Ts 6c 7c")]
    hands = ("Ah 9h 8h 3d 4d 2s", "3h 4h 5h 3s 4s 5s")
    match = laid(g, hands, "s", leader=1, stock=None, taken=taken, start=start)
    for viewer in (None, 0, 1):
        assert {0: 0, 1: 75} == facts(match.view(viewer), "card_points")
    assert (0, 11) == trick(match, "3h 4h 5h", "Ah 9h 8h")
    assert ("game_over", (121, 115), (1, 0)) == (match.p.phase, match.p.match_state.totals, g.scores(match.p))
    assert [3, 3, 22] == [len(cards) for cards in (*match.p.hands, match.p.stock)]
    assert [] == [event for event in match.last if event.kind == "card_drawn"]


@pytest.mark.clause("HA-7.3", "HA-4.5")
def test_immediate_and_the_draw() -> None:
    """HA-EX21: the first trick of deal 2 wins the game: nobody draws, no 10 (HA-R26), and the other seat deals next."""
    match = Match(game(0, target_check="immediate"))
    state, own = match.p.match_state._replace(deal=1, dealer=1, totals=(100, 50)), match.p.own
    match.p = match.p._replace(match_state=state, leader=0, own=own._replace(tricks_before=(4, 4)))
    match.deal(pack_for(match.game, {0: "Ah Kh 7h 5c 5d 2s", 1: "Td 2c 3c 4c 6d 7d"}, "8s", dealer=1))
    assert (0, 25) == trick(match, "Ah Kh 7h", "Td 2c 3c")
    assert ("game_over", (125, 50), (1, 0)) == (match.p.phase, match.p.match_state.totals, match.game.scores(match.p))
    assert ([3, 3, 40], 0) == ([len(cards) for cards in (*match.p.hands, match.p.stock)], match.p.match_state.dealer)
    assert match.p == match.game.decode(match.game.encode(match.p))
    for viewer in (None, 1):
        assert () == zone(match.view(viewer), "hand", 0).cards
    match.deal(match.game.pack.cards)
    assert (1, 3) == (match.game.turn(match.p), match.p.match_state.deal)


@pytest.mark.clause("HA-5.7", "ALL-5", "ALL-6")
def test_what_is_seen() -> None:
    """Own hands only; points are told when the deal is over, tricks at once (HA-R27, HA-R32)."""
    match = table(game(), {0: "Ah Kh 7h 5c 5d 2s"}, "8s", dealer=1)
    match.say(0, lead("Ah Kh 7h"))
    for viewer in (None, 0, 1, REFEREE):
        view = match.view(viewer)
        assert (("7h", "Kh", "Ah"), {}) == (zone(view, "trick").cards, facts(view, "card_points"))
        assert [("cards_led", 0, ("7h", "Kh", "Ah"))] == [(e.kind, e.seat, e.cards) for e in match.events_for(viewer)]
        assert (viewer in (0, REFEREE)) == (zone(view, "hand", 0).cards != ())
    match.play_out()
    assert 140 == sum(int(points) for points in facts(match.view(None), "card_points").values())


# ---------------------------------------------------------------------- invariants


@pytest.fixture(params=["one", "two", "three", "four"])
def walk(request: pytest.FixtureRequest) -> Walk:
    return known_walk(RuleSet("harjan", 2), request.param, 8, 6)


@pytest.mark.clause("HA-5.2", "HA-5.5", "HA-5.6", "HA-7.2", "HA-7.4", "HA-3.6")
def test_what_is_true_of_every_deal(walk: Walk) -> None:
    """HA 1 to 6, 9 to 11: hands, stock, leads, points and lengths of games."""
    deals = 0
    for step in walk.steps:
        p = step.after
        if p.phase == "lead":
            sizes = {len(hand) for hand in p.hands}
            assert ({6} if p.stock else sizes, 0, 1) == (sizes, len(p.stock) % 2, len(sizes))
            for move in legal_moves(walk.game, p, p.leader):
                kinds = {JACKS.effective_suit(card, p.trump) for card in move.cards}
                assert len(move.cards) >= min(3, len(p.hands[p.leader]))
                assert len(move.cards) <= 3 or len(kinds) == 1
        if p.phase in ("lead", "follow"):
            cards = [*p.hands[0], *p.hands[1], *p.stock, *p.trick, *(card for each in p.tricks for card in each.cards)]
            assert (52, 52) == (len(cards), len(set(cards)))
            assert not p.stock or p.turn_up == p.stock[-1]
        for event in step.events:
            if event.kind == "deal_scored":
                deals += 1
                assert 150 == sum(amount for _, amount in event.shares)
            if event.kind == "game_won":
                assert deals > 1 or (event.amount or 0) >= 2
                deals = 0
        assert deals <= 2 or p.match_state.totals[0] + p.match_state.totals[1] > 300


@pytest.mark.clause("HA-5.2")
def test_the_list_of_leads_is_what_the_clause_says(walk: Walk) -> None:
    """HA 4, 5: of all sets of the hand exactly those are listed that the four cases of the clause allow."""
    for p in walk.positions:
        if p.phase == "lead":
            hand = p.hands[p.leader]
            groups = [JACKS.effective_suit(card, p.trump) for card in hand]
            largest = max(groups.count(suit) for suit in groups)
            for size in range(1, len(hand) + 1):
                for cards in combinations(hand, size):
                    suits = [JACKS.effective_suit(card, p.trump) for card in cards]
                    if largest >= 3:
                        right = size >= 3 and len(set(suits)) == 1
                    elif len(hand) < 3:
                        right = size == len(hand)
                    else:
                        right = size == 3 and len(set(suits)) == (2 if largest == 2 else 3)
                    move = make_move(walk.game, "lead_cards", cards)
                    assert right == (not validate_move(walk.game, p, p.leader, move))
                    assert right == (move.cards in legal_leads(hand, p.trump).sets)
