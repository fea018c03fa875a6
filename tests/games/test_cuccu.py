"""Cuccu a trionfo: seats, cards, the cut, robbing, the turn-up and laying aside, and worked examples."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import pytest

from chitarrella.core.model import REFEREE
from chitarrella.core.notation import parse_move
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, taker, worth, zone
from tests.games.support.trionfo_tables import (
    CUT_ALREADY,
    agreed,
    answer,
    checks,
    complete_deals,
    cut_pack,
    game,
    in_play,
    perform,
    play_at_random,
    play_for,
    playable,
    points_of,
    rob,
    robbing,
    side,
)

NUMBERS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
PICTURES = ["MAT", "LEO", "MAS", "SEC", "NUL", "XI", "XII", "XIII", "XIV", "XV"]


@pytest.mark.clause("CT-2", "CT-4", "CT-5", "ALL-2")
def test_cards() -> None:
    """Two suits of ten faces, each twice; numbers count 110 and pictures 130, and the zero cards nothing (CT-R26)."""
    table = game()
    assert dict.fromkeys(NUMBERS + PICTURES, 2) == Counter(map(str, table.pack.cards))
    assert dict.fromkeys(NUMBERS, "numbers") | dict.fromkeys(PICTURES, "pictures") == table.cards.suit
    worth = [*range(1, 11), 0, 0, 0, 0, 0, *range(11, 16)]
    for face, value in zip(NUMBERS + PICTURES, worth, strict=True):
        assert (("card_points", value),) == table.cards.count((table.pack.card(face),))
    for faces, total in ((NUMBERS, 110), (PICTURES, 130)):
        assert (("card_points", total),) == table.cards.count(table.pack.hand(faces * 2))


@pytest.mark.clause("CT-1", "ALL-1")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_places(dealer: int) -> None:
    """Four seats (CT-R28); the seat before the dealer cuts and robs, an opponent of his, and the one after leads."""
    match = Match(game(dealer))
    assert ((0, 1, 0, 1), [4]) == (match.game.sides, list(match.game.seatings))
    match.deal(match.game.pack.cards)
    cutter = (dealer + 3) % 4
    assert match.game.sides[cutter] != match.game.sides[dealer]
    for phase, place, move in (
        ("cut", cutter, "cut 20"),
        ("cutter_rob", cutter, "rob_pass"),
        ("dealer_rob", dealer, "rob_pass"),
        ("play", (dealer + 1) % 4, ""),
    ):
        assert (phase, place) == (match.p.phase, match.game.turn(match.p))
        if move:
            match.say(place, move)


# ---------------------------------------------------------------------- the cut


@pytest.mark.clause("CT-6", "CT-9")
@pytest.mark.parametrize("lifted", [1, 2, 20, 39])
def test_the_cut(lifted: int) -> None:
    """CT-E3, CT-R1, CT-R3: what is lifted goes under the rest; its bottom card is the pack's, and its height public."""
    match = Match(game())
    pack = match.game.pack.cards
    match.deal(pack)
    match.say(3, f"cut {lifted}")
    assert pack[lifted:] + pack[:lifted] == match.p.stock
    assert {None: lifted} == facts(match.view(None), "lifted")
    assert [("pack_cut", 3, lifted, ())] == [
        (event.kind, event.seat, event.amount, event.cards) for event in match.last
    ]


@pytest.mark.clause("CT-9", "CT-11")
def test_the_lifted_packet_is_used_up() -> None:
    """CT-E3, CT-R2, CT-R32: of three lifted cards the cutter may rob three; then the deal begins with the fourth."""
    match = robbing(game(rob_limit="6"), "X XIV XV")
    fourth = match.p.stock[0]
    rob(match, 3, "rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(X), rob_take")
    assert "dealer_rob" == match.p.phase
    assert fourth == match.p.hands[1][0]


@pytest.mark.clause("CT-9", "CT-11")
def test_a_pack_that_comes_cut() -> None:
    """`cut_mode`: nobody cuts; the pack is taken as it is, and the whole of it counts as lifted."""
    match = Match(game(**CUT_ALREADY))
    match.deal(match.game.pack.cards)
    assert ("cutter_rob", match.game.pack.cards) == (match.p.phase, match.p.stock)
    assert {None: 40} == facts(match.view(None), "lifted")


