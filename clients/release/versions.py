"""The version of everything that is published: pyproject.toml has it, and every other file repeats it.

`python -m clients.release.versions X.Y.Z` writes a version to all of them; without one it names those that differ.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
OWN: Final = r"(?P<version>\d+\.\d+\.\d+)"
"""The version, in a pattern."""
RANGE: Final = rf">={OWN},<(?P<end>\d+(?:\.\d+)?)"
"""The versions that a package of ours accepts of another: from its own to the next that may break it."""
TOML: Final = rf'^version = "{OWN}"$'
JSON: Final = rf'^  "version": "{OWN}"'
LOCKED: Final = rf'"name":"(?:chitarrella-client|@chitarrella/rules)","version":"{OWN}"'
PEER: Final = rf'"chitarrella-client": ?"{OWN}"'

PLACES: Final[dict[str, tuple[str, ...]]] = {
    "pyproject.toml": (TOML, rf'"chitarrella-cards{RANGE}"'),
    "Dockerfile": (rf"^ARG VERSION={OWN}$",),
    "cards/pyproject.toml": (TOML, rf'"chitarrella{RANGE}"'),
    "clients/mcp/pyproject.toml": (TOML, rf'"chitarrella\[server\]{RANGE}"', rf'"chitarrella-client{RANGE}"'),
    "clients/python/pyproject.toml": (TOML, rf'"chitarrella{RANGE}"'),
    "kit/pyproject.toml": (TOML, rf'"chitarrella{RANGE}"'),
    "lab/pyproject.toml": (TOML, *(rf'"chitarrella{name}{RANGE}"' for name in ("", "-terminal", "-testing"))),
    "terminal/pyproject.toml": (TOML, rf'"chitarrella{RANGE}"'),
    "clients/java/pom.xml": (rf"<artifactId>chitarrella-client</artifactId>\s+<version>{OWN}<",),
    "clients/java/README.md": (rf"<artifactId>chitarrella-client</artifactId>\s+<version>{OWN}<",),
    "clients/package-lock.json": (LOCKED, PEER),
    "clients/typescript/package.json": (JSON,),
    "clients/typescript/README.md": (rf"chitarrella-client-{OWN}\.tgz",),
    "clients/typescript-rules/package.json": (JSON, PEER),
    "deploy/README.md": (rf"chitarrella:{OWN}", rf"chitarrella-{OWN}-py3"),
    "deploy/kubernetes/overlays/cluster/kustomization.yaml": (rf"newTag: {OWN}$",),
    "deploy/kubernetes/overlays/one-node/kustomization.yaml": (rf"newTag: {OWN}$",),
    "deploy/kubernetes/overlays/replicated/kustomization.yaml": (rf"newTag: {OWN}$",),
    "examples/terminal-kotlin/pom.xml": (rf"<artifactId>chitarrella-client</artifactId>\s+<version>{OWN}<",),
}
"""The files that have the version, with the patterns of its places in each; every pattern occurs."""


def current(root: Path = ROOT) -> str:
    """The version in pyproject.toml."""
    version: str = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return version


def end_of_range(version: str) -> str:
    """The first version that may break what works with ``version``: by Semantic Versioning, 0.y counts as major."""
    major, minor, _ = version.split(".")
    return f"0.{int(minor) + 1}" if major == "0" else f"{int(major) + 1}"


def different(root: Path = ROOT) -> list[str]:
    """The places whose version is not that of pyproject.toml, each with what it has instead."""
    version = current(root)
    expected = {"version": version, "end": end_of_range(version)}
    wrong = []
    for path, patterns in PLACES.items():
        text = (root / path).read_text(encoding="utf-8")
        for pattern in patterns:
            found = [match.groupdict() for match in re.finditer(pattern, text, re.MULTILINE)]
            wrong += [] if found else [f"{path}: nothing matches {pattern}"]
            wrong += [
                f"{path}: {number} instead of {expected[name]}"
                for groups in found
                for name, number in groups.items()
                if number != expected[name]
            ]
    return wrong


def write(version: str, root: Path = ROOT) -> None:
    """Write a version to all places."""
    numbers = {"version": version, "end": end_of_range(version)}
    for path, patterns in PLACES.items():
        text = (root / path).read_text(encoding="utf-8")
        for pattern in patterns:
            text = re.sub(pattern, lambda match: replaced(match, numbers), text, flags=re.MULTILINE)
        (root / path).write_text(text, encoding="utf-8")


def replaced(match: re.Match[str], numbers: dict[str, str]) -> str:
    """The text of a match with other numbers in its groups."""
    text = match[0]
    for name in sorted(match.groupdict(), key=match.start, reverse=True):
        begin, end = (place - match.start() for place in match.span(name))
        text = text[:begin] + numbers[name] + text[end:]
    return text


def main(arguments: list[str]) -> int:
    """Write the version that is given, if one is; exit status 1 if a place differs then."""
    if arguments and not re.fullmatch(r"\d+\.\d+\.\d+", arguments[0]):
        print(f"{arguments[0]} is no version of the form X.Y.Z", file=sys.stderr)
        return 2
    for version in arguments[:1]:
        write(version)
    wrong = different()
    print(*wrong or [f"{current()} in {len(PLACES)} files"], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
