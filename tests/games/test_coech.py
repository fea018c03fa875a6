"""Cöch: seats, cards, deal, following, matches and refusals (clauses CO; the examples are in test_coech_examples)."""

from __future__ import annotations

from collections import Counter

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.options import InvalidOption
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.coech_deals import play_all
from tests.games.support.table import Match, closing, events_of, facts, seat, table, zone
from tests.walks import Walk, known_walk, name

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
    assert {"numbers": 20, "pictures": 20} == Counter(game.cards.suit[card] for card in game.pack.cards)
    assert dict.fromkeys(NUMBERS, "numbers") | dict.fromkeys(PICTURES, "pictures") == game.cards.suit


@pytest.mark.clause("CO-8")
@pytest.mark.parametrize("face", NUMBERS + PICTURES)
def test_worth_of_each_face(face: str) -> None:
    """Half-points and units from the table, never from the letters printed: IV has no V, IX no X (CO-R2)."""
    game = seat("coech", 4)
    worth = {"half_points": int(HALF_POINTS[face]), "units": int(UNITS[face])}
    assert worth == dict(game.cards.count((game.pack.card(face),)))


@pytest.mark.clause("CO-7", "ALL-3")
def test_the_copies_of_a_face_are_one_move() -> None:
    """Who holds both copies of a face has one move for them, and after it one copy is left."""
    match = closing(seat("coech", 4), {0: "X X I"}, leader=0)
    assert ["play_card I", "play_card X"] == match.moves(0)
    match.play("0 X")
    assert "I X" == match.hand(0)


# ---------------------------------------------------------------------- playing


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


# ---------------------------------------------------------------------- refusals


@pytest.mark.clause("ALL-5", "CO-21", "CO-15")
def test_nobody_plays_for_another_seat() -> None:
    """At a table of four each plays his own seat; naming another's card tells nothing of that hand."""
    match = table(seat("coech", 4, first_dealer="0"), E13)
    assert ["not_your_turn"] == match.codes(3, "play_card I @1") == match.codes(3, "play_card LEO @1")
    assert match.refusals(3, "play_card I @1") == match.refusals(3, "play_card LEO @1")


@pytest.mark.clause("CO-5", "ALL-8")
@pytest.mark.parametrize(("rank", "winner"), [("", 1), ("lowest", 1), ("above_nulla", 0)])
def test_matto_rank(rank: str, winner: int) -> None:
    """`matto_rank`: the Matto is the lowest picture where nothing is said, by agreement above the Nulla (CO-R21)."""
    options = {"matto_rank": rank} if rank else {}
    match = closing(seat("coech", 4, **options), {0: "MAT", 1: "NUL", 2: "SEC", 3: "MAS"}, leader=0)
    match.play("0 MAT, 1 NUL, 2 SEC, 3 MAS")
    assert winner == match.p.tricks[-1].winner


# ---------------------------------------------------------------------- coech dummies


CONTROLLERS = {4: (0, 1, 2, 3), 3: (0, 1, 0, 3), 2: (0, 1, 0, 1)}


@pytest.mark.clause("CO-3", "CO-15")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_plays_which_seat(players: int) -> None:
    """Seat 2 is a dummy for three players, seats 2 and 3 for two, played by the partner (CO-R11, CO-R12, CO-R13)."""
    match = deal_table(players, 3)
    assert CONTROLLERS[players] == tuple(match.game.controller(place) for place in range(4))
    while match.p.phase == "play":
        turn = match.game.turn(match.p)
        assert turn is not None
        person = CONTROLLERS[players][turn]
        at = "" if person == turn else f" @{turn}"
        assert all(move.endswith(at) for move in match.moves(person))
        assert [[]] * 3 == [match.moves(other) for other in range(4) if other != person]
        match.say(person, match.moves(person)[0])


