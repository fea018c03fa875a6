"""Zifuli: the auction by calling a card (clauses ZI-7 to ZI-17), with the examples ZI-E2 to ZI-E11 and ZI-E20."""

from __future__ import annotations

import pytest

from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, REFEREE, Seat, Viewer
from chitarrella.tricks.auction import soloist
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, reveals, zone
from tests.games.support.zifuli_tables import all_pass, deal_table, each, knows, on_turn, paid, talk, tricks, zifuli


@pytest.mark.clause("ZI-9", "ZI-11", "ZI-16", "ZI-10")
@each("calls")
def test_what_may_be_called(block: Block) -> None:
    """ZI-E2 to ZI-E5: faces held, of the suit called and lower; doubles once; passing always (ZI-R3, ZI-R8, ZI-R10)."""
    said = block.words()
    opening = said["standing"] == "-"
    match = deal_table({0: said["hand"]} if opening else {0: said["standing"], 1: said["hand"]})
    if not opening:
        talk(match, f"0 {said['standing']}")
    turn = on_turn(match)
    faces = [] if said["legal"] == "-" else said["legal"].split()
    assert sorted([*(f"call_card {face}" for face in faces), "pass_bid"]) == match.moves(turn)
    for face in set(said["hand"].split()) - set(faces):
        assert match.codes(turn, f"call_card {face}") in (["call_other_suit"], ["call_not_lower"])


def called_by(said: dict[str, str]) -> dict[int, str]:
    """The faces that each seat calls in an example, and so must hold."""
    hands: dict[int, str] = {}
    for part in said["auction"].split(", "):
        who, what = part.split()
        if what != "pass":
            hands[int(who)] = f"{hands.get(int(who), '')} {what}"
    return hands


@pytest.mark.clause("ZI-7", "ZI-8", "ZI-12", "ZI-13", "ZI-14", "ZI-15", "ZI-6", "ALL-8")
@each("auction")
def test_auctions(block: Block) -> None:
    """ZI-E6 to E10, E20: who speaks when, who is caller with what, who deals next (ZI-R1, R5 to R7, R9)."""
    said = block.words()
    options = {option: said[option] for option in ("bidding_direction", "all_pass") if option in said}
    dealer = int(said["dealer"])
    match = deal_table(called_by(said), dealer, **options)
    talk(match, said["auction"])
    if said["caller"] == "none":
        assert ("deal", "-") == (match.p.phase, said["called"])
        assert int(said.get("next dealer", (dealer + 1) % 5)) == match.p.match_state.dealer
        with pytest.raises(LookupError):
            soloist(match.p)
    else:
        assert ("play", int(said["caller"])) == (match.p.phase, soloist(match.p))
        assert {int(said["caller"]): said["called"]} == facts(match.view(None), "called_card")
        assert (dealer + 1) % 5 == match.game.turn(match.p)
        won = events_of(match, "auction_won", None)
        assert [(int(said["caller"]), said["called"])] == [(event.seat, event.word) for event in won]


@pytest.mark.clause("ZI-7", "ALL-8")
@pytest.mark.parametrize("dealer", range(5))
@pytest.mark.parametrize(("agreed", "step"), [("", 1), ("anticlockwise", 1), ("clockwise", -1)])
def test_bidding_direction(dealer: int, agreed: str, step: int) -> None:
    """`bidding_direction`: eldest first in any case, then with the play or against it (ZI-R1)."""
    match = zifuli(dealer, **({"bidding_direction": agreed} if agreed else {}))
    match.deal(match.game.pack.cards)
    order = [(dealer + 1) % 5]
    spoke = []
    while len(order) < 5:
        order.append((order[-1] + step) % 5)
    for _ in range(5):
        spoke.append(on_turn(match))
        match.say(on_turn(match), "pass_bid")
    assert order == spoke


@pytest.mark.clause("ZI-7", "ZI-20")
def test_the_play_is_anticlockwise_all_the_same() -> None:
    """ZI-R24: a clockwise auction does not turn the play round, and eldest leads (ZI-R2)."""
    match = deal_table({1: "X"}, 4, bidding_direction="clockwise")
    talk(match, "0 pass, 4 pass, 3 pass, 2 pass, 1 X")
    order = []
    for _ in range(5):
        order.append(on_turn(match))
        match.move(on_turn(match), legal_moves(match.game, match.p, on_turn(match))[0])
    assert [0, 1, 2, 3, 4] == order


@pytest.mark.clause("ZI-8", "ZI-12", "ZI-13")
def test_who_has_passed_is_not_asked_again() -> None:
    """Two go on against each other over the heads of those who passed, until one of them passes (ZI-R7)."""
    match = deal_table({0: "LEO XIV XII", 2: "XV XIII XI"})
    talk(match, "0 LEO, 1 pass, 2 XV, 3 pass, 4 pass, 0 XIV, 2 XIII, 0 XII, 2 XI")
    assert [["not_your_turn"]] * 4 == [match.codes(place, "pass_bid") for place in (1, 2, 3, 4)]
    talk(match, "0 pass")
    assert ("play", 2) == (match.p.phase, soloist(match.p))


