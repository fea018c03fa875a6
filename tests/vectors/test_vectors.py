"""What is said of the vectors is so: their figures, their words, and that no file is without its kind."""

from __future__ import annotations

import re

import pytest

from chitarrella.catalogue.registry import RuleSet
from tests.perft import cases as perft
from tests.vectors import plain
from tests.vectors.rules import COMMAND, FOLDER, RULES, rules
from tests.vectors.write import digests
from tests.walks import CATALOGUE, name


def test_the_rules() -> None:
    """The rules are those of the catalogue today."""
    assert RULES.read_text(encoding="utf-8") == rules(), f"run {COMMAND}"


def test_the_full_set_is_of_the_present_editions() -> None:
    """There is a digest of each file of the full set, of the present edition of its game."""
    games = [
        (folder, game, suffix) for folder, suffix in (("perft", "perft"), ("playthroughs", "txt")) for game in CATALOGUE
    ]
    wanted = {f"{folder}/{game.key}.{suffix}": str(game.edition) for folder, game, suffix in games}
    assert wanted == {file: numbers.split()[1] for file, numbers in digests().items()}, f"run {COMMAND} ARGS=--all"


def test_every_field_of_a_position_is_described() -> None:
    """``docs/notation.md`` has a row for each field that stands in any position of the vectors."""
    page = (FOLDER.parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.txt")]
    lines = {line for text in texts for line in text.splitlines() if line.startswith("position ")}
    used = {word.partition("=")[0] for line in lines for word in line.split()[1:]}
    assert used <= described
    assert {"hands", "held", "talk", "lives"} <= used


PLAIN = {
    "-".join(section.said.values()): section
    for game in ("briscola", "briscolone")
    for section in plain.read((perft.FOLDER / f"{game}.perft").read_text(encoding="utf-8"))
    if section.said["players"] == "2" and "deuce_exchange" not in section.said
}


@pytest.mark.parametrize("section", PLAIN.values(), ids=PLAIN)
def test_a_plain_program_counts_the_same(section: plain.Section) -> None:
    """Who follows the README and knows nothing of this engine comes to the same counts, part for part."""
    assert len(section.deals) >= 17
    for deal in section.deals:
        assert list(plain.counted(section.said, deal)) == deal.counts


OTHERS = [
    rule_set
    for rule_set in perft.rule_sets()
    if (rule_set.game, rule_set.players) in {("briscola", 2), ("briscolone", 2)}
    and "deuce_exchange" not in dict(rule_set.options)
    and rule_set not in {written.case.rule_set._replace(edition=0) for written in perft.all_kept()}
]


@pytest.mark.parametrize("rule_set", OTHERS, ids=name)
def test_a_plain_program_counts_the_same_of_other_options(rule_set: RuleSet) -> None:
    """So it does with the options for two that the files have for another number of players."""
    text = perft.of_game(rule_set.game, [perft.section(rule_set, perft.KEPT._replace(deals=12, nodes=100))])
    (section,) = plain.read(text)
    assert len(section.deals) > 12
    for deal in section.deals:
        assert list(plain.counted(section.said, deal)) == deal.counts
