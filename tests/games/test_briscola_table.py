"""Briscola: the exchange of the turn-up, refusals, and what is seen (clauses BR-5.7, BR-5.8, BR-5.10)."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, view_for
from chitarrella.core.model import Move
from chitarrella.core.notation import MalformedMove, parse_move
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, zone
from tests.walks import known_walk

EX17 = {1: "5c 6c 7c", 0: "2d 3s 4s"}


# ---------------------------------------------------------------------- the exchange of the turn-up


@pytest.mark.clause("BR-5.7")
def test_the_two_goes_under_the_stock() -> None:
    """BR-EX12: trump d, s0 plays second with 2d; he takes Ad and everybody sees both; in trick 2 it is too late."""
    match = table(seat("briscola", deuce_exchange="true"), {1: "5c 6c 7c", 0: "2d 3s 4s"}, "Ad")
    match.play("1 5c")
    assert "exchange_turn_up 2d" in match.moves(0)
    late = Match(match.game, match.p)
    match.say(0, "exchange_turn_up 2d")
    assert ("3s 4s Ad", "2d", "2d", "d") == (match.hand(0), match.p.stock[-1], match.p.turn_up, match.p.trump)
    for viewer in (0, 1, None):
        assert [("turn_up_exchanged", 0, ("2d", "Ad"))] == [(e.kind, e.seat, e.cards) for e in match.events_for(viewer)]
    assert ["play_card 3s", "play_card 4s", "play_card Ad"] == match.moves(0)
    late.play("0 3s")
    late.play(f"1 {late.p.hands[1][0]}")
    assert (1, ["exchange_not_available"]) == (len(late.p.tricks), late.codes(0, "exchange_turn_up 2d"))


@pytest.mark.clause("BR-5.7", "ALL-8")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("agreed", ["", "true", "false"])
def test_deuce_exchange(players: int, agreed: str) -> None:
    """`deuce_exchange`: off where nothing is said; otherwise also at a table of three or four."""
    options = {"deuce_exchange": agreed} if agreed else {}
    match = table(seat("briscola", players, **options), {1: "2d 5s 6s"}, "Ad")
    codes = [] if agreed == "true" else ["exchange_not_available"]
    assert codes == match.codes(1, "exchange_turn_up 2d")
    assert (agreed == "true") == ("exchange_turn_up 2d" in match.moves(1))


@pytest.mark.clause("BR-5.7")
def test_no_exchange_where_the_two_is_turned_up() -> None:
    """BR-R21: when the Two of trumps is the turn-up, nobody has anything to exchange."""
    match = table(seat("briscola", deuce_exchange="true"), {1: "2c 5s 6s"}, "2d")
    assert 3 == len(match.moves(1))
    assert ["exchange_wrong_card"] == match.codes(1, "exchange_turn_up 2c")
    assert ["not_in_hand"] == match.codes(1, "exchange_turn_up 2d")


@pytest.mark.clause("BR-5.7", "BR-5.3")
def test_the_two_is_drawn_last() -> None:
    """After an exchange the Two is the card that is drawn last, face up."""
    match = table(seat("briscola", deuce_exchange="true"), {1: "2d 5s 6s"}, "Ad")
    match.say(1, "exchange_turn_up 2d")
    first_cards(match, 17)
    drawn = events_of(match, "card_drawn", None)
    assert [("2d",)] == [event.cards for event in drawn if event.cards]
    assert "2d" == drawn[-1].cards[0]


# ---------------------------------------------------------------------- refusals and views


@pytest.mark.clause("ALL-5", "BR-5.8")
def test_nobody_asks_for_the_hand_of_another() -> None:
    """Where there are no dummies no card can be named for another seat, whether or not it is held there."""
    match = table(seat("briscola"), EX17, "Ad")
    for card in ("5c", "3s"):
        with pytest.raises(MalformedMove):
            match.codes(0, f"play_card {card} @1")


@pytest.mark.clause("ALL-4", "BR-3.2")
def test_the_card_left_out_is_no_misspelling() -> None:
    """The Two that three players leave out is a card nobody holds, so naming it is refused and not malformed."""
    match = table(seat("briscola", 3), {1: "5c 6c 7c"}, "4d")
    assert ["not_in_hand"] == match.codes(1, "play_card 2b")


@pytest.mark.clause("ALL-6")
def test_the_next_pack_clears_the_table() -> None:
    """Dealer and leader are the coming ones; the next pack clears tricks, signals and hands shown away."""
    match = table(seat("briscola", 4, signals="free"), {})
    match.say(0, "signal A")
    first_cards(match, 7)
    match.say(0, "show_hand_to_partner")
    first_cards(match, 3)
    assert ("await_deal", {0: "A"}) == (match.p.phase, facts(match.view(2), "signal"))
    assert (1, 2) == (match.p.match_state.dealer, match.p.leader)
    match.deal(match.game.pack.cards)
    assert ((), (), ()) == (match.p.tricks, match.p.signals, match.p.shown)


# ---------------------------------------------------------------------- briscola signals


EX10 = {1: "Ac Fc 5d", 2: "5b 6b 7b", 3: "5s 6s 7s", 0: "6d 7d 4d"}
EX16 = {0: "Ac 5b 6b", 1: "5d 6d Ab", 2: "5s 6s 7s", 3: "7b 7d 4d"}


def four(hands: dict[int, str], turn_up: str = "4c", dealer: int = 0, **options: str) -> Match:
    """Deal these hands to four players."""
    return table(seat("briscola", 4, first_dealer=str(dealer), **options), hands, turn_up, dealer=dealer)


# ---------------------------------------------------------------------- signals


@pytest.mark.clause("BR-5.4", "BR-5.5")
def test_signals() -> None:
    """BR-EX10: s1 with Ac Fc may signal A and F, each once; only s3 learns of it (BR-R12); Fc played, F is gone."""
    match = four(EX10)
    signals = ["signal A", "signal F"]
    assert signals == [move for move in match.moves(1) if move.startswith("signal")]
    before = {viewer: match.view(viewer) for viewer in (0, 2, 3, None)}
    match.say(1, "signal A")
    assert ["signal F"] == [move for move in match.moves(1) if move.startswith("signal")]
    assert {1: "A"} == facts(match.view(3), "signal") == facts(match.view(1), "signal")
    assert before[3] != match.view(3)
    for viewer in (0, 2, None):
        assert before[viewer] == match.view(viewer)
        assert [] == match.events_for(viewer)
    assert [("signalled", 1, "A")] == [(event.kind, event.seat, event.word) for event in match.events_for(3)]
    match.play("1 Fc")
    assert ["not_in_hand"] == match.codes(1, "signal F")
    assert ["BR-5.4"] == match.cited(1, "signal F")


@pytest.mark.clause("BR-5.4", "BR-5.9")
@pytest.mark.parametrize(
    ("mode", "own", "other", "code"),
    [
        ("truthful", ["play_card 5b", "play_card 6b", "play_card Ac", "signal A"], [], "not_in_hand"),
        (
            "free",
            ["play_card 5b", "play_card 6b", "play_card Ac"] + [f"signal {rank}" for rank in "3ACFR"],
            [f"signal {rank}" for rank in "3ACFR"],
            "",
        ),
        ("off", ["play_card 5b", "play_card 6b", "play_card Ac"], [], "signal_not_available"),
    ],
    ids=["BR-EX16-truthful", "BR-EX16-free", "BR-EX16-off"],
)
def test_lists_with_signals(mode: str, own: list[str], other: list[str], code: str) -> None:
    """BR-EX16, `signals`: beside the cards of the seat to play, and out of turn; trump c, Fc lies face up."""
    match = four(EX16, "Fc", dealer=3, signals=mode)
    assert own == match.moves(0)
    assert other == match.moves(1)
    assert ([code] if code else []) == match.codes(1, "signal F")
    if mode == "free":
        match.say(1, "signal F")
        assert [f"signal {rank}" for rank in "3ACR"] == match.moves(1)
        assert ["signal_repeated"] == match.codes(1, "signal F")


@pytest.mark.clause("BR-5.4", "ALL-8")
def test_signals_are_truthful_unless_agreed() -> None:
    """BR-R11: where nothing is said a seat may signal only trumps it holds."""
    match = four(EX10)
    assert (["not_in_hand"], []) == (match.codes(1, "signal R"), match.codes(1, "signal A"))


@pytest.mark.clause("BR-5.4")
def test_no_true_signal_of_turn_up_or_plain_card() -> None:
    """BR-R13: nobody holds the turn-up, and a signal tells of a trump; the Ace of another suit is none."""
    match = four({1: "Ad 5s 6s"}, "Ac", signals="truthful")
    assert ["not_in_hand"] == match.codes(1, "signal A")
    assert [] == four({1: "Ad 5s 6s"}, "Ac", signals="free").codes(1, "signal A")


@pytest.mark.clause("BR-5.4", "BR-5.10")
def test_signal_of_a_played_trump() -> None:
    """BR-R14, BR-R15: of a played trump `free` lets one tell, `truthful` does not; twice nobody may."""
    for mode, codes in (("truthful", ["not_in_hand"]), ("free", [])):
        match = four(EX10, signals=mode)
        match.play("1 Ac")
        assert codes == match.codes(1, "signal A")
    events_before = four(EX10)
    events_before.say(1, "signal F")
    events_before.play("1 Fc")
    assert ["not_in_hand", "signal_repeated"] == events_before.codes(1, "signal F")


@pytest.mark.clause("BR-5.4")
def test_a_signal_may_be_given_again_in_the_next_deal() -> None:
    """BR-R15: each rank once per seat and deal; another seat may signal the same rank."""
    match = four({1: "Ac 5d 6d", 2: "3c 5b 6b"}, signals="free", rubber_games="9")
    match.say(1, "signal A")
    match.say(2, "signal A")
    assert ["signal_repeated"] == match.codes(1, "signal A")
    match.play_out()
    match.deal(match.game.pack.cards)
    assert [] == match.codes(1, "signal A")


@pytest.mark.clause("BR-5.4", "BR-5.10")
def test_signals_last_as_long_as_cards_are_held() -> None:
    """BR-R16: with the stock gone a seat may still signal; who has played the last card may not."""
    match = first_cards(four({}, signals="free"), 9)
    assert () == match.p.stock
    turn = match.game.turn(match.p)
    assert turn is not None
    match.say(turn, "signal 3")
    match.say(turn, f"play_card {match.p.hands[turn][0]}")
    assert ["signal_not_available"] == match.codes(turn, "signal A")
    assert ["signal_not_available", "signal_repeated"] == match.codes(turn, "signal 3")
    assert [] == match.codes((turn + 1) % 4, "signal A")


@pytest.mark.clause("BR-5.4", "ALL-4")
@pytest.mark.parametrize("words", ["signal", "signal 7", "signal K", "signal Ac", "signal A C", "signal a"])
def test_there_are_five_signals(words: str) -> None:
    """Ace, Three, King, Horse and Jack have a sign; anything else is malformed."""
    game = seat("briscola", 4)
    assert ("A", "3", "R", "C", "F") == game.move_specs["signal"].choices
    with pytest.raises(MalformedMove):
        parse_move(game, words)


# ---------------------------------------------------------------------- showing


@pytest.mark.clause("BR-5.6", "BR-5.9", "BR-5.10")
def test_showing_the_last_hand() -> None:
    """BR-EX11: after the seventh draw all may show; who has played to trick 8 may not any more."""
    match = first_cards(four({}, signals="off"), 7)
    leader = match.game.turn(match.p)
    assert leader is not None
    assert [[], [], [], []] == [match.codes(place, "show_hand_to_partner") for place in range(4)]
    assert ["show_hand_to_partner"] == match.moves((leader + 1) % 4)
    match.say(leader, f"play_card {match.p.hands[leader][0]}")
    assert ["show_not_available"] == match.codes(leader, "show_hand_to_partner")
    assert [[], [], []] == [match.codes((leader + place) % 4, "show_hand_to_partner") for place in (1, 2, 3)]


@pytest.mark.clause("BR-5.6", "BR-5.5", "BR-5.8")
def test_the_partner_alone_sees_the_hand_shown() -> None:
    """Partner and seat see the three cards; for the opponents nothing has changed, and the partner shows or not."""
    match = first_cards(four({}), 7)
    before = {viewer: match.view(viewer) for viewer in (0, 1, 2, 3, None)}
    match.say(1, "show_hand_to_partner")
    assert [("hand_shown", match.p.hands[1])] == [(event.kind, event.cards) for event in match.events_for(3)]
    assert match.p.hands[1] == zone(match.view(3), "hand", 1).cards
    assert () == zone(match.view(1), "hand", 3).cards
    for viewer in (0, 2, None):
        assert before[viewer] == match.view(viewer)
        assert [] == match.events_for(viewer)
    assert ["show_repeated"] == match.codes(1, "show_hand_to_partner")
    assert ["BR-5.6"] == match.cited(1, "show_hand_to_partner")
    assert [] == match.codes(3, "show_hand_to_partner")


@pytest.mark.clause("BR-5.6", "BR-5.10")
def test_no_showing_before_the_stock_is_gone() -> None:
    """BR-R17: while there is a stock nobody shows; after showing and playing a card both clauses are broken."""
    match = first_cards(four({}), 6)
    assert [["show_not_available"]] * 4 == [match.codes(place, "show_hand_to_partner") for place in range(4)]
    first_cards(match, 1)
    turn = match.game.turn(match.p)
    assert turn is not None
    match.say(turn, "show_hand_to_partner")
    match.say(turn, f"play_card {match.p.hands[turn][0]}")
    assert ["show_not_available", "show_repeated"] == match.codes(turn, "show_hand_to_partner")


@pytest.mark.clause("BR-5.6", "ALL-8")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("shows", ["", "true", "false"])
def test_show_final_hand(players: int, shows: str) -> None:
    """`show_final_hand`: on where nothing is said, without effect for two and three players (BR-R18, BR-R25)."""
    options = {"show_final_hand": shows} if shows else {}
    match = Match(seat("briscola", players, **options))
    match.deal(match.game.pack.cards)
    while match.p.stock:
        first_cards(match, 1)
    codes = [] if players == 4 and shows != "false" else ["show_not_available"]
    assert [codes] * players == [match.codes(place, "show_hand_to_partner") for place in range(players)]


@pytest.mark.clause("BR-5.5", "BR-5.9")
@pytest.mark.parametrize("signals", ["free", "truthful"])
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_signals_and_showing_change_nothing_else(signals: str, seed: str) -> None:
    """BR 8: without signals and shown hands the deal is the same, and opponents saw the same all along."""
    walk = known_walk(RuleSet("briscola", 4, (("signals", signals),)), seed, 1, 6)
    game = seat("briscola", 4, signals=signals)
    silent = Match(game)
    spoken = 0
    for step in walk.steps:
        if step.move.verb in ("signal", "show_hand_to_partner"):
            spoken += 1
            for viewer in ((step.actor + 1) % 4, (step.actor + 3) % 4, None):
                assert view_for(game, step.before, viewer) == view_for(game, step.after, viewer)
        else:
            silent.move(step.actor, step.move)
        assert (step.after.hands, step.after.stock, step.after.tricks) == (
            silent.p.hands,
            silent.p.stock,
            silent.p.tricks,
        )
        assert cards_of(game, step.after) == cards_of(game, silent.p)
    assert spoken > 0
    assert silent.p.match_state == walk.positions[-1].match_state


def cards_of(game: TrickGame, p: Table) -> list[list[Move]]:
    """The cards each seat may play."""
    return [[move for move in legal_moves(game, p, place) if move.verb == "play_card"] for place in range(game.seats)]
