"""The service as a process, and a gRPC client that plays at it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from chitarrella import v1
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.questions_pb2 import StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from tests.server.forked import Forked
from tests.servers import OF_TESTS, START_SECONDS, spawn, until

StartService = Callable[..., "Service"]  # starts a service in a folder of the test

MARK = "TEST_FAMILY"
SECONDS_TO_BEGIN = 60.0


class Service:
    """A running ``chitarrella serve``, or one that has failed."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        python: Path = Path(sys.executable),
        packages: Path | None = None,
        forked: bool = False,
    ) -> None:
        """Start it with its data in ``folder`` and both transports on free ports, unless ``flags`` say otherwise.

        ``python`` is that of the environment which the service is installed in; ``packages`` is a folder with further
        packages. With ``forked`` it is a fork of a process that has imported the service.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._mark = uuid.uuid4().hex
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CHITARRELLA_")}
        environment |= OF_TESTS | {MARK: self._mark, "PYTHONUNBUFFERED": "1"}
        environment |= {"PYTHONPATH": str(packages)} if packages else {}
        self._out, self._err = folder / f"{self._mark}.out", folder / f"{self._mark}.err"
        free = ["--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0", "--data", str(folder / "data")]
        arguments = ["serve", *free, *flags]
        self.process: subprocess.Popen[Any] | Forked
        if forked:
            self.process = Forked(arguments, environment, self._out, self._err)
        else:
            with self._out.open("w") as out, self._err.open("w") as err:
                command = [str(python), "-m", "chitarrella", *arguments]
                self.process = spawn(command, stdout=out, stderr=err, env=environment)
        self._children: dict[int, str] = {}
        try:
            until(lambda: "Ctrl-C" in self.output() or self.process.poll() is not None, "it listens", SECONDS_TO_BEGIN)
        except BaseException:  # a timeout of the test too: nobody else can end it yet
            self.clear_away()
            raise
        self.family()

    def output(self) -> str:
        return self._out.read_text() if self._out.exists() else ""

    def log(self) -> str:
        return self._err.read_text() if self._err.exists() else ""

    def events(self, text: str) -> list[dict[str, Any]]:
        """The lines of the log whose event begins with ``text``. Fails where a line is not as all lines must be."""
        lines = [json.loads(line) for line in self.log().splitlines()]
        assert all({"timestamp", "level", "event"} <= line.keys() for line in lines)
        return [line for line in lines if line["event"].startswith(text)]

    def _line(self, head: str) -> str:
        lines = [line.partition(" ")[2].strip() for line in self.output().splitlines() if line.startswith(f"{head} ")]
        assert lines, f"it has not begun: {self.output()}{self.log()[-2000:]}"
        return lines[0]

    @property
    def grpc(self) -> str:
        """Where gRPC listens."""
        return self._line("gRPC")

    @property
    def rest(self) -> str:
        return self._line("REST")

    @property
    def admin(self) -> str:
        """Where health checks and metrics have a port of their own."""
        return self._line("admin")

    def family(self) -> dict[int, str]:
        """The service and its child processes, by process id.

        They are known by a mark in their environment, or since an earlier look: Valkey writes over that.
        """
        with suppress(OSError):  # it has ended
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            self._children |= {int(one): command for one in children if (command := _command(int(one)))}
        found = {number: command for number, command in self._children.items() if _command(number) == command}
        if self.process.poll() is None:
            found[self.process.pid] = _command(self.process.pid)
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended in the meantime
                if f"{MARK}={self._mark}".encode() in (process / "environ").read_bytes():
                    found[int(process.name)] = _command(int(process.name))
        return found

    def children(self, name: str = "") -> list[int]:
        """The child processes whose command line has ``name``, by default the workers, which have the service's."""
        name = name or _command(self.process.pid)
        return [number for number, command in self.family().items() if name in command and number != self.process.pid]

    def all_gone(self, seconds: float = 10) -> None:
        """Wait until no process of it is left."""
        until(lambda: not self.family(), f"nothing is left of {self.family()}", seconds)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Stop the service and return the seconds that it took; fails unless it exits normally."""
        begun = time.monotonic()
        self.process.send_signal(number)
        assert 0 == self.process.wait(30), self.log()[-2000:]
        self.all_gone()
        return time.monotonic() - begun

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def clear_away(self) -> None:
        """Kill all processes that are left of it."""
        for number in self.family():
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(number, signal.SIGKILL)
        self.process.wait()


def _command(number: int) -> str:
    """The command line of a process, empty if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    return ""


