"""The rules make the vectors whose digests are kept, and the files of games are what they play and answer today.

All matches are compared, and of the rest what is quick to make; `make vectors ARGS=--check` compares all.
"""

import re
from collections.abc import Collection

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.perft_files import write_heading
from tests.conftest import SAMPLE
from tests.vectors import counts, digests, plain, positions
from tests.vectors.digests import EVENTS, EVERY_PACK, KINDS, RULES, Key, Line, Part, differences, merged, names, parts
from tests.vectors.game_files import COMMAND, GameFile, compact, file_text, game_file, played_again, shown
from tests.vectors.playthroughs import rule_sets, written
from tests.vectors.positions import FOLDER, again
from tests.walks import CATALOGUE, defaults, name, walk

KNOWN = digests.kept()
GAMES = [game.key for game in CATALOGUE]


def compare(what: Key, kinds: Collection[str] = ()) -> None:
    assert [] == differences(parts(what, kinds), what), digests.advice([KNOWN[what].game])


def test_the_rules() -> None:
    """Options, moves, reasons and clauses of every game are in the words that they were in."""
    for what in (EVENTS, *((f"{game.key}{RULES}", game.edition) for game in CATALOGUE)):
        compare(what)


@pytest.mark.parametrize(
    ("rule_set", "kinds"),
    [
        *((rule_set, ["match"]) for rule_set in rule_sets()),
        *((rule_set, ["invalid"]) for rule_set in defaults()[::2]),
        *((digests.rule_sets()[title], [*KINDS][1:]) for title in sorted(SAMPLE)),
    ],
    ids=lambda value: name(value) if isinstance(value, RuleSet) else "-".join(value),
)
def test_a_rule_set_is_as_it_was(rule_set: RuleSet, kinds: list[str]) -> None:
    """What is made of a rule set has the digests that are kept: of all the match, of the sample the other kinds too."""
    compare((name(rule_set), CATALOGUE.game(rule_set.game).edition), kinds)


def test_counts_over_every_pack() -> None:
    """Counts over every pack have the digest that is kept."""
    compare((f"cucu-2{EVERY_PACK}", CATALOGUE.game("cucu").edition))


def test_every_edition_plays_as_it_did() -> None:
    """The catalogue plays matches of former editions by the rules of their own edition."""
    for line in KNOWN.values():
        if line.is_former:
            compare(line.key)


def test_every_rule_set_has_its_digests() -> None:
    """There is a line for everything of the present editions, with all kinds, and of former editions the match."""
    present = list(names(GAMES))
    assert set(present) == {key for key, line in KNOWN.items() if not line.is_former}, f"run {COMMAND}"
    assert all(KINDS.keys() == KNOWN[key].digests.keys() for key in present if key[0] in digests.rule_sets())
    editions = {(game.key, edition.number) for game in CATALOGUE for edition in game.entry.editions}
    assert editions == {(line.game, line.edition) for line in KNOWN.values() if line.game}


def test_there_are_enough() -> None:
    """The whole set has at least so many counts, stride deals, playthroughs, refusals, invalid positions and views."""
    found = digests.amounts()
    assert found["counts"][0] >= 333_984
    assert found["counts"][1] >= 8_134
    assert found["match"][0] + found["deals"][0] >= 1_344
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
    cases = list(plain.read(f"{heading}\n{counts.section(rule_set, 5)}"))
    assert len(cases) >= 6
    for case in cases:
        assert list(plain.counted(case)) == case.counts


# ---------------------------------------------------------------------- digests


def test_a_change_is_named_with_its_game_and_kind() -> None:
    """A part with another text is named by rule set and kind, with what is known; so is what has no line."""
    part = Part((7,), "another text\n")
    known = KNOWN["briscola-2", 1].digests["views"]
    assert differences({"views": part}, ("briscola-2", 1)) == [f"briscola-2, views: {part.digest} instead of {known}"]
    assert differences({}, ("briscola-9", 1)) == ["briscola-9, edition 1: has no line in digests.txt.xz"]


def line_of(edition: int, match: str, deals: str = "1:b", *, released: bool = False) -> Line:
    return Line("briscola-2", edition, released, {"match": match, "deals": deals, "views": "1:c"})


def test_released_matches_change_only_with_the_edition() -> None:
    """The digests of a released match stay while the edition does; with a new edition the match of the former stays."""
    old = {("briscola-2", 1): line_of(1, "1:a", released=True)}
    lines, refused = merged(old, [line_of(1, "1:z")], afresh=False)
    assert (list(old.values()), 1) == (lines, len(refused))
    assert refused == merged(old, [line_of(1, "1:a", "1:z")], afresh=False)[1]
    new, allowed = merged(old, [line_of(1, "1:a", "1:z")], afresh=True)
    assert ([line_of(1, "1:a", "1:z", released=True)], []) == (new, allowed)
    former = old["briscola-2", 1]._replace(digests={"match": "1:a"})
    for found in ([line_of(2, "1:z")], [line_of(2, "1:z"), former]):
        lines, refused = merged(old, found, afresh=False)
        assert ([former, line_of(2, "1:z")], []) == (sorted(lines, key=lambda line: line.edition), refused)
    chapters = [Line("briscola:rules", edition, False, {"rules": "1:d"}) for edition in (1, 2)]
    assert (chapters[1:], []) == merged({chapters[0].key: chapters[0]}, chapters[1:], afresh=False)


# ---------------------------------------------------------------------- files of games

NEVER: dict[tuple[str, str, str], str] = {}
"""Codes with clauses that no move can be refused with, though the rule book names them, and why."""


def test_every_file_is_of_a_game() -> None:
    """There is a file for each game, and beside them that of the digests; a game without a file begins a new one."""
    assert {f"{key}.txt" for key in GAMES} == {path.name for path in FOLDER.glob("*.txt")}
    assert GameFile("", "\n", []) == game_file("no-game")


@pytest.mark.parametrize("key", GAMES)
def test_a_file_says_what_is_played_and_answered_today(key: str) -> None:
    """Played and asked again, what a file holds is word for word that file, of the present edition."""
    title, text, refusals = game_file(key)
    today = GameFile(
        title,
        compact(written(text.partition("\n")[0], *played_again(text))),
        [again(one) for one in refusals],
    )
    assert (FOLDER / f"{key}.txt").read_text(encoding="utf-8") == file_text(key, today), f"run {COMMAND}"
    assert (title, text) == shown(key)
    assert CATALOGUE.game(key).edition == played_again(text)[0].edition


@pytest.mark.parametrize("key", GAMES)
def test_every_clause_is_cited(key: str) -> None:
    """Every code that a game can refuse with is there with every clause it cites for it, or it is said why not."""
    found = set().union(*map(positions.all_cited, game_file(key).refusals))
    games = [CATALOGUE.game_for(rule_set) for rule_set in rule_sets() if rule_set.game == key]
    known = set().union(*map(positions.citable, games))
    assert found <= known
    assert known - found == {(code, clause) for game, code, clause in NEVER if game == key}, f"run {COMMAND}"
