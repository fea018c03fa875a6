"""Coteccio: to annul the deal or to lead the last card, and what is refused (clauses CC-9 to CC-13, CC-19)."""

from __future__ import annotations

import pytest

from tests.games.support.coteccio_tables import SEATS, game, swept
from tests.games.support.table import Match, pack_for, table, zone

OUT_OF_TURN = ["not_your_turn", "annul_not_available"]
"""What is held against a seat that is not to move, and has not won four tricks or has led since."""


@pytest.mark.clause("CC-12", "CC-13", "CC-9", "CC-19")
@pytest.mark.parametrize("players", SEATS)
def test_the_choice(players: int) -> None:
    """CC-E8, CC-E28: who has won four tricks annuls or leads; others cannot annul, and nobody can once he has led."""
    for hero in range(players):
        match = Match(game(players))
        script = swept(match, hero, (hero + 1) % players)
        script.perform(match, tricks=4)
        last = script.plays[4 * players][1]
        assert (("last_trick_choice", hero), sorted([f"play_card {last}", "annul_deal"])) == (
            (match.p.phase, match.game.turn(match.p)),
            match.moves(hero),
        )
        for other in set(range(players)) - {hero}:
            assert (OUT_OF_TURN, []) == (match.codes(other, "annul_deal"), match.moves(other))
        led, annulled = Match(match.game, match.p), match
        led.say(hero, f"play_card {last}")
        following = (hero + 1) % players
        assert ("play", following) == (led.p.phase, led.game.turn(led.p))
        assert (OUT_OF_TURN, ["annul_not_available"]) == (
            led.codes(hero, "annul_deal"),
            led.codes(following, "annul_deal"),
        )
        _check_annulled(annulled, hero)


def _check_annulled(match: Match, hero: int) -> None:
    """Annul, and check that nothing but the number of the deal has changed, and that the last cards stay hidden."""
    before = match.p
    events = match.say(hero, "annul_deal")
    assert [("deal_annulled", hero, 1)] == [(event.kind, event.seat, event.amount) for event in events]
    assert ("deal", before.own, before.match_state, 1 % match.game.seats) == (
        match.p.phase,
        match.p.own,
        match.p.match_state,
        match.p.leader,
    )
    for place in range(match.game.seats):
        held = [
            len(zone(match.view(viewer), "hand", place).cards)
            for viewer in (place, None, (place + 1) % match.game.seats)
        ]
        assert [1, 0, 0] == held
    match.deal(match.game.pack.cards)
    assert (2, before.match_state.dealer, 1 % match.game.seats) == (
        match.p.match_state.deal,
        match.p.match_state.dealer,
        match.game.turn(match.p),
    )


@pytest.mark.clause("CC-12", "CC-13")
def test_no_choice_when_four_tricks_have_two_winners() -> None:
    """CC-E17: seat 0 has won three tricks and seat 1 the fourth: neither may annul."""
    match = Match(game(4, 3))
    hands = {0: "Ab Rb Cb 2c 2d", 1: "2b 3b 4b Ac 3d", 2: "5b 6b 7b 3c 4d", 3: "Ad Rd Cd Fd 7d"}
    match.deal(pack_for(match.game, hands, dealer=3))
    match.play("0 Ab, 1 2b, 2 5b, 3 7d, 0 Rb, 1 3b, 2 6b, 3 Fd, 0 Cb, 1 4b, 2 7b, 3 Cd, 0 2c, 1 Ac, 2 3c, 3 Rd")
    assert ("play", 1, ["play_card 3d"]) == (match.p.phase, match.game.turn(match.p), match.moves(1))
    assert (OUT_OF_TURN, ["annul_not_available"]) == (match.codes(0, "annul_deal"), match.codes(1, "annul_deal"))
    assert ["CC-12"] == match.cited(1, "annul_deal")


@pytest.mark.clause("CC-13", "CC-10")
def test_refused_cards() -> None:
    """CC-E17: 6d was led and seat 2 holds Ad 3d: Fb does not follow, Rd is not in the hand."""
    match = table(game(4), {1: "6d", 2: "Ad 3d Fb 7c 2s", 3: "Rd"})
    match.play("1 6d")
    assert (["must_follow_suit"], ["not_in_hand"]) == (match.codes(2, "play_card Fb"), match.codes(2, "play_card Rd"))
    assert (["not_your_turn"], ["not_your_turn", "not_in_hand"]) == (
        match.codes(3, "play_card Rd"),
        match.codes(3, "play_card Ad"),
    )
