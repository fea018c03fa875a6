"""TLS and mTLS at the edge, and certificates that are replaced while the service runs."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import trustme

from chitarrella.v1.rules_pb2 import StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from tests.server.certificates import Authority, replace, start_game, version
from tests.server.http2_stream import Http2Stream
from tests.server.process import Player, Service, StartService, fetched
from tests.servers import until


def test_both_ports_speak_tls(start_service: StartService, authority: Authority) -> None:
    """Both ports answer gRPC, HTTP/1.1 and HTTP/2 over TLS alone; the port for operators answers in plain text."""
    service = start_service(*authority.flags, "--admin", "127.0.0.1:0")
    assert service.rest.startswith("https://")
    start_game(authority, service.grpc)
    assert "HTTP/1.1" == version(authority, service.rest)
    assert "HTTP/2" == version(authority, service.rest, http2=True)
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"{service.rest.replace('https', 'http')}/healthz")
    with pytest.raises(grpc.RpcError), closing(grpc.insecure_channel(service.grpc)) as channel:
        RulesServiceStub(channel).StartGame(StartGameRequest(), timeout=10)
    assert fetched(f"{service.admin}/healthz")
    assert service.stop() < 30


@pytest.mark.filterwarnings("ignore:.*TLSv1_1 is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("tls_version", "is_served"), [(ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True)]
)
def test_tls_1_2_is_the_oldest_version(
    start_service: StartService, authority: Authority, tls_version: ssl.TLSVersion, is_served: bool
) -> None:
    """Both ports take TLS 1.2, and nothing older."""
    service = start_service(*authority.flags)
    for address in (service.grpc, service.rest.partition("://")[2]):
        context = authority.context()
        context.set_ciphers("DEFAULT:@SECLEVEL=0")  # else this client itself would refuse TLS 1.1
        context.minimum_version = context.maximum_version = tls_version
        host, _, port = address.rpartition(":")
        with ExitStack() as stack:
            sock = stack.enter_context(socket.create_connection((host, int(port)), timeout=10))
            if is_served:
                stack.enter_context(context.wrap_socket(sock, server_hostname=host))
            else:
                stack.enter_context(pytest.raises((ssl.SSLError, ConnectionError)))
                context.wrap_socket(sock, server_hostname=host)


def test_mutual_tls_serves_clients_of_the_ca_alone(
    start_service: StartService, authority: Authority, tmp_path: Path
) -> None:
    """Under mTLS a client without a certificate, or with one of another CA, is served at neither port."""
    service = start_service(*authority.flags, "--tls-client-ca", str(authority.root))
    start_game(authority, service.grpc, client=True)
    for http2 in (False, True):
        version(authority, service.rest, client=True, http2=http2)
    stranger = Authority(tmp_path / "other")
    other = Authority(tmp_path / "mixed")
    other.ca, other.client = authority.ca, stranger.client  # trusts the service, which does not trust it
    for one, client in ((authority, False), (other, True)):
        with pytest.raises(grpc.RpcError) as error:
            start_game(one, service.grpc, client=client)
        assert grpc.StatusCode.UNAVAILABLE == error.value.code()
        for http2 in (False, True):
            with pytest.raises(httpx.TransportError):
                version(one, service.rest, client=client, http2=http2)


def test_connection_without_handshake_delays_no_other(start_service: StartService, authority: Authority) -> None:
    """Connections that do not begin TLS keep no other one waiting, and are closed when they have been idle."""
    service = start_service(*authority.flags, "--read-timeout", "1")
    port = int(service.rest.rpartition(":")[2])
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30)) for _ in range(50)]
        version(authority, service.rest)
        assert {b""} == {sock.recv(1) for sock in silent}


def health(service: Service, *flags: str, **environment: str) -> int:
    """Run the command ``health``; return its exit code."""
    command = [sys.executable, "-m", "chitarrella", "health", "--grpc", service.grpc, "--timeout", "10", *flags]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=False).returncode


def test_health_command_speaks_tls(start_service: StartService, authority: Authority, tmp_path: Path) -> None:
    """The command ``health`` answers over TLS: by the service's own settings, with a CA, and with a certificate."""
    service = start_service(*authority.flags)
    assert 0 == health(service, CHITARRELLA_TLS_CERT_FILE=str(authority.certificate))
    assert 0 == health(service, "--tls-ca", str(authority.root))
    assert 1 == health(service)
    assert 1 == health(service, "--tls-ca", str(Authority(tmp_path / "other").root))
    assert 0 == health(start_service(folder="plain"))


