"""Many writers at one table: each revision is won by one of them, and nothing is lost or played twice."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveResult
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from tests.matches.concurrent_writer import RaceResult, race
from tests.matches.playing import CATALOGUE, check_consistency, choice, connect_service
from tests.stores import empty, store_servers

WRITERS = 8
REVISIONS = 300
ROUNDS = 30
MATCH = RuleSet("briscola", 2, (("rubber_games", "20"),))
ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["valkey-9", "redis-8", "cluster"])
def url(request: pytest.FixtureRequest) -> str:
    """Where an empty store of each kind listens."""
    return empty(store_servers().url(request.param))


def check(service: MatchService, opened: CreatedMatch, found: list[RaceResult]) -> None:
    """Check that the writers' own notes put together are the log, move for move."""
    notes: dict[int, str] = {}
    for result in found:
        assert not notes.keys() & result.made.keys(), "two writers won the same revision"
        notes |= result.made
    log = check_consistency(service, opened)
    assert len(log) >= REVISIONS
    assert {place + 1: entry for place, entry in enumerate(log) if not entry.startswith("table ")} == notes
    assert sum(result.late for result in found) > REVISIONS / 10, "there was no race"


def test_one_of_eight_writers_wins_and_the_others_get_the_revision(url: str) -> None:
    """Of eight moves sent at once behind one revision one is made; the others are refused with the revision now."""
    workers = [connect_service(url) for _ in range(WRITERS)]
    opened = workers[0].service.create(CreateMatch(MATCH))
    start = Barrier(WRITERS)

    def move(number: int) -> MoveResult | errors.ChitarrellaError:
        service = workers[number].service
        snapshot = service.repository.load(opened.match)
        request = choice(snapshot)._replace(expected_revision=snapshot.row.revision, request_id=f"{number} {at}")
        start.wait()
        try:
            return service.play(opened.match, request, snapshot)
        except errors.ChitarrellaError as error:
            return error

    with ThreadPoolExecutor(WRITERS) as threads:
        for at in range(1, ROUNDS + 1):
            answers = list(threads.map(move, range(WRITERS)))
            (won,) = [answer for answer in answers if isinstance(answer, MoveResult)]
            lost = [answer for answer in answers if isinstance(answer, errors.Stale)]
            assert won.accepted
            assert at < won.revision
            assert [("stale_revision", str(won.revision))] * (WRITERS - 1) == [
                (one.code, one.details["revision"]) for one in lost
            ]
            assert won.snapshot.row == workers[at % WRITERS].service.repository.load(opened.match).row
    check_consistency(workers[0].service, opened)
    for made in workers:
        made.store.close()


def test_threads_of_four_workers_win_each_revision_once(url: str) -> None:
    """Eight threads, two to a worker, move at three hundred revisions: each is won once."""
    workers = [connect_service(url) for _ in range(WRITERS // 2)]
    opened = workers[0].service.create(CreateMatch(MATCH))
    with ThreadPoolExecutor(WRITERS) as threads:
        found = list(
            threads.map(
                lambda number: race(workers[number // 2].service, opened.match, REVISIONS, f"writer {number}"),
                range(WRITERS),
            )
        )
    check(workers[0].service, opened, found)
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


@pytest.mark.parametrize("url", ["valkey-9"], indirect=True)  # eight processes start slowly
def test_processes_win_each_revision_once(url: str, store: RedisStore) -> None:
    """Eight processes, each a worker of its own, win each revision once."""
    service = MatchService(CATALOGUE, store)
    opened = service.create(CreateMatch(MATCH))
    command = [sys.executable, "-m", "tests.matches.concurrent_writer", url, opened.match, str(REVISIONS)]
    pipe = subprocess.PIPE
    writers = [
        subprocess.Popen([*command, f"writer {number}"], stdin=pipe, stdout=pipe, text=True, cwd=ROOT)
        for number in range(WRITERS)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert "ready\n" == writer.stdout.readline()
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    found = [parse_moves(writer.communicate(timeout=60)[0]) for writer in writers]
    assert [0] * WRITERS == [writer.returncode for writer in writers]
    check(service, opened, found)


def parse_moves(printed: str) -> RaceResult:
    """Read what a writer has printed."""
    *made, late = [line.partition(" ") for line in printed.splitlines()]
    return RaceResult({int(revision): entry for revision, _, entry in made}, int(late[2]))
