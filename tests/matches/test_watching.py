"""The hub: a watcher receives every update that its viewer may know, once and in order, to the end."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.core.game import visible_to
from chitarrella.core.model import REFEREE, Move
from chitarrella.matches import watching
from chitarrella.matches.history import Cursor, Update
from chitarrella.matches.model import CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import chain_digest
from tests.matches.playing import CATALOGUE, LONG_MATCH, PARTNERS, SHORT, go_on, play_out
from tests.matches.watchers import VIEWERS, Reader, Worker, expected_updates, running_worker, signalling
from tests.servers import Server, until

# ---------------------------------------------------------------------- who receives what


def test_every_viewer_gets_its_updates(worker_a: Worker) -> None:
    """Every viewer gets the updates of its events as they happen, without the cards that it may not see."""
    opened = signalling(worker_a.service, 4)
    readers = {viewer: Reader(worker_a.hub, opened.match, viewer) for viewer in VIEWERS}
    for number in range(4, 12):
        worker_a.service.play(opened.match, MoveRequest(number % 4, Move("signal", choice="A3RCF"[number // 4])))
        go_on(worker_a.service, opened.match)
    history, lines = worker_a.service.repository.history(opened.match)
    happened = [events for _, events in history.replay(lines)]
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
    opened = signalling(worker_a.service, 6)
    for viewer in VIEWERS:
        whole = expected_updates(worker_a.service, opened.match, viewer)
        assert sorted({one.cursor for one in whole}) == [one.cursor for one in whole]
        for place in range(len(whole) + 1):
            after = whole[place - 1].cursor if place else Cursor()
            assert whole[place:] == Reader(worker_a.hub, opened.match, viewer, after).read()
    readers = [
        Reader(worker_a.hub, opened.match, None, one.cursor)
        for one in expected_updates(worker_a.service, opened.match, None)
    ]
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


def test_poll_without_news_wakes_no_watcher(url: str) -> None:
    """A poll of the hub that finds nothing new wakes no watcher."""
    with running_worker(url, poll_seconds=0.05) as busy:
        opened = busy.service.create(CreateMatch(SHORT))
        reader = Reader(busy.hub, opened.match)
        reader.wait_for(1)
        calls = reader.calls
        time.sleep(0.5)
        assert calls == reader.calls


def test_updates_reach_the_watchers_of_their_match_at_every_worker(worker_a: Worker, worker_b: Worker) -> None:
    """Moves made through one worker reach the watchers of the other at once, both ways, and of no other match."""
    workers = (worker_a, worker_b)
    matches = [worker_a.service.create(CreateMatch(SHORT)).match for _ in range(8)]
    readers = {match: [Reader(worker.hub, match, 0) for worker in workers] for match in matches}
    for number, match in enumerate(matches, 1):
        for move in range(number):
            go_on(workers[move % 2].service, match)
        for reader in readers[match]:
            reader.wait_for(number + 1)  # by an announcement, because the hubs do not poll
    for match in matches:
        for reader in readers[match]:
            assert expected_updates(worker_a.service, match, 0) == reader.read()


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


def test_watch_ends_with_the_match(worker_a: Worker, worker_b: Worker) -> None:
    """When the match is over every watcher has all updates, and the watch ends without a fault."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    readers = [Reader(one.hub, opened.match, viewer) for one in (worker_a, worker_b) for viewer in (None, 0, REFEREE)]
    play_out(worker_a.service, opened.match)
    for reader, viewer in zip(readers, (None, 0, REFEREE) * 2, strict=True):
        assert None is reader.ends()
        assert expected_updates(worker_a.service, opened.match, viewer) == reader.updates
    late = Reader(worker_a.hub, opened.match, 1)
    assert None is late.ends()
    assert expected_updates(worker_a.service, opened.match, 1) == late.updates


def test_watch_ends_when_the_match_is_aborted(worker_a: Worker, worker_b: Worker) -> None:
    """When a match is aborted the watch ends without a fault, also for late watchers."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    readers = [Reader(one.hub, opened.match) for one in (worker_a, worker_b)]
    go_on(worker_a.service, opened.match)
    worker_b.service.abort(opened.match)
    for reader in (*readers, Reader(worker_a.hub, opened.match)):
        assert None is reader.ends()
        assert 2 == len(reader.updates)


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
    """A watcher whose buffer is full is disconnected, and can resume at its cursor."""
    monkeypatch.setattr(watching, "MAX_QUEUE", 20)
    opened = worker_a.service.create(CreateMatch(LONG_MATCH))
    slow, quick = Reader(worker_a.hub, opened.match), Reader(worker_a.hub, opened.match)
    for number in range(30):
        go_on(worker_a.service, opened.match)
        quick.wait_for(number + 2)
    fault = slow.ends()
    assert isinstance(fault, errors.TooMany)
    assert "too_slow" == fault.code
    assert slow.updates == quick.updates[: len(slow.updates)]
    again = Reader(worker_a.hub, opened.match, None, slow.updates[-1].cursor)
    assert quick.updates == slow.updates + again.read()
    assert None is quick.watch.error


def test_long_backlog_does_not_disconnect(worker_a: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new watcher of a match longer than the buffer gets all of it."""
    monkeypatch.setattr(watching, "MAX_QUEUE", 20)
    opened = worker_a.service.create(CreateMatch(LONG_MATCH))
    go_on(worker_a.service, opened.match, 50)
    first, second = Reader(worker_a.hub, opened.match), Reader(worker_a.hub, opened.match)
    for reader in (first, second):
        assert expected_updates(worker_a.service, opened.match, None) == reader.read()
        assert not reader.watch.is_finished


