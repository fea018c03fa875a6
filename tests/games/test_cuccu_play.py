"""Cuccu a trionfo: leading, declaring, following, taking and winning (CT-22 to CT-38)."""

from __future__ import annotations

import pytest

from chitarrella.core.cards import minus
from chitarrella.core.notation import InvalidPosition
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.robbing import Robber
from chitarrella.tricks.table import Table
from tests.games.support.table import Match, events_of, facts, plays, state
from tests.games.support.trionfo_tables import (
    CUT_ALREADY,
    answer,
    game,
    in_play,
    perform,
    play_for,
    playable,
    points_of,
    rob,
    robbing,
)


def lead(hand: str, turn_up: str, **options: str) -> Match:
    """A match in which seat 0 is to lead from this hand."""
    return in_play(game(**options), turn_up, {0: hand})


def follow(trick: str, hand: str, turn_up: str, **options: str) -> list[str]:
    """The cards that the next seat may play."""
    turn = (int(trick[0]) + len(trick.split(", "))) % 4
    return playable(in_play(game(**options), turn_up, {turn: hand}, trick), turn)


# ---------------------------------------------------------------------- leading


@pytest.mark.clause("CT-24", "CT-31")
def test_zero_cards_are_led_last() -> None:
    """CT-E8: beside other cards a zero card is refused, and the refusal names the others; alone all may be led."""
    match = lead("IV XI MAT NUL LEO", "IX")
    (refusal,) = match.refusals(0, "play_card NUL")
    assert ("zero_card_lead", "CT-24", ("IV", "XI")) == (refusal.code, refusal.clause.key, refusal.allowed_cards)
    assert ["LEO", "MAT", "NUL"] == playable(lead("MAT NUL LEO", "IX"), 0)


@pytest.mark.clause("CT-24", "CT-25")
def test_the_trionfo_counts_by_its_face_on_the_lead() -> None:
    """CT-E10, CT-R14, CT-R15: a numbered trionfo is another card, a zero one is not; either may always be led."""
    assert ["VII=numbers", "VII=pictures"] == playable(lead("VII MAT", "VII"), 0)
    assert ["zero_card_lead"] == answer(lead("VII MAT", "VII"), 0, "MAT")
    assert ["MAS", "MAT=numbers", "MAT=pictures"] == playable(lead("MAT MAS", "MAT"), 0)
    assert ["IV", "MAT=numbers", "MAT=pictures"] == playable(lead("MAT MAS IV", "MAT"), 0)


@pytest.mark.clause("CT-25", "CT-31")
def test_declaring() -> None:
    """CT-E10, CT-R17: who leads the trionfo must say a suit, its own too; otherwise nobody may."""
    match = lead("VII IV XII", "VII")
    assert ["declaration_missing"] == answer(match, 0, "VII")
    assert [] == answer(match, 0, "VII numbers") == answer(match, 0, "VII pictures")
    assert ["declaration_not_allowed"] == answer(match, 0, "IV numbers") == answer(match, 0, "XII pictures")
    other = in_play(game(), "VII", {1: "VII IV"}, "0 IX")
    assert ["declaration_not_allowed"] == answer(other, 1, "VII pictures")
    assert ["CT-25"] == other.cited(1, "play_card VII pictures")
    last = in_play(game(), "VII", {0: "VII", 1: "I", 2: "II", 3: "III"})
    assert ["VII=numbers", "VII=pictures"] == playable(last, 0)


@pytest.mark.clause("CT-25", "CT-28", "ALL-5")
def test_what_was_declared_is_seen_by_all() -> None:
    """The suit that was asked for is told and stays in view, in the tricks after it and between the deals."""
    match = perform(lead("VII XII", "VII"), "0 VII=pictures")
    assert [("suit_declared", "pictures")] == [(event.kind, event.word) for event in match.events_for(None)[1:]]
    while match.p.phase == "play":
        for viewer in (None, 0, 1, 2, 3):
            assert {None: "pictures"} == facts(match.view(viewer), "declared_suit")
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, match.moves(turn)[0])
    assert {None: "pictures"} == facts(match.view(None), "declared_suit")


# ---------------------------------------------------------------------- following


@pytest.mark.clause("CT-26", "CT-27", "CT-31")
def test_a_picture_asks_for_better_pictures() -> None:
    """CT-E11, CT-R30: two reasons, each with what may be played instead; the trionfo would be among it."""
    match = in_play(game(), "VII", {3: "IV X XII XV MAT LEO"}, "2 SEC")
    for card, code in (("IV", "must_follow_suit"), ("LEO", "zero_card_follow")):
        (refusal,) = match.refusals(3, f"play_card {card}")
        assert (code, ("XII", "XV")) == (refusal.code, refusal.allowed_cards)
    (refusal,) = in_play(game(), "VII", {3: "VII XII MAT"}, "2 SEC").refusals(3, "play_card MAT")
    assert ("XII", "VII") == refusal.allowed_cards


@pytest.mark.clause("CT-26", "CT-27")
@pytest.mark.parametrize(
    ("trick", "hand", "cards"),
    [
        ("2 XIII", "IV X MAT LEO", "LEO MAT"),
        ("0 III", "XI XV NUL", "NUL XI XV"),
        ("2 XIII", "IV X II", "II IV X"),
        ("3 IX", "VII II XI MAT", "II VII"),
        ("3 IX", "VII XI MAT", "MAT VII XI"),
        ("1 XI", "MAT XII III", "XII"),
    ],
)
def test_duties(trick: str, hand: str, cards: str) -> None:
    """CT-E11 to 14, CT-R19, CT-R20, CT-R21: what follows a number or a picture; who is void plays anything."""
    assert cards.split() == follow(trick, hand, "VII")


