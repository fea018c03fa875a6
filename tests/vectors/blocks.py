"""The form that files of vectors share: a heading, then blocks of lines, each of which begins with its rule set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from chitarrella.catalogue.registry import RuleSet
from tests.walks import CATALOGUE

T = TypeVar("T")


def write_blocks(key: str, what: str, command: str, blocks: Iterable[tuple[RuleSet, list[str]]]) -> str:
    """Write the file of a game: what it holds, and by which command it was written."""
    game = CATALOGUE.game(key)
    texts = [f"# {game.title}: {what}. Written by {command}.\ngame {key}\nedition {game.edition}\n"]
    for rule_set, lines in blocks:
        options = [f"option {name} {value}" for name, value in rule_set.options]
        texts.append("\n".join([f"players {rule_set.players}", *options, *lines]) + "\n")
    return "\n".join(texts)


def read_blocks(text: str) -> Iterator[tuple[RuleSet, list[tuple[str, str]]]]:
    """Read such a file: for each block the rule set, and the other lines as their first word and the rest."""
    head, *blocks = text.split("\n\n")
    said = dict(line.split(" ", 1) for line in head.splitlines() if not line.startswith("#"))
    for block in blocks:
        rows = [(head, rest) for head, _, rest in (line.partition(" ") for line in block.splitlines())]
        players = next(int(rest) for head, rest in rows if head == "players")
        options = tuple((name, value) for name, _, value in (r.partition(" ") for head, r in rows if head == "option"))
        rule_set = RuleSet(said["game"], players, options, int(said["edition"]))
        yield rule_set, [row for row in rows if row[0] not in ("players", "option")]


def read_all(folder: Path, read: Callable[[str], Iterable[T]], pattern: str = "*.txt") -> list[T]:
    """Read everything that the files of a folder hold."""
    return [one for path in sorted(folder.glob(pattern)) for one in read(path.read_text(encoding="utf-8"))]
