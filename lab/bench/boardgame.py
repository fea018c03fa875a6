"""The server of boardgame.io beside the service: moves a second of sixteen matches at once, measured in turns.

boardgame.io keeps its matches in memory; the service stores every move. Both generators play one move at a time in each
match, from a process of their own: here the bench itself, there `boardgame/generator.js`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lab.bench.connections import LoadFailed, Measured, of_rounds, ratio_of_rounds, rounds_within
from lab.bench.service import Kind, cpu_seconds
from tests.servers import spawn

FOLDER = Path(__file__).with_name("boardgame")
NAME = "boardgame.io, in memory"
INSTALL_SECONDS = 180
START_SECONDS = 30
WARM_UP_SECONDS = 1.0
"""Node compiles what runs often: without a warm-up its first round would be slower."""


class Server(NamedTuple):
    """What one server did: moves a second, CPU microseconds a move, and the rate beside boardgame.io's."""

    name: str
    rate: Measured
    cpu: Measured
    beside: Measured


class Beside(NamedTuple):
    """The servers that were measured; or why there are none."""

    servers: Sequence[Server] = ()
    missing: str = ""


def install() -> str:
    """Install what package.json names; return why that was not possible, empty if it was."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return "npm is not installed"
    manifest, installed = FOLDER / "package.json", FOLDER / "node_modules" / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= manifest.stat().st_mtime:
        return ""
    options = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
    command = [npm, "install", *options, "--prefix", str(FOLDER)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_SECONDS)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return "npm could not install boardgame.io"
    return ""


class BoardgameServer:
    """A running server of boardgame.io with its generator."""

    def __init__(self, server: subprocess.Popen[str], generator: subprocess.Popen[str]) -> None:
        """Both have just started."""
        self._server = server
        self._generator = generator

    def load(self, seconds: float) -> tuple[float, float]:
        """Play for ``seconds``; return moves a second and CPU microseconds of the server a move."""
        stdin, stdout = self._generator.stdin, self._generator.stdout
        assert stdin is not None
        assert stdout is not None
        begun = cpu_seconds(self._server.pid)
        stdin.write(f"{seconds * 1000:.0f}\n")
        stdin.flush()
        line = stdout.readline()
        used = cpu_seconds(self._server.pid) - begun
        seen = json.loads(line) if line else {"moves": 0}
        if not seen["moves"]:
            raise LoadFailed("the generator at boardgame.io made no move")
        return seen["moves"] / seen["seconds"], used / seen["moves"] * 1e6


@contextmanager
def boardgame_server(matches: int) -> Iterator[BoardgameServer]:
    """Start the server of boardgame.io and its generator; stop both afterwards. Raises `LoadFailed`."""
    env = {**os.environ, "NODE_ENV": "production"}
    node = shutil.which("node") or "node"
    server = spawn([node, "server.js"], cwd=FOLDER, env=env, stdout=subprocess.PIPE, text=True)
    generator = None
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        if not line.startswith("port "):
            raise LoadFailed("the server of boardgame.io did not start")
        generator = spawn(
            [node, "generator.js", line.split()[1], str(matches)],
            cwd=FOLDER, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        yield BoardgameServer(server, generator)
    finally:
        for process in (generator, server):
            if process is not None:
                process.kill()
                process.communicate()


def compared(kinds: Sequence[Kind], matches: int, rounds: int, seconds: float, done: Callable[[str], None]) -> Beside:
    """Measure these kinds of moves and boardgame.io in turns, each with so many matches at once."""
    if missing := install():
        for _ in range(rounds):
            done(missing)
        return Beside(missing=missing)
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in (NAME, *(kind.name for kind in kinds))}
    with boardgame_server(matches) as other:
        other.load(WARM_UP_SECONDS)
        for kind in kinds:
            kind.load(matches, WARM_UP_SECONDS)
        for _ in rounds_within(rounds, rounds * seconds * len(seen)):
            seen[NAME].append(other.load(seconds))
            for kind in kinds:
                found = kind.load(matches, seconds)
                seen[kind.name].append((found.rate, found.cpu))
            done(f"{matches} matches at once")
    theirs = [rate for rate, _ in seen[NAME]]
    servers = []
    for name, rounds_of_one in seen.items():
        rates, cpu = zip(*rounds_of_one, strict=True)
        servers.append(Server(name, of_rounds(rates), of_rounds(cpu), ratio_of_rounds(rates, theirs)))
    return Beside(servers)
