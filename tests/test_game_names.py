"""Games are named in their own files alone: neither their keys and titles nor their clauses stand anywhere else."""

from __future__ import annotations

import re

import pytest

from chitarrella.core.model import COMMON
from tests.test_architecture import PACKAGE, ROOT, named
from tests.test_rules_style import FILES, GAMES, games_in

NAMED = {
    "transports/rest/api_documents/examples.json": "the page of the paths shows requests that can be sent as they are",
    "transports/rest/website/strength.json": "how strong the bots are was measured game by game",
    "games/hundredogen.py": "its source describes it by its differences from harjan, and so do its clauses",
}
"""The files that name a game that is neither theirs nor their parent, each with the reason."""
SCRIPTS = ROOT / "clients" / "typescript" / "web"
"""The sources of the scripts that the service serves."""
KINDS = (".py", ".lua", ".json", ".html", ".md", ".proto", ".txt", ".js", ".ts")
NOT_READ = (PACKAGE / "v1", PACKAGE / "transports" / "rest" / "website" / "static" / "records", SCRIPTS / "tests")
"""What is generated from the contract, the example of a record of each game, and tests."""
TEXTS = {
    re.sub(r"^(service|proto)/chitarrella/", "", named(path)): path
    for folder in (PACKAGE, ROOT / "proto" / "chitarrella", SCRIPTS)
    for path in folder.rglob("*.*")
    if path.suffix in KINDS and not any(path.is_relative_to(folder) for folder in NOT_READ)
}
"""Every text of the service, of its scripts and of the contract, but for translations."""
TRUMPS = re.compile(r"\b(di|senza) briscola\b|\bbriscola: ")
"""The Italian word for trumps, as the pages with scripts use it; it is also the name of a game."""


def own_and_parents(name: str) -> set[str]:
    """The file of a game and, for a variant, those that it imports."""
    wanted = re.findall(r"from chitarrella\.games\.(\w+) import", FILES[name].read_text(encoding="utf-8"))
    return {name}.union(*map(own_and_parents, wanted))


@pytest.mark.parametrize("name", TEXTS)
def test_no_game_is_named_outside_its_own_file(name: str) -> None:
    """No key and no title of a game stands in the text of another file, but those of its parent in a variant."""
    path = TEXTS[name]
    known = own_and_parents(path.stem) if path in FILES.values() else set()
    others = [game for file in FILES.keys() - known for game in games_in(file)]
    words = {re.escape(word) for game in others for word in (game.key, game.key.replace("-", "_"), game.title)}
    text = TRUMPS.sub("", path.read_text(encoding="utf-8"))
    found = re.findall(rf"(?<!\w)(?:{'|'.join(sorted(words))})(?!\w)", text, re.IGNORECASE)
    assert bool(found) == (name in NAMED), found


PREFIXES = {clause.key.partition("-")[0] for game in GAMES for clause in game.clauses if clause not in COMMON}
"""What stands before the hyphen in the keys of clauses that belong to a game."""


@pytest.mark.parametrize("name", TEXTS)
def test_no_clause_of_a_game_is_cited_outside_its_own_file(name: str) -> None:
    """No key of a game's clause stands in the text of a building block: several games may be made of it."""
    if TEXTS[name] not in FILES.values():
        cited = re.findall(rf"\b(?:{'|'.join(PREFIXES)})-[A-Z]?\d+", TEXTS[name].read_text(encoding="utf-8"))
        assert [] == cited
