"""One attempt: to public addresses only, over the connection that was checked, and never longer than its time."""

from __future__ import annotations

import asyncio
import datetime
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from chitarrella.matches.webhook_urls import is_public
from chitarrella.storage.webhooks import Attempt
from chitarrella.transports.webhooks.sender import HttpSender
from chitarrella.v1 import webhooks_pb2 as pb
from tests.webhooks.platforms import StartWorker
from tests.webhooks.receiver import Endpoint

PUBLIC = ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808")
NOT_PUBLIC = (
    *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1"),
    *(
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "::",
        "::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "ff02::1",
    ),
    *("ff0e::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::7f00:1"),
)


def send(url: str, *, allow_private: bool = False, timeout: float = 5.0) -> Attempt:
    """Send a message once."""

    async def attempt() -> Attempt:
        sender = HttpSender(allow_private=allow_private, timeout=timeout)
        try:
            return await sender.send(url, {}, b"{}")
        finally:
            await sender.close()

    return asyncio.run(attempt())


@pytest.mark.parametrize("address", [*PUBLIC, *NOT_PUBLIC])
def test_public_addresses_are_distinguished(address: str) -> None:
    """An address is public if packets to it leave for the internet, also where it stands for an IPv4 address."""
    assert (address in PUBLIC) == is_public(ip_address(address))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::ffff:7f00:1]"])
def test_private_address_is_not_called(endpoint: Endpoint, host: str) -> None:
    """A host that is, or resolves to, an address of this machine is not called unless the setting allows it."""
    url = f"http://{host}:{endpoint.server.server_address[1]}/hook?a=b"
    assert Attempt("address_not_allowed") == send(url)
    assert not endpoint.calls
    assert Attempt("", 204) == send(url, allow_private=True)
    assert url.split("/")[2] == endpoint.calls[0].headers["host"]


@pytest.mark.parametrize("is_configured", [True, False])
def test_service_does_not_call_its_own_network(
    start_worker: StartWorker, endpoint: Endpoint, *, is_configured: bool
) -> None:
    """A webhook whose name leads to this machine, created or configured, is refused at each attempt, and says so."""
    url = f"http://localhost:{endpoint.server.server_address[1]}/hook"
    if not is_configured:
        start_worker().create(url)  # where it was allowed
    worker = start_worker(f"acme {url} {'A' * 32}" if is_configured else "", allow_private=False)
    (webhook,) = worker.call("ListWebhooks").webhooks
    delivery = worker.call("TestWebhook", webhook_id=webhook.webhook_id).delivery
    assert (pb.DELIVERY_STATE_FAILED, "address_not_allowed", 0) == (
        delivery.state,
        delivery.error,
        delivery.status_code,
    )
    assert not endpoint.calls


@pytest.mark.parametrize(
    "url",
    [
        "http://no-such-host.invalid/",
        "http://x:port/",
        "ftp://localhost/",
        "http://",
        "http://127.1/",
        "http://2130706433/",
    ],
)
def test_url_that_leads_nowhere_is_unreachable(url: str) -> None:
    """A name without an address, or a URL that cannot be read, is unreachable and no fault of the service."""
    assert Attempt("unreachable") == send(url, allow_private=True)


def test_redirect_is_not_followed(endpoint: Endpoint) -> None:
    """A redirect is a failure."""
    endpoint.answers += [307]
    assert Attempt("bad_status", 307) == send(endpoint.url, allow_private=True)


def test_head_of_the_answer_decides() -> None:
    """A body that is announced and never comes is not waited for."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 202 Accepted\r\ncontent-length: 1000000\r\n\r\n")
                connection.recv(65536)  # until the sender closes

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        assert Attempt("", 202) == send(f"http://127.0.0.1:{server.getsockname()[1]}/", allow_private=True)
        thread.join()


@pytest.fixture
def dripping() -> Iterator[int]:
    """The port of a server that answers with one byte every tenth of a second, and never ends."""
    server = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
            while not stop.wait(0.1):
                try:
                    connection.sendall(b"x")
                except OSError:
                    return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    stop.set()
    server.close()
    thread.join(5)


def test_slow_answer_is_cut_off(dripping: int) -> None:
    """An answer that comes byte by byte is cut off when the time of the attempt is over."""
    begun = time.monotonic()
    url = f"http://127.0.0.1:{dripping}/"
    assert Attempt("timed_out") == send(url, allow_private=True, timeout=0.5)
    assert 0.4 < time.monotonic() - begun < 3


@pytest.fixture
def secure(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The port of the endpoint with TLS, and a certificate for localhost that this process trusts."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, encoding = tmp_path / "certificate.pem", serialization.Encoding.PEM
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    pem.write_bytes(certificate.public_bytes(encoding) + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    endpoint.server.socket = context.wrap_socket(endpoint.server.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    return int(endpoint.server.server_address[1])


def test_tls_verifies_the_name_of_the_host(secure: int, endpoint: Endpoint) -> None:
    """The connection goes to an address, and the certificate has to be for the name in the URL, and trusted."""
    assert Attempt("", 204) == send(f"https://localhost:{secure}/hook", allow_private=True)
    assert Attempt("unreachable") == send(f"https://127.0.0.1:{secure}/hook", allow_private=True)
    assert [f"localhost:{secure}"] == [call.headers["host"] for call in endpoint.calls]


def test_tls_does_not_trust_everybody(secure: int, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate that nobody has signed is refused."""
    monkeypatch.delenv("SSL_CERT_FILE")
    assert Attempt("unreachable") == send(f"https://localhost:{secure}/", allow_private=True)
    assert not endpoint.calls