# ---------------------------------------------------------------------- turn-up and trionfo


@pytest.mark.clause("CT-18", "CT-16")
@pytest.mark.parametrize("moves", ["rob_look(XIV), rob_leave", "rob_pass"])
def test_a_robbable_card_is_turned_up(moves: str) -> None:
    """CT-E5: a card that the dealer leaves, or does not look at, is turned up, and lies apart for everybody to see."""
    match = robbing(game(), "II", "XIV", {1: "XIV"})
    rob(rob(match, 3, "rob_pass"), 0, moves)
    assert ("play", ("XIV",)) == (match.p.phase, zone(match.view(None), "turn_up").cards)
    assert "play_card XIV numbers" in match.moves(1)


@pytest.mark.clause("CT-19", "CT-21")
@pytest.mark.parametrize("laid", ["VII", "MAT"])
def test_missing_trionfo_is_no_event(laid: str) -> None:
    """CT-R10, CT-R23: whether the trionfo or another card was laid aside, the others get the same views and events."""
    match = robbing(game(), "II X", "VII", {3: "VII MAT"})
    rob(rob(match, 3, "rob_look(X), rob_take, rob_pass"), 0, "rob_pass")
    match.say(3, f"discard {laid}")
    for viewer in (None, 0, 1, 2):
        view = match.view(viewer)
        assert ((), 1) == (zone(view, "discards", 3).cards, zone(view, "discards", 3).size)
        assert laid not in " ".join(f"{event.cards} {event.word}" for event in match.events_for(viewer))
    assert (laid,) == zone(match.view(3), "discards", 3).cards


# ---------------------------------------------------------------------- laying aside


@pytest.mark.clause("CT-20", "CT-31")
def test_any_two_cards_may_be_laid_aside() -> None:
    """CT-E7, CT-R9, CT-R10, CT-R11: any two cards of the ten, in any order, the trionfo too; no other number."""
    match = robbing(game(), "XII XIV X", "VII", {3: "VI VI II MAT NUL XI XII VII"})
    rob(rob(match, 3, "rob_look(X), rob_take, rob_look(XIV), rob_take, rob_look(XII), rob_leave"), 0, "rob_pass")
    assert Counter(["X", "XIV", "VI", "VI", "II", "MAT", "NUL", "XI", "XII", "VII"]) == Counter(match.p.hands[3])
    assert (
        [] == match.codes(3, "discard MAT II") == match.codes(3, "discard II MAT") == match.codes(3, "discard VII MAT")
    )
    assert ["wrong_discard_count"] == match.codes(3, "discard MAT") == match.codes(3, "discard II MAT NUL")
    assert ["not_in_hand"] == match.codes(3, "discard MAT MAT")
    assert ["wrong_discard_count", "not_in_hand"] == match.codes(3, "discard V")
    assert parse_move(match.game, "discard MAT II") == parse_move(match.game, "discard II MAT")
    faces = set(match.p.hands[3])
    assert comb(len(faces), 2) + 1 == len(match.moves(3))
    match.say(3, "discard II MAT")
    assert ("play", 8) == (match.p.phase, len(match.p.hands[3]))


@pytest.mark.clause("CT-20")
def test_every_choice_stands_in_the_list_once() -> None:
    """CT-R39: after six robbed cards the list holds every multiset of six once."""
    match = robbing(game(preset="masenghini"), "IX X X XIV XIV XV XV", "V", {3: "I II III IV IV VI VI VII"})
    rob(match, 3, ", ".join(f"rob_look({card}), rob_take" for card in ("XV", "XV", "XIV", "XIV", "X", "X")))
    rob(rob(match, 3, "rob_pass"), 0, "rob_pass")
    every = {tuple(sorted(cards)) for cards in combinations(match.p.hands[3], 6)}
    assert len(every) == len(match.moves(3)) <= 1201


