"""Cuccu a trionfo: what is true of every deal, held against deals played at random (CT-I1 to CT-I13)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chitarrella.core.cards import Card
from chitarrella.core.game import legal_moves, validate_move, view_for, visible_to
from chitarrella.core.model import EVERYBODY, REFEREE, Seat, Viewer
from chitarrella.core.notation import parse_move
from chitarrella.tricks.table import Table, Trick
from tests.games.support.table import Match, events_of, facts, worth, zone
from tests.games.support.trionfo_tables import TABLES, game, game_of, rob, robbing
from tests.walks import Step, Walk, known_walk, name

EVERY = pytest.mark.parametrize(
    "walk",
    [pytest.param((table, str(seed)), id=f"{name(table)}-{seed}") for table in TABLES for seed in range(6)],
    indirect=True,
)
ZEROS = {"MAT", "LEO", "MAS", "SEC", "NUL"}


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Play two deals of a rule set."""
    rule_set, seed = request.param
    return known_walk(rule_set, seed, 2, 6)


def options(walk: Walk) -> dict[str, str]:
    """What was agreed."""
    return dict(walk.rule_set.options)


def in_phase(walk: Walk, *phases: str) -> list[Table]:
    """The positions of these phases."""
    return [p for p in walk.positions if p.phase in phases]


def ended(walk: Walk) -> list[Table]:
    """The position after the last card of each deal."""
    return [step.after for step in walk.steps if step.before.phase == "play" != step.after.phase]


def on_turn(walk: Walk, p: Table) -> Seat:
    """The seat that is to play."""
    turn = walk.game.turn(p)
    assert turn is not None
    return turn


def plays(walk: Walk) -> Iterator[tuple[Step, Card, tuple[Card, ...]]]:
    """Go through all cards that were played, each with the hand it came from."""
    for step in walk.steps:
        if step.move.verb == "play_card":
            yield step, step.move.cards[0], step.before.hands[step.actor]


def led_suit(walk: Walk, p: Table) -> str:
    """The suit to be followed."""
    return str(p.own.declared) if p.trick[0] == p.turn_up else game_of(walk).cards.suit[p.trick[0]]


@pytest.mark.clause("CT-8", "CT-20")
@EVERY
def test_eight_cards_each_and_eight_out_of_play(walk: Walk) -> None:
    """CT-I2: in play every hand has eight cards less those played; a turn-up, discards and the stock make eight."""
    for p in in_phase(walk, "play"):
        assert [8] * 4 == [
            len(hand) + len(p.tricks) + ((seat - p.leader) % 4 < len(p.trick)) for seat, hand in enumerate(p.hands)
        ]
        aside = sum(len(robber.discarded) for robber in p.own.robbers)
        assert (7 - aside, aside) == (len(p.stock), sum(len(robber.robbed) for robber in p.own.robbers))


@pytest.mark.clause("CT-5", "CT-11", "CT-16")
@EVERY
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
@EVERY
def test_two_cards_are_left_to_be_turned_up(walk: Walk) -> None:
    """CT-I4: until the turn-up there are two cards at least in the stock."""
    for step in walk.steps:
        if step.before.turn_up is None and step.before.phase == "dealer_rob":
            assert len(step.before.stock) >= 2
            assert len(step.after.stock) >= 1


@pytest.mark.clause("CT-4", "CT-36", "CT-37")
@EVERY
def test_points_are_conserved(walk: Walk) -> None:
    """CT-I5: the points of both sides, of the cards out of play and of those not yet won make 240."""
    table = game_of(walk)
    for p in in_phase(walk, "play") + ended(walk):
        out = [p.turn_up, *p.stock, *(card for robber in p.own.robbers for card in robber.discarded)]
        left = [*p.trick, *(card for hand in p.hands for card in hand)]
        taken = sum(side[0] for side in table.deal_scoring.by_side(table, p))
        assert 240 == taken + worth(table, tuple(out)) + worth(table, tuple(left))


@pytest.mark.clause("CT-19", "CT-33", "CT-34")
@EVERY
def test_winner_of_every_trick(walk: Walk) -> None:
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
@EVERY
def test_the_trionfo_may_always_be_played(walk: Walk) -> None:
    """CT-I7: whoever is to play has a card to play, and the trionfo, if he holds it, is one."""
    for p in in_phase(walk, "play"):
        cards = {move.cards[0] for move in legal_moves(walk.game, p, on_turn(walk, p))}
        assert cards
        assert p.turn_up not in p.hands[on_turn(walk, p)] or p.turn_up in cards


