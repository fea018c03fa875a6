"""TLS and mTLS at the edge, and certificates that are replaced while the service runs."""

import re
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import trustme

from chitarrella.v1.questions_pb2 import StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from tests.cli.run_command import invoke
from tests.server.certificates import Authority, on_another_curve, replace, start_game, version
from tests.server.process import Player, Service, StartService, fetched
from tests.servers import until


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The files of a certificate that the tests leave as they are."""
    return Authority(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def service(authority: Authority, start_shared: StartService) -> Service:
    """A service with TLS and a port for operators, which waits two seconds for a request."""
    return start_shared(*authority.flags, "--admin", "127.0.0.1:0", "--read-timeout", "2")


@pytest.fixture(scope="module")
def mutual(authority: Authority, start_shared: StartService) -> Service:
    return start_shared(*authority.flags, "--tls-client-ca", str(authority.root), folder="mutual")


def test_both_ports_speak_tls(service: Service, authority: Authority) -> None:
    """Both ports answer gRPC, HTTP/1.1 and HTTP/2 over TLS alone; the port for operators answers in plain text."""
    assert service.rest.startswith("https://")
    start_game(authority, service.grpc)
    assert "HTTP/1.1" == version(authority, service.rest)
    assert "HTTP/2" == version(authority, service.rest, http2=True)
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"{service.rest.replace('https', 'http')}/healthz")
    with pytest.raises(grpc.RpcError), closing(grpc.insecure_channel(service.grpc)) as channel:
        RulesServiceStub(channel).StartGame(StartGameRequest(), timeout=10)
    assert fetched(f"{service.admin}/healthz")


@pytest.mark.filterwarnings("ignore:.*TLSv1_1 is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("tls_version", "is_served"), [(ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True)]
)
def test_tls_1_2_is_the_oldest_version(
    service: Service, authority: Authority, tls_version: ssl.TLSVersion, is_served: bool
) -> None:
    """Both ports take TLS 1.2, and nothing older."""
    for address in (service.grpc, place(service)):
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


def test_mutual_tls_serves_clients_of_the_ca_alone(mutual: Service, authority: Authority, tmp_path: Path) -> None:
    """Under mTLS a client without a certificate, or with one of another CA, is served at neither port."""
    start_game(authority, mutual.grpc, client=True)
    for http2 in (False, True):
        version(authority, mutual.rest, client=True, http2=http2)
    stranger = Authority(tmp_path / "other")
    other = Authority(tmp_path / "mixed")
    other.ca, other.client = authority.ca, stranger.client  # trusts the service, which does not trust it
    for one, client in ((authority, False), (other, True)):
        with pytest.raises(grpc.RpcError) as error:
            start_game(one, mutual.grpc, client=client)
        assert grpc.StatusCode.UNAVAILABLE == error.value.code()
        for http2 in (False, True):
            with pytest.raises(httpx.TransportError):
                version(one, mutual.rest, client=client, http2=http2)


def test_connection_without_handshake_delays_no_other(service: Service, authority: Authority) -> None:
    """Connections that do not begin TLS keep no other one waiting, and are closed when they have been idle."""
    port = int(service.rest.rpartition(":")[2])
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30)) for _ in range(50)]
        version(authority, service.rest)
        assert {b""} == {sock.recv(1) for sock in silent}


def health(service: Service, *flags: str, **environment: str) -> int:
    """Run the command ``health``; return its exit code."""
    return invoke("health", "--grpc", service.grpc, "--timeout", "10", *flags, **environment).exit_code


def test_health_command_speaks_tls(service: Service, authority: Authority, tmp_path: Path) -> None:
    """The command ``health`` answers over TLS, by the service's own settings and with a CA, and not without."""
    assert 0 == health(service, CHITARRELLA_TLS_CERT_FILE=str(authority.certificate))
    assert 0 == health(service, "--tls-ca", str(authority.root))
    assert 1 == health(service)
    assert 1 == health(service, "--tls-ca", str(Authority(tmp_path / "other").root))