@pytest.mark.clause("CT-20", "CT-21")
def test_the_cutter_lays_aside_before_the_dealer() -> None:
    """CT-R9: first the cutter, then the dealer, each as many as he has robbed; then the play begins."""
    match = robbing(game(), "II X", "XV VII")
    rob(rob(match, 3, "rob_look(X), rob_take, rob_pass"), 0, "rob_look(XV), rob_take, rob_pass")
    for place in (3, 0):
        assert ("discard", place) == (match.p.phase, match.game.turn(match.p))
        match.say(place, match.moves(place)[0])
    assert ("play", {8}) == (match.p.phase, {len(hand) for hand in match.p.hands})
    assert [(3, 1), (0, 1)] == [(event.seat, len(event.cards)) for event in events_of(match, "discarded")]


@pytest.mark.clause("CT-8", "CT-37", "CT-21")
def test_eight_cards_are_out_of_play() -> None:
    """CT-R24, CT-R37: turn-up, stock and what was laid aside count for nobody; if all are zeros 240 are in play."""
    zeros = "NUL NUL SEC SEC MAS MAS LEO"
    pack = cut_pack(game(**CUT_ALREADY), "", f"{zeros} LEO")
    match = Match(game(**CUT_ALREADY))
    match.deal(pack)
    rob(rob(match, 3, "rob_pass"), 0, "rob_pass")
    assert ("NUL", [*zeros.split()[1:], "LEO"]) == (match.p.turn_up, list(match.p.stock))
    match.play_out()
    assert 240 == sum(match.game.points(match.p))


@pytest.mark.clause("CT-7", "CT-38")
def test_the_deal_goes_round() -> None:
    """The next seat deals after every deal; after the last one the dealer stays who he was."""
    match = Match(game(2, match_deals="3"))
    for dealer in (2, 3, 0):
        assert ("await_deal", dealer) == (match.p.phase, match.p.match_state.dealer)
        play_at_random(match, Random(dealer))
    assert ("match_over", 0) == (match.p.phase, match.p.match_state.dealer)


@pytest.mark.clause("CT-19", "CT-33")
def test_the_trionfo_is_the_twin_of_the_turn_up() -> None:
    """CT-R22: the other copy of the turn-up takes the trick and counts what its face does."""
    match = perform(in_play(game(), "I", {0: "I", 1: "XV", 2: "XV", 3: "XIV"}, leader=1), "1 XV, 2 XV, 3 XIV, 0 I")
    assert (0, 45) == (match.p.tricks[-1].winner, match.game.cards.count(match.p.tricks[-1].cards)[0][1])


# ---------------------------------------------------------------------- cuccu examples


def each(blocks: list[Block]) -> pytest.MarkDecorator:
    """Run a test over these blocks."""
    assert blocks
    return pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in blocks])


@pytest.mark.clause("CT-4", "CT-35", "CT-37")
@each(checks("pile"))
def test_cards_taken(block: Block) -> None:
    """CT-E1: what cards count; the whole pack 240."""
    said = block.words()
    table = game()
    assert int(said["points"]) == worth(table, table.pack.hand(said["pile"].split()))


@pytest.mark.clause("CT-33", "CT-34", "CT-35", "CT-3", "CT-27")
@each(checks("trick"))
def test_winner_of_a_trick(block: Block) -> None:
    """Who takes a trick and what it counts: the trionfo, else the highest of the suit led, of equals the first."""
    said = block.words()
    plays = [words.split() for words in said["trick"].split(", ")]
    hands = {int(place): card.partition("=")[0] for place, card in plays}
    match = perform(in_play(game(**agreed(said)), said["turn_up"], hands, leader=int(plays[0][0])), said["trick"])
    trick = match.p.tricks[-1]
    assert (int(said["winner"]), int(said["points"])) == (trick.winner, worth(match.game, trick.cards))


