"""Madrasso: cards, deal, exchange and tricks (clauses MA-3 to MA-6)."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.notation import InvalidPosition
from tests.games.support.examples import TRICK, blocks
from tests.games.support.madrasso_tables import LAST, before_deal, deal_table, game, last_trick, late, won
from tests.games.support.table import Match, events_of, facts, worth, zone

DEALER = {0: "Ab 3b Rb Cb Fb As"}
"""The dealer's first six cards: the sixth is face up, so that swords are trumps."""


# ---------------------------------------------------------------------- cards and deal


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


# ---------------------------------------------------------------------- what is seen


@pytest.mark.clause("MA-5.9", "ALL-5", "ALL-6")
def test_points_of_a_deal_are_an_event_at_its_end() -> None:
    """While a deal runs, also after its last trick, the service tells totals and no points (MA-R28)."""
    match = last_trick(game(), 11, (700, 600), 65)
    for viewer in (None, 0, 1, 2, 3, REFEREE):
        assert ({}, {0: 700, 1: 600, 2: 700, 3: 600}) == (
            facts(match.view(viewer), "card_points"),
            facts(match.view(viewer), "total"),
        )
    match.say(1, "decline_claim")
    for viewer in (None, 0, REFEREE):
        assert 120 == sum(int(points) for points in facts(match.view(viewer), "card_points").values())
        assert 10 == sum(each.name == "taken" for each in match.view(viewer).zones)
    assert [("claim_declined", 1)] == [(e.kind, e.seat) for e in events_of(match, "claim_declined", None)]


@pytest.mark.clause("ALL-4")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ("champion=0", "champion"),
        ("offence=0,4c,must_follow_suit", "offence"),
        ("turn_up=4d", "turn_up"),
        ("trump=c", "trump"),
    ],
)
def test_impossible_tables(change: str, field: str) -> None:
    """A winner of a running game, a revoke where none can be, a faced card in the wrong hand cannot be read."""
    match = deal_table(Match(game()), {**DEALER, 1: "4d"})
    name = change.partition("=")[0]
    kept = [word for word in match.game.encode(match.p).split() if not word.startswith(f"{name}=")]
    with pytest.raises(InvalidPosition) as refused:
        match.game.decode(" ".join([*kept, change]))
    assert field == refused.value.field


# ---------------------------------------------------------------------- a complete deal


@pytest.mark.clause("MA-4.2", "MA-5.2", "MA-6.1", "MA-3.3", "MA-7.1")
def test_complete_deal() -> None:
    """MA-EX14: the deal as the specification tells it, card by card, 68 to 62."""
    (block,) = blocks("madrasso.txt")
    lines = dict(line.partition(": ")[::2] for line in block.lines)
    match = Match(game(3))
    match.deal(match.game.pack.hand(lines["pack (top first)"].split()))
    for place in range(4):
        assert lines[f"s{place} is dealt"] == " ".join(match.p.hands[place])
    assert ("Fc", "c") == (match.p.turn_up, match.p.trump)
    rounds = TRICK.findall("\n".join(block.lines))
    assert 10 == len(rounds)
    for number, (plays, winner, points, _, _) in enumerate(rounds):
        for at, words in enumerate(plays.split(", ")):
            if (number, at) == (0, 1):
                match.say(1, "exchange_turn_up 7c")
            match.say(int(words[1]), f"play_card {words[3:]}")
        trick = match.p.tricks[-1]
        assert (int(winner), int(points)) == (trick.winner, worth(match.game, trick.cards))
    assert ((68, 62), "await_deal", CHANCE) == (match.p.match_state.totals, match.p.phase, match.game.turn(match.p))
    assert before_deal(game(3), 2, 68, 62).p.match_state == match.p.match_state


# ---------------------------------------------------------------------- madrasso matches


A, B = frozenset({0, 2}), frozenset({1, 3})
TRUMPS = "Ab 3b Rb Cb Fb 7b 6b 5b 4b 2b"


def sweep(match: Match) -> Match:
    """Deal all trumps to the dealer, who takes all ten tricks."""
    deal_table(match, {match.p.match_state.dealer: TRUMPS})
    while match.p.phase == "play":
        turn = match.game.turn(match.p) or 0
        match.say(turn, next(move for move in match.moves(turn) if move.startswith("play_card")))
    return match


# ---------------------------------------------------------------------- the end of a deal


@pytest.mark.clause("MA-7.2", "MA-7.1", "MA-3.3", "MA-7.6")
@pytest.mark.parametrize(
    ("before", "scored", "after", "winners"),
    [((730, 440), 60, (790, 510), A), ((716, 454), 60, (776, 524), None), ((440, 730), 70, (510, 790), B)],
)
def test_after_ten_deals(
    before: tuple[int, int], scored: int, after: tuple[int, int], winners: frozenset[int] | None
) -> None:
    """MA-EX7: 790 after ten deals wins without a claim; with 776 another deal follows."""
    match = last_trick(game(), 10, before, scored)
    assert (after, winners) == (match.p.match_state.totals, won(match))
    assert 1300 == sum(match.p.match_state.totals)
    shares = (("0", scored), ("1", 130 - scored), ("2", scored), ("3", 130 - scored))
    assert [shares] == [event.shares for event in events_of(match, "deal_scored", None)]
    assert sorted(winners or ()) == [event.seat for event in events_of(match, "match_won", None)]
    if winners is None:
        match.deal(match.game.pack.cards)
        assert 11 == match.p.match_state.deal


