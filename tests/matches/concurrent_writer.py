"""A writer in a race: moves at every revision it sees, as fast as it can, and writes down what it has won."""

from __future__ import annotations

import sys
from random import Random
from typing import NamedTuple

from chitarrella import errors
from chitarrella.matches.history import format_entry
from chitarrella.matches.service import MatchService
from tests.matches.playing import choice, connect_service


class RaceResult(NamedTuple):
    """What a writer has to show: the moves it made by the revision they led to, and how often others were faster."""

    made: dict[int, str]
    late: int


def race(service: MatchService, match: str, revisions: int, name: str) -> RaceResult:
    """Move at every revision up to ``revisions``, whoever is on turn, each time expecting the table as it was seen."""
    rng, made, late = Random(name), {}, 0
    while (snapshot := service.repository.load(match)).row.revision < revisions and not snapshot.game.is_finished(
        snapshot.position
    ):
        at = snapshot.row.revision
        request = choice(snapshot, rng)._replace(expected_revision=at, request_id=f"{name} {at}")
        try:
            played = service.play(match, request)
        except errors.Stale:
            late += 1
            continue
        assert played.accepted
        assert not played.repeated
        assert at < played.revision
        made[at + 1] = format_entry(request.actor, request.move)
    return RaceResult(made, late)


def main(url: str, match: str, revisions: str, name: str) -> None:
    """Race as a process of its own: begin when told to, and print what was won."""
    store, service = connect_service(url)
    service.repository.load(match)
    print("ready", flush=True)
    sys.stdin.readline()
    result = race(service, match, int(revisions), name)
    for revision, entry in result.made.items():
        print(revision, entry)
    print("late", result.late)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
