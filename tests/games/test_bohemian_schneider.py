"""Bohemian Schneider: only the next higher card captures, the three variations, the score (clauses SN)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.games.support.complete_deals import only_deal, play_example
from tests.games.support.schneider_helpers import ANY, EVERY, KEY, RANKS, SAME, SUITLESS, captures
from tests.games.support.scripted_deals import last_draw
from tests.games.support.table import Match, facts, first_cards, seat, table, worth, zone

# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("SN-3.1", "SN-3.2", "SN-3.3")
def test_cards_and_points() -> None:
    """The Ten counts ten and captures below the Jack (SN-R14): 120 points, or twenty honours, in 32 cards."""
    game, honours = seat(KEY), seat(KEY, scoring="honours")
    cards = game.pack.hand(f"{rank}h" for rank in RANKS)
    assert [0, 0, 0, 10, 2, 3, 4, 11] == [worth(game, (card,)) for card in cards]
    assert [0, 0, 0, 1, 1, 1, 1, 1] == [worth(honours, (card,)) for card in cards]
    assert (32, 120, 20) == (len(game.pack.cards), worth(game, game.pack.cards), worth(honours, game.pack.cards))
    next_higher = {
        low: high for low in RANKS for high in RANKS if low != high and captures(game, f"{low}h", f"{high}h")
    }
    assert dict(pairwise(RANKS)) == next_higher


@pytest.mark.clause("SN-4.1", "SN-5.1", "ALL-1", "ALL-2")
def test_the_deal() -> None:
    """SN-EX11: s1 gets cards 1 to 3 and 7 to 9, s0 4 to 6 and 10 to 12; 20 are the stock, and s1 leads."""
    match = Match(seat(KEY))
    pack = match.game.pack.cards
    match.deal(pack)
    assert (pack[3:6] + pack[9:12], pack[:3] + pack[6:9]) == match.p.hands
    assert (pack[12:], None, "", 1) == (match.p.stock, match.p.turn_up, match.p.trump, match.game.turn(match.p))


@pytest.mark.clause("SN-4.2", "SN-5.1")
@pytest.mark.parametrize("first", [0, 1])
def test_the_deal_alternates(first: int) -> None:
    """The other seat deals next, and the seat that does not deal leads (SN-R12)."""
    match = Match(seat(KEY, first_dealer=str(first)))
    for deal in range(4):
        dealer = (first + deal) % 2
        match.deal(match.game.pack.cards)
        assert (dealer, 1 - dealer) == (match.p.match_state.dealer, match.game.turn(match.p))
        match.play_out()


@pytest.mark.clause("SN-4.1", "SN-5.3", "SN-6.1", "SN-7.1")
def test_a_complete_deal() -> None:
    """SN-EX13: trick by trick; s0 has 40 points, s1 80, and scores one game."""
    match = play_example(KEY, only_deal("bohemian-schneider.txt"))
    assert ((40, 80), (0, 1), "await_deal", 1) == (
        match.game.points(match.p),
        match.game.scores(match.p),
        match.p.phase,
        match.p.match_state.dealer,
    )


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("SN-6.1", "SN-6.2", "SN-6.3", "SN-6.4", "SN-3.3", "SN-5.2")
@pytest.mark.parametrize(
    ("options", "led", "played", "winner", "points"),
    [
        pytest.param({}, "Ts", "Js", 0, 12, id="SN-EX1"),
        pytest.param({}, "Ts", "Qs", 1, 13, id="SN-EX2-queen"),
        pytest.param({}, "Ts", "As", 1, 21, id="SN-EX2-ace"),
        pytest.param({}, "9h", "Th", 0, 10, id="SN-EX3-of the suit"),
        pytest.param({}, "9h", "Td", 1, 10, id="SN-EX3-of another"),
        pytest.param({}, "Ac", "7c", 1, 11, id="SN-EX4"),
        pytest.param(SAME, "Ac", "7c", 0, 11, id="SN-EX4-of the suit"),
        pytest.param(SAME, "Ac", "7d", 1, 11, id="SN-EX4-of another"),
        pytest.param(SUITLESS, "Kd", "As", 0, 15, id="SN-EX5-king"),
        pytest.param(SUITLESS, "7d", "8c", 0, 0, id="SN-EX5-seven"),
        pytest.param(SUITLESS, "7d", "8d", 0, 0, id="SN-R18"),
        pytest.param({**SUITLESS, **SAME}, "Ah", "7s", 1, 11, id="SN-EX6-of another"),
        pytest.param({**SUITLESS, **SAME}, "Ah", "7h", 0, 11, id="SN-EX6-of the suit"),
        pytest.param(ANY, "Ah", "7s", 0, 11, id="SN-EX6-any"),
        pytest.param(SAME, "7h", "Ah", 1, 11, id="SN-EX8"),
        pytest.param(SAME, "7h", "8h", 0, 0, id="SN-R5"),
        pytest.param({**ANY, "scoring": "honours"}, "Ad", "7s", 0, 1, id="SN-EX16-ace"),
        pytest.param({**ANY, "scoring": "honours"}, "Td", "Jc", 0, 2, id="SN-EX16-ten"),
    ],
)
def test_a_trick(options: dict[str, str], led: str, played: str, winner: int, points: int) -> None:
    """Who takes a trick that s1 leads, and what it counts (SN-R1 to SN-R6, SN-R15)."""
    match = table(seat(KEY, **options), {1: led, 0: played})
    assert (winner, points) == match.one_trick(f"1 {led}, 0 {played}")
    assert (winner, winner) == (match.game.turn(match.p), match.p.leader)


@pytest.mark.clause("SN-6.1", "SN-6.2", "SN-6.3", "SN-3.3")
@pytest.mark.parametrize("options", EVERY, ids=lambda options: "-".join(options) or "default")
def test_which_cards_capture(options: dict[str, str]) -> None:
    """SN 4 to 6: one card captures each that is led, four where suits do not matter; an Ace falls only by agreement."""
    game = seat(KEY, **options)
    mode, suitless = options.get("ace_by_seven", "off"), "any_suit_captures" in options
    for led in game.pack.cards:
        found = {played for played in game.pack.cards if played != led and captures(game, led, played)}
        if led.rank == "A":
            expected = {f"7{suit}" for suit in {"off": "", "same_suit": led.suit, "any_suit": "cdhs"}[mode]}
        else:
            higher = RANKS[RANKS.index(led.rank) + 1]
            expected = {higher + suit for suit in ("cdhs" if suitless else led.suit)}
        assert expected == found


@pytest.mark.clause("SN-6.1")
def test_nothing_moves_up() -> None:
    """SN-EX7: when Kd is gone no card captures Qd, not even Ad (SN-R2)."""
    match = table(seat(KEY), {1: "Kd Qd", 0: "7c Ad"})
    match.play("1 Kd, 0 7c")
    assert (1, 14) == match.one_trick("1 Qd, 0 Ad")


@pytest.mark.clause("SN-5.2")
@pytest.mark.parametrize("tricks", range(16))
def test_every_card_may_be_played(tricks: int) -> None:
    """SN 3: leading or following, before the stock is gone and after, every card may be played (SN-R10, R16, R17)."""
    match = first_cards(table(seat(KEY), {}), tricks)
    for _ in range(2):
        turn = match.game.turn(match.p)
        assert turn is not None
        assert sorted(f"play_card {card}" for card in match.p.hands[turn]) == match.moves(turn)
        match.say(turn, match.moves(turn)[0])


@pytest.mark.clause("SN-5.3")
def test_the_last_draw() -> None:
    """SN-EX12: stock 8d Kc, s1 wins trick 10: s1 draws 8d, s0 Kc, and six tricks remain (SN-R11)."""
    match, drawn = last_draw(seat(KEY), 1, "1 8d, 0 Kc")
    assert ("1 8d, 0 Kc", 10, 0) == (drawn, len(match.p.tricks), len(match.p.stock))
    assert (6, 6) == tuple(map(len, match.p.hands))


@pytest.mark.clause("SN-5.4", "ALL-5", "ALL-6")
def test_what_is_seen() -> None:
    """Hands and drawn cards are for their seat alone; tricks, the stock's size, points and score are for all."""
    match = table(seat(KEY), {1: "Ac", 0: "7c"})
    match.play("1 Ac, 0 7c")
    for viewer in (None, 0, 1):
        view = match.view(viewer)
        assert [viewer == place for place in (0, 1)] == [bool(zone(view, "hand", place).cards) for place in (0, 1)]
        assert ((), 18) == (zone(view, "stock").cards, zone(view, "stock").size)
        assert ("Ac", "7c") == zone(view, "taken", 1).cards
        assert ({0: 0, 1: 11}, {0: 0, 1: 0}) == (facts(view, "card_points"), facts(view, "total"))
        drawn = [event for event in match.events_for(viewer) if event.kind == "card_drawn"]
        assert [event.seat == viewer for event in drawn] == [bool(event.cards) for event in drawn]
    match.play_out()
    assert 16 == sum(each.name == "taken" for each in match.view(None).zones)
