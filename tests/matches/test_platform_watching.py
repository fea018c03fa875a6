"""The platform hub: a watcher receives every public update of all matches of its platform, once and in order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.core.model import Move
from chitarrella.matches import watching
from chitarrella.matches.history import Update
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import PlatformHub, PlatformUpdate, PlatformWatcher
from tests.matches.playing import LONG_MATCH, PARTNERS, SHORT, expire, go_on, play_out, raised
from tests.matches.watchers import Worker, expected_updates, running_worker
from tests.servers import Server, until

OURS = CreateMatch(LONG_MATCH, platform="acme")
HEARTBEAT = PlatformUpdate()


class Reader:
    """A reader of all matches of a platform."""

    def __init__(self, hub: PlatformHub, platform: str = "acme") -> None:
        self.received: list[PlatformUpdate] = []
        self.watcher: PlatformWatcher = hub.watch(platform, lambda: None)

    def read(self) -> list[PlatformUpdate]:
        """Read what there is now, without heartbeats."""
        self.received += [one for one in self.watcher.take() if one != HEARTBEAT]
        return self.received

    def wait_for(self, number: int) -> list[PlatformUpdate]:
        until(lambda: len(self.read()) >= number, f"{number} updates are received", 10)
        assert number == len(self.received)
        return self.received

    def of(self, match: str) -> list[Update]:
        return [one.update for one in self.received if one.match == match and one.update]

    def ends(self, seconds: float = 15) -> errors.ChitarrellaError | None:
        until(lambda: self.watcher.is_finished, "the watch has ended", seconds)
        return self.watcher.error


@pytest.fixture
def hub(worker_a: Worker) -> Iterator[PlatformHub]:
    hub = PlatformHub(worker_a.service.repository, worker_a.store.subscriptions)
    yield hub
    hub.close()


def test_updates_of_all_matches_are_received_from_now_on(hub: PlatformHub, worker_b: Worker) -> None:
    """A watcher gets what happens from its beginning on in each match of its platform, new ones included."""
    service = worker_b.service
    old = service.create(OURS).match
    go_on(service, old, 3)
    reader = Reader(hub)
    assert [HEARTBEAT] == reader.watcher.take()
    new = service.create(OURS._replace(private=True)).match
    others = [service.create(OURS._replace(platform=platform)).match for platform in ("club", "")]
    for match in (old, new, *others):
        go_on(service, match, 2)
    reader.wait_for(5)
    assert expected_updates(service, old, None)[4:] == reader.of(old)
    assert expected_updates(service, new, None) == reader.of(new)


def test_finish_and_abort_are_received_once(hub: PlatformHub, worker_b: Worker) -> None:
    """The last update of a match says that it is finished; an abort comes as a message of its own, once."""
    service = worker_b.service
    reader = Reader(hub)
    played, aborted = service.create(OURS._replace(rule_set=SHORT)), service.create(OURS)
    play_out(service, played.match)
    for _ in range(2):
        service.abort(aborted.match)
    expected = expected_updates(service, played.match, None)
    received = reader.wait_for(len(expected) + 2)
    assert expected == reader.of(played.match)
    finished = [one.is_finished for one in received if one.match == played.match]
    assert [False] * (len(expected) - 1) + [True] == finished
    assert PlatformUpdate(aborted.match, is_aborted=True) == received[-1]
    assert 1 == sum(one.is_aborted for one in received)


def test_watchers_come_and_go_without_gap_or_repetition(hub: PlatformHub, worker_b: Worker) -> None:
    """Who comes again gets what the public may know from then on, and no signal between partners."""
    service = worker_b.service
    match = service.create(OURS._replace(rule_set=PARTNERS)).match
    for rank in "A3R":
        go_on(service, match)
        reader = Reader(hub)
        before = len(expected_updates(service, match, None))
        service.play(match, MoveRequest(0, Move("signal", choice=rank)))
        go_on(service, match, 2)
        reader.wait_for(2)
        assert expected_updates(service, match, None)[before:] == reader.of(match)
        reader.watcher.close()
        assert 0 == hub.count()


def test_match_created_again_is_received_from_its_beginning(hub: PlatformHub, worker_b: Worker) -> None:
    """A match that expired and was created again under the same id is another match."""
    service, request = worker_b.service, OURS._replace(request_id="0123456789abcdef")
    reader = Reader(hub)
    match = service.create(request).match
    go_on(service, match, 3)
    reader.wait_for(4)
    expire(service.store, match)
    assert match == service.create(request).match
    go_on(service, match)
    reader.wait_for(6)
    assert expected_updates(service, match, None) == reader.of(match)[4:]


def test_each_match_is_replayed_once_for_all_watchers(
    hub: PlatformHub, worker_b: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty watchers share one subscription and one replay, and all receive the same."""
    readers = [Reader(hub) for _ in range(50)]
    replays: list[str] = []
    read = PlatformHub._read

    def counted(self: PlatformHub, match: str, starts: list[int]) -> list[PlatformUpdate]:
        replays.append(match)
        return read(self, match, starts)

    monkeypatch.setattr(PlatformHub, "_read", counted)
    match = worker_b.service.create(OURS).match
    go_on(worker_b.service, match, 5)
    for reader in readers:
        reader.wait_for(6)
        assert readers[0].received == reader.received
    assert len(replays) <= 6
    client: Any = worker_b.store.connection.client
    assert 1 == len(client.client_list(_type="pubsub"))


