"""The command ``chitarrella new-game``: begin a package with a game of one's own, which plays at once."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from chitarrella.catalogue.registry import KEY

FILES: Final = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling>=1.27", "chitarrella-testing"] # which compiles the translations
build-backend = "hatchling.build"

[project]
name = "{distribution}"
version = "0.1.0"
dependencies = ["chitarrella"]

[project.entry-points."chitarrella.games"]
{package} = "{package}"

[tool.hatch.build]
dev-mode-dirs = ["src"]

[tool.hatch.build.targets.wheel]
packages = ["src/{package}"]
artifacts = ["*.mo"]

[tool.hatch.build.hooks.chitarrella]
""",
    "src/{package}/__init__.py": '''\
"""{title}: to begin with, the suit led is followed, and most points of cards win the deal."""

from chitarrella import tricks
from chitarrella.core.cards import ITALIAN
from chitarrella.core.options import Choices, GameEntry, parse_rule_book

# A clause a line: KEY (REASON, VERB REASON) sentence [source]; a source alone is that of the clauses below it.
BOOK = parse_rule_book("""
aim: Take more points of cards than the other side.
[ruling]
{prefix}-1.1 Each seat is dealt ten cards, eldest first.
{prefix}-2.1 (must_follow_suit) The suit led is followed.
{prefix}-3.1 Who has taken more points of cards wins the deal.
""")
POINTS = tricks.Count("card_points", {{"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}})
RUBBER_GAMES = tricks.rubber_games("ruling")
FIRST_DEALER = tricks.first_dealer(3, "ruling")


def rules(agreed: Choices) -> tricks.Rules:
    return tricks.Rules(
        agreed,
        seating=tricks.partnerships(),
        pack=ITALIAN,
        order=tricks.Order(("A", "3", "R", "C", "F", "7", "6", "5", "4", "2"), (POINTS,)),
        dealing=tricks.Dealing("await_deal", tricks.StartDeal((10,))),
        following=tricks.FollowSuit(),
        series=tricks.Series(agreed[RUBBER_GAMES]),
        first_dealer=agreed[FIRST_DEALER],
    )


{constant} = GameEntry(
    key="{key}",
    title="{title}",
    place="Nowhere yet",
    sources=("my notes",),
    players=(4,),
    options=(RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    book=BOOK,
)
GAMES = ({constant},)
''',
    "tests/conftest.py": 'pytest_plugins = ["chitarrella_testing.pytest_plugin"]\n',
    "tests/test_{name}.py": """\
import pytest

from chitarrella.core.game import play
from chitarrella.core.model import CHANCE, Move
from chitarrella_testing.checks import Check
from {package} import {constant}


@pytest.mark.game("{key}", seconds=20, languages=())
def test_{name}_keeps_every_law(check: Check) -> None:
    check()


@pytest.mark.clause("{prefix}-1.1")
def test_ten_cards_are_dealt() -> None:
    game = {constant}.configure(4, {{}})
    dealt, _ = play(game, game.start(), CHANCE, Move("start_deal", game.pack.cards))
    assert [10, 10, 10, 10] == [len(hand) for hand in dealt.hands]
""",
}
"""The files of a package, by their paths."""


@click.command("new-game")
@click.argument("key")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the package is written.")
def command(key: str, folder: Path | None) -> None:
    """Begin a package with a game of your own, KEY, which plays at once."""
    if not KEY.fullmatch(key) or not key[0].isalpha() or "@" in key:
        raise click.ClickException(f"{key!r} is no key of a game: small letters, digits, - and _ are")
    name = key.replace("-", "_")
    words = {
        "key": key,
        "name": name,
        "package": f"chitarrella_{name}",
        "distribution": f"chitarrella-{key}",
        "constant": name.upper(),
        "prefix": name.upper().replace("_", "")[:3],
        "title": name.replace("_", " ").capitalize(),
    }
    root = folder or Path(f"chitarrella-{key}")
    if root.exists():
        raise click.ClickException(f"{root} is there already")
    for path, text in FILES.items():
        file = root / path.format(**words)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.format(**words), encoding="utf-8")
    click.echo(f"cd {root}; pip install -e . chitarrella-testing pytest; pytest; chitarrella play {key}")
