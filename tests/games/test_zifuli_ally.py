"""Zifuli: the ally whom only his own hand tells, the card that tells the sides, the play (clauses ZI-18 to ZI-25)."""

from __future__ import annotations

import pytest

from chitarrella.core.game import legal_moves, visible_to
from chitarrella.core.model import REFEREE, Seat, Viewer
from tests.games.support.table import Match, facts, first_cards, reveals
from tests.games.support.zifuli_tables import deal_table, knows, on_turn, paid, talk, tricks, zifuli

VIEWERS: tuple[Viewer, ...] = (None, *range(5))
HANDS = {
    0: "I I II II III III XIII XI",
    1: "VI VI VII VII VIII XV XV LEO",
    2: "IV IV V V X XIV XIII LEO",
    3: "VIII IX IX X MAS MAS NUL NUL",
    4: "SEC SEC MAT MAT XI XII XII XIV",
}
"""Seat 2 calls XIII, and seat 0 holds the other one."""


def begun(hands: dict[Seat, str] | None = None) -> Match:
    """Deal those hands; seat 2 calls XIII and nobody overcalls it."""
    match = deal_table(hands or HANDS)
    talk(match, "0 pass, 1 pass, 2 XIII, 3 pass, 4 pass")
    return match


PARTNERS: tuple[dict[Seat, int], dict[Seat, int]] = ({0: 0}, {})
NOTHING: tuple[dict[Seat, int], dict[Seat, int]] = ({}, {})


@pytest.mark.clause("ZI-18", "ZI-21", "ZI-23")
def test_the_caller_plays_his_copy_first() -> None:
    """ZI-E14 a and d: his XIII tells nothing (ZI-R12); with that of seat 0, in trick 3, all know 2 and 0."""
    match = begun()
    match.play("0 XI, 1 XV, 2 XIII")
    assert [NOTHING, ({0: 0}, {}), NOTHING, NOTHING, NOTHING, NOTHING] == [knows(match, viewer) for viewer in VIEWERS]
    assert PARTNERS == knows(match, REFEREE)
    match.play("3 NUL, 4 SEC, 1 VI, 2 IV, 3 VIII, 4 SEC, 0 I, 3 NUL, 4 MAT")
    assert [] == reveals(match)
    match.play("0 XIII")
    assert [("ally_revealed", 0, 2)] == reveals(match)
    assert [PARTNERS] * 6 == [knows(match, viewer) for viewer in VIEWERS]
    assert (2, 3) == (len(match.p.tricks), len(match.p.trick))


@pytest.mark.clause("ZI-18", "ZI-21", "ZI-23")
def test_the_ally_plays_his_copy_first() -> None:
    """ZI-E14 b: the XIII of seat 0 in trick 1 tells everybody at once, the caller too; his own tells no more."""
    match = begun()
    assert NOTHING == knows(match, 1)
    match.play("0 XIII")
    assert [PARTNERS] * 6 == [knows(match, viewer) for viewer in VIEWERS]
    match.play("1 XV, 2 XIII")
    assert [("ally_revealed", 0, 2)] == reveals(match)


ALONE = {
    0: "I I II II III XI XII XV",
    1: "III IV IV V V XI XII XIV",
    2: "X X IX IX VIII VIII XIII XIII",
    3: "VI VI NUL NUL MAS XIV LEO LEO",
    4: "VII VII MAT MAT MAS SEC SEC XV",
}
"""Seat 2 calls XIII and holds both."""


@pytest.mark.clause("ZI-18", "ZI-21", "ZI-11", "ZI-23")
def test_a_lone_caller_is_known_by_his_second_copy() -> None:
    """ZI-E14 c: XIII in trick 2 tells nothing, XIII in trick 7 that seat 2 is alone, which he knew all along."""
    match = deal_table(ALONE, 1)
    talk(match, "2 XIII, 3 pass, 4 pass, 0 pass, 1 pass")
    tricks(match, 2, {(1, 2): "X", (2, 2): "XIII", (2, 3): "LEO"})
    assert [({2: 2}, {2: 1}) if viewer == 2 else NOTHING for viewer in VIEWERS] == [
        knows(match, viewer) for viewer in VIEWERS
    ]
    tricks(match, 4, {(3, 2): "X", (4, 2): "IX", (5, 2): "IX", (6, 2): "VIII"})
    assert [] == reveals(match)
    assert 2 == match.game.turn(match.p)
    match.say(2, "play_card XIII")
    assert [("alone_revealed", 2, None)] == reveals(match)
    assert [({2: 2}, {2: 1})] * 6 == [knows(match, viewer) for viewer in VIEWERS]


@pytest.mark.clause("ZI-21", "ZI-24")
def test_both_copies_in_one_trick() -> None:
    """ZI-E15, ZI-R13: caller 1 leads X, ally 4 must follow with X, which tells; the first X takes the trick."""
    match = deal_table({1: "X XV XV LEO", 2: "IX", 3: "I", 4: "X MAS SEC XI XI XII XIII XIV", 0: "V"}, 0)
    talk(match, "1 X, 2 pass, 3 pass, 4 pass, 0 pass")
    match.play("1 X, 2 IX, 3 I")
    assert (["play_card X"], []) == (match.moves(4), reveals(match))
    match.play("4 X")
    assert [("ally_revealed", 4, 1)] == reveals(match)
    match.play("0 V")
    assert 1 == match.p.tricks[-1].winner


