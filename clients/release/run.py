"""`make release-check`: build the packages; check each as its registry would; install and play it in an empty project.

`python -m clients.release.run [CHECK ...]` runs only these checks; a name such as `python` stands for all that begin
with it. `--built` takes the packages that are in build/release already. A missing tool is reported by name and fails
the run; a version of Python that this machine lacks is named.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console

from chitarrella_client import Chitarrella
from chitarrella_client.errors import ChitarrellaError
from clients.conformance.environment import Environment, running
from clients.release.build import NOT_FOUND, PACKAGES, SUMS, Outcome, build_all, print_table, sums
from clients.release.interpreters import DEBIAN, VERSIONS, find
from clients.release.scripts import HERE, RELEASE, WORK, call, failure, function_of, missing, settings


class Check(NamedTuple):
    """A function of `packages.sh` for the application in a folder, with its arguments, and what it needs.

    ``packages`` are built before it, ``needs`` are programs. What ``plays`` finishes a match at the service that runs
    beside it, and writes its id to `match_id`; the others say by their exit status whether all is well. ``python`` is
    the version of Python that it is given, if it is not that of this environment.
    """

    folder: str
    packages: tuple[str, ...]
    needs: tuple[str, ...] = ()
    function: tuple[str, ...] = ("check",)
    plays: bool = True
    python: str = ""


REGISTRY: Final = ("registry",)
"""The function that checks a package as its registry would."""
NODE, MAVEN = ("node", "npm"), ("java", "mvn")

CHECKS: Final = {
    "python-registry": Check("python", ("python",), function=REGISTRY, plays=False),
    "python": Check("python", ("python",), function=("check", "wheel")),
    "python-sdist": Check("python", ("python",), function=("check", "sdist")),
    "python-lowest": Check("python", ("python",), function=("lowest",)),
    "python-serve": Check("python", ("python",), function=("serve",), plays=False),
    **{
        f"python-{version}": Check("python", ("python",), function=("serve",), plays=False, python=version)
        for version in VERSIONS
    },
    "typescript-registry": Check("typescript", ("python", "npm"), NODE, REGISTRY, plays=False),
    "typescript": Check("typescript", ("npm",), NODE),
    "typescript-rules": Check("typescript-rules", ("npm",), NODE),
    "go-registry": Check("go", ("go",), ("git", "go"), REGISTRY, plays=False),
    "go": Check("go", ("go",), ("git", "go")),
    "java-registry": Check("java", ("maven",), MAVEN, REGISTRY, plays=False),
    "java": Check("java", ("maven",), MAVEN),
    "templates": Check("templates", ("templates",), ("cargo", "tar")),
    "image": Check("image", ("image",), ("buildah", "mmdebstrap"), plays=False),
    "kubernetes": Check("kubernetes", ("kubernetes",), ("go",), plays=False),
    "vectors": Check("vectors", ("python", "vectors"), plays=False),
    "sbom": Check("sbom", ("sbom",), plays=False),
}
"""Every check by its name."""


def run(name: str, environment: Environment | None) -> Outcome:
    """Run a check in a folder outside the tree, which is deleted afterwards; one that plays needs an environment."""
    check, begun = CHECKS[name], time.monotonic()
    if problem := missing(check.needs):
        return Outcome(problem, 0.0)
    function, variables, note = how(check)
    if not function:
        return Outcome("", 0.0, note)
    variables |= {"GRPC": environment.grpc, "REST": environment.rest} if environment else {}
    with tempfile.TemporaryDirectory(prefix="chitarrella-release-") as outside:
        folder, log = Path(outside, "application"), WORK / f"{name}.log"
        folder.mkdir()
        if (HERE / check.folder).is_dir():
            shutil.copytree(
                HERE / check.folder, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
            )
        status = call((function_of(check.folder, function[0]), *function[1:]), folder, variables, log)
        problem = failure(log) if status else unfinished(folder, environment) if environment and check.plays else ""
    return Outcome(problem, time.monotonic() - begun, note)


def how(check: Check) -> tuple[tuple[str, ...], dict[str, str], str]:
    """The function of a check with its arguments, empty if it cannot be run here; its variables; and a note on it.

    A version of Python that is not installed is taken from a Debian that has it, where that can be made.
    """
    variables = settings()
    if not check.python:
        return check.function, variables, "played" if check.plays else "passed"
    if interpreter := find(check.python):
        return check.function, variables | {"PYTHON": str(interpreter)}, f"played with {interpreter}"
    suite = DEBIAN.get(check.python, "")
    if suite and os.geteuid() == 0 and not missing(("mmdebstrap", "unshare")):
        return ("debian", suite, check.python), variables, f"played with that of Debian {suite}"
    return (), variables, f"{NOT_FOUND}: no Python {check.python} on the PATH, in pyenv or known to uv"


def unfinished(folder: Path, environment: Environment) -> str:
    """What is wrong with the match whose id an application has written to `match_id`; empty if it was played out."""
    match_id = (folder / "match_id").read_text().strip()
    with Chitarrella(environment.grpc) as client:
        try:
            return "" if client.match(match_id).get().view.finished else f"the match {match_id} is not finished"
        except ChitarrellaError as error:
            return f"the application printed {match_id!r}, no match: {error.code}"


def prepare(console: Console, names: list[str], *, built: bool) -> dict[str, str]:
    """Build the packages that the checks need, unless they are ``built``; returns the problems by package."""
    needed = [package for package in PACKAGES if any(package in CHECKS[name].packages for name in names)]
    if built:
        return {package: "not built" for package in needed if not (RELEASE / package).exists()}
    return {package: outcome.problem for package, outcome in build_all(console, needed).items() if outcome.problem}


def chosen_checks() -> tuple[list[str], bool]:
    """The names of the checks that the command line asks for, and whether the packages are built already."""
    parser = argparse.ArgumentParser(prog="make release-check", description=__doc__)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"only these: {', '.join(CHECKS)}")
    parser.add_argument("--built", action="store_true", help="take the packages in build/release as they are")
    asked = parser.parse_args()
    if unknown := [one for one in asked.checks if not any(name.startswith(one) for name in CHECKS)]:
        parser.error(f"there is no check {unknown[0]}; checks: {', '.join(CHECKS)}")
    names = [name for name in CHECKS if not asked.checks or any(name.startswith(one) for one in asked.checks)]
    return names, asked.built


def main() -> int:
    """Run the checks one after the other, and print a table; the exit status is 0 if all passed."""
    names, built = chosen_checks()
    console, outcomes = Console(), dict[str, Outcome]()
    unbuilt = prepare(console, names, built=built)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        plays = any(CHECKS[name].plays for name in names)
        environment = stack.enter_context(running(Path(folder))) if plays else None
        for number, name in enumerate(names, 1):
            console.print(f"{number} of {len(names)}: {name} ...")
            lacking = [f"{package}: {unbuilt[package]}" for package in CHECKS[name].packages if package in unbuilt]
            outcomes[name] = Outcome(lacking[0], 0.0) if lacking else run(name, environment)
            problem, seconds, note = outcomes[name]
            console.print(f"  {problem or note}, {seconds:.0f} s")
    print_table(console, "Packages", outcomes)
    changed = (RELEASE / SUMS).read_text(encoding="utf-8") != sums()
    if changed:
        console.print(f"[red]What is in {RELEASE} is not what {SUMS} says.")
    return 1 if changed or any(outcome.problem for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
