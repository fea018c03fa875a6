"""The attacks themselves: one that does not reach the service in full is not right."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from chitarrella.storage.redis_url import TIMEOUT_SECONDS
from lab.chaos.attacks import all_attacks, connections, store_outages
from lab.chaos.attacks.victim import Victim

ALLOWED = 3
"""Open matches that a caller without an API key may have."""


@contextmanager
def closing_server(accepted: int) -> Iterator[tuple[str, int]]:
    """A server that closes so many connections as soon as it has them, and then listens no more; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    address: tuple[str, int] = listener.getsockname()

    def serve() -> None:
        with listener:
            for _ in range(accepted):
                listener.accept()[0].close()

    thread = threading.Thread(target=serve)
    thread.start()
    if not accepted:
        thread.join()
    yield address
    thread.join()


@pytest.mark.parametrize("path", [connections.GRPC_PATH, connections.REST_PATH])
def test_resets_that_do_not_come_through_are_not_right(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a service is gone after its first connections, too few streams are reset."""
    monkeypatch.setattr(connections, "LATE_SECONDS", 0.5)
    with closing_server(connections.CONNECTIONS) as address:
        effect = connections.reset_streams(address, path, "application/grpc", 0.05)
    assert effect.sent < connections.LEAST_STREAMS * 0.05
    assert not effect.is_right


def test_batches_that_nobody_answers_are_not_right() -> None:
    """Connections that are refused answer no batch."""
    with closing_server(0) as (host, port):
        effect = all_attacks.send_batches(f"http://{host}:{port}", 1)
    assert 2 == effect.sent
    assert not effect.is_right


def test_slow_requests_that_find_no_server_are_not_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections that are refused are counted."""
    monkeypatch.setattr(connections, "LEAST_SLOW_SECONDS", 0.0)
    with closing_server(0) as address:
        effect = connections.drip(address, 0.01)
    assert (0, False) == (effect.sent, effect.is_right)
    assert "0 of 21 connections" in effect.note


@pytest.mark.slow
def test_matches_of_bots_that_are_refused_are_not_right(tmp_path: Path) -> None:
    """Where the service refuses some of the matches, the attack is too small."""
    with closing(Victim(tmp_path, "--open-matches-anonymous", str(ALLOWED))) as victim:
        effect = all_attacks.flood_bots(victim, 0.05)
    assert (ALLOWED, False) == (effect.sent, effect.is_right)


@pytest.mark.parametrize(("longest", "right"), [(2 * TIMEOUT_SECONDS, True), (4 * TIMEOUT_SECONDS, False)])
def test_callers_of_a_hanging_store_may_not_wait_long(longest: float, right: bool) -> None:
    """A caller may wait once in the queue and once for the store; one who waits longer makes the attack not right."""
    assert right == store_outages.effect_of([0.1, longest, 0.1]).is_right
