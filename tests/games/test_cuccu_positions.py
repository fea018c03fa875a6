"""Cuccu a trionfo: positions that a client sends, and what no table can look like."""

from __future__ import annotations

import pytest

from chitarrella.core.cards import minus
from chitarrella.core.notation import InvalidPosition
from chitarrella.tricks.robbing import Robber
from chitarrella.tricks.table import Table
from tests.games.support.table import Match
from tests.games.support.trionfo_tables import CUT_ALREADY, game, in_play, perform, rob, robbing


def at(phase: str) -> Match:
    """Bring a table into a phase: the cutter robs an X and leaves a II, the dealer an XV and leaves the VII."""
    match = Match(game())
    if phase == "cut":
        match.deal(match.game.pack.cards)
        return match
    match = robbing(game(), "II X", "XV VII", {1: "VII"})
    for place, move in (
        *((3, "rob_look"), (3, "rob_take"), (3, "rob_look"), (3, "rob_leave")),
        *((0, "rob_look"), (0, "rob_take"), (0, "rob_look"), (0, "rob_leave")),
    ):
        if match.p.phase == phase:
            return match
        match.say(place, move)
    if phase == "play":
        for place in (3, 0):
            match.say(place, match.moves(place)[0])
    return match


def own(p: Table, **changes: object) -> Table:
    """Change something about the game's own record."""
    return p._replace(own=p.own._replace(**changes))


def robber(p: Table, role: int, **changes: object) -> Table:
    """Change what is said of a robber."""
    both = list(p.own.robbers)
    both[role] = both[role]._replace(**changes)
    return own(p, robbers=tuple(both))


def fault(match: Match, p: Table) -> str:
    """Name the field at fault when this position is read."""
    with pytest.raises(InvalidPosition) as bad:
        match.game.decode(match.game.encode(p))
    return bad.value.field


PHASES = ["cut", "cutter_rob", "dealer_rob", "discard", "play"]


@pytest.mark.clause("ALL-4", "CT-20")
@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_comes_back_as_it_was(phase: str) -> None:
    """A position of each phase, written and read, is the same, and plays on."""
    match = at(phase)
    assert (phase, match.p) == (match.p.phase, match.game.decode(match.game.encode(match.p)))
    match.p = match.game.decode(match.game.encode(match.p))
    match.play_out()
    assert "await_deal" == match.p.phase
    assert match.p == match.game.decode(match.game.encode(match.p))


def test_a_line_as_it_is_written() -> None:
    """A robber is written as what he took, whether he looked at a card he left, and what he laid aside."""
    line = at("play").game.encode(at("play").p)
    assert line.endswith("turn_up=VII leader=1 lifted=2 robbers=X/yes/NUL;XV/yes/IX")


@pytest.mark.parametrize(
    ("phase", "other", "field"),
    [
        ("cut", "cutter_rob", "lifted"),
        ("cutter_rob", "cut", "phase"),
        ("cutter_rob", "dealer_rob", "hands"),
        ("dealer_rob", "cutter_rob", "hands"),
        ("dealer_rob", "discard", "turn_up"),
        ("discard", "dealer_rob", "turn_up"),
        ("discard", "play", "robbers"),
        ("play", "discard", "robbers"),
        ("play", "await_deal", "robbers"),
        ("play", "cut", "turn_up"),
    ],
)
def test_the_wrong_phase(phase: str, other: str, field: str) -> None:
    """A table that lies as in one phase cannot be in another, though a deal that is over was drawn."""
    match = at(phase)
    match_state = match.p.match_state._replace(draws=int(other == "await_deal"))
    assert field == fault(match, match.p._replace(phase=other, match_state=match_state))


@pytest.mark.parametrize("lifted", [0, -1, 40, 41])
def test_a_cut_that_cannot_have_been(lifted: int) -> None:
    """CT-9: some cards were lifted and some left; of a pack that came cut all count as lifted."""
    match = at("play")
    assert "lifted" == fault(match, own(match.p, lifted=lifted))
    assert "phase" == fault(at("cut"), own(at("cut").p, lifted=3))
    cut = Match(game(**CUT_ALREADY))
    cut.deal(cut.game.pack.cards)
    assert "lifted" == fault(cut, own(cut.p, lifted=20))
    assert "phase" == fault(cut, own(cut.p._replace(phase="cut"), lifted=0))


