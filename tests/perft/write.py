"""Write all perft files anew: ``python -m tests.perft.write``. Counts of a game change only with its edition."""

from __future__ import annotations

import sys

from chitarrella.perft_file import write_case
from tests.kit import CATALOGUE
from tests.perft.script import FOLDER, cases


def main() -> int:
    """Count every case and write its file; take away files that no case has."""
    wanted = cases()
    for named in wanted:
        (FOLDER / named.file).write_text(write_case(CATALOGUE, named.case, named.note), encoding="utf-8")
    for path in FOLDER.glob("*.perft"):
        if path.name not in {named.file for named in wanted}:
            path.unlink()
    print(f"{len(wanted)} perft files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
