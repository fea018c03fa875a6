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
from chitarrella.core.game import AnyGame, Position, actors, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Money, Move
from chitarrella.core.notation import InvalidPosition, MalformedMove, format_move, make_move, parse_move
from chitarrella.core.options import InvalidOption
from chitarrella.core.visibility import view_for
from chitarrella_testing.exchange_expectations import EXCHANGE_SHARE_MOVES
from chitarrella_testing.expectations import next_games
from tests.conftest import SAMPLE
from tests.properties.corrupt import NUMBERS, Edit, corrupt, edits
from tests.walks import BOUND, CATALOGUE, Walk, choose, defaults, known_walk, name, universe

DEALS = int(os.environ.get("CHITARRELLA_DEALS", "0"))
OFTEN = settings(max_examples=max(DEALS, 40), derandomize=not DEALS, database=None, deadline=None)
"""Forty examples, always the same; with CHITARRELLA_DEALS that many, and new ones each time."""

WIDEST = 2**31  # numbers are sent in 32 bits
WIDEST_MONEY = 2**63 - 1  # money is sent in 64 bits

MEASURED = [rule_set for rule_set in defaults() if name(rule_set) in SAMPLE]
OTHERS = {rule_set.game: rule_set for rule_set in defaults() if rule_set.game not in {each.game for each in MEASURED}}
RULE_SETS = defaults() if DEALS else [*MEASURED, *OTHERS.values()]
"""Every game with one number of players, because others read their lines alike; `make soak` has all."""

PLACES = st.integers(0, 2**16)
NUMBER_CHANGES = ("change value", "change number")
ASKED_SEATS = 5
"""The number of seats, drawn for each position, that look at it and send moves; more add time and reach nothing new."""


@lru_cache(maxsize=8)
def lines(rule_set: RuleSet) -> tuple[str, ...]:
    """Valid positions of a game, one line each: three deals, or the match."""
    walk = known_walk(rule_set, "lines", deals=3, effort=1)
    return tuple(dict.fromkeys(walk.game.encode(p) for p in walk.positions))


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
@OFTEN
@given(changes=edits(), one=PLACES, two=PLACES)
def test_a_corrupted_position_is_refused_or_can_be_played_to_its_end(
    rule_set: RuleSet, changes: list[Edit], one: int, two: int
) -> None:
    """A corrupted line is an `InvalidPosition`, or a position in which every function works until a deal is over."""
    game: AnyGame = CATALOGUE.game_for(rule_set)
    good = lines(rule_set)
    line = corrupt(good[one % len(good)], changes, good[two % len(good)])
    check_line(game, line, far=True)


@pytest.mark.measured_sample
@pytest.mark.parametrize("rule_set", RULE_SETS, ids=name)
def test_a_wrong_number_is_refused_or_does_no_harm(rule_set: RuleSet) -> None:
    """Each value and number of a position, replaced by odd ones, makes an `InvalidPosition` or a usable position."""
    game: AnyGame = CATALOGUE.game_for(rule_set)
    good = lines(rule_set)
    changes = [(kind, place, at) for at, _ in enumerate(NUMBERS) for place in range(12) for kind in NUMBER_CHANGES]
    chosen = (good[0], good[len(good) // 4], good[len(good) // 2 + 1], good[-1])
    for line in dict.fromkeys(corrupt(line, [change]) for line in chosen for change in changes):
        check_line(game, line, far=False)


def check_line(game: AnyGame, line: str, *, far: bool) -> None:
    """Decode a line that may be invalid; if it is a position, call every function on it, and with ``far`` play on."""
    try:
        p = game.decode(line)
    except InvalidPosition:
        return
    assert p == game.decode(game.encode(p))
    ask(game, p, Random(line))
    if far:
        play_out(game, p, Random(line))


def play_out(game: AnyGame, p: Position, rng: Random) -> None:
    """Play from ``p`` until a deal that began after it is over; call every function now and then."""
    packs = moves = 0
    while moves < BOUND:
        turn = game.turn(p)
        over = turn is None or (turn == CHANCE and packs)
        if over or moves % 9 == 1:
            ask(game, p, rng)
        if over:
            for move in next_games(EXCHANGE_SHARE_MOVES, game, p, rng):
                after, _ = play(game, p, CHANCE, move)
                ask(game, after, rng)
            return
        packs += turn == CHANCE
        moves += 1
        actor, move = choose(game, p, rng)
        p, _ = play(game, p, actor, move)
    raise AssertionError("the deal does not end")


def ask(game: AnyGame, p: Position, rng: Random) -> None:
    assert game.phase(p)
    assert hash(p) == hash(game.decode(game.encode(p)))
    seats = rng.sample(range(game.seats), min(game.seats, ASKED_SEATS))
    for viewer in (None, REFEREE, *seats):
        view_for(game, p, viewer)
    actors(game, p)
    said = list(universe(game, rng, 10))
    for actor in (CHANCE, *seats):
        for move in (*legal_moves(game, p, actor), *game.candidates(p, actor), *said):
            validate_move(game, p, actor, move)
    assert game.seats == len(game.points(p)) == len(game.scores(p))
    values = [fact.value for fact in game.facts(p)]
    numbers = [*game.points(p), *game.scores(p), *(value for value in values if not isinstance(value, Money))]
    assert all(-WIDEST <= number < WIDEST for number in numbers if isinstance(number, int))
    money = [amount for value in values if isinstance(value, tuple) for _, amount in value]
    money += [value for value in values if isinstance(value, Money)]
    assert all(abs(amount) <= WIDEST_MONEY for amount in money)
    game.outcome(p)


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
@given(changes=edits(), one=PLACES, two=PLACES)
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
@given(changes=edits(), one=st.integers(0, 1), at=PLACES)
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
