"""The files of games are what the rules play and answer today, and cover what they are to cover."""

from __future__ import annotations

import pytest

from tests.vectors import positions
from tests.vectors.game_files import (
    COMMAND,
    FOLDER,
    GameFile,
    compact,
    cover,
    expanded,
    is_shown,
    kept,
    path_of,
    read,
    record_of,
    replayed,
    written,
)
from tests.vectors.playthroughs import SIGN, changed_by_option, playthrough, rule_sets
from tests.vectors.playthroughs import replayed as steps_of
from tests.walks import CATALOGUE, defaults, name

GAMES = [game.key for game in CATALOGUE]
NEVER: dict[tuple[str, str, str], str] = {}
"""Codes with clauses that no move can be refused with, though the rule book names them, and why."""


@pytest.mark.parametrize("key", GAMES)
def test_a_file_reads_back(key: str) -> None:
    """Written again, what a file holds is word for word that file, of the present edition."""
    text = path_of(key).read_text(encoding="utf-8")
    assert text == written(key, read(key, text)), f"run {COMMAND}"


def test_every_file_is_of_a_game() -> None:
    """There is a file for each game, and beside them that of the digests."""
    assert {f"{key}.txt" for key in GAMES} | {"digests.txt"} == {path.name for path in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("key", GAMES)
def test_the_playthroughs_play_again(key: str) -> None:
    """Played again, every playthrough comes to the same events, scores and winners, by the present edition."""
    for title, text in kept(key).playthroughs.items():
        assert text == replayed(text), title
        record = record_of(text)
        assert CATALOGUE.game(key).edition == record.rule_set.edition
        assert title.startswith(name(record.rule_set._replace(edition=0)))


@pytest.mark.parametrize("key", GAMES)
def test_the_deals_by_the_fixed_rule_are_those_of_today(key: str) -> None:
    """Every number of players that is shown has its first deal; played by the fixed rule it is what it is today."""
    found = kept(key).playthroughs
    assert [name(rule_set) for rule_set in defaults() if rule_set.game == key and is_shown(rule_set)] == [
        title for title, text in found.items() if not record_of(text).rule_set.options
    ]
    for rule_set in rule_sets():
        if rule_set.game == key and (text := found.get(name(rule_set))):
            assert text == compact(playthrough(rule_set, None if rule_set.options else 1) or "")


@pytest.mark.parametrize("key", GAMES)
def test_an_option_changes_its_deal(key: str) -> None:
    """No option has two deals; the moves of a random one are refused, or come to something else, without it."""
    found = {title: record_of(text) for title, text in kept(key).playthroughs.items()}
    options = [record.rule_set.options[0][0] for record in found.values() if record.rule_set.options]
    assert len(options) == len(set(options))
    for record in (record for title, record in found.items() if SIGN in title):
        game = CATALOGUE.game_for(record.rule_set)
        begins = game.decode(record.position) if record.position else game.start()
        assert changed_by_option(record.rule_set, steps_of(game, begins, record.moves)), record.rule_set


@pytest.mark.parametrize("key", GAMES)
def test_the_answers_are_what_the_file_says(key: str) -> None:
    """Asked again, every move is answered with the same clauses in the same order, and the same particulars."""
    for asked in kept(key).refusals:
        assert asked == positions.asked_again(asked)


@pytest.mark.parametrize("key", GAMES)
def test_every_clause_is_cited(key: str) -> None:
    """Every code that a game can refuse with is there with every clause it cites for it, or it is said why not."""
    found = set().union(*map(positions.all_cited, kept(key).refusals))
    known = {
        pair
        for rule_set in rule_sets()
        if rule_set.game == key
        for pair in positions.citable(CATALOGUE.game_for(rule_set))
    }
    assert found <= known
    assert known - found == {(code, clause) for game, code, clause in NEVER if game == key}, f"run {COMMAND}"


def test_several_clauses_at_once() -> None:
    """There are cases with two and more broken clauses."""
    answers = [asked.answer for key in GAMES for asked in kept(key).refusals]
    assert 20 <= sum(len(answer) > 1 for answer in answers)


@pytest.mark.parametrize("key", GAMES)
def test_the_faults_are_what_the_file_says(key: str) -> None:
    """Every line is no position, for the field and the reason that stand below it."""
    for one in kept(key).invalid:
        assert one == positions.fault(one.rule_set, one.line)


def test_kinds_of_faults_are_many() -> None:
    """All files together have every kind of fault, and each of them several fields."""
    assert len({one.kind[1] for key in GAMES for one in kept(key).invalid}) >= 200
    for key in GAMES:
        assert {"", "phase", "deal"} < {one.kind[0] for one in kept(key).invalid}


def test_lines_of_a_record_are_put_together() -> None:
    """Headings, the moves of a trick and the end are lines; taken apart again they are the record."""
    text = playthrough(rule_sets()[0], 1) or ""
    short = compact(text)
    assert short.count("\n") * 3 < text.count("\n") * 2
    assert expanded(short).splitlines() == [line for line in text.splitlines() if line]
    assert GameFile({}, [], []) == kept("no-game")


def test_a_few_show_what_all_show() -> None:
    """A cover leaves out what shows nothing of its own, and of equals takes the least."""
    shows = {"a": {1, 2, 3}, "bb": {1, 2, 3}, "c": {3, 4}, "d": {1}}
    assert cover(shows, lambda one: shows[one], lambda one: (len(one), one)) == ["a", "c"]
