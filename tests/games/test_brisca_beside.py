"""Brisca: the exchange of Seven and Two, signals and the showing of the last hand (clauses BS-5.4 to BS-5.7)."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import minus
from tests.games.support.bisca_deals import drawn, play_on
from tests.games.support.table import Match, facts, first_cards, pack_for, seat, table, zone
from tests.walks import known_walk

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
    for p in walk.positions:
        if p.hands:
            held = [card for hand in p.hands for card in hand] + [card for trick in p.tricks for card in trick.cards]
            assert sorted(walk.game.pack.cards) == sorted([*held, *p.stock, *p.trick])


# ---------------------------------------------------------------------- partners


EX14 = {0: "Ac Rc 5b", 1: "3c 6d Ad", 2: "Cc 2d 3d", 3: "Fc 4d 5d"}


@pytest.mark.clause("BS-5.6", "BS-5.5")
def test_signals_by_default() -> None:
    """BS-EX14: truthful signals beside the cards and out of turn; only the partner's view changes (BS-R16)."""
    match = table(seat("brisca", 4, first_dealer="3"), EX14, "4c", dealer=3)
    assert ["play_card 5b", "play_card Ac", "play_card Rc", "signal A", "signal R"] == match.moves(0)
    assert [["signal 3"], ["signal C"], ["signal F"]] == [match.moves(place) for place in (1, 2, 3)]
    before = {viewer: match.view(viewer) for viewer in (0, 2, 3, None)}
    match.say(1, "signal 3")
    assert {1: "3"} == facts(match.view(3), "signal")
    assert before[3] != match.view(3)
    assert [before[viewer] for viewer in (0, 2, None)] == [match.view(viewer) for viewer in (0, 2, None)]
    assert (["signal_repeated"], ["BS-5.6"]) == (match.codes(1, "signal 3"), match.cited(1, "signal 3"))


@pytest.mark.clause("BS-5.6", "ALL-8")
def test_signals_off_and_free() -> None:
    """BS-EX14, end, `signals`: off leaves the cards alone, free lets everybody signal everything."""
    off, free = (
        table(seat("brisca", 4, first_dealer="3", signals=mode), EX14, "4c", dealer=3) for mode in ("off", "free")
    )
    assert [3, 0, 0, 0] == [len(off.moves(place)) for place in range(4)]
    assert [8, 5, 5, 5] == [len(free.moves(place)) for place in range(4)]
    assert ["signal_not_available"] == off.codes(1, "signal 3")


@pytest.mark.clause("BS-5.6", "ALL-8")
@pytest.mark.parametrize("shows", ["", "true", "false"])
def test_showing_the_last_hand(shows: str) -> None:
    """`show_final_hand`: on unless agreed otherwise; the partner alone sees the last three cards, once."""
    match = first_cards(Match(seat("brisca", 4, **({"show_final_hand": shows} if shows else {}))), 0)
    match.deal(match.game.pack.cards)
    assert ["show_not_available"] == match.codes(2, "show_hand_to_partner")
    first_cards(match, 7)
    if shows == "false":
        assert ["show_not_available"] == match.codes(2, "show_hand_to_partner")
        return
    before = match.view(1)
    match.say(2, "show_hand_to_partner")
    assert (match.p.hands[2], before) == (zone(match.view(0), "hand", 2).cards, match.view(1))
    assert (["show_repeated"], ["BS-5.6"]) == (
        match.codes(2, "show_hand_to_partner"),
        match.cited(2, "show_hand_to_partner"),
    )


@pytest.mark.clause("BS-5.6", "BS-5.7")
@pytest.mark.parametrize("players", [2, 3])
def test_only_partners_signal_and_show(players: int) -> None:
    """With two or three players nobody has a partner; possession is then not asked."""
    match = table(seat("brisca", players), {1: "5d 6d 7d"}, "4c")
    assert (["signal_not_available"], ["BS-5.6"]) == (match.codes(1, "signal A"), match.cited(1, "signal A"))
    assert ["show_not_available"] == match.codes(1, "show_hand_to_partner")


@pytest.mark.clause("BS-5.5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_seen(players: int) -> None:
    """Turn-up, stock and tricks are public; a hand and a card drawn are their seat's alone."""
    match = table(seat("brisca", players), {1: "5c"}, "4d")
    first_cards(match, 1)
    for viewer in (None, *range(players)):
        view = match.view(viewer)
        assert (("4d",), len(match.p.stock) - 1) == (zone(view, "turn_up").cards, zone(view, "stock").size)
        assert () == zone(view, "stock").cards
        for place in range(players):
            assert (match.p.hands[place] if place == viewer else ()) == zone(view, "hand", place).cards
        assert [(e.seat, len(e.cards)) for e in match.events_for(viewer) if e.kind == "card_drawn"] == [
            (e.seat, int(e.seat == viewer)) for e in match.last if e.kind == "card_drawn"
        ]
