"""TLS and mTLS at both ports, and certificates that are replaced while the service runs."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import grpc
import httpx
import pytest
import trustme

from chitarrella.v1.rules_pb2 import StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from tests.server.certificates import Authority, replace, start_game, version, version_1_certificate
from tests.server.process import Service, StartService, fetched


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


@pytest.mark.parametrize("workers", ["1", "2"])
def test_mutual_tls_serves_clients_of_the_ca_alone(
    start_service: StartService, authority: Authority, tmp_path: Path, workers: str
) -> None:
    """Under mTLS a client without a certificate, or with one of another CA, is served at neither port."""
    service = start_service(*authority.flags, "--tls-client-ca", str(authority.root), "--workers", workers)
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


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("case", ["mismatch", "no key", "not PEM", "version 1", "client CA", "alone", "missing"])
def test_unusable_certificate_is_an_error_at_the_start(
    start_service: StartService, authority: Authority, tmp_path: Path, case: str, workers: str
) -> None:
    """The service does not start with certificates that it cannot serve, and says why."""
    flags = list(authority.flags)
    said = "certificate"
    match case:
        case "mismatch":
            replace(authority.key, trustme.CA().issue_cert("localhost").private_key_pem.bytes())
            said = "key values mismatch"
        case "no key":
            flags, said = flags[:2], "TLS needs both a certificate and its key"
        case "not PEM":
            authority.certificate.write_text("nothing")
        case "version 1":
            certificate, key = version_1_certificate(tmp_path / "version_1")
            replace(authority.certificate, certificate)
            replace(authority.key, key)
            said = "UnsupportedCertVersion"
        case "client CA":
            authority.root.write_text("nothing")
            flags, said = [*flags, "--tls-client-ca", str(authority.root)], "the client CA cannot be used"
        case "alone":
            flags, said = ["--tls-client-ca", str(authority.root)], "TLS needs both a certificate and its key"
        case "missing":
            authority.key.unlink()
            said = "does not exist"
    service = start_service(*flags, "--workers", workers)
    assert service.process.wait(30)
    service.all_gone()
    assert said in service.log()
    assert "Traceback" not in service.log()
    assert "PRIVATE KEY" not in service.log()
