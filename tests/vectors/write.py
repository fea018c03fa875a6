"""Write the vectors: ``make vectors``.

Written are the perft counts, the playthroughs and ``rules.md``; refusals, invalid positions and views are searched for
by commands of their own. ``--all`` writes the full set of counts and playthroughs, which is too large to be kept, to
``build/vectors``, and its digests to ``full.txt``; with ``--check`` it compares the digests instead.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256
from pathlib import Path

from tests.perft import cases as perft
from tests.perft import write as perft_writer
from tests.playthroughs import write as playthrough_writer
from tests.vectors.rules import COMMAND, FOLDER, RULES, rules
from tests.walks import CATALOGUE

FULL = FOLDER.parents[1] / "build" / "vectors"
DIGESTS = FOLDER / "full.txt"
HEAD = f"""\
# The full set of counts and playthroughs, which `{COMMAND} ARGS=--all` writes to build/vectors: SHA-256, edition, file.
# `make soak` writes it again and compares. It changes with an edition, and where other random deals are played.
"""


def main() -> int:
    """Write what was asked for; the exit status says whether everything could be written, and was as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.vectors.write", description=__doc__)
    parser.add_argument("--all", action="store_true", help="the full set, to build/vectors")
    parser.add_argument("--check", action="store_true", help="with --all: compare its digests with those that are kept")
    parser.add_argument("--afresh", action="store_true", help="choose anew which deals are kept as playthroughs")
    asked = parser.parse_args()
    if asked.check and not asked.all:
        parser.error("--check goes with --all")
    if asked.all:
        return whole(check=asked.check)
    print(f"{len(perft_writer.write(perft.FOLDER, full=False))} files of counts")
    refused = playthrough_writer.write(afresh=asked.afresh)
    RULES.write_text(rules(), encoding="utf-8")
    print("playthroughs and rules", *refused, sep="\n")
    return 1 if refused else 0


def whole(*, check: bool) -> int:
    """Write the full set, and write or compare its digests; gives 1 where something is not as it should be."""
    paths = perft_writer.write(FULL / "perft", full=True) + playthrough_writer.write_full(FULL / "playthroughs")
    found = {path.relative_to(FULL).as_posix(): digest(path) for path in paths}
    wrong = [f"no case of the kept files is refused by {clause}" for clause in perft_writer.uncovered(FULL / "perft")]
    if check:
        known = digests()
        wrong += [f"{file} is not as it was" for file in sorted({*found, *known}) if found.get(file) != known.get(file)]
    else:
        lines = [f"{numbers} {file}\n" for file, numbers in found.items()]
        DIGESTS.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{len(found)} files in {FULL}", *wrong, sep="\n")
    return 1 if wrong else 0


def digest(path: Path) -> str:
    """The digest of a file of the full set, and the edition of its game."""
    return f"{sha256(path.read_bytes()).hexdigest()} {CATALOGUE.game(path.stem).edition}"


def digests() -> dict[str, str]:
    """Digest and edition of every file of the full set, as they are kept."""
    rows = [line.rpartition(" ") for line in DIGESTS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return {file: numbers for numbers, _, file in rows}


if __name__ == "__main__":
    sys.exit(main())
