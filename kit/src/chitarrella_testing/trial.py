"""One mutant of a module tried in a process of its own."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Collection, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

LIVES, KILLED, TOO_LONG, MISSED = "lives", "killed", "too long", "missed"
NOTICED, NO_TESTS = 10, 5  # the exit status where a check has noticed, and that of pytest if no test was found
RESULTS = {0: LIVES, NO_TESTS: MISSED, NOTICED: "noticed by a check"}
MEMORY = 6 << 30  # bytes of memory, for a mutant that deals cards without end


class MutatedModule(SourceFileLoader):
    """Loads one module from another source; its file stays as it is."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        super().__init__(name, str(path))
        self.source = source

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find the module, and no other."""
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed source, without the cache of bytecode."""
        return compile(self.source, self.path, "exec", dont_inherit=True)


class Trial(NamedTuple):
    """A process, and until when it may run."""

    process: int
    until: float


def begin(
    module: MutatedModule | None,
    packages: Collection[str],
    run: Callable[[], int],
    seconds: float,
    output: str = os.devnull,
) -> Trial:
    """Start to call ``run`` with a changed ``module``; those of the ``packages`` are imported anew.

    What it prints goes to the file ``output``.
    """
    process = os.fork()
    if process == 0:
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            _print_to(output)
            for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
                del sys.modules[name]
            if module is not None:
                sys.meta_path.insert(0, module)
            code = run()
            sys.stdout.flush()
            os._exit(code)
        except BaseException:  # any error would have failed the tests
            traceback.print_exc()
            os._exit(1)
    return Trial(process, time.monotonic() + seconds)


def outcome(trial: Trial) -> str | None:
    """Return the result, None while the process runs."""
    process, status = os.waitpid(trial.process, os.WNOHANG)
    if process:
        code = os.waitstatus_to_exitcode(status)
        return RESULTS.get(code, KILLED)
    if time.monotonic() < trial.until:
        return None
    stop(trial)
    return TOO_LONG


def stop(trial: Trial) -> None:
    """End the process and its children."""
    os.killpg(trial.process, signal.SIGKILL)
    os.waitpid(trial.process, 0)


def _print_to(output: str) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    file = os.open(output, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
