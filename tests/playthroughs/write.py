"""Write the playthroughs that are missing, and those of games that have a new edition.

``python -m tests.playthroughs.write`` leaves a playthrough alone whose game plays differently while its edition is
still the same, and says so: matches that are kept under that edition would change under the feet of their players.
``--unreleased`` writes it all the same, for an edition that nobody has played yet. Deals that show something are chosen
anew where a rule set has none, or none of its edition. What was played by an edition before is kept beside the others,
in the folder of that edition.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import Pool
from pathlib import Path

from chitarrella.catalogue import Agreement
from chitarrella.record import read_record
from tests.kit import CATALOGUE, name
from tests.playthroughs.script import FOLDER, MANIFEST, agreements, entry, manifest, playthrough
from tests.playthroughs.shown import SIGN, chosen


def main() -> int:
    """Write what may be written; the exit status says whether everything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.playthroughs.write", description=__doc__)
    parser.add_argument("--unreleased", action="store_true", help="the present editions have not been released yet")
    unreleased = parser.parse_args().unreleased
    kept, entries, refused = manifest(), {}, []
    with Pool() as pool:
        for kind in (fixed, shown):  # the latter reads what the former wrote
            for file, written in [pair for texts in pool.map(kind, agreements()) for pair in texts.items()]:
                line = entry(file, written)
                old = kept.get(file, line)
                if old != line and old.split()[1] == line.split()[1] and not unreleased:
                    refused.append(f"{file} has changed; raise the edition of the game from {old.split()[1]}")
                    entries[file] = old
                    continue
                entries[file] = line
                if old.split()[1] != line.split()[1]:
                    retire(FOLDER / file, int(old.split()[1]))
                (FOLDER / file).write_text(written, encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        if path.name not in entries and path != MANIFEST:
            edition = int(kept[path.name].split()[1]) if path.name in kept else 0
            current = CATALOGUE.game(agreement_of(path).game).edition
            retire(path, edition) if 0 < edition < current else path.unlink()
    lines = [f"{entries[file]}\n" for file in sorted(entries)]
    MANIFEST.write_text("".join(lines), encoding="utf-8")
    print(f"{len(entries)} playthroughs", *refused, sep="\n")
    return 1 if refused else 0


def agreement_of(path: Path) -> Agreement:
    """Read what is played in a playthrough."""
    return read_record(CATALOGUE, path.read_text(encoding="utf-8")).agreement


def retire(path: Path, edition: int) -> Path:
    """Put a playthrough into the folder of the edition that it was played by; gives where it is now."""
    folder = path.parent / f"edition-{edition}"
    folder.mkdir(exist_ok=True)
    return path.rename(folder / path.name)


def fixed(agreement: Agreement) -> dict[str, str]:
    """The match of a rule set by the fixed rule, if it has one."""
    written = playthrough(agreement)
    return {} if written is None else {f"{name(agreement)}.txt": written}


def shown(agreement: Agreement) -> dict[str, str]:
    """The deals of a rule set that show something: those there are of this edition, or new ones."""
    begins, edition = f"{name(agreement)}{SIGN}", CATALOGUE.game(agreement.game).edition
    there = [file for file, line in manifest().items() if file.startswith(begins) and line.split()[1] == str(edition)]
    if there:
        return {file: (FOLDER / file).read_text(encoding="utf-8") for file in there}
    return chosen(agreement)


if __name__ == "__main__":
    sys.exit(main())
