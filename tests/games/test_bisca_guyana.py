"""Bisca of Guyana: cards, deal, cut, and what may answer a lead (clauses BG-3 to BG-6)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE
from chitarrella.core.options import InvalidOption
from chitarrella.tricks.game import TrickGame
from tests.games.support.bisca_deals import answers, counted, cut, drawn, follow_deal
from tests.games.support.examples import deals
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, worth, zone
from tests.games.support.tricks import taker
from tests.walks import CATALOGUE, known_walk

KEY = "bisca-guyana"
RANKS = ["A", "7", "K", "J", "Q", "6", "5", "4", "3", "2"]
SIZES = {2: (34, 17, 20), 3: (30, 10, 13), 4: (28, 7, 10)}
"""Players, then stock, rounds of drawing, tricks."""


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BG-3.1", "BG-6.1")
@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_ranks_and_points(suit: str) -> None:
    """A 7 K J Q 6 5 4 3 2: the Jack above the Queen, the Seven under the Ace; 120 in 40 cards."""
    game = seat(KEY)
    cards = game.pack.hand(rank + suit for rank in RANKS)
    for high, low in combinations(cards, 2):
        assert 1 == taker(game, (low, high))
        assert 0 == taker(game, (high, low))
    assert [11, 10, 4, 3, 2, 0, 0, 0, 0, 0] == [worth(game, (card,)) for card in cards]
    assert (40, 120) == (len(game.pack.cards), worth(game, game.pack.cards))


@pytest.mark.clause("BG-3.1", "BG-6.1")
@pytest.mark.parametrize(("led", "played", "points"), [("Qd", "Jd", 5), ("Kd", "7d", 14)])
def test_jack_over_queen_and_seven_over_king(led: str, played: str, points: int) -> None:
    """BG-EX4: trump s; the Jack takes the Queen, the Seven takes the King."""
    match = cut(seat(KEY), {1: led, 0: played}, "3s")
    assert (0, points) == match.one_trick(f"1 {led}, 0 {played}")


@pytest.mark.clause("BG-3.2", "ALL-2", "ALL-8")
def test_three_players_leave_out_a_worthless_card() -> None:
    """BG-EX17, `removed_card`: 6h instead of 2c (BG-R4); a pack with it is refused, and nobody holds it."""
    game = seat(KEY, 3, removed_card="6h")
    assert ({"6h"}, True) == (set(seat(KEY).pack.cards) - set(game.pack.cards), "2c" in game.pack.cards)
    assert (39, 120) == (len(game.pack.cards), worth(game, game.pack.cards))
    assert ["bad_pack"] == Match(game).codes(CHANCE, f"start_deal {' '.join(seat(KEY).pack.cards)}")
    assert ["not_in_hand"] == cut(game, {1: "4c"}, "3s").codes(1, "play_card 6h")
    assert {"2c"} == set(seat(KEY).pack.cards) - set(seat(KEY, 3).pack.cards)
    for players in (2, 4):
        assert 40 == len(seat(KEY, players, removed_card="6h").pack.cards)


@pytest.mark.clause("BG-3.2")
def test_the_card_left_out_may_be_of_the_trump_suit() -> None:
    """BG-R23: trumps of nine cards are trumps like any other."""
    match = cut(seat(KEY, 3, removed_card="2c"), {1: "4d", 2: "3c", 0: "Ad"}, "5c")
    assert (2, 11) == match.one_trick("1 4d, 2 3c, 0 Ad")


@pytest.mark.clause("BG-4.1", "BG-5.1", "ALL-8")
@pytest.mark.parametrize(
    ("packets", "hands"),
    [("", ((2, 4, 6), (1, 3, 5))), ("1-1-1", ((2, 4, 6), (1, 3, 5))), ("3", ((4, 5, 6), (1, 2, 3)))],
)
def test_packets(packets: str, hands: tuple[tuple[int, ...], ...]) -> None:
    """BG-EX14, `deal_packets`: eldest first, one by one or three at once; cards 7 to 40 are the stock."""
    match = Match(seat(KEY, **({"deal_packets": packets} if packets else {})))
    pack = match.game.pack.cards
    match.deal(pack)
    assert tuple(tuple(pack[number - 1] for number in row) for row in hands) == match.p.hands
    assert (pack[6:], None, "", "cut") == (match.p.stock, match.p.turn_up, match.p.trump, match.p.phase)


@pytest.mark.clause("BG-4.1", "BG-5.4", "BG-5.6")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sizes_of_a_deal(players: int) -> None:
    """Stock, rounds of drawing and tricks; without sudden death every deal has all its tricks (BG 8)."""
    stock, rounds, tricks = SIZES[players]
    match = Match(seat(KEY, players, sudden_death="false"))
    match.deal(match.game.pack.cards)
    assert stock == len(match.p.stock)
    match.play_out()
    assert (tricks, rounds * players) == (len(match.p.tricks), len(events_of(match, "card_drawn")))


@pytest.mark.clause("BG-4.4", "BG-5.1", "BG-4.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_goes_round(players: int) -> None:
    """The next seat deals next; the seat before the dealer cuts, the one after it leads (BG-R18, BG-R21)."""
    match = Match(seat(KEY, players, first_dealer="1"))
    for deal in range(players + 1):
        dealer = (deal + 1) % players
        assert dealer == match.p.match_state.dealer
        match.deal(match.game.pack.cards)
        assert ("cut", (dealer - 1) % players) == (match.p.phase, match.game.turn(match.p))
        match.say((dealer - 1) % players, "cut_stock 3")
        assert ("play", (dealer + 1) % players) == (match.p.phase, match.game.turn(match.p))
        match.play_out()


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BG-5.3", "BG-5.8")
@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        pytest.param("4h", "Kh 2h Ad", "2h Kh", id="BG-EX1-plain"),
        pytest.param("4h", "Kh 2h 3s", "2h 3s Kh", id="BG-EX1-trump"),
        pytest.param("4h", "2h 3s Ad", "2h 3s", id="BG-EX1-third-suit"),
        pytest.param("4h", "3s Ad 5c", "3s 5c Ad", id="BG-EX2"),
        pytest.param("2s", "As 6h 7d", "6h 7d As", id="BG-EX3"),
    ],
)
def test_what_may_answer_a_lead(led: str, hand: str, allowed: str) -> None:
    """BG-EX1 to 3: follow or trump a plain suit; void, or to a trump, play anything (BG-R5 to BG-R9)."""
    match = cut(seat(KEY), {1: led, 0: hand}, "Qs")
    match.play(f"1 {led}")
    assert allowed == answers(match, 0)
    for card in set(hand.split()) - set(allowed.split()):
        (refusal,) = match.refusals(0, f"play_card {card}")
        assert ("must_follow_or_trump", "BG-5.3") == (refusal.code, refusal.clause.key)
        assert allowed == " ".join(sorted(refusal.allowed_cards))


@pytest.mark.clause("BG-5.3", "BG-6.1")
def test_nobody_need_beat_a_trick() -> None:
    """BG-R9: with the Ace in hand the Two of the suit led may be played, and loses."""
    match = cut(seat(KEY), {1: "Kh", 0: "Ah 2h Ad"}, "Qs")
    assert (1, 4) == match.one_trick("1 Kh, 0 2h")


@pytest.mark.clause("BG-5.3", "BG-5.6", "BG-6.1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", ["one", "two"])
def test_legal_cards(players: int, seed: str) -> None:
    """BG 3 to 5: in suit or a trump to a plain lead, else the whole hand, also without a stock (BG-R22)."""
    walk = known_walk(RuleSet(KEY, players, (("sudden_death", "false"),)), seed, 1, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, TrickGame)
    for p in walk.positions:
        turn = game.turn(p)
        assert not p.stock or p.turn_up in (None, p.stock[-1])
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(game, p, turn)}
            led = p.trick[0].suit if p.trick else p.trump
            bound = led != p.trump and any(card.suit == led for card in p.hands[turn])
            assert cards == {card for card in p.hands[turn] if not bound or card.suit in (led, p.trump)}
    assert (SIZES[players][2], 120) == (len(walk.positions[-1].tricks), sum(game.points(walk.positions[-1])))


@pytest.mark.clause("BG-5.4", "BG-5.7")
def test_winner_draws_first_and_leads() -> None:
    """After a trick the winner draws first and leads; what it draws only it sees."""
    match = cut(seat(KEY, 3), {1: "4h", 2: "Kh", 0: "2h"}, "3s")
    first, second, third = match.p.stock[:3]
    match.play("1 4h, 2 Kh, 0 2h")
    assert (f"2 {first}, 0 {second}, 1 {third}", 2) == (drawn(match), match.game.turn(match.p))
    assert [(2, ()), (0, (second,)), (1, ())] == [
        (event.seat, event.cards) for event in match.events_for(0) if event.kind == "card_drawn"
    ]


@pytest.mark.clause("BG-4.1", "BG-4.2", "BG-5.3", "BG-5.4", "BG-6.1", "BG-7.1")
def test_complete_deal() -> None:
    """BG-EX13: three players, cut at 13; s0 wins with 56 to 40 and 24."""
    (deal,) = deals("bisca-guyana.txt")
    match = follow_deal(Match(seat(KEY, 3)), deal, lifted=13)
    assert [{"0": 56, "1": 40, "2": 24}] == counted(match)
    assert ((1, 0, 0), 1) == (match.p.match_state.wins, match.p.match_state.dealer)


@pytest.mark.clause("ALL-8", "BG-5.7")
def test_players_and_signals() -> None:
    """Two, three or four play, and nobody signals (BG-R20)."""
    for players in (1, 5, 6):
        with pytest.raises(InvalidOption):
            seat(KEY, players)
    assert {"start_deal", "cut_stock", "play_card"} == set(seat(KEY, 4).move_specs)


@pytest.mark.clause("BG-6.1")
@pytest.mark.parametrize("players", [2, 3])
def test_suits_are_alike(players: int) -> None:
    """BG 10: renaming the suits, of the card left out as well, changes no result."""
    walk = known_walk(RuleSet(KEY, players), "suits", 2, 6)
    to = dict(zip("cdhs", "hscd", strict=True))
    match = Match(seat(KEY, players, removed_card="2h"))
    for actor, move in walk.moves:
        match.move(actor, move._replace(cards=match.game.pack.hand(card.rank + to[card.suit] for card in move.cards)))
    assert walk.positions[-1].match_state == match.p.match_state
    assert walk.game.points(walk.positions[-1]) == match.game.points(match.p)


@pytest.mark.clause("ALL-6", "BG-5.7")
def test_between_deals_the_tricks_stay() -> None:
    """What was public at the end of a deal stays in view until the next pack, hands not played out do not open."""
    match = cut(seat(KEY), {1: "7h 4c 5c", 0: "Ah"}, "3s")
    match.play("1 7h, 0 Ah")
    assert ("await_deal", 1) == (match.p.phase, match.p.match_state.dealer)
    view = match.view(None)
    assert (("3s",), 2, ()) == (
        zone(view, "turn_up").cards,
        zone(view, "hand", 1).size,
        zone(view, "hand", 1).cards,
    )
    assert {None: "s"} == facts(view, "trump")
    first_cards(match, 0).deal(match.game.pack.cards)
    assert {} == facts(match.view(None), "trump")


@pytest.mark.clause("BG-4.3", "BG-5.1")
def test_positions_that_no_table_shows() -> None:
    """In the phase of the cut no card has been played and none is turned up; afterwards one is."""
    game = seat(KEY)
    before, after = Match(game), cut(game, {}, "3s")
    before.deal(game.pack.cards)
    for bad in (
        before.p._replace(phase="play"),
        after.p._replace(phase="cut"),
        before.p._replace(turn_up=before.p.stock[-1], trump=before.p.stock[-1].suit),
        table(seat(KEY, trump_by="turn_up"), {}).p._replace(phase="cut"),
    ):
        with pytest.raises(ValueError, match="turn"):
            game.decode(game.encode(bad))
