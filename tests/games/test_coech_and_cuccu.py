"""Cöch and Cuccu a trionfo: cards, worth, and what is true of every deal (clauses CO, CT)."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import legal_moves
from chitarrella.core.model import Seat
from chitarrella.core.options import InvalidOption
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table, Trick
from tests.games.support.table import TABLES, Match, events_of, game, game_of, plays, rob, robbing, seat, state, worth
from tests.walks import Step, Walk, on_walks

NUMBERS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
COECH_PICTURES = ["MAT", "MAS", "SEC", "NUL", "XI", "XII", "XIII", "XIV", "XV", "LEO"]
HALF_POINTS = dict(zip(NUMBERS + COECH_PICTURES, "00001111120000222222", strict=True))
UNITS = dict(zip(NUMBERS + COECH_PICTURES, "12340123400000123456", strict=True))
"""What each face counts, face by face (CO-8)."""


def deal_table(players: int = 4, dealer: int = 0, **options: str) -> Match:
    match = Match(seat("coech", players, first_dealer=str(dealer), **options))
    match.deal(match.game.pack.cards)
    return match


# ---------------------------------------------------------------------- seats and cards


@pytest.mark.clause("CO-4", "CO-7", "ALL-2")
def test_two_suits_of_twenty_cards() -> None:
    """Numbers and pictures, ten faces each, every face twice (CO-R1)."""
    game = seat("coech", 4)
    assert dict.fromkeys(NUMBERS + COECH_PICTURES, 2) == Counter(map(str, game.pack.cards))
    assert {"numbers": 20, "pictures": 20} == Counter(game.cards.suit[card] for card in game.pack.cards)
    assert dict.fromkeys(NUMBERS, "numbers") | dict.fromkeys(COECH_PICTURES, "pictures") == game.cards.suit


@pytest.mark.clause("CO-8")
@pytest.mark.parametrize("face", NUMBERS + COECH_PICTURES)
def test_worth_of_each_face(face: str) -> None:
    """Half-points and units from the table, never from the letters printed: IV has no V, IX no X (CO-R2)."""
    game = seat("coech", 4)
    worth = {"half_points": int(HALF_POINTS[face]), "units": int(UNITS[face])}
    assert worth == dict(game.cards.count((game.pack.card(face),)))


# ---------------------------------------------------------------------- coech dummies


CONTROLLERS = {4: (0, 1, 2, 3), 3: (0, 1, 0, 3), 2: (0, 1, 0, 1)}


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


# ---------------------------------------------------------------------- coech matches


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


# ---------------------------------------------------------------------- invariants


COECH = [
    *(RuleSet("coech", players, (("match_deals", "2"),)) for players in (2, 3, 4)),
    RuleSet("coech", 4, (("match_deals", "2"), ("matto_rank", "above_nulla"))),
    RuleSet("coech", 3, (("match_deals", "2"), ("skip_dummy_dealer", "true"))),
]
COECH_DEALS = on_walks(product(COECH, ("one", "two"), [2]))


def running(walk: Walk) -> list[Table]:
    return [p for p in walk.positions if p.phase == "play"]


def ended(walk: Walk) -> list[Table]:
    return [step.after for step in walk.steps if step.before.phase == "play" != step.after.phase]


@pytest.mark.clause("CO-16", "CO-17")
@COECH_DEALS
def test_playable_cards_are_one_suit_or_the_hand(walk: Walk) -> None:
    """CO-I3: the playable cards are never none, are of the hand, and are one suit of it or all of it."""
    game = game_of(walk)
    for p in running(walk):
        turn = game.turn(p)
        assert turn is not None
        hand = set(p.hands[turn])
        cards = {move.cards[0] for move in legal_moves(game, p, game.controller(turn))}
        suits = {game.cards.suit[card] for card in cards}
        assert cards in ([hand] if len(suits) == 2 else [hand, {one for one in hand if game.cards.suit[one] in suits}])
        assert cards
        led = game.cards.suit[p.trick[0]] if p.trick else None
        assert cards == ({card for card in hand if game.cards.suit[card] == led} or hand)


@pytest.mark.clause("CO-25", "CO-26", "CO-27", "CO-28")
@COECH_DEALS
def test_one_result_of_a_deal_of_coech(walk: Walk) -> None:
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
@COECH_DEALS
def test_who_takes_a_trick_of_coech(walk: Walk) -> None:
    """CO-I7: the winner's card is of the suit led, none of it ranks higher, no equal one was played before."""
    game = game_of(walk)
    for p in ended(walk):
        for trick in p.tricks:
            at = (trick.winner - trick.leader) % 4
            suit, strength = game.cards.suit, game.cards.strength
            led = [strength[card] for card in trick.cards if suit[card] == suit[trick.cards[0]]]
            assert game.cards.suit[trick.cards[0]] == game.cards.suit[trick.cards[at]]
            assert max(led) == game.cards.strength[trick.cards[at]]
            assert at == trick.cards.index(trick.cards[at])


