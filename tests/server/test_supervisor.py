"""A worker that ended is replaced, and the log says so; workers end with their parent."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path

import grpc
import pytest
from grpc_status import rpc_status

from chitarrella.server.supervisor import (
    FIRST_PAUSE_SECONDS,
    MAX_FAILED_STARTS,
    MAX_PAUSE_SECONDS,
    STABLE_SECONDS,
    Backoff,
    WorkersFailed,
)
from tests.server.process import Player, Service, StartService, fetched
from tests.servers import until


def workers(service: Service) -> set[int]:
    """The numbers of the worker processes."""
    return {number for number, command in service.family().items() if "spawn_main" in command}


def has_replaced(service: Service, count: int) -> bool:
    """Whether a worker that listens counts so many workers that were replaced."""
    with suppress(OSError):  # the connection was that of the killed one
        return f"chitarrella_worker_restarts_total {count}.0" in fetched(f"{service.rest}/metrics")
    return False


def test_pauses_double_until_a_worker_is_stable() -> None:
    """Each pause is twice the one before, up to a maximum; after a worker that has lived long they begin anew."""
    backoff = Backoff()
    pauses = [backoff.pause_after(1.0, has_listened=True) for _ in range(9)]
    assert [0.5, 1, 2, 4, 8, 16, 30, 30, 30] == pauses
    assert MAX_PAUSE_SECONDS == backoff.pause_after(STABLE_SECONDS - 1, has_listened=True)
    assert FIRST_PAUSE_SECONDS == backoff.pause_after(STABLE_SECONDS, has_listened=True)
    assert 2 * FIRST_PAUSE_SECONDS == backoff.pause_after(1.0, has_listened=True)


def test_failed_starts_in_a_row_end_the_service() -> None:
    """A worker that ends before it listens is started again a few times; one that listened begins the count anew."""
    backoff = Backoff()
    for _ in range(2):
        for _ in range(MAX_FAILED_STARTS - 1):
            backoff.pause_after(1.0, has_listened=False)
        backoff.pause_after(1.0, has_listened=True)
    for _ in range(MAX_FAILED_STARTS - 1):
        backoff.pause_after(1.0, has_listened=False)
    with pytest.raises(WorkersFailed):
        backoff.pause_after(1.0, has_listened=False)


def test_killed_worker_is_reported_and_counted(start_service: StartService) -> None:
    """The end of a worker is in the log with its signal and the pause before the next one, and in the metrics."""
    service = start_service("--workers", "2")
    before = workers(service)
    killed = min(before)
    for count, pause in ((1, "0.5"), (2, "1.0")):
        os.kill(killed, signal.SIGKILL)
        replaced = partial(has_replaced, service, count)
        until(replaced, "it is counted")
        assert count == len(service.events("a worker has ended: signal SIGKILL, "))
        assert 1 == len(service.events(f"a worker is started again in {pause} s"))
        (killed,) = workers(service) - before
    service.stop()


def test_worker_that_cannot_start_again_ends_the_service(start_service: StartService, tmp_path: Path) -> None:
    """Where no worker can be started any more the service ends with an error, after its attempts."""
    key = tmp_path / "key.pem"
    key.write_text(ed25519_key())
    service = start_service("--workers", "2", "--signing-key-file", str(key))
    key.write_text("no key")
    os.kill(min(workers(service)), signal.SIGKILL)
    assert 1 == service.process.wait(90)
    assert MAX_FAILED_STARTS == len(service.events("a worker has ended: exit code 1, "))
    assert service.events("the service ends: a worker has failed to start 5 times in a row")
    service.all_gone()


def ed25519_key() -> str:
    """A new private key as a PEM file has it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def test_orphan_answers_no_more(start_service: StartService) -> None:
    """When the service is killed its workers end at once: a watch breaks off without a last word."""
    service = start_service("--workers", "2")
    player = Player(service.grpc)
    watch = player.watch()
    next(watch)
    service.kill()
    with pytest.raises(grpc.RpcError):
        next(watch)
    assert grpc.StatusCode.UNAVAILABLE == watch.code()
    assert rpc_status.from_call(watch) is None
    service.all_gone()
    player.close()
