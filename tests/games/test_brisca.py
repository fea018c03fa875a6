"""Brisca: cards, deal, the duty to follow, results, and its likeness to Briscola (clauses BS)."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import minus
from chitarrella.core.game import legal_moves, play
from chitarrella.tricks.game import TrickGame
from tests.games.support.bisca_deals import answers, drawn, play_on
from tests.games.support.table import Match, facts, pack_for, seat, table, zone
from tests.walks import CATALOGUE, known_walk

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


@pytest.mark.clause("BS-4.1", "ALL-8")
@pytest.mark.parametrize("two", ["2b", "2c", "2d", "2s"])
def test_three_players_leave_out_one_two(two: str) -> None:
    """`removed_two`: one Two is left out, not all of them, and only by three players (BS-R14)."""
    assert {two} == set(seat("brisca", 2).pack.cards) - set(seat("brisca", 3, removed_two=two).pack.cards)
    assert 40 == len(seat("brisca", 4, removed_two=two).pack.cards)
    assert seat("brisca", 3, removed_two="2b").pack == seat("brisca", 3).pack


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


# ---------------------------------------------------------------------- the game of the other name


@pytest.mark.clause("BS-4.1", "BS-5.3", "BS-5.5", "BS-5.6", "BS-6.1", "BS-7.1")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize(
    ("players", "options"),
    [
        *((players, {}) for players in (2, 3, 4)),
        *((4, {"signals": mode}) for mode in ("off", "free")),
        (4, {"show_final_hand": "false", "removed_two": "2c"}),
    ],
)
def test_brisca_is_briscola(players: int, options: dict[str, str], seed: str) -> None:
    """BS 1, BS-EX14: what is played, signalled, shown and told is so at Briscola that is dealt card by card."""
    walk = known_walk(RuleSet("brisca", players, tuple(sorted(options.items()))), seed, 3, 6)
    twin = seat("briscola", players, deal_packets="1-1-1", **options)
    p = twin.start()
    for step in walk.steps:
        for place in range(players):
            assert legal_moves(walk.game, step.before, place) == legal_moves(twin, p, place)
        p, events = play(twin, p, step.actor, step.move)
        assert (step.events, step.after) == (events, p)


# ---------------------------------------------------------------------- brisca beside


HIGH, LOW = ("A", "3", "R", "C", "F"), ("6", "5", "4")


def on_lead(held: str, turn_up: str, **options: str) -> Match:
    """Two players: s0 has just won a trick and drawn, and holds these two cards beside what it drew."""
    game = seat("brisca", first_dealer="1", **{"exchange": "seven_two", **options})
    match = table(game, {0: f"Ab {held}", 1: "5b 4b 6b"}, turn_up, "2b 7b", dealer=1)
    match.play("0 Ab, 1 5b")
    assert 0 == match.game.turn(match.p)
    return match


# ---------------------------------------------------------------------- the exchange


@pytest.mark.clause("BS-5.4", "BS-5.5")
def test_the_seven_is_exchanged() -> None:
    """BS-EX6: s0 lays 7s down and takes Rs; 7s lies last in the stock, trumps stay, and everybody sees both."""
    match = on_lead("7s 4d", "Rs")
    before = len(match.p.stock)
    match.say(0, "exchange_turn_up 7s")
    assert ("2b 4d Rs", "7s", "7s", "s") == (match.hand(0), match.p.stock[-1], match.p.turn_up, match.p.trump)
    assert (before, 3, 3, 0) == (len(match.p.stock), *map(len, match.p.hands), match.game.turn(match.p))
    for viewer in (0, 1, None):
        assert [("turn_up_exchanged", 0, ("7s", "Rs"))] == [(e.kind, e.seat, e.cards) for e in match.events_for(viewer)]
        assert ("7s",) == zone(match.view(viewer), "turn_up").cards
        assert {None: "7s"} == facts(match.view(viewer), "turn_up")


@pytest.mark.clause("BS-5.4")
def test_a_two_follows_the_seven() -> None:
    """BS-EX7: later s1 wins a trick and exchanges 2s for the 7s that lies there (BS-R11)."""
    game = seat("brisca", first_dealer="1", exchange="seven_two")
    match = table(game, {0: "Ab 7s 4d", 1: "5b 2s Ad"}, "Rs", dealer=1)
    match.play("0 Ab, 1 5b")
    match.say(0, "exchange_turn_up 7s")
    match.play("0 4d, 1 Ad")
    match.say(1, "exchange_turn_up 2s")
    assert ("2s", "2s", True) == (match.p.stock[-1], match.p.turn_up, "7s" in match.p.hands[1])


@pytest.mark.clause("BS-5.4")
def test_both_exchanges_at_one_lead() -> None:
    """BS-R20: a seat with Seven and Two exchanges both at one lead, the Seven first; then it leads, and no third."""
    match = on_lead("7s 2s", "As")
    assert ["exchange_turn_up 7s"] == [move for move in match.moves(0) if move.startswith("exchange")]
    match.say(0, "exchange_turn_up 7s")
    match.say(0, "exchange_turn_up 2s")
    assert ("2b 7s As", "2s", 0) == (match.hand(0), match.p.turn_up, match.game.turn(match.p))
    assert [] == [move for move in match.moves(0) if move.startswith("exchange")]


@pytest.mark.clause("BS-5.4", "BS-5.7")
@pytest.mark.parametrize(
    ("held", "turn_up", "card"),
    [("7s 4d", "5s", "7s"), ("7s 4d", "6s", "7s"), ("2s 4d", "As", "2s"), ("2s 4d", "3s", "2s"), ("7d 5c", "Rd", "5c")],
)
def test_the_wrong_card(held: str, turn_up: str, card: str) -> None:
    """BS-EX8, BS-EX15: no Seven for a low card (BS-R10), no Two for a high one (BS-R12), and no other card."""
    match = on_lead(held, turn_up)
    assert ["exchange_wrong_card"] == match.codes(0, f"exchange_turn_up {card}")
    assert ["BS-5.4"] == match.cited(0, f"exchange_turn_up {card}")


@pytest.mark.clause("BS-5.4", "BS-5.7")
def test_nobody_exchanges_before_the_first_trick() -> None:
    """BS-EX8, BS-R8: at the first lead nobody has won a trick."""
    match = table(seat("brisca", exchange="seven_two"), {1: "7s 4d 5d"}, "Rs")
    assert ["exchange_not_available"] == match.codes(1, "exchange_turn_up 7s")


@pytest.mark.clause("BS-5.4")
@pytest.mark.parametrize("turn_up", [*HIGH, *LOW])
def test_which_card_for_which_turn_up(turn_up: str) -> None:
    """BS-EX13: with 7c and 2c in hand the Seven goes for Ace, Three and court cards, the Two for 6, 5 and 4."""
    match = on_lead("7c 2c", f"{turn_up}c")
    wanted = "7c" if turn_up in HIGH else "2c"
    assert [f"exchange_turn_up {wanted}"] == [move for move in match.moves(0) if move.startswith("exchange")]


@pytest.mark.clause("BS-5.4")
def test_a_two_for_a_seven_that_was_turned_up() -> None:
    """BS-EX13, end: the Two alone goes for a Seven as well."""
    match = on_lead("2c 4d", "7c")
    assert [] == match.codes(0, "exchange_turn_up 2c")


@pytest.mark.clause("BS-5.4", "BS-5.7")
def test_only_on_lead_after_a_won_trick() -> None:
    """BS-EX15: not second to play; not by the partner of the seat on lead (BS-R7, BS-R13, BS-R21)."""
    second = table(seat("brisca", exchange="seven_two"), {1: "4c 5c 6c", 0: "7d 5b 6b"}, "Rd")
    second.play("1 4c")
    assert ["exchange_not_available"] == second.codes(0, "exchange_turn_up 7d")
    game = seat("brisca", 4, first_dealer="3", exchange="seven_two")
    match = table(game, {0: "Ac", 1: "4c", 2: "7d 5c", 3: "6c"}, "Rd", dealer=3)
    match.play("0 Ac, 1 4c, 2 5c, 3 6c")
    assert ["not_your_turn", "exchange_not_available"] == match.codes(2, "exchange_turn_up 7d")
    assert ["BS-5.3", "BS-5.4"] == match.cited(2, "exchange_turn_up 7d")
    match.play(f"0 {match.p.hands[0][0]}, 1 {match.p.hands[1][0]}")
    assert ["exchange_not_available"] == match.codes(2, "exchange_turn_up 7d")


@pytest.mark.clause("BS-5.4", "ALL-8")
@pytest.mark.parametrize("agreed", ["", "none", "seven_two"])
def test_exchange_only_where_agreed(agreed: str) -> None:
    """`exchange`: off where nothing is said (BS-R6); then even the right card at the right time is refused."""
    game = seat("brisca", first_dealer="1", **({"exchange": agreed} if agreed else {}))
    match = table(game, {0: "Ab 7s 4d", 1: "5b 4b 6b"}, "Rs", dealer=1)
    match.play("0 Ab, 1 5b")
    codes = [] if agreed == "seven_two" else ["exchange_not_available"]
    assert codes == match.codes(0, "exchange_turn_up 7s")


def before_last_draw(laid: str, winner: int, kept: tuple[str, ...]) -> Match:
    """Play on from BS-EX6 to the last two cards of the stock, ``laid`` being the last but one, ``winner`` on lead."""
    game = seat("brisca", first_dealer="1", exchange="seven_two")
    base = pack_for(game, {0: "Ab 7s 4d", 1: "5b 4b 7b"}, "Rs", dealer=1)
    rest = list(minus(base[7:], game.pack.card(laid)))
    rng = Random(0)
    while True:
        rng.shuffle(rest)
        match = Match(game)
        match.deal((*base[:7], *rest, game.pack.card(laid)))
        match.play("0 Ab, 1 5b")
        if "7s" not in kept:
            match.say(0, "exchange_turn_up 7s")
        play_on(match, 2, kept)
        if match.game.turn(match.p) == winner and all(card in match.p.hands[winner] for card in kept):
            return match


@pytest.mark.clause("BS-5.4", "BS-5.3")
def test_the_loser_draws_the_card_laid_down() -> None:
    """BS-EX9: stock 6b 7s: the winner s1 draws 6b, s0 the 7s; from now on nobody exchanges (BS-R9)."""
    match = before_last_draw("6b", 1, ())
    lead = match.p.hands[1][0]
    lost = next(card for card in match.p.hands[0] if card.suit not in (lead.suit, "s"))
    match.play(f"1 {lead}, 0 {lost}")
    assert ("1 6b, 0 7s", ()) == (drawn(match), match.p.stock)
    assert {None: "7s"} == facts(match.view(None), "turn_up")
    assert ["exchange_not_available"] == match.codes(1, f"exchange_turn_up {match.p.hands[1][0]}")[:1]


@pytest.mark.clause("BS-5.4")
def test_exchange_before_the_last_draw() -> None:
    """BS-R19, BS-R9: with only a card and the turn-up left, the seat on lead still exchanges; the Seven is drawn."""
    match = before_last_draw("6b", 0, ("7s",))
    match.say(0, "exchange_turn_up 7s")
    assert (("6b", "7s"), True) == (match.p.stock, "Rs" in match.p.hands[0])
    match.play("0 Rs")
    match.play(f"1 {match.p.hands[1][0]}")
    assert "7s" in drawn(match).split(", ")[1]


@pytest.mark.clause("BS-5.4", "BS-5.5")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_exchanges_of_a_deal(players: int, seed: int) -> None:
    """BS 2, 5 and 6: at most two exchanges a deal, a Seven before a Two; hands and the trump suit stay as they were."""
    walk = known_walk(RuleSet("brisca", players, (("exchange", "seven_two"),)), str(seed), 1, 6)
    swaps = [step for step in walk.steps if step.move.verb == "exchange_turn_up"]
    assert "".join(step.move.cards[0].rank for step in swaps) in ("", "7", "2", "72")
    for step in swaps:
        assert [len(hand) for hand in step.before.hands] == [len(hand) for hand in step.after.hands]
        assert (step.before.trump, len(step.before.stock)) == (step.after.trump, len(step.after.stock))


@pytest.mark.clause("BS-6.1")
def test_the_highest_trump_wins_for_its_side() -> None:
    """BS-EX4: trump d, 4c Rc 2d Ac from s1: s3 wins 15 for side B."""
    match = table(seat("brisca", 4), {1: "4c", 2: "Rc", 3: "2d", 0: "Ac"}, "5d")
    assert (3, 15) == match.one_trick("1 4c, 2 Rc, 3 2d, 0 Ac")
    assert (0, 15) == tuple(count[0] for count in match.game.deal_scoring.by_side(match.game, match.p))
