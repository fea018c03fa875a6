"""OpenTelemetry: a trace goes through every transport into the store, and no span or metric holds a secret."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from urllib.error import HTTPError

import grpc
import pytest

from chitarrella import errors, v1
from chitarrella.server.settings import Signals, check_otlp, open_otlp
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from tests.server.otlp_receiver import CLIENT, PARENT, SERVER, ReceivedSpan, Receiver, receiving, traced
from tests.server.process import Player, Service, StartService, failed, fetched, metric
from tests.servers import Server, until
from tests.transports.all_transports import RPCS, framed
from tests.transports.paired_matches import keys_of

MATCHES = "chitarrella.v1.MatchService"
UNSET, ERROR = 0, 2
WORD = re.compile("[a-z_]+")
NAME = "Pulcinella"
ATTRIBUTES: dict[str, Callable[[str], object]] = {
    "rpc.system.name": {"grpc", "connectrpc", "rest"}.__contains__,
    "rpc.method": {rpc.path[1:] for rpc in RPCS.values()}.__contains__,
    "rpc.response.status_code": ({"OK"} | {status.grpc for status in errors.STATUSES.values()}).__contains__,
    "error.type": {known.code for known in PROBLEM_TYPES}.__contains__,
    "db.system.name": {"redis"}.__contains__,
    "db.operation.name": WORD.fullmatch,
}
"""The attributes of spans, each with what tells a value that holds no secret."""


def get_match(service: Service, player: Player, transport: str, number: int, match: str = "") -> None:
    """Read a match over a transport, in the trace of that number; a failure is right too."""
    match, rpc = match or player.match_id, f"/{MATCHES}/GetMatch"
    headers = {"authorization": f"Bearer {player.created.referee_key}", "traceparent": traced(number)}
    headers |= {"tracestate": "rojo=1", "baggage": "tenant=7"}
    # Of gRPC-Web the trailers are no text.
    with suppress(grpc.RpcError, HTTPError, UnicodeDecodeError):
        if transport == "grpc":
            player.stub.GetMatch(v1.GetMatchRequest(match_id=match), metadata=tuple(headers.items()), timeout=10)
        elif transport == "rest":
            fetched(f"{service.rest}/v1/matches/{match}", None, **headers)
        elif transport == "connect":
            body = f'{{"matchId": "{match}"}}'.encode()
            fetched(service.rest + rpc, body, content_type="application/json", **headers)
        else:
            body = framed(v1.GetMatchRequest(match_id=match).SerializeToString())
            fetched(service.rest + rpc, body, content_type="application/grpc-web+proto", **headers)


def spans_of(receiver: Receiver, number: int, least: int = 1) -> list[ReceivedSpan]:
    """Wait for so many spans of the trace of that number; return them, the server's first."""

    def found() -> list[ReceivedSpan]:
        spans = [span for span in receiver.spans() if span.trace == f"{number:032x}"]
        return sorted(spans, key=lambda span: span.kind)

    until(lambda: len(found()) >= least, f"the spans of trace {number}", 10)
    return found()


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver that services which are started now export to."""
    with receiving(monkeypatch) as receiver:
        yield receiver


@pytest.fixture(scope="module")
def exporting(valkey: Server, start_shared: StartService) -> Iterator[tuple[Service, Receiver]]:
    """A service, and what it exports to; each test has traces of its own numbers."""
    with pytest.MonkeyPatch.context() as patch, receiving(patch) as receiver:
        yield start_shared("--redis-url", valkey.url), receiver


@pytest.fixture
def player(exporting: tuple[Service, Receiver]) -> Iterator[Player]:
    names = [v1.PlayerName(seat=seat, name=NAME) for seat in (0, 1)]
    with closing(Player(exporting[0].grpc, player_names=names)) as player:
        yield player


CALLS = 3  # calls of each kind at once
SYSTEMS = {"grpc": "grpc", "rest": "rest", "connect": "connectrpc", "grpc-web": "grpc"}


def move_of(player: Player) -> v1.PlayMoveRequest:
    asked = v1.ListMatchMovesRequest(match_id=player.match_id)
    may = player.stub.ListMatchMoves(asked, metadata=player.key(), timeout=10)
    return v1.PlayMoveRequest(match_id=player.match_id, seat=may.seat, move=may.moves[0])


@pytest.mark.parametrize("transport", SYSTEMS)
def test_traces_of_calls_that_wait(exporting: tuple[Service, Receiver], valkey: Server, transport: str) -> None:
    """Of calls that wait for a stopped store together each has its own trace, from the caller into the store."""
    service, receiver = exporting
    first = 100 + 10 * list(SYSTEMS).index(transport)
    players = [Player(service.grpc) for _ in range(2 * CALLS)]
    reading, playing = dict(enumerate(players[:CALLS], first)), dict(enumerate(players[CALLS:], first + CALLS))
    moves = {number: move_of(player) for number, player in playing.items()}
    with ThreadPoolExecutor(len(players)) as threads:
        valkey.pause()
        calls = [threads.submit(get_match, service, player, transport, number) for number, player in reading.items()]
        for number, player in playing.items():
            metadata = (*player.key(), ("traceparent", traced(number)))
            calls.append(threads.submit(player.stub.PlayMove, moves[number], metadata=metadata, timeout=10))
        until(lambda: metric(service, "calls_suspended") == len(players), "all wait for the store")
        valkey.resume()
        for one in calls:
            one.result()
    for number in (*reading, *playing):
        rpc, over, command = "PlayMove", "grpc", "append"
        if number in reading:
            rpc, over, command = "GetMatch", SYSTEMS[transport], "load"
        call, *commands = spans_of(receiver, number, 2)
        assert (f"{MATCHES}/{rpc}", PARENT, SERVER, UNSET) == (call.name, call.parent, call.kind, call.status)
        wanted = {"rpc.system.name": over, "rpc.method": call.name, "rpc.response.status_code": "OK"}
        assert wanted == call.attributes
        assert {(call.span, CLIENT)} == {(one.parent, one.kind) for one in commands}
        assert [{"db.system.name": "redis", "db.operation.name": command}] == [one.attributes for one in commands]
    assert {"chitarrella"} == {resource["service.name"] for resource in receiver.resources()}
    traces = {f"{number:032x}": transport for number in reading}
    until(lambda: traces.items() <= logged(service).items(), "the lines are written")


def logged(service: Service) -> dict[str, str]:
    """The transport of each call in the log, by the id of its trace."""
    return {line["trace_id"]: line["transport"] for line in service.events("request")}


def test_failed_call_has_its_reason_code(exporting: tuple[Service, Receiver], player: Player) -> None:
    """A caller's error has its reason code as the type, and is no error of the server."""
    service, receiver = exporting
    for number, transport in enumerate(SYSTEMS, 11):
        get_match(service, player, transport, number, "0" * 20)
        call = spans_of(receiver, number)[0]
        code, error = call.attributes["rpc.response.status_code"], call.attributes["error.type"]
        assert ("NOT_FOUND", "no_such_match", UNSET) == (code, error, call.status)