@pytest.mark.clause("CT-23", "CT-27")
def test_a_valued_trionfo_is_no_picture_in_the_hand() -> None:
    """CT-R13, CT-R16: its holder may lay a zero card on a picture; a zero trionfo goes on any picture."""
    assert ["MAT", "XII"] == follow("0 XV", "XII MAT IV", "XII")
    assert ["MAT", "XI"] == follow("0 XV", "XI MAT LEO", "MAT")


@pytest.mark.clause("CT-29")
@pytest.mark.parametrize(
    ("trick", "hand", "turn_up", "cards"),
    [
        ("3 IX", "VII XI MAT", "VII", "VII"),
        ("3 IX", "VII II XI", "VII", "II VII"),
        ("0 XV", "XII MAT IV", "XII", "XII"),
        ("0 XV", "XII XI MAT", "XII", "XI XII"),
        ("0 XV", "MAT LEO IV", "MAT", "LEO MAT"),
        ("0 XV", "MAT XI LEO", "MAT", "MAT XI"),
        ("0 IX", "XII MAT IV", "XII", "IV XII"),
    ],
)
def test_trionfo_in_suit(trick: str, hand: str, turn_up: str, cards: str) -> None:
    """`trionfo_in_suit`, CT-E14, CT-R12: in the hand it is a card of its suit, it may count, and be due."""
    assert cards.split() == follow(trick, hand, turn_up, trionfo_in_suit="true")


@pytest.mark.clause("CT-27", "CT-28")
def test_a_led_trionfo_lifts_the_restriction() -> None:
    """CT-E15, CT-E24, CT-R18: on a led trionfo zero cards may be laid; one played later lifts nothing."""
    assert ["LEO", "MAT", "XII", "XV"] == follow("1 VII=pictures", "IV XII XV MAT LEO", "VII")
    assert ["MAT", "XI"] == follow("2 XIII=pictures", "XI MAT IV", "XIII")
    assert ["IV"] == follow("1 VII=numbers", "IV XII XV MAT LEO", "VII")
    assert ["XI"] == follow("0 XV, 1 II", "IX XI MAT", "II")


@pytest.mark.clause("CT-24", "CT-27")
@pytest.mark.parametrize("preset", ["smith", "masenghini"])
@pytest.mark.parametrize("option", ["zero_lead_restriction", "zero_follow_restriction"])
@pytest.mark.parametrize("value", ["true", "false", "by_preset"])
def test_single_options_win(preset: str, option: str, value: str) -> None:
    """CT-R38: a restriction that is named holds or does not, whatever the preset; left out, the preset decides."""
    options = {"preset": preset, option: value}
    default = preset == "smith"
    lead_held, follow_held = (
        default if value == "by_preset" or name != option else value == "true"
        for name in ("zero_lead_restriction", "zero_follow_restriction")
    )
    assert lead_held == ("NUL" not in playable(lead("IV XI NUL", "IX", **options), 0))
    assert follow_held == ("NUL" not in follow("2 SEC", "IV XI NUL", "IX", **options))


@pytest.mark.clause("CT-11", "ALL-8")
@pytest.mark.parametrize("preset", ["smith", "masenghini"])
@pytest.mark.parametrize(("limit", "robbed"), [("0", 0), ("2", 2), ("6", 6), ("unlimited", 6), ("by_preset", -1)])
def test_rob_limit(preset: str, limit: str, robbed: int) -> None:
    """CT-R38: `rob_limit` wins over the preset, no limit too; 3 or no limit where the preset decides."""
    match = robbing(game(preset=preset, rob_limit=limit), "IX X X XIV XIV XV XV", "V")
    taken = 0
    while match.p.phase == "cutter_rob":
        match.say(3, "rob_look")
        takes = "rob_take" in match.moves(3)
        match.say(3, "rob_take" if takes else "rob_leave")
        taken += takes
    by_preset = 3 if preset == "smith" else 6
    assert (by_preset if robbed < 0 else robbed) == taken
    looked = limit == "unlimited" or (limit == "by_preset" and preset == "masenghini")
    assert ({3: "IX"} if looked else {}) == facts(match.view(3), "looked_at")


# ---------------------------------------------------------------------- taking and winning


@pytest.mark.clause("CT-36", "CT-38", "CT-7")
def test_results() -> None:
    """CT-R29: one for each seat of the side that wins, one against the others, nothing for a draw; in sum 0."""
    for winner, result in ((0, (1, -1, 1, -1)), (1, (-1, 1, -1, 1)), (None, (0, 0, 0, 0))):
        match = Match(game(match_deals="2"))
        play_for(match, winner)
        assert (result, 1) == (match.game.scores(match.p), match.p.match_state.dealer)
        one, other = points_of(match)
        assert (winner is None) == (one == other) == bool(events_of(match, "deal_drawn"))


@pytest.mark.clause("CT-22", "CT-34")
def test_stateless_trick_questions() -> None:
    """Who takes a trick, and what may be played, can be asked without a table: there is no trionfo in it then."""
    table: TrickGame = game()
    hand = table.pack.hand(["IV", "X", "XII", "XV", "MAT", "LEO"])
    following = plays(table, hand, state(table.pack.hand(["SEC"])))
    assert ["XII", "XV"] == [card for card, codes in following.items() if not codes]
    leading = plays(table, hand, state(()))
    assert ["IV", "X", "XII", "XV"] == [card for card, codes in leading.items() if not codes]


# ---------------------------------------------------------------------- cuccu positions


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
