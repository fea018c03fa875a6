"""Elfern: free play while there is a stock, strict play after it, honours, trumps by agreement (clauses EL)."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, validate_move
from chitarrella.core.notation import InvalidPosition
from chitarrella.tricks.game import TrickGame
from tests.games.support.scripted_deals import Script, Wanted, contrive, points
from tests.games.support.table import Match, closing, events_of, facts, seat, state, table, taker, worth
from tests.walks import known_walk

TRUMPS = {"trump_variant": "true"}
HEADS = {"head_in_endgame": "true"}
EVERY = [{}, TRUMPS, HEADS, {**TRUMPS, **HEADS}]
FREE_TRICKS = 10
NAMES = pytest.mark.parametrize("options", EVERY, ids=lambda options: "-".join(options) or "default")


def honours(game: TrickGame, *wanted: int) -> Wanted:
    """A condition on honours by seat, for a deal whose last six tricks follow suit."""
    near = points(*wanted)

    def distance(script: Script) -> int:
        rows = [script.plays[at : at + 2] for at in range(2 * FREE_TRICKS, len(script.plays), 2)]
        late = [card for row in rows for card in row]
        broken = 0
        for number, ((_, led), (follower, card)) in enumerate(rows):
            held = [later for owner, later in late[2 * number :] if owner == follower]
            broken += card.suit != led.suit and any(other.suit == led.suit for other in held)
        return near(script) + 3 * broken

    return distance


def deals(match: Match, *results: tuple[int, int]) -> Match:
    """Play deals with these honours, seat by seat."""
    for result in results:
        contrive(match.game, match.p.match_state.dealer, honours(match.game, *result)).perform(match)
    return match


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("EL-3.1", "EL-3.2", "EL-6.1")
def test_ranks_and_honours() -> None:
    """A K Q J T 9 8 7 rank in this order, and the first five count one each: twenty in 32 cards (EL-R12)."""
    game = seat("elfern")
    cards = game.pack.hand(f"{rank}d" for rank in "AKQJT987")
    for place, high in enumerate(cards):
        for low in cards[place + 1 :]:
            assert 0 == taker(game, (high, low))
            assert 1 == taker(game, (low, high))
    assert [1, 1, 1, 1, 1, 0, 0, 0] == [worth(game, (card,)) for card in cards]
    assert (32, 20) == (len(game.pack.cards), worth(game, game.pack.cards))


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("EL-6.1", "EL-5.2")
@pytest.mark.parametrize(
    ("options", "led", "hand", "played", "winner", "count"),
    [
        pytest.param({}, "Jd", "Kd", "Kd", 0, 2, id="EL-EX1"),
        pytest.param({}, "8d", "Ad 9c Kh", "Kh", 1, 1, id="EL-EX2-king"),
        pytest.param({}, "8d", "Ad 9c Kh", "Ad", 0, 1, id="EL-EX2-ace"),
        pytest.param(TRUMPS, "As", "7h", "7h", 0, 1, id="EL-EX6"),
        pytest.param(TRUMPS, "9h", "Ah Kc", "Ah", 0, 1, id="EL-EX15-trump led"),
        pytest.param(TRUMPS, "9h", "Ah Kc", "Kc", 1, 1, id="EL-EX15-thrown off"),
        pytest.param(TRUMPS, "Ac", "7c", "7c", 1, 1, id="EL-EX15-plain"),
    ],
)
def test_tricks_while_there_is_a_stock(
    options: dict[str, str], led: str, hand: str, played: str, winner: int, count: int
) -> None:
    """Any card may be played; the higher of the suit wins, in the variant a trump (EL-R17)."""
    match = table(seat("elfern", **options), {1: led, 0: hand}, "8h" if options else "")
    match.play(f"1 {led}")
    assert {f"play_card {card}" for card in hand.split()} <= set(match.moves(0))
    assert 6 == len(match.moves(0))
    match.play(f"0 {played}")
    assert (winner, count) == (match.p.leader, worth(match.game, match.p.tricks[0].cards))


@pytest.mark.clause("EL-5.2", "EL-6.1")
@pytest.mark.parametrize(
    ("options", "trump", "led", "hand", "allowed", "winners"),
    [
        pytest.param({}, "", "8d", "Ad 9c Kh", "Ad", "Ad", id="EL-EX3"),
        pytest.param({}, "", "8d", "9c Kh 7s", "9c Kh 7s", "", id="EL-EX4"),
        pytest.param({}, "", "Jd", "Qd 9d Ac", "Qd 9d", "Qd", id="EL-EX5-default"),
        pytest.param(HEADS, "", "Jd", "Qd 9d Ac", "Qd", "Qd", id="EL-EX5-heading"),
        pytest.param({}, "", "Kd", "Qd 9d Ac", "Qd 9d", "", id="EL-EX5-king"),
        pytest.param(HEADS, "", "Kd", "Qd 9d Ac", "Qd 9d", "", id="EL-EX5-king, heading"),
        pytest.param(TRUMPS, "h", "As", "7h 9c", "7h", "7h", id="EL-EX6-void"),
        pytest.param(TRUMPS, "h", "As", "8s 7h", "8s", "", id="EL-EX6-not void"),
        pytest.param(TRUMPS, "h", "Kh", "8h Ac", "8h", "", id="EL-EX15-trump led"),
        pytest.param(TRUMPS, "h", "Kd", "8h 9h Ac", "8h 9h", "8h 9h", id="EL-EX15-void"),
        pytest.param(TRUMPS, "h", "Kd", "Ac 9s", "Ac 9s", "", id="EL-EX15-nothing"),
        pytest.param({**TRUMPS, **HEADS}, "h", "9h", "8h Th Ac", "Th", "Th", id="heading a trump"),
        pytest.param({**TRUMPS, **HEADS}, "h", "9d", "8h Th Ac", "8h Th", "8h Th", id="EL-R8"),
    ],
)
def test_tricks_without_a_stock(
    options: dict[str, str], trump: str, led: str, hand: str, allowed: str, winners: str
) -> None:
    """In the last six tricks suit is followed, in the variant else trumped (EL-R5 to EL-R7, EL-R16)."""
    game = seat("elfern", **options)
    for card in hand.split():
        match = closing(game, {0: hand}, f"1 {led}", trump=trump)
        assert sorted(f"play_card {each}" for each in allowed.split()) == match.moves(0)
        if card in allowed.split():
            match.play(f"0 {card}")
            assert (0 if card in winners.split() else 1) == match.p.tricks[-1].winner


@pytest.mark.clause("EL-5.5", "EL-5.2", "ALL-4")
@pytest.mark.parametrize(
    ("options", "trump", "led", "hand", "card", "codes"),
    [
        pytest.param({}, "", "8d", "Ad 9c Kh", "Kh", "must_follow_suit", id="EL-EX16-follow"),
        pytest.param(HEADS, "", "Jd", "Qd 9d Ac", "9d", "must_head_trick", id="EL-EX16-head"),
        pytest.param(HEADS, "", "Jd", "Qd 9d Ac", "Ac", "must_follow_suit", id="EL-EX16-both"),
        pytest.param(TRUMPS, "h", "As", "7h 9c", "9c", "must_trump", id="EL-EX16-trump"),
        pytest.param(TRUMPS, "h", "As", "8s 7h", "7h", "must_follow_suit", id="EL-EX16-not void"),
        pytest.param({}, "", "8d", "Ad 9c Kh", "8d", "not_in_hand", id="EL-EX16-not held"),
    ],
)
def test_reason_codes(options: dict[str, str], trump: str, led: str, hand: str, card: str, codes: str) -> None:
    """What the last six tricks forbid is named; so is a card that is not held, and who is not on turn."""
    match = closing(seat("elfern", **options), {0: hand}, f"1 {led}", trump=trump)
    (refusal,) = match.refusals(0, f"play_card {card}")
    assert (codes, "EL-5.2") == (refusal.code, refusal.clause.key)
    assert set(refusal.allowed_cards) <= set(hand.split())
    assert ["not_your_turn"] == match.codes(1, f"play_card {match.p.hands[1][0]}")


@pytest.mark.clause("EL-5.2")
def test_what_would_do_instead_heads_the_trick() -> None:
    """Where the trick must be headed, who does not follow is told the cards that would be accepted, and no others."""
    game = seat("elfern", 2, head_in_endgame="true")
    for hand, instead in (("Ah 9h 8s", "Ah"), ("9h 8h 8s", "9h 8h"), ("Ah Kh 8s", "Ah Kh")):
        trick, cards = state(game.pack.hand(["Th"])), game.pack.hand(hand.split())
        found = game.trick_rules.plays(cards, trick, 0)
        (refusal,) = next(validation.value for move, validation in found.items() if move.cards == cards[-1:])
        assert ("must_follow_suit", instead.split()) == (refusal.code, list(refusal.allowed_cards))
        assert [move.cards[0] for move, validation in found.items() if not validation.value] == list(
            refusal.allowed_cards
        )


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