def counts(match: Match, cards: str) -> dict[str, int]:
    return dict(match.game.cards.count(match.game.pack.hand(cards.split())))


@pytest.mark.clause("CO-9", "CO-8")
def test_the_arithmetic_of_the_german_source() -> None:
    """CO-E19, CO-R6: half-points as tens and units give 190 + 82 = 272, the 240 of Cuccu a trionfo and 16 a lion."""
    worth = counts(Match(seat("coech", 4)), " ".join(seat("coech", 4).pack.cards))
    assert 240 + 2 * 16 == 5 * worth["half_points"] + worth["units"] == 190 + 82


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


# ---------------------------------------------------------------------- laying aside


@pytest.mark.clause("CT-20")
def test_every_choice_stands_in_the_list_once() -> None:
    """CT-R39: after six robbed cards the list holds every multiset of six once."""
    match = robbing(game(preset="masenghini"), "IX X X XIV XIV XV XV", "V", {3: "I II III IV IV VI VI VII"})
    rob(match, 3, ", ".join(f"rob_look({card}), rob_take" for card in ("XV", "XV", "XIV", "XIV", "X", "X")))
    rob(rob(match, 3, "rob_pass"), 0, "rob_pass")
    every = {tuple(sorted(cards)) for cards in combinations(match.p.hands[3], 6)}
    assert len(every) == len(match.moves(3)) <= 1201


# ---------------------------------------------------------------------- taking and winning


@pytest.mark.clause("CT-22", "CT-34")
def test_stateless_trick_questions() -> None:
    """Who takes a trick, and what may be played, can be asked without a table: there is no trionfo in it then."""
    table: Rules = game()
    hand = table.pack.hand(["IV", "X", "XII", "XV", "MAT", "LEO"])
    following = plays(table, hand, state(table.pack.hand(["SEC"])))
    assert ["XII", "XV"] == [card for card, codes in following.items() if not codes]
    leading = plays(table, hand, state(()))
    assert ["IV", "X", "XII", "XV"] == [card for card, codes in leading.items() if not codes]


# ---------------------------------------------------------------------- cuccu positions


TRIONFO_DEALS = on_walks(product(TABLES, map(str, range(6)), [2]))
ZEROS = {"MAT", "LEO", "MAS", "SEC", "NUL"}


def options(walk: Walk) -> dict[str, str]:
    return dict(walk.rule_set.options)


def in_phase(walk: Walk, *phases: str) -> list[Table]:
    return [p for p in walk.positions if p.phase in phases]


def on_turn(walk: Walk, p: Table) -> Seat:
    turn = walk.game.turn(p)
    assert turn is not None
    return turn


def cards_played(walk: Walk) -> Iterator[tuple[Step, Card, tuple[Card, ...]]]:
    """Go through all cards that were played, each with the hand it came from."""
    for step in walk.steps:
        if step.move.verb == "play_card":
            yield step, step.move.cards[0], step.before.hands[step.actor]


def led_suit(walk: Walk, p: Table) -> str:
    return str(p.own.declared) if p.trick[0] == p.turn_up else game_of(walk).cards.suit[p.trick[0]]


@pytest.mark.clause("CT-8", "CT-20")
@TRIONFO_DEALS
def test_eight_cards_each_and_eight_out_of_play(walk: Walk) -> None:
    """CT-I2: in play every hand has eight cards less those played; a turn-up, discards and the stock make eight."""
    for p in in_phase(walk, "play"):
        assert [8] * 4 == [
            len(hand) + len(p.tricks) + ((seat - p.leader) % 4 < len(p.trick)) for seat, hand in enumerate(p.hands)
        ]
        aside = sum(len(robber.discarded) for robber in p.own.robbers)
        assert (7 - aside, aside) == (len(p.stock), sum(len(robber.robbed) for robber in p.own.robbers))


