"""Every law, for every game, every number of players and every option of the catalogue; and laws of names.

The number of deals is small here; ``CHITARRELLA_DEALS=100 pytest tests/properties/test_laws.py`` or
``python -m lab.soak.run`` play more.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import repeat

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chitarrella.catalogue.record import Record, format_record, parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import play, validate_move
from chitarrella.core.model import CHANCE, MAX_NAME_LENGTH, Move
from chitarrella.core.notation import format_move, make_move, parse_move
from chitarrella.exchange.round import MAX_PERSONS, Payment, is_number
from chitarrella_testing.checks import LAWS, check_law
from tests.walks import CATALOGUE, Walk, combined_variants, defaults, known_walk, name

DEALS = int(os.environ.get("CHITARRELLA_DEALS", "0"))


MEASURED, OTHERS = ("determinization",), tuple(law for law in LAWS if law != "determinization")


def broken(laws: Iterable[str], walks: Sequence[Walk]) -> list[str]:
    """What is said of each law that a walk breaks."""
    found = []
    for law in laws:
        try:
            for walk in walks:
                check_law(law, walk)
        except AssertionError as error:
            found.append(str(error))
    return found


@pytest.mark.measured_sample("determinization")
@pytest.mark.parametrize("laws", [MEASURED, OTHERS], ids=["determinization", "others"])
@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_every_game_keeps_the_laws(laws: Sequence[str], rule_set: RuleSet) -> None:
    """A game with its default options keeps each law, with every number of players."""
    walks = [known_walk(rule_set, str(number), deals=2, effort=6) for number in range(max(DEALS, 1))]
    assert [] == broken(laws, walks)


@pytest.mark.parametrize("rule_set", combined_variants(), ids=name)
def test_every_option_keeps_the_laws(rule_set: RuleSet) -> None:
    """A game keeps each law with every value of its options, several of them at once; `soak` plays each alone."""
    walks = [known_walk(rule_set, str(number), deals=2 - number % 2, effort=3) for number in range(max(DEALS, 1))]
    assert [] == broken(LAWS, walks)


def test_a_card_that_waits_is_in_no_partial_position() -> None:
    """The faced card of Madrasso is of no hand in a question about a part of a position, until it may be played."""
    waits = RuleSet("madrasso", 4, (("faced_card_waits", "true"),))
    check_law("partial_positions", known_walk(waits, "0", deals=1, effort=1))


CUCU = RuleSet("cucu", 3)
NAMES = st.text(min_size=1, max_size=80)
AMOUNTS = st.integers(-(2**53), 2**53)
REPRODUCIBLE = settings(max_examples=200, derandomize=True, database=None, deadline=None)


@REPRODUCIBLE
@given(shares=st.lists(st.tuples(NAMES, AMOUNTS), max_size=64))
@example(shares=[("a" * MAX_NAME_LENGTH, 1)])
def test_any_name_survives_a_round_trip(shares: list[tuple[str, int]]) -> None:
    """A move that names people is one line of ASCII, and parses to the same move."""
    game = CATALOGUE.game_for(CUCU)
    move = make_move(game, "reenter", shares=tuple(shares))
    line = format_move(move)
    assert line.isascii()
    assert [line] == line.splitlines()
    assert 1 + len(shares) == len(line.split())
    assert move == parse_move(game, line)


@REPRODUCIBLE
@given(name=NAMES)
def test_any_name_survives_a_position_and_a_record(name: str) -> None:
    """A person who joins the next game is in the position and in the record by name, and both survive a round trip."""
    walk = known_walk(CUCU, "names", deals=2, effort=1)
    moves = [(actor, move) for actor, move in walk.moves if move.verb != "start_next_game"]
    over = next(step.before if step.move.verb == "start_next_game" else step.after for step in reversed(walk.steps))
    move = Move("start_next_game", shares=((name, 1),))
    if is_number(name):
        return  # a whole number is a seat
    p, _ = play(walk.game, over, CHANCE, move)
    assert (name, 3) in p.match_state.next_table
    assert p == walk.game.decode(walk.game.encode(p))
    record = Record(CATALOGUE.normalize(CUCU), "", (*moves, (CHANCE, move)))
    assert record == parse_record(CATALOGUE, format_record(CATALOGUE, record))


def test_number_of_persons_is_limited() -> None:
    """A position takes `MAX_PERSONS` names of the greatest length and survives a round trip; one more is refused."""
    walks = [known_walk(RuleSet("cucu", 4, (("tokens", "1"),)), str(seed), deals=1, effort=1) for seed in range(5)]
    game = walks[0].game
    p = next(p for walk in walks for p in walk.positions if game.phase(p) == "reentry")
    people = [chr(0x10FF00 + number) * MAX_NAME_LENGTH for number in range(MAX_PERSONS)]
    claims = tuple(Payment(place, person, 10**15) for place, person in zip(repeat(p.at), people, strict=False))
    match_state = p.match_state._replace(net=(*p.match_state.net, *((person, 0) for person in people)), claims=claims)
    full = p._replace(match_state=match_state)
    assert full == game.decode(game.encode(full))
    cost = next(fact.value for fact in game.facts(full) if fact.name == "cost")
    assert isinstance(cost, int)
    known, new = (Move("reenter", shares=((person, cost),)) for person in (people[0], "zia"))
    assert not validate_move(game, full, p.at, known)
    assert ["wrong_contributions"] == [refusal.code for refusal in validate_move(game, full, p.at, new)]
    after, _ = play(game, full, p.at, known)
    assert after == game.decode(game.encode(after))
