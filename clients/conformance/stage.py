"""Where the scenarios are played: a live service, and ways to it that can be cut, one of them with TLS."""

from __future__ import annotations

import datetime
import re
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

LISTENING = re.compile(r"gRPC +\S+:(\d+)\nREST +\S+:(\d+)")
SECONDS_TO_BEGIN = 60.0


class Stage(NamedTuple):
    """The addresses that a runner is told."""

    grpc: str
    rest: str
    cut: str
    tls: str
    ca: Path


class Way:
    """A TCP proxy before an address; it can cut everything that goes through it."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        """Lead to a port of this machine; with ``tls`` what comes in is encrypted."""
        self._port = port
        self._tls = tls
        self._open: set[Any] = set()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cut everything."""
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):  # the door was closed
            while True:
                caller, _ = self._door.accept()
                threading.Thread(target=self._lead, args=(caller,), daemon=True).start()

    def _lead(self, caller: Any) -> None:
        with suppress(OSError, ssl.SSLError):
            caller = self._tls.wrap_socket(caller, server_side=True) if self._tls else caller
            service = socket.create_connection(("127.0.0.1", self._port))
            for end in (caller, service):  # else small answers wait for each other
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open |= {caller, service}
            threading.Thread(target=self._carry, args=(caller, service), daemon=True).start()
            self._carry(service, caller)

    def _carry(self, source: Any, sink: Any) -> None:
        with suppress(OSError, ssl.SSLError):
            while chunk := source.recv(65536):
                sink.sendall(chunk)
        for end in (source, sink):
            self._open.discard(end)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the door, and cut."""
        self._door.close()
        self.cut()


class Scissors:
    """An address: who connects to it cuts all ways."""

    def __init__(self, ways: list[Way]) -> None:
        """Cut these."""
        self._ways = ways
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self._door.accept()
                for way in self._ways:
                    way.cut()
                caller.close()

    def close(self) -> None:
        """Close the door."""
        self._door.close()


def certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Make an authority and a certificate of it for this machine; gives the authority's file, and what a server needs.

    They are two, because not every client takes an authority's own certificate from a server.
    """
    key, authority = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))])
    own = _unsigned("chitarrella stage", authority.public_key(), x509.BasicConstraints(ca=True, path_length=None))
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
    """Write a certificate of the stage's authority, to be signed."""
    today = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "chitarrella stage")]))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=2))
        .add_extension(kind, critical=True)
    )


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """Start a service on free ports, with a store of its own in ``folder``; stop it at the end."""
    said = folder / "service.log"
    command = [sys.executable, "-m", "chitarrella", "serve", "--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0"]
    with said.open("w") as out:
        service = subprocess.Popen(
            [*command, "--data", str(folder / "data"), "--log-level", "error", "--heartbeat", "1"],
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    ways: list[Way] = []
    try:
        grpc, rest = _ports(said, service)
        ca, context = certificate(folder)
        ways = [Way(grpc), Way(rest), Way(grpc, context)]
        scissors = Scissors(ways[:2])
        yield Stage(ways[0].address, ways[1].address, scissors.address, ways[2].address, ca)
        scissors.close()
    finally:
        for way in ways:
            way.close()
        service.terminate()
        service.wait(30)


def _ports(said: Path, service: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Wait until the service says where it listens."""
    for _ in range(int(SECONDS_TO_BEGIN / 0.1)):
        if found := LISTENING.search(said.read_text()):
            return int(found[1]), int(found[2])
        with suppress(subprocess.TimeoutExpired):
            service.wait(0.1)
            break
    raise RuntimeError(f"the service has not begun: {said.read_text()[-2000:]}")
