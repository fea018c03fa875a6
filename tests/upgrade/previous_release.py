"""The release before this one, built from the commit that ``previous-commit`` names, with its own dependencies."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from tests.servers import locked

ROOT = Path(__file__).parents[2]
COMMIT = (Path(__file__).parent / "previous-commit").read_text().strip()
FOLDER = ROOT / "build" / "upgrade"
"""Where releases are built; what is there is not built again."""


def previous_python() -> Path:
    """The Python of an environment in which the previous release is installed; skips the test without its commit."""
    home = FOLDER / COMMIT
    python = home / "venv" / "bin" / "python"
    with locked("upgrade"):
        if not (home / "installed").exists():
            _extract(home / "source")
            _install(home)
            (home / "installed").touch()
    return python


def _extract(source: Path) -> None:
    """Write the files of the commit."""
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", COMMIT], capture_output=True, check=False)
    if archive.returncode:
        pytest.skip("previous-commit: the commit is not in this clone, which may be a shallow one")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)  # not before 3.11.4
        files.extractall(source)


def _install(home: Path) -> None:
    """Build the wheel of the commit, and install it with what its lock file names."""
    source, venv = home / "source", home / "venv"
    pip = (sys.executable, "-m", "pip", "--python", str(venv), "install", "--quiet")
    for command in (
        (sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)),
        (*pip, "--require-hashes", "-r", str(source / "deploy" / "requirements.lock")),
    ):
        subprocess.run(command, check=True, capture_output=True)
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(home))
    for project in filter(Path.is_dir, (source, source / "cards")):
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    subprocess.run((*pip, "--no-deps", *map(str, home.glob("*.whl"))), check=True, capture_output=True)
