"""The command ``chitarrella blocks``: the parts that a game of tricks is made of, as Markdown, read from the code."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Final

import click

from chitarrella import tricks
from chitarrella.catalogue.registry import open_catalogue
from chitarrella.core import cards, model, options
from chitarrella.core.cards import Pack
from chitarrella.core.game import Game
from chitarrella.core.options import suggestion

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
FAMILY: Final = tricks.__name__  # and its modules
OPTIONS: Final = (
    *("GameEntry", "Choices", "Option", "bool_option", "choice_option", "number_option", "InvalidOption"),
    *("parse_rule_book", "rule_book"),
)
MODEL: Final = ("Reason", "Refusal", "Move", "MoveSpec", "Event", "public_event")
PACKS: Final = tuple(name for name, value in vars(cards).items() if isinstance(value, Pack))
TRICKS: Final = {
    name: getattr(tricks, name)
    for name in sorted(vars(tricks), key=lambda name: (not name.isupper(), name[0].islower(), name))
    if name[0] != "_" and not isinstance(getattr(tricks, name), ModuleType)
}
"""What `chitarrella.tricks` exports: constants, then classes, then functions."""
PARTS: Final[dict[str, Any]] = (
    {name: getattr(options, name) for name in OPTIONS}
    | {name: getattr(model, name) for name in MODEL}
    | {name: getattr(cards, name) for name in (*PACKS, "Card")}
    | TRICKS
)
"""Everything that is listed, by its name."""


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
    if type(value) is tuple:
        return f"({', '.join(map(spelled, value))}{',' * (len(value) == 1)})"
    return str(getattr(value, "__name__", "")) or (f"{type(value).__name__}()" if is_dataclass(value) else repr(value))


def attributes(part: type) -> Iterator[str]:
    """Yield each class attribute and property of a part that is no argument, with its type and value or meaning."""
    kinds: dict[str, Any] = {}
    for kind in reversed(part.__mro__):
        kinds |= vars(kind).get("__annotations__", {})
    values, passed = dict(inspect.getmembers_static(part)), inspect.signature(part).parameters
    for name in sorted(name for name in kinds.keys() | values.keys() if name[0] != "_" and name not in passed):
        value = values.get(name)
        if isinstance(value, property | cached_property):
            yield f"{name}: {first_sentences(value)}".removesuffix(": ")
        elif name in kinds:
            yield f"{name}: {kinds[name]}" + (f" = {spelled(value)}" if name in values else "")


def users() -> dict[str, list[str]]:
    """Return the games whose module names each part."""
    found: dict[str, list[str]] = {}
    for game in open_catalogue("all"):
        module = sys.modules[game.entry.rules.__module__]
        imported = {name for name, value in vars(module).items() if value is PARTS.get(name)}
        within = [name for name, value in vars(module).items() if getattr(value, "__name__", "").startswith(FAMILY)]
        for name in imported.union(re.findall(rf"\b(?:{'|'.join(within)})\.(\w+)", inspect.getsource(module))):
            found.setdefault(name, []).append(game.key)
    return found


def sections() -> Iterator[tuple[str, list[str]]]:
    """Yield each heading with the names of its parts."""
    yield "The game in the catalogue, its options and its rule book: from chitarrella.core.options import", [*OPTIONS]
    yield "What moves and duties of one's own are made of: from chitarrella.core.model import", [*MODEL]
    yield "Cards and packs: from chitarrella.core.cards import", ["Card", *PACKS]
    left = {**TRICKS}
    for heading, kinds in KINDS.items():
        names = [name for name, part in left.items() if isinstance(part, type) and issubclass(part, kinds)]
        names += [name for name, part in left.items() if isinstance(part, kinds)]
        yield heading, [name for name in names if left.pop(name, None)]
    yield "Options, seats and steps of the deal", list(left)


def line_of(name: str) -> str:
    """Return a part as it is written, with its arguments."""
    return f"{'tricks.' if name in TRICKS else ''}{name}{arguments(PARTS[name])}"


def meaning(name: str) -> str:
    """Return what a part is for: of a pack its cards."""
    part = PARTS[name]
    if not isinstance(part, Pack):
        return first_sentences(part)
    suits = f", suits {' '.join(part.suits)}" if any(part.suits) else ""
    return f"{len(part.cards)} cards, ranks {' '.join(part.ranks)}{suits}."


@click.command("blocks")
@click.argument("name", default="")
def command(name: str) -> None:
    """List the parts that a game of tricks is made of, or say all about NAME.

    With each stands what it is for, its arguments, and the games that use it, installed packages among them.
    """
    if name and name not in PARTS:
        raise click.ClickException(f"there is no part {name}; {suggestion(name, PARTS, 'parts')}")
    used = users()
    games = {one: ", ".join(used.get(one, ())) or "none of the installed games" for one in PARTS}
    if name:
        part = PARTS[name]
        click.echo(f"{line_of(name)}\n\n{meaning(name) if isinstance(part, Pack) else inspect.getdoc(part)}\n")
        for attribute in attributes(part) if isinstance(part, type) else ():
            click.echo(f"  {attribute}")
        for method, function in inspect.getmembers(part, inspect.isfunction) if isinstance(part, type) else ():
            if not method.startswith("_"):
                said = first_sentences(function) or first_sentences(getattr(Game, method, function))
                click.echo(f"  {method}{inspect.signature(function)}: {said}")
        click.echo(f"\nUsed by: {games[name]}.")
        return
    for heading, names in sections():
        click.echo(f"\n## {heading}\n")
        for one in sorted(names):
            click.echo(f"- `{line_of(one)}`: {meaning(one)}\n  Used by: {games[one]}.")
