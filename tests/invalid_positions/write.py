"""Look for invalid positions and write them: ``python -m tests.invalid_positions.write``.

Lines that are in the files stay there, unless there are shorter ones of their kind or they are positions now: some
come from scenes that random play does not meet.
"""

from __future__ import annotations

import re
import sys
from random import Random

from chitarrella.catalogue.registry import RuleSet
from tests.invalid_positions.cases import FOLDER, InvalidLine, fault, read, written
from tests.properties.corrupt import EDITS, Edit, corrupt
from tests.vectors.blocks import read_all
from tests.vectors.searching import chosen_games, everywhere
from tests.walks import name, walk

WALKS, LINES = 3, 1_500
"""Random matches of a rule set, and so many corrupted lines of each."""
KEPT = 2
"""Lines kept of one kind."""
NO_FIELD = "there is no such field in a position of this game"


def main() -> int:
    """Write the files of the games that the command line names, or of all."""
    keys = chosen_games(__doc__)
    FOLDER.mkdir(exist_ok=True)
    old = read_all(FOLDER, read)
    found = [wrong for one in old if (wrong := fault(one.rule_set._replace(edition=0), one.line))]
    found += everywhere(faults_of, keys)
    for key in keys:
        kept = chosen([one for one in found if one.rule_set.game == key])
        (FOLDER / f"{key}.txt").write_text(written(key, kept), encoding="utf-8")
        print(f"{key}: {len(kept)} invalid positions")
    return 0


def faults_of(rule_set: RuleSet) -> list[InvalidLine]:
    """Spoil positions of a rule set, and keep the shortest lines."""
    found: list[InvalidLine] = []
    for number in range(WALKS):
        match = walk(rule_set, f"invalid {number}", deals=2)
        good = list(dict.fromkeys(map(match.game.encode, match.positions)))
        rng = Random(f"{name(rule_set)} {number}")
        lines = [corrupt(rng.choice(good), some_edits(rng), rng.choice(good)) for _ in range(LINES)]
        found += [wrong for line in lines if is_plain(line) and (wrong := fault(rule_set, line))]
        found = chosen(found)
    return found


def some_edits(rng: Random) -> list[Edit]:
    """One or two edits."""
    return [(rng.choice(sorted(EDITS)), rng.randrange(2**16), rng.randrange(2**16)) for _ in range(rng.randint(1, 2))]


def is_plain(line: str) -> bool:
    """Whether a line can be written into a file and read back unchanged."""
    return line.isascii() and line.isprintable() and line == " ".join(line.split())


def chosen(found: list[InvalidLine]) -> list[InvalidLine]:
    """Keep the shortest lines of each kind of fault: the field, and what is wrong but for quotations and numbers."""
    of: dict[tuple[str, str], list[InvalidLine]] = {}
    for one in dict.fromkeys(found):
        field = "" if one.message == NO_FIELD else one.field
        of.setdefault((field, re.sub(r"'[^']*'|[0-9]+", "", one.message)), []).append(one)
    return sorted(
        one for several in of.values() for one in sorted(several, key=lambda one: (len(one.line), one))[:KEPT]
    )


if __name__ == "__main__":
    sys.exit(main())
