"""Laws of the load generator and of the report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice, repeat

import pytest

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.table_pb2 import Move
from tests.bench.lines import Call, GrpcLine, Line, LoadFailed, RestLine, grpc_call, rest_call
from tests.bench.load import drive
from tests.bench.many_watchers import WatcherCrowd
from tests.bench.plans import ACCEPTED, ACCEPTED_JSON, AtEcho, Pool
from tests.bench.report import Goal, figure
from tests.bench.servers import Running, echo_command, running

ASKED = pb.PlayMoveRequest(match_id="m", move=Move(verb="play_card", cards=["Ab"]))


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A running baseline."""
    folder = tmp_path_factory.mktemp("echo")
    with running(echo_command(folder), folder) as server:
        yield server


def lines(echo: Running, *, rest: bool) -> Line:
    """A connection to one of the servers."""
    return RestLine(echo.rest) if rest else GrpcLine(echo.grpc)


@pytest.mark.parametrize(
    ("rest", "call"),
    [
        (False, grpc_call("/bench.Echo/Plain", ASKED, "key", ACCEPTED)),
        (False, grpc_call("/bench.Echo/Hop", pb.PlayMoveRequest(request_id="a" * 60_000), "key", ACCEPTED)),
        (True, rest_call("/plain", b"{}", "key", ACCEPTED_JSON)),
    ],
    ids=["gRPC", "gRPC with bodies larger than a window", "REST"],
)
def test_every_call_is_counted_once(echo: Running, rest: bool, call: Call) -> None:
    """Every call of every lane is answered, and its latency is counted once."""
    lanes = [repeat(call, 20) for _ in range(10)]
    load = drive(lambda: lines(echo, rest=rest), lanes, lanes_a_line=1 if rest else 4)
    assert 200 == len(load.waits)
    assert sorted(load.waits) == list(load.waits)


def test_calls_are_made_at_the_rate(echo: Running) -> None:
    """With a rate that many calls are made, however fast they are answered."""
    call = grpc_call("/bench.Echo/Plain", ASKED, "key", ACCEPTED)
    load = drive(lambda: lines(echo, rest=False), [repeat(call)] * 8, 0.5, rate=200)
    assert 100 == pytest.approx(len(load.waits), abs=1)


@pytest.mark.parametrize("rest", [False, True], ids=["gRPC", "REST"])
def test_wrong_answer_fails_the_measurement(echo: Running, rest: bool) -> None:
    """An unexpected answer fails the measurement."""
    wrong = rest_call("/plain", b"{}", answer=b"no") if rest else grpc_call("/bench.Echo/Plain", ASKED, answer=b"no")
    with pytest.raises(LoadFailed, match="not as it should be"):
        drive(lambda: lines(echo, rest=rest), [iter([wrong])])


@pytest.mark.parametrize("rest", [False, True], ids=["gRPC", "REST"])
def test_failed_call_fails_the_measurement(echo: Running, rest: bool) -> None:
    """A call that ends in an error fails the measurement, and does not count as a fast one."""
    failing = rest_call("/nowhere", b"{}") if rest else grpc_call("/bench.Echo/Nowhere", ASKED)
    with pytest.raises(LoadFailed, match="a call failed"):
        drive(lambda: lines(echo, rest=rest), [iter([failing])])


@pytest.mark.parametrize("path", ["/bench.Echo/Script", "/script"])
def test_baseline_appends_every_move(echo: Running, path: str) -> None:
    """The baseline runs the script for every move of a match, and appends each once."""
    pool = Pool(path, rest=path == "/script")
    pool.fill(AtEcho(echo.redis_url).open(2))
    load = drive(lambda: lines(echo, rest=pool.rest), [islice(pool.lane(), 80)])
    assert 80 == len(load.waits)
    with pytest.raises(LoadFailed, match="too few matches"):
        drive(lambda: lines(echo, rest=pool.rest), [pool.lane()])


def test_every_watcher_of_a_crowd_gets_every_update(echo: Running) -> None:
    """Every watcher over several connections gets each update of its match, and none of another."""
    names = ["one", "other"]
    calls = [grpc_call("/bench.Echo/Watch", pb.WatchMatchRequest(match_id=names[place % 2])) for place in range(250)]
    send = grpc_call("/bench.Echo/Tell", pb.PlayMoveRequest(match_id="one"), answer=ACCEPTED)
    with closing(WatcherCrowd(echo.grpc, calls)) as crowd:
        crowd.wait_for(1)
        drive(lambda: GrpcLine(echo.grpc), [repeat(send, 2)])
        with pytest.raises(LoadFailed, match="125 watchers were not told 3 times"):
            crowd.wait_for(3, 2)
        assert [3, 1] * 125 == [len(received) for received in crowd.received]


def test_ended_stream_fails_the_measurement(echo: Running) -> None:
    """A watcher whose stream ends fails the measurement."""
    calls = [grpc_call(f"/bench.Echo/{path}", pb.WatchMatchRequest()) for path in ("Watch", "Nowhere")]
    with closing(WatcherCrowd(echo.grpc, calls)) as crowd, pytest.raises(LoadFailed, match="a call failed"):
        crowd.wait_for(1)


@pytest.mark.parametrize(
    ("mark", "seen", "at_least"),
    [
        ("beyond", 1.0, False),
        ("pass", 1.2, False),
        ("**short**", 1.41, False),
        ("**short**", 0.99, True),
        ("pass", 1.3, True),
        ("beyond", 1.5, True),
    ],
)
def test_goal_marks(mark: str, seen: float, at_least: bool) -> None:
    """A goal is reached at the exact figure, from above or from below."""
    goal, beyond = (1.0, 1.4) if at_least else (1.4, 1.0)
    assert mark == Goal("x", goal, beyond, seen, at_least=at_least).mark


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.05", 0.05), ("1.40", 1.404), ("12.3", 12.34), ("123", 123.4), ("23,456", 23456.2), ("16", 16), ("", None)],
)
def test_figures_have_significant_digits(text: str, number: float | None) -> None:
    """A figure is written with about three significant digits."""
    assert text == figure(number)
