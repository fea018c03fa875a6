"""Laws of malformed input: whatever is sent is accepted or refused with a reason."""

import os
from functools import lru_cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chitarrella.catalogue.record import InvalidRecord, Record, format_record, parse_record
from chitarrella.catalogue.registry import RuleSet, UnknownEdition, UnknownGame
from chitarrella.core.cards import UnknownCard
from chitarrella.core.game import AnyGame, validate_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import InvalidPosition, MalformedMove, format_move, make_move, parse_move
from chitarrella.core.options import InvalidOption
from chitarrella_testing.exchange_expectations import EXCHANGE_SHARE_MOVES
from chitarrella_testing.outside import EDITS, NUMBERS, Edit, check_line, corrupt
from tests.conftest import SAMPLE
from tests.walks import CATALOGUE, Walk, defaults, known_walk, name, universe

DEALS = int(os.environ.get("CHITARRELLA_DEALS", "0"))
OFTEN = settings(max_examples=max(DEALS, 40), derandomize=not DEALS, database=None, deadline=None)
"""Forty examples, always the same; with CHITARRELLA_DEALS that many, and new ones each time."""

MEASURED = [rule_set for rule_set in defaults() if name(rule_set) in SAMPLE]
OTHERS = {rule_set.game: rule_set for rule_set in defaults() if rule_set.game not in {each.game for each in MEASURED}}
RULE_SETS = defaults() if DEALS else [*MEASURED, *OTHERS.values()]
"""Every game with one number of players, because others read their lines alike; `make soak` has all."""

PLACES = st.integers(0, 2**16)
NUMBER_CHANGES = ("change value", "change number")
CHANGES = st.lists(st.tuples(st.sampled_from(sorted(EDITS)), PLACES, PLACES), min_size=1, max_size=4)


@lru_cache(maxsize=8)
def lines(rule_set: RuleSet) -> tuple[str, ...]:
    """Valid positions of a game, one line each: three deals, or the match."""
    walk = known_walk(rule_set, "lines", deals=3, effort=1)
    return tuple(dict.fromkeys(walk.game.encode(p) for p in walk.positions))


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
@OFTEN
@given(changes=CHANGES, one=PLACES, two=PLACES)
def test_a_corrupted_position_is_refused_or_can_be_played_to_its_end(
    rule_set: RuleSet, changes: list[Edit], one: int, two: int
) -> None:
    """A corrupted line is an `InvalidPosition`, or a position in which every function works until a deal is over."""
    game: AnyGame = CATALOGUE.game_for(rule_set)
    good = lines(rule_set)
    line = corrupt(good[one % len(good)], changes, good[two % len(good)])
    check_line(game, line, EXCHANGE_SHARE_MOVES, far=True)


