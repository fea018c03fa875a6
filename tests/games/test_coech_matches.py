"""Cöch: how long a match is, who deals, the lot, and what follows the last deal (clauses CO-12 and CO-29)."""

from __future__ import annotations

import pytest

from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.options import InvalidOption
from tests.games.support.coech_deals import play_all
from tests.games.support.table import Match, facts, seat, zone


@pytest.mark.clause("CO-29", "CO-28", "CO-12", "CO-14")
def test_match_to_two_wins() -> None:
    """CO-E20: side 1, draw, side 0, side 1: dealers 2 3 0 1, leaders 3 0 1 2; side 1 wins the match 2 to 1."""
    match = Match(seat("coech", 4, first_dealer="2", target_wins="2"))
    dealers, leaders = [], []
    for winner in (1, None, 0, 1):
        assert match.game.outcome(match.p) is None
        dealers.append(match.p.match_state.dealer)
        leaders.append(match.p.leader)
        play_all(match, [winner])
    assert ([2, 3, 0, 1], [3, 0, 1, 2]) == (dealers, leaders)
    assert ("match_over", (1, 2)) == (match.p.phase, match.p.match_state.wins)
    assert frozenset({1, 3}) == match.game.outcome(match.p)
    assert (-1, 1, -1, 1) == match.game.scores(match.p)


@pytest.mark.clause("CO-29")
def test_one_deal_unless_agreed() -> None:
    """CO-R17: a match is one deal where nothing is said, and a draw of it a draw of the match."""
    for winner, outcome in ((0, {0, 2}), (1, {1, 3}), (None, set())):
        match = Match(seat("coech", 4, first_dealer="3"))
        play_all(match, [winner])
        assert ("match_over", frozenset(outcome)) == (match.p.phase, match.game.outcome(match.p))


@pytest.mark.clause("CO-29", "ALL-8")
@pytest.mark.parametrize("deals", [1, 2, 5])
def test_match_deals(deals: int) -> None:
    """`match_deals`: exactly so many deals, draws counted."""
    match = Match(seat("coech", 4, first_dealer="1", match_deals=str(deals)))
    play_all(match, [None] * (deals - 1))
    assert ("deal", deals - 1) == (match.p.phase, match.p.match_state.deal)
    play_all(match, [0])
    assert ("match_over", frozenset({0, 2})) == (match.p.phase, match.game.outcome(match.p))


@pytest.mark.clause("CO-29", "ALL-8", "ALL-9")
@pytest.mark.parametrize("target", [0, 1, 3])
def test_target_wins(target: int) -> None:
    """`target_wins`: draws do not count; 0 is no target, and then `match_deals` is looked at."""
    match = Match(seat("coech", 4, first_dealer="1", match_deals="2", target_wins=str(target)))
    play_all(match, [None] * (4 if target else 2))
    assert ("deal" if target else "match_over") == match.p.phase
    if target:
        play_all(match, [1] * target)
        assert frozenset({1, 3}) == match.game.outcome(match.p)


@pytest.mark.clause("CO-27", "CO-12", "CO-28")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_a_drawn_deal(dealer: int) -> None:
    """CO-E12: a double tie counts nothing for any seat, is not replayed, and the deal passes on (CO-R7)."""
    match = Match(seat("coech", 4, first_dealer=str(dealer), match_deals="2"))
    play_all(match, [None])
    assert ((0, 0, 0, 0), (0, 0)) == (match.game.scores(match.p), match.p.match_state.wins)
    assert ("deal", (dealer + 1) % 4, 1) == (match.p.phase, match.p.match_state.dealer, match.p.match_state.deal)


@pytest.mark.clause("ALL-7", "ALL-6", "CO-12")
def test_after_the_end() -> None:
    """CO-E25: after the last deal its dealer and its tricks stay; every move and every pack is match_over (CO-R26)."""
    match = Match(seat("coech", 4, first_dealer="2", match_deals="1"))
    pack = f"start_deal {' '.join(match.game.pack.cards)}"
    play_all(match, [0])
    assert ("match_over", 2) == (match.p.phase, match.p.match_state.dealer)
    for place in range(4):
        assert ["match_over"] == match.codes(place, "play_card I") == match.codes(place, f"play_card I @{place}")
        assert 10 == sum(each.name == "taken" for each in match.view(place).zones)
        assert {None: 2} == facts(match.view(place), "dealer")
    assert (["match_over"], ["ALL-7"]) == (match.codes(CHANCE, pack), match.cited(CHANCE, pack))


