"""The hub when lines break and stores go: nobody waits, nobody misses anything; and when there are many watchers."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.matches.history import Cursor, MatchHistory, Update
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import chain_digest
from tests.matches.playing import CATALOGUE, LONG_MATCH, SHORT, go_on, raised
from tests.matches.watchers import Reader, Worker, expected_updates, running_worker, signalling
from tests.servers import Server, until

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


def test_history_rewritten_by_a_failover_is_an_error_for_its_watchers(url: str, server: Server) -> None:
    """When a failover has lost delivered moves, those who got them get an error; the others do not."""
    with running_worker(server.url, poll_seconds=0.1) as made:
        opened, other = made.service.create(CreateMatch(SHORT)), made.service.create(CreateMatch(SHORT))
        log = made.service.repository.read_log(opened.match)
        reader, undisturbed = Reader(made.hub, opened.match), Reader(made.hub, other.match)
        first = made.service.repository.load(opened.match).row
        go_on(made.service, opened.match, 2)
        reader.wait_for(3)
        name = f"chitarrella:{{{opened.match}}}"
        server.ask("DEL", name, f"{name}:log", f"{name}:tokens")
        assert made.store.matches.create(opened.match, first, tuple(log), 3600)
        fault = reader.ends()
        raised(errors.MovesLost, "moves_lost", by=fault)
        again = Reader(made.hub, opened.match)
        with pytest.raises(errors.MovesLost):
            go_on(made.service, opened.match)
        go_on(made.service, opened.match)
        go_on(made.service, other.match)
        undisturbed.wait_for(2)
        again.wait_for(3)


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


def test_five_hundred_watchers_share_one_subscription(worker_a: Worker, worker_b: Worker, store: RedisStore) -> None:
    """Five hundred watchers get everything over one connection to the store and no more threads."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    begun = time.monotonic()
    readers = [Reader(worker_a.hub, opened.match, number % 2) for number in range(500)]
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


def test_history_revisions_match_the_stored_rows(worker_a: Worker) -> None:
    """The revision that the history computes is the one of the stored row, after every move."""
    opened = signalling(worker_a.service)
    history, lines = worker_a.service.repository.history(opened.match)
    assert isinstance(history, MatchHistory)
    revisions = [revision for revision, _ in history.replay(lines)]
    row = worker_a.service.repository.load(opened.match).row
    assert (row.length, row.revision) == (len(revisions), revisions[-1])