@pytest.mark.clause("CT-23", "CT-24", "CT-25", "CT-26", "CT-27", "CT-28", "CT-29")
@each(checks("legal"))
def test_playable_cards(block: Block) -> None:
    """Which cards may be led or played, a led trionfo with either suit; every other card of the hand is refused."""
    said = block.words()
    trick = "" if said["trick"] == "-" else said["trick"]
    turn = (int(trick[0]) + len(trick.split(", "))) % 4 if trick else 0
    match = in_play(game(**agreed(said)), said["turn_up"], {turn: said["hand"]}, trick)
    assert sorted(said["legal"].split()) == playable(match, turn)
    for card in set(said["hand"].split()) - {card.partition("=")[0] for card in said["legal"].split()}:
        (code,) = answer(match, turn, card)
        led = match.game.cards.suit[match.p.trick[0]] if trick and "=" not in trick else trick.partition("=")[2]
        follows = led == match.game.cards.suit[match.game.pack.card(card)]
        assert (code == "must_follow_suit") == (bool(trick) and not follows)
        assert (code == "zero_card_lead") == (not trick)


@pytest.mark.clause("CT-36")
@each(checks("score"))
def test_result_of_a_count(block: Block) -> None:
    """CT-E19: more points win the deal; where they are level nobody does (CT-R29)."""
    said = block.words()
    points = [int(number) for number in said["points"].split()]
    assert 240 == sum(points) + int(said["out"])
    table = game()
    result = "draw" if points[0] == points[1] else said["result"]
    assert side(result) == table.deal_scoring.winner(table, table.start(), tuple((one,) for one in points))
    assert side(said["result"]) == side(result)


@pytest.mark.clause("CT-3", "CT-34")
@each(checks("order"))
def test_whole_order(block: Block) -> None:
    """CT-E25: of two faces the one further right takes the trick, whichever is played first (CT-R26)."""
    said = block.words()
    table = game()
    cards = table.pack.hand(said["order"].split())
    assert {said["suit"]} == {table.cards.suit[card] for card in cards}
    for low, high in combinations(cards, 2):
        assert (1, 0) == (
            taker(table, (low, high)),
            taker(table, (high, low)),
        )


@pytest.mark.clause("CT-5", "CT-12")
@each(checks("robbable"))
def test_robbable_faces(block: Block) -> None:
    """CT-E26: after a look at a robbable face it may be taken or left, after a look at any other only left."""
    said = block.words()
    for face in said["faces"].split():
        match = robbing(game(), face)
        match.say(3, "rob_look")
        taken = ["rob_leave", "rob_take"] if face in said["robbable"].split() else ["rob_leave"]
        assert taken == match.moves(3)


@pytest.mark.clause("CT-10", "CT-11", "CT-12", "CT-13", "CT-16", "CT-18")
@each(checks("robbing"))
def test_limits_of_robbing(block: Block) -> None:
    """CT-E28: who robs what, how many everybody knows of, which are shown, and the card that is turned up."""
    said = block.words()
    dealer = int(said["dealer"])
    match = robbing(game(dealer, **agreed(said)), said["lifted packet"], said["stock top"])
    for who in ("cutter", "dealer"):
        (name,) = [name for name in said if name.startswith(f"{who} ")]
        rob(match, int(name.split()[1]), said[name])
    view = match.view(None)
    counted = {str(place): str(number) for place, number in facts(view, "robbed").items() if number}
    assert dict(part.split() for part in said["robbed"].split(", ") if part != "none") == counted
    shown = {str(place): card for place, card in facts(view, "robbed_card").items()}
    assert dict(part.split() for part in said["shown"].split(", ") if part != "nothing") == shown
    assert said["turn_up"] == match.p.turn_up
    assert match.p.phase in ("discard", "play")


@pytest.mark.clause("CT-38")
@each(checks("match"))
def test_length_of_a_match(block: Block) -> None:
    """CT-E29: draws count as deals, but not towards the wins wanted; with a target the deals are not looked at."""
    said = block.words()
    match = Match(game(**agreed(said)))
    for words in said["deals"].split(", "):
        assert "await_deal" == match.p.phase
        play_for(match, side(words))
    winner = side(said["match"])
    expected: frozenset[int] = frozenset() if winner is None else frozenset({winner, winner + 2})
    assert ("match_over", expected) == (match.p.phase, match.game.outcome(match.p))


TRICK = re.compile(r"(.*) -> (\d) \((\d+)\)")


