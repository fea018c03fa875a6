"""Certificates that are replaced while the service runs."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import trustme

from tests.server.certificates import Authority, replace, start_game, version, version_1_certificate
from tests.server.http2_stream import Http2Stream
from tests.server.process import Player, Service, StartService
from tests.servers import until


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


@pytest.mark.parametrize(
    ("renew", "workers"), [(Authority.renew, "1"), (Authority.renew, "2"), (swap_link, "1")], ids=["1", "2", "link"]
)
def test_replaced_certificate_is_shown_while_watches_go_on(
    start_service: StartService, authority: Authority, renew: Callable[[Authority], None], workers: str
) -> None:
    """New connections are shown a replaced certificate without a restart; open ones and their watches go on."""
    if renew is swap_link:
        swap_link(authority)
    service = start_service(*authority.flags, "--workers", workers)
    with watching(authority, service) as play:
        for _ in range(2):
            before = leaf(authority)
            renew(authority)
            assert leaf(authority) != before
            until(lambda: is_shown(authority, service), "the new certificate is shown")
            until(lambda: all(is_shown(authority, service) for _ in range(9)), "by all workers")
            play()
            start_game(authority, service.grpc)
            version(authority, service.rest, http2=True)
    assert not service.events("new certificate rejected")
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


def test_broken_replacement_keeps_the_certificate(
    start_service: StartService, authority: Authority, tmp_path: Path
) -> None:
    """Files that cannot be served are not used: a warning says so, and the certificate before is served on."""
    service = start_service(*authority.flags)
    good = authority.certificate.read_bytes(), authority.key.read_bytes()
    old = leaf(authority)
    other = trustme.CA().issue_cert("localhost").private_key_pem.bytes()
    broken = [(good[0], other), (b"", b""), version_1_certificate(tmp_path / "version_1")]
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
