"""`make release`: build everything that would be published into build/release, with SHA256SUMS. Nothing is published.

`python -m clients.release.build [PACKAGE ...]` builds only these packages. A missing tool is reported by name and fails
the run; the other packages are built all the same.
"""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from rich.table import Table

from clients.release.packages import PACKAGES, SUMS, Outcome, build, files, write_sums
from clients.release.scripts import RELEASE
from clients.release.versions import ROOT, current, different


def print_table(console: Console, outcomes: dict[str, Outcome]) -> None:
    """Print one row for each package."""
    table = Table(title=f"Release {current()}")
    for title in ("package", "what", "result", "seconds"):
        table.add_column(title)
    for name, outcome in outcomes.items():
        result = f"[red]{outcome.problem}" if outcome.problem else f"[green]{outcome.note}"
        table.add_row(name, PACKAGES[name].content, result, f"{outcome.seconds:.0f}")
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
    console, outcomes = Console(), {}
    for number, name in enumerate(names, 1):
        console.print(f"{number} of {len(names)}: {name} ...")
        outcomes[name] = build(name)
        console.print(f"  {outcomes[name].problem or outcomes[name].note}, {outcomes[name].seconds:.0f} s")
    write_sums()
    print_table(console, outcomes)
    console.print(f"{len(files(RELEASE)) - 1} files in {RELEASE.relative_to(ROOT)}, with their digests in {SUMS}.")
    return 1 if any(outcome.problem for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
