"""The short form of ``make chaos``, and that its figures are right; counts are asserted, never seconds."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from chitarrella.server.process import raise_file_limit
from chitarrella.storage.embedded_valkey import binary
from chitarrella_client import Chitarrella
from lab.chaos import attacks
from lab.chaos.attacks import ATTACKS, Attacked, Memory, measure
from lab.chaos.faults import RUNS, Run, Withstood, withstand
from lab.chaos.frames import Target
from lab.chaos.history import Checked, check, is_available
from lab.chaos.losses import Noticed, run_losses
from lab.chaos.run import Findings
from tests.server.process import Service
from tests.servers import KEEPING, Server

SCALE = 0.05
MATCHES = 5
NEEDS_GO = pytest.mark.skipif(not is_available(), reason="Go is not on the PATH")


@NEEDS_GO
@pytest.mark.slow
@pytest.mark.timeout(150)
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_faults_lose_and_double_no_move(tmp_path_factory: pytest.TempPathFactory, run: Run) -> None:
    """Under each fault every history is linearizable, and players and watchers receive what the record shows them."""
    found = withstand(run, tmp_path_factory.mktemp("c"), 12, 60, matches=3, watched_every=1, forked=True)
    assert run.faults.keys() == {kind for kind, number in found.faults.items() if number}
    assert found.checked is not None
    assert ([], [], ()) == (found.checked.illegal, found.checked.undecided, found.wrong)
    assert found.is_right
    if run.setup.is_proxied:  # it was killed behind an append, and every connection was cut
        assert found.repeated + found.unknown > 0
        assert found.interruptions >= 4 * 3


@pytest.mark.slow
def test_every_client_is_informed_of_lost_moves(tmp_path: Path) -> None:
    """Where the store loses acknowledged moves, each player, watcher and reader of the match is informed."""
    found = run_losses(tmp_path, matches=MATCHES)
    assert () == found.silent
    assert (4 * MATCHES, 4 * MATCHES, 4 * MATCHES) == (found.moves, found.clients, found.informed)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Target, Memory]]:
    """A service with a store of its own, to be attacked."""
    raise_file_limit()
    folder = tmp_path_factory.mktemp("a")
    with ExitStack() as stack:
        store = Server(binary(), folder / "store", *KEEPING)
        stack.callback(store.kill)
        service = Service(folder / "service", "--redis-url", store.url, forked=True)
        stack.callback(service.clear_away)
        yield Target(service.grpc, service.rest.removeprefix("http://"), store), Memory(lambda: [*service.family()])


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", [name for name, row in ATTACKS.items() if not row.at_edge])
def test_small_attack_fails_no_call_of_others(
    attacked: tuple[Target, Memory], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a small attack goes on, the calls of others are answered, and what only it can show is right."""
    monkeypatch.setattr(attacks, "WARM_SECONDS", 0.2)
    monkeypatch.setattr(attacks, "SETTLE_SECONDS", 0.0)
    at, memory = attacked
    with Chitarrella(at.grpc) as client:
        match = client.create_match("briscola", players=2).id
    found = asyncio.run(measure(ATTACKS[name], at, memory, "" if ATTACKS[name].suffers else match, SCALE, 1))
    assert found.calls > 0
    assert 0 == found.failures, found
    assert found.is_right, found


MOVES = ("0 play_card Ab", "1 play_card 3c", "0 play_card 7s")
Fields = dict[str, Any]


def append(at: int, expected: int, move: str, result: str = "accepted", revision: int | None = None) -> Fields:
    """A move that was called at ``at`` and answered one unit later; without an answer if it is unknown."""
    answered = {"call": at, "return": 0 if result == "unknown" else at + 1, "result": result}
    after = expected + 1 if revision is None else revision
    return {"kind": "append", "client": at, "expected": expected, "entry": move, "revision": after, **answered}


def read(at: int, moves: tuple[str, ...], first: int = 1) -> Fields:
    return {"kind": "read", "call": at, "return": at + 1, "revision": first + len(moves), "entries": list(moves)}


CREATED: Fields = {"kind": "create", "call": 1, "return": 2, "revision": 1}
PLAYED = [CREATED, *(append(10 * place, place, move) for place, move in enumerate(MOVES, 1))]
ONE = PLAYED[:2]
UNKNOWN = append(20, 2, MOVES[1], "unknown")
LEGAL = {
    "two rivals, one is stale": [*ONE, append(10, 1, "0 play_card 2b", "stale", 2), read(100, MOVES[:1])],
    "no answer, and made after a read": [
        *(*ONE, UNKNOWN, read(30, MOVES[:1]), append(40, 3, MOVES[2])), read(100, MOVES)
    ],
    "a move that was not answered is read, then undone, and the service says so": [
        *(*ONE, UNKNOWN, append(30, 2, MOVES[1], "stale", 3), append(40, 3, MOVES[2], "lost", 4)),
        *(append(50, 4, MOVES[1]), read(100, MOVES[:2], first=3)),
    ],
}  # fmt: skip
ILLEGAL = {
    "the last move is lost": [*PLAYED, read(100, MOVES[:2])],
    "a move is lost, though the service says so": [
        *PLAYED, append(50, 4, "1 play_card 2b", "lost", 5), read(100, MOVES[:2], first=3)
    ],
    "a move is doubled": [*PLAYED, read(100, (*MOVES, MOVES[2]))],
    "two moves are reordered": [*PLAYED, read(100, (MOVES[0], MOVES[2], MOVES[1]))],
    "two rivals are both accepted": [*ONE, append(10, 1, "0 play_card 2b")],
    "a move without an answer is made twice": [*ONE, UNKNOWN, read(100, (MOVES[0], MOVES[1], MOVES[1]))],
}  # fmt: skip


@NEEDS_GO
def test_histories_that_no_log_explains_are_named(tmp_path: Path) -> None:
    """What an append-only log with compare-and-set can do is linearizable; a lost, doubled or reordered move is not."""
    path, histories = tmp_path / "history.jsonl", LEGAL | ILLEGAL
    lines = [{"match": match, **line} for match, history in histories.items() for line in history]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = check([path])
    assert (sorted(ILLEGAL), []) == (found.illegal, found.undecided)
    assert (len(histories), len(lines)) == (found.matches, found.operations)


# ---------------------------------------------------------------------- the report

CHECKED = Checked(2, 90, 80, 1, 0, [], [])
KILLED = Withstood("store killed", {"stores killed": 3}, 80, 1, 2, 900, 5.0, CHECKED)
ATTACKED = Attacked(100, 50, 0, 20, 3.0)
HARMED = Attacked(100, 50, 1, 1000, 100.0, "wrong", False, 50.0)
FOUND = Findings([KILLED], Noticed(4, 4, 4, ()), {"slow requests": ATTACKED}, minutes=15, most_minutes=16)


def test_what_falls_short_is_named() -> None:
    """What falls short: a match, a move not checked, a watcher, a wait, memory in each round, a failure, time."""
    assert [] == [*FOUND.shortfalls(80)]
    wrong = [KILLED._replace(checked=checked) for checked in (CHECKED._replace(illegal=["m"]), None)]
    wrong += [KILLED._replace(accepted=81), KILLED._replace(wrong=("m: a watcher over gRPC as 0",))]
    silent = Noticed(4, 4, 3, ("a watcher: internal",))
    short = Findings(wrong, silent, {"slow requests": HARMED}, ["bots: no answer"], 16.1, 16.0)
    assert 1 + 4 + 1 + 1 + 5 + 1 == len([*short.shortfalls(1000)])
