"""Tries a mutant: a process imports the changed module in place of the original, and runs some tests.

The process is forked from one that has imported pytest and the other packages of the tests, but none of ours.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

import pytest

LIVES, KILLED, TOO_LONG, MISSED = "lives", "killed", "too long", "missed"
MEMORY = 6 << 30
"""Bytes of memory, for a mutant that deals cards without end."""
NO_TESTS = 5
"""pytest's exit status if no test was found."""


class MutatedModule(SourceFileLoader):
    """Loads one module from another source; its file stays as it is."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        """Replace the source of the module ``name`` at ``path``."""
        super().__init__(name, str(path))
        self.source = source

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Handle that module only."""
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed source, without the cache of bytecode."""
        return compile(self.source, self.path, "exec", dont_inherit=True)


class SelectedTests:
    """A pytest plugin that runs the tests with these names, in their order."""

    def __init__(self, names: list[str]) -> None:
        """Select the tests."""
        self.places = {name: place for place, name in enumerate(names)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the others."""
        items[:] = sorted((item for item in items if item.nodeid in self.places), key=self._place)

    def _place(self, item: pytest.Item) -> int:
        return self.places[item.nodeid]


class Trial(NamedTuple):
    """A running process and its deadline."""

    process: int
    until: float


def begin(name: str, path: Path, source: str, tests: list[str], seconds: float) -> Trial:
    """Start to run ``tests`` with another source for the module ``name``."""
    process = os.fork()
    if process == 0:
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            _silence()
            _unload()
            sys.meta_path.insert(0, MutatedModule(name, path, source))
            os._exit(_run(tests))
        except BaseException:  # any error would have failed the tests
            os._exit(1)
    return Trial(process, time.monotonic() + seconds)


def outcome(trial: Trial) -> str | None:
    """Return the result, None while the process runs."""
    process, status = os.waitpid(trial.process, os.WNOHANG)
    if process:
        code = os.waitstatus_to_exitcode(status)
        return {0: LIVES, NO_TESTS: MISSED}.get(code, KILLED)
    if time.monotonic() < trial.until:
        return None
    stop(trial)
    return TOO_LONG


def stop(trial: Trial) -> None:
    """Kill the process and its children."""
    os.killpg(trial.process, signal.SIGKILL)
    os.waitpid(trial.process, 0)


def _run(tests: list[str]) -> int:
    os.environ.pop("PYTEST_ADDOPTS", None)  # an option of a plugin that is off here would fail every run
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    options = [
        "-x",
        "-q",
        "--no-header",
        "--tb=no",
        "--assert=plain",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:cov",
    ]
    return int(pytest.main([*options, *files], plugins=[SelectedTests(tests)]))


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _unload() -> None:
    """Remove our modules, so that they are imported again."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("chitarrella", "tests")]:
        del sys.modules[name]