@pytest.mark.clause("ZI-23", "ZI-18", "ALL-5")
@pytest.mark.parametrize("holder", [1, 3, 4])
def test_the_other_copy_in_another_hand_looks_the_same(holder: Seat) -> None:
    """With the other XIII in another hand, the caller and those without one see no difference."""
    given = {1: "XV", 3: "NUL", 4: "SEC"}[holder]
    swapped = {0: HANDS[0].replace("XIII", given), holder: HANDS[holder].replace(given, "XIII", 1)}
    one, two = begun(), begun({**HANDS, **swapped})
    for match in (one, two):
        match.play("0 I, 1 VI, 2 IV, 3 VIII")
    assert [{0: 0}, {holder: holder}] == [facts(match.view(REFEREE), "ally") for match in (one, two)]
    for viewer in (None, *({1, 2, 3, 4} - {holder})):
        assert one.view(viewer) == two.view(viewer)
        assert [visible_to(event, viewer) for event in one.events] == [
            visible_to(event, viewer) for event in two.events
        ]
        if viewer is not None:
            assert one.moves(viewer) == two.moves(viewer)


@pytest.mark.clause("ZI-23", "ZI-25", "ALL-5")
def test_no_points_by_side_before_the_reveal() -> None:
    """ZI-R18: points are told seat by seat, by side only when the sides are known; payments when the deal is over."""
    match = begun()
    tricks(match, 2)
    for viewer in VIEWERS:
        view = match.view(viewer)
        assert dict(enumerate(match.game.points(match.p))) == facts(view, "half_points")
        assert [{}] * 3 == [facts(view, kind) for kind in ("side_half_points", "side_units", "payment")]
    while not reveals(match):
        match.move(on_turn(match), legal_moves(match.game, match.p, on_turn(match))[0])
    for viewer in VIEWERS:
        view = match.view(viewer)
        for count in ("half_points", "units"):
            points = [int(points) for points in facts(view, count).values()]
            ours, theirs = points[0] + points[2], points[1] + points[3] + points[4]
            assert {0: ours, 1: theirs, 2: ours, 3: theirs, 4: theirs} == facts(view, f"side_{count}")
        assert {} == facts(view, "payment")


@pytest.mark.clause("ZI-23", "ZI-19", "ALL-5")
def test_no_redundant_events() -> None:
    """ZI-R14: seat 3 shows that it has no pictures left, so it is no ally of a picture; no view says so."""
    match = deal_table({0: "XI XI", 2: "XIII LEO", 3: "I II III IV V VI VII VIII", 4: "XIII"})
    talk(match, "0 pass, 1 pass, 2 XIII, 3 pass, 4 pass")
    before = {viewer: {fact.name for fact in match.view(viewer).facts} for viewer in VIEWERS}
    match.play("0 XI")
    match.move(1, legal_moves(match.game, match.p, 1)[0])
    match.play("2 LEO, 3 I")
    assert before == {viewer: {fact.name for fact in match.view(viewer).facts} for viewer in VIEWERS}
    assert {"card_played"} == {event.kind for event in match.last}


@pytest.mark.clause("ZI-20", "ZI-19")
def test_a_suit_must_be_followed() -> None:
    """Eldest leads any card, then the winner; a suit led is followed, the called face or not (ZI-R2)."""
    match = begun()
    assert 6 - 1 == len(match.moves(0))
    match.play("0 XI")
    assert ["play_card LEO", "play_card XV"] == match.moves(1)
    assert ["must_follow_suit"] == match.codes(1, "play_card VI")
    match.play("1 LEO")
    assert ["play_card LEO", "play_card XIII", "play_card XIV"] == match.moves(2)
    match.play("2 LEO, 3 MAS, 4 MAT")
    assert (1, 1) == (match.p.tricks[-1].winner, match.game.turn(match.p))
    match.play("1 VI, 2 IV, 3 IX")
    assert sorted(f"play_card {face}" for face in ("SEC", "MAT", "XI", "XII", "XIV")) == match.moves(4)


@pytest.mark.clause("ZI-25", "ZI-23", "ALL-6", "ALL-7")
def test_views_at_the_end_of_a_deal() -> None:
    """After the deal auction, caller, sides, tricks, points and payments stay in view until the next pack is dealt."""
    match = begun()
    match = Match(zifuli(match_deals="2").game, match.p)
    tricks(match, 8)
    assert ("deal", 0) == (match.p.phase, match.p.match_state.dealer)
    for viewer in VIEWERS:
        view = match.view(viewer)
        assert (PARTNERS, {2: "XIII"}, {2: 2}) == (
            knows(match, viewer),
            facts(view, "called_card"),
            facts(view, "bidder"),
        )
        assert dict(enumerate(paid(match))) == facts(view, "payment")
        assert 38 == sum(int(points) for points in facts(view, "half_points").values())
        assert 8 == sum(each.name == "taken" for each in view.zones)
    match.deal(match.game.pack.cards)
    kinds = ("ally", "alone", "called_card", "bid", "bidder", "payment", "side_units")
    assert [{}] * len(kinds) == [facts(match.view(REFEREE), kind) for kind in kinds]


@pytest.mark.clause("ZI-20")
def test_eight_tricks() -> None:
    """Eight tricks are played, forced cards too, and then the deal is counted."""
    match = begun()
    tricks(match, 7)
    assert {1} == {len(hand) for hand in match.p.hands}
    assert "play" == match.p.phase
    first_cards(match, 1)
    assert ("match_over", 8) == (match.p.phase, len(match.p.tricks))