def test_health_command_presents_a_certificate(mutual: Service, authority: Authority) -> None:
    """The command ``health`` is answered under mTLS if it has a certificate of the CA."""
    key, certificate = authority.key.with_name("client.key"), authority.key.with_name("client.pem")
    authority.client.private_key_pem.write_to_path(str(key))
    authority.client.cert_chain_pems[0].write_to_path(str(certificate))
    assert 1 == health(mutual, "--tls")
    assert 0 == health(mutual, "--tls", "--tls-client-cert", str(certificate), "--tls-client-key", str(key))


BOTH = "--tls-cert {0.certificate} --tls-key {0.key}"
UNUSABLE = [
    ("key", trustme.CA().issue_cert("localhost").private_key_pem.bytes(), f"--edge {BOTH}", "key values mismatch"),
    ("certificate", b"nothing", f"--edge {BOTH}", "certificate"),
    ("curve", b"", f"--edge {BOTH}", "Envoy cannot serve the certificate"),
    ("root", b"nothing", f"--edge {BOTH} --tls-client-ca {{0.root}}", "the client CA cannot be used"),
    ("key", None, f"--edge {BOTH}", "does not exist"),
    ("", b"", "--edge --tls-cert {0.certificate}", "TLS needs both a certificate and its key"),
    ("", b"", "--edge --tls-client-ca {0.root}", "TLS needs both a certificate and its key"),
    ("", b"", BOTH, "--tls-cert needs --edge"),
]
"""The file that is spoilt and its content, None if it is missing; the flags; and what the log says.

With ``curve`` both files are right, and Envoy alone does not know their curve.
"""


@pytest.mark.parametrize(
    ("file", "content", "flags", "said"),
    UNUSABLE,
    ids=["mismatch", "not PEM", "curve", "CA", "missing", "no key", "alone", "no edge"],
)
def test_unusable_certificate_is_an_error_at_the_start(
    start_service: StartService, tmp_path: Path, file: str, content: bytes | None, flags: str, said: str
) -> None:
    """The service does not start with certificates that it cannot serve, and says why."""
    own = Authority(tmp_path / "own")
    if content is None:
        getattr(own, file).unlink()
    elif file == "curve":
        for path, part in zip((own.certificate, own.key), on_another_curve(tmp_path / file), strict=True):
            replace(path, part)
    elif file:
        replace(getattr(own, file), content)
    service = start_service(*flags.format(own).split())
    assert service.process.wait(30)
    service.all_gone()
    assert said in service.log()
    assert "Traceback" not in service.log()
    assert "PRIVATE KEY" not in service.log()


# ---------------------------------------------------------------------- tls reload


def place(service: Service) -> str:
    return service.rest.partition("://")[2]


def shown(authority: Authority, service: Service) -> set[bytes]:
    return {authority.shown(service.grpc), authority.shown(place(service))}


def is_shown(authority: Authority, service: Service) -> bool:
    """Whether new connections are shown the certificate in the file; not where the change ends a handshake."""
    with suppress(ssl.SSLError, ConnectionError):
        return {leaf(authority)} == shown(authority, service)
    return False


def leaf(authority: Authority) -> bytes:
    end = b"-----END CERTIFICATE-----\n"
    return authority.certificate.read_bytes().partition(end)[0] + end


@contextmanager
def watching(authority: Authority, service: Service) -> Iterator[Callable[[], None]]:
    """Watch a match over gRPC, which is HTTP/2, and HTTP/1.1; yields what plays a move and waits for its update."""
    with ExitStack() as stack:
        player = Player(service.grpc, channel=authority.channel(service.grpc))
        stack.callback(player.close)
        updates = player.watch()
        stack.callback(updates.cancel)
        path = f"/v1/matches/{player.match_id}:watch"
        headers = {"authorization": f"Bearer {player.created.referee_key}", "accept": "text/event-stream"}
        http = stack.enter_context(authority.http())
        response = stack.enter_context(http.stream("GET", service.rest + path, headers=headers))
        revisions: Any = (update.revision for update in updates if update.revision)
        stream = response.iter_bytes()

        def play() -> None:
            revision = player.play()
            assert any(revision <= found for found in revisions)
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


