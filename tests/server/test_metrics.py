"""The metrics of a service: sums over its workers, counts by game, the store, and the process."""

import re
import threading
from collections import Counter, defaultdict
from pathlib import Path

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from chitarrella import v1
from chitarrella.matches.archive import DELAY_MS, LEASE_MS
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.service import MatchService
from chitarrella.runtime.telemetry import Telemetry
from chitarrella.runtime.threads import BoundedExecutor
from chitarrella.server import worker
from chitarrella.server.worker import QueueSampler
from chitarrella.storage.archive import open_archive
from chitarrella.storage.counters import OpenMatchStore
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import Backlog
from tests.archive.test_archive import Office
from tests.matches.playing import CATALOGUE, SHORT, play_out
from tests.server.process import Player, Service, StartService, fetched, metric, reason
from tests.servers import Server, until
from tests.webhooks.platforms import PlatformWorker
from tests.webhooks.receiver import Endpoint

WORKERS = 2


@pytest.fixture(scope="module")
def service(valkey: Server, start_shared: StartService) -> Service:
    """A service of two workers, whose counts grow from test to test."""
    return start_shared("--redis-url", valkey.url, "--workers", str(WORKERS))


def read(service: Service) -> dict[tuple[str, ...], float]:
    """The samples, by name and the values of their labels; those of several processes added."""
    found: dict[tuple[str, ...], float] = defaultdict(float)
    for family in text_string_to_metric_families(fetched(f"{service.rest}/metrics")):
        for sample in family.samples:
            labels = {name: value for name, value in sample.labels.items() if name != "pid"}
            found[sample.name, *labels.values()] += sample.value
    return found


def test_counts_are_sums_over_the_workers(service: Service) -> None:
    """Whichever worker answers gives the counts of both, of calls, moves, refusals and ends of matches."""
    before = read(service)
    players = [Player(service.grpc) for _ in range(10)]
    for player in players:
        player.play(3)
    player, path = players[0], "/chitarrella.v1.MatchService/PlayMove"
    first = v1.PlayMoveRequest(match_id=player.match_id, move=v1.Move(verb="play_card", cards=["Ab"]))
    keys = [seat.key for seat in player.created.seat_keys]
    answers = [player.stub.PlayMove(first, metadata=player.key(key), timeout=10) for key in keys]
    codes = Counter(refusal.code for answer in answers for refusal in answer.refusals)
    assert codes
    player.stub.AbortMatch(v1.AbortMatchRequest(match_id=player.match_id), metadata=player.key(), timeout=10)
    played = "chitarrella_requests_total", "ok", path, "grpc"
    until(lambda: 32 == read(service)[played] - before[played], "the workers have noted their calls down")
    for _ in range(6):
        samples = read(service)
        grown = {name: count - before[name] for name, count in samples.items()}
        assert 32 == grown[played]
        assert 30 + sum(answer.accepted for answer in answers) == grown["chitarrella_moves_total", "briscola"]
        assert 10 == grown["chitarrella_matches_created_total", "briscola"]
        assert 1 == grown["chitarrella_matches_aborted_total", "briscola"]
        assert codes == {code: grown["chitarrella_move_refusals_total", code, "briscola"] for code in codes}
        assert 30 <= grown["chitarrella_store_command_duration_seconds_count", "append"]
        assert WORKERS * 10_000_000 < samples["chitarrella_process_resident_memory_bytes",]
        assert 0 < samples["chitarrella_process_cpu_seconds_total",]


# ---------------------------------------------------------------------- queue metrics


SECONDS = 60  # safety only: the queues are measured every ten seconds


def gauge(text: str, name: str) -> float:
    return float(re.findall(rf"^chitarrella_{name} (\S+)$", text, re.MULTILINE)[0])


def gauges_of(telemetry: Telemetry, queue: str) -> tuple[float, float]:
    """How many wait in a queue, and the seconds of the oldest."""
    text = telemetry.metrics().decode()
    return gauge(text, f"{queue}_waiting"), gauge(text, f"{queue}_oldest_seconds")


