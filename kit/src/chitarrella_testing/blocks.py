"""The command ``chitarrella blocks``: the parts that a game of tricks is made of, as Markdown, read from the code."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, Final

import click

from chitarrella import tricks
from chitarrella.catalogue.registry import open_catalogue

KINDS: Final = {
    "The rules and the table": (tricks.Rules, tricks.Table, tricks.Deal),
    "Phases": (tricks.Phase,),
    "Moves": (tricks.Action,),
    "Duties": (tricks.Following,),
    "Who takes a trick": (tricks.Taking,),
    "What a deal is worth": (tricks.DealScoring, tricks.Count, tricks.Order),
    "How deals make a match": (tricks.MatchFormat,),
    "After a trick": (tricks.TrickEffect,),
    "Where cards lie": (tricks.CommonLayout,),
}
"""The headings, and the kinds of parts below each; what belongs to none stands at the end."""


def first_sentences(thing: Any) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


def arguments(thing: Any) -> str:
    """Return the arguments of a part as its caller writes them, with types and defaults; none of a ready value."""
    if not callable(thing):
        return ""
    said = [
        f"{one.name}: {getattr(one.annotation, '__forward_arg__', one.annotation)}"
        + (f" = {spelled(one.default)}" if one.default is not one.empty else "")
        for one in inspect.signature(thing).parameters.values()
    ]
    return f"({', '.join(said)})"


def spelled(value: Any) -> str:
    """Return a default value as one writes it: a function or a class by its name."""
    if isinstance(value, tuple):
        return f"({', '.join(map(spelled, value))}{',' * (len(value) == 1)})"
    return str(getattr(value, "__name__", "")) or (f"{type(value).__name__}()" if is_dataclass(value) else repr(value))


def users() -> dict[str, list[str]]:
    """Return the games whose module names each part."""
    found: dict[str, list[str]] = {}
    for game in open_catalogue("all"):
        module = sys.modules[game.entry.rules.__module__]
        imported = {name for name, value in vars(module).items() if value is getattr(tricks, name, None)}
        for name in imported.union(re.findall(r"\btricks\.(\w+)", inspect.getsource(module))):
            found.setdefault(name, []).append(game.key)
    return found


def sections() -> Iterator[tuple[str, list[str]]]:
    """Yield each heading with the names of its parts."""
    left = {name: getattr(tricks, name) for name in tricks.__all__}
    for heading, kinds in KINDS.items():
        names = [name for name, part in left.items() if isinstance(part, type) and issubclass(part, kinds)]
        names += [name for name, part in left.items() if isinstance(part, kinds)]
        yield heading, [name for name in names if left.pop(name, None)]
    yield "Options, seats and steps of the deal", list(left)


@click.command("blocks")
@click.argument("name", default="")
def command(name: str) -> None:
    """List the parts that a game of tricks is made of, or say all about NAME.

    With each stands what it is for, its arguments, and the games that use it, installed packages among them.
    """
    if name and name not in tricks.__all__:
        raise click.ClickException(f"there is no part {name}; chitarrella blocks lists all")
    games = users()
    for heading, names in sections():
        if not name:
            click.echo(f"\n## {heading}\n")
        for one in sorted(names):
            part = getattr(tricks, one)
            if not name:
                click.echo(f"- `tricks.{one}{arguments(part)}`: {first_sentences(part)}")
                click.echo(f"  Used by: {', '.join(games.get(one, ())) or 'none of the installed games'}.")
            elif one == name:
                click.echo(f"tricks.{one}{arguments(part)}\n\n{inspect.getdoc(part)}\n")
                if isinstance(part, type):
                    for method, function in inspect.getmembers(part, inspect.isfunction):
                        if not method.startswith("_"):
                            click.echo(f"  {method}{inspect.signature(function)}: {first_sentences(function)}")
                click.echo(f"\nUsed by: {', '.join(games.get(one, ())) or 'none of the installed games'}.")
