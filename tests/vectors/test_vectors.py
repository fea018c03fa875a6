"""The rules make the vectors whose digests are kept, and the files of games are what they play and answer today.

All matches are compared, and of the rest what is quick to make; `make vectors ARGS=--check` compares all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.perft_files import write_heading
from tests.conftest import SAMPLE
from tests.vectors import counts, digests, plain, positions
from tests.vectors.digests import (
    COMMAND,
    EVERY_PACK,
    FILE,
    KINDS,
    GameFile,
    Line,
    Part,
    advice,
    compact,
    cover,
    differences,
    expanded,
    file_text,
    game_file,
    is_shown,
    merged,
    names,
    parts,
    path_of,
    read,
    read_file,
    record_of,
    replayed,
)
from tests.vectors.playthroughs import SIGN, changed_by_option, playthrough, rule_sets
from tests.vectors.playthroughs import replayed as steps_of
from tests.vectors.positions import FOLDER
from tests.vectors.write import arguments, is_former, make, wanted
from tests.walks import CATALOGUE, defaults, name, walk

KNOWN = digests.kept()


def compare(what: tuple[str, int], kinds: Iterable[str] = ()) -> None:
    """Make parts and compare them with their digests."""
    found = differences(KNOWN.get(what), parts(what, tuple(kinds)), what)
    assert found == [], advice([line.game for line in [KNOWN.get(what)] if line])


def test_the_rules() -> None:
    """Options, moves, reasons and clauses of every game are in the words that they were in."""
    compare(digests.EVENTS)
    for game in CATALOGUE:
        compare((f"{game.key}{digests.RULES}", game.edition))


@pytest.mark.parametrize("rule_set", rule_sets(), ids=name)
def test_a_rule_set_plays_as_it_did(rule_set: RuleSet) -> None:
    """A match played by the fixed rule has the digest that is kept."""
    compare((name(rule_set), CATALOGUE.game(rule_set.game).edition), ["match"])


@pytest.mark.parametrize("rule_set", defaults()[::2], ids=name)
def test_first_deals_and_faults_are_as_they_were(rule_set: RuleSet) -> None:
    """Counts of the first deal, and faults of corrupted positions, are as they were if no option is chosen."""
    compare((name(rule_set), CATALOGUE.game(rule_set.game).edition), ["first", "invalid"])


@pytest.mark.parametrize("title", sorted(SAMPLE))
def test_all_kinds_are_as_they_were(title: str) -> None:
    """Random deals, refusals, invalid positions and views of a few rule sets have the digests that are kept."""
    compare((title, CATALOGUE.game(digests.rule_sets()[title].game).edition), KINDS.keys() - {"counts"})


def test_counts_over_every_pack() -> None:
    """Counts over every pack have the digest that is kept."""
    compare((f"cucu-2{EVERY_PACK}", CATALOGUE.game("cucu").edition))


def test_every_edition_plays_as_it_did() -> None:
    """The catalogue plays matches of former editions by the rules of their own edition."""
    for what in filter(is_former, KNOWN):
        compare(what)


def test_every_rule_set_has_its_digests() -> None:
    """There is a line for everything of the present editions, with all kinds, and of former editions the match."""
    present = list(names([game.key for game in CATALOGUE]))
    assert [] == [what for what in present if what not in KNOWN], "run make vectors ARGS=--keep"
    assert set(present) == {key for key in KNOWN if not is_former(key)}
    for title, edition in present:
        if title in digests.rule_sets():
            assert KINDS.keys() == KNOWN[title, edition].digests.keys()
    editions: dict[str, set[int]] = {}
    for line in (line for line in KNOWN.values() if line.game):
        editions.setdefault(line.game, set()).add(line.edition)
    assert editions == {game.key: {edition.number for edition in game.editions} for game in CATALOGUE}


def test_there_are_enough() -> None:
    """The whole set has at least so many counts, stride deals, playthroughs, refusals, invalid positions and views."""
    found = digests.amounts()
    assert found["counts"][0] >= 333_984
    assert found["counts"][1] >= 8_134
    assert found["match"][0] + found["deals"][0] >= 1_343
    assert found["refusals"][0] >= 4_225
    assert found["invalid"][0] >= 2_388
    assert found["views"][0] >= 587


def test_every_field_of_a_position_is_described() -> None:
    """``docs/notation.md`` has a row for each field that stands in a position of any game."""
    page = (FOLDER.parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    used = set()
    for rule_set in defaults():
        match = walk(rule_set, "fields", deals=2)
        used |= {word.partition("=")[0] for p in match.positions for word in match.game.encode(p).split()}
    for path in FOLDER.glob("*.txt"):
        for line in path.read_text(encoding="utf-8").replace(" / ", "\n").splitlines():
            if line.startswith("position "):
                used |= {word.partition("=")[0] for word in line.split()[1:]}
    assert used <= described
    assert {"hands", "held", "talk", "lives"} <= used


PLAIN = [rule_set for rule_set in rule_sets() if plain.knows(rule_set.game, rule_set.players, dict(rule_set.options))]


@pytest.mark.parametrize("rule_set", PLAIN, ids=name)
def test_a_plain_program_counts_the_same(rule_set: RuleSet) -> None:
    """Who follows the README and knows nothing of this engine comes to the same counts, line for line."""
    heading = write_heading(CATALOGUE, rule_set.game, "")
    (section,) = plain.read(f"{heading}\n{counts.section(rule_set, 5)}")
    assert len(section.cases) >= 6
    for case in section.cases:
        assert list(plain.counted(section.said, case)) == case.counts


# ---------------------------------------------------------------------- digests


def test_a_change_is_named_with_its_game_and_kind() -> None:
    """A part with another text is named by rule set and kind, with what is known; so is what has no line."""
    line = KNOWN["briscola-2", 1]
    part = Part((7,), "another text\n")
    assert differences(line, {"views": part}, line.key) == [
        f"briscola-2, views: {part.digest} instead of {line.digests['views']}"
    ]
    assert differences(None, {"views": part}, ("briscola-9", 1)) == [
        "briscola-9, edition 1: has no line in digests.txt"
    ]
    assert 'make vectors ARGS="briscola cucu"' in advice(["cucu", "briscola", "cucu"])


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Written again, the file is word for word the same; a file that is not there holds nothing."""
    digests.write(KNOWN.values(), tmp_path / "digests.txt")
    assert (tmp_path / "digests.txt").read_bytes() == FILE.read_bytes()
    assert {} == read(tmp_path / "none.txt")


