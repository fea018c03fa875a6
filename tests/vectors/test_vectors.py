"""What is said of the vectors is so: their figures, their words, and that no file is without its kind."""

from __future__ import annotations

import re

import pytest

from chitarrella.catalogue.registry import RuleSet
from tests.invalid_positions import script as invalid_positions
from tests.perft import script as perft
from tests.playthroughs import script as playthroughs
from tests.refusals import script as refusals
from tests.vectors import plain
from tests.vectors.blocks import read_all
from tests.vectors.rules import COMMAND, FOLDER, RULES, rules
from tests.vectors.write import DIGESTS, digests
from tests.views import script as views
from tests.walks import CATALOGUE, name

README = (FOLDER / "README.md").read_text(encoding="utf-8")


def row(folder: str) -> str:
    """What the README says of a folder."""
    (found,) = re.findall(rf"^\| `{re.escape(folder)}` \|[^|]*\| (.*) \|$", README, re.MULTILINE)
    return str(found)


def test_the_figures_of_perft() -> None:
    """The README says how many counts there are, of how many stride deals and rule sets."""
    cases = perft.all_kept()
    deals = {written.case[:4] for written in cases if written.case.strides}
    rule_sets = {rule_set for rule_set, *_ in deals}
    figures = sum(written.figures for written in cases)
    said = f"{figures:,} counts of {len(deals):,} stride deals, of {len(rule_sets)} rule sets"
    assert said == row("perft/")


def test_the_figures_of_playthroughs() -> None:
    """The README says how many there are."""
    assert f"{len(playthroughs.kept()):,} playthroughs" == row("playthroughs/")


def test_the_figures_of_refusals() -> None:
    """The README says how many moves are asked, and how many broken clauses are the answer."""
    asked = [asked for scene in read_all(refusals.FOLDER, refusals.read_scenes) for asked in scene.asked]
    broken = sum(line != refusals.ALLOWED for one in asked for line in one.answer)
    assert f"{len(asked):,} moves, {broken:,} broken clauses" == row("refusals/")


def test_the_figures_of_invalid_positions() -> None:
    """The README says how many there are."""
    assert f"{len(read_all(invalid_positions.FOLDER, invalid_positions.read)):,} lines" == row("invalid_positions/")


def test_the_figures_of_views() -> None:
    """The README says how many there are."""
    assert f"{len(read_all(views.FOLDER, views.read)):,} views" == row("views/")


def test_the_rules() -> None:
    """The rules are those of the catalogue today."""
    assert f"{len(list(CATALOGUE))} games" == row("rules.md")
    assert RULES.read_text(encoding="utf-8") == rules(), f"run {COMMAND}"


def test_the_full_set_is_of_the_present_editions() -> None:
    """There is a digest of each file of the full set, of the present edition of its game."""
    games = [
        (folder, game, suffix) for folder, suffix in (("perft", "perft"), ("playthroughs", "txt")) for game in CATALOGUE
    ]
    wanted = {f"{folder}/{game.key}.{suffix}": str(game.edition) for folder, game, suffix in games}
    assert wanted == {file: numbers.split()[1] for file, numbers in digests().items()}, f"run {COMMAND} ARGS=--all"
    assert f"{len(wanted)} digests" == row(DIGESTS.name)


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