@pytest.mark.clause("MA-7.2", "MA-7.3")
@pytest.mark.parametrize(
    ("deal", "totals", "scored", "winners"),
    [(9, (800, 240), 65, None), (12, (715, 715), 65, None), (13, (780, 780), 65, None), (13, (780, 780), 66, A)],
)
def test_too_early_or_level(deal: int, totals: tuple[int, int], scored: int, winners: frozenset[int] | None) -> None:
    """Before ten deals 777 win nothing; two level sides play on (MA-R17), and the higher one wins (MA-R14)."""
    match = last_trick(game(), deal, totals, scored)
    if deal > 10:
        match.say(1, "decline_claim")
    assert winners == won(match)


@pytest.mark.clause("MA-7.2", "ALL-8")
@pytest.mark.parametrize(
    ("target", "scored", "winners"),
    [("777", 66, None), ("67", 66, None), ("66", 66, A), ("1", 66, A), ("65", 65, None), ("66", 64, B)],
)
def test_target_and_least_deals(target: str, scored: int, winners: frozenset[int] | None) -> None:
    """`target` and `min_deals`: one deal is enough where that is agreed, and level sides go on all the same."""
    assert winners == won(last_trick(game(min_deals="1", target=target), 1, (0, 0), scored))


# ---------------------------------------------------------------------- claims


@pytest.mark.clause("MA-5.4", "MA-5.6")
@pytest.mark.parametrize(
    ("totals", "total", "winners"), [((765, 535), 779, A), ((762, 538), 776, B), ((763, 537), 777, A)]
)
def test_claim(totals: tuple[int, int], total: int, winners: frozenset[int]) -> None:
    """MA-EX8: s0 has won 14 points in the first trick of deal 11 and claims; with 776 the claim is wrong (MA-R24)."""
    g = game(1)
    match = deal_table(before_deal(g, 11, *totals), {0: "Ad", 1: "5d", 2: "Cd", 3: "2d"})
    assert (3, 0) == (match.p.match_state.dealer, match.game.turn(match.p))
    assert ["claim_not_available"] == match.codes(0, "claim_777")
    match.play("0 Ad")
    assert ["claim_not_available"] == match.codes(1, "claim_777")
    match.play("1 5d, 2 Cd, 3 2d")
    assert sorted(["claim_777", *(f"play_card {card}" for card in match.p.hands[0])]) == match.moves(0)
    assert (10, ["not_your_turn"], ["not_your_turn"]) == (
        len(match.moves(0)),
        match.codes(2, "claim_777"),
        match.codes(1, "claim_777"),
    )
    match.say(0, "claim_777")
    word = "right" if winners == A else "wrong"
    assert [("claimed", 0, word, total)] == [
        (e.kind, e.seat, e.word, e.amount) for e in events_of(match, "claimed", None)
    ]
    assert (winners, totals) == (won(match), match.p.match_state.totals)
    assert [] == events_of(match, "deal_scored")
    for place in range(4):
        assert ["match_over"] == match.codes(place, "claim_777")
        assert ((), 9) == (zone(match.view(None), "hand", place).cards, len(match.p.hands[place]))


@pytest.mark.clause("MA-5.4", "MA-7.3")
def test_no_claim_in_deal_eight() -> None:
    """MA-EX9: deal 8, B has 801 already: nobody may claim; B wins at the end of deal 10."""
    match = late(game(), {1: "Ac 5d"}, leader=1, deal=8, totals=(109, 801), taken=40)
    assert (["claim_not_available"], ["MA-5.4"]) == (match.codes(1, "claim_777"), match.cited(1, "claim_777"))
    for deal, totals in ((8, (109, 801)), (9, (174, 866))):
        assert won(last_trick(game(), deal, totals, 65)) is None
    assert B == won(last_trick(game(), 10, (239, 931), 130 - 10))


@pytest.mark.clause("MA-5.5", "MA-5.6", "MA-7.2")
@pytest.mark.parametrize(("answer", "winners"), [("claim_777", B), ("decline_claim", A)])
def test_both_above(answer: str, winners: frozenset[int]) -> None:
    """MA-EX10: 782 to 778 after deal 12: if s1 claims, B wins (MA-R12, MA-R18); if s1 declines, A does."""
    match = last_trick(game(), 12, (717, 713), 65)
    assert "after_last_trick" == match.p.phase
    match.say(1, answer)
    assert ((782, 778), winners) == (match.p.match_state.totals, won(match))


