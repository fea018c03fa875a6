"""The figures of the benchmark are right: calls count once, a failed one fails the run, and ratios are compared."""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice, repeat
from pathlib import Path

import pytest

from chitarrella import v1
from chitarrella.storage.redis_url import connect
from chitarrella.v1.table_pb2 import Move
from lab.bench import run
from lab.bench.floors import SERVICE
from lab.bench.load import ACCEPTED, LoadFailed, Way, drive, encode
from lab.bench.plans import Moves
from lab.bench.servers import FLOORS, Running, Servers
from lab.bench.turns import Contender, Measured, Measurement, Ratio, Shown, in_turns, ratios

ASKED = v1.PlayMoveRequest(match_id="m", move=Move(verb="play_card", cards=["Ab"]))
LARGE = v1.PlayMoveRequest(request_id="a" * 60_000)
PLAIN, BYTES = f"/{SERVICE}/Plain", f"/{SERVICE}/Bytes"


@pytest.fixture(scope="module")
def floors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Servers(tmp_path_factory.mktemp("floors")) as servers:
        yield servers[FLOORS]


def port(floors: Running, way: Way) -> int:
    """The port of the floor for such calls."""
    return floors.ports[{Way.GRPC: "gRPC", Way.CONNECT: "uvicorn", Way.REST: "flask"}[way]]


@pytest.mark.parametrize(
    ("way", "path", "message"),
    [(Way.GRPC, PLAIN, ASKED), (Way.GRPC, BYTES, LARGE), (Way.CONNECT, "/", ASKED)],
    ids=["gRPC", "gRPC with bodies larger than a window", "Connect"],
)
def test_every_call_is_counted_once(floors: Running, way: Way, path: str, message: v1.PlayMoveRequest) -> None:
    """Every call of every lane is answered, and its latency is counted once."""
    call = encode(way, path, message, "key", ACCEPTED[way])
    load = drive(way, port(floors, way), [repeat(call, 20) for _ in range(10)])
    assert 200 == len(load.waits)
    assert sorted(load.waits) == list(load.waits)


@pytest.mark.parametrize(
    ("way", "path", "expected", "failure"),
    [
        (Way.GRPC, PLAIN, b"no", "not as it should be"),
        (Way.CONNECT, "/", b"no", "not as it should be"),
        (Way.GRPC, f"/{SERVICE}/Nowhere", b"", "a call failed"),
        (Way.REST, "/nowhere", b"", "a call failed"),
    ],
    ids=["gRPC, wrong answer", "Connect, wrong answer", "gRPC, error", "REST, error"],
)
def test_unexpected_answer_is_a_failure(floors: Running, way: Way, path: str, expected: bytes, failure: str) -> None:
    """An unexpected answer or an error fails the measurement, and does not count as a fast call."""
    with pytest.raises(LoadFailed, match=failure):
        drive(way, port(floors, way), [iter([encode(way, path, ASKED, answer=expected)])])


@pytest.mark.parametrize(
    ("way", "path"),
    [(Way.GRPC, f"/{SERVICE}/Script"), (Way.GRPC, f"/{SERVICE}/Pipelined"), (Way.REST, "/script")],
    ids=["gRPC", "gRPC, pipelined", "REST"],
)
def test_floors_append_every_move(floors: Running, way: Way, path: str) -> None:
    """A floor runs the script for every move of a match, appends each once, and its store has a clock of its own."""
    used = floors.cpu(of_store=True)
    moves = Moves(floors, way, "floors", path)
    with closing(connect(floors.redis_url)) as store:
        before = {key: store.llen(key) for key in store.keys("*:log")}
        assert 80 == len(drive(way, port(floors, way), [islice(moves(0, 1)[0], 80)]).waits)
        logs = [store.llen(key) for key in store.keys("*:log") if key not in before]
    assert [41, 41] == logs
    assert floors.cpu(of_store=True) > used
    with pytest.raises(LoadFailed, match="too few matches"):
        drive(way, port(floors, way), [moves._lane()])


def contender(name: str, *seen: float, group: str = "") -> Contender:
    """One that shows a figure a round."""
    rounds = iter(seen)
    return Contender(name, lambda _: {"cpu": next(rounds)}, group)


def figures(_: Servers) -> list[Contender]:
    """The text of the row."""
    names = {"one": (2, 6, 40), "base": (1, 2, 10)}
    grouped = [contender("a", 1, 1, 1, group="all"), contender("b", 5, 10, 50, group="all")]
    return [*(contender(name, *seen) for name, seen in names.items()), *grouped]


ROW = Measurement(
    "row",
    "Row",
    figures,
    {"cpu": "CPU, us"},
    [Ratio("one", "cpu", "base", 1), Ratio("all", "cpu", "base"), Ratio("one", "cpu", "not measured")],
    rounds=3,
    warm_up=0,
)


def test_ratios_are_taken_round_by_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ratio is the median over the rounds, of a group that of its worst; one without its base is left out."""
    monkeypatch.setattr(run, "PACKAGES", ("grpcio",))
    with Servers(tmp_path) as servers:
        results = in_turns(ROW, ROW.contenders(servers), lambda _: None)
    shown = list(ratios(ROW, results))
    assert [3, 5] == [one.seen.median for one in shown]
    names = ["one", "all, at worst b"]
    assert [f"Row: {name}, CPU, beside base" for name in names] == [one.what for one in shown]
    text = run.write([(ROW, results)], {}, 0.5, "A note.")
    row = "| Row: one, CPU, beside base | 3x | ±17% | at most 1x | short by 200% |  |"
    for line in (row, "The text of the row.", "A note."):
        assert line in text


def test_kept_run_is_read_back(tmp_path: Path) -> None:
    """What the page of proofs shows is what a later run is compared with."""
    page = tmp_path / "speed.json"
    page.write_text(run.for_page([Shown("Cöch, CPU", Measured(1.5, 0.25), 2), Shown("y", Measured(3))]))
    assert {"Cöch, CPU": Measured(1.5, 0.25), "y": Measured(3)} == run.former(page)
    assert '{"what": "Cöch, CPU", "goal": "at most 2x", "seen": "1.50x"' in page.read_text()
