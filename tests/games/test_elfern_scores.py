"""Elfern: scores, dealers and invariants."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, validate_move
from chitarrella.core.notation import InvalidPosition
from tests.games.support.elfern_helpers import FREE_TRICKS, HEADS, NAMES, deals
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table
from tests.walks import known_walk

# ---------------------------------------------------------------------- scores and dealers


@pytest.mark.clause("EL-7.1", "EL-7.3")
@pytest.mark.parametrize(
    ("taken", "score"), [(10, 0), (11, 1), (14, 1), (15, 2), (19, 2), (20, 3)], ids=lambda n: f"EL-EX9-{n}"
)
def test_scores(taken: int, score: int) -> None:
    """11 honours win a single game, 15 a double, 20 a treble; 10 each nothing (EL-R9, EL-R11, EL-R13, EL-R19)."""
    match = deals(Match(seat("elfern")), (taken, 20 - taken))
    assert ((score, 0), None) == (match.game.scores(match.p), match.game.outcome(match.p))
    assert (16, 0 if score else 1) == (len(match.p.tricks), match.p.match_state.draws)
    assert {None: 0 if score else 1} == facts(match.view(None), "draws")


@pytest.mark.clause("EL-7.2", "EL-5.4")
def test_a_stand_off_doubles_once() -> None:
    """EL-EX10: 10-10, 10-10, then 16-4 scores 2 x 2; the fourth deal counts singly again (EL-R10)."""
    match = Match(seat("elfern", stand_off="double_next"))
    scores, pending = [], []
    for result in ((10, 10), (10, 10), (16, 4), (11, 9)):
        deals(match, result)
        scores.append(match.game.scores(match.p))
        pending.append(bool(facts(match.view(None), "doubled")))
    assert [(0, 0), (0, 0), (4, 0), (5, 0)] == scores
    assert [True, True, False, False] == pending


@pytest.mark.clause("EL-4.3")
def test_the_loser_deals() -> None:
    """EL-EX11: s0 dealt and won 12-8: s1 deals next and again when it loses; after a stand-off the other seat."""
    match = Match(seat("elfern", next_dealer="loser"))
    dealers = []
    for result in ((12, 8), (13, 7), (10, 10), (11, 9)):
        deals(match, result)
        dealers.append(match.p.match_state.dealer)
        assert 1 - dealers[-1] == match.p.leader
    assert [1, 1, 0, 1] == dealers


@pytest.mark.clause("EL-4.3", "EL-5.1")
@pytest.mark.parametrize("first", [0, 1])
def test_the_deal_alternates(first: int) -> None:
    """The other seat deals next, whoever wins, and the seat that does not deal leads (EL-R2)."""
    match = Match(seat("elfern", first_dealer=str(first)))
    for deal in range(4):
        dealer = (first + deal) % 2
        match.deal(match.game.pack.cards)
        assert (dealer, 1 - dealer) == (match.p.match_state.dealer, match.game.turn(match.p))
        match.play_out()


@pytest.mark.clause("EL-7.2", "EL-4.3", "EL-7.1")
@pytest.mark.parametrize(("mode", "score"), [("double_next", 6), ("none", 3)])
def test_options_together(mode: str, score: int) -> None:
    """EL-EX14: from s1, 10-10 and then 20-0 for s1 scores 2 x 3, or 3 without the doubling; s0 has lost and deals."""
    match = Match(seat("elfern", stand_off=mode, next_dealer="loser", first_dealer="1"))
    deals(match, (10, 10))
    assert (0, mode == "double_next") == (match.p.match_state.dealer, bool(facts(match.view(None), "doubled")))
    deals(match, (0, 20))
    assert ((0, score), 0) == (match.game.scores(match.p), match.p.match_state.dealer)
    assert {} == facts(match.view(None), "doubled")
    assert [((("1", score),))] == [event.shares for event in events_of(match, "deal_scored", None)]


@pytest.mark.clause("EL-7.3", "ALL-7")
def test_the_score_has_no_end() -> None:
    """However many deals are played nothing is over, and no position says that a match is."""
    match = Match(seat("elfern"))
    match.play_out(12)
    assert (None, "await_deal", 12) == (match.game.outcome(match.p), match.p.phase, match.p.match_state.deal)
    line = match.game.encode(match.p)
    for spoilt in ("phase=match_over", "doubled=yes", "totals=99,0"):
        name = spoilt.partition("=")[0]
        with pytest.raises(InvalidPosition):
            match.game.decode(" ".join([*(w for w in line.split() if not w.startswith(f"{name}=")), spoilt]))


# ---------------------------------------------------------------------- invariants


@pytest.mark.clause("EL-3.2", "EL-4.1", "EL-5.2", "EL-5.3", "EL-6.1", "EL-7.1")
@NAMES
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_what_is_true_of_every_deal(options: dict[str, str], seed: str) -> None:
    """EL 1 to 6 and 8: sixteen tricks, twenty honours, freedom for ten tricks, then duty, and always some card."""
    walk = known_walk(RuleSet("elfern", 2, tuple(options.items())), seed, 1, 6)
    game = walk.game
    for step in walk.steps:
        p = step.after
        if p.phase != "play":
            continue
        turn = game.turn(p)
        assert turn is not None
        allowed = {move.cards[0] for move in legal_moves(game, p, turn)}
        hand = set(p.hands[turn])
        assert allowed
        assert p.trick or len(p.hands[0]) == len(p.hands[1]) == min(6, 16 - len(p.tricks))
        if len(p.tricks) < FREE_TRICKS or not p.trick:
            assert hand == allowed
        elif following := {card for card in hand if card.suit == p.trick[0].suit}:
            assert allowed <= following
            assert options.get("head_in_endgame") or allowed == following
    last = walk.positions[-1]
    assert (16, 20) == (len(last.tricks), sum(game.points(last)))
    assert (game.scores(last) == (0, 0)) == (game.points(last) == (10, 10))
    if not options.get("trump_variant"):
        assert all(t.winner == t.leader for t in last.tricks if t.cards[0].suit != t.cards[1].suit)


@pytest.mark.clause("EL-5.2")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_heading_only_takes_cards_away(seed: str) -> None:
    """EL 9: what may be played where the trick must be headed may be played where it need not."""
    strict, loose = seat("elfern", **HEADS), seat("elfern")
    for step in known_walk(RuleSet("elfern", 2), seed, 1, 6).steps:
        turn = loose.turn(step.after)
        if step.after.phase == "play" and turn is not None:
            assert set(legal_moves(strict, step.after, turn)) <= set(legal_moves(loose, step.after, turn))
            assert not validate_move(strict, step.after, turn, legal_moves(strict, step.after, turn)[0])


@pytest.mark.clause("EL-5.2")
def test_the_tenth_trick_is_free() -> None:
    """Trick 10 is played while the last two cards of the stock lie there: any card may follow (EL-R4, EL-R18)."""
    match = first_cards(table(seat("elfern"), {}), 9)
    leader = match.p.leader
    match.say(leader, match.moves(leader)[0])
    assert (2, 6) == (len(match.p.stock), len(match.moves(1 - leader)))
