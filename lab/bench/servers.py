"""The servers under test: every one is started, watched, killed and stopped in the same way.

A server is a command that prints the addresses at which it listens, then a line with ``Ctrl-C``.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from lab.bench.load import LoadFailed, Way
from tests.servers import OF_TESTS, spawn

SECONDS_TO_STOP, SECONDS_TO_INSTALL = 20, 180
BOARDGAME = Path(__file__).with_name("boardgame")
NODE = shutil.which("node") or "node"
STORE = "valkey-server"
ADDRESS = re.compile(r"(\w+) .*?:(\d+)$")
SERVICE, EDGE, SEVERAL = "service", "service with the edge", "service, two workers"
EVERY_SECOND, FLOORS, BARE = "service, file written through every second", "floors", "bare"
MEMORY, FLAT_FILE = "boardgame.io, in memory", "boardgame.io, FlatFile"
SERVE = [sys.executable, "-m", "chitarrella", "serve", "--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0"]
ONE = [*SERVE, "--workers", "1", "--data", "FOLDER"]  # as the floors have one process
COMMANDS: dict[str, list[str]] = {
    SERVICE: ONE,
    EDGE: [*ONE, "--edge", "--rate-platform", "0"],  # the rate at which it refuses an address follows it
    SEVERAL: [*SERVE, "--workers", "2", "--data", "FOLDER"],
    EVERY_SECOND: [*ONE, "--fsync", "everysec"],
    FLOORS: [sys.executable, "-m", "lab.bench.floors", "FOLDER"],
    BARE: [sys.executable, "-m", "lab.bench.floors", "FOLDER", "--bare"],
    MEMORY: [NODE, str(BOARDGAME / "server.js")],
    FLAT_FILE: [NODE, str(BOARDGAME / "server.js"), "FOLDER"],
}
"""The command of each server under test, with the folder in which it keeps its files."""


@cache
def missing(name: str) -> str:
    """Why this server cannot be measured here; empty if it can."""
    if name == EDGE:
        return "" if find_spec("envoy") else "Envoy is not installed"
    if NODE not in COMMANDS[name]:
        return ""
    npm = shutil.which("npm")
    if npm is None or not Path(NODE).exists():
        return "npm is not installed"
    manifest, installed = BOARDGAME / "package.json", BOARDGAME / "node_modules" / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= manifest.stat().st_mtime:
        return ""
    options = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
    command = [npm, "install", *options, "--prefix", str(BOARDGAME)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS_TO_INSTALL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return "npm could not install boardgame.io"
    return ""


class Running:
    """A running server with its child processes, of which a Valkey is its store."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """Start it and wait until it listens. Raises `LoadFailed`."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.ports, log = folder, dict[str, int](), folder / "stderr"
        command = [str(folder / "data") if word == "FOLDER" else word for word in command]
        environment = {**os.environ, **OF_TESTS, "NODE_ENV": "production"}
        with log.open("ab") as file:
            self.process = spawn(command, stdout=subprocess.PIPE, stderr=file, text=True, env=environment)
        assert self.process.stdout is not None
        line = " "
        while line and "Ctrl-C" not in line:
            line = self.process.stdout.readline()
            if found := ADDRESS.match(line.strip()):
                self.ports[found[1]] = int(found[2])
        if not line:
            self.process.communicate()
            raise LoadFailed(f"a server did not start: {log.read_text()[-600:]}")
        family = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in _family(self.process.pid)}
        self._pids = {True: [pid for pid in family if family[pid] == STORE]}
        self._pids[False] = [pid for pid in family if family[pid] != STORE]

    @property
    def redis_url(self) -> str:
        return f"unix://{self.folder}/data/valkey.sock"

    def port(self, way: Way) -> int:
        return self.ports["gRPC" if way is Way.GRPC else "REST"]

    def cpu(self, *, of_store: bool = False) -> float:
        """CPU seconds of its store, or of all its other processes: exact, not in the hundredths of ``/proc``."""
        # The number of the clock is that of clock_getcpuclockid, which Python does not have.
        return sum(time.clock_gettime(~pid << 3 | 2) for pid in self._pids[of_store])

    def memory(self) -> int:
        """Resident bytes of the process that was started."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        """Kill all its processes at once. Idempotent."""
        for pid in (*self._pids[False], *self._pids[True]):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.communicate(timeout=SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                self.kill()


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in map(int, children) for one in _family(child))]


class Servers(ExitStack):
    """The servers of one measurement; they, and all else that is entered, end with the block."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder, self._number, self._shared = folder, 0, dict[str, Running]()

    def __getitem__(self, name: str) -> Running:
        if name not in self._shared:
            self._shared[name] = self.start(name)
        return self._shared[name]

    def folder(self) -> Path:
        """A new folder; its path is short, as that of a socket must be."""
        self._number += 1
        return self._folder / str(self._number)

    def start(self, name: str, folder: Path | None = None) -> Running:
        """Start a server for one contender alone, in a new folder or that of one that has ended."""
        running = Running(COMMANDS[name], folder or self.folder())
        self.callback(running.stop)
        return running
