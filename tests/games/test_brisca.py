"""Brisca: cards, deal, the duty to follow, results, and its likeness to Briscola (clauses BS)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, play
from chitarrella.tricks.game import TrickGame
from tests.games.support.bisca_deals import answers, counted, follow_deal
from tests.games.support.examples import deals
from tests.games.support.scripted_deals import contrive, points, rubber
from tests.games.support.table import Match, events_of, facts, seat, table, worth
from tests.games.support.tricks import taker
from tests.walks import CATALOGUE, known_walk

RANKS = ["A", "3", "R", "C", "F", "7", "6", "5", "4", "2"]
SIZES = {2: (34, 17, 20), 3: (30, 10, 13), 4: (28, 7, 10)}
"""Players, then stock with the turn-up, rounds of drawing, tricks."""

MODES = ["free", "follow", "follow_or_trump"]
ANSWERS = {
    "BS-EX1": ("4c", "Rc 7d Ab", ("7d Ab Rc", "Rc", "Rc")),
    "BS-EX2": ("4c", "7d Ab 2s", ("2s 7d Ab", "2s 7d Ab", "7d")),
    "BS-EX3": ("4c", "Ab 2s Fb", ("2s Ab Fb", "2s Ab Fb", "2s Ab Fb")),
    "BS-EX5-ace": ("5d", "Ad 5b 6b", ("5b 6b Ad", "Ad", "Ad")),
    "BS-EX5-four": ("5d", "Ad 4d 6b", ("4d 6b Ad", "4d Ad", "4d Ad")),
}
"""Trump d; led, hand, and what may be played if free, if suit must be followed, and if it must be trumped else."""


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BS-3.1")
@pytest.mark.parametrize("suit", ["b", "c", "d", "s"])
def test_ranks_and_points(suit: str) -> None:
    """A 3 R C F 7 6 5 4 2 rank in this order and count 11 10 4 3 2: 120 in all."""
    game = seat("brisca")
    cards = game.pack.hand(rank + suit for rank in RANKS)
    for high, low in combinations(cards, 2):
        assert 1 == taker(game, (low, high))
        assert 0 == taker(game, (high, low))
    assert [11, 10, 4, 3, 2, 0, 0, 0, 0, 0] == [worth(game, (card,)) for card in cards]
    assert (40, 120) == (len(game.pack.cards), worth(game, game.pack.cards))


@pytest.mark.clause("BS-4.1", "ALL-8")
@pytest.mark.parametrize(
    ("packets", "hands"),
    [
        ("", {0: (1, 4, 7), 1: (2, 5, 8), 2: (3, 6, 9)}),
        ("1-1-1", {0: (1, 4, 7), 1: (2, 5, 8), 2: (3, 6, 9)}),
        ("3", {0: (1, 2, 3), 1: (4, 5, 6), 2: (7, 8, 9)}),
    ],
)
def test_packets(packets: str, hands: dict[int, tuple[int, ...]]) -> None:
    """BS-EX11, `deal_packets`: one by one unless agreed (BS-R22), the tenth card is turned (BS-R4, BS-R5)."""
    game = seat("brisca", 3, first_dealer="2", **({"deal_packets": packets} if packets else {}))
    match = Match(game)
    match.deal(game.pack.cards)
    for place, numbers in hands.items():
        assert tuple(game.pack.cards[number - 1] for number in numbers) == match.p.hands[place]
    assert game.pack.cards[9] == match.p.turn_up == match.p.stock[-1]
    assert game.pack.cards[10:] == match.p.stock[:-1]


@pytest.mark.clause("BS-4.1", "BS-5.3", "BS-7.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sizes_of_a_deal(players: int) -> None:
    """Stock, rounds of drawing and tricks are those of Briscola; a won deal is played to the end (BS-R17)."""
    stock, rounds, tricks = SIZES[players]
    match = Match(seat("brisca", players))
    match.deal(match.game.pack.cards)
    assert stock == len(match.p.stock)
    match.play_out()
    assert (tricks, rounds * players) == (len(match.p.tricks), len(events_of(match, "card_drawn")))


@pytest.mark.clause("BS-4.1", "ALL-8")
@pytest.mark.parametrize("two", ["2b", "2c", "2d", "2s"])
def test_three_players_leave_out_one_two(two: str) -> None:
    """`removed_two`: one Two is left out, not all of them, and only by three players (BS-R14)."""
    assert {two} == set(seat("brisca", 2).pack.cards) - set(seat("brisca", 3, removed_two=two).pack.cards)
    assert 40 == len(seat("brisca", 4, removed_two=two).pack.cards)
    assert seat("brisca", 3, removed_two="2b").pack == seat("brisca", 3).pack


@pytest.mark.clause("BS-4.2", "BS-5.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_goes_round_and_eldest_leads(players: int) -> None:
    """The next seat deals next, and in each deal the seat after the dealer leads."""
    match = Match(seat("brisca", players, rubber_games="99", first_dealer="1"))
    for deal in range(players + 1):
        assert (deal + 1) % players == match.p.match_state.dealer
        match.deal(match.game.pack.cards)
        assert (deal + 2) % players == match.game.turn(match.p)
        match.play_out()


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BS-5.2", "ALL-8")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("example", ANSWERS)
def test_what_may_answer_a_lead(example: str, mode: str) -> None:
    """BS-EX1, 2, 3, 5, `with_following`: free, in suit, or in suit and else trumps; nobody need beat (BS-R1, BS-R3)."""
    led, hand, wanted = ANSWERS[example]
    match = table(seat("brisca", follow=mode), {1: led, 0: hand}, "Fd")
    match.play(f"1 {led}")
    assert wanted[MODES.index(mode)] == answers(match, 0)


@pytest.mark.clause("BS-5.2", "ALL-8")
def test_play_is_free_unless_agreed() -> None:
    """BS-R1: where nothing is said nobody need follow suit."""
    match = table(seat("brisca"), {1: "4c", 0: "Rc 7d Ab"}, "Fd")
    match.play("1 4c")
    assert "7d Ab Rc" == answers(match, 0)


@pytest.mark.clause("BS-5.2", "BS-5.7")
@pytest.mark.parametrize(
    ("mode", "hand", "card", "code", "instead"),
    [
        ("follow", "Rc 7d Ab", "7d", "must_follow_suit", "Rc"),
        ("follow", "Rc 7d Ab", "Ab", "must_follow_suit", "Rc"),
        ("follow_or_trump", "Rc 7d Ab", "7d", "must_follow_suit", "Rc"),
        ("follow_or_trump", "7d Ab 2s", "Ab", "must_trump", "7d"),
        ("follow_or_trump", "7d Ab 2s", "2s", "must_trump", "7d"),
    ],
)
def test_refused_cards(mode: str, hand: str, card: str, code: str, instead: str) -> None:
    """BS-EX15: trump d, 4c is led; what is refused, why, and what would be right."""
    match = table(seat("brisca", follow=mode), {1: "4c", 0: hand}, "Fd")
    match.play("1 4c")
    (refusal,) = match.refusals(0, f"play_card {card}")
    assert (code, "BS-5.2", instead) == (refusal.code, refusal.clause.key, " ".join(refusal.allowed_cards))


@pytest.mark.clause("BS-5.2")
@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_suit_is_followed_before_and_after_the_stock_is_gone(players: int, mode: str) -> None:
    """BS 3, BS-R2: who holds the suit led may play only that, in all tricks; else only trumps, or anything."""
    walk = known_walk(RuleSet("brisca", players, (("follow", mode),)), "suits", 2, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, TrickGame)
    bound = set()
    for p in walk.positions:
        turn = game.turn(p)
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(game, p, turn) if move.verb == "play_card"}
            led = {card for card in p.hands[turn] if p.trick and card.suit == p.trick[0].suit}
            trumps = {card for card in p.hands[turn] if p.trick and card.suit == p.trump and mode != "follow"}
            assert (led or trumps or set(p.hands[turn])) == cards
            bound |= {bool(p.stock)} if cards != set(p.hands[turn]) else set()
    assert {True, False} == bound


@pytest.mark.clause("BS-6.1")
def test_the_highest_trump_wins_for_its_side() -> None:
    """BS-EX4: trump d, 4c Rc 2d Ac from s1: s3 wins 15 for side B."""
    match = table(seat("brisca", 4), {1: "4c", 2: "Rc", 3: "2d", 0: "Ac"}, "5d")
    assert (3, 15) == match.one_trick("1 4c, 2 Rc, 3 2d, 0 Ac")
    assert (0, 15) == tuple(count[0] for count in match.game.deal_scoring.by_side(match.game, match.p))


@pytest.mark.clause("BS-6.1")
@pytest.mark.parametrize(("played", "winner"), [("3s", 1), ("7c", 0), ("2c", 1), ("2d", 0)])
def test_suit_led_and_trumps(played: str, winner: int) -> None:
    """Trump d, 5c is led: a higher club or any trump takes it, another suit never does."""
    match = table(seat("brisca"), {1: "5c", 0: played}, "Fd")
    match.play(f"1 5c, 0 {played}")
    assert winner == match.p.tricks[-1].winner == match.game.turn(match.p)


@pytest.mark.clause("BS-5.3")
def test_the_winner_draws_first_and_leads() -> None:
    """After a trick the winner takes the next card, the others follow in order of play; then the winner leads."""
    match = table(seat("brisca", 3), {1: "5c", 2: "Rc", 0: "4c"}, "Fd", "2s 4s 5s")
    match.play("1 5c, 2 Rc, 0 4c")
    assert [(2, "2s"), (0, "4s"), (1, "5s")] == [
        (event.seat, event.cards[0]) for event in match.last if event.kind == "card_drawn"
    ]
    assert 2 == match.game.turn(match.p)


@pytest.mark.clause("BS-5.1", "BS-5.3", "BS-6.1", "BS-7.1")
def test_complete_deal() -> None:
    """BS-EX12: twenty tricks with suit followed throughout; s0 wins 71 to 49."""
    (deal,) = deals("brisca.txt")
    match = follow_deal(Match(seat("brisca", follow="follow", first_dealer="1")), deal)
    assert [{"0": 71, "1": 49}] == counted(match)
    assert ((1, 0), 0) == (match.p.match_state.wins, match.p.match_state.dealer)


# ---------------------------------------------------------------------- results


@pytest.mark.clause("BS-7.1")
@pytest.mark.parametrize(
    ("taken", "winner"),
    [((60, 60), None), ((61, 59), 0), ((52, 52, 16), None), ((52, 51, 17), 0), ((40, 40, 40), None)],
)
def test_results(taken: tuple[int, ...], winner: int | None) -> None:
    """BS-EX10: most points win, level at the top is a stand-off."""
    game = seat("brisca", len(taken))
    match = contrive(game, 0, points(*taken)).perform(Match(game))
    assert taken == game.points(match.p)
    assert tuple(int(place == winner) for place in range(len(taken))) == match.p.match_state.wins


@pytest.mark.clause("BS-7.1", "ALL-8")
@pytest.mark.parametrize(("games", "needed"), [("", 3), ("1", 1), ("2", 2)])
def test_rubber_games(games: str, needed: int) -> None:
    """`rubber_games`: the rubber is over with that many games won, three where nothing is said."""
    match = Match(seat("brisca", **({"rubber_games": games} if games else {})))
    rubber(match, [None] + [0] * (needed - 1))
    assert "await_deal" == match.p.phase
    rubber(match, [0])
    assert ("rubber_over", frozenset({0})) == (match.p.phase, match.game.outcome(match.p))


@pytest.mark.clause("BS-7.1")
def test_a_deal_is_not_over_at_61() -> None:
    """BS-R17, BS-R15: nothing ends a deal before its last trick, neither 61 points nor an Ace that takes a Seven."""
    game = seat("brisca")
    match = contrive(game, 0, points(120, 0)).perform(Match(game), tricks=19)
    assert ("play", True) == (match.p.phase, max(game.points(match.p)) > 60)


# ---------------------------------------------------------------------- the game of the other name


@pytest.mark.clause("BS-4.1", "BS-5.3", "BS-5.5", "BS-5.6", "BS-6.1", "BS-7.1")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_brisca_is_briscola(players: int, seed: str) -> None:
    """BS 1: what is played and told at a table of Brisca is so at one of Briscola that deals card by card."""
    walk = known_walk(RuleSet("brisca", players), seed, 3, 6)
    twin = CATALOGUE.game_for(RuleSet("briscola", players, (("deal_packets", "1-1-1"),)))
    p = twin.start()
    for step in walk.steps:
        for place in range(players):
            assert legal_moves(walk.game, step.before, place) == legal_moves(twin, p, place)
        p, events = play(twin, p, step.actor, step.move)
        assert (step.events, step.after) == (events, p)


@pytest.mark.clause("BS-3.1", "BS-5.3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_hands_and_turn_up(players: int) -> None:
    """BS 4 and 7: points add up to 120, and the turn-up goes to the seat before the winner of the last draw."""
    walk = known_walk(RuleSet("brisca", players, (("exchange", "seven_two"),)), "turn-up", 1, 6)
    assert 120 == sum(walk.game.points(walk.positions[-1]))
    (step,) = [step for step in walk.steps if step.before.stock and not step.after.stock]
    *_, last = [event for event in step.events if event.kind == "card_drawn"]
    winner = step.after.tricks[SIZES[players][1] - 1].winner
    assert ((winner - 1) % players, (step.before.turn_up,)) == (last.seat, last.cards)
    assert {step.before.turn_up} == set(
        facts(Match(seat("brisca", players), step.after).view(None), "turn_up").values()
    )
