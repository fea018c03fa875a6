"""Laws of the load generator and of the servers that the service is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice, repeat
from pathlib import Path

import pytest

from chitarrella.storage.redis_url import connect
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.table_pb2 import Move
from lab.bench.boardgame import compared
from lab.bench.connections import Call, Connection, GrpcConnection, LoadFailed, RestConnection, grpc_call, rest_call
from lab.bench.load import drive
from lab.bench.many_watchers import WatcherCrowd
from lab.bench.plans import ACCEPTED, ACCEPTED_JSON, AtEcho, Pool, Protocol
from lab.bench.play import Group, tables
from lab.bench.servers import Running, echo_command, running
from lab.bench.service import Same, half_loaded
from lab.bench.start import bare_command
from lab.bench.store import running_store

ASKED = pb.PlayMoveRequest(match_id="m", move=Move(verb="play_card", cards=["Ab"]))


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A running baseline."""
    folder = tmp_path_factory.mktemp("echo")
    with running(echo_command(folder), folder) as server:
        yield server


def open_connection(echo: Running, *, rest: bool) -> Connection:
    """A connection to one of the servers."""
    return RestConnection(echo.rest) if rest else GrpcConnection(echo.grpc)


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
    load = drive(lambda: open_connection(echo, rest=rest), lanes, lanes_each=1 if rest else 4)
    assert 200 == len(load.waits)
    assert sorted(load.waits) == list(load.waits)


def test_calls_are_made_at_the_rate(echo: Running) -> None:
    """With a rate that many calls are made, however fast they are answered."""
    call = grpc_call("/bench.Echo/Plain", ASKED, "key", ACCEPTED)
    load = drive(lambda: open_connection(echo, rest=False), [repeat(call)] * 8, 0.5, rate=200)
    assert 100 == pytest.approx(len(load.waits), abs=1)


@pytest.mark.parametrize("rest", [False, True], ids=["gRPC", "REST"])
def test_wrong_answer_fails_the_measurement(echo: Running, rest: bool) -> None:
    """An unexpected answer fails the measurement."""
    wrong = rest_call("/plain", b"{}", answer=b"no") if rest else grpc_call("/bench.Echo/Plain", ASKED, answer=b"no")
    with pytest.raises(LoadFailed, match="not as it should be"):
        drive(lambda: open_connection(echo, rest=rest), [iter([wrong])])


@pytest.mark.parametrize("rest", [False, True], ids=["gRPC", "REST"])
def test_failed_call_fails_the_measurement(echo: Running, rest: bool) -> None:
    """A call that ends in an error fails the measurement, and does not count as a fast one."""
    failing = rest_call("/nowhere", b"{}") if rest else grpc_call("/bench.Echo/Nowhere", ASKED)
    with pytest.raises(LoadFailed, match="a call failed"):
        drive(lambda: open_connection(echo, rest=rest), [iter([failing])])


@pytest.mark.parametrize(
    ("path", "is_on_granian"),
    [("/bench.Echo/Script", False), ("/bench.Echo/Pipelined", False), ("/script", False), ("/script", True)],
    ids=["gRPC", "gRPC, pipelined", "REST, waitress", "REST, granian"],
)
def test_baseline_appends_every_move(echo: Running, path: str, is_on_granian: bool) -> None:
    """The baseline runs the script for every move of a match, and appends each once."""
    pool = Pool(path, Protocol.REST if path == "/script" else Protocol.GRPC)
    matches = AtEcho(echo.redis_url).open(2)
    pool.fill(matches)

    def connection() -> Connection:
        return RestConnection(echo.granian) if is_on_granian else open_connection(echo, rest=path == "/script")

    load = drive(connection, [islice(pool.lane(), 80)])
    assert 80 == len(load.waits)
    with closing(connect(echo.redis_url)) as store:
        assert [41, 41] == [store.llen(f"bench:{{{one.match}}}:log") for one in matches]
    with pytest.raises(LoadFailed, match="too few matches"):
        drive(connection, [pool.lane()])