@pytest.mark.clause("ALL-7", "ALL-6", "CO-12")
def test_between_two_deals() -> None:
    """CO-E25: between two deals a card is out of phase; tricks stay in view (CO-R18), the coming dealer is named."""
    match = Match(seat("coech", 4, first_dealer="2", match_deals="2"))
    assert [["wrong_phase"]] * 4 == [match.codes(place, "play_card I") for place in range(4)]
    play_all(match, [1])
    for viewer in (None, 0, 1, 2, 3, REFEREE):
        view = match.view(viewer)
        assert ("deal", CHANCE, 10) == (view.phase, view.turn, sum(each.name == "taken" for each in view.zones))
        assert ({None: 3}, 0) == (facts(view, "dealer"), zone(view, "trick").leader)
        assert 38 == sum(int(count) for count in facts(view, "half_points").values())
    assert [["wrong_phase"]] * 4 == [match.codes(place, "play_card I") for place in range(4)]
    match.deal(match.game.pack.cards)
    assert ["wrong_phase"] == match.codes(CHANCE, f"start_deal {' '.join(match.game.pack.cards)}")
    assert ((), 0) == (match.p.tricks, match.game.turn(match.p))


@pytest.mark.clause("CO-12")
def test_conflicting_options() -> None:
    """CO-E23, CO-R25: a dummy as first dealer while dummies are passed over refuses the match when it is made."""
    for players, dealers in ((3, [2]), (2, [2, 3])):
        for dealer in range(4):
            if dealer in dealers:
                with pytest.raises(InvalidOption) as refused:
                    seat("coech", players, first_dealer=str(dealer), skip_dummy_dealer="true")
                assert "options.first_dealer" == refused.value.field
            else:
                seat("coech", players, first_dealer=str(dealer), skip_dummy_dealer="true")
            seat("coech", players, first_dealer=str(dealer), skip_dummy_dealer="false")


@pytest.mark.clause("CO-12", "ALL-5")
@pytest.mark.parametrize("options", [{}, {"first_dealer": "by_lot"}])
def test_the_first_dealer_is_drawn_by_lot(options: dict[str, str]) -> None:
    """CO-R23: where nothing is said the table draws one of four seats; until then nobody is called the dealer."""
    for dealer in range(4):
        match = Match(seat("coech", 4, **options))
        assert (CHANCE, ("draw_dealer", (), (0, 1, 2, 3))) == (
            match.game.turn(match.p),
            match.game.chance_request(match.p),
        )
        assert {} == facts(match.view(None), "dealer")
        match.say(CHANCE, f"draw_dealer {dealer}")
        assert [("dealer_drawn", dealer)] == [(event.kind, event.seat) for event in match.events_for(None)]
        assert {None: dealer} == facts(match.view(None), "dealer")
        match.deal(match.game.pack.cards)
        assert (dealer + 1) % 4 == match.game.turn(match.p)
        assert ["wrong_phase"] == match.codes(CHANCE, "draw_dealer 0")


@pytest.mark.clause("CO-12")
@pytest.mark.parametrize(("players", "dealers"), [(4, (0, 1, 2, 3)), (3, (0, 1, 3)), (2, (0, 1))])
def test_no_dummy_is_drawn_where_dummies_are_passed_over(players: int, dealers: tuple[int, ...]) -> None:
    """`skip_dummy_dealer`: a dummy is never drawn as first dealer; without it every seat may be."""
    match = Match(seat("coech", players, skip_dummy_dealer="true"))
    assert dealers == match.game.chance_request(match.p).amounts
    for place in range(4):
        codes = [] if place in dealers else ["bad_dealer"]
        assert codes == match.codes(CHANCE, f"draw_dealer {place}")
        assert (["CO-12"] if codes else []) == match.cited(CHANCE, f"draw_dealer {place}")
    assert (0, 1, 2, 3) == Match(seat("coech", players)).game.chance_request(match.p).amounts


@pytest.mark.clause("ALL-7", "ALL-2")
def test_no_pack_before_the_lot() -> None:
    """While the lot is wanted a pack is out of phase, and the lot is the table's, never a seat's."""
    match = Match(seat("coech", 4))
    assert ["wrong_phase"] == match.codes(CHANCE, f"start_deal {' '.join(match.game.pack.cards)}")
    assert ["not_your_turn"] == match.codes(0, "draw_dealer 0")
    match.say(CHANCE, "draw_dealer 0")
    assert ["not_your_turn"] == match.codes(0, f"start_deal {' '.join(match.game.pack.cards)}")