@pytest.mark.clause(
    "CT-1", "CT-6", "CT-8", "CT-9", "CT-14", "CT-15", "CT-18", "CT-19", "CT-20", "CT-22", "CT-30", "CT-37"
)
@each(complete_deals())
def test_complete_deal(block: Block) -> None:
    """CT-E20 to 22 and 30: cut, robbing, hands, turn-up, discards, every trick, points, and the result."""
    said = block.words()
    dealer = int(said["dealer"])
    match = Match(game(dealer, **agreed(said)))
    match.deal(match.game.pack.hand(said["pack"].split()))
    cutter = (dealer - 1) % 4
    if "cut" in said:
        by, lifted = said["cut"].split(" at ")
        assert int(by) == cutter
        match.say(cutter, f"cut {lifted}")
    rob(match, cutter, said[f"cutter {cutter}"])
    dealt = {event.seat: " ".join(event.cards) for event in events_of(match, "dealt")}
    assert {place: said[f"dealt {place}"] for place in range(4)} == dealt
    rob(match, dealer, said[f"dealer {dealer}"])
    assert said["turn_up"] == match.p.turn_up
    for place in (cutter, dealer):
        match.say(place, f"discard {said[f'discard {place}']}")
    assert said["stock left"] == " ".join(match.p.stock)
    face, _, whose = said["trionfo"].partition(", ")
    holders = [f"seat {place}" for place, hand in enumerate(match.p.hands) if face in hand]
    assert [whose] == (holders or ["none in play"])
    for number in range(1, 9):
        found = TRICK.fullmatch(said[f"trick {number}"])
        assert found
        trick = perform(match, found[1]).p.tricks[-1]
        assert (number, int(found[2])) == (len(match.p.tricks), trick.winner)
        assert int(found[3]) == worth(match.game, trick.cards)
    _check_result(match, said)


def _check_result(match: Match, said: dict[str, str]) -> None:
    """Check the end of a complete deal against what was said of it."""
    points = [int(number) for number in re.findall(r"side \d (\d+)", said["points"])]
    assert points == [count[0] for count in points_of(match)]
    assert 240 - sum(points) == int(said["points"].split()[-1])
    winner = side(said["result"])
    assert tuple(1 if place % 2 == winner else -1 for place in range(4)) == match.game.scores(match.p)
    assert [winner, (winner or 0) + 2] == [event.seat for event in events_of(match, "deal_won")]
    assert ("await_deal", (int(said["dealer"]) + 1) % 4) == (match.p.phase, match.p.match_state.dealer)
    counts = facts(match.view(REFEREE), "card_points")
    assert points == [int(counts[one]) + int(counts[one + 2]) for one in (0, 1)]


# ---------------------------------------------------------------------- cuccu robbing


@pytest.mark.clause("CT-11", "CT-13")
def test_three_cards_and_no_look_at_the_fourth() -> None:
    """CT-E4, CT-R7: after three cards robbing is over, and the fourth is neither seen nor taken."""
    match = robbing(game(), "VII X XIV XV X")
    rob(match, 3, "rob_look(X), rob_take, rob_look(XV), rob_take, rob_look(XIV), rob_take")
    assert "dealer_rob" == match.p.phase
    assert ["X", "VII"] == [match.p.stock[-1], match.p.stock[-2]]
    assert not facts(match.view(3), "looked_at")


@pytest.mark.clause("CT-11", "CT-12", "CT-20")
def test_without_a_limit() -> None:
    """CT-E4, CT-R31: by the leaflet the fourth may be taken, then the VII seen, which must be left; four go aside."""
    match = robbing(game(preset="masenghini"), "VII X XIV XV X")
    rob(match, 3, "rob_look(X), rob_take, rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(X), rob_take")
    rob(match, 3, "rob_look(VII)")
    assert ["rob_leave"] == match.moves(3)
    rob(match, 3, "rob_leave")
    rob(match, 0, "rob_pass")
    assert {12, 8} == {len(hand) for hand in match.p.hands}
    assert {4} == {len(move.split()) - 1 for move in match.moves(3)}


