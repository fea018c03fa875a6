"""The hubs: a watcher receives every update that it may know, once and in order, to the end."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.core.model import REFEREE, Move, Viewer
from chitarrella.core.visibility import visible_to
from chitarrella.matches import watching
from chitarrella.matches.history import Cursor, Update
from chitarrella.matches.metadata import ABORTED, FINISHED, OPEN
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import PlatformHub, PlatformUpdate
from chitarrella.storage.rows import chain_digest
from tests.matches.playing import LONG_MATCH, PARTNERS, SHORT, expire, go_on, play_out, raised
from tests.matches.watchers import QueueReader, Reader, Worker, expected_updates, running_worker
from tests.servers import Server, until

VIEWERS: tuple[Viewer, ...] = (None, 0, 1, 2, 3, REFEREE)


def signalling(service: MatchService, opened: CreatedMatch, *turns: int) -> None:
    """Signal and play a card on each of these turns of a match of four; after twelve everybody has said it all."""
    for number in turns:
        service.play(opened.match, MoveRequest(number % 4, Move("signal", choice="A3RCF"[number // 4])))
        go_on(service, opened.match)


# ---------------------------------------------------------------------- who receives what


def test_every_viewer_gets_its_updates(worker_a: Worker) -> None:
    """Every viewer gets the updates of its events as they happen, without the cards that it may not see."""
    opened = worker_a.service.create(CreateMatch(PARTNERS))
    signalling(worker_a.service, opened, *range(4))
    readers = {viewer: Reader(worker_a.hub, opened.match, viewer) for viewer in VIEWERS}
    signalling(worker_a.service, opened, *range(4, 12))
    history, lines = worker_a.service.repository.history(opened.match)
    happened = [step.events for step in history.replay(lines)]
    for viewer, reader in readers.items():
        seen = [tuple(one for event in events if (one := visible_to(event, viewer))) for events in happened]
        expected = [events for events in seen if events]
        assert expected == [one.events for one in reader.wait_for(len(expected))]
        assert expected_updates(worker_a.service, opened.match, viewer) == reader.updates
    row = worker_a.service.repository.load(opened.match).row
    assert (row.length, row.revision) == (history.length, history.revision)
    assert 25 == len(readers[REFEREE].updates)
    assert 13 == len(readers[None].updates)
    assert 19 == len(readers[0].updates)


def test_watch_resumes_from_every_cursor(worker_a: Worker) -> None:
    """Cursors increase; from any of them a watch goes on without gap or repetition, now and later."""
    opened = worker_a.service.create(CreateMatch(PARTNERS))
    signalling(worker_a.service, opened, *range(6))
    for viewer in VIEWERS:
        whole = expected_updates(worker_a.service, opened.match, viewer)
        assert sorted({one.cursor for one in whole}) == [one.cursor for one in whole]
        for place in range(len(whole) + 1):
            after = whole[place - 1].cursor if place else Cursor()
            assert whole[place:] == Reader(worker_a.hub, opened.match, viewer, after).read()
    before = expected_updates(worker_a.service, opened.match, None)
    readers = [Reader(worker_a.hub, opened.match, None, one.cursor) for one in before]
    go_on(worker_a.service, opened.match)
    for number, reader in enumerate(readers):
        reader.wait_for(len(readers) - number)


def test_invisible_event_wakes_no_watcher(worker_a: Worker) -> None:
    """A signal does not wake opponents and public: neither a call nor a late heartbeat reveals it."""
    opened = worker_a.service.create(CreateMatch(PARTNERS))
    readers = {viewer: Reader(worker_a.hub, opened.match, viewer) for viewer in VIEWERS}
    before = {viewer: reader.calls for viewer, reader in readers.items()}
    worker_a.service.play(opened.match, MoveRequest(0, Move("signal", choice="A")))
    readers[REFEREE].wait_for(2)
    called = {viewer for viewer, reader in readers.items() if reader.calls > before[viewer]}
    assert {0, 2, REFEREE} == called


def test_no_move_is_lost_while_the_first_watcher_joins(worker_a: Worker, worker_b: Worker) -> None:
    """A move made while the first watcher joins reaches it, whichever is first."""
    for _ in range(10):
        opened = worker_a.service.create(CreateMatch(SHORT))
        moving = threading.Thread(target=go_on, args=(worker_a.service, opened.match, 3))
        moving.start()
        reader = Reader(worker_b.hub, opened.match)
        moving.join()
        reader.wait_for(4)


# ---------------------------------------------------------------------- how watching ends


def abort(service: MatchService, match: str) -> None:
    go_on(service, match)
    service.abort(match)


@pytest.mark.parametrize("end", [play_out, abort])
def test_a_watch_ends_with_it(worker_a: Worker, worker_b: Worker, end: Callable[[MatchService, str], None]) -> None:
    """When the match is over or aborted every watcher has all updates, and the watch ends without a fault."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    viewers: tuple[Viewer, ...] = (None, 0, REFEREE)
    readers = [Reader(one.hub, opened.match, viewer) for one in (worker_a, worker_b) for viewer in viewers]
    end(worker_b.service, opened.match)
    for reader, viewer in zip([*readers, Reader(worker_a.hub, opened.match, 1)], (*viewers * 2, 1), strict=True):
        assert None is reader.ends()
        assert expected_updates(worker_a.service, opened.match, viewer) == reader.updates


