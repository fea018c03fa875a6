"""Envoy in front of the workers: every protocol at one port, what it refuses, and how it starts and ends."""

import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import grpc
import httpx
import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.exceptions import H2Error

from chitarrella.server.edge import envoy_binary
from chitarrella.server.edge_config import MAX_HEADER_KB, MAX_HEADERS
from chitarrella.v1.catalogue_pb2 import ListGamesRequest
from chitarrella.v1.catalogue_pb2_grpc import CatalogueServiceStub
from tests.cli.run_command import invoke
from tests.raw_grpc import call_raw
from tests.server.certificates import Authority
from tests.server.process import Player, Service, StartService, is_answered, watchers
from tests.servers import free_port, spawn, until

READ_TIMEOUT = "2"
CALLERS = 8
START = {"ruleSet": {"gameId": "briscola"}}
START_PATH = "/v1/rules:startGame"
GET = b"GET /healthz HTTP/1.1\r\nhost: x\r\n"
LIST_GAMES = b"/chitarrella.v1.CatalogueService/ListGames"
HTTP_2 = [(":method", "POST"), (":path", START_PATH), (":authority", "x"), (":scheme", "http")]


@pytest.fixture(scope="module")
def edge(start_shared: StartService) -> Service:
    """Two workers behind the edge, with a port for operators, which wait two seconds for a request."""
    flags = ("--edge", "--workers", "2", "--read-timeout", READ_TIMEOUT, "--admin", "127.0.0.1:0")
    return start_shared(*flags)


def place(url: str) -> tuple[str, int]:
    """The host and port of an address or URL."""
    split = urlsplit(url if "//" in url else f"//{url}")
    return split.hostname or "", split.port or 0


def connect(service: Service) -> socket.socket:
    return socket.create_connection(place(service.rest), timeout=20)


def read_all(sock: socket.socket) -> bytes:
    """Everything until the edge closes the connection."""
    read = b""
    with suppress(ConnectionError):
        while data := sock.recv(65536):
            read += data
    return read


@pytest.mark.parametrize("name", ["grpc", "rest"])
def test_both_ports_speak_every_protocol(edge: Service, name: str) -> None:
    """Either port answers gRPC, and over both versions of HTTP a call of REST, Connect and gRPC-Web, and a stream."""
    address = "{}:{}".format(*place(getattr(edge, name)))
    player = Player(address)
    with (
        closing(player),
        httpx.Client(base_url=f"http://{address}", http1=name == "rest", http2=name == "grpc") as http,
    ):
        assert 1 < player.play()
        assert "position" in http.post(START_PATH, json=START).json()
        assert "position" in http.post("/chitarrella.v1.RulesService/StartGame", json=START).json()
        web = http.post(LIST_GAMES.decode(), content=bytes(5), headers={"content-type": "application/grpc-web+proto"})
        assert b"grpc-status:0" in web.content.replace(b" ", b"")
        headers = {"authorization": f"Bearer {player.created.referee_key}"}
        with http.stream("GET", f"/v1/matches/{player.match_id}:watch", headers=headers) as watch:
            assert "revision" in next(line for line in watch.iter_lines() if line.startswith("data"))


