"""boardgame.io beside the service: processor time of a move, and latency at one table.

Its generator, `boardgame/generator.js`, plays one move at a time in each match, as the lanes of our load do. How many
moves a second go through so many tables one by one is not reported: it measures how soon a woken process gets a
processor.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any

from lab.bench.calls import IN_FLIGHT, columns, play
from lab.bench.load import LoadFailed, Way
from lab.bench.servers import BOARDGAME, FLAT_FILE, MEMORY, NODE, Running, Servers, missing
from lab.bench.turns import Contender, Figures
from tests.servers import spawn

WAYS = (Way.CONNECT, Way.GRPC)


class Generator:
    """Matches at a server of boardgame.io."""

    def __init__(self, server: Running, matches: int) -> None:
        self._server = server
        command = [NODE, str(BOARDGAME / "generator.js"), str(server.ports["game"]), str(matches)]
        self.process = spawn(command, cwd=BOARDGAME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._read()  # when all matches have begun

    def __call__(self, seconds: float) -> Figures:
        """Play for ``seconds``: microseconds of CPU a move, and of latency. Raises `LoadFailed`."""
        begun = self._server.cpu()
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seconds * 1000:.0f}\n")
        self.process.stdin.flush()
        seen = self._read()
        if not seen.get("moves"):
            raise LoadFailed("the generator at boardgame.io made no move")
        cpu = (self._server.cpu() - begun) / seen["moves"] * 1e6
        return {"cpu": cpu, "store": 0, "whole": cpu, "p50": seen["p50"] * 1e3, "p99": seen["p99"] * 1e3}

    def _read(self) -> Any:
        """What it prints next."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline() or "{}")


def _at(servers: Servers, tables: int) -> list[Contender]:
    found = []
    for name in (MEMORY, FLAT_FILE):
        if not missing(name):
            generator = Generator(servers[name], tables)
            servers.callback(generator.process.kill)
            found.append(Contender(name, generator))
    return found + [one for server, suffix in columns(servers) for one in play(server, suffix, WAYS, tables)]


def tables(servers: Servers) -> list[Contender]:
    """Sixteen tables at once, one move at a time at each. boardgame.io plays a trick game of a few lines; it keeps its
    matches in memory, or in files by its own FlatFile. The service validates by a rule book, checks a key, and writes
    the move through to the disk before it answers.
    """
    return _at(servers, IN_FLIGHT)


def one_table(servers: Servers) -> list[Contender]:
    """The same at one table."""
    return _at(servers, 1)
