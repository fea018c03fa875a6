"""Madrasso: cards, deal, exchange and tricks (clauses MA-3 to MA-6)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from chitarrella.core.game import legal_moves
from tests.games.support.madrasso_tables import deal_table, game, last_trick, late
from tests.games.support.table import Match, events_of, facts, worth, zone
from tests.games.support.tricks import taker

RANKS = ["A", "3", "R", "C", "F", "7", "6", "5", "4", "2"]
DEALER = {0: "Ab 3b Rb Cb Fb As"}
"""The dealer's first six cards: the sixth is face up, so that swords are trumps."""


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("MA-3.1", "MA-3.2", "MA-3.4", "MA-6.1")
@pytest.mark.parametrize("suit", ["b", "c", "d", "s"])
def test_ranks_and_points(suit: str) -> None:
    """A 3 R C F 7 6 5 4 2 rank in this order in every suit: 30 points a suit, 120 in 40 cards."""
    g = game()
    cards = g.pack.hand(rank + suit for rank in RANKS)
    for high, low in combinations(cards, 2):
        assert (0, 1) == (
            taker(g, (high, low)),
            taker(g, (low, high)),
        )
    assert [11, 10, 4, 3, 2, 0, 0, 0, 0, 0] == [worth(g, (card,)) for card in cards]
    assert (40, 120) == (len(g.pack.cards), worth(g, g.pack.cards))


@pytest.mark.clause("MA-4.1", "MA-4.2", "MA-4.3", "MA-5.1", "ALL-1", "ALL-2")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_the_deal(dealer: int) -> None:
    """MA-EX1: which cards of the pack go to whom; the 21st lies face up before the dealer, and eldest leads."""
    rows = [
        (1, 2, 3, 13, 14, 22, 23, 24, 33, 34),
        (4, 5, 6, 15, 16, 25, 26, 27, 35, 36),
        (7, 8, 9, 17, 18, 28, 29, 30, 37, 38),
        (10, 11, 12, 19, 20, 21, 31, 32, 39, 40),
    ]
    match = Match(game(dealer))
    pack = match.game.pack.cards
    match.deal(pack)
    for place, row in enumerate(rows):
        assert tuple(pack[number - 1] for number in row) == match.p.hands[(dealer + 1 + place) % 4]
    assert (pack[20], pack[20].suit, ()) == (match.p.turn_up, match.p.trump, match.p.stock)
    assert [("turned_up", dealer, (pack[20],))] == [
        (e.kind, e.seat, e.cards) for e in events_of(match, "turned_up", None)
    ]
    assert ("play", (dealer + 1) % 4) == (match.p.phase, match.game.turn(match.p))


@pytest.mark.clause("MA-4.3", "MA-5.9", "ALL-5")
def test_the_faced_card_lies_open_until_it_is_played() -> None:
    """Everybody sees the faced card before the dealer, and nothing else of his hand, until he has played it."""
    match = deal_table(Match(game()), {**DEALER, 1: "4s", 2: "5s", 3: "6s"})
    for viewer in (None, 1, 2, 3):
        assert ("As",) == zone(match.view(viewer), "turn_up", 0).cards
        assert ((), 9) == (zone(match.view(viewer), "hand", 0).cards, zone(match.view(viewer), "hand", 0).size)
    assert 9 == len(zone(match.view(0), "hand", 0).cards)
    match.play("1 4s, 2 5s, 3 6s, 0 As")
    assert [] == [each for each in match.view(None).zones if each.name == "turn_up"]
    assert ({None: "As"}, {None: "s"}) == (facts(match.view(None), "turn_up"), facts(match.view(None), "trump"))


@pytest.mark.clause("MA-4.4", "MA-5.1", "MA-5.8")
@pytest.mark.parametrize("revoke", [False, True])
def test_dealers(revoke: bool) -> None:
    """MA-EX17: first dealer 2; deals 1 to 6 are dealt by s2 s3 s0 s1 s2 s3, also after a revoke in deal 3."""
    match = Match(game(2, revoke_mode="penalize"))
    dealers, leaders = [], []
    for deal in range(1, 7):
        dealers.append(match.p.match_state.dealer)
        match.deal(Random(deal).sample(match.game.pack.cards, 40))
        leaders.append(match.game.turn(match.p))
        while match.p.phase == "play":
            turn = match.game.turn(match.p) or 0
            choices = legal_moves(match.game, match.p, turn)
            listed = [move.cards[0] for move in choices if move.verb == "play_card"]
            wrong = [card for card in match.p.hands[turn] if card not in listed] if revoke and deal == 3 else []
            match.say(turn, f"play_card {[*wrong, *listed][0]}")
    assert ([2, 3, 0, 1, 2, 3], [3, 0, 1, 2, 3, 0]) == (dealers, leaders)
    assert revoke == bool(events_of(match, "revoked"))
    assert 6 * 130 == sum(match.p.match_state.totals)


