"""The figures of the benchmark are right: calls count once, a failed one fails the run, and goals are compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice, repeat
from pathlib import Path

import pytest

from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_url import connect
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.table_pb2 import Move
from lab.bench import report, run, saturation
from lab.bench.connections import (
    Call,
    Connection,
    GrpcConnection,
    LoadFailed,
    Measured,
    RestConnection,
    drive,
    grpc_call,
    of_rounds,
    ratio_of_rounds,
    rest_call,
)
from lab.bench.plans import ACCEPTED, ACCEPTED_JSON, AtEcho, Pool, Protocol
from lab.bench.play import Group, tables
from lab.bench.report import Goal, Past, Results, goals
from lab.bench.saturation import Recording, recordings
from lab.bench.service import Running, echo_command, running
from lab.bench.store import running_store
from lab.bench.watching import WatcherCrowd
from tests.servers import Server

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


def test_store_is_filled_with_whole_matches(tmp_path: Path) -> None:
    """Every copy in a filled store has the row, the log and the tokens of a match."""
    with running_store(tmp_path) as store:
        store.fill(3, 2)
        keys = [f"bench:{{copy{number:016d}}}" for number in range(3)]
        assert [3, 3, 3] == [int(store.redis.hget(key, "length")) for key in keys]
        assert [(3, 3)] * 3 == [(store.redis.llen(f"{key}:log"), store.redis.llen(f"{key}:tokens")) for key in keys]


def test_seats_of_plain_tables_only_play_cards() -> None:
    """The goals of random play group the games by what their seats do besides playing cards."""
    seen = {table: {move.verb for _, _, move in islice(table.moves(), 600)} for table in tables()}
    assert {frozenset({"play_card"})} == {
        frozenset(verbs) for table, verbs in seen.items() if table.group is Group.PLAIN
    }
    besides = {table.rule_set.game for table, verbs in seen.items() if verbs > {"play_card"}}
    assert besides == {table.rule_set.game for table in seen if table.group is Group.SIDE_ACTIONS}


@pytest.mark.parametrize(
    ("mark", "seen", "at_least"),
    [
        ("beyond", 1.0, False),
        ("reached", 1.2, False),
        ("reached", 1.404, False),
        ("**short by 50%**", 2.1, False),
        ("**short by 10%**", 0.9, True),
        ("reached", 1.3, True),
        ("beyond", 1.5, True),
    ],
)
def test_goal_marks(mark: str, seen: float, at_least: bool) -> None:
    """A goal is reached at the exact figure, from above or from below; else the mark has the share that is missing."""
    goal, beyond = (1.0, 1.4) if at_least else (1.4, 1.0)
    assert mark == Goal("x", "x", Measured(seen), goal, beyond, at_least=at_least).mark


def test_ratios_are_taken_round_by_round() -> None:
    """A ratio is the median over the rounds, and its spread half of the range of the quartiles."""
    assert Measured(2, 0.0) == ratio_of_rounds([2, 4, 20], [1, 2, 10])
    assert Measured(4, 0.25) == of_rounds([2, 3, 4, 5, 6])
    assert Measured(7, 0.0) == of_rounds([7])


@pytest.mark.parametrize(
    ("change", "seen", "spread", "at_least"),
    [
        ("+4%", 1.04, 0.0, False),
        ("**+10% worse**", 1.1, 0.02, False),
        ("+10%", 1.1, 0.08, False),
        ("-50%", 0.5, 0.0, False),
        ("**-50% worse**", 0.5, 0.0, True),
        ("+50%", 1.5, 0.0, True),
    ],
)
def test_worse_figures_are_marked(change: str, seen: float, spread: float, at_least: bool) -> None:
    """A figure is marked as worse where it changed by more than 5 % and than the spreads of both runs."""
    runs = [Past("2026-01-01", "a", {"x": Measured(3.0)}), Past("2026-01-02", "b", {"x": Measured(1.0, 0.03)})]
    goal = Goal("x", "x", Measured(seen, spread), at_least=at_least)
    assert change == report.change(goal, [*runs, Past("2026-01-03", "c", {})])


def test_kept_runs_are_read_back(tmp_path: Path) -> None:
    """A run that was kept is a line of the history, with the ratios alone."""
    path = tmp_path / "report.jsonl"
    seen = [Goal("ratio", "x", Measured(1.5, 0.25)), Goal("seconds", "x", Measured(2), unit=" s")]
    for _ in range(2):
        report.append(report.this_run(seen), path)
    assert [{"ratio": Measured(1.5, 0.25)}] * 2 == [past.seen for past in report.read(path)]
    assert [] == report.read(tmp_path / "none")


def test_parts_that_were_left_out_have_no_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of no part has no goals, and its report is still written."""
    monkeypatch.setattr(report, "machine", lambda: "A machine.")
    assert [] == goals(Results())
    past = Past("2026-01-01", "a", {})
    assert "2026-01-01, commit a, in 0.0 minutes" in report.write(Results(), [], [], past, 0.0, "")


@pytest.mark.parametrize("others", [["--quick"], ["--only", "rules"], ["--growth", "--quick"]])
def test_only_a_whole_run_is_kept(others: list[str]) -> None:
    """A quick run and a part are refused before anything is measured if they are to be kept."""
    with pytest.raises(SystemExit, match="whole run"):
        run.main(["--keep", *others])


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    """The commands of a few matches."""
    with running_store(tmp_path_factory.mktemp("s")) as store:
        return list(islice(recordings(store), 4))


def test_every_move_of_every_copy_is_kept(
    known: list[Recording], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies of recorded matches are played to their end; what the store refuses fails the measurement."""
    monkeypatch.setattr(saturation, "COPIES", 3)
    server = Server(binary(), tmp_path / "store", "--save", "")
    try:
        most = saturation._driven("one", [server], known, 2, lambda _: 0)
        logs = [key for key in server.ask("KEYS", "*") if key.endswith(":log")]
        assert [41] * 12 == [server.ask("LLEN", key) for key in logs]
        assert most.moves > 0 < most.cost
        with saturation._connected(server) as sock:
            sock.sendall(known[0].moves[0])  # its match was never created here
            with pytest.raises(LoadFailed, match="the store answers"):
                saturation._answers(sock, 1, saturation.KEPT)
    finally:
        server.kill()