def test_waiting_for_a_claim_where_there_is_none_is_impossible() -> None:
    """MA-5.4: before the first deal with claims nobody is asked for one after the last trick."""
    p = last_trick(game(), 12, (717, 713), 65).p
    assert p == game().decode(game().encode(p))
    early = p._replace(match_state=p.match_state._replace(deal=8))
    with pytest.raises(InvalidPosition, match="nobody can claim after this deal"):
        game().decode(game().encode(early))


@pytest.mark.clause("MA-5.6", "MA-5.5")
def test_the_last_trick_counts_once_it_is_won() -> None:
    """MA-EX11: A has 700 and 70 in nine tricks: after the tenth the claim is right, before it is wrong (MA-R11)."""
    hands = {**LAST, 1: "5d", 2: "7d"}
    for early in (True, False):
        match = late(game(), hands, leader=2, deal=12, totals=(700, 730), taken=70)
        if not early:
            match.play("2 7d, 3 6d, 0 4d, 1 5d")
        match.say(2, "claim_777")
        assert (770 if early else 780) == events_of(match, "claimed")[0].amount
        assert (B if early else A) == won(match)
        assert ((700, 730) if early else (780, 780)) == match.p.match_state.totals


@pytest.mark.clause("MA-5.6", "MA-5.7", "MA-7.1")
def test_what_is_entered() -> None:
    """MA-EX16: a deal broken off is not entered (MA-R27), a complete one is, a capotto as 130 to 0 (MA-R20)."""
    hands = {0: "4c 5c 6c 7c"}
    for taken, winners in ((57, A), (56, B)):
        match = late(game(), hands, leader=0, deal=12, totals=(720, 710), taken=taken)
        match.say(0, "claim_777")
        assert ((720, 710), winners) == (match.p.match_state.totals, won(match))
    match = last_trick(game(), 12, (720, 710), 50)
    match.say(1, "claim_777")
    assert ((770, 790), B) == (match.p.match_state.totals, won(match))
    match = sweep(before_deal(game(), 12, 720, 710))
    assert ((720, 840), B) == (match.p.match_state.totals, won(match))
    assert "after_last_trick" not in {event.word for event in match.events}


@pytest.mark.clause("MA-5.4", "ALL-8")
def test_claims_from_the_first_deal() -> None:
    """MA-EX18: `claim_from_deal` = 1: B, who has 801, may claim in deal 8; if not, A's capotto in deal 9 beats it."""
    g = game(3, claim_from_deal="1")
    match = deal_table(before_deal(g, 8, 109, 801), {3: "Ad", 0: "5d", 1: "Cd", 2: "2d"})
    match.play("3 Ad, 0 5d, 1 Cd, 2 2d")
    match.say(3, "claim_777")
    assert (B, 8) == (won(match), match.p.match_state.deal)
    g = game(0, claim_from_deal="1")
    match = sweep(before_deal(g, 9, 174, 866))
    assert (0, A, (304, 866)) == (match.p.match_state.dealer, won(match), match.p.match_state.totals)


@pytest.mark.clause("MA-5.4", "ALL-8")
@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({}, 11),
        ({"claim_from_deal": "after_min_deals"}, 11),
        ({"claim_from_deal": "10"}, 10),
        ({"claim_from_deal": "1"}, 1),
        ({"claim_from_deal": "100"}, 100),
        ({"min_deals": "3"}, 4),
        ({"min_deals": "99"}, 100),
        ({"min_deals": "3", "claim_from_deal": "11"}, 11),
    ],
)
def test_the_first_deal_with_claims(options: dict[str, str], first: int) -> None:
    """MA-EX18: by default claims begin in the deal after the least number of deals (MA-R7, MA-R29)."""
    for deal in (1, 3, 4, 9, 10, 11, 99, 100):
        match = late(game(**options), {0: "4c 5c 6c"}, leader=0, deal=deal, totals=(65 * (deal - 1), 65 * (deal - 1)))
        assert (deal >= first) == ("claim_777" in match.moves(0))


# ---------------------------------------------------------------------- capotto


@pytest.mark.clause("MA-5.7", "MA-7.3")
def test_capotto() -> None:
    """MA-EX12: deal 4, A leads 310 to 80; s3 takes all ten tricks: B wins the game, 310 to 210."""
    match = sweep(before_deal(game(), 4, 310, 80))
    assert (B, (310, 210)) == (won(match), match.p.match_state.totals)


@pytest.mark.clause("MA-5.7", "MA-5.5")
def test_capotto_beats_a_higher_total() -> None:
    """A capotto wins against 777 and more, and nobody is asked for a claim before it (MA-R19)."""
    match = sweep(before_deal(game(min_deals="12", claim_from_deal="11"), 12, 830, 600))
    assert (B, (830, 730)) == (won(match), match.p.match_state.totals)
    assert [] == events_of(match, "claimed") + events_of(match, "claim_declined")
