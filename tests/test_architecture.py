"""The import law and other laws of the code, read off the syntax trees.

Arrows point inwards: the rules know nothing of stores, transports or commands, and need only the standard library.
The import law is the table of folders in ARCHITECTURE.md.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

from chitarrella import tricks
from chitarrella.core.game import Game
from chitarrella_testing.blocks import TRICKS

Function = ast.FunctionDef | ast.AsyncFunctionDef
METHOD = (FunctionType, property, cached_property)
ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "service" / "chitarrella"
OTHERS = {
    f"chitarrella_{name}": ROOT / folder / "src"
    for name, folder in (("cards", "cards"), ("testing", "kit"), ("terminal", "terminal"))
}
"""The folders of the other packages that the law is for, by their names."""
GENERATED = "v1"
LINES, FUNCTION_LINES = 600, 60
MAP_WORDS = 5  # fewer words explain no folder

RULES = (
    *("core", "tricks", "exchange", "games", "catalogue"),
    *("i18n.narration", "chitarrella_testing.perft", "chitarrella_testing.perft_files"),
)
"""The rules, how they are told, and their exact counts: standard library only, and nothing that could make two runs
differ.
"""

ANYTHING = ("__init__", "__main__")  # the package's own two files, which may import everything


class Row(NamedTuple):
    """One row of the law: the parts of the package and the other people's packages that a folder may import."""

    ours: tuple[str, ...]
    others: tuple[str, ...]