@pytest.mark.clause("CT-25")
@EVERY
def test_a_suit_is_declared_with_a_led_trionfo_alone(walk: Walk) -> None:
    """CT-I8: every move in the list has a word exactly when it leads the trionfo, and then there are two of them."""
    for p in in_phase(walk, "play"):
        moves = legal_moves(walk.game, p, on_turn(walk, p))
        for move in moves:
            assert bool(move.choice) == (not p.trick and move.cards[0] == p.turn_up)
        assert len([move for move in moves if move.choice]) in (0, 2)


@pytest.mark.clause("CT-24", "CT-27")
@EVERY
def test_zero_cards(walk: Walk) -> None:
    """CT-I9: led from zero cards alone, laid on a picture by hands without better; but not by the leaflet."""
    if "preset" in options(walk):
        return
    strict = "trionfo_in_suit" in options(walk)
    for step, card, hand in plays(walk):
        p = step.before
        if card not in ZEROS or card == p.turn_up:
            continue
        if not p.trick:
            assert set(hand) <= ZEROS
        elif led_suit(walk, p) == "pictures" and p.trick[0] != p.turn_up:
            better = [held for held in hand if game_of(walk).cards.suit[held] == "pictures" and held not in ZEROS]
            assert not [held for held in better if strict or held != p.turn_up]


@pytest.mark.clause("CT-23", "CT-24", "CT-26", "CT-27", "CT-28", "CT-29")
@EVERY
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
@EVERY
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
@EVERY
def test_exactly_one_result(walk: Walk) -> None:
    """CT-I12: results add up to nothing, and a deal is drawn exactly where points are equal."""
    table = game_of(walk)
    decided = 0
    for p in ended(walk):
        one, other = table.deal_scoring.by_side(table, p)
        decided += one != other
        assert decided == sum(p.match_state.wins)
        assert 0 == sum(table.scores(p))


@pytest.mark.clause("CT-24", "CT-27", "CT-28")
@EVERY
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


# ---------------------------------------------------------------------- cuccu secrecy


ALL_MOVES = (
    *("cut 5", "cut 0", "rob_look", "rob_pass", "rob_take", "rob_leave", "discard", "discard X", "discard XV II"),
    *("play_card X", "play_card XIV", "play_card XV pictures", "play_card II", "play_card MAT numbers"),
)
"""Things that a seat might say to find out what others hold."""


def alike(one: Match, other: Match, viewer: Viewer) -> bool:
    """Whether the viewers got the same views and events, and had the same legal moves."""
    seen = all(view_for(match.game, match.p, viewer) == view_for(one.game, one.p, viewer) for match in (one, other))
    events = [[visible_to(event, viewer) for event in match.events] for match in (one, other)]
    return (
        seen
        and events[0] == events[1]
        and (viewer is None or list(answers_cuccu_secrecy(one, viewer)) == list(answers_cuccu_secrecy(other, viewer)))
    )


def answers_cuccu_secrecy(match: Match, seat: Seat) -> Iterator[object]:
    """What a seat may do, and what it is told of everything else."""
    yield legal_moves(match.game, match.p, seat)
    for text in ALL_MOVES:
        yield validate_move(match.game, match.p, seat, parse_move(match.game, text))


@pytest.mark.clause("CT-12", "CT-21", "CT-32")
def test_robbed_cards_are_the_robbers() -> None:
    """Whether X or XIV was robbed, the others notice nothing until it is played; the number is public."""
    one = robbing(game(match_deals="1"), "II X", "IX", {0: "XIV", 1: "I", 2: "I"})
    other = robbing(game(match_deals="1"), "II XIV", "IX", {0: "X", 1: "I", 2: "I"})
    for match in (one, other):
        rob(match, 3, f"rob_look({match.p.stock[-1]}), rob_take")
    assert all(alike(one, other, viewer) for viewer in (None, 0, 1, 2))
    assert (("X",), ("XIV",)) == tuple(zone(match.view(3), "robbed", 3).cards for match in (one, other))
    for match in (one, other):
        view = match.view(1)
        assert ((), 1) == (zone(view, "robbed", 3).cards, zone(view, "robbed", 3).size)
        assert {0: 0, 3: 1} == facts(view, "robbed")
        rob(match, 3, "rob_pass")
    assert all(alike(one, other, viewer) for viewer in (None, 1, 2))


