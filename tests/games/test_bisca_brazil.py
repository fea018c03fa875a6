"""Bisca of Brazil: cards, packets of nine, the cut and the last draw (clauses BB-3 to BB-5)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.core.model import CHANCE
from tests.games.support.bisca_deals import cut, drawn, last_trick_before
from tests.games.support.table import Match, dealt_to, events_of, seat, worth, zone
from tests.games.support.tricks import taker

KEY = "bisca-brazil"
RANKS = ["A", "T", "K", "J", "Q", "9", "8", "7", "6", "5", "4", "3", "2"]
SIZES = {2: (34, 17, 26), 3: (24, 8, 17), 4: (16, 4, 13)}
"""Players, then stock, rounds of drawing, tricks."""


@pytest.mark.clause("BB-3.1", "BB-6.1")
@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_ranks_and_points(suit: str) -> None:
    """A T K J Q 9 and down: the Jack above the Queen, the Ten under the Ace; 120 in 52 cards."""
    game = seat(KEY)
    cards = game.pack.hand(rank + suit for rank in RANKS)
    for high, low in combinations(cards, 2):
        assert 1 == taker(game, (low, high))
        assert 0 == taker(game, (high, low))
    assert [11, 10, 4, 3, 2] + [0] * 8 == [worth(game, (card,)) for card in cards]
    assert (52, 120) == (len(game.pack.cards), worth(game, game.pack.cards))


@pytest.mark.clause("BB-3.1", "BB-6.1", "BB-5.2")
def test_the_ten_takes_the_king() -> None:
    """BB-EX7: Qd, Jd, Kd, Td: the Ten wins 19."""
    match = cut(seat(KEY), {1: "Qd", 2: "Jd", 3: "Kd", 0: "Td"}, "3c")
    assert (0, 19) == match.one_trick("1 Qd, 2 Jd, 3 Kd, 0 Td")


@pytest.mark.clause("BB-3.2", "ALL-2", "ALL-8")
def test_three_players_leave_out_a_worthless_card() -> None:
    """BB-EX16, `removed_card`: 9s instead of 2c (BB-R2): 51 cards, nine each, a stock of 24."""
    game = seat(KEY, 3, removed_card="9s")
    assert ({"9s"}, 51, 120) == (
        set(seat(KEY).pack.cards) - set(game.pack.cards),
        len(game.pack.cards),
        worth(game, game.pack.cards),
    )
    match = Match(game)
    assert ["bad_pack"] == match.codes(CHANCE, f"start_deal {' '.join(seat(KEY).pack.cards)}")
    match.deal(game.pack.cards)
    assert ([9, 9, 9], 24) == ([len(hand) for hand in match.p.hands], len(match.p.stock))
    assert {"2c"} == set(seat(KEY).pack.cards) - set(seat(KEY, 3).pack.cards)
    for players in (2, 4):
        assert 52 == len(seat(KEY, players, removed_card="9s").pack.cards)


@pytest.mark.clause("ALL-8", "BB-4.1")
def test_four_players_unless_agreed() -> None:
    """BB-R1: where nothing is said four play, crosswise."""
    assert (4, (0, 1, 0, 1)) == (seat(KEY).seats, seat(KEY).sides)


@pytest.mark.clause("BB-4.1", "ALL-8")
@pytest.mark.parametrize(
    ("packets", "eldest", "dealer"),
    [
        ("", (1, 2, 3, 7, 8, 9, 13, 14, 15), (4, 5, 6, 10, 11, 12, 16, 17, 18)),
        ("3-3-3", (1, 2, 3, 7, 8, 9, 13, 14, 15), (4, 5, 6, 10, 11, 12, 16, 17, 18)),
        ("9", tuple(range(1, 10)), tuple(range(10, 19))),
        ("1x9", tuple(range(1, 18, 2)), tuple(range(2, 19, 2))),
    ],
)
def test_packets(packets: str, eldest: tuple[int, ...], dealer: tuple[int, ...]) -> None:
    """BB-EX8 and BB-EX13, `deal_packets`: in threes unless agreed (BB-R10), nine at once, or singly."""
    match = Match(seat(KEY, 2, **({"deal_packets": packets} if packets else {})))
    pack = match.game.pack.cards
    match.deal(pack)
    assert tuple(pack[number - 1] for number in eldest) == match.p.hands[1]
    assert tuple(pack[number - 1] for number in dealer) == match.p.hands[0]
    assert (pack[18:], "cut") == (match.p.stock, match.p.phase)
    assert 18 == sum(owner is not None for owner in dealt_to(match.game, 0))


@pytest.mark.clause("BB-4.1", "BB-5.3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sizes_of_a_deal(players: int) -> None:
    """Stock, rounds of drawing and tricks for two, three and four."""
    stock, rounds, tricks = SIZES[players]
    match = Match(seat(KEY, players))
    match.deal(match.game.pack.cards)
    assert stock == len(match.p.stock)
    match.play_out()
    assert (tricks, rounds * players) == (len(match.p.tricks), len(events_of(match, "card_drawn")))


@pytest.mark.clause("BB-4.2", "BB-5.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_goes_round(players: int) -> None:
    """The next seat deals next; the seat before the dealer cuts, the one after it leads (BB-R16)."""
    match = Match(seat(KEY, players))
    for deal in range(players + 1):
        dealer = deal % players
        assert dealer == match.p.match_state.dealer
        match.deal(match.game.pack.cards)
        assert ("cut", (dealer - 1) % players) == (match.p.phase, match.game.turn(match.p))
        match.say((dealer - 1) % players, "cut_stock 2")
        assert ("play", (dealer + 1) % players) == (match.p.phase, match.game.turn(match.p))
        match.play_out()


@pytest.mark.clause("BB-4.1", "BB-5.1", "BB-5.5")
def test_cut_and_show() -> None:
    """BB-EX9: stock 37 to 52, five lifted: card 41 is shown, goes last and names the trumps; the rest stays hidden."""
    match = Match(seat(KEY))
    pack = match.game.pack.cards
    match.deal(pack)
    match.say(3, "cut_stock 5")
    assert ((*pack[41:], *pack[36:41]), pack[40], pack[40].suit) == (match.p.stock, match.p.turn_up, match.p.trump)
    for viewer in (None, 0, 1, 2, 3):
        view = match.view(viewer)
        assert ((pack[40],), (), 15) == (
            zone(view, "turn_up").cards,
            zone(view, "stock").cards,
            zone(view, "stock").size,
        )
        for place in range(4):
            assert (match.p.hands[place] if place == viewer else ()) == zone(view, "hand", place).cards


@pytest.mark.clause("BB-5.1", "BB-5.6")
@pytest.mark.parametrize("trump_by", ["cut", "turn_up"])
def test_refusals_of_the_cut(trump_by: str) -> None:
    """BB-EX18, end: no cut of 0 or of 35; with a turn-up there is no cut at all."""
    match = Match(seat(KEY, 2, trump_by=trump_by))
    match.deal(match.game.pack.cards)
    for count in (0, 35):
        assert ["cut_out_of_range" if trump_by == "cut" else "wrong_phase"] == match.codes(1, f"cut_stock {count}")
    assert ([] if trump_by == "cut" else ["wrong_phase"]) == match.codes(1, "cut_stock 34")


@pytest.mark.clause("BB-4.1", "ALL-8")
def test_turn_up_instead_of_the_cut() -> None:
    """BB-EX14, `trump_by`: dealer s3, card 37 is turned and goes last; s0 leads at once."""
    match = Match(seat(KEY, trump_by="turn_up", first_dealer="3"))
    pack = match.game.pack.cards
    match.deal(pack)
    assert ("play", 0, pack[36], pack[36].suit) == (
        match.p.phase,
        match.game.turn(match.p),
        match.p.turn_up,
        match.p.trump,
    )
    assert (*pack[37:], pack[36]) == match.p.stock


@pytest.mark.clause("BB-5.3")
def test_last_draw() -> None:
    """BB-EX10: stock 3s Kd 9c 6h; s2 wins trick 4 and draws 3s, s1 the card shown; nine tricks remain (BB-R12)."""
    match = last_trick_before(seat(KEY), "3s Kd 9c 6h", 2)
    assert ("2 3s, 3 Kd, 0 9c, 1 6h", 4, [9] * 4) == (
        drawn(match),
        len(match.p.tricks),
        [len(hand) for hand in match.p.hands],
    )
    *_, last = match.events_for(None)
    assert (1, ("6h",)) == (last.seat, last.cards)
