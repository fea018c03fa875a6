"""Madrasso: the end of a deal, claims and capotto (clauses MA-5.4 to MA-5.7 and MA-7)."""

from __future__ import annotations

import pytest

from tests.games.support.madrasso_tables import LAST, before_deal, deal_table, game, last_trick, late, won
from tests.games.support.table import Match, events_of, zone

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