@pytest.mark.clause("CT-12", "CT-31", "CT-32")
def test_worthless_trionfo_hand() -> None:
    """CT-E6, CT-R5: after a VII there is only leaving, which must be said; taking is refused."""
    match = robbing(game(), "VII")
    rob(match, 3, "rob_look(VII)")
    assert (["rob_leave"], ["not_robbable"]) == (match.moves(3), match.codes(3, "rob_take"))
    rob(match, 3, "rob_leave")
    assert "dealer_rob" == match.p.phase


@pytest.mark.clause("CT-12", "CT-13")
def test_looking_and_taking_are_free() -> None:
    """CT-R4, CT-R34: a robber need not look, nor take what he may; a card that he leaves ends his robbing."""
    match = robbing(game(), "XIV XV", "X XV")
    assert ["rob_look", "rob_pass"] == match.moves(3)
    rob(match, 3, "rob_look(XV), rob_leave")
    assert ("dealer_rob", ["rob_look", "rob_pass"]) == (match.p.phase, match.moves(0))
    rob(match, 0, "rob_look(X), rob_take, rob_pass")
    assert ("discard", "XV") == (match.p.phase, match.p.turn_up)


@pytest.mark.clause("CT-10", "CT-14", "CT-16")
def test_the_dealer_knows_his_hand_and_the_cutter_does_not() -> None:
    """CT-R8: the cutter robs before anybody has a card; his robbed cards lie before him until the deal."""
    match = robbing(game(), "II XV", "X")
    rob(match, 3, "rob_look(XV), rob_take")
    assert [0, 0, 0, 0] == [len(hand) for hand in match.p.hands]
    assert ("XV",) == zone(match.view(3), "robbed", 3).cards
    rob(match, 3, "rob_look(II), rob_leave")
    assert [8, 8, 8, 9] == [len(hand) for hand in match.p.hands]
    assert match.p.hands[0] == zone(match.view(0), "hand", 0).cards
    rob(match, 0, "rob_look(X), rob_take")
    assert "X" == match.p.hands[0][-1]


@pytest.mark.clause("CT-14")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_packets_of_four(dealer: int) -> None:
    """Packet i goes to seat dealer + 1 + i; eight cards are left, less the robbed ones."""
    match = Match(game(dealer, **CUT_ALREADY))
    match.deal(match.game.pack.cards)
    match.say((dealer - 1) % 4, "rob_pass")
    for packet in range(8):
        at = 4 * (packet // 4)
        cards = match.game.pack.cards[4 * packet : 4 * packet + 4]
        assert cards == match.p.hands[(dealer + 1 + packet) % 4][at : at + 4]
    assert match.game.pack.cards[32:] == match.p.stock


@pytest.mark.clause("CT-15", "CT-17")
def test_a_left_card_is_the_bottom_of_the_stock() -> None:
    """CT-R25, CT-R33, CT-R36: six robbed cards leave two: the dealer may look at one, which is turned up."""
    match = robbing(game(preset="masenghini"), "IX X X XIV XIV XV XV", "V")
    rob(match, 3, "rob_look(XV), rob_take, rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(XIV), rob_take")
    rob(match, 3, "rob_look(X), rob_take, rob_look(X), rob_take, rob_look(IX), rob_leave")
    assert ("V", "IX") == match.p.stock
    rob(match, 0, "rob_look(V)")
    assert ["rob_leave"] == match.moves(0)
    rob(match, 0, "rob_leave")
    assert ("V", "IX") == (match.p.turn_up, " ".join(match.p.stock))
    assert {3: "IX"} == facts(match.view(3), "looked_at")


@pytest.mark.clause("CT-16", "CT-11")
def test_the_limit_counts_for_each_robber() -> None:
    """After three cards of the cutter the dealer may take three; a robbed card is never put back (CT-R35)."""
    match = robbing(game(), "X XIV XV", "XV X XIV")
    rob(match, 3, "rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(X), rob_take")
    rob(match, 0, "rob_look(XV), rob_take, rob_look(X), rob_take, rob_look(XIV), rob_take")
    assert ("discard", {0: 3, 3: 3}) == (match.p.phase, facts(match.view(None), "robbed"))
    assert 1 == len(match.p.stock)