@pytest.fixture(scope="module")
def renewed(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The files of a certificate that the tests replace; at first they are links."""
    authority = Authority(tmp_path_factory.mktemp("renewed"))
    swap_link(authority)
    return authority


@pytest.fixture(scope="module")
def renewing(renewed: Authority, start_shared: StartService) -> Service:
    return start_shared(*renewed.flags, "--workers", "2", folder="renewing")


def test_replaced_certificate_is_shown_while_watches_go_on(renewing: Service, renewed: Authority) -> None:
    """New connections are shown a replaced certificate without a restart; open ones and their watches go on."""
    with watching(renewed, renewing) as play:
        for renew in (swap_link, swap_link, write_in_place, Authority.renew, Authority.renew):
            before = leaf(renewed)
            renew(renewed)
            assert leaf(renewed) != before
            until(lambda: is_shown(renewed, renewing), "the new certificate is shown")
            until(lambda: all(is_shown(renewed, renewing) for _ in range(9)), "by every thread of Envoy")
            play()
            start_game(renewed, renewing.grpc)
            version(renewed, renewing.rest, http2=True)


def test_replaced_client_ca_counts_for_new_connections(mutual: Service, authority: Authority, tmp_path: Path) -> None:
    """Clients of a CA that is taken out of the file are refused over new connections, and those of a new one served."""
    later = Authority(tmp_path / "later")
    later.ca, own = authority.ca, later.ca  # a client of the later CA, which trusts the service
    replace(authority.root, own.cert_pem.bytes())
    until(lambda: is_served(later, mutual) and not is_served(authority, mutual), "the new CA counts, and it alone")
    with pytest.raises(grpc.RpcError):
        start_game(authority, mutual.grpc, client=True)
    start_game(later, mutual.grpc, client=True)
    replace(authority.root, authority.ca.cert_pem.bytes())
    until(lambda: is_served(authority, mutual) and not is_served(later, mutual), "the CA before counts again")


def is_served(authority: Authority, service: Service) -> bool:
    """Whether a client with a certificate is served over a new connection."""
    with suppress(httpx.TransportError):
        return bool(version(authority, service.rest, client=True))
    return False


def replace_with_warning(authority: Authority, service: Service, certificate: bytes, key: bytes) -> None:
    """Replace the files, and wait until the log warns about them."""
    seen = len(service.events("new certificate rejected"))
    replace(authority.certificate, certificate)
    replace(authority.key, key)
    until(lambda: len(service.events("new certificate rejected")) > seen, "a warning")


def test_broken_replacement_keeps_the_certificate(renewing: Service, renewed: Authority, tmp_path: Path) -> None:
    """Files that cannot be served are not used: a warning says so, and the certificate before is served on."""
    service, authority = renewing, renewed
    authority.renew()
    until(lambda: is_shown(authority, service), "the certificate is shown")
    good, old = authority.certificate.read_bytes(), leaf(authority)
    other = trustme.CA().issue_cert("localhost").private_key_pem.bytes()
    missing = service.log().count("cannot read")
    with watching(authority, service) as play:
        for certificate, key in ((good, other), (b"", b""), on_another_curve(tmp_path / "curve")):
            replace_with_warning(authority, service, certificate, key)
            assert {old} == shown(authority, service)
            play()
        authority.certificate.unlink()
        until(lambda: service.log().count("cannot read") > missing, "a warning about the missing file")
        assert {old} == shown(authority, service)
        authority.renew()
        until(lambda: is_shown(authority, service), "the good certificate is shown")
        play()
    assert "PRIVATE KEY" not in service.log()
    assert service.stop() < 30
