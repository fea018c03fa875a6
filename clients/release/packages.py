"""What is published, and how it is built: one folder of build/release for each place where it would go."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from clients.release.scripts import RELEASE, WORK, call, failure, missing, settings

SUMS: Final = "SHA256SUMS"
"""The file of digests, as `sha256sum --check` reads it."""


class Package(NamedTuple):
    """A folder of build/release: what is in it, the folder of its `build.sh`, and the programs that this needs."""

    content: str
    folder: str
    needs: tuple[str, ...] = ()


PACKAGES: Final = {
    "python": Package("wheels and source distributions of the service, client, agents' tools and laboratory", "python"),
    "npm": Package("chitarrella-client and @chitarrella/rules", "typescript", ("node", "npm")),
    "crates": Package("the Rust client", "rust", ("cargo",)),
    "maven": Package("a repository with the Java and the Kotlin client, sources and javadoc", "java", ("java", "mvn")),
    "go": Package("the Go client as a module proxy serves it, and the tag it needs", "go", ("git", "go")),
    "cpp": Package("the sources of the C++ client with the contract", "cpp", ("git",)),
    "image": Package("the image of the service", "image", ("buildah", "mmdebstrap")),
    "kubernetes": Package("the manifests for kustomize", "kubernetes", ("git",)),
    "vectors": Package("the vectors for other engines", "vectors", ("git",)),
    "sbom": Package(
        "a bill of materials for each of the other packages", "sbom", ("cargo", "go", "java", "mvn", "node", "npm")
    ),
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
        variables = settings(package.folder) | {"PACKAGES": str(target)}
        status = call(("build.sh",), Path(outside), variables, log)
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
