"""The environment of the runners: live services, one of them behind proxies that cut connections on request."""

from __future__ import annotations

import datetime
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from chitarrella.api.api_keys import digest_of
from tests.example_packages import install_examples

LISTENING = re.compile(r"gRPC +\S+:(\d+)\nREST +\S+:(\d+)")
STARTUP_TIMEOUT = 60.0
"""Seconds until the service listens."""
API_KEY = "the-key-of-a-platform"
"""The API key of the only platform of the second service."""

UNLIMITED = ("--rate-anonymous", "0", "--open-matches-anonymous", "0", "--watches-anonymous", "0")
"""Flags of a service without limits for callers without an API key."""


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


class CuttingProxy:
    """A TCP proxy on a free port before a port of this machine; it can cut all its connections."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        """Forward to ``port``; with ``tls`` incoming connections are encrypted."""
        self._port = port
        self._tls = tls
        self._sockets: set[Any] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cut every connection."""
        for end in list(self._sockets):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                caller, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(caller,), daemon=True).start()

    def _connect(self, caller: Any) -> None:
        with suppress(OSError, ssl.SSLError):
            caller = self._tls.wrap_socket(caller, server_side=True) if self._tls else caller
            service = socket.create_connection(("127.0.0.1", self._port))
            for end in (caller, service):  # without it small messages wait for each other
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._sockets |= {caller, service}
            threading.Thread(target=self._forward, args=(caller, service), daemon=True).start()
            self._forward(service, caller)

    def _forward(self, source: Any, sink: Any) -> None:
        with suppress(OSError, ssl.SSLError):
            while chunk := source.recv(65536):
                sink.sendall(chunk)
        for end in (source, sink):
            self._sockets.discard(end)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop listening, and cut every connection."""
        self._listener.close()
        self.cut()


class CutSwitch:
    """An address that cuts the connections of all proxies when it is connected to, then closes the connection."""

    def __init__(self, proxies: list[CuttingProxy]) -> None:
        """Cut these proxies."""
        self._proxies = proxies
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self._listener.accept()
                for proxy in self._proxies:
                    proxy.cut()
                caller.close()

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()


def certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Create a CA and a server certificate for this machine; return the file of the CA and the context of a server.

    They are two, because not every client accepts a CA certificate as that of a server.
    """
    key, authority = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))])
    own = _unsigned("chitarrella conformance", authority.public_key(), x509.BasicConstraints(ca=True, path_length=None))
    made = _unsigned("localhost", key.public_key(), x509.BasicConstraints(ca=False, path_length=None))
    made = made.add_extension(names, critical=False)
    file, chain, secret = folder / "ca.pem", folder / "server.pem", folder / "key.pem"
    file.write_bytes(own.sign(authority, hashes.SHA256()).public_bytes(Encoding.PEM))
    chain.write_bytes(made.sign(authority, hashes.SHA256()).public_bytes(Encoding.PEM))
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, secret)
    context.set_alpn_protocols(["h2"])
    return file, context


def _unsigned(name: str, key: ec.EllipticCurvePublicKey, kind: x509.BasicConstraints) -> x509.CertificateBuilder:
    """Build a certificate issued by the CA, without its signature."""
    today = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "chitarrella conformance")]))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=2))
        .add_extension(kind, critical=True)
    )


def with_packages() -> dict[str, str]:
    """Return the environment of a process that finds the packages."""
    return os.environ | {"PYTHONPATH": str(install_examples())}


@contextmanager
def running(folder: Path) -> Iterator[Environment]:
    """Run a service for everybody and one for a platform on free ports, with stores of their own in ``folder``."""
    proxies: list[CuttingProxy] = []
    with _service(folder / "open") as (grpc, rest), _platform_service(folder / "platform") as (platform, platform_rest):
        try:
            ca, context = certificate(folder)
            proxies = [CuttingProxy(grpc), CuttingProxy(rest), CuttingProxy(grpc, context)]
            switch = CutSwitch(proxies[:2])
            addresses = (proxies[0].address, proxies[1].address, switch.address, proxies[2].address, ca)
            yield Environment(*addresses, f"127.0.0.1:{platform}", f"127.0.0.1:{platform_rest}", API_KEY)
            switch.close()
        finally:
            for proxy in proxies:
                proxy.close()


def _platform_service(folder: Path) -> AbstractContextManager[tuple[int, int]]:
    """Run a service for one platform, with tests, and with webhooks at any address: they are called on this machine."""
    keys = f"conformance all {digest_of(API_KEY)}"
    return _service(folder, "--sandbox", "--webhooks-allow-private", CHITARRELLA_API_KEYS=keys)


@contextmanager
def _service(folder: Path, *options: str, **variables: str) -> Iterator[tuple[int, int]]:
    """Run a service with a store of its own in ``folder``; gives its ports: gRPC, REST."""
    folder.mkdir()
    log = folder / "service.log"
    command = [sys.executable, "-m", "chitarrella", "serve", "--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0"]
    command += UNLIMITED
    with log.open("w") as out:
        service = subprocess.Popen(
            [*command, "--data", str(folder / "data"), "--log-level", "error", "--heartbeat", "1", *options],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=with_packages() | variables,
        )
    try:
        yield _ports(log, service)
    finally:
        service.terminate()
        service.wait(30)


def _ports(log: Path, service: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Wait until the service has logged its ports: gRPC, REST."""
    for _ in range(int(STARTUP_TIMEOUT / 0.1)):
        if found := LISTENING.search(log.read_text()):
            return int(found[1]), int(found[2])
        with suppress(subprocess.TimeoutExpired):
            service.wait(0.1)
            break
    raise RuntimeError(f"the service did not start: {log.read_text()[-2000:]}")
