"""What no table can look like is named by its field, whichever way it is wrong; and what waits for nobody."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core import game as rules
from chitarrella.core.cards import CUCCO, FRENCH_52, ITALIAN, Card, Pack
from chitarrella.core.game import AnyGame, apply_checked, check_move, default_move, legal_moves, seat_to_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import CACHE_SIZE, DecodedByText, InvalidPosition, parse_actor
from chitarrella.tricks.parts import overrides
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import NoRecord, Signal, Table, Trick
from chitarrella_testing.perft import Case, sums
from tests.walks import CATALOGUE, defaults, known_walk, name, walk

BRISCOLA = RuleSet("briscola", 4, (("signals", "free"),))


def early(rule_set: RuleSet, tricks: int = 0, cards: int = 0) -> Table:
    """The first position of a deal with so many tricks taken and so many cards on the table."""
    walk = known_walk(rule_set, "sound", deals=1, effort=1)
    found: Table = next(p for p in walk.positions if p.hands and len(p.tricks) == tricks and len(p.trick) == cards)
    return found


def stirred(p: Table) -> Table:
    """Another card than the turn-up lies last in the stock."""
    return p._replace(stock=(p.stock[-1], *p.stock[:-1]))


def uneven(p: Table) -> Table:
    """One trick has a card of the other."""
    one, other = p.tricks
    more, less = (*one.cards, other.cards[0]), other.cards[1:]
    return p._replace(tricks=(one._replace(cards=more), other._replace(cards=less)))


def drawn(p: Table) -> Table:
    """One seat has drawn alone."""
    return p._replace(hands=((*p.hands[0], p.stock[0]), *p.hands[1:]), stock=p.stock[1:])


def given(p: Table) -> Table:
    """One seat has given a card to the next."""
    return p._replace(hands=(p.hands[0][1:], (*p.hands[1], p.hands[0][0]), *p.hands[2:]))


def too_many(p: Table) -> Table:
    """Every seat has drawn before anything was played."""
    hands = tuple((*hand, card) for hand, card in zip(p.hands, p.stock, strict=False))
    return p._replace(hands=hands, stock=p.stock[len(hands) :])


def too_few(p: Table) -> Table:
    """Every seat has put a card back."""
    return p._replace(hands=tuple(hand[1:] for hand in p.hands), stock=(*(hand[0] for hand in p.hands), *p.stock))


IMPOSSIBLE: list[tuple[int, Callable[[Table], Table], str]] = [
    (0, lambda p: p._replace(signals=(Signal(0, "X"),)), "signals"), (0, lambda p: p._replace(trump="x"), "trump"),
    (0, lambda p: p._replace(hands=p.hands[:3]), "hands"), (0, stirred, "turn_up"), (2, uneven, "tricks"),
    (0, drawn, "stock"), (0, given, "hands"), (0, too_many, "hands"), (0, too_few, "hands"),
]  # fmt: skip


@pytest.mark.parametrize(("tricks", "change", "field"), IMPOSSIBLE)
def test_a_table_that_cannot_be_is_named_by_its_field(
    tricks: int, change: Callable[[Table], Table], field: str
) -> None:
    """Cards where they cannot have come, and words that the game has not, are told from one another."""
    game, p = CATALOGUE.game_for(BRISCOLA), early(BRISCOLA, tricks)
    assert p == game.decode(game.encode(p))
    with pytest.raises(InvalidPosition) as wrong:
        game.decode(game.encode(change(p)))
    assert field == wrong.value.field


def test_a_position_says_at_least_its_phase() -> None:
    """What has no default must be there."""
    with pytest.raises(InvalidPosition, match="phase: is missing"):
        CATALOGUE.game_for(BRISCOLA).decode("trump=s")


def test_the_table_and_the_seats_read_back() -> None:
    """Who makes a move is a seat, or the table."""
    assert (CHANCE, 0, 19) == tuple(map(parse_actor, ("table", "0", "19")))


@pytest.mark.parametrize(("key", "timeouts"), [("briscola", False), ("briscola-chiamata", True)])
def test_who_says_nothing_plays_the_first_card_or_passes(key: str, timeouts: bool) -> None:
    """When the time is over the first legal card is played, or what the game names for that is said."""
    game: AnyGame = CATALOGUE.game_for(RuleSet(key))
    walk = known_walk(RuleSet(key), "sound", deals=1, effort=1)
    p = next(p for p in walk.positions if seat_to_move(game, p) is not None)
    seat = seat_to_move(game, p)
    assert seat == game.turn(p)
    listed = legal_moves(game, p, seat or 0)
    move = default_move(game, p, seat or 0)
    assert timeouts == game.move_specs[move.verb].timeout_default
    assert timeouts or move == next(move for move in listed if not game.move_specs[move.verb].out_of_turn)
    assert move in listed
    assert seat_to_move(game, game.start()) is None


def test_no_card_lies_before_a_seat_that_is_out() -> None:
    """To ask for it is a fault of the program, and is said."""
    walk = known_walk(RuleSet("cucu", 4, (("tokens", "1"),)), "sound", deals=4, effort=1)
    p: Any = next(p for p in walk.positions if None in p.held)
    with pytest.raises(LookupError, match="no card lies before seat"):
        p.held_by(p.held.index(None))


def test_chance_takes_no_part_in_what_the_table_offers() -> None:
    """What chance supplies is listed to nobody as a move."""
    for key in ("briscola", "cucu"):
        game = CATALOGUE.game_for(RuleSet(key))
        assert legal_moves(game, game.start(), 0) == ()
        assert Move("start_deal") not in game.candidates(game.start(), 0)


# ---------------------------------------------------------------------- reading positions


PACKS = (ITALIAN, FRENCH_52, CUCCO, ITALIAN.without(Card("2", "b")), CUCCO.without(Card("MAT")))
TRICK_GAMES = [rule_set for rule_set in defaults() if isinstance(CATALOGUE.game_for(rule_set), Rules)]


@pytest.mark.parametrize("pack", PACKS, ids=range(len(PACKS)))
def test_only_the_whole_pack_is_held_exactly(pack: Pack) -> None:
    """Of packs in which some cards were put in place of others exactly those with the same cards are the pack."""
    rng, faces = Random("packs"), list(pack.faces.values())
    for _ in range(300):
        cards = rng.sample(pack.cards, len(pack.cards))
        for _ in range(rng.randrange(4)):
            cards[rng.randrange(len(cards))] = rng.choice(faces)
        assert (Counter(cards) == Counter(pack.cards)) == pack.holds_exactly(cards)
    assert not pack.holds_exactly(pack.cards[1:])


def test_few_short_texts_are_kept() -> None:
    """What was decoded is kept by its text, unless that is long; never more than so much, and nothing that is wrong."""
    decoded: list[str] = []

    def decode(text: str) -> int:
        decoded.append(text)
        return int(text)

    cache = DecodedByText(decode, 5)
    assert [12, 12] == [cache["12"], cache["12"]]
    assert [123456, 123456] == [cache["123456"], cache["123456"]]
    assert ["12", "123456", "123456"] == decoded
    with pytest.raises(ValueError, match="x"):
        _ = cache["x"]
    assert {"12": 12} == cache
    for number in range(2 * CACHE_SIZE):
        assert number == cache[str(number)]
        assert len(cache) <= CACHE_SIZE


@pytest.mark.parametrize("rule_set", TRICK_GAMES, ids=name)
def test_an_action_finds_fault_only_with_what_it_records(rule_set: RuleSet) -> None:
    """The check of an action is left out where its field is empty, so it names one, or the game has an own record."""
    game = CATALOGUE.game_for(rule_set)
    assert isinstance(game, Rules)
    checked = [action for phase in game.phases for action in phase.actions if overrides(action, "fault")]
    assert {"", *(action.recorded_in for action in checked)} <= {"", "signals", "shown", "exchanged"}
    assert game.own is not NoRecord or all(action.recorded_in for action in checked)


@pytest.mark.parametrize("rule_set", TRICK_GAMES, ids=name)
def test_a_trick_taken_by_another_seat_is_refused_again_and_again(rule_set: RuleSet) -> None:
    """A position is read before and after one with a trick that another seat took, which is refused each time."""
    game = CATALOGUE.game_for(rule_set)
    assert isinstance(game, Rules)
    t = next(t for t in reversed(walk(rule_set, "again", 1).positions) if t.tricks and t.phase in game.deal_phases)
    leader, cards, winner = t.tricks[0]
    spoilt = t._replace(tricks=(Trick(leader, cards, (winner + 1) % game.seats), *t.tricks[1:]))
    for _ in range(2):
        assert t == game.decode(game.encode(t))
        with pytest.raises(InvalidPosition) as refused:
            game.decode(game.encode(spoilt))
        assert "tricks" == refused.value.field


@pytest.mark.parametrize("rule_set", TRICK_GAMES, ids=name)
def test_parts_that_are_not_asked_would_find_nothing(rule_set: RuleSet) -> None:
    """Phases and actions without a check of their own find no fault in any position, and decide no first lead."""
    game = CATALOGUE.game_for(rule_set)
    assert isinstance(game, Rules)
    phases = [phase for phase in game.phases if not overrides(phase, "fault")]
    actions = [one for phase in game.phases for one in phase.actions if not overrides(one, "fault")]
    undecided = [phase for phase in game.phases if not overrides(phase, "first_lead")]
    found: set[object] = set()
    for step in walk(rule_set, "silent").steps:
        found |= {one.fault(game, step.before) for one in actions}
        found |= {phase.fault(game, step.before) for phase in phases}
        found |= {phase.first_lead(game, step.before) for phase in undecided}
    assert {None} == found


def test_a_checked_move_is_applied() -> None:
    """A move that was checked leads where the move itself leads."""
    played = walk(RuleSet("briscola", 2), "walked positions")
    for step in played.steps:
        if step.actor != CHANCE:
            checked = check_move(played.game, step.before, step.actor, step.move)
            applied = apply_checked(played.game, step.before, checked)
            assert applied == rules.apply_move(played.game, step.before, step.actor, step.move)


def test_counts_are_summed_up() -> None:
    """A case without decisions has one node, no leaf and nothing refused."""
    assert ["nodes 1", "leaves 0", "forced 0"] == list(
        sums(CATALOGUE, Case(RuleSet("briscola", 2), strides=(7,), depth=0))
    )


def test_a_card_is_shown_as_its_notation() -> None:
    """A card in a message of a test is its notation; games of this package bring no folders of records."""
    assert "[Ab]" == str([CATALOGUE.game("briscola").pack.card("Ab")])
    assert () == CATALOGUE.records