class Player:
    """A client with all keys of a match."""

    def __init__(
        self,
        address: str,
        created: v1.CreatedMatch | None = None,
        *,
        channel: grpc.Channel | None = None,
        **rule_set: Any,
    ) -> None:
        """Join ``created``, or create a match; over ``channel`` if it is given, else in plain text."""
        self.channel = channel or grpc.insecure_channel(address)
        self.stub: Any = MatchServiceStub(self.channel)
        if created is None:
            agreed = RuleSet(game_id="briscola", players=2, options={"rubber_games": "1"})
            created = self.stub.CreateMatch(v1.CreateMatchRequest(rule_set=agreed, **rule_set), timeout=10)
        self.created = created
        self.match_id = created.match.match_id

    def key(self, key: str = "") -> tuple[tuple[str, str], ...]:
        """The metadata that hold a key, by default the referee's."""
        return (("authorization", f"Bearer {key or self.created.referee_key}"),)

    def get_match(self, timeout: float = 10) -> v1.Match:
        """The match with the referee's view."""
        snapshot: v1.Match = self.stub.GetMatch(
            v1.GetMatchRequest(match_id=self.match_id), metadata=self.key(), timeout=timeout
        )
        return snapshot

    def play(self, moves: int = 1, timeout: float = 10) -> int:
        """Play some moves for any seat; return the revision."""
        for _ in range(moves):
            asked = v1.ListMatchMovesRequest(match_id=self.match_id)
            may = self.stub.ListMatchMoves(asked, metadata=self.key(), timeout=timeout)
            more = {"seat": may.seat, "move": may.moves[0], "expected_revision": may.revision}
            move = v1.PlayMoveRequest(match_id=self.match_id, **more)
            played: v1.PlayMoveResponse = self.stub.PlayMove(move, metadata=self.key(), timeout=timeout)
            assert played.accepted
        return int(played.revision)

    def record(self) -> str:
        """The record without comments."""
        answer = self.stub.GetRecord(v1.GetRecordRequest(match_id=self.match_id), metadata=self.key(), timeout=10)
        return "\n".join(line.partition("|")[0].rstrip() for line in str(answer.record).splitlines())

    def watch(self, cursor: str = "", key: str = "") -> Any:
        """Begin to watch."""
        return self.stub.WatchMatch(v1.WatchMatchRequest(match_id=self.match_id, cursor=cursor), metadata=self.key(key))

    def close(self) -> None:
        self.channel.close()


def reason(error: Any) -> str:
    """The reason code of a failed call."""
    status = rpc_status.from_call(error)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return str(info.reason)


def fetched(url: str, body: bytes | None = None, **headers: str) -> Any:
    request = urllib.request.Request(url, body, {name.replace("_", "-"): value for name, value in headers.items()})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode()


def start_game(address: str, timeout: float = 2) -> None:
    """Make a stateless call."""
    with grpc.insecure_channel(address) as channel:
        asked = StartGameRequest(rule_set=RuleSet(game_id="briscola"))
        RulesServiceStub(channel).StartGame(asked, timeout=timeout)


def is_answered(service: Service) -> bool:
    """Whether a stateless call is answered at present."""
    with suppress(grpc.RpcError):
        start_game(service.grpc)
        return True
    return False


def failed(service: Service, status: int = 1) -> str:
    """Check that a service did not start and left no process; return the event of the last line of its log."""
    assert status == service.process.wait(START_SECONDS), service.output()
    service.all_gone()
    assert "Traceback" not in service.log()
    last = service.log().strip().splitlines()[-1]
    return str(json.loads(last)["event"]) if last.startswith("{") else last


def metric(service: Service, name: str, url: str = "") -> float:
    """The value of a metric by its name and labels, 0 where it has none yet."""
    pattern = rf"^chitarrella_{re.escape(name)} (\S+)$"
    found = re.search(pattern, fetched(f"{url or service.rest}/metrics"), re.MULTILINE)
    return float(found[1]) if found else 0.0


def watchers(service: Service, url: str = "") -> int:
    """Number of watchers, from the metrics."""
    return int(metric(service, "watchers", url))


def health(service: Service, name: str = "") -> int:
    """The status that the health service of gRPC reports of a name, at a connection of its own."""
    with grpc.insecure_channel(service.grpc, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        return int(stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=10).status)
