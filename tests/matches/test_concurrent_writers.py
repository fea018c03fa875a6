"""Many writers at one table: each revision is won by one of them, and nothing is lost or played twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.matches.history import format_entry
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.service import MatchService
from tests.matches.playing import check_consistency, choice, connect_service

WRITERS = 8
REVISIONS = 150
MATCH = RuleSet("briscola", 2, (("rubber_games", "20"),))


class RaceResult(NamedTuple):
    """The moves that a writer has made, by the revision they led to, and what it was told where others were faster."""

    made: dict[int, str]
    late: list[tuple[str, bool]]


def race(service: MatchService, match: str, name: str) -> RaceResult:
    """Move at every revision, whoever is on turn, each time expecting the table as it was seen."""
    rng, made, late = Random(name), {}, []
    while (at := (snapshot := service.repository.load(match)).row.revision) < REVISIONS:
        request = choice(snapshot, rng)._replace(expected_revision=at, request_id=f"{name} {at}")
        try:
            played = service.play(match, request, snapshot)
        except errors.Stale as error:
            late.append((error.code, int(error.details["revision"]) > at))
            continue
        assert (True, False) == (played.accepted, played.repeated)
        assert at < played.revision
        made[at + 1] = format_entry(request.actor, request.move)
    return RaceResult(made, late)


def test_threads_of_four_workers_win_each_revision_once(url: str) -> None:
    """Eight threads, two to a worker, move at every revision: one wins, and the others are told the present one."""
    workers = [connect_service(url) for _ in range(WRITERS // 2)]
    opened = workers[0].service.create(CreateMatch(MATCH))
    with ThreadPoolExecutor(WRITERS) as threads:
        writing = [
            threads.submit(race, workers[number // 2].service, opened.match, f"writer {number}")
            for number in range(WRITERS)
        ]
        found = [one.result() for one in writing]
    notes: dict[int, str] = {}
    for result in found:
        assert not notes.keys() & result.made.keys(), "two writers won the same revision"
        notes |= result.made
    log = check_consistency(workers[0].service, opened)
    assert len(log) >= REVISIONS
    assert {place + 1: entry for place, entry in enumerate(log) if not entry.startswith("table ")} == notes
    late = [told for result in found for told in result.late]
    assert {("stale_revision", True)} == set(late)
    assert len(late) > REVISIONS / 10, "there was no race"
    for made in workers:
        made.store.close()


def test_one_request_id_sent_concurrently_acts_once(url: str) -> None:
    """One request sent eight times at once to four workers is one match or one move, answered alike."""
    workers = [connect_service(url) for _ in range(WRITERS // 2)]
    with ThreadPoolExecutor(WRITERS) as threads:
        for number in range(20):
            opening = [
                threads.submit(workers[hand // 2].service.create, CreateMatch(MATCH, request_id=f"opening {number}"))
                for hand in range(WRITERS)
            ]
            opened = opening[0].result()
            assert {(opened.match, opened.keys, opened.referee_key)} == {one.result()[:3] for one in opening}
            request = choice(opened.snapshot)._replace(expected_revision=1, request_id="move")
            moving = [threads.submit(workers[hand // 2].service.play, opened.match, request) for hand in range(WRITERS)]
            answers = [one.result() for one in moving]
            assert {(True, (), 2, answers[0].updates)} == {answer[:4] for answer in answers}
            assert 1 == [answer.repeated for answer in answers].count(False)
            assert 2 == len(check_consistency(workers[0].service, opened))
    for made in workers:
        made.store.close()