# ---------------------------------------------------------------------- the exchange


@pytest.mark.clause("MA-5.2", "MA-5.3", "MA-5.9")
def test_exchange() -> None:
    """MA-EX2: s2 takes As for 7s, which lies before s0 from then on; s2 has coins, so that As is not legal at once."""
    match = deal_table(Match(game()), {**DEALER, 1: "4d", 2: "7s Fd 5d Ac"})
    match.play("1 4d")
    assert {"exchange_turn_up 7s", "play_card Fd", "play_card 5d"} <= set(match.moves(2))
    assert all(move.endswith("d") for move in match.moves(2) if move.startswith("play_card"))
    before = match.p
    match.say(2, "exchange_turn_up 7s")
    for viewer in (None, 0, 1, 2, 3):
        assert [("turn_up_exchanged", 2, ("7s", "As"))] == [(e.kind, e.seat, e.cards) for e in match.events_for(viewer)]
        assert ("7s",) == zone(match.view(viewer), "turn_up", 0).cards
    assert ("As" in match.p.hands[2], "7s" in match.p.hands[0], "As" in match.p.hands[0]) == (True, True, False)
    assert ([10, 9, 10, 10], before.trump) == ([len(hand) for hand in match.p.hands], match.p.trump)
    assert ["must_follow_suit"] == match.codes(2, "play_card As")
    assert ["exchange_wrong_card"] == match.codes(2, "exchange_turn_up As")
    match.play("2 Fd")


@pytest.mark.clause("MA-5.2", "MA-5.10")
def test_the_exchange_is_gone_after_the_first_card() -> None:
    """MA-EX3: s2 plays Fd at once: in trick 2 the exchange is refused, though As and 7s are where they were."""
    match = deal_table(Match(game()), {0: "Ab 3b Rb Cb Fb As Rd", 1: "4d 2d", 2: "7s Fd 5d Ac", 3: "6d 7d"})
    match.play("1 4d, 2 Fd, 3 6d, 0 Rd")
    match.play("0 Ab")
    match.say(1, match.moves(1)[0])
    assert 2 == match.game.turn(match.p)
    assert (["exchange_not_available"], ["MA-5.2"]) == (
        match.codes(2, "exchange_turn_up 7s"),
        match.cited(2, "exchange_turn_up 7s"),
    )
    assert ("As",) == zone(match.view(2), "turn_up", 0).cards


@pytest.mark.clause("MA-5.2")
@pytest.mark.parametrize("faced", ["As 7s", "7s As"])
def test_no_exchange_for_the_dealer_or_of_the_seven_itself(faced: str) -> None:
    """MA-EX3, end: the dealer who holds 7s is not offered it (MA-R2), nor anybody when 7s is faced (MA-R3)."""
    match = deal_table(Match(game()), {0: f"Ab 3b Rb Cb Fb {faced}"})
    for place in (1, 2, 3, 0):
        assert not [move for move in match.moves(place) if move.startswith("exchange")]
        if place:
            match.say(place, next(move for move in match.moves(place) if move.startswith("play_card")))
    assert ["exchange_not_available"] == match.codes(0, "exchange_turn_up 7s")


@pytest.mark.clause("MA-5.2")
@pytest.mark.parametrize("faced", ["6s", "5s", "4s", "2s", "3s"])
def test_any_faced_card_may_be_taken(faced: str) -> None:
    """A Six, Five, Four or Two may be taken as well, bad as it is (MA-R4), by eldest too (MA-R5)."""
    match = deal_table(Match(game()), {0: f"Ab 3b Rb Cb Fb {faced}", 1: "7s"})
    match.say(1, "exchange_turn_up 7s")
    assert f"play_card {faced}" in match.moves(1)
    assert not [move for move in match.moves(1) if move.startswith("exchange")]


