"""Write all perft files anew: ``python -m tests.perft.write``. Counts of a game change only with its edition."""

from __future__ import annotations

import sys
from multiprocessing import Pool

from chitarrella.catalogue import Agreement
from tests.perft.script import FOLDER, rule_sets, singles, stride_deals


def main() -> int:
    """Count every case and write its file; take away files that nobody wants."""
    wanted = {single.file: single.text() for single in singles()}
    with Pool() as pool:
        wanted |= dict(pool.imap_unordered(written, rule_sets()))
    for file, text in wanted.items():
        (FOLDER / file).write_text(text, encoding="utf-8")
    for path in FOLDER.glob("*.perft"):
        if path.name not in wanted:
            path.unlink()
    print(f"{len(wanted)} perft files")
    return 0


def written(agreement: Agreement) -> tuple[str, str]:
    """Give the file of a rule set, and its name."""
    file = stride_deals(agreement)
    return file.file, file.text()


if __name__ == "__main__":
    sys.exit(main())