def test_metrics_are_the_operators_alone(edge: Service) -> None:
    """Where operators have a port, the public one hides their pages, however the path is written."""
    assert watchers(edge, edge.admin) >= 0
    for path in ("/metrics", "//metrics", "/./metrics", "/x/../metrics", "/%6detrics"):
        with connect(edge) as sock:
            sock.sendall(f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
            assert b'"no_such_route"' in read_all(sock)


@pytest.mark.parametrize(
    ("request_head", "code"),
    [
        (b"nonsense\r\n\r\n", b"bad_request"),
        (GET + b"host: y\r\n\r\n", b"bad_request"),
        (GET + b"x-filler: %b\r\n\r\n" % (b"a" * MAX_HEADER_KB * 1024), b"too_large"),
        (GET + b"x-filler: a\r\n" * MAX_HEADERS + b"\r\n", b"too_large"),
        (GET + b"x-filler: a", b"bad_request"),
        (GET.replace(b"/healthz", b"/\xff") + b"\r\n", b"bad_request"),
    ],
    ids=["not HTTP", "two hosts", "large headers", "many headers", "headers without an end", "path of bytes"],
)
def test_malformed_requests_are_refused_with_a_reason(edge: Service, request_head: bytes, code: bytes) -> None:
    """What no worker sees has a reason code as all other errors have."""
    with connect(edge) as sock:
        sock.sendall(request_head)
        answer = read_all(sock)
        assert b'"code":"%b"' % code in answer, answer


def half_request() -> bytes:
    """A request over HTTP/2 whose headers lack their last bytes."""
    connection = H2Connection(H2Configuration(client_side=True))
    connection.initiate_connection()
    connection.send_headers(1, HTTP_2)
    return connection.data_to_send()[:-3]


def test_connections_without_a_request_are_closed(edge: Service) -> None:
    """A connection on which no request is complete in time is closed, in whatever state it is."""
    with ExitStack() as stack:
        socks = [stack.enter_context(connect(edge)) for _ in range(5)]
        for sock, sent in zip(socks, (b"", b"P", b"PRI * HTTP/2.0\r\n", GET + b"\r\n", half_request()), strict=True):
            sock.sendall(sent)
        for sock in socks:
            read_all(sock)


def test_silent_stream_is_not_idle(edge: Service) -> None:
    """A stream that is silent for longer than the edge waits for a request stays open."""
    player = Player(edge.grpc)
    watching = httpx.stream("GET", f"{edge.rest}/v1/matches/{player.match_id}:watch", timeout=30)
    with closing(player), watching as watch:
        lines = watch.iter_lines()
        next(lines)
        time.sleep(1.5 * float(READ_TIMEOUT))
        revision = player.play()
        assert any(f'"revision":{revision}' in line.replace(" ", "") for line in lines)


@pytest.mark.parametrize("path", [LIST_GAMES, b"/grpc.health.v1.Health/Watch"])
def test_message_that_does_not_arrive_is_ended(edge: Service, path: bytes) -> None:
    """A call of gRPC without the end of its message is ended, so that what has come is kept no longer."""
    started = struct.pack(">BI", 0, 1_000) + bytes(900)
    assert "0" != call_raw(edge.grpc, path, started, end=False).status


@pytest.mark.parametrize("path", [b"/\xff", b"\xff", LIST_GAMES + b"\xc2"])
def test_path_of_bytes_reaches_no_worker(edge: Service, path: bytes) -> None:
    """A path that is not text would end the server of the library: a watch goes on as if it had not come."""
    player = Player(edge.grpc)
    watch = player.watch()
    next(watch)
    with suppress(AssertionError, OSError, H2Error):  # it closes the connection, or answers
        assert "0" != call_raw(edge.grpc, path).status
    player.play()
    next(watch)
    assert not edge.events("the gRPC server has ended")


def test_callers_are_known_and_limited_by_their_address(start_service: StartService) -> None:
    """A caller is known by its connection, whatever it says, and may not send more than several platforms."""
    limits = ("--open-matches-anonymous", "1", "--rate-platform", "1/s burst 5")
    service = start_service("--edge", "--workers", "1", *limits)
    with httpx.Client(base_url=service.rest) as http:
        headers = [{"x-forwarded-for": f"203.0.113.{number}"} for number in range(2)]
        found = [http.post("/v1/matches", json=START, headers=one).status_code for one in headers]
        assert [201, 429] == found
        with pytest.raises(grpc.RpcError):
            Player(service.grpc)
        until(lambda: http.post(START_PATH, json=START).is_success, "it may call again")
        answers = [http.post(START_PATH, json=START) for _ in range(40)]
        assert http.get("/healthz").is_success  # pages have a rate of their own
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert "rate_limited" == refused[0].json()["code"]
    assert "1" == refused[0].headers["retry-after"]
    with ExitStack() as stack:
        socks = [stack.enter_context(connect(service)) for _ in range(400)]
        for sock in socks:
            sock.sendall(GET + b"connection: close\r\n\r\n")
        pages = [read_all(sock) for sock in socks]
    assert {True} == {page.endswith(b"\r\n\r\n") for page in pages if b" 429 " in page}
    with grpc.insecure_channel(service.grpc) as channel:
        asked = [CatalogueServiceStub(channel).ListGames.future(ListGamesRequest()) for _ in range(60)]
        assert grpc.StatusCode.RESOURCE_EXHAUSTED in {one.code() for one in asked}


@contextmanager
def called(url: str) -> Iterator[tuple[list[int], list[object]]]:
    """Callers that ask without a pause while the block runs: their answers and their failures."""
    stop, failures, calls = threading.Event(), list[object](), list[int]()

    def call() -> None:
        with httpx.Client(base_url=url) as http:
            while not stop.is_set():
                try:
                    calls.append(http.post(START_PATH, json=START).raise_for_status().status_code)
                except httpx.HTTPError as error:
                    failures.append(error)

    with ThreadPoolExecutor(CALLERS) as callers:
        calling = [callers.submit(call) for _ in range(CALLERS)]
        try:
            until(lambda: len(calls) > 20, "calls are answered")
            yield calls, failures
        finally:
            stop.set()
    assert all(one.result() is None for one in calling)


def test_killed_worker_costs_its_calls_alone(edge: Service) -> None:
    """While one of two workers is killed and replaced, callers fail once at most, and the other worker answers all."""
    with called(edge.rest) as (calls, failures):
        os.kill(edge.children()[0], signal.SIGKILL)
        until(lambda: edge.events("a worker has ended"), "it is seen")
        until(lambda: len(edge.children()) == 2, "it is replaced")
        begun = len(calls)
        until(lambda: len(calls) > begun + 100, "calls are answered")
    assert len(failures) <= CALLERS, failures


def test_stopping_worker_costs_no_call(tmp_path: Path, start_service: StartService) -> None:
    """An Envoy beside two services sends nothing more to the one that is about to stop, so no call fails."""
    unlimited = ("--rate-anonymous", "0", "--drain")
    staying, stopping = (start_service(*unlimited, seconds, folder=seconds) for seconds in ("0", "4"))
    port = free_port()
    flags = ["--listen", f"127.0.0.1:{port}", "--output", str(tmp_path), "--rate-platform", "0"]
    for one in (staying, stopping):
        flags += ["--grpc", one.grpc, "--rest", one.rest.removeprefix("http://")]
    assert 0 == invoke("edge-config", *flags).exit_code
    envoy = spawn([envoy_binary(), "--use-dynamic-base-id", "--config-path", str(tmp_path / "envoy.json")])
    try:
        with called(f"http://127.0.0.1:{port}") as (_, failures):
            failures.clear()  # of the time before Envoy listened
            stopping.stop()
    finally:
        envoy.terminate()
        assert 0 == envoy.wait(20)
    assert [] == failures


def test_envoy_that_ends_is_started_again_and_drained(start_service: StartService) -> None:
    """After Envoy was killed calls are answered again, also one begun before SIGTERM; in the end nothing is left."""
    service = start_service("--edge", "--workers", "1", "--drain", "2")
    (envoy,) = service.children("envoy.json")
    os.kill(envoy, signal.SIGKILL)
    until(lambda: service.events("Envoy has ended"), "it is seen")
    until(lambda: is_answered(service), "calls are answered again")
    body = json.dumps(START).encode()
    with connect(service) as sock:
        head = f"POST {START_PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        sock.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode())
        service.process.send_signal(signal.SIGTERM)
        until(lambda: is_refused(service), "no connection is accepted any more")
        sock.sendall(body)
        answer = read_all(sock)
    assert answer.startswith(b"HTTP/1.1 200 "), answer
    assert b"connection: close" in answer
    assert 0 == service.process.wait(30)
    service.all_gone()
    assert not list(Path(os.environ.get("TMPDIR", "/tmp")).glob(f"chitarrella-*/{envoy}"))


def is_refused(service: Service) -> bool:
    """Whether a new connection to the public port is refused."""
    with suppress(OSError), closing(connect(service)):
        return False
    return True


@pytest.mark.parametrize("is_private", [False, True], ids=["plain", "TLS"])
def test_written_configuration_is_valid(tmp_path: Path, is_private: bool) -> None:
    """What ``edge-config`` writes is taken by Envoy."""
    flags = ["--listen", "0.0.0.0:8443", "--grpc", "worker:50051", "--rest", "worker:8080", "--output", str(tmp_path)]
    if is_private:
        authority = Authority(tmp_path)
        tls = ["--tls-cert", str(authority.certificate), "--tls-key", str(authority.key)]
        flags += [*tls, "--tls-client-ca", str(authority.root), "--http3", "--place", str(tmp_path)]
    assert 0 == invoke("edge-config", *flags).exit_code
    command = [envoy_binary(), "--mode", "validate", "--config-path", str(tmp_path / "envoy.json")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == found.returncode, found.stderr