def test_every_watcher_of_a_crowd_gets_every_update(echo: Running) -> None:
    """Every watcher over several connections gets each update of its match, and none of another."""
    names = ["one", "other"]
    calls = [grpc_call("/bench.Echo/Watch", pb.WatchMatchRequest(match_id=names[place % 2])) for place in range(250)]
    send = grpc_call("/bench.Echo/Tell", pb.PlayMoveRequest(match_id="one"), answer=ACCEPTED)
    with closing(WatcherCrowd(echo.grpc, calls)) as crowd:
        crowd.wait_for(1)
        drive(lambda: GrpcConnection(echo.grpc), [repeat(send, 2)])
        with pytest.raises(LoadFailed, match="125 watchers were not told 3 times"):
            crowd.wait_for(3, 2)
        assert [3, 1] * 125 == [len(received) for received in crowd.received]


def test_ended_stream_fails_the_measurement(echo: Running) -> None:
    """A watcher whose stream ends fails the measurement."""
    calls = [grpc_call(f"/bench.Echo/{path}", pb.WatchMatchRequest()) for path in ("Watch", "Nowhere")]
    with closing(WatcherCrowd(echo.grpc, calls)) as crowd, pytest.raises(LoadFailed, match="a call failed"):
        crowd.wait_for(1)


def test_bare_server_answers_any_call(tmp_path: Path) -> None:
    """The server that the start is compared with accepts every move."""
    call = grpc_call("/chitarrella.v1.RulesService/ValidateMove", ASKED, answer=ACCEPTED)
    with running(bare_command(tmp_path), tmp_path) as server:
        assert 3 == len(drive(lambda: GrpcConnection(server.grpc), [repeat(call, 3)]).waits)


def test_half_a_load_is_one_that_the_baseline_bears(echo: Running) -> None:
    """A fast call and its slow baseline are loaded at the same rate, which the baseline answers at once."""
    baseline, fast = (
        Same(name, echo, [grpc_call("/bench.Echo/Plain", ASKED, "key", ACCEPTED)], *baselines)
        for name, baselines in (("slow", ()), ("fast", ("slow",)))
    )
    baseline.rate, fast.rate = 100.0, 1000.0
    steps: list[str] = []
    rows = half_loaded([baseline, fast], 4, 2, 0.5, steps.append)
    assert ["slow", "fast"] == [row.name for row in rows]
    assert ["slow, 70 a second", "fast, 70 a second"] * 2 == steps


def test_store_is_filled_with_whole_matches(tmp_path: Path) -> None:
    """Every copy in a filled store has the row, the log and the tokens of a match."""
    with running_store(tmp_path) as store:
        store.fill(3, 2)
        keys = [f"bench:{{copy{number:016d}}}" for number in range(3)]
        assert [3, 3, 3] == [int(store.redis.hget(key, "length")) for key in keys]
        assert [(3, 3)] * 3 == [(store.redis.llen(f"{key}:log"), store.redis.llen(f"{key}:tokens")) for key in keys]


def test_missing_npm_is_the_reason_for_a_missing_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without npm the row of boardgame.io has the reason in place of a figure."""
    monkeypatch.setenv("PATH", "/nonexistent")
    steps: list[str] = []
    beside = compared([], 16, 2, 1.0, steps.append)
    assert ((), "npm is not installed") == beside
    assert 2 == len(steps)


def test_seats_of_plain_tables_only_play_cards() -> None:
    """The goals of random play group the games by what their seats do besides playing cards."""
    seen = {table: {move.verb for _, _, move in islice(table.moves(), 600)} for table in tables()}
    assert {frozenset({"play_card"})} == {
        frozenset(verbs) for table, verbs in seen.items() if table.group is Group.PLAIN
    }
    besides = {table.rule_set.game for table, verbs in seen.items() if verbs > {"play_card"}}
    assert besides == {table.rule_set.game for table in seen if table.group is Group.SIDE_ACTIONS}