def test_span_of_a_stream_ends_with_it(exporting: tuple[Service, Receiver], player: Player) -> None:
    """A watch is one span, which is exported when the watch is over."""
    service, receiver = exporting
    metadata = (*player.key(), ("traceparent", traced(21)))
    watch = player.stub.WatchMatch(v1.WatchMatchRequest(match_id=player.match_id), metadata=metadata)
    next(watch)
    get_match(service, player, "grpc", 22)
    spans_of(receiver, 22, 2)
    name = f"{MATCHES}/WatchMatch"
    assert name not in [span.name for span in receiver.spans()]
    watch.cancel()
    until(lambda: name in [span.name for span in receiver.spans()], "the span of the watch", 10)
    call = spans_of(receiver, 21)[0]
    assert (PARENT, "OK") == (call.parent, call.attributes["rpc.response.status_code"])


def test_spans_hold_no_secret(exporting: tuple[Service, Receiver], player: Player) -> None:
    """Exported spans hold no id, key or name, and their attributes only values of a fixed set, whatever the headers."""
    service, receiver = exporting
    player.play(30)
    for number, match in ((31, player.match_id), (32, "nonsense")):
        for transport in SYSTEMS:
            get_match(service, player, transport, number, match)
    fetched(f"{service.rest}/v1/games", traceparent="5c", tracestate="5c", baggage="5c")
    listed = "chitarrella.v1.CatalogueService/ListGames"
    until(lambda: listed in [span.name for span in receiver.spans()], "the span of the last call", 10)
    spans = receiver.spans()
    assert len(spans) > 100
    for span in spans:
        assert span.name in (span.attributes.get("rpc.method"), span.attributes.get("db.operation.name"))
        assert [] == [key for key, value in span.attributes.items() if not ATTRIBUTES[key](value)]
    exported = b"".join(request.SerializeToString() for request in receiver.traces)
    keys = filter(None, keys_of(player.created).values())
    for secret in (player.match_id, player.created.referee_key, NAME, *keys):
        assert secret.encode() not in exported


