"""The mutants of rules: every small change that mutmut's operators make, one at a time; which of them nobody notices.

mutmut itself changes plain functions only. Many rules are data of a game, so its operators are applied to modules.
"""

import ast
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

from chitarrella.catalogue.registry import GROUP
from chitarrella_testing.checks import checks_of, installed
from chitarrella_testing.expectations import Expectations
from chitarrella_testing.trial import LIVES, NOTICED, MutatedModule, Trial, begin, outcome

TYPING = {"TypeVar", "NewType", "cast"}  # calls for the type checker; their arguments make no difference to a game


class Mutant(NamedTuple):
    """One change of one module, with the lines before and after it."""

    module: str
    within: str
    line: int
    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        """The name of the mutant; it does not depend on line numbers."""
        return f"{self.module}:{self.within}: {self.before} -> {self.after or 'nothing'}"


class Visitor(MutationVisitor):
    """mutmut's visitor, which also visits decorated functions, but no type annotations."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef):
            return False
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in TYPING:
            return True
        if isinstance(node, cst.AnnAssign) and "TypeAlias" in _text(node.annotation.annotation):
            return True
        if isinstance(node, cst.If) and _text(node.test) == "TYPE_CHECKING":
            return True
        return bool(super()._skip_node_and_children(node))


class ModuleMutants:
    """The mutants of one module; each is made on demand."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.code = self.path.read_text(encoding="utf-8")
        self._blocks = list(_blocks(ast.parse(self.code)))
        wrapper = MetadataWrapper(cst.parse_module(self.code))
        visitor = Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
        self._module = wrapper.visit(visitor)
        places = wrapper.resolve(PositionProvider)
        self._changes = [(each, places[each.original_node].start.line) for each in visitor.mutations]

    def __len__(self) -> int:
        return len(self._changes)

    def mutant(self, number: int) -> Mutant:
        """Make the change with this number."""
        change, line = self._changes[number]
        changed: Any = deep_replace(self._module, change.original_node, change.mutated_node)
        source: str = changed.code
        before, after = _difference(self.code, source)
        return Mutant(self.name, self._within(line), line, before, after, source)

    def sample_keys(self, seed: int) -> Iterator[str]:
        """Yield a random key for each mutant, which depends only on its change and its function.

        So a sample stays the same when other lines change.
        """
        seen: Counter[str] = Counter()
        for change, line in self._changes:
            what = f"{self.name} {self._within(line)} {_text(change.original_node)} {_text(change.mutated_node)}"
            seen[what] += 1
            yield sha256(f"{seed} {seen[what]} {what}".encode()).hexdigest()

    def _within(self, line: int) -> str:
        """The innermost function or class around a line; empty at module level."""
        found = ""
        for name, first, last in self._blocks:
            if first <= line <= last:
                found = name
        return found


def _blocks(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, int, int]]:
    """Every class and function with its first and last line, the outer ones first."""
    for node in ast.iter_child_nodes(tree):
        name = outer
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{outer}.{node.name}" if outer else node.name
            yield name, node.lineno, node.end_lineno or node.lineno
        yield from _blocks(node, name)


def _difference(before: str, after: str) -> tuple[str, str]:
    """The lines that differ, each side on one line."""
    old, new = before.splitlines(), after.splitlines()
    changes = [each for each in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if each[0] != "equal"]
    gone = [line.strip() for _, a, b, _, _ in changes for line in old[a:b]]
    come = [line.strip() for _, _, _, c, d in changes for line in new[c:d]]
    return " / ".join(gone), " / ".join(come)


def _text(node: cst.CSTNode) -> str:
    text: str = cst.Module([]).code_for_node(node)
    return text


MUTE = re.compile(r'"[^"]*"|strict=\w+')
SECONDS = 5  # how long a mutant is played beside the checks of two deals
WITHOUT_GAME = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not game"]


def modules_of(key: str) -> dict[str, Path]:
    """The modules of the package that has the game ``key``, by name; raises `LookupError` if no package has it."""
    for entry in entry_points(group=GROUP):
        module = entry.load()
        if key in [game.key for game in module.GAMES]:
            file = Path(import_module(entry.module.partition(".")[0]).__file__ or "")
            root = file.parent if file.name == "__init__.py" else file
            found = sorted(root.rglob("*.py")) if root.is_dir() else [file]
            names = (".".join(path.relative_to(root.parent).with_suffix("").parts) for path in found)
            return {name.removesuffix(".__init__"): path for name, path in zip(names, found, strict=True)}
    raise LookupError(f"no installed package has the game {key}; for the own games there is make mutants")


def rule_of(line: str) -> str:
    """A line without what is only read by people, and without checks of lengths."""
    return MUTE.sub(lambda found: found[0] if found[0][0] == '"' and " " not in found[0] else "", line)


def try_mutants(key: str, most: int, expected: Expectations | None, tests: Path) -> int:
    """Try some mutants of a game's package with the checks and a folder of tests; return how many nobody notices."""
    modules = modules_of(key)
    found = [(each, number) for each in map(ModuleMutants, modules, modules.values()) for number in range(len(each))]
    chosen = (each.mutant(number) for each, number in Random(key).sample(found, len(found)))
    rules = list(islice((each for each in chosen if rule_of(each.before) != rule_of(each.after)), most))

    def notice() -> int:
        installed.cache_clear()
        for check in checks_of(key, seconds=SECONDS, expected=expected, languages=()):
            try:
                check()
            except Exception as error:
                print(f"{check}: {error}", flush=True)
                return NOTICED
        return int(pytest.main([*WITHOUT_GAME, str(tests)])) if tests.is_dir() else 0

    packages = {name.partition(".")[0] for name in modules}

    def start(mutant: Mutant, limit: float) -> Trial:
        changed = MutatedModule(mutant.module, modules[mutant.module], mutant.source)
        return begin(changed, packages, notice, limit)

    begun = time.monotonic()
    with NamedTemporaryFile() as said:
        ((_, result),) = finished(iter([("", begin(None, packages, notice, 3600, said.name))]), 1)
        if result != LIVES:
            output = said.read().decode(errors="replace")
            raise LookupError(f"a check or a test fails before anything is changed:\n{output}")
    took = time.monotonic() - begun
    print(f"{len(rules)} of {len(found)} changes; one takes {took:.0f} s", flush=True)
    results = Counter[str]()
    for name, result in finished(((each.name, start(each, 60 + 8 * took)) for each in rules), os.cpu_count() or 1):
        results[result] += 1
        print(f"{results.total()}: {result}: {name}", flush=True)
    print(", ".join(f"{number} {result}" for result, number in results.most_common()))
    return results[LIVES]


def finished(trials: Iterator[tuple[str, Trial]], jobs: int) -> Iterator[tuple[str, str]]:
    """Run trials, so many at once; yield the name and the result of each when it is over."""
    running = list(islice(trials, jobs))
    while running:
        time.sleep(0.02)
        for each in list(running):
            if (result := outcome(each[1])) is not None:
                running.remove(each)
                running += islice(trials, 1)
                yield each[0], result
