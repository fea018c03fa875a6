"""The packages of games that an operator names: those that are not installed are an error at the start."""

from __future__ import annotations

from importlib.metadata import entry_points

from chitarrella.catalogue.packages import ALL, GROUP, NONE, normalized


def missing_packages(selection: str) -> list[str]:
    """Return the names in a selection that no installed package with games has."""
    if selection in {ALL, NONE}:
        return []
    installed = {normalized(entry.dist.name) for entry in entry_points(group=GROUP) if entry.dist}
    chosen = dict.fromkeys(map(normalized, filter(str.strip, selection.split(","))))
    return [name for name in chosen if name not in installed]