def line_of(edition: int, match: str, deals: str = "1:b", *, released: bool = False) -> Line:
    """A line of Briscola with some digests."""
    return Line("briscola-2", edition, released, {"match": match, "deals": deals, "views": "1:c"})


def test_released_matches_change_only_with_the_edition() -> None:
    """The digests of released matches and deals stay while the edition does; who changes the rules raises it."""
    old = {("briscola-2", 1): line_of(1, "1:a", released=True)}
    changed = line_of(1, "1:z")
    lines, refused = merged(old, [changed], afresh=False)
    assert list(old.values()) == lines
    assert refused == ["briscola-2 plays otherwise than it was released; raise the edition from 1"]
    assert merged(old, [line_of(1, "1:a", "1:z")], afresh=False)[1] == refused
    new, allowed = merged(old, [line_of(1, "1:a", "1:z")], afresh=True)
    assert ([line_of(1, "1:a", "1:z", released=True)], []) == (new, allowed)
    unreleased = {("briscola-2", 1): line_of(1, "1:a")}
    assert ([changed], []) == merged(unreleased, [changed], afresh=False)


def test_a_new_edition_leaves_the_match_of_the_former_one() -> None:
    """With a new edition the line of the former one stays, with the match alone."""
    old = {("briscola-2", 1): line_of(1, "1:a", released=True)}
    lines, refused = merged(old, [line_of(2, "1:z")], afresh=False)
    assert refused == []
    assert lines == [old["briscola-2", 1]._replace(digests={"match": "1:a"}), line_of(2, "1:z")]


def test_parts_are_made_by_other_processes() -> None:
    """Made in a pool, the parts are the same as one by one, in order."""
    what = wanted(["harjan"])
    assert what == list(names(["harjan"]))
    made = list(make(what[:2], 2))
    assert [one.line.key for one in made] == what[:2] == [("harjan:rules", 1), ("harjan-2", 1)]
    assert made[1].parts["views"].text == positions.write_views(positions.views_of(digests.rule_sets()["harjan-2"]))
    assert arguments().parse_args(["--check", "harjan"]).games == ["harjan"]


GAMES = [game.key for game in CATALOGUE]
NEVER: dict[tuple[str, str, str], str] = {}
"""Codes with clauses that no move can be refused with, though the rule book names them, and why."""


