"""Where the versions of Python are that a package must run with: on the PATH, in pyenv, or known to uv."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
"""The versions of Python that the packages promise to run with."""
DEBIAN: Final = {"3.11": "bookworm", "3.13": "trixie", "3.14": "forky"}
"""The release of Debian that has a version of Python, for machines that lack it."""
PROBE: Final = "import ensurepip, ssl, sys, venv; print('.'.join(map(str, sys.version_info[:2])), sys.executable)"
"""What an interpreter is asked: whether it makes virtual environments, its version and its path."""


def find(version: str) -> Path | None:
    """An interpreter of a version that makes virtual environments; None if there is none on this machine."""
    for candidate in candidates(version):
        done = subprocess.run([candidate, "-c", PROBE], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.split()[0] == version:
            return Path(done.stdout.split(maxsplit=1)[1].strip())
    return None


def candidates(version: str) -> Iterator[str]:
    """The paths of programs that may be the interpreter."""
    for folder in os.get_exec_path():
        program = Path(folder, f"python{version}")
        if os.access(program, os.X_OK):
            yield str(program)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"), reverse=True))
    if uv := shutil.which("uv"):
        command = [uv, "python", "find", "--no-python-downloads", version]
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        yield from [found] if found else []
    yield sys.executable