@pytest.mark.clause("CT-5", "CT-11", "CT-16")
@TRIONFO_DEALS
def test_robbed_cards(walk: Walk) -> None:
    """CT-I3: they are X, XIV or XV, six in all, for each no more than agreed, for the cutter than he lifted."""
    limit = {"": 3, "1": 1}[options(walk).get("rob_limit", "")] if "preset" not in options(walk) else 6
    for p in walk.positions:
        cutter, dealer = p.own.robbers
        assert {"X", "XIV", "XV"} >= {*cutter.robbed, *dealer.robbed}
        assert max(len(cutter.robbed), len(dealer.robbed)) <= limit
        assert len(cutter.robbed) + len(dealer.robbed) <= 6
        assert len(cutter.robbed) <= p.own.lifted


@pytest.mark.clause("CT-17", "CT-15")
@TRIONFO_DEALS
def test_two_cards_are_left_to_be_turned_up(walk: Walk) -> None:
    """CT-I4: until the turn-up there are two cards at least in the stock."""
    for step in walk.steps:
        if step.before.turn_up is None and step.before.phase == "dealer_rob":
            assert len(step.before.stock) >= 2
            assert len(step.after.stock) >= 1


@pytest.mark.clause("CT-4", "CT-36", "CT-37")
@TRIONFO_DEALS
def test_points_are_conserved(walk: Walk) -> None:
    """CT-I5: the points of both sides, of the cards out of play and of those not yet won make 240."""
    table = game_of(walk)
    for p in in_phase(walk, "play") + ended(walk):
        out = [p.turn_up, *p.stock, *(card for robber in p.own.robbers for card in robber.discarded)]
        left = [*p.trick, *(card for hand in p.hands for card in hand)]
        taken = sum(side[0] for side in table.deal_scoring.by_side(table, p))
        assert 240 == taken + worth(table, tuple(out)) + worth(table, tuple(left))


@pytest.mark.clause("CT-19", "CT-33", "CT-34")
@TRIONFO_DEALS
def test_who_takes_a_trick_of_cuccu(walk: Walk) -> None:
    """CT-I6: there is one trionfo at most, and it takes its trick; else the first of the highest of the suit led."""
    for p in ended(walk):
        assert sum(card == p.turn_up for trick in p.tricks for card in trick.cards) <= 1
        for trick in p.tricks:
            at = (trick.winner - trick.leader) % 4
            if p.turn_up in trick.cards:
                assert p.turn_up == trick.cards[at]
            else:
                assert best(trick, walk) == at == trick.cards.index(trick.cards[at])


def best(trick: Trick, walk: Walk) -> int:
    """The place of the highest card of the suit led."""
    table = game_of(walk)
    led = table.cards.suit[trick.cards[0]]
    fitting = [table.cards.strength[card] if table.cards.suit[card] == led else -1 for card in trick.cards]
    return fitting.index(max(fitting))


@pytest.mark.clause("CT-23", "CT-30")
@TRIONFO_DEALS
def test_the_trionfo_may_always_be_played(walk: Walk) -> None:
    """CT-I7: whoever is to play has a card to play, and the trionfo, if he holds it, is one."""
    for p in in_phase(walk, "play"):
        cards = {move.cards[0] for move in legal_moves(walk.game, p, on_turn(walk, p))}
        assert cards
        assert p.turn_up not in p.hands[on_turn(walk, p)] or p.turn_up in cards


@pytest.mark.clause("CT-25")
@TRIONFO_DEALS
def test_a_suit_is_declared_with_a_led_trionfo_alone(walk: Walk) -> None:
    """CT-I8: every move in the list has a word exactly when it leads the trionfo, and then there are two of them."""
    for p in in_phase(walk, "play"):
        moves = legal_moves(walk.game, p, on_turn(walk, p))
        for move in moves:
            assert bool(move.choice) == (not p.trick and move.cards[0] == p.turn_up)
        assert len([move for move in moves if move.choice]) in (0, 2)