def test_health_command_presents_a_certificate(start_service: StartService, authority: Authority) -> None:
    """The command ``health`` is answered under mTLS if it has a certificate of the CA."""
    service = start_service(*authority.flags, "--tls-client-ca", str(authority.root))
    assert 1 == health(service, "--tls")
    key, certificate = authority.key.with_name("client.key"), authority.key.with_name("client.pem")
    authority.client.private_key_pem.write_to_path(str(key))
    authority.client.cert_chain_pems[0].write_to_path(str(certificate))
    assert 0 == health(service, "--tls", "--tls-client-cert", str(certificate), "--tls-client-key", str(key))


@pytest.mark.parametrize("case", ["mismatch", "no key", "not PEM", "client CA", "alone", "no edge", "missing"])
def test_unusable_certificate_is_an_error_at_the_start(
    start_service: StartService, authority: Authority, case: str
) -> None:
    """The service does not start with certificates that it cannot serve, and says why."""
    flags = list(authority.flags)
    said = "certificate"
    match case:
        case "mismatch":
            replace(authority.key, trustme.CA().issue_cert("localhost").private_key_pem.bytes())
            said = "key values mismatch"
        case "no key":
            flags, said = flags[:3], "TLS needs both a certificate and its key"
        case "not PEM":
            authority.certificate.write_text("nothing")
        case "client CA":
            authority.root.write_text("nothing")
            flags, said = [*flags, "--tls-client-ca", str(authority.root)], "the client CA cannot be used"
        case "alone":
            flags, said = ["--edge", "--tls-client-ca", str(authority.root)], "TLS needs both a certificate and its key"
        case "no edge":
            flags, said = flags[1:], "--tls-cert needs --edge"
        case "missing":
            authority.key.unlink()
            said = "does not exist"
    service = start_service(*flags)
    assert service.process.wait(30)
    service.all_gone()
    assert said in service.log()
    assert "Traceback" not in service.log()
    assert "PRIVATE KEY" not in service.log()


# ---------------------------------------------------------------------- tls reload


def place(service: Service) -> str:
    """The host and port of HTTP."""
    return service.rest.partition("://")[2]


def shown(authority: Authority, service: Service) -> set[bytes]:
    """The certificates that new connections are shown at both ports."""
    return {authority.shown(service.grpc), authority.shown(place(service))}


def is_shown(authority: Authority, service: Service) -> bool:
    """Whether new connections are shown the certificate in the file; not where the change ends a handshake."""
    with suppress(ssl.SSLError, ConnectionError):
        return {leaf(authority)} == shown(authority, service)
    return False


def leaf(authority: Authority) -> bytes:
    """The certificate in the file."""
    end = b"-----END CERTIFICATE-----\n"
    return authority.certificate.read_bytes().partition(end)[0] + end


@contextmanager
def watching(authority: Authority, service: Service) -> Iterator[Callable[[], None]]:
    """Watch a match over gRPC, HTTP/1.1 and HTTP/2; yields what plays a move and waits until all watches have it."""
    with ExitStack() as stack:
        player = Player(service.grpc, channel=authority.channel(service.grpc))
        stack.callback(player.close)
        updates = player.watch()
        stack.callback(updates.cancel)
        path = f"/v1/matches/{player.match_id}:watch"
        headers = {"authorization": f"Bearer {player.created.referee_key}", "accept": "text/event-stream"}
        http = stack.enter_context(authority.http())
        response = stack.enter_context(http.stream("GET", service.rest + path, headers=headers))
        http2 = stack.enter_context(closing(Http2Stream(authority.context(), place(service), path, headers)))
        revisions: Any = (update.revision for update in updates if update.revision)
        streams = response.iter_bytes(), http2.data()

        def play() -> None:
            revision = player.play()
            assert any(revision <= found for found in revisions)
            for stream in streams:
                assert any(re.search(rb'"revision": ?%d\b' % revision, data) for data in stream)

        play()
        yield play