def law() -> dict[str, Row]:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("<!-- law -->")[2].partition("<!-- end of law -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:3] == "| `"]
    return {folder.strip("`"): Row(names(ours), names(others)) for folder, ours, others in rows}


def names(cell: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in cell.split(",") if name.strip())


LAW = law()


def described() -> dict[str, str]:
    """Read the map in ARCHITECTURE.md: the path of each row, and what the row says of it."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("## The map")[2].partition("\n## ")[0]
    rows: list[tuple[str, str]] = re.findall(r"^\| `([^`]+)` \| (.+) \|$", table, re.MULTILINE)
    found = dict(rows)
    assert len(rows) == len(found), "a path has two rows"
    return found


def test_the_map_shows_what_there_is() -> None:
    """The map has a row for each top folder, each folder and module of the package, and for nothing else."""
    ignored = set(re.findall(r"^/?(\w+)/$", (ROOT / ".gitignore").read_text(encoding="utf-8"), re.MULTILINE))
    top = {f"{one.name}/" for one in ROOT.iterdir() if one.is_dir() and one.name[0] != "."}
    inside = {one.name + "/" * one.is_dir() for one in PACKAGE.iterdir() if one.is_dir() or one.suffix == ".py"}
    inside -= {"__pycache__/", *(f"{name}.py" for name in ANYTHING)}
    wanted = top - {f"{name}/" for name in ignored} - {"service/"} | {f"service/chitarrella/{name}" for name in inside}
    assert wanted == described().keys()
    assert [] == [path for path, meaning in described().items() if len(meaning.split()) < MAP_WORDS]


FORBIDDEN = {"random", "secrets", "time", "os", "socket", "datetime", "uuid", "subprocess", "threading", "asyncio"}
"""What the rules may not even take from the standard library."""

SOURCES = sorted(
    (
        *(path for path in PACKAGE.rglob("*.py") if GENERATED not in path.relative_to(PACKAGE).parts),
        *(path for home in OTHERS.values() for path in home.rglob("*.py")),
    )
)

FOLDERS = ("service", "cards", "kit", "terminal", "tests", "lab", "clients", "examples", "proto", ".ci")
NOT_OURS = {"node_modules", "v1", "build", "target"}  # folders of other people's code, of generated code and of builds
EVERY_FILE = sorted(
    path
    for path in (*ROOT.glob("*.py"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")))
    if not NOT_OURS & set(path.relative_to(ROOT).parts)
)
"""Every Python file that is written by hand."""


def module(path: Path) -> str:
    """The name of a module inside our package: ``tricks.play``; of another package with its name."""
    home = next(home for home in (PACKAGE, *OTHERS.values()) if path.is_relative_to(home))
    parts = path.relative_to(home).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def full_name(name: str) -> str:
    return name if name.partition(".")[0] in OTHERS else f"chitarrella.{name}"


def folder_of(name: str) -> str:
    """The row of the law that a module belongs to, the longest that fits; empty for a folder of rows itself."""
    rows = [row for row in LAW if is_within(name, (row,))]
    return max(rows, key=len, default="")


def is_within(name: str, parts: tuple[str, ...]) -> bool:
    """Whether a module lies in one of the ``parts``: ``matches`` is a folder, ``matches.clock`` one module of it."""
    return any(name == part or name.startswith(f"{part}.") for part in parts)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, whole names; ``from package import module`` counts as the module."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide what is imported"
            parts = (node.module or "").split(".")
            if OTHERS.get(parts[0], PACKAGE.parent).joinpath(*parts).is_dir():
                yield from (f"{node.module}.{name.name}" for name in node.names)
            else:
                yield node.module or ""


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_a_module_imports_what_its_folder_may() -> None:
    """Each module imports only what the row of its folder in ARCHITECTURE.md allows."""
    modules = {module(path): list(imports(path)) for path in SOURCES if module(path) not in ANYTHING}
    assert [] == [name for name, wanted in modules.items() if wanted and not folder_of(name)], "in no row of the law"
    found = {name: list(against_the_law(name, wanted)) for name, wanted in modules.items()}
    assert {} == {name: wrong for name, wrong in found.items() if wrong}


def against_the_law(name: str, wanted: Iterable[str]) -> Iterator[str]:
    """Those of the ``wanted`` imports that the row of a module's folder does not allow."""
    folder = folder_of(name)
    for one in wanted:
        root, _, rest = one.partition(".")
        if root in ("chitarrella", *OTHERS):
            if not is_within(one if root in OTHERS else rest, (folder, *LAW[folder].ours)):
                yield one
        elif root not in {*sys.stdlib_module_names, *LAW[folder].others}:
            yield one


def test_the_law_allows_nothing_that_is_not_used() -> None:
    """Every folder and every package in the table exists and is imported; every folder of the tree has a row."""
    used: dict[str, set[str]] = {folder: set() for folder in LAW}
    for path in SOURCES:
        if folder := folder_of(module(path)):
            used[folder] |= set(imports(path))
    for folder, row in LAW.items():
        for part in row.ours:
            assert any(is_within(one, (full_name(part),)) for one in used[folder]), f"{folder} uses no {part}"
        for package in row.others:
            assert any(is_within(one, (package,)) for one in used[folder]), f"{folder} uses no {package}"


NAMED_IN_SIGNATURES = {
    f"chitarrella.{family}.parts": f"chitarrella.{family}.rules" for family in ("tricks", "exchange")
}
"""Rules are made of parts, and parts are handed the rules: the kinds of parts name their type, no other module does."""


def test_no_module_imports_itself_in_a_circle() -> None:
    """The arrows between modules, but for the type of the rules, lead nowhere back to where they came from."""
    arrows = {full_name(module(path)): set(imports(path)) for path in SOURCES}
    for name, named_type in NAMED_IN_SIGNATURES.items():
        arrows[name].remove(named_type)
    assert [] == [sorted(circle) for circle in circles(arrows)]


def circles(arrows: dict[str, set[str]]) -> Iterator[set[str]]:
    reach = {name: found & arrows.keys() for name, found in arrows.items()}
    while True:
        wider = {name: found.union(*(reach[one] for one in found)) for name, found in reach.items()}
        if wider == reach:
            break
        reach = wider
    seen: set[str] = set()
    for name in sorted(reach):
        if name in reach[name] and name not in seen:
            circle = {other for other in reach[name] if name in reach[other]}
            seen |= circle
            yield circle


CACHES = {
    "core.notation": "the record that a text stands for",
    "tricks.card_values": "what a card counts, and its suit and its strength, by the trumps",
}
"""Modules with a dictionary that keeps what it has computed; it follows from the key alone, so nothing can differ."""
RULE_SOURCES = [path for path in SOURCES if is_within(module(path), RULES)]


def test_the_rules_have_no_dice_no_clock_and_no_memory() -> None:
    """The rules import nothing that could make two runs differ, and change nothing that they once made."""
    for path in RULE_SOURCES:
        assert not FORBIDDEN & {wanted.partition(".")[0] for wanted in imports(path)}, path
        caches = [change for change in changes(tree(path)) if re.fullmatch(r"line \d+: self\[\w+\]", change)]
        assert (list(changes(tree(path))), len(caches)) == (caches, module(path) in CACHES), path


def changes(node: ast.AST, *, building: bool = False) -> Iterator[str]:
    """Find where an attribute or an item of `self` is set outside of construction, or a global name is written."""
    for child in ast.iter_child_nodes(node):
        making = building or (
            isinstance(child, ast.FunctionDef) and child.name in ("__init__", "__new__", "__post_init__")
        )
        if isinstance(child, ast.Attribute) and not isinstance(child.ctx, ast.Load) and not building:
            yield f"line {child.lineno}: {ast.unparse(child)}"
        if isinstance(child, ast.Subscript) and not isinstance(child.ctx, ast.Load) and not building:
            yield from (f"line {child.lineno}: {text}" for text in [ast.unparse(child)] if text.startswith("self"))
        if isinstance(child, ast.Global | ast.Nonlocal):
            yield f"line {child.lineno}: global or nonlocal"
        if isinstance(child, ast.Call) and not building:
            name = ast.unparse(child.func).rpartition(".")[2]
            yield from (f"line {child.lineno}: setattr" for _ in range(name in ("setattr", "__setattr__")))
        yield from changes(child, building=making)


WATCHED_IMPORTS = '''
import importlib, os, sys
from collections.abc import Mapping


class Environment(type(os.environ)):
    """The environment of the process, which prints where a module of ours reads it."""

    def __getitem__(self, name):
        frame = sys._getframe(1)
        while frame.f_globals["__name__"] in ("os", "collections.abc", "_collections_abc"):
            frame = frame.f_back
        if frame.f_globals["__name__"].startswith("chitarrella"):
            print(f"{frame.f_globals['__name__']}, line {frame.f_lineno}, reads {name}")
        return super().__getitem__(name)


EFFECTS = ("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn")
os.environ.__class__ = Environment
sys.addaudithook(lambda event, arguments: event.startswith(EFFECTS) and print(event, *arguments[1:]))
for module in sys.argv[1:]:
    importlib.import_module(module)
if len(os.listdir("/proc/self/task")) > 1:
    print("a thread runs")
'''
"""A program that imports modules; it prints each socket, process and thread, and our reads of the environment."""


def test_an_import_has_no_effects() -> None:
    """Until a function is called, no module makes a socket, a process or a thread, or reads the environment."""
    skipped = (*ANYTHING, "chitarrella_testing.mutants")  # which needs mutmut; that is not installed for the tests
    modules = [full_name(module(path)) for path in SOURCES if module(path) not in skipped]
    command = [sys.executable, "-c", WATCHED_IMPORTS, *modules]
    assert "" == subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_files_and_functions_are_short() -> None:
    """No file has more than 600 lines, no function 60 or more; generated code is left out."""
    for path in EVERY_FILE:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES, path
        functions = [node for node in ast.walk(tree(path)) if isinstance(node, Function)]
        long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES]
        assert [] == long, path