@pytest.mark.clause("CT-12")
def test_show_robbed() -> None:
    """`show_robbed`, CT-R6: all see what was taken, when it is taken and for good; not what was looked at and left."""
    match = robbing(game(show_robbed="true", match_deals="1"), "XV X XIV", "XV II")
    rob(match, 3, "rob_look(XIV), rob_take")
    for viewer in (None, 0, 1, 2, 3):
        assert [("XIV",)] == [event.cards for event in events_of(match, "robbed", viewer)]
        assert ("XIV",) == zone(match.view(viewer), "robbed", 3).cards
    rob(match, 3, "rob_look(X), rob_leave")
    rob(match, 0, "rob_look(XV), rob_take, rob_look(II), rob_leave")
    match.play_out()
    for viewer in (None, 0, 1, 2, 3):
        view = match.view(viewer)
        assert {3: "XIV", 0: "XV"} == facts(view, "robbed_card")
        assert ({3: "X"} if viewer == 3 else {0: "II"} if viewer == 0 else {}) == facts(view, "looked_at")


@pytest.mark.clause("CT-31", "CT-21", "ALL-5", "ALL-6")
def test_who_sees_what() -> None:
    """For every viewer: hands, stock, what was laid aside, looks and counts; after the deal too."""
    match = robbing(game(match_deals="1"), "II XIV", "XV VII")
    rob(match, 3, "rob_look(XIV), rob_take, rob_look(II), rob_leave")
    rob(match, 0, "rob_look(XV), rob_take, rob_pass")
    for place in (3, 0):
        match.say(place, match.moves(place)[0])
    laid = {3: match.p.own.robbers[0].discarded, 0: match.p.own.robbers[1].discarded}
    while True:
        for viewer in (None, 0, 1, 2, 3, REFEREE):
            _check_view(match, viewer, laid)
        turn = match.game.turn(match.p)
        if turn is None:
            break
        match.say(turn, match.moves(turn)[0])
    assert [5] == [len(match.p.stock)]


def _check_view(match: Match, viewer: Viewer, laid: dict[Seat, tuple[str, ...]]) -> None:
    """Check a view of a deal in which both robbed a card each, and the cutter left a II."""
    view = match.view(viewer)
    for place in range(4):
        mine = viewer in (place, REFEREE)
        assert (match.p.hands[place] if mine else ()) == zone(view, "hand", place).cards
        assert len(match.p.hands[place]) == zone(view, "hand", place).size
    for place, cards in laid.items():
        found = zone(view, "discards", place)
        assert (cards if viewer in (place, REFEREE) else (), 1) == (found.cards, found.size)
    assert (5, match.p.stock if viewer == REFEREE else ()) == (zone(view, "stock").size, zone(view, "stock").cards)
    assert ("VII",) == zone(view, "turn_up").cards
    assert ({0: 1, 3: 1}, {None: 2}, {3: 1}) == tuple(facts(view, name) for name in ("robbed", "lifted", "looked"))
    robbed = {3: "XIV", 0: "XV"}
    assert {place: card for place, card in robbed.items() if viewer in (place, REFEREE)} == facts(view, "robbed_card")
    assert ({3: "II"} if viewer in (3, REFEREE) else {}) == facts(view, "looked_at")


@pytest.mark.clause("CT-11", "CT-32")
def test_the_state_of_a_robber_is_public() -> None:
    """Everybody sees whether a robber is looking at a card, and learns of every look, take, leave and pass."""
    match = robbing(game(), "II XIV", "VII")
    for move, looked in (("rob_look", {3: 1}), ("rob_take", {}), ("rob_look", {3: 1}), ("rob_leave", {3: 1})):
        match.say(3, move)
        assert looked == facts(match.view(None), "looked")
    match.say(0, "rob_pass")
    kinds = [event.kind for event in match.events if event.kind.startswith("rob") and event.known_to is EVERYBODY]
    assert ["rob_looked", "robbed", "rob_looked", "rob_left", "rob_passed"] == kinds
    assert all(event.cards == () for event in events_of(match, "rob_looked", None))