def test_sampling_follows_the_standard_variable(
    start_service: StartService, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller's decision counts by default, and none where a sampler says so; the log has the trace in any case."""
    service = start_service()
    player = Player(service.grpc)
    metadata = (*player.key(), ("traceparent", traced(1, "00")))
    player.stub.GetMatch(v1.GetMatchRequest(match_id=player.match_id), metadata=metadata, timeout=10)
    service.stop()
    assert f"{1:032x}" in [line["trace_id"] for line in service.events("request")]
    assert [f"{MATCHES}/CreateMatch"] == [span.name for span in receiver.spans() if span.kind == SERVER]
    receiver.traces.clear()
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    second = start_service(folder="b")
    player = Player(second.grpc)
    second.stop()
    assert [] == receiver.spans()


def test_metrics_of_several_workers(
    start_service: StartService, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker exports the duration of its calls when it stops, and no spans where only metrics are asked for."""
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "otlp")
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "none")
    service = start_service("--workers", "2")
    for _ in range(4):
        player = Player(service.grpc)
        player.get_match()
    service.stop()
    assert {f"{MATCHES}/CreateMatch": 4, f"{MATCHES}/GetMatch": 4} == receiver.counts("rpc.server.call.duration")
    assert [] == receiver.traces


def test_service_does_without_its_collector(start_service: StartService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no collector answers, the service answers its calls, and stops as usual."""
    receiver = Receiver()
    receiver.stop()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    service = start_service()
    player = Player(service.grpc)
    player.play(5)
    service.stop()


# ---------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("environ", "signals"),
    [
        ({}, (False, False)),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4317"}, (True, False)),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a:4317"}, (True, False)),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, (True, False)),
        ({"OTEL_METRICS_EXPORTER": "otlp"}, (False, True)),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4317"}, (False, False)),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, (False, False)),
    ],
)
def test_signals_are_asked_for_by_standard_variables(environ: dict[str, str], signals: tuple[bool, bool]) -> None:
    """An endpoint or an exporter asks for traces, only an exporter for metrics."""
    assert Signals(*signals) == check_otlp(environ)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OTEL_TRACES_EXPORTER", "jaeger"),
        ("OTEL_METRICS_EXPORTER", "console"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"),
    ],
)
def test_unsupported_value_is_refused(name: str, value: str) -> None:
    """A value that asks for what there is not is refused, with the name of its variable."""
    with pytest.raises(ValueError, match=name):
        check_otlp({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4317", name: value})


def test_service_ends_at_an_unsupported_value(start_service: StartService, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service says which variable is wrong, and does not start."""
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "jaeger")
    assert "OTEL_TRACES_EXPORTER is otlp or none" in failed(start_service())


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that is asked to export, and lacks the packages, says which extra to install."""
    monkeypatch.delitem(sys.modules, "chitarrella.server.otlp", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ValueError, match=r"install the extra otel, pip install 'chitarrella\[otel\]'"):
        open_otlp({"OTEL_TRACES_EXPORTER": "otlp"})


def test_nothing_is_imported_unless_asked_for() -> None:
    """A worker that exports nothing imports neither an exporter nor what makes spans."""
    lines = (
        "import sys, chitarrella.cli.serve",
        "from chitarrella.server.settings import open_otlp",
        "assert open_otlp({}) is None",
        "unwanted = 'chitarrella.server.otlp', 'opentelemetry.sdk.trace', 'opentelemetry.exporter'",
        "print([name for name in unwanted if name in sys.modules])",
    )
    command = [sys.executable, "-c", "; ".join(lines)]
    assert "[]" == subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