def test_closed_watch_gets_nothing(worker_a: Worker) -> None:
    """A closed watch gets no update; the others do; the last one to close releases the match."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    leaver, stayer = Reader(worker_a.hub, opened.match), Reader(worker_a.hub, opened.match)
    assert 2 == worker_a.hub.count()
    leaver.watch.close()
    leaver.watch.close()
    assert 1 == worker_a.hub.count()
    go_on(worker_a.service, opened.match)
    stayer.wait_for(2)
    assert 1 == len(leaver.read())
    stayer.watch.close()
    assert 0 == worker_a.hub.count()
    back = Reader(worker_a.hub, opened.match)
    go_on(worker_a.service, opened.match)
    back.wait_for(3)


def test_watcher_with_a_closed_loop_is_ignored(worker_a: Worker) -> None:
    """A watcher that cannot be called any more does not disturb the others."""
    opened = worker_a.service.create(CreateMatch(SHORT))

    def gone() -> None:
        raise RuntimeError("Event loop is closed")

    worker_a.hub.watch(opened.match, None, Cursor(), gone)
    reader = Reader(worker_a.hub, opened.match)
    go_on(worker_a.service, opened.match)
    reader.wait_for(2)


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


# ---------------------------------------------------------------------- lines that break


def test_updates_missed_by_a_broken_subscription_are_delivered_once(url: str, server: Server) -> None:
    """Updates during a broken subscription arrive when it is back, to everybody and once."""
    with running_worker(server.url) as one, running_worker(server.url) as two:
        opened = one.service.create(CreateMatch(SHORT))
        reader = Reader(one.hub, opened.match)
        for number in range(5):
            server.ask("CLIENT", "KILL", "TYPE", "pubsub")
            go_on(two.service, opened.match)
            reader.wait_for(number + 2)
        assert expected_updates(two.service, opened.match, None) == reader.updates


def test_poll_finds_what_the_subscription_missed(url: str, store: RedisStore) -> None:
    """If the subscription says nothing at all, polling finds the updates."""
    with running_worker(url, poll_seconds=0.1) as made:
        opened = made.service.create(CreateMatch(SHORT))
        reader = Reader(made.hub, opened.match)
        line: Any = made.hub._subscription
        line.unsubscribe(opened.match)
        go_on(MatchService(CATALOGUE, store), opened.match, 3)
        reader.wait_for(4)


def test_watchers_recover_after_a_store_outage(server: Server) -> None:
    """Watchers wait while the store is away, and get the news when it is back without another move."""
    with running_worker(server.url) as one, running_worker(server.url) as two:
        opened = one.service.create(CreateMatch(SHORT))
        reader = Reader(one.hub, opened.match)
        go_on(one.service, opened.match)
        reader.wait_for(2)
        server.kill()
        with pytest.raises(errors.StoreUnavailable):
            Reader(one.hub, "another")
        server.start()
        go_on(two.service, opened.match, 2)
        reader.wait_for(4)
        assert 1 == one.hub.count()


def test_hanging_store_blocks_no_watcher(server: Server) -> None:
    """While the store hangs, watchers can leave, new ones get what is known, and the hub can close."""
    with running_worker(server.url, poll_seconds=0.1) as made:
        opened = made.service.create(CreateMatch(SHORT))
        readers = [Reader(made.hub, opened.match) for _ in range(4)]
        server.pause()
        time.sleep(0.3)  # by now the hub waits for an answer
        begun = time.monotonic()
        for reader in readers[:2]:
            reader.watch.close()
        assert 1 == len(Reader(made.hub, opened.match).read())
        assert 3 == made.hub.count()
        assert time.monotonic() - begun < 1
        server.resume()


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


# ---------------------------------------------------------------------- many


def test_many_watchers_share_one_subscription(worker_a: Worker, worker_b: Worker, store: RedisStore) -> None:
    """Two hundred watchers get everything over one connection to the store and no more threads."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    begun = time.monotonic()
    readers = [Reader(worker_a.hub, opened.match, number % 2) for number in range(200)]
    assert time.monotonic() - begun < 5
    client: Any = store.connection.client
    until(lambda: len(client.client_list(_type="pubsub")) == 1, "one subscription")
    threads = threading.active_count()
    for number in range(10):
        go_on(worker_b.service, opened.match)
        for reader in readers:
            reader.wait_for(number + 2)
    assert threads == threading.active_count()
    for seat in (0, 1):
        expected = expected_updates(worker_a.service, opened.match, seat)
        assert all(expected == reader.updates for reader in readers[seat::2])


def test_concurrent_watchers_get_a_continuous_history(worker_a: Worker, worker_b: Worker) -> None:
    """Watchers that come and go from several threads get a stretch of history without gap or repetition."""
    opened = worker_a.service.create(CreateMatch(LONG_MATCH))
    faults: list[str] = []
    stop = threading.Event()

    def visit(number: int) -> None:
        after = Cursor()
        whole: list[Update] = []
        while not stop.is_set():
            reader = Reader(worker_a.hub, opened.match, number % 2, after)
            time.sleep(0.002)
            reader.watch.close()
            whole += reader.read()
            after = whole[-1].cursor if whole else after
        if whole != expected_updates(worker_a.service, opened.match, number % 2)[: len(whole)]:
            faults.append(f"visitor {number}")

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(6)]
    for visitor in visitors:
        visitor.start()
    go_on(worker_b.service, opened.match, 120)
    stop.set()
    for visitor in visitors:
        visitor.join()
    assert [] == faults
    assert 0 == worker_a.hub.count()