@pytest.mark.parametrize("key", GAMES)
def test_a_file_reads_back(key: str) -> None:
    """Written again, what a file holds is word for word that file, of the present edition."""
    text = path_of(key).read_text(encoding="utf-8")
    assert text == file_text(key, read_file(key, text)), f"run {COMMAND}"


def test_every_file_is_of_a_game() -> None:
    """There is a file for each game, and beside them that of the digests."""
    assert {f"{key}.txt" for key in GAMES} | {"digests.txt"} == {path.name for path in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("key", GAMES)
def test_the_playthroughs_play_again(key: str) -> None:
    """Played again, every playthrough comes to the same events, scores and winners, by the present edition."""
    for title, text in game_file(key).playthroughs.items():
        assert text == replayed(text), title
        record = record_of(text)
        assert CATALOGUE.game(key).edition == record.rule_set.edition
        assert title.startswith(name(record.rule_set._replace(edition=0)))


@pytest.mark.parametrize("key", GAMES)
def test_the_deals_by_the_fixed_rule_are_those_of_today(key: str) -> None:
    """Every number of players that is shown has its first deal; played by the fixed rule it is what it is today."""
    found = game_file(key).playthroughs
    assert [name(rule_set) for rule_set in defaults() if rule_set.game == key and is_shown(rule_set)] == [
        title for title, text in found.items() if not record_of(text).rule_set.options
    ]
    for rule_set in rule_sets():
        if rule_set.game == key and (text := found.get(name(rule_set))):
            assert text == compact(playthrough(rule_set, None if rule_set.options else 1) or "")


@pytest.mark.parametrize("key", GAMES)
def test_an_option_changes_its_deal(key: str) -> None:
    """No option has two deals; the moves of a random one are refused, or come to something else, without it."""
    found = {title: record_of(text) for title, text in game_file(key).playthroughs.items()}
    options = [record.rule_set.options[0][0] for record in found.values() if record.rule_set.options]
    assert len(options) == len(set(options))
    for record in (record for title, record in found.items() if SIGN in title):
        game = CATALOGUE.game_for(record.rule_set)
        begins = game.decode(record.position) if record.position else game.start()
        assert changed_by_option(record.rule_set, steps_of(game, begins, record.moves)), record.rule_set


@pytest.mark.parametrize("key", GAMES)
def test_the_answers_are_what_the_file_says(key: str) -> None:
    """Asked again, every move is answered with the same clauses in the same order, and the same particulars."""
    for asked in game_file(key).refusals:
        assert asked == positions.asked_again(asked)


@pytest.mark.parametrize("key", GAMES)
def test_every_clause_is_cited(key: str) -> None:
    """Every code that a game can refuse with is there with every clause it cites for it, or it is said why not."""
    found = set().union(*map(positions.all_cited, game_file(key).refusals))
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
    answers = [asked.answer for key in GAMES for asked in game_file(key).refusals]
    assert 20 <= sum(len(answer) > 1 for answer in answers)


@pytest.mark.parametrize("key", GAMES)
def test_the_faults_are_what_the_file_says(key: str) -> None:
    """Every line is no position, for the field and the reason that stand below it."""
    for one in game_file(key).invalid:
        assert one == positions.fault(one.rule_set, one.line)


def test_kinds_of_faults_are_many() -> None:
    """All files together have every kind of fault, and each of them several fields."""
    assert len({one.kind[1] for key in GAMES for one in game_file(key).invalid}) >= 200
    for key in GAMES:
        assert {"", "phase", "deal"} < {one.kind[0] for one in game_file(key).invalid}


def test_lines_of_a_record_are_put_together() -> None:
    """Headings, the moves of a trick and the end are lines; taken apart again they are the record."""
    text = playthrough(rule_sets()[0], 1) or ""
    short = compact(text)
    assert short.count("\n") * 3 < text.count("\n") * 2
    assert expanded(short).splitlines() == [line for line in text.splitlines() if line]
    assert GameFile({}, [], []) == game_file("no-game")


def test_a_few_show_what_all_show() -> None:
    """A cover leaves out what shows nothing of its own, and of equals takes the least."""
    shows = {"a": {1, 2, 3}, "bb": {1, 2, 3}, "c": {3, 4}, "d": {1}}
    assert cover(shows, lambda one: shows[one], lambda one: (len(one), one)) == ["a", "c"]