def test_open_matches_are_counted_once_for_all_workers(service: Service, valkey: Server) -> None:
    """The number of open matches grows with each that is created, and shrinks with each that ends in any way."""
    name = ("chitarrella_matches_finished_total", "briscola")
    finished, aborted, deleted, _ = players = [Player(service.grpc) for _ in range(4)]
    made = {player.match_id for player in players}

    def counted(left: set[str]) -> bool:
        """Whether these are left of the matches made here, and the gauge tells of all that are open."""
        found = is_open(valkey)
        return found & made == left and metric(service, "matches_open") == len(found)

    until(lambda: counted(made), "all are counted", SECONDS)
    over = read(service)[name]
    while finished.get_match().view.waiting != v1.WAITING_NOBODY:
        finished.play()
    assert over + 1 == read(service)[name]
    aborted.stub.AbortMatch(v1.AbortMatchRequest(match_id=aborted.match_id), metadata=aborted.key(), timeout=10)
    deleted.stub.DeleteMatch(v1.DeleteMatchRequest(match_id=deleted.match_id), metadata=deleted.key(), timeout=10)
    until(lambda: counted({players[3].match_id}), "one is left", SECONDS)


def test_expired_match_is_not_open(store: RedisStore) -> None:
    """A match that has expired is counted until the lists of matches forget it."""
    service = MatchService(CATALOGUE, store, open_matches=OpenMatchStore(store.connection))
    created = service.create(CreateMatch(SHORT, ttl_seconds=1))
    assert 1 == service.open_matches.count()
    until(lambda: store.matches.load_many([created.match]) == [None], "it has expired")
    until(lambda: service.lists.remove_expired(9), "the lists forget it")
    assert 0 == service.open_matches.count()


def test_stopped_worker_leaves_no_match_open(server: Server, start_service: StartService) -> None:
    """A worker that is stopped right after the end of a match does not leave it counted."""
    service = start_service("--redis-url", server.url)
    player = Player(service.grpc)
    assert {player.match_id} == is_open(server)
    player.stub.AbortMatch(v1.AbortMatchRequest(match_id=player.match_id), metadata=player.key(), timeout=10)
    service.stop()
    assert set() == is_open(server)


def test_ends_are_counted_when_the_store_is_back(server: Server) -> None:
    """What a store that is away could not count is counted later."""
    store = RedisStore(server.client())
    open_matches = MatchService(CATALOGUE, store, open_matches=OpenMatchStore(store.connection)).open_matches
    for match in ("one", "two"):
        open_matches.include(store.connection.client, match)
    open_matches.note_closed("one")
    server.kill()
    open_matches.flush()
    server.start()

    def is_removed() -> bool:
        open_matches.flush()
        return "one" not in is_open(server)

    until(is_removed, "the end is counted", SECONDS)
    assert {"two"} == is_open(server)
    store.close()


def is_open(server: Server) -> set[str]:
    return set(server.client().smembers("chitarrella:open_matches"))


def test_webhook_that_is_down_makes_deliveries_wait(url: str) -> None:
    """While an endpoint refuses deliveries they wait and grow old; those of a disabled webhook do not count."""
    endpoint, worker = Endpoint(), PlatformWorker(url)
    endpoint.answers = [503] * 1000

    def measured() -> tuple[float, float]:
        worker.parts.queues.sample()
        return gauges_of(worker.parts.telemetry, "webhook_deliveries")

    try:
        assert (0, 0) == measured()
        webhook_id = worker.create(endpoint.url).webhook.webhook_id
        for _ in range(3):
            worker.open_match()
        until(lambda: measured()[0] == 3 and measured()[1] > 1 and endpoint.calls, "three deliveries wait", SECONDS)
        worker.call("UpdateWebhook", webhook_id=webhook_id, disabled=True)
        until(lambda: measured() == (0, 0), "nothing is to be delivered", SECONDS)
        worker.call("UpdateWebhook", webhook_id=webhook_id, disabled=False)
        until(lambda: measured()[0] == 3, "they wait again", SECONDS)
        endpoint.answers = []
        until(lambda: measured() == (0, 0), "all are delivered", SECONDS)
    finally:
        worker.close()
        endpoint.close()


