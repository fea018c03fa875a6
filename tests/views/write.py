"""Choose the views anew and write them: ``python -m tests.views.write``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TypeAlias

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, seat_to_move
from chitarrella.core.model import REFEREE, Viewer
from tests.vectors.searching import chosen_games, everywhere
from tests.views.cases import BACKS, FOLDER, OMNISCIENT, PUBLIC, Seen, looked, read_viewer, write_viewer, written
from tests.walks import walk

WALKS = 2
"""Random matches of a rule set."""

Kind: TypeAlias = tuple[str, ...]


def main() -> int:
    """Write the files of the games that the command line names, or of all."""
    keys = chosen_games(__doc__)
    FOLDER.mkdir(exist_ok=True)
    found = everywhere(views_of, keys)
    for key in keys:
        kept = chosen([seen for seen in found if seen.rule_set.game == key])
        (FOLDER / f"{key}.txt").write_text(written(key, kept), encoding="utf-8")
        print(f"{key}: {len(kept)} views")
    return 0


def views_of(rule_set: RuleSet) -> list[Seen]:
    """Look at positions of a rule set, and keep what shows something of its own."""
    found: list[Seen] = []
    for number in range(WALKS):
        match = walk(rule_set, f"views {number}", deals=2)
        for p in match.positions:
            found += [
                Seen(rule_set, match.game.encode(p), write_viewer(viewer), looked(match.game, p, viewer))
                for viewer in viewers_at(match.game, p)
            ]
        found = chosen(found)
    return found


def viewers_at(game: AnyGame, p: Position) -> list[Viewer]:
    """The public, the referee, the seat that is waited for and the one after it."""
    seat = seat_to_move(game, p) or 0
    return [None, REFEREE, seat, (seat + 1) % game.seats]


def chosen(found: list[Seen]) -> list[Seen]:
    """Keep the shortest view of each kind: what is named in it, of how much of it the cards are seen, and by whom."""
    of: dict[Kind, Seen] = {}
    for seen in sorted(found, key=lambda seen: (len(seen.rule_set.options), len(seen.position), seen)):
        for kind in kinds(seen):
            of.setdefault(kind, seen)
    return sorted(set(of.values()), key=lambda seen: (seen.rule_set, seen.position, order(seen.viewer)))


def kinds(seen: Seen) -> Iterator[Kind]:
    """Name what a view shows, each thing by its name: seen or only counted, whose it is, and which viewer sees it."""
    who = seen.viewer if seen.viewer in (PUBLIC, OMNISCIENT) else "seat"
    for line in seen.lines:
        _, what, name, *rest = line.split(" ")
        whose = "own" if rest[:1] == [seen.viewer] else "nobody's" if rest[:1] == ["-"] else "another's"
        if what == "zone":
            yield who, what, name, whose, str(rest[1] == "0"), str(rest[-1] == BACKS)
        elif what == "fact":
            yield who, what, name, whose
        else:
            yield who, what, name if what == "phase" else ""


def order(viewer: str) -> int:
    """The public first, then the seats, the referee last."""
    seen_by = read_viewer(viewer)
    return -1 if seen_by is None else 1_000 if seen_by == REFEREE else seen_by


if __name__ == "__main__":
    sys.exit(main())