def swap_link(authority: Authority) -> None:
    """Replace the certificate as Kubernetes does: the files are links through a link to a folder."""
    folder = authority.certificate.parent
    number = len(list(folder.glob("..v*")))
    new = folder / f"..v{number}"
    new.mkdir()
    issued = authority.ca.issue_cert("localhost", "127.0.0.1")
    (new / "cert.pem").write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
    (new / "key.pem").write_bytes(issued.private_key_pem.bytes())
    (folder / "..next").symlink_to(new.name)
    (folder / "..next").replace(folder / "..data")
    for file in (authority.certificate, authority.key):
        if not file.is_symlink():
            file.unlink()
            file.symlink_to(Path("..data") / file.name)


def write_in_place(authority: Authority) -> None:
    """Write another certificate into the files that are there, the key first."""
    issued = authority.ca.issue_cert("localhost", "127.0.0.1")
    authority.key.write_bytes(issued.private_key_pem.bytes())
    authority.certificate.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))


@pytest.mark.parametrize("renew", [Authority.renew, write_in_place, swap_link])
def test_replaced_certificate_is_shown_while_watches_go_on(
    start_service: StartService, authority: Authority, renew: Callable[[Authority], None]
) -> None:
    """New connections are shown a replaced certificate without a restart; open ones and their watches go on."""
    if renew is swap_link:
        swap_link(authority)
    service = start_service(*authority.flags, "--workers", "2")
    with watching(authority, service) as play:
        for _ in range(2):
            before = leaf(authority)
            renew(authority)
            assert leaf(authority) != before
            until(lambda: is_shown(authority, service), "the new certificate is shown")
            until(lambda: all(is_shown(authority, service) for _ in range(9)), "by every thread of Envoy")
            play()
            start_game(authority, service.grpc)
            version(authority, service.rest, http2=True)
    assert service.stop() < 30


def test_replaced_client_ca_counts_for_new_connections(
    start_service: StartService, authority: Authority, tmp_path: Path
) -> None:
    """Clients of a CA that is taken out of the file are refused over new connections, and those of a new one served."""
    later = Authority(tmp_path / "later")
    service = start_service(*authority.flags, "--tls-client-ca", str(authority.root))
    version(authority, service.rest, client=True)
    replace(authority.root, later.ca.cert_pem.bytes())
    until(lambda: service.events("a new certificate is served"), "the new CA is read")

    def is_refused() -> bool:
        try:
            version(authority, service.rest, client=True)
        except httpx.TransportError:
            return True
        return False

    until(is_refused, "the old CA does not count any more")
    with pytest.raises(grpc.RpcError):
        start_game(authority, service.grpc, client=True)
    later.client, authority.client = authority.client, later.client
    start_game(authority, service.grpc, client=True)
    version(authority, service.rest, client=True)


def replace_with_warning(authority: Authority, service: Service, certificate: bytes, key: bytes) -> None:
    """Replace the files, and wait until the log warns about them."""
    seen = len(service.events("new certificate rejected"))
    replace(authority.certificate, certificate)
    replace(authority.key, key)
    until(lambda: len(service.events("new certificate rejected")) > seen, "a warning")


def test_broken_replacement_keeps_the_certificate(start_service: StartService, authority: Authority) -> None:
    """Files that cannot be served are not used: a warning says so, and the certificate before is served on."""
    service = start_service(*authority.flags)
    good = authority.certificate.read_bytes(), authority.key.read_bytes()
    old = leaf(authority)
    other = trustme.CA().issue_cert("localhost").private_key_pem.bytes()
    broken = [(good[0], other), (b"", b"")]
    with watching(authority, service) as play:
        for certificate, key in broken:
            replace_with_warning(authority, service, certificate, key)
            assert {old} == shown(authority, service)
            play()
        authority.certificate.unlink()
        until(lambda: "cannot read" in service.log(), "a warning about the missing file")
        assert {old} == shown(authority, service)
        authority.renew()
        until(lambda: is_shown(authority, service), "the good certificate is shown")
        play()
    assert "PRIVATE KEY" not in service.log()
