"""How the functions of `packages.sh` are run: in a folder outside the tree, with a log that names their steps."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from clients.release.versions import ROOT, current

HERE: Final = Path(__file__).resolve().parent
RELEASE: Final = ROOT / "build" / "release"
"""What would be published: a folder for each of `clients.release.build.PACKAGES`, and SHA256SUMS."""
WORK: Final = ROOT / "build" / "release-check"
"""Logs; in `cache` other people's packages and compiled code that a later run need not fetch or compile again."""
TIMEOUT: Final = 1800
"""Seconds that a script may take."""
STEP: Final = "== "
"""The beginning of a line of the log that names the step that follows."""
SHELL: Final = (
    "sh",
    "-euxc",
    f'step() {{ echo "{STEP}$1"; }}; step begin; . "$SCRIPTS/packages.sh"; "$@"',
    "sh",
)
"""The shell that runs a function of `packages.sh`, which names its steps by `step`."""
HIDDEN: Final = {"PYTHONPATH", "VIRTUAL_ENV", "CARGO_TARGET_DIR", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
"""Variables that would bring packages into an application that is to be empty, or settings into a build."""


def missing(programs: tuple[str, ...]) -> str:
    """The programs that are not on the PATH, as a problem; empty if all are."""
    absent = [program for program in programs if shutil.which(program) is None]
    return f"not on the PATH: {', '.join(absent)}" if absent else ""


def settings() -> dict[str, str]:
    """The variables that every function is given."""
    (WORK / "cache").mkdir(parents=True, exist_ok=True)
    return {
        "ROOT": str(ROOT),
        "PYTHON": sys.executable,
        "SCRIPTS": str(HERE),
        "RELEASE": str(RELEASE),
        "CACHE": str(WORK / "cache"),
        "VERSION": current(),
        "SOURCE_DATE_EPOCH": committed(),
    }


def committed() -> str:
    """When HEAD was committed, in seconds since 1970: the time that builds write instead of their own."""
    command = ["git", "-c", f"safe.directory={ROOT}", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def function_of(folder: str, name: str) -> str:
    """The function of `packages.sh` for the application in a folder."""
    return f"{folder.replace('-', '_')}_{name}"


def call(function: tuple[str, ...], folder: Path, variables: dict[str, str], log: Path) -> int:
    """Run a function with its arguments, log its output, and return its exit status; 1 if it takes too long."""
    inherited = {key: value for key, value in os.environ.items() if key not in HIDDEN}
    with log.open("w") as out:
        process = subprocess.Popen(
            [*SHELL, *function],
            cwd=folder,
            env=inherited | variables,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a compiler that it started ends with it
        )
        try:
            return process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            print(f"\nmore than {TIMEOUT} s", file=out)
            return 1
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def failure(log: Path) -> str:
    """The problem of a script that failed: the step it had begun, and where its log is."""
    return f"{last_step(log)} failed, see {log.relative_to(ROOT)}"


def last_step(log: Path) -> str:
    """The step that a script had begun when it ended: begin, registry, install, play or test."""
    steps = [line.removeprefix(STEP) for line in log.read_text().splitlines() if line.startswith(STEP)]
    return steps[-1]
