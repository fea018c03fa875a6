"""Madrasso: revokes, and what is true of every game (clauses MA-5.8 and MA-7)."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Move
from chitarrella.core.notation import format_move, parse_move
from tests.games.support.madrasso_tables import deal_table, game, late, won
from tests.games.support.table import Match, events_of, facts, seat, zone
from tests.walks import Walk, known_walk

A, B = frozenset({0, 2}), frozenset({1, 3})


# ---------------------------------------------------------------------- revokes


@pytest.mark.clause("MA-5.8", "MA-7.2")
@pytest.mark.parametrize(("place", "totals", "winners"), [(0, (700, 600), None), (1, (830, 470), A)])
def test_revoke(place: int, totals: tuple[int, int], winners: frozenset[int] | None) -> None:
    """MA-EX13: deal 10, 700 to 470, trick 6: a revoke of s0 brings B 130, one of s1 wins the game for A."""
    leader = (place - 1) % 4
    match = late(game(revoke_mode="penalize"), {place: "4c 2s 7d 5d 6d"}, f"{leader} Rc", deal=10, totals=(700, 470))
    assert 5 == len(match.p.tricks)
    match.say(place, "play_card 2s")
    assert (totals, winners) == (match.p.match_state.totals, won(match))
    assert ("game_over" if winners else "await_deal") == match.p.phase
    if not winners:
        match.deal(match.game.pack.cards)
        assert 11 == match.p.match_state.deal


@pytest.mark.clause("MA-5.8", "MA-5.8a", "MA-5.3", "MA-5.9")
def test_what_a_revoke_means_for_those_who_look() -> None:
    """MA-EX15: 4c alone is listed; 2s and 7d are accepted as a revoke, Ac is not; all see it (MA-R30)."""
    hands = {0: "4c 2s 7d 5d 6d", 1: "Ac"}
    match = late(game(revoke_mode="penalize"), hands, "3 Rc")
    usual = late(game(), hands, "3 Rc")
    assert ["play_card 4c"] == match.moves(0) == usual.moves(0)
    for card in ("2s", "7d"):
        (refusal,) = validate_move(match.game, match.p, 0, parse_move(match.game, f"play_card {card}"))
        assert ("must_follow_suit", True, "MA-5.3") == (refusal.code, refusal.reason.penalty, refusal.clause.key)
        assert ["must_follow_suit"] == usual.codes(0, f"play_card {card}")
    assert ["not_in_hand"] == match.codes(0, "play_card Ac")
    assert {"not_your_turn"} == {match.codes(1, f"play_card {card}")[0] for card in match.p.hands[1]}
    views = [match.view(viewer) for viewer in (None, 1, 2, 3)]
    assert all({} == facts(view, "revoke") for view in views)
    taken = match.p.tricks
    match.say(0, "play_card 2s")
    for viewer in (None, 0, 1, 2, 3, REFEREE):
        view = match.view(viewer)
        assert (("Rc", "2s"), 3) == (zone(view, "trick").cards, zone(view, "trick").leader)
        assert ({0: "2s"}, {0: "must_follow_suit"}) == (facts(view, "revoke"), facts(view, "revoke_code"))
        assert {0: 0, 1: 130, 2: 0, 3: 130} == facts(view, "total")
        assert ["card_played", "revoked", "deal_scored"] == [event.kind for event in match.events_for(viewer)]
    assert (taken, ()) == (match.p.tricks, zone(match.view(None), "hand", 1).cards)
    assert match.p == match.game.decode(match.game.encode(match.p))
    match.deal(match.game.pack.cards)
    assert ({}, None) == (facts(match.view(None), "revoke"), match.p.own.offence)


@pytest.mark.clause("MA-5.8", "MA-5.3")
def test_not_trumping_is_a_revoke_where_it_is_a_duty() -> None:
    """MA-EX15, end: with `must_trump_if_void` s0, void of cups, has only 5b; 2s is a revoke against that duty."""
    g = game(revoke_mode="penalize", must_trump_if_void="true")
    match = late(g, {0: "5b 2s 7d"}, "3 Rc")
    assert ["play_card 5b"] == match.moves(0)
    match.say(0, "play_card 2s")
    assert {0: "must_trump"} == facts(match.view(None), "revoke_code")
    assert (0, 130) == match.p.match_state.totals


@pytest.mark.clause("MA-5.8", "MA-5.7", "MA-5.8a")
@pytest.mark.parametrize("place", [1, 2, 3, 0])
def test_a_revoke_by_any_seat_reads_back(place: int) -> None:
    """Whoever revokes, also as the last of the trick, the table can be written, read and dealt on."""
    match = Match(game(revoke_mode="penalize"))
    deal_table(match, {0: "Ab 3b Rb Cb Fb As 4d", 1: "5d Ac 6c", 2: "6d 3c 4c", 3: "7d Rc Cc"})
    cards = {1: "5d", 2: "6d", 3: "7d", 0: "4d"}
    wrong = {2: "3c", 3: "Rc", 0: "Ab"}
    for each in (1, 2, 3, 0):
        if each == place and place != 1:
            match.say(each, f"play_card {wrong[each]}")
            break
        match.say(each, f"play_card {cards[each]}")
    ended = place != 1
    assert ended == (match.p.phase == "await_deal")
    assert match.p == match.game.decode(match.game.encode(match.p))
    assert 1 == zone(match.view(None), "trick").leader if ended else match.p.leader == 3
    match.play_out()
    assert [event.seat for event in events_of(match, "revoked")] == ([place] if ended else [])


def eight_of_side_b() -> Match:
    """A match in which s3 has taken eight tricks with trumps and leads Ad to the ninth; s1 has 5d and 5s left."""
    match = Match(game(3, revoke_mode="penalize"))
    deal_table(match, {3: "Ab 3b Rb Cb Fb 7b 6b 5b 4b Ad", 1: "2b 5d 5s", 0: "4c", 2: "5c"})
    kept = {1: "5d 5s", 3: "4b Ad"}
    match.play("0 4c")
    while len(match.p.tricks) < 8:
        turn = match.game.turn(match.p) or 0
        spared = [f"play_card {card}" for card in kept.get(turn, "").split()]
        match.say(
            turn, next(format_move(m) for m in legal_moves(match.game, match.p, turn) if format_move(m) not in spared)
        )
    match.play("3 Ad")
    match.say(0, match.moves(0)[0])
    return match


@pytest.mark.clause("MA-5.8", "MA-5.7")
@pytest.mark.parametrize(("card", "totals", "winners"), [("5s", (130, 0), None), ("5d", (0, 130), B)])
def test_a_revoke_in_the_ninth_trick_stops_a_sweep(
    card: str, totals: tuple[int, int], winners: frozenset[int] | None
) -> None:
    """Who revokes in trick 9 of a sweep wins nothing: 130 to the others, no capotto (MA-R16)."""
    match = eight_of_side_b()
    assert {3} == {trick.winner for trick in match.p.tricks}
    match.say(1, f"play_card {card}")
    while match.p.phase == "play":
        turn = match.game.turn(match.p) or 0
        match.say(turn, match.moves(turn)[0])
    assert (totals, winners) == (match.p.match_state.totals, won(match))


# ---------------------------------------------------------------------- invariants


@pytest.fixture(params=["one", "two", "three"])
def walk(request: pytest.FixtureRequest) -> Walk:
    """A game at random, with revokes where they are let happen."""
    return known_walk(RuleSet("madrasso", 4), request.param, 40, 6)


@pytest.mark.clause("MA-7.1", "MA-7.2", "MA-7.3", "MA-5.4", "MA-5.2", "MA-3.3")
def test_a_whole_game(walk: Walk) -> None:
    """MA 2 to 6, 8, 10, 11: totals, exchanges and claims of whole games; none goes beyond twelve deals."""
    for step in walk.steps:
        p = step.after
        finished = p.match_state.deal - (p.phase in ("play", "after_last_trick"))
        broken = any(event.kind == "claimed" for event in step.events) and len(p.tricks) < 10
        assert 130 * (finished - broken) == sum(p.match_state.totals)
        if finished <= 10:
            assert 1 >= sum(total >= 777 for total in p.match_state.totals)
        if step.move.verb == "exchange_turn_up":
            assert ((), True) == (step.before.tricks, step.actor != step.before.match_state.dealer)
            assert [len(hand) for hand in step.before.hands] == [len(hand) for hand in p.hands]
        if step.move.verb == "claim_777":
            assert ("game_over", True) == (p.phase, p.match_state.deal >= 11)
        claimants = [s for s in range(4) if Move("claim_777") in legal_moves(walk.game, p, s)]
        assert len(claimants) <= (p.match_state.deal >= 11)
    assert "game_over" == walk.positions[-1].phase
    assert walk.positions[-1].match_state.deal <= 12


@pytest.mark.clause("MA-5.8a", "MA-5.3")
@pytest.mark.parametrize("number", range(3))
def test_lists_are_the_same_where_revokes_are_penalized(number: int) -> None:
    """MA 5, 7: in the same deal the lists of legal moves are the same with `prevent` and with `penalize`."""
    prevent, penalize = (seat("madrasso", revoke_mode=mode) for mode in ("prevent", "penalize"))
    rng = Random(number)
    pack = tuple(rng.sample(prevent.pack.cards, 40))
    p, q = (play(g, g.start(), CHANCE, Move("start_deal", pack))[0] for g in (prevent, penalize))
    while p.phase == "play":
        turn = prevent.turn(p) or 0
        moves = legal_moves(prevent, p, turn)
        assert list(map(format_move, moves)) == list(map(format_move, legal_moves(penalize, q, turn)))
        if p.trick and any(card.suit == p.trick[0].suit for card in p.hands[turn]):
            assert {p.trick[0].suit} == {move.cards[0].suit for move in moves if move.verb == "play_card"}
        move = rng.choice(moves)
        p, q = play(prevent, p, turn, move)[0], play(penalize, q, turn, move)[0]
    assert (p.match_state, p.tricks) == (q.match_state, q.tricks)
