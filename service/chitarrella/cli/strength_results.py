"""The results of ``strength`` in a file, deal by deal, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

import click

from chitarrella.bots.duplicate_match import Margin

DealKey: TypeAlias = tuple[str, int, tuple[tuple[str, str], ...], str, str, int]
"""A deal of a pairing: game, players, options, the two players, and the number of the deal."""


class ResultFile:
    """A file of JSON lines: the settings of the run, then one line for each deal that was played."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        """Read what there is, or begin the file; raises `click.UsageError` if it belongs to other settings.

        A last line that was cut off is dropped.
        """
        self._path = path
        self._margins: dict[DealKey, Margin] = {}
        try:
            lines = read_lines(path)
            if not lines:
                path.write_text(json.dumps(settings) + "\n", encoding="utf-8")
            elif lines[0] != settings:
                raise click.UsageError(f"{path} has results of other settings: {json.dumps(lines[0])}")
            self._margins = dict(map(_parse, lines[1:]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise click.UsageError(f"{path} cannot be used for results: {error}") from None

    def find(self, key: DealKey) -> Margin | None:
        """Return the margin of a deal that was played before."""
        return self._margins.get(key)

    def add(self, key: DealKey, margin: Margin) -> None:
        """Write the margin of a deal."""
        game, players, options, first, second, deal = key
        line = {"game": game, "players": players, "options": dict(options), "bots": [first, second], "deal": deal}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**line, **margin._asdict()}) + "\n")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file, none if there is no file; cut off a last line without an end."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def _parse(line: dict[str, Any]) -> tuple[DealKey, Margin]:
    """Return a deal and its margin."""
    first, second = line["bots"]
    key = (line["game"], line["players"], tuple(sorted(line["options"].items())), first, second, line["deal"])
    pairs = {name: (line[name][0], line[name][1]) for name in ("refused", "forfeits")}
    return key, Margin(line["ahead"], line["score"], line["points"], **pairs)
