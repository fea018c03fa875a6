"""A writer in a race: moves at every revision it sees, as fast as it can, and writes down what it has won."""

from __future__ import annotations

import sys
from random import Random
from typing import NamedTuple

from chitarrella import errors
from chitarrella.chronicle import write_entry
from chitarrella.referee import Referee
from tests.house.table import choice, worker


class Tally(NamedTuple):
    """What a writer has to show: the moves it made by the revision they led to, and how often others were faster."""

    made: dict[int, str]
    late: int


def race(referee: Referee, match: str, revisions: int, name: str) -> Tally:
    """Move at every revision up to ``revisions``, whoever is on turn, each time expecting the table as it was seen."""
    rng, made, late = Random(name), {}, 0
    while (seen := referee.see(match)).page.revision < revisions and not seen.game.over(seen.position):
        at = seen.page.revision
        wish = choice(seen, rng)._replace(expected=at, request=f"{name} {at}")
        try:
            played = referee.play(match, wish)
        except errors.Stale:
            late += 1
            continue
        assert played.accepted
        assert not played.repeated
        assert at < played.revision
        made[at + 1] = write_entry(wish.actor, wish.move)
    return Tally(made, late)


def main(url: str, match: str, revisions: str, name: str) -> None:
    """Race as a process of its own: begin when told to, and print what was won."""
    store, referee = worker(url)
    referee.see(match)
    print("ready", flush=True)
    sys.stdin.readline()
    tally = race(referee, match, int(revisions), name)
    for revision, entry in tally.made.items():
        print(revision, entry)
    print("late", tally.late)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