@pytest.mark.clause("CO-14", "CO-15", "CO-12")
def test_three_players() -> None:
    """CO-E14: dealer 1, so the dummy leads, played by seat 0 alone; the next deal is the dummy's, leader 3 (CO-R15)."""
    match = deal_table(3, 1, match_deals="2")
    assert 2 == match.game.turn(match.p)
    card = match.p.hands[2][0]
    for place in (1, 3):
        assert ["not_your_turn"] == match.codes(place, f"play_card {card} @2")
        assert ["CO-15"] == match.cited(place, f"play_card {card} @2")
    assert ["not_your_turn"] == match.codes(2, f"play_card {card}")
    assert "not_your_turn" == match.codes(0, f"play_card {match.p.hands[0][0]}")[0]
    assert ["not_in_hand"] == match.codes(0, "play_card LEO @2")
    match.say(0, f"play_card {card} @2")
    assert [("card_played", 2, (card,))] == [(event.kind, event.seat, event.cards) for event in match.events_for(None)]
    match.play_out()
    assert (2, CHANCE) == (match.p.match_state.dealer, match.game.turn(match.p))
    match.deal(match.game.pack.cards)
    assert 3 == match.game.turn(match.p)


@pytest.mark.clause("CO-14", "CO-3")
def test_two_players() -> None:
    """CO-E14, end: dealer 3: seat 0 leads, then seat 1, then 0 for seat 2, then 1 for seat 3."""
    match = deal_table(2, 3)
    for turn, person in ((0, 0), (1, 1), (2, 0), (3, 1)):
        assert turn == match.game.turn(match.p)
        card = match.moves(person)[0].split()[1]
        at = "" if person == turn else f" @{turn}"
        assert "not_your_turn" == match.codes(1 - person, f"play_card {card} @{turn}")[0]
        match.say(person, f"play_card {card}{at}")


@pytest.mark.clause("CO-13", "CO-21", "ALL-5")
@pytest.mark.parametrize(("players", "dummies"), [(4, set()), (3, {2}), (2, {2, 3})])
def test_a_dummy_lies_open(players: int, dummies: set[int]) -> None:
    """CO-E14: before the lead everybody sees a dummy's ten cards, and nobody another real hand (CO-R10)."""
    match = deal_table(players, 1)
    for viewer in (None, *range(4)):
        for place in range(4):
            seen = place in dummies or place == viewer
            hand = zone(match.view(viewer), "hand", place)
            assert (match.p.hands[place] if seen else (), 10) == (hand.cards, hand.size)
        dealt_openly = {event.seat for event in events_of(match, "dealt", viewer) if event.cards}
        assert dummies | ({viewer} - {None}) == dealt_openly
    for _ in range(5):
        turn = match.game.turn(match.p)
        assert turn is not None
        person = match.game.controller(turn)
        match.say(person, match.moves(person)[0])
    for place in dummies:
        assert match.p.hands[place] == zone(match.view(None), "hand", place).cards


@pytest.mark.clause("CO-17", "CO-15")
def test_a_dummy_follows_suit() -> None:
    """A dummy's card must follow suit like any other, and the refusal names what the dummy holds."""
    match = closing(seat("coech", 3), {2: "I LEO"}, "1 V")
    assert ["play_card I @2"] == match.moves(0)
    (refusal,) = match.refusals(0, "play_card LEO @2")
    assert ("must_follow_suit", "CO-17", ("I",)) == (refusal.code, refusal.clause.key, refusal.allowed_cards)
    assert ["not_in_hand"] == match.codes(0, "play_card X @2")


