"""Write the playthroughs that are missing, and those of games that have a new edition.

``python -m tests.playthroughs.write`` leaves a playthrough alone whose game plays differently while its edition is
still the same, and says so: matches that are kept under that edition would change under the feet of their players.
``--unreleased`` writes it all the same, for an edition that nobody has played yet.
"""

from __future__ import annotations

import argparse
import sys

from tests.kit import name
from tests.playthroughs.script import FOLDER, MANIFEST, agreements, entry, manifest, playthrough


def main() -> int:
    """Write what may be written; the exit status says whether everything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.playthroughs.write", description=__doc__)
    parser.add_argument("--unreleased", action="store_true", help="the present editions have not been released yet")
    unreleased = parser.parse_args().unreleased
    kept, entries, refused = manifest(), {}, []
    for agreement in agreements():
        if (written := playthrough(agreement)) is None:
            continue
        file = f"{name(agreement)}.txt"
        line = entry(file, written)
        old = kept.get(file, line)
        if old != line and old.split()[1] == line.split()[1] and not unreleased:
            refused.append(f"{agreement.game}: {file} has changed; raise the edition of the game from {old.split()[1]}")
            entries[file] = old
            continue
        entries[file] = line
        (FOLDER / file).write_text(written, encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        if path.name not in entries and path != MANIFEST:
            path.unlink()
    lines = [f"{entries[file]}\n" for file in sorted(entries)]
    MANIFEST.write_text("".join(lines), encoding="utf-8")
    print(f"{len(entries)} playthroughs", *refused, sep="\n")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
