"""Build step: compile the translations, ``locale/*.po``, to the ``locale/*.mo`` that the service reads.

Hatch calls it for a wheel and for an editable install. ``python hatch_build.py`` does the same by hand. A wheel also
gets the guides of ``docs``, which the service shows as pages; an editable install reads them in the repository.

``CHITARRELLA_COMPILED=1 pip wheel .`` builds a wheel for this machine whose rules Cython has compiled, from the same
source. Its classes stay ordinary classes of Python, so that a game of another package may derive its own from them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE: Final = Path("service", "chitarrella")
LOCALE: Final = PACKAGE / "i18n" / "locale"
GUIDES: Final = Path("chitarrella", "transports", "rest", "website", "guides")
"""The folder of the wheel for the guides."""
COMPILED: Final = ("core", "tricks", "exchange")
"""The folders that every move comes through. The modules of single games gain nothing from being compiled."""
COMPILERS: Final = ("cython>=3.3,<4", "setuptools>=77")


class BuildFiles(BuildHookInterface[Any]):
    """The hook named ``custom`` in pyproject.toml."""

    def dependencies(self) -> list[str]:
        """Name what is needed to build beyond the build system of pyproject.toml."""
        return list(COMPILERS) if wants_compiled_rules() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files of the wheel are collected, and add the guides and the compiled rules to them."""
        compile_translations(Path(self.root) / LOCALE)
        if version == "editable":
            return
        guides = sorted(Path(self.root, "docs").glob("*.md"))
        build_data["force_include"].update({str(path): str(GUIDES / path.name) for path in guides})
        if wants_compiled_rules():
            self._folder = TemporaryDirectory(prefix="chitarrella-compiled-")
            folder = Path(self._folder.name)
            built = compile_rules(Path(self.root) / PACKAGE, folder)
            build_data["force_include"].update({str(path): str(path.relative_to(folder)) for path in built})
            build_data.update(pure_python=False, infer_tag=True)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled: the wheel has it."""
        if not build_data.get("pure_python", True):
            self._folder.cleanup()


def wants_compiled_rules() -> bool:
    """Return whether the environment asks for compiled rules."""
    return os.environ.get("CHITARRELLA_COMPILED") == "1"


def compile_translations(locale: Path) -> None:
    """Write a ``.mo`` beside each ``.po`` of the folder ``locale``; fuzzy and empty translations are left out."""
    for source in sorted(locale.glob("*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
        catalogue.creation_date = datetime.fromtimestamp(0, UTC)  # not the time of the build: equal input, equal bytes
        with source.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)


def compile_rules(package: Path, folder: Path) -> list[Path]:
    """Compile the modules of the folders `COMPILED` of a package in a copy below ``folder``; return what was built."""
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    modules = [path.relative_to(folder).as_posix() for path in compiled_modules(folder / package.name)]
    # Types of Python in annotations say nothing of a subclass, which Cython would refuse: a card is a text.
    command = [sys.executable, "-m", "Cython.Build.Cythonize", "-3", "--inplace", "--quiet"]
    command += ["-X", "annotation_typing=False", "-j", str(os.cpu_count() or 1), *modules]
    subprocess.run(command, cwd=folder, env={"CFLAGS": "-O2 -g0", **os.environ}, check=True)
    return sorted(path for kind in ("*.so", "*.pyd") for path in (folder / package.name).rglob(kind))


def compiled_modules(package: Path) -> Iterator[Path]:
    """Yield the modules to be compiled, without those that only make a folder a package."""
    for name in COMPILED:
        yield from sorted(path for path in (package / name).rglob("*.py") if path.name != "__init__.py")


if __name__ == "__main__":
    compile_translations(Path(__file__).parent / LOCALE)
