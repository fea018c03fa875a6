"""The mutants of the rules: every small change that mutmut's operators make, one at a time.

mutmut itself changes plain functions only. Many rules are properties, tables or data of a game, so its operators are
applied to the whole module.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

from tests.test_architecture import RULES, SOURCES, is_within, module

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

    def __init__(self, name: str) -> None:
        """Read the module ``name``: ``tricks.play``."""
        self.name = name
        self.path = next(path for path in SOURCES if module(path) == name)
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


def rules() -> list[str]:
    return [name for name in map(module, SOURCES) if is_within(name, RULES)]


@lru_cache(maxsize=4)
def module_mutants(name: str) -> ModuleMutants:
    """Read a module once for several mutants."""
    return ModuleMutants(name)


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