def test_robbers_who_cannot_be() -> None:
    """CT-5, CT-11, CT-13: cards that may not be robbed, too many, before the time, or not theirs; a look too many."""
    play, dealer, cutter = at("play"), at("dealer_rob"), at("cutter_rob")
    hand = play.game.pack.hand
    assert "robbers" == fault(play, own(play.p, robbers=()))
    assert "robbers" == fault(play, own(play.p, robbers=(*play.p.own.robbers, Robber())))
    assert "robbers" == fault(play, robber(play.p, 0, robbed=hand(["IX"])))
    assert "robbers" == fault(play, robber(play.p, 0, robbed=hand(["XIV"])))
    assert "robbers" == fault(play, robber(play.p, 1, robbed=hand(["X", "X", "XV", "XV"])))
    first, *others = dealer.p.hands
    assert "robbers" == fault(dealer, robber(dealer.p._replace(hands=(first[1:], *others)), 1, discarded=first[:1]))
    assert "robbers" == fault(cutter, robber(cutter.p, 1, looked=True))
    assert "robbers" == fault(play, own(play.game.start(), lifted=3))
    limited = robbing(game(rob_limit="1"), "II X", "XV VII")
    rob(limited, 3, "rob_look(X), rob_take")
    assert "robbers" == fault(limited, robber(limited.p, 0, looked=True))
    rest = minus(limited.game.pack.cards, limited.game.pack.card("X"))
    assert "robbers" == fault(limited, limited.p._replace(phase="cutter_rob", hands=((),) * 4, stock=rest))


def test_cards_laid_aside_that_cannot_be() -> None:
    """CT-20: as many as were robbed, the cutter's first, and not before the turn-up."""
    discard, play = at("discard"), at("play")
    hand = discard.p.hands[0]
    hands = (hand[1:], *discard.p.hands[1:])
    dealer_first = robber(discard.p._replace(hands=hands), 1, discarded=hand[:1])
    assert "robbers" == fault(discard, dealer_first)
    none = play.p.own.robbers[0].discarded
    back = (*play.p.hands[:3], (*play.p.hands[3], *none))
    assert "robbers" == fault(play, robber(play.p._replace(hands=back), 0, discarded=()))


def test_a_turn_up_or_a_declaration_that_cannot_be() -> None:
    """CT-18, CT-25: one turn-up after the robbing, no trump suit, and a suit is declared when the trionfo is led."""
    play = at("play")
    assert "hands" == fault(play, play.p._replace(turn_up=None))
    assert "trump" == fault(play, play.p._replace(trump="numbers"))
    assert "declared" == fault(play, own(play.p, declared="numbers"))
    assert "declared" == fault(play, own(play.p, declared="coins"))
    led = perform(in_play(game(), "VII", {0: "VII IV"}), "0 VII=pictures")
    assert "declared" == fault(led, own(led.p, declared=""))


def test_hands_that_cannot_be() -> None:
    """CT-22: eight cards less those played, tricks of four, the seat after the dealer leads first."""
    play, dealer = at("play"), at("dealer_rob")
    first, second, *others = play.p.hands
    assert "hands" == fault(play, play.p._replace(hands=(first[1:], (*second, first[0]), *others)))
    assert "leader" == fault(play, play.p._replace(leader=2))
    moved = play.p._replace(hands=(*play.p.hands[:2], play.p.hands[2][1:], play.p.hands[3]), trick=play.p.hands[2][:1])
    assert "hands" == fault(play, moved)
    laid = dealer.p.hands[1][:1]
    early = dealer.p._replace(hands=(dealer.p.hands[0], dealer.p.hands[1][1:], *dealer.p.hands[2:]), trick=laid)
    assert "tricks" == fault(dealer, early)
