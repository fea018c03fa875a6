"""Elfern: free play while there is a stock, strict play after it, honours, trumps by agreement (clauses EL)."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.model import EVERYBODY
from tests.games.support.complete_deals import only_deal, play_example
from tests.games.support.elfern_helpers import HEADS, NAMES, TRUMPS
from tests.games.support.table import Match, closing, facts, seat, table, worth, zone
from tests.games.support.tricks import state, taker
from tests.walks import known_walk

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


@pytest.mark.clause("EL-4.1", "EL-4.2", "EL-5.1", "ALL-1", "ALL-2")
@pytest.mark.parametrize("variant", [False, True])
@pytest.mark.parametrize(
    ("packets", "eldest"),
    [
        pytest.param("2-2-2", (1, 2, 5, 6, 9, 10), id="EL-EX8"),
        pytest.param("3-3", (1, 2, 3, 7, 8, 9), id="EL-EX13"),
    ],
)
def test_the_deal(packets: str, eldest: tuple[int, ...], variant: bool) -> None:
    """Six each in packets, eldest first (EL-R1); in the variant card 13 is turned and lies last in the stock."""
    options = TRUMPS if variant else {}
    match = Match(seat("elfern", deal_packets=packets, first_dealer="1", **options))
    pack = match.game.pack.cards
    match.deal(pack)
    others = [number for number in range(1, 13) if number not in eldest]
    assert (tuple(pack[n - 1] for n in eldest), tuple(pack[n - 1] for n in others)) == match.p.hands
    stock = (*pack[13:], pack[12]) if variant else pack[12:]
    assert (stock, pack[12] if variant else None) == (match.p.stock, match.p.turn_up)
    assert (pack[12].suit if variant else "", 0) == (match.p.trump, match.game.turn(match.p))


@pytest.mark.clause("EL-4.1", "EL-5.2", "EL-5.3", "EL-6.1", "EL-7.1")
def test_a_complete_deal() -> None:
    """EL-EX12: trick by trick; s0 has 11 honours, s1 9, and s0 wins a single game."""
    match = play_example("elfern", only_deal("elfern.txt"))
    assert ((11, 9), (1, 0), "await_deal") == (match.game.points(match.p), match.game.scores(match.p), match.p.phase)


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


@pytest.mark.clause("EL-5.3", "EL-4.2")
@NAMES
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_the_last_draw(options: dict[str, str], seed: str) -> None:
    """EL-EX7: the winner of trick 10 draws the last but one, the loser the last, in the variant the turn-up (EL-R3)."""
    walk = known_walk(RuleSet("elfern", 2, tuple(options.items())), seed, 1, 6)
    (step,) = [step for step in walk.steps if step.before.stock and not step.after.stock]
    winner, last = step.after.tricks[-1].winner, step.before.stock
    drawn = [(event.seat, event.cards) for event in step.events if event.kind == "card_drawn"]
    assert (10, [(winner, last[:1]), (1 - winner, last[1:])]) == (len(step.after.tricks), drawn)
    *_, event = [event for event in step.events if event.kind == "card_drawn"]
    assert (event.seen_by is EVERYBODY) == bool(options.get("trump_variant"))
    assert step.before.turn_up in (last[1], None)


@pytest.mark.clause("EL-5.4", "ALL-5")
@pytest.mark.parametrize("options", [{}, TRUMPS], ids=["default", "variant"])
def test_what_is_seen(options: dict[str, str]) -> None:
    """Hands are for their seat alone; tricks, the stock's size, the turn-up and the score are for everybody."""
    match = table(seat("elfern", **options), {1: "Ac", 0: "7c"}, "8h" if options else "")
    match.play("1 Ac, 0 7c")
    for viewer in (None, 0, 1):
        view = match.view(viewer)
        assert [viewer == place for place in (0, 1)] == [bool(zone(view, "hand", place).cards) for place in (0, 1)]
        assert ((), 18 - len(options)) == (zone(view, "stock").cards, zone(view, "stock").size)
        assert ({None: "8h"} if options else {}) == facts(view, "turn_up")
        assert ("Ac", "7c") == zone(view, "taken", 1).cards
        assert ({0: 0, 1: 1}, {0: 0, 1: 0}) == (facts(view, "honours"), facts(view, "total"))
        drawn = [event for event in match.events_for(viewer) if event.kind == "card_drawn"]
        assert [event.seat == viewer for event in drawn] == [bool(event.cards) for event in drawn]


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
