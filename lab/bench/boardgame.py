"""boardgame.io beside the service: processor time of a move, latency at one table, and what a killed server loses.

Its generator, `boardgame/generator.js`, plays one move at a time in each match, as the lanes of our load do. How many
moves a second go through so many tables one by one is not reported: it measures how soon a woken process gets a
processor.
"""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from chitarrella import v1
from lab.bench.calls import IN_FLIGHT, columns, play
from lab.bench.load import Call, LoadFailed, Way, drive, encode
from lab.bench.plans import MATCHES, open_at_service, plans
from lab.bench.servers import BOARDGAME, FLAT_FILE, MEMORY, NODE, SERVICE, Running, Servers, missing
from lab.bench.turns import Contender, Figures
from tests.servers import spawn

WAYS = (Way.CONNECT, Way.GRPC)


class Generator:
    """Matches at a server of boardgame.io."""

    def __init__(self, server: Running, matches: int) -> None:
        self._server = server
        self.process = _node(server, str(matches))
        self.read()  # when all matches have begun

    def __call__(self, seconds: float) -> Figures:
        """Play for ``seconds``: microseconds of CPU a move, and of latency. Raises `LoadFailed`."""
        begun = self._server.cpu()
        self.begin(seconds)
        seen = self.read()
        if not seen.get("moves"):
            raise LoadFailed("the generator at boardgame.io made no move")
        cpu = (self._server.cpu() - begun) / seen["moves"] * 1e6
        return {"cpu": cpu, "store": 0, "whole": cpu, "p50": seen["p50"] * 1e3, "p99": seen["p99"] * 1e3}

    def begin(self, seconds: float) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seconds * 1000:.0f}\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline() or "{}")


def _node(server: Running, argument: str) -> subprocess.Popen[str]:
    command = [NODE, str(BOARDGAME / "generator.js"), str(server.ports["game"]), argument]
    return spawn(command, cwd=BOARDGAME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


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


def killed(servers: Servers) -> list[Contender]:
    """All processes of a server are killed (`kill -9`) while moves are played at sixteen tables, then it is started
    again: how many moves had been acknowledged, and how many of them are not there any more.
    """
    others = [Contender(one, partial(_kill_boardgame, servers, one)) for one in (MEMORY, FLAT_FILE) if not missing(one)]
    return [Contender(SERVICE, partial(_kill_service, servers)), *others]


def _kill_boardgame(servers: Servers, name: str, seconds: float) -> Figures:
    server = servers.start(name)
    generator = Generator(server, IN_FLIGHT)
    generator.begin(10 * seconds)
    timer = threading.Timer(seconds, server.kill)
    timer.start()
    kept = generator.read()
    timer.join()
    generator.process.kill()
    again = servers.start(name, server.folder)
    checked, _ = _node(again, json.dumps(kept)).communicate()
    again.stop()
    return {"moves": sum(kept.values()), "lost": json.loads(checked)["lost"]}


def _kill_service(servers: Servers, seconds: float) -> Figures:
    server = servers.start(SERVICE)
    lanes = [open_at_service(server, islice(plans(f"killed {n}"), int(20 * seconds) + 1)) for n in range(IN_FLIGHT)]
    kept: dict[tuple[str, str], int] = {}

    def acknowledged(number: int) -> Iterator[Call]:
        for one in lanes[number]:
            for revision, call in enumerate(one.calls(Way.GRPC), 1):
                yield call
                kept[one.match, next(iter(one.keys.values()))] = revision + 1  # the call was answered

    timer = threading.Timer(seconds, server.kill)
    timer.start()
    with suppress(LoadFailed):  # the connection ends
        drive(Way.GRPC, server.port(Way.GRPC), [acknowledged(number) for number in range(IN_FLIGHT)])
    timer.join()
    again = servers.start(SERVICE, server.folder)
    asked = [encode(Way.GRPC, f"{MATCHES}GetMatch", v1.GetMatchRequest(match_id=match), key) for match, key in kept]
    found = drive(Way.GRPC, again.port(Way.GRPC), [iter(asked)], keep=True).answers
    again.stop()
    revisions = (v1.Match.FromString(answer).revision for answer in found)
    lost = sum(max(0, one - other) for one, other in zip(kept.values(), revisions, strict=True))
    return {"moves": sum(kept.values()) - len(kept), "lost": lost}