@pytest.mark.clause("CT-24", "CT-27")
@TRIONFO_DEALS
def test_zero_cards(walk: Walk) -> None:
    """CT-I9: led from zero cards alone, laid on a picture by hands without better; but not by the leaflet."""
    if "preset" in options(walk):
        return
    strict = "trionfo_in_suit" in options(walk)
    for step, card, hand in cards_played(walk):
        p = step.before
        if card not in ZEROS or card == p.turn_up:
            continue
        if not p.trick:
            assert set(hand) <= ZEROS
        elif led_suit(walk, p) == "pictures" and p.trick[0] != p.turn_up:
            better = [held for held in hand if game_of(walk).cards.suit[held] == "pictures" and held not in ZEROS]
            assert not [held for held in better if strict or held != p.turn_up]


@pytest.mark.clause("CT-23", "CT-24", "CT-26", "CT-27", "CT-28", "CT-29")
@TRIONFO_DEALS
def test_exactly_these_cards_may_be_played(walk: Walk) -> None:
    """What may be led and played is word for word what the clauses say, worked out here a second time."""
    for p in in_phase(walk, "play"):
        hand = set(p.hands[on_turn(walk, p)])
        cards = {move.cards[0] for move in legal_moves(walk.game, p, on_turn(walk, p))}
        assert cards == (answers(walk, p, hand) if p.trick else leads(walk, p, hand))


def leads(walk: Walk, p: Table, hand: set[Card]) -> set[Card]:
    """CT-24: all but the zero cards, unless there is nothing else; the trionfo always."""
    others = {card for card in hand if card not in ZEROS}
    return hand if "preset" in options(walk) or not others else others | (hand & {p.turn_up})


def answers(walk: Walk, p: Table, hand: set[Card]) -> set[Card]:
    """CT-26 to CT-29: the suit led, of pictures the better ones; anything where there is none of it; the trionfo."""
    apart = set() if "trionfo_in_suit" in options(walk) else {p.turn_up}
    fitting = {card for card in hand - apart if game_of(walk).cards.suit[card] == led_suit(walk, p)}
    if "preset" not in options(walk) and led_suit(walk, p) == "pictures" and p.trick[0] != p.turn_up:
        fitting = {card for card in fitting if card not in ZEROS} or fitting
    return fitting | (hand & {p.turn_up}) if fitting else hand


@pytest.mark.clause("CT-23", "CT-24")
@TRIONFO_DEALS
def test_the_trionfo_is_hardly_ever_due(walk: Walk) -> None:
    """CT-I10: it is never the only card to play of two or more, but on the lead beside nothing but zero cards."""
    if "trionfo_in_suit" in options(walk):
        return
    for p in in_phase(walk, "play"):
        hand = p.hands[on_turn(walk, p)]
        cards = {move.cards[0] for move in legal_moves(walk.game, p, on_turn(walk, p))}
        if len(hand) > 1 and cards == {p.turn_up}:
            others = [card for card in hand if card != p.turn_up]
            assert (len(p.trick), p.turn_up in ZEROS) == (0, False)
            assert set(others) <= ZEROS


@pytest.mark.clause("CT-36", "CT-38")
@TRIONFO_DEALS
def test_one_result_of_a_deal_of_cuccu(walk: Walk) -> None:
    """CT-I12: results add up to nothing, and a deal is drawn exactly where points are equal."""
    table = game_of(walk)
    decided = 0
    for p in ended(walk):
        one, other = table.deal_scoring.by_side(table, p)
        decided += one != other
        assert decided == sum(p.match_state.wins)
        assert 0 == sum(table.scores(p))


@pytest.mark.clause("CT-24", "CT-27", "CT-28")
@TRIONFO_DEALS
def test_the_leaflet_allows_more(walk: Walk) -> None:
    """CT-I13: what may be played by the leaflet contains what may be played otherwise, in every position."""
    strict, free = (game(preset=preset) for preset in ("smith", "masenghini"))
    more = 0
    for p in in_phase(walk, "play"):
        turn = on_turn(walk, p)
        narrow, wide = (set(legal_moves(table, p, turn)) for table in (strict, free))
        assert narrow <= wide
        more += narrow < wide
    assert more > 0