def test_concurrent_matches_are_received_whole(hub: PlatformHub, worker_a: Worker, worker_b: Worker) -> None:
    """While two workers play many matches at once, each is received without gap or repetition."""
    reader = Reader(hub)
    created: list[CreatedMatch] = []

    def play(service: MatchService) -> None:
        for _ in range(2):
            created.append(service.create(OURS))
            go_on(service, created[-1].match, 15)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(play, [worker.service for worker in (worker_a, worker_b) * 2]))
    expected = {one.match: expected_updates(worker_a.service, one.match, None) for one in created}
    reader.wait_for(sum(map(len, expected.values())))
    assert expected == {match: reader.of(match) for match in expected}


# ---------------------------------------------------------------------- ends


def test_slow_watcher_is_dropped(hub: PlatformHub, worker_b: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A watcher that does not read is cut off; the others get everything."""
    monkeypatch.setattr(watching, "MAX_QUEUE", 5)
    slow, quick = Reader(hub), Reader(hub)
    match = worker_b.service.create(OURS).match
    for number in range(10):
        quick.wait_for(number + 1)
        go_on(worker_b.service, match)
    raised(errors.TooMany, "too_slow", by=slow.ends())


def test_lost_connection_ends_the_watch(server: Server) -> None:
    """When the connection to the store is cut, watches end with store_down; a new one gets what comes then."""
    with running_worker(server.url) as worker:
        hub = PlatformHub(worker.service.repository, worker.store.subscriptions)
        reader, other = Reader(hub), Reader(hub, "club")
        server.ask("CLIENT", "KILL", "TYPE", "pubsub")
        assert [errors.StoreUnavailable] * 2 == [type(one.ends()) for one in (reader, other)]
        again = Reader(hub)
        match = worker.service.create(OURS).match
        again.wait_for(1)
        assert expected_updates(worker.service, match, None) == again.of(match)
        hub.close()


def test_hanging_store_ends_the_watch(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store hangs, watches end although no connection breaks, and new ones are refused in time."""
    monkeypatch.setattr(watching, "CHECK_SECONDS", 0.5)
    monkeypatch.setattr(watching, "BEGIN_SECONDS", 0.5)
    with running_worker(server.url) as worker:
        hub = PlatformHub(worker.service.repository, worker.store.subscriptions)
        reader = Reader(hub)
        time.sleep(1.5)  # three checks of a store that answers
        assert not reader.watcher.is_finished
        server.pause()
        assert isinstance(reader.ends(), errors.StoreUnavailable)
        begun = time.monotonic()
        with pytest.raises(errors.StoreUnavailable):
            Reader(hub)
        assert time.monotonic() - begun < 3
        assert 0 == hub.count()
        server.resume()
        hub.close()


def test_closed_hub_ends_every_watch(hub: PlatformHub) -> None:
    """When a worker stops, its watches end with shutting_down, and it accepts no new one."""
    reader = Reader(hub)
    hub.close()
    assert isinstance(reader.ends(), errors.ShuttingDown)
    with pytest.raises(errors.ShuttingDown):
        Reader(hub)


def test_unreadable_match_silences_no_other(hub: PlatformHub, worker_b: Worker) -> None:
    """A match that cannot be replayed is passed over; the others are received."""
    service = worker_b.service
    reader = Reader(hub)
    broken, sound = service.create(OURS).match, service.create(OURS).match
    reader.wait_for(2)
    client: Any = worker_b.store.connection.client
    client.hset(f"chitarrella:{{{broken}}}", "position", "unreadable")
    client.publish("chitarrella:platform:acme", f"{broken} 1")
    service.delete(service.create(OURS._replace(platform="club")).match)
    go_on(service, sound)
    reader.wait_for(3)
    assert expected_updates(service, sound, None) == reader.of(sound)