@pytest.mark.measured_sample
@pytest.mark.parametrize("rule_set", RULE_SETS, ids=name)
def test_a_wrong_number_is_refused_or_does_no_harm(rule_set: RuleSet) -> None:
    """Each value and number of a position, replaced by odd ones, makes an `InvalidPosition` or a usable position."""
    game: AnyGame = CATALOGUE.game_for(rule_set)
    good = lines(rule_set)
    changes = [(kind, place, at) for at, _ in enumerate(NUMBERS) for place in range(12) for kind in NUMBER_CHANGES]
    chosen = (good[0], good[len(good) // 4], good[len(good) // 2 + 1], good[-1])
    for line in dict.fromkeys(corrupt(line, [change]) for line in chosen for change in changes):
        check_line(game, line, EXCHANGE_SHARE_MOVES, far=False)


@pytest.mark.measured_sample
@pytest.mark.parametrize("rule_set", RULE_SETS, ids=name)
@OFTEN
@given(words=st.text(max_size=300))
def test_words_that_are_no_position_are_refused(rule_set: RuleSet, words: str) -> None:
    """Any text that is not a position is an `InvalidPosition`."""
    with pytest.raises(InvalidPosition):
        CATALOGUE.game_for(rule_set).decode(words)


@lru_cache(maxsize=8)
def words_of(rule_set: RuleSet) -> tuple[str, ...]:
    """Moves of a game as text: those that were played, and some of all possible ones."""
    walk = known_walk(rule_set, "lines", deals=3, effort=1)
    moves = [move for _, move in walk.moves] + list(universe(walk.game, Random(0), 40))
    return tuple(dict.fromkeys(format_move(move) for move in moves))


@pytest.mark.measured_sample
@pytest.mark.parametrize("rule_set", RULE_SETS, ids=name)
@OFTEN
@given(changes=CHANGES, one=PLACES, two=PLACES)
def test_a_corrupted_move_is_malformed_or_validated(rule_set: RuleSet, changes: list[Edit], one: int, two: int) -> None:
    """The corrupted text of a move is malformed, or a move that can be validated."""
    walk = known_walk(rule_set, "lines", deals=3, effort=1)
    good = words_of(rule_set)
    text = corrupt(good[one % len(good)], changes, good[two % len(good)])
    try:
        move = parse_move(walk.game, text)
    except (MalformedMove, UnknownCard):
        return
    assert move == parse_move(walk.game, format_move(move))
    validate_everywhere(walk, move)


def validate_everywhere(walk: Walk, move: Move) -> None:
    """Validate ``move`` for every seat, in positions from the beginning to the end."""
    some = max(7, len(walk.positions) // 40)
    for p in (walk.positions[0], walk.positions[-1], *walk.positions[1:-1:some]):
        for actor in (CHANCE, *range(walk.game.seats)):
            validate_move(walk.game, p, actor, move)


@pytest.mark.measured_sample
@pytest.mark.parametrize("rule_set", RULE_SETS, ids=name)
@OFTEN
@given(data=st.data())
def test_raw_arguments_are_malformed_or_a_move(rule_set: RuleSet, data: st.DataObject) -> None:
    """Arguments of any number and kind make a move of the game, or are malformed."""
    walk = known_walk(rule_set, "lines", deals=3, effort=1)
    faces = st.sampled_from(sorted(walk.game.pack.faces)) | st.text(max_size=5)
    verb = data.draw(st.sampled_from(sorted(walk.game.move_specs)) | st.text(max_size=8))
    spec = walk.game.move_specs.get(verb)
    words = st.sampled_from(spec.choices) if spec and spec.choices else st.just("")
    try:
        move = make_move(
            walk.game,
            verb,
            data.draw(st.lists(faces, max_size=5)),
            data.draw(words | st.text(max_size=5)),
            data.draw(st.none() | st.integers(-5, 200) | st.integers()),
            data.draw(st.none() | st.integers(-3, 25)),
            tuple(data.draw(st.lists(st.tuples(st.text(max_size=3), st.integers()), max_size=2))),
        )
    except (MalformedMove, UnknownCard):
        return
    validate_everywhere(walk, move)


@lru_cache(maxsize=8)
def records(rule_set: RuleSet) -> tuple[str, str]:
    """A record from the beginning, and one from a position within."""
    walk = known_walk(rule_set, "lines", deals=3, effort=1)
    settled = CATALOGUE.normalize(rule_set)
    half = len(walk.moves) // 2
    rest = Record(settled, walk.game.encode(walk.positions[half]), walk.moves[half:][:20])
    whole = Record(settled, "", walk.moves[:20])
    return format_record(CATALOGUE, whole), format_record(CATALOGUE, rest)


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=name)
@OFTEN
@given(changes=CHANGES, one=st.integers(0, 1), at=PLACES)
def test_a_corrupted_record_is_named_as_bad_or_read(rule_set: RuleSet, changes: list[Edit], one: int, at: int) -> None:
    """A corrupted record is parsed, or refused for its text, its game, its options or its position."""
    text = records(rule_set)[one].split("\n")
    at %= len(text)
    text[at] = corrupt(text[at], changes, text[at - 1])
    try:
        record = parse_record(CATALOGUE, "\n".join(text))
    except (InvalidRecord, UnknownGame, UnknownEdition, InvalidOption, InvalidPosition):
        return
    again = parse_record(CATALOGUE, format_record(CATALOGUE, record, comments=False))
    assert record.moves == again.moves


@settings(OFTEN, max_examples=200)
@given(text=st.text(max_size=400))
def test_any_text_is_named_as_bad_where_it_is_no_record(text: str) -> None:
    """Any text that is not a record is refused."""
    with pytest.raises((InvalidRecord, UnknownGame)):
        parse_record(CATALOGUE, text)