def test_watch_of_a_match_that_does_not_exist_is_an_error(url: str) -> None:
    """When a match expires its watchers get the error for an unknown match, which cannot be watched."""
    with running_worker(url, poll_seconds=0.1) as busy:
        opened = busy.service.create(CreateMatch(SHORT, ttl_seconds=1))
        reader = Reader(busy.hub, opened.match)
        assert isinstance(reader.ends(), errors.NotFound)
        assert 1 == len(reader.updates)
        for match in (opened.match, "none"):
            with pytest.raises(errors.NotFound):
                Reader(busy.hub, match)
        assert 0 == busy.hub.count()


def test_slow_watcher_is_disconnected_and_may_resume(worker_a: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A watcher whose buffer is full is disconnected, and can resume; who comes later gets more than a buffer holds."""
    monkeypatch.setattr(watching, "MAX_QUEUE", 20)
    opened = worker_a.service.create(CreateMatch(LONG_MATCH))
    slow, quick = Reader(worker_a.hub, opened.match), Reader(worker_a.hub, opened.match)
    for number in range(30):
        go_on(worker_a.service, opened.match)
        quick.wait_for(number + 2)
    raised(errors.TooMany, "too_slow", by=slow.ends())
    assert slow.updates == quick.updates[: len(slow.updates)]
    again, late = Reader(worker_a.hub, opened.match, None, slow.updates[-1].cursor), Reader(worker_a.hub, opened.match)
    assert quick.updates == slow.updates + again.read() == late.read()
    assert [None] * 3 == [reader.watch.error for reader in (quick, again, late)]


def test_closed_watch_gets_nothing(worker_a: Worker) -> None:
    """A closed watch gets no update, one that cannot be called disturbs no other; the last one releases the match."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    leaver, stayer = Reader(worker_a.hub, opened.match), Reader(worker_a.hub, opened.match)
    assert 2 == worker_a.hub.count()
    leaver.watch.close()
    leaver.watch.close()

    def gone() -> None:
        raise RuntimeError("Event loop is closed")

    stopped = worker_a.hub.watch(opened.match, None, Cursor(), gone)
    assert 2 == worker_a.hub.count()
    go_on(worker_a.service, opened.match)
    stayer.wait_for(2)
    assert 1 == len(leaver.read())
    for watch in (stopped, stayer.watch):
        watch.close()
    assert 0 == worker_a.hub.count()
    back = Reader(worker_a.hub, opened.match)
    go_on(worker_a.service, opened.match)
    back.wait_for(3)


@pytest.mark.parametrize("watchers", [0, 3])
def test_closing_hub_ends_watches_and_frees_resources(url: str, watchers: int) -> None:
    """A closing hub ends every watch, accepts no new one, and leaves no thread; without watchers it has none."""
    before = threading.active_count()
    made = Worker(url)
    opened = made.service.create(CreateMatch(SHORT))
    readers = [Reader(made.hub, opened.match, viewer) for viewer in (None, 0, 1)[:watchers]]
    assert watchers or before == threading.active_count()
    for _ in range(2):
        made.hub.close()
    for reader in readers:
        assert isinstance(reader.ends(), errors.ShuttingDown)
        assert 1 == len(reader.updates)
    with pytest.raises(errors.ShuttingDown):
        Reader(made.hub, opened.match)
    until(lambda: before == threading.active_count(), "its threads have ended", 5)
    made.store.close()


def test_unreadable_log_ends_only_its_own_watches(server: Server) -> None:
    """A match with an unreadable log ends its watches with a fault, and silences no other match."""
    with running_worker(server.url, poll_seconds=0.1) as made:
        broken, sound = made.service.create(CreateMatch(SHORT)), made.service.create(CreateMatch(SHORT))
        readers = [Reader(made.hub, opened.match) for opened in (broken, sound)]
        row, name = made.service.repository.load(broken.match).row, f"chitarrella:{{{broken.match}}}"
        server.ask("RPUSH", f"{name}:log", "0 play_card XX")
        server.ask("HSET", name, "length", row.length + 1, "digest", chain_digest(row.log_digest, ("0 play_card XX",)))
        assert isinstance(readers[0].ends(), errors.InternalError)
        go_on(made.service, sound.match)
        readers[1].wait_for(2)


# ---------------------------------------------------------------------- all matches of a platform

OURS = CreateMatch(LONG_MATCH, platform="acme")
HEARTBEAT = PlatformUpdate()


class PlatformReader(QueueReader[PlatformUpdate]):
    def __init__(self, hub: PlatformHub, platform: str = "acme") -> None:
        super().__init__()
        self.watch = hub.watch(platform, lambda: None)

    def read(self) -> list[PlatformUpdate]:
        self.updates += [one for one in self.watch.take() if one != HEARTBEAT]
        return self.updates

    def of(self, match: str) -> list[Update]:
        return [one.update for one in self.updates if one.match == match and one.update]


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
    reader = PlatformReader(hub)
    assert [HEARTBEAT] == reader.watch.take()
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
    reader = PlatformReader(hub)
    played, aborted = service.create(OURS._replace(rule_set=SHORT)), service.create(OURS)
    play_out(service, played.match)
    for _ in range(2):
        service.abort(aborted.match)
    expected = expected_updates(service, played.match, None)
    received = reader.wait_for(len(expected) + 2)
    assert expected == reader.of(played.match)
    states = [one.state for one in received if one.match == played.match]
    assert [OPEN] * (len(expected) - 1) + [FINISHED] == states
    assert PlatformUpdate(aborted.match, state=ABORTED) == received[-1]
    assert 1 == sum(one.state == ABORTED for one in received)


def test_watchers_come_and_go_without_gap_or_repetition(hub: PlatformHub, worker_b: Worker) -> None:
    """Who comes again gets what the public may know from then on, and no signal between partners."""
    service = worker_b.service
    match = service.create(OURS._replace(rule_set=PARTNERS)).match
    for rank in "A3R":
        go_on(service, match)
        reader = PlatformReader(hub)
        before = len(expected_updates(service, match, None))
        service.play(match, MoveRequest(0, Move("signal", choice=rank)))
        go_on(service, match, 2)
        reader.wait_for(2)
        assert expected_updates(service, match, None)[before:] == reader.of(match)
        reader.watch.close()
        assert 0 == hub.count()


def test_moves_read_late_reach_who_watched_when_they_were_made(
    hub: PlatformHub, worker_b: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes while moves of before are still to be read gets none of them, and each of its own."""
    service, begun, is_free = worker_b.service, threading.Event(), threading.Event()
    match = service.create(OURS).match
    earlier = PlatformReader(hub)
    read = PlatformHub._read

    def held(self: PlatformHub, match: str, starts: list[int]) -> list[PlatformUpdate]:
        begun.set()
        assert is_free.wait(10)
        return read(self, match, starts)

    monkeypatch.setattr(PlatformHub, "_read", held)
    go_on(service, match)
    assert begun.wait(10)
    earlier.watch.close()
    go_on(service, match)
    reader = PlatformReader(hub)
    before = len(expected_updates(service, match, None))
    go_on(service, match)
    until(lambda: hub._announced, "the last move is announced")
    is_free.set()
    reader.wait_for(1)
    go_on(service, match)
    reader.wait_for(2)
    assert expected_updates(service, match, None)[before:] == reader.of(match)


def test_match_created_again_is_received_from_its_beginning(hub: PlatformHub, worker_b: Worker) -> None:
    """A match that expired and was created again under the same id is another match."""
    service, request = worker_b.service, OURS._replace(request_id="0123456789abcdef")
    reader = PlatformReader(hub)
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
    """Fifty watchers share one subscription and one replay, also of moves that were announced during another one."""
    readers = [PlatformReader(hub) for _ in range(50)]
    replays: list[str] = []
    read, is_free = PlatformHub._read, threading.Event()

    def counted(self: PlatformHub, match: str, starts: list[int]) -> list[PlatformUpdate]:
        updates = read(self, match, starts)
        replays.append(match)
        assert is_free.wait(10)
        return updates

    monkeypatch.setattr(PlatformHub, "_read", counted)
    match = worker_b.service.create(OURS).match
    until(lambda: replays, "the deal is read")
    go_on(worker_b.service, match, 5)
    until(lambda: [[1, 2, 3, 4, 5]] == [*hub._announced.values()], "all moves are announced")
    is_free.set()
    for reader in readers:
        reader.wait_for(6)
        assert readers[0].updates == reader.updates
    assert expected_updates(worker_b.service, match, None) == readers[0].of(match)
    assert 2 == len(replays)
    client: Any = worker_b.store.connection.client
    assert 1 == len(client.client_list(_type="pubsub"))


def test_lost_connection_ends_the_watch(server: Server) -> None:
    """When the connection to the store is cut, watches end with store_down; a new one gets what comes then."""
    with running_worker(server.url) as worker:
        hub = PlatformHub(worker.service.repository, worker.store.subscriptions)
        reader, other = PlatformReader(hub), PlatformReader(hub, "club")
        server.ask("CLIENT", "KILL", "TYPE", "pubsub")
        assert [errors.StoreUnavailable] * 2 == [type(one.ends()) for one in (reader, other)]
        again = PlatformReader(hub)
        match = worker.service.create(OURS).match
        again.wait_for(1)
        assert expected_updates(worker.service, match, None) == again.of(match)
        again.watch.close()
        until(lambda: not server.ask("CLIENT", "LIST", "TYPE", "pubsub"), "nothing is watched")
        server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        assert not PlatformReader(hub).watch.is_finished
        hub.close()


def test_hanging_store_ends_the_watch(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store hangs, watches end although no connection breaks, and new ones are refused in time."""
    monkeypatch.setattr(watching, "CHECK_SECONDS", 0.5)
    monkeypatch.setattr(watching, "BEGIN_SECONDS", 0.5)
    with running_worker(server.url) as worker:
        hub = PlatformHub(worker.service.repository, worker.store.subscriptions)
        reader = PlatformReader(hub)
        time.sleep(1.5)  # three checks of a store that answers
        assert not reader.watch.is_finished
        server.pause()
        assert isinstance(reader.ends(), errors.StoreUnavailable)
        begun = time.monotonic()
        with pytest.raises(errors.StoreUnavailable):
            PlatformReader(hub)
        assert time.monotonic() - begun < 3
        assert 0 == hub.count()
        server.resume()
        hub.close()


def test_closed_hub_ends_every_watch(hub: PlatformHub) -> None:
    """When a worker stops, its watches end with shutting_down, and it accepts no new one."""
    reader = PlatformReader(hub)
    hub.close()
    assert isinstance(reader.ends(), errors.ShuttingDown)
    with pytest.raises(errors.ShuttingDown):
        PlatformReader(hub)


def test_unreadable_match_silences_no_other(hub: PlatformHub, worker_b: Worker) -> None:
    """A match that cannot be replayed is passed over; the others are received."""
    service = worker_b.service
    reader = PlatformReader(hub)
    broken, sound = service.create(OURS).match, service.create(OURS).match
    reader.wait_for(2)
    client: Any = worker_b.store.connection.client
    client.hset(f"chitarrella:{{{broken}}}", "position", "unreadable")
    client.publish("chitarrella:platform:acme", f"{broken} 1")
    service.delete(service.create(OURS._replace(platform="club")).match)
    go_on(service, sound)
    reader.wait_for(3)
    assert expected_updates(service, sound, None) == reader.of(sound)