STRANGERS = ("core", "tricks.parts", "catalogue", "chitarrella_testing", "chitarrella_cards", "bots", "errors")
"""The parts that users of the library and authors of games call."""


def test_what_strangers_call_says_what_it_is() -> None:
    """Each module that users of the library call, and each public class and function in it, has a docstring."""
    called = [path for path in SOURCES if is_within(module(path), STRANGERS)]
    assert [] == [named(path) for path in called if not ast.get_docstring(tree(path))]
    assert {} == {named(path): found for path in called if (found := list(mute(tree(path))))}


def test_what_games_are_made_of_says_what_it_is() -> None:
    """What `chitarrella.tricks` exports has a docstring, and each method its own, or that of what it fulfils."""
    for name, part in TRICKS.items():
        assert not (part.__doc__ or f"{name}(").startswith(f"{name}("), name  # as Python writes them
        kinds = [vars(kind) for kind in (*getattr(part, "__mro__", ()), *[Game] * (part is tricks.Rules))]
        members = [member for kind in kinds for member in kind.items() if isinstance(member[1], METHOD)]
        explained = {method for method, value in members if value.__doc__}
        assert set() == {method for method, _ in members if method[0] != "_"} - explained, name


def mute(node: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Find the public classes, functions and methods without a docstring."""
    for child in node.body:
        if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
            if not ast.get_docstring(child):
                yield f"line {child.lineno}: {child.name}"
            if isinstance(child, ast.ClassDef):
                yield from mute(child)