def test_archive_that_cannot_be_written_makes_matches_wait(
    store: RedisStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches wait while nobody archives them, and while the folder is away, however often they are tried."""
    folder, telemetry = tmp_path / "records", Telemetry()
    office = Office(store, open_archive(f"file://{folder}"), monkeypatch)
    monkeypatch.setattr(worker, "now_ms", lambda: office.now)
    sampler = QueueSampler(telemetry, lambda: 0, Backlog, office.archiver.backlog)

    def measured() -> tuple[float, float]:
        sampler.sample()
        return gauges_of(telemetry, "archive_matches")

    assert (0, 0) == gauges_of(telemetry, "archive_matches")
    assert (0, 0) == measured()
    play_out(office.service, office.service.create(CreateMatch(SHORT)).match)
    assert (1, 0) == measured()
    office.now += DELAY_MS + 60_000
    waiting, seconds = measured()
    assert (1, True) == (waiting, seconds > 0)
    folder.rmdir()
    folder.touch()
    first = office.now
    for _ in range(3):
        assert 1 == office.later(LEASE_MS)
    assert (1, (office.now - first - LEASE_MS) / 1000) == measured()
    folder.unlink()
    office.later(LEASE_MS)
    assert (0, 0) == measured()


def test_claim_that_was_noted_too_late_is_forgotten(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim of a match that is archived already, noted by a worker that was slow, does not grow old."""
    office = Office(store, open_archive("file:///tmp"), monkeypatch)
    store.connection.client.zadd("chitarrella:archive_claims", {"archived": 1})
    office.queue.add("other", 5_000)
    assert Backlog(1, 5_000) == office.queue.backlog()
    assert 0 == store.connection.client.zcard("chitarrella:archive_claims")


def test_gauges_keep_their_values_while_the_store_is_away(server: Server) -> None:
    """A store that does not answer neither ends the measurement nor sets a queue to zero."""
    store, telemetry = RedisStore(server.client()), Telemetry()
    counted = OpenMatchStore(store.connection)
    counted.include(store.connection.client, "one")
    sampler = QueueSampler(telemetry, lambda: counted.exclude([]), Backlog, Backlog)
    sampler.sample()
    server.kill()
    sampler.sample()
    assert 1 == gauge(telemetry.metrics().decode(), "matches_open")
    store.close()


def test_call_that_waits_for_a_thread_has_an_age() -> None:
    """The age of the oldest call that waits for a thread grows, and is zero when it has begun or was cancelled."""
    free = threading.Event()
    with BoundedExecutor(1) as pool:
        assert 0 == pool.oldest_seconds()
        running, waiting = pool.submit(free.wait, 30), pool.submit(free.wait, 30)
        until(lambda: pool.oldest_seconds() > 0, "one waits")
        waiting.cancel()
        until(lambda: running.running() and pool.oldest_seconds() == 0, "none waits")
        pool.submit(free.wait, 30)
        assert pool.oldest_seconds() > 0
        free.set()
    assert 0 == pool.oldest_seconds()


def test_store_that_hangs_or_fails_is_measured(server: Server, start_service: StartService) -> None:
    """While the store hangs, the age of the oldest call that waits for it grows; a command that fails is counted."""
    service = start_service("--redis-url", server.url)
    player = Player(service.grpc)
    may = player.stub.ListMatchMoves(v1.ListMatchMovesRequest(match_id=player.match_id), metadata=player.key())
    move = v1.PlayMoveRequest(match_id=player.match_id, seat=may.seat, move=may.moves[0])
    server.pause()
    playing = player.stub.PlayMove.future(move, metadata=player.key(), timeout=30)
    until(lambda: metric(service, "calls_suspended_oldest_seconds") > 0, "the call waits")
    server.resume()
    playing.exception()
    until(lambda: metric(service, "calls_suspended_oldest_seconds") == 0, "nothing waits")
    server.kill()
    before = errors_of_the_store(service)
    with pytest.raises(grpc.RpcError) as away:
        Player(service.grpc)
    assert "store_down" == reason(away.value)
    assert errors_of_the_store(service) > before


def errors_of_the_store(service: Service) -> float:
    """How many commands have failed, of all classes of errors."""
    return sum(count for name, count in read(service).items() if name[0] == "chitarrella_store_errors_total")
