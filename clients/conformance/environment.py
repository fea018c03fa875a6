"""The environment of the runners: live services, one of them behind proxies that cut connections on request."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from chitarrella.api.api_keys import digest_of
from lab.chaos.deployment import PortProxy
from tests.example_packages import install_examples
from tests.server.certificates import Authority
from tests.server.process import Service

API_KEY = "the-key-of-a-platform"
"""The API key of the only platform of the second service."""
QUIET = ("--log-level", "error", "--heartbeat", "1", "--watches-anonymous", "16")
"""Fewer watches than a scenario leaves: a client whose watches go on when they are left is refused one."""


class Environment(NamedTuple):
    """The addresses ("host:port"), the CA certificate and the API key that a runner needs.

    ``platform`` and ``platform_rest`` lead to a second service, which serves only the platform of ``api_key``.
    """

    grpc: str
    rest: str
    cut: str
    tls: str
    ca: Path
    platform: str
    platform_rest: str
    api_key: str


class CutSwitch:
    """An address that cuts the connections of all proxies when it is connected to, then closes the connection."""

    def __init__(self, *proxies: PortProxy) -> None:
        """Cut these proxies."""
        self._proxies = proxies
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                caller, _ = self._listener.accept()
                for proxy in self._proxies:
                    proxy.drop_connections()
                caller.close()

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()


def with_packages() -> dict[str, str]:
    """Return the environment of a process that finds the packages."""
    return os.environ | {"PYTHONPATH": str(install_examples())}


@contextmanager
def running(folder: Path) -> Iterator[Environment]:
    """Run a service for everybody, one over TLS and one for a platform, with stores of their own in ``folder``.

    The platform may make tests, and has webhooks at any address: they are called on this machine.
    """
    keys = folder / "api-keys"
    keys.write_text(f"conformance all {digest_of(API_KEY)}")
    authority = Authority(folder / "certificates")
    with ExitStack() as stack:

        def serve(name: str, *flags: str) -> Service:
            service = Service(folder / name, *QUIET, *flags, packages=install_examples())
            stack.callback(service.clear_away)
            return service

        everybody, secure = serve("open"), serve("tls", *authority.flags)
        platform = serve("platform", "--sandbox", "--webhooks-allow-private", "--api-keys-file", str(keys))
        rest = [service.rest.partition("://")[2] for service in (everybody, platform)]
        proxies = [stack.enter_context(closing(PortProxy(address))) for address in (everybody.grpc, rest[0])]
        switch = stack.enter_context(closing(CutSwitch(*proxies)))
        addresses = (proxies[0].address, proxies[1].address, switch.address, secure.grpc, authority.root)
        yield Environment(*addresses, platform.grpc, rest[1], API_KEY)