@pytest.mark.clause("ZI-14", "ZI-13")
@pytest.mark.parametrize("lowest", ["I", "MAS"])
def test_the_lowest_face_cannot_be_overcalled(lowest: str) -> None:
    """With the lowest face of either suit, also as the first call, nobody else is asked (ZI-R9)."""
    match = deal_table({0: lowest})
    talk(match, f"0 {lowest}")
    assert ("play", 0) == (match.p.phase, soloist(match.p))
    assert [] == events_of(match, "bid_passed")


@pytest.mark.clause("ZI-10", "ZI-13", "ZI-9")
def test_four_passes_are_no_end() -> None:
    """ZI-E8, ZI-R5: the fifth may still call, anything he holds, or pass; no call is forced upon him."""
    match = deal_table({0: "VIII II MAT"}, 0)
    talk(match, "1 pass, 2 pass, 3 pass, 4 pass")
    assert {"call_card VIII", "call_card II", "call_card MAT", "pass_bid"} <= set(match.moves(0))


@pytest.mark.clause("ZI-15", "ZI-6", "ZI-28", "ALL-6", "ALL-7")
def test_a_deal_that_all_passed() -> None:
    """ZI-E9: the hands are thrown in unseen, nobody pays, the auction stays in view (ZI-R23)."""
    match = all_pass(zifuli(0))
    assert ("deal", CHANCE, ()) == (match.p.phase, match.game.turn(match.p), match.p.hands)
    assert (0, 0, 0, 0, 0) == paid(match) == match.game.scores(match.p)
    assert match.p == match.game.decode(match.game.encode(match.p))
    assert ["deal_void"] == [event.kind for event in match.last if event.kind.startswith("deal_v")]
    for viewer in (None, *range(5)):
        view = match.view(viewer)
        assert (40, ()) == (zone(view, "pack").size, zone(view, "pack").cards)
        assert dict.fromkeys(range(5), "pass") == facts(view, "bid")
        assert not [event for event in match.events_for(viewer) if event.cards]
    for _ in range(3):
        all_pass(match)
    assert ("deal", 4, 0) == (match.p.phase, match.p.match_state.dealer, match.p.own.played)


@pytest.mark.clause("ZI-15", "ZI-6", "ALL-8")
def test_same_dealer() -> None:
    """`all_pass=same_dealer`: he deals until somebody calls; after a deal that was played the next does (ZI-R6)."""
    match = zifuli(3, all_pass="same_dealer", match_deals="2")
    for _ in range(2):
        all_pass(match)
        assert (3, 4) == (match.p.match_state.dealer, match.p.leader)
    match.play_out()
    assert ("deal", 4) == (match.p.phase, match.p.match_state.dealer)


@pytest.mark.clause("ZI-17", "ZI-19", "ZI-22")
def test_after_the_auction_nothing_can_be_said() -> None:
    """The call stands as it is, and there is no move to name a partner or to announce anything."""
    match = deal_table({0: "I XIII XIV"})
    talk(match, "0 I")
    for turn in range(5):
        assert ["wrong_phase"] == match.codes(turn, "pass_bid") == match.codes(turn, "call_card XIII")
    assert {"call_card", "pass_bid", "play_card", "start_deal"} == set(match.game.move_specs)
    tricks(match, 3)
    assert {0: "I"} == facts(match.view(None), "called_card")


@pytest.mark.clause("ZI-11", "ZI-18", "ZI-9")
def test_both_copies_may_be_called() -> None:
    """A face held twice is one call, and calling it looks and sounds like any other call."""
    one, two = deal_table({0: "XII XII", 1: "XV"}), deal_table({0: "XII XV", 1: "XII"})
    for match in (one, two):
        assert 1 == match.moves(0).count("call_card XII")
        talk(match, "0 XII")
    assert one.events_for(3) == two.events_for(3)
    for viewer in (None, 2, 3, 4):
        assert one.view(viewer) == two.view(viewer)


@pytest.mark.clause("ZI-9", "ZI-18", "ZI-23")
def test_who_holds_the_other_copy_may_overcall() -> None:
    """ZI-R11: sides begin with the end of the auction; until then no hand tells anybody of an ally, his own neither."""
    match = deal_table({0: "XI", 1: "XI MAT", 2: "MAT"})
    talk(match, "0 XI")
    for viewer in (REFEREE, None, *range(5)):
        assert [{}] * 3 == [facts(match.view(viewer), kind) for kind in ("ally", "alone", "called_card")]
    talk(match, "1 MAT, 2 pass, 3 pass, 4 pass, 0 pass")
    assert ({2: 2}, {}) == (facts(match.view(REFEREE), "ally"), facts(match.view(REFEREE), "alone"))
    assert {} == facts(match.view(0), "ally")


@pytest.mark.clause("ZI-16")
def test_no_pass_is_made_for_a_seat() -> None:
    """ZI-R22: who can call nothing is asked like everybody else, and has one move."""
    match = deal_table({0: "II", 1: "IV V VI VII LEO XV XIV XIII"})
    talk(match, "0 II")
    assert (1, ["pass_bid"]) == (on_turn(match), match.moves(1))


# ---------------------------------------------------------------------- zifuli ally


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
