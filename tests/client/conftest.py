"""A real service, a way to it that can be cut, and the two faces of the client."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from chitarrella_client import Chitarrella
from tests.client.aio_as_blocking import Loop, blocking
from tests.client.proxy import Proxy
from tests.servers import UNLIMITED, spawn, until

Opens: TypeAlias = Callable[..., Chitarrella]
"""Opens a client; takes what `Chitarrella` takes, and the service's address if none is given."""


class Service:
    """The service as anybody starts it, on free ports."""

    def __init__(self, folder: Path, grpc: str = "127.0.0.1:0") -> None:
        """Start it, and wait until it says where it is."""
        command = [sys.executable, "-m", "chitarrella", "serve", "--grpc", grpc, "--rest", "127.0.0.1:0"]
        command += ["--data", str(folder / "data"), "--heartbeat", "0.2", "--log-level", "error"]
        self._said = folder / "said"
        with self._said.open("w") as said:
            self.process = spawn(command, stdout=said, stderr=subprocess.STDOUT, env={**os.environ, **UNLIMITED})
        until(lambda: "gRPC" in self._said.read_text() or self.process.poll() is not None, "the service has started")
        self.address = self._address()

    def _address(self) -> str:
        words = self._said.read_text().split()
        assert "gRPC" in words, self._said.read_text()
        return words[words.index("gRPC") + 1]

    def stop(self) -> None:
        """Ask it to stop, and wait until it has."""
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service for all tests."""
    running = Service(tmp_path_factory.mktemp("service"))
    yield running
    running.stop()


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    """A way to the service that can be cut."""
    open_stack = Proxy(service.address)
    yield open_stack
    open_stack.close()


@pytest.fixture(params=["threads", "asyncio"])
def opens(request: pytest.FixtureRequest, service: Service) -> Iterator[Opens]:
    """Opens clients, with the one face and with the other."""
    opened: list[Any] = []
    loop = Loop() if request.param == "asyncio" else None

    def opening(address: str = service.address, *arguments: Any, **named: Any) -> Any:
        client = blocking(loop, address, *arguments, **named) if loop else Chitarrella(address, *arguments, **named)
        opened.append(client)
        return client

    yield opening
    for client in opened:
        client.close()
    if loop:
        loop.stop()


@pytest.fixture
def client(opens: Opens) -> Chitarrella:
    """A client of the service."""
    return opens()


@pytest.fixture
def opens_through(opens: Opens, proxy: Proxy) -> Opens:
    """Opens clients whose way can be cut."""

    def opening(**named: Any) -> Chitarrella:
        return opens(proxy.address, **named)

    return opening
