"""`make release`: build everything that would be published into build/release, with SHA256SUMS. Nothing is published.

`python -m clients.release.build [PACKAGE ...]` builds only these packages. A missing tool is reported by name and fails
the run; the other packages are built all the same.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from clients.release.scripts import RELEASE, WORK, call, failure, function_of, missing, settings
from clients.release.versions import ROOT, current, different

NOT_FOUND: Final = "not found"
"""How the note on a check begins that could not be run here."""
SUMS: Final = "SHA256SUMS"
"""The file of digests, as `sha256sum --check` reads it."""


class Package(NamedTuple):
    """A folder of build/release: what is in it, the folder of its application, and the programs that it needs."""

    content: str
    folder: str
    needs: tuple[str, ...] = ()


PACKAGES: Final = {
    "python": Package("wheels and source distributions of the service, the client and the commands", "python"),
    "npm": Package("chitarrella-client and @chitarrella/rules", "typescript", ("node", "npm")),
    "maven": Package("a repository with the Java client, sources and javadoc", "java", ("java", "mvn")),
    "go": Package("the Go client as a module proxy serves it, and the tag it needs", "go", ("git", "go")),
    "templates": Package("the templates of other languages with the contract", "templates", ("git",)),
    "image": Package("the image of the service", "image", ("buildah", "mmdebstrap")),
    "kubernetes": Package("the manifests for kustomize", "kubernetes", ("git",)),
    "vectors": Package("the vectors for other engines", "vectors", ("git",)),
    "sbom": Package("a bill of materials for each of the other packages", "sbom", ("go", "java", "mvn", "node", "npm")),
}
"""Every package by its folder in build/release, in the order in which they are built."""


class Outcome(NamedTuple):
    """Result of a build or check: the problem, empty if there is none; how long it took; what else is to be said."""

    problem: str
    seconds: float
    note: str = ""


def build(name: str) -> Outcome:
    """Build a package anew into its folder, which is removed if that fails."""
    package, begun = PACKAGES[name], time.monotonic()
    if problem := missing(package.needs):
        return Outcome(problem, 0.0)
    target, log = RELEASE / name, WORK / f"build-{name}.log"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="chitarrella-release-") as outside:
        variables = settings() | {"PACKAGES": str(target)}
        status = call((function_of(package.folder, "build"),), Path(outside), variables, log)
    made = files(target)
    size = sum(path.stat().st_size for path in made) / 1_000_000
    problem = failure(log) if status else "" if made else f"nothing was built, see {log}"
    if problem:
        shutil.rmtree(target)
    return Outcome(problem, time.monotonic() - begun, f"{len(made)} files, {size:.1f} MB")


def files(folder: Path) -> list[Path]:
    """All files in a folder, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def sums() -> str:
    """The digests of all that is in build/release, a line a file."""
    found = [path for path in files(RELEASE) if path.name != SUMS]
    return "".join(f"{digest(path)}  {path.relative_to(RELEASE).as_posix()}\n" for path in found)


def write_sums() -> None:
    """Write `SUMS`."""
    RELEASE.mkdir(parents=True, exist_ok=True)
    (RELEASE / SUMS).write_text(sums(), encoding="utf-8")


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def build_all(console: Console, names: list[str]) -> dict[str, Outcome]:
    """Build packages one after the other, and write their digests."""
    outcomes = {}
    for number, name in enumerate(names, 1):
        console.print(f"{number} of {len(names)}: {name}, {PACKAGES[name].content} ...")
        outcomes[name] = build(name)
        console.print(f"  {outcomes[name].problem or outcomes[name].note}, {outcomes[name].seconds:.0f} s")
    if names:
        write_sums()
    return outcomes


def print_table(console: Console, title: str, outcomes: dict[str, Outcome]) -> None:
    """Print one row for each package or check; what could not be tried here is yellow."""
    table = Table("name", "result", "seconds", title=title)
    for name, (problem, seconds, note) in outcomes.items():
        colour = "red" if problem else "yellow" if note.startswith(NOT_FOUND) else "green"
        table.add_row(name, f"[{colour}]{problem or note}", f"{seconds:.0f}")
    console.print(table)


def main() -> int:
    """Build the packages one after the other, and print a table; the exit status is 0 if all could be built."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"only these: {', '.join(PACKAGES)}")
    chosen = parser.parse_args().packages
    if unknown := [name for name in chosen if name not in PACKAGES]:
        parser.error(f"there is no package {unknown[0]}; packages: {', '.join(PACKAGES)}")
    if wrong := different():
        print("The versions differ from that of pyproject.toml:", *wrong, sep="\n  ", file=sys.stderr)
        return 1
    names = [name for name in PACKAGES if not chosen or name in chosen]
    console = Console()
    outcomes = build_all(console, names)
    print_table(console, f"Release {current()}", outcomes)
    console.print(f"{len(files(RELEASE)) - 1} files in {RELEASE.relative_to(ROOT)}, with their digests in {SUMS}.")
    return 1 if any(outcome.problem for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
