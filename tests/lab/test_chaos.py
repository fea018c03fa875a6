"""The figures of the chaos run are right: lost and doubled moves are noticed, and attacks that came to nothing."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lab.chaos.attacks import all_attacks, connections
from lab.chaos.history import Checked, check, is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="Go is not on the PATH")

Fields = dict[str, Any]
MOVES = ("0 play_card Ab", "1 play_card 3c", "0 play_card 7s")


def append(at: int, expected: int, move: str, result: str = "accepted", revision: int | None = None) -> Fields:
    """A move that was called at ``at`` and answered one unit later; without an answer if it is unknown."""
    return {
        "match": "m",
        "client": at,
        "kind": "append",
        "call": at,
        "return": 0 if result == "unknown" else at + 1,
        "expected": expected,
        "entry": move,
        "result": result,
        "revision": expected + 1 if revision is None else revision,
    }


def read(at: int, moves: tuple[str, ...], first: int = 1) -> Fields:
    """A read of the whole log."""
    return {
        "match": "m",
        "kind": "read",
        "call": at,
        "return": at + 1,
        "revision": first + len(moves),
        "entries": list(moves),
    }


CREATED: Fields = {"match": "m", "kind": "create", "call": 1, "return": 2, "revision": 1}
PLAYED = [CREATED, *(append(10 * place, place, move) for place, move in enumerate(MOVES, 1))]


def checked(folder: Path, *lines: Fields) -> Checked:
    """Check a history."""
    path = folder / "history.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return check([path])


LEGAL = {
    "in order": [*PLAYED, read(100, MOVES)],
    "two rivals, one is stale": [*PLAYED[:2], append(10, 1, "0 play_card 2b", "stale", 2), read(100, MOVES[:1])],
    "no answer, and made": [*PLAYED[:2], append(20, 2, MOVES[1], "unknown"), read(100, MOVES[:2])],
    "no answer, and not made": [*PLAYED[:2], append(20, 2, MOVES[1], "unknown"), read(100, MOVES[:1])],
    "no answer, and made after a read": [
        *PLAYED[:2],
        append(20, 2, MOVES[1], "unknown"),
        read(30, MOVES[:1]),
        append(40, 3, MOVES[2]),
        read(100, MOVES),
    ],
    "a move that was not answered is read, then undone, and the service says so": [
        *PLAYED[:2],
        append(20, 2, MOVES[1], "unknown"),
        append(30, 2, MOVES[1], "stale", 3),
        append(40, 3, MOVES[2], "lost", 4),
        append(50, 4, MOVES[1]),
        read(100, MOVES[:2], first=3),
    ],
    "no answer, and entries of the service behind it": [
        *PLAYED[:2],
        append(20, 2, MOVES[1], "unknown"),
        append(30, 4, MOVES[2]),
    ],
}

ILLEGAL = {
    "the last move is lost": [*PLAYED, read(100, MOVES[:2])],
    "a move in the middle is lost": [*PLAYED, read(100, (MOVES[0], MOVES[2]))],
    "a move is lost, though the service says so": [
        *PLAYED,
        append(50, 4, "1 play_card 2b", "lost", 5),
        read(100, MOVES[:2], first=3),
    ],
    "a move is doubled": [*PLAYED, read(100, (*MOVES, MOVES[2]))],
    "two moves are reordered": [*PLAYED, read(100, (MOVES[0], MOVES[2], MOVES[1]))],
    "two rivals are both accepted": [*PLAYED[:2], append(10, 1, "0 play_card 2b")],
    "accepted, then at the same revision again": [*PLAYED, append(50, 3, "0 play_card 2b")],
    "a read from before a move that was answered": [*PLAYED, {**read(100, ()), "revision": 3, "entries": None}],
    "a move without an answer is made twice": [
        *PLAYED[:2],
        append(20, 2, MOVES[1], "unknown"),
        read(100, (MOVES[0], MOVES[1], MOVES[1])),
    ],
    "a stale answer at a revision that never was": [*PLAYED, append(50, 1, "0 play_card 2b", "stale", 9)],
    "created twice": [CREATED, {**CREATED, "call": 3, "return": 4}],
}


@pytest.mark.parametrize("name", LEGAL)
def test_legal_history_is_accepted(tmp_path: Path, name: str) -> None:
    """What an append-only log with compare-and-set can do is linearizable."""
    found = checked(tmp_path, *LEGAL[name])
    assert (1, len(LEGAL[name])) == (found.matches, found.operations)
    assert found.is_linearizable


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_history_is_refused(tmp_path: Path, name: str) -> None:
    """A history with a lost, doubled or reordered move is refused, and its match is named."""
    assert ["m"] == checked(tmp_path, *ILLEGAL[name]).illegal


@pytest.mark.parametrize(
    "fault",
    [{"kind": "wish"}, {"result": "perhaps"}, {"match": ""}, {"return": 0}, {"return": 5}],
    ids=["kind", "result", "match", "no return", "return before the call"],
)
def test_unknown_line_is_an_error(tmp_path: Path, fault: Fields) -> None:
    """A line that the model does not know ends the check, so that nothing goes unchecked."""
    with pytest.raises(RuntimeError, match="line 2"):
        checked(tmp_path, CREATED, append(10, 1, MOVES[0]) | fault)


@contextmanager
def closing_server(accepted: int) -> Iterator[tuple[str, int]]:
    """A server that closes so many connections as soon as it has them, and then listens no more; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    address: tuple[str, int] = listener.getsockname()

    def serve() -> None:
        with listener:
            for _ in range(accepted):
                listener.accept()[0].close()

    thread = threading.Thread(target=serve)
    thread.start()
    if not accepted:
        thread.join()
    yield address
    thread.join()


@pytest.mark.parametrize("path", [connections.GRPC_PATH, connections.REST_PATH])
def test_resets_that_do_not_come_through_are_not_right(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a service is gone after its first connections, too few streams are reset."""
    monkeypatch.setattr(connections, "LATE_SECONDS", 0.5)
    with closing_server(connections.CONNECTIONS) as address:
        effect = connections.reset_streams(address, path, "application/grpc", 0.05)
    assert effect.sent < connections.LEAST_STREAMS * 0.05
    assert not effect.is_right


def test_batches_that_nobody_answers_are_not_right() -> None:
    """Connections that are refused answer no batch."""
    with closing_server(0) as (host, port):
        effect = all_attacks.send_batches(f"http://{host}:{port}", 1)
    assert 2 == effect.sent
    assert not effect.is_right