@pytest.mark.clause("MA-5.2", "MA-5.3")
def test_the_card_received_may_have_to_be_played() -> None:
    """The card received is in the hand: on a lead of swords it must be played where it is the only one (MA-R26)."""
    hand = "7s Fd 5d Ac 2d 3d Rc Cc Fc 7c"
    match = deal_table(Match(game()), {**DEALER, 1: "4s", 2: hand})
    match.play("1 4s")
    match.say(2, "exchange_turn_up 7s")
    assert ["play_card As"] == match.moves(2)


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("MA-5.3", "MA-4.3")
def test_the_faced_card_must_follow() -> None:
    """MA-EX4: trump c, Rc lies before dealer 3, who has no other cup: on 5c it is his only legal card (MA-R6)."""
    match = deal_table(Match(game(3)), {0: "5c", 3: "Ab 3b Rb Cb Fb Rc As 3s Rs Cs"})
    match.say(0, "play_card 5c")
    for place in (1, 2):
        match.say(place, next(move for move in match.moves(place) if move.startswith("play_card")))
    assert ["play_card Rc"] == match.moves(3)


@pytest.mark.clause("MA-6.1", "MA-3.2")
def test_trick() -> None:
    """MA-EX5: trump b; 3d, 2b, Ad, 4b: 4b beats 2b, s0 wins 21 and leads."""
    hands = {
        0: "Ac 3c Rc Cc Fc 4b As 3s Rs Cs",
        1: "3d",
        2: "2b 7c 6c 5c 4c 2c 7s 6s 5s 4s",
        3: "Ad",
    }
    match = deal_table(Match(game()), hands)
    assert (0, 21) == match.one_trick("1 3d, 2 2b, 3 Ad, 0 4b")
    assert 0 == match.game.turn(match.p)


@pytest.mark.clause("MA-5.3", "ALL-8")
@pytest.mark.parametrize(("agreed", "cards"), [("", "2s 7b Rc"), ("false", "2s 7b Rc"), ("true", "7b")])
def test_a_void_player(agreed: str, cards: str) -> None:
    """MA-EX6: coins are led, hand Rc 7b 2s, trump b: all three are legal, with `must_trump_if_void` 7b (MA-R21)."""
    g = game(**{"must_trump_if_void": agreed} if agreed else {})
    match = late(g, {0: "Rc 7b 2s"}, "3 4d")
    assert [f"play_card {card}" for card in cards.split()] == match.moves(0)
    if agreed == "true":
        (refusal,) = match.refusals(0, "play_card Rc")
        assert ("must_trump", ("7b",)) == (refusal.code, refusal.allowed_cards)


@pytest.mark.clause("MA-5.10", "MA-5.2", "MA-5.3", "MA-5.4")
def test_refusals() -> None:
    """MA-EX19: what is refused in the first trick, and why."""
    match = deal_table(Match(game()), {**DEALER, 1: "4d 3c 4c 5c", 2: "7s Fd 5d Ac"})
    said = {
        "exchange_turn_up 7s": "not_in_hand",
        "exchange_turn_up 4d": "exchange_wrong_card",
        "claim_777": "claim_not_available",
        "decline_claim": "wrong_phase",
    }
    assert {move: [code] for move, code in said.items()} == {move: match.codes(1, move) for move in said}
    assert ["not_your_turn"] == match.codes(2, "exchange_turn_up 7s")
    match.play("1 4d")
    assert [] == match.codes(2, "exchange_turn_up 7s")
    match.say(2, "exchange_turn_up 7s")
    assert ["must_follow_suit"] == match.codes(2, "play_card Ac")


@pytest.mark.clause("MA-5.10", "MA-5.5")
def test_refusals_after_the_last_trick() -> None:
    """MA-EX19, end: after trick 10 nobody but its winner may claim, and no card can be played."""
    match = last_trick(game(), 11, (700, 600), 65)
    assert ("after_last_trick", 1) == (match.p.phase, match.game.turn(match.p))
    for place in (0, 2, 3):
        assert ["not_your_turn"] == match.codes(place, "claim_777") == match.codes(place, "decline_claim")
        assert [] == match.moves(place)
    assert ["wrong_phase"] == match.codes(1, "play_card Ab") == match.codes(0, "play_card Ab")
    assert ["claim_777", "decline_claim"] == match.moves(1)