@pytest.mark.clause("CO-28")
@pytest.mark.parametrize("players", [2, 3])
def test_a_person_has_the_results_of_both_seats(players: int) -> None:
    """CO-R16: who plays a dummy wins or loses two, and all results add up to nothing (CO-R8)."""
    match = deal_table(players, 3)
    match.play_out()
    (won,) = [event.seat for event in events_of(match, "match_won") if event.seat in (0, 1)]
    persons = dict.fromkeys(CONTROLLERS[players], 0)
    for place, score in enumerate(match.game.scores(match.p)):
        persons[match.game.controller(place)] += score
    size = 2 if won == 0 else -2
    assert ({0: size, 1: -size} if players == 2 else {0: size, 1: -size // 2, 3: -size // 2}) == persons


@pytest.mark.clause("CO-12", "ALL-8")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("skip", ["", "false", "true"])
def test_skip_dummy_dealer(players: int, skip: str) -> None:
    """`skip_dummy_dealer`: the deal goes round all four seats where nothing is said, else round real ones (CO-R14)."""
    options = {"skip_dummy_dealer": skip} if skip else {}
    match = Match(seat("coech", players, first_dealer="0", match_deals="9", **options))
    dealers = []
    for _ in range(6):
        dealers.append(match.p.match_state.dealer)
        match.play_out()
    real = [place for place in range(4) if CONTROLLERS[players][place] == place] if skip == "true" else [0, 1, 2, 3]
    assert (real * 6)[:6] == dealers


# ---------------------------------------------------------------------- coech matches


@pytest.mark.clause("CO-29", "CO-28", "CO-12", "CO-14")
def test_match_to_two_wins() -> None:
    """CO-E20: side 1, draw, side 0, side 1: dealers 2 3 0 1, leaders 3 0 1 2; side 1 wins the match 2 to 1."""
    match = Match(seat("coech", 4, first_dealer="2", target_wins="2"))
    dealers, leaders = [], []
    for winner in (1, None, 0, 1):
        assert match.game.outcome(match.p) is None
        dealers.append(match.p.match_state.dealer)
        leaders.append(match.p.leader)
        play_all(match, [winner])
    assert ([2, 3, 0, 1], [3, 0, 1, 2]) == (dealers, leaders)
    assert ("match_over", (1, 2)) == (match.p.phase, match.p.match_state.wins)
    assert frozenset({1, 3}) == match.game.outcome(match.p)
    assert (-1, 1, -1, 1) == match.game.scores(match.p)


@pytest.mark.clause("CO-29")
def test_one_deal_unless_agreed() -> None:
    """CO-R17: a match is one deal where nothing is said, and a draw of it a draw of the match."""
    for winner, outcome in ((0, {0, 2}), (1, {1, 3}), (None, set())):
        match = Match(seat("coech", 4, first_dealer="3"))
        play_all(match, [winner])
        assert ("match_over", frozenset(outcome)) == (match.p.phase, match.game.outcome(match.p))


@pytest.mark.clause("CO-27", "CO-12", "CO-28")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_a_drawn_deal(dealer: int) -> None:
    """CO-E12: a double tie counts nothing for any seat, is not replayed, and the deal passes on (CO-R7)."""
    match = Match(seat("coech", 4, first_dealer=str(dealer), match_deals="2"))
    play_all(match, [None])
    assert ((0, 0, 0, 0), (0, 0)) == (match.game.scores(match.p), match.p.match_state.wins)
    assert ("deal", (dealer + 1) % 4, 1) == (match.p.phase, match.p.match_state.dealer, match.p.match_state.deal)


@pytest.mark.clause("ALL-7", "ALL-6", "CO-12")
def test_after_the_end() -> None:
    """CO-E25: after the last deal its dealer and its tricks stay; every move and every pack is match_over (CO-R26)."""
    match = Match(seat("coech", 4, first_dealer="2", match_deals="1"))
    pack = f"start_deal {' '.join(match.game.pack.cards)}"
    play_all(match, [0])
    assert ("match_over", 2) == (match.p.phase, match.p.match_state.dealer)
    for place in range(4):
        assert ["match_over"] == match.codes(place, "play_card I") == match.codes(place, f"play_card I @{place}")
        assert 10 == sum(each.name == "taken" for each in match.view(place).zones)
        assert {None: 2} == facts(match.view(place), "dealer")
    assert (["match_over"], ["ALL-7"]) == (match.codes(CHANCE, pack), match.cited(CHANCE, pack))


@pytest.mark.clause("ALL-7", "ALL-6", "CO-12")
def test_between_two_deals() -> None:
    """CO-E25: between two deals a card is out of phase; tricks stay in view (CO-R18), the coming dealer is named."""
    match = Match(seat("coech", 4, first_dealer="2", match_deals="2"))
    assert [["wrong_phase"]] * 4 == [match.codes(place, "play_card I") for place in range(4)]
    play_all(match, [1])
    for viewer in (None, 0, 1, 2, 3, REFEREE):
        view = match.view(viewer)
        assert ("deal", CHANCE, 10) == (view.phase, view.turn, sum(each.name == "taken" for each in view.zones))
        assert ({None: 3}, 0) == (facts(view, "dealer"), zone(view, "trick").leader)
        assert 38 == sum(int(count) for count in facts(view, "half_points").values())
    assert [["wrong_phase"]] * 4 == [match.codes(place, "play_card I") for place in range(4)]
    match.deal(match.game.pack.cards)
    assert ["wrong_phase"] == match.codes(CHANCE, f"start_deal {' '.join(match.game.pack.cards)}")
    assert ((), 0) == (match.p.tricks, match.game.turn(match.p))


@pytest.mark.clause("CO-12")
def test_conflicting_options() -> None:
    """CO-E23, CO-R25: a dummy as first dealer while dummies are passed over refuses the match when it is made."""
    for players, dealers in ((3, [2]), (2, [2, 3])):
        for dealer in range(4):
            if dealer in dealers:
                with pytest.raises(InvalidOption) as refused:
                    seat("coech", players, first_dealer=str(dealer), skip_dummy_dealer="true")
                assert "options.first_dealer" == refused.value.field
            else:
                seat("coech", players, first_dealer=str(dealer), skip_dummy_dealer="true")
            seat("coech", players, first_dealer=str(dealer), skip_dummy_dealer="false")


@pytest.mark.clause("CO-12", "ALL-5")
@pytest.mark.parametrize("options", [{}, {"first_dealer": "by_lot"}])
def test_the_first_dealer_is_drawn_by_lot(options: dict[str, str]) -> None:
    """CO-R23: where nothing is said the table draws one of four seats; until then nobody is called the dealer."""
    for dealer in range(4):
        match = Match(seat("coech", 4, **options))
        assert (CHANCE, ("draw_dealer", (), (0, 1, 2, 3))) == (
            match.game.turn(match.p),
            match.game.chance_request(match.p),
        )
        assert {} == facts(match.view(None), "dealer")
        match.say(CHANCE, f"draw_dealer {dealer}")
        assert [("dealer_drawn", dealer)] == [(event.kind, event.seat) for event in match.events_for(None)]
        assert {None: dealer} == facts(match.view(None), "dealer")
        match.deal(match.game.pack.cards)
        assert (dealer + 1) % 4 == match.game.turn(match.p)
        assert ["wrong_phase"] == match.codes(CHANCE, "draw_dealer 0")


@pytest.mark.clause("CO-12")
@pytest.mark.parametrize(("players", "dealers"), [(4, (0, 1, 2, 3)), (3, (0, 1, 3)), (2, (0, 1))])
def test_no_dummy_is_drawn_where_dummies_are_passed_over(players: int, dealers: tuple[int, ...]) -> None:
    """`skip_dummy_dealer`: a dummy is never drawn as first dealer; without it every seat may be."""
    match = Match(seat("coech", players, skip_dummy_dealer="true"))
    assert dealers == match.game.chance_request(match.p).amounts
    for place in range(4):
        codes = [] if place in dealers else ["bad_dealer"]
        assert codes == match.codes(CHANCE, f"draw_dealer {place}")
        assert (["CO-12"] if codes else []) == match.cited(CHANCE, f"draw_dealer {place}")
    assert (0, 1, 2, 3) == Match(seat("coech", players)).game.chance_request(match.p).amounts


# ---------------------------------------------------------------------- invariants


TABLES = [
    *(RuleSet("coech", players, (("match_deals", "2"),)) for players in (2, 3, 4)),
    RuleSet("coech", 4, (("match_deals", "2"), ("matto_rank", "above_nulla"))),
    RuleSet("coech", 3, (("match_deals", "2"), ("skip_dummy_dealer", "true"))),
]
EVERY = pytest.mark.parametrize(
    "walk",
    [pytest.param((table, seed), id=f"{name(table)}-{seed}") for table in TABLES for seed in ("one", "two")],
    indirect=True,
)


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Play two deals of a rule set."""
    rule_set, seed = request.param
    return known_walk(rule_set, seed, 2, 6)


def game_of(walk: Walk) -> TrickGame:
    """The game of a walk."""
    assert isinstance(walk.game, TrickGame)
    return walk.game


def running(walk: Walk) -> list[Table]:
    """The positions in which somebody is to play."""
    return [p for p in walk.positions if p.phase == "play"]


def ended(walk: Walk) -> list[Table]:
    """The position after the last card of each deal."""
    return [step.after for step in walk.steps if step.before.phase == "play" != step.after.phase]


@pytest.mark.clause("CO-16", "CO-17")
@EVERY
def test_playable_cards_are_one_suit_or_the_hand(walk: Walk) -> None:
    """CO-I3: the playable cards are never none, are of the hand, and are one suit of it or all of it."""
    game = game_of(walk)
    for p in running(walk):
        turn = game.turn(p)
        assert turn is not None
        hand = set(p.hands[turn])
        cards = {move.cards[0] for move in legal_moves(game, p, game.controller(turn))}
        suits = {game.cards.suit[card] for card in cards}
        assert cards in (
            [hand] if len(suits) == 2 else [hand, {card for card in hand if game.cards.suit[card] in suits}]
        )
        assert cards
        led = game.cards.suit[p.trick[0]] if p.trick else None
        assert cards == ({card for card in hand if game.cards.suit[card] == led} or hand)


@pytest.mark.clause("CO-25", "CO-26", "CO-27", "CO-28")
@EVERY
def test_exactly_one_result(walk: Walk) -> None:
    """CO-I5, CO-I6: side 0 wins, side 1 wins or it is a draw, a draw only at 19 and 41 each; results add up to 0."""
    game = game_of(walk)
    wins = [0, 0]
    for p in ended(walk):
        one, other = game.deal_scoring.by_side(game, p)
        assert (38, 82) == (one[0] + other[0], one[1] + other[1])
        if one != other:
            wins[one < other] += 1
        assert (one == other) == (one == (19, 41))
        assert tuple(wins) == p.match_state.wins
        assert (wins[0] - wins[1], wins[1] - wins[0]) * 2 == game.scores(p)
        assert 0 == sum(game.scores(p))


@pytest.mark.clause("CO-22", "CO-23", "CO-7")
@EVERY
def test_winner_of_every_trick(walk: Walk) -> None:
    """CO-I7: the winner's card is of the suit led, none of it ranks higher, no equal one was played before."""
    game = game_of(walk)
    for p in ended(walk):
        for trick in p.tricks:
            at = (trick.winner - trick.leader) % 4
            led = [
                game.cards.strength[card]
                for card in trick.cards
                if game.cards.suit[card] == game.cards.suit[trick.cards[0]]
            ]
            assert game.cards.suit[trick.cards[0]] == game.cards.suit[trick.cards[at]]
            assert max(led) == game.cards.strength[trick.cards[at]]
            assert at == trick.cards.index(trick.cards[at])
