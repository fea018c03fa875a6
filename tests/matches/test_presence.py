"""Who is at the table: calls and streams with the key of a seat are seen at every worker, and nothing waits for it."""

from __future__ import annotations

import time
from unittest.mock import Mock

import pytest

from chitarrella.matches import presence as module
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.presence import Presence
from chitarrella.matches.watching import WatchAccess
from chitarrella.storage.rows import StoreError
from tests.matches.playing import SHORT, go_on
from tests.matches.watchers import Reader, Worker, running_worker
from tests.servers import until


def presence_of(worker: Worker) -> Presence:
    return worker.service.repository.presence


def seen(worker: Worker, match: str) -> dict[int, int]:
    return worker.service.repository.load(match).row.seen_times()


def test_call_is_seen_at_every_worker(worker_a: Worker, worker_b: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call with the key or token of a seat counts, once in some time; that of the referee does not."""
    monkeypatch.setattr(module, "WRITE_SECONDS", 3600.0)
    opened, here = worker_a.service.create(CreateMatch(SHORT)), presence_of(worker_a)
    for key in (dict(opened.keys)[0], opened.referee_key, "the key of another match"):
        here.note(opened.match, key)
    here.write()
    first = seen(worker_b, opened.match)
    assert [0] == list(first)
    time.sleep(0.002)
    here.note(opened.match, dict(opened.keys)[0])
    here.write()
    assert first == seen(worker_b, opened.match)
    go_on(worker_b.service, opened.match)
    presence_of(worker_b).note(opened.match, 1)
    presence_of(worker_b).write()
    assert first == {0: seen(worker_a, opened.match)[0]}
    assert [0, 1] == sorted(seen(worker_a, opened.match))


def test_store_that_fails_is_no_error(worker_a: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a store has refused is written with the next call; a match that is gone keeps nothing else back."""
    here, store = presence_of(worker_a), worker_a.store
    match = worker_a.service.create(CreateMatch(SHORT)).match
    for note_seen in (Mock(side_effect=StoreError("down")), store.matches.note_seen):
        monkeypatch.setattr(store.matches, "note_seen", note_seen)
        here.note("gone", 1)
        here.note(match, 1)
        here.write()
    assert [1] == list(seen(worker_a, match))


def test_stream_counts_until_it_is_cut(url: str, worker_b: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seat of an open stream is seen again and again, also at another worker, and no more once it is closed."""
    monkeypatch.setattr(module, "WRITE_SECONDS", 0.0)
    with running_worker(url, 0.02) as worker:
        opened, here = worker.service.create(CreateMatch(SHORT)), presence_of(worker)
        reader = Reader(worker.hub, opened.match, 1, access=WatchAccess(seat=1))
        Reader(worker.hub, opened.match)

        def seen_since(last: int) -> int:
            here.write()
            now = seen(worker_b, opened.match).get(1, 0)
            return now if now > last else 0

        first = until(lambda: seen_since(0), "the stream is seen")
        until(lambda: seen_since(first), "the stream is seen again")
        reader.watch.close()

        def is_quiet() -> bool:
            last = seen_since(0)
            time.sleep(0.1)
            return not seen_since(last)

        until(is_quiet, "it is seen no more")
        assert [1] == list(seen(worker_b, opened.match))
