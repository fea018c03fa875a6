"""The rules make the vectors whose digests are kept: all matches, and of the rest what is quick to make.

`make vectors ARGS=--check` compares all of them.
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
from tests.vectors.digests import EVERY_PACK, FILE, KINDS, Line, Part, advice, differences, merged, names, parts, read
from tests.vectors.playthroughs import rule_sets
from tests.vectors.rules import FOLDER
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


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
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
