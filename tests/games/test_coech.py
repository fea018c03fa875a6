"""Cöch: seats, cards, deal, following, matches and refusals (clauses CO; the examples are in test_coech_examples)."""

from __future__ import annotations

from collections import Counter

import pytest

from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import CHANCE
from chitarrella.core.notation import MalformedMove, parse_move
from tests.games.support.table import Match, closing, events_of, facts, seat, table, zone

E13 = {1: "I II V X XI XII XV NUL SEC MAT", 2: "IV VI XI XII XIII XIV MAT MAS SEC NUL"}
NUMBERS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
PICTURES = ["MAT", "MAS", "SEC", "NUL", "XI", "XII", "XIII", "XIV", "XV", "LEO"]
HALF_POINTS = dict(zip(NUMBERS + PICTURES, "00001111120000222222", strict=True))
UNITS = dict(zip(NUMBERS + PICTURES, "12340123400000123456", strict=True))
"""What each face counts, face by face (CO-8)."""


def deal_table(players: int = 4, dealer: int = 0, **options: str) -> Match:
    """Deal an unshuffled pack."""
    match = Match(seat("coech", players, first_dealer=str(dealer), **options))
    match.deal(match.game.pack.cards)
    return match


# ---------------------------------------------------------------------- seats and cards


@pytest.mark.clause("CO-1", "CO-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_always_four_seats(players: int) -> None:
    """Four seats, two sides crosswise; the next in order sits at the right hand, the partner opposite (CO-R24)."""
    game = seat("coech", players)
    assert (4, (0, 1, 0, 1)) == (game.seats, game.sides)
    match = closing(game, {0: "I", 1: "II", 2: "III", 3: "IV"}, leader=1)
    for place in (1, 2, 3, 0):
        assert place == match.game.turn(match.p)
        assert {place, (place + 2) % 4} == {other for other in range(4) if game.sides[other] == game.sides[place]}
        match.play(f"{place} {match.p.hands[place][0]}")


@pytest.mark.clause("CO-4", "CO-7", "ALL-2")
def test_two_suits_of_twenty_cards() -> None:
    """Numbers and pictures, ten faces each, every face twice (CO-R1)."""
    game = seat("coech", 4)
    assert dict.fromkeys(NUMBERS + PICTURES, 2) == Counter(map(str, game.pack.cards))
    assert {"numbers": 20, "pictures": 20} == Counter(game.suit[card] for card in game.pack.cards)
    assert dict.fromkeys(NUMBERS, "numbers") | dict.fromkeys(PICTURES, "pictures") == game.suit


@pytest.mark.clause("CO-8")
@pytest.mark.parametrize("face", NUMBERS + PICTURES)
def test_worth_of_each_face(face: str) -> None:
    """Half-points and units from the table, never from the letters printed: IV has no V, IX no X (CO-R2)."""
    game = seat("coech", 4)
    worth = {"half_points": int(HALF_POINTS[face]), "units": int(UNITS[face])}
    assert worth == dict(game.count((game.pack.card(face),)))


@pytest.mark.clause("CO-7", "ALL-3")
def test_the_copies_of_a_face_are_one_move() -> None:
    """Who holds both copies of a face has one move for them, and after it one copy is left."""
    match = closing(seat("coech", 4), {0: "X X I"}, leader=0)
    assert ["play_card I", "play_card X"] == match.moves(0)
    match.play("0 X")
    assert "I X" == match.hand(0)


@pytest.mark.clause("CO-10", "CO-19")
def test_there_is_no_other_move() -> None:
    """No cut, no bidding, passing, conceding or claiming: a pack and cards, and the lot before them (CO-R9)."""
    assert {"start_deal", "play_card"} == set(seat("coech", 4, first_dealer="0").move_specs)
    assert {"start_deal", "play_card", "draw_dealer"} == set(seat("coech", 4).move_specs)
    for words in ("cut 3", "pass_bid", "concede", "claim_777", "call_card X", "exchange_turn_up I", "signal A"):
        with pytest.raises(MalformedMove):
            parse_move(seat("coech", 4), words)


@pytest.mark.clause("CO-11")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_packets_of_five(dealer: int) -> None:
    """Packet i goes to seat dealer + 1 + i; nothing is left over."""
    match = deal_table(dealer=dealer)
    for packet in range(8):
        at = 5 * (packet // 4)
        cards = match.game.pack.cards[5 * packet : 5 * packet + 5]
        assert cards == match.p.hands[(dealer + 1 + packet) % 4][at : at + 5]
    assert () == match.p.stock


# ---------------------------------------------------------------------- playing


@pytest.mark.clause("CO-14", "CO-16", "CO-24")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_leading(dealer: int) -> None:
    """The seat after the dealer leads any card; then the winner of each trick leads any card."""
    match = deal_table(dealer=dealer)
    leader = (dealer + 1) % 4
    while match.p.phase == "play":
        assert leader == match.game.turn(match.p)
        assert sorted({f"play_card {card}" for card in match.p.hands[leader]}) == match.moves(leader)
        match.say(leader, match.moves(leader)[0])
        for place in (1, 2, 3):
            turn = (leader + place) % 4
            assert turn == match.game.turn(match.p)
            match.say(turn, match.moves(turn)[0])
        leader = match.p.tricks[-1].winner


@pytest.mark.clause("CO-17")
def test_no_duty_to_beat_or_to_give() -> None:
    """Whoever follows may play high or low, and whoever is void any card (CO-R4)."""
    match = closing(seat("coech", 4), {0: "I X II", 1: "MAT LEO XI"}, "3 IX")
    assert ["play_card I", "play_card II", "play_card X"] == match.moves(0)
    match.play("0 I")
    assert ["play_card LEO", "play_card MAT", "play_card XI"] == match.moves(1)


@pytest.mark.clause("CO-23", "CO-7")
@pytest.mark.parametrize("order", ["0 VII, 1 X, 2 VII, 3 I", "0 VII, 1 VII, 2 I, 3 X", "0 X, 1 VII, 2 VII, 3 I"])
def test_equal_cards_below_the_highest_do_not_matter(order: str) -> None:
    """CO-R3: only the highest card is asked which copy came first; equal cards below it change nothing."""
    hands = {int(place): card for place, card in (words.split() for words in order.split(", "))}
    match = closing(seat("coech", 4), hands, leader=0)
    match.play(order)
    assert "X" == hands[match.p.tricks[-1].winner]


@pytest.mark.clause("CO-18", "ALL-3", "ALL-9")
def test_ten_tricks_and_every_card_is_a_move() -> None:
    """Forced cards are played too, and a decided deal runs to its tenth trick: forty moves (CO-R19)."""
    match = deal_table()
    moves = 0
    while match.p.phase == "play":
        turn = match.game.turn(match.p)
        assert turn is not None
        if len(match.p.tricks) == 9:
            assert 1 == len(match.moves(turn))
        match.say(turn, match.moves(turn)[0])
        moves += 1
    assert (40, 10) == (moves, len(match.p.tricks))


@pytest.mark.clause("CO-24", "CO-8")
def test_the_last_trick_bears_no_bonus() -> None:
    """Ten tricks hold 38 half-points and 82 units, the last one and all ten of one side no more (CO-R22)."""
    match = deal_table()
    match.play_out()
    for name, total in (("half_points", 38), ("units", 82)):
        assert total == sum(int(count) for count in facts(match.view(None), name).values())


@pytest.mark.clause("CO-24", "CO-1")
def test_the_side_takes_the_trick() -> None:
    """The winner's side takes the four cards: partners' tricks are counted together."""
    match = closing(seat("coech", 4), {0: "I", 1: "II", 2: "X", 3: "III"}, leader=0)
    before = match.game.deal_scoring.by_side(match.game, match.p)
    match.play("0 I, 1 II, 2 X, 3 III")
    after = match.game.deal_scoring.by_side(match.game, match.p)
    assert ((2, 6), (0, 0)) == tuple(
        tuple(now - then for now, then in zip(*counts, strict=True)) for counts in zip(after, before, strict=True)
    )


# ---------------------------------------------------------------------- refusals


@pytest.mark.clause("CO-15", "CO-17", "CO-20")
def test_refusals() -> None:
    """CO-E13: not its turn, a card not held, a suit not followed; each cites its clause, nothing changes (CO-R20)."""
    match = table(seat("coech", 4, first_dealer="0"), E13)
    assert (["not_your_turn"], ["CO-15"]) == (match.codes(2, "play_card IV"), match.cited(2, "play_card IV"))
    assert (["not_in_hand"], ["CO-15"]) == (match.codes(1, "play_card LEO"), match.cited(1, "play_card LEO"))
    assert ["not_your_turn", "not_in_hand"] == match.codes(2, "play_card LEO")
    match.play("1 V")
    assert (["must_follow_suit"], ["CO-17"]) == (match.codes(2, "play_card XIV"), match.cited(2, "play_card XIV"))
    (refusal,) = match.refusals(2, "play_card XIV")
    assert ("numbers", ("IV", "VI"), ("XIV",)) == (refusal.word, refusal.allowed_cards, refusal.offending_cards)
    assert ["not_in_hand"] == match.codes(2, "play_card LEO")
    assert [] == match.codes(2, "play_card VI")
    match.play("2 VI")


@pytest.mark.clause("ALL-4", "CO-20")
@pytest.mark.parametrize("words", ["play_card XVI", "play_card IIII", "play_card x", "play_card", "play_card I @4"])
def test_malformed(words: str) -> None:
    """A word that is no face, and a seat that is not there, name nothing of the game."""
    with pytest.raises((MalformedMove, UnknownCard)):
        parse_move(seat("coech", 4), words)


@pytest.mark.clause("ALL-5", "CO-21", "CO-15")
def test_nobody_plays_for_another_seat() -> None:
    """At a table of four each plays his own seat; naming another's card tells nothing of that hand."""
    match = table(seat("coech", 4, first_dealer="0"), E13)
    assert ["not_your_turn"] == match.codes(3, "play_card I @1") == match.codes(3, "play_card LEO @1")
    assert match.refusals(3, "play_card I @1") == match.refusals(3, "play_card LEO @1")


@pytest.mark.clause("ALL-2")
def test_a_pack_that_is_none() -> None:
    """A card missing, a card three times, or a single copy of a face: the pack is refused."""
    match = Match(seat("coech", 4, first_dealer="0"))
    cards = list(match.game.pack.cards)
    for wrong in (cards[1:], [*cards, cards[0]], [cards[2], *cards[1:]], cards[::2]):
        assert ["bad_pack"] == match.codes(CHANCE, f"start_deal {' '.join(wrong)}")
    assert ["ALL-2"] == match.cited(CHANCE, f"start_deal {' '.join(cards[1:])}")
    assert [] == match.codes(CHANCE, f"start_deal {' '.join(reversed(cards))}")


@pytest.mark.clause("CO-5", "ALL-8")
@pytest.mark.parametrize(("rank", "winner"), [("", 1), ("lowest", 1), ("above_nulla", 0)])
def test_matto_rank(rank: str, winner: int) -> None:
    """`matto_rank`: the Matto is the lowest picture where nothing is said, by agreement above the Nulla (CO-R21)."""
    options = {"matto_rank": rank} if rank else {}
    match = closing(seat("coech", 4, **options), {0: "MAT", 1: "NUL", 2: "SEC", 3: "MAS"}, leader=0)
    match.play("0 MAT, 1 NUL, 2 SEC, 3 MAS")
    assert winner == match.p.tricks[-1].winner


@pytest.mark.clause("CO-21", "ALL-5")
def test_partners_see_nothing() -> None:
    """At a table of four every hand is seen by its own seat alone; all see tricks, sizes and what they count."""
    match = deal_table()
    for _ in range(6):
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, match.moves(turn)[0])
    for viewer in (None, 0, 1, 2, 3):
        view = match.view(viewer)
        for place in range(4):
            hand = zone(view, "hand", place)
            assert (match.p.hands[place] if viewer == place else ()) == hand.cards
            assert len(match.p.hands[place]) == hand.size
        assert match.p.trick == zone(view, "trick").cards
        assert {None: 0} == facts(view, "dealer")
        assert {viewer} - {None} == {event.seat for event in events_of(match, "dealt", viewer) if event.cards}
