"""How many moves a second a store bears: driven until it can do no more, not computed.

The commands by which the service keeps the moves of some matches are recorded once. Copies of these matches, with other
ids, are created in the store; then processes send their moves over connections of their own, many in one write.
"""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import Any, NamedTuple

from hiredis import pack_command

from chitarrella.matches.model import CreateMatch
from chitarrella.storage.embedded_valkey import ALWAYS, EVERY_SECOND, binary
from chitarrella.storage.redis_connection import SCRIPTS
from lab.bench.connections import LoadFailed
from lab.bench.plans import plans
from lab.bench.service import cpu_seconds
from lab.bench.store import StoreBench, running_store
from tests.servers import Cluster, Server

RECORDED = 40
"""Matches that are played by the service; the others are their copies."""
COPIES = 50
WINDOW = 100
"""Moves of different matches in one write of a process."""
DRIVERS = (1, 2, 3)
"""Numbers of processes that send; the one with the best result is reported."""
KEPT = b"appended"
CREATED = b":1\r\n"
REFUSED = (b"\n-", b":0\r\n", b"conflict", b"missing", b"duplicate")
"""What an answer to a command that was not carried out has in it, after a line of its own."""
SECONDS = 120.0
"""How long an answer, or all moves of a process, may take."""
FORK = get_context("fork")


class Saturated(NamedTuple):
    """The most moves a second of a store, and how many processors its servers and the drivers used meanwhile."""

    what: str
    moves: float
    servers: float
    drivers: float

    @property
    def cost(self) -> float:
        """Microseconds of a processor that the store uses for a move."""
        return self.servers / self.moves * 1e6


class Recording(NamedTuple):
    """The commands of a match as bytes: what creates it, and one for each move."""

    match: str
    create: bytes
    moves: Sequence[bytes]

    def copy(self, match: str) -> Recording:
        """Return the same with another id of the same length."""
        old, new = self.match.encode(), match.encode()
        return Recording(match, self.create.replace(old, new), [move.replace(old, new) for move in self.moves])


def recordings(store: StoreBench) -> list[Recording]:
    """Play some matches through the service, and record the commands that it sends to the store."""
    found, sent = [], list[bytes]()
    evalsha: Callable[..., Any] = store.redis.evalsha

    def record(*args: Any) -> Any:
        sent.append(pack_command(("EVALSHA", *args)))
        return evalsha(*args)

    store.redis.evalsha = record
    for plan in islice(plans("saturation"), RECORDED):
        sent.clear()
        match = store.service.create(CreateMatch(plan.rule_set, pack=plan.pack)).match
        create = sent[-1]
        sent.clear()
        store.cost((match, *one) for one in plan.moves)
        found.append(Recording(match, create, tuple(sent)))
    return found


def saturated(folder: Path, done: Callable[[str], None]) -> list[Saturated]:
    """Drive one store, with each way to write its file, and a cluster of three. Raises `LoadFailed`."""
    with running_store(folder / "recorded") as store:
        known = recordings(store)
    found = []
    for what, settings in (
        ("one server, file written through before the answer", ("--appendonly", "yes", "--appendfsync", ALWAYS)),
        ("one server, file written through every second", ("--appendonly", "yes", "--appendfsync", EVERY_SECOND)),
        ("one server, no file", ("--appendonly", "no")),
    ):
        server = Server(binary(), folder / settings[-1], "--save", "", *settings)
        try:
            found.append(_most(what, [server], known, done))
        finally:
            server.kill()
    cluster = Cluster(binary(), folder / "cluster")
    try:
        found.append(_most("cluster of three, no file", cluster.nodes, known, done, cluster.place))
    finally:
        cluster.kill()
    return found


def _most(
    what: str,
    nodes: Sequence[Server],
    known: Sequence[Recording],
    done: Callable[[str], None],
    place: Callable[[str], int] = lambda _: 0,
) -> Saturated:
    """Drive with every number of processes, and return the run with most moves."""
    seen = []
    for drivers in DRIVERS:
        seen.append(_driven(what, nodes, known, drivers, place))
        done(f"{what}, {drivers} driving")
    return max(seen, key=lambda one: one.moves)


def _driven(
    what: str, nodes: Sequence[Server], known: Sequence[Recording], drivers: int, place: Callable[[str], int]
) -> Saturated:
    """Create copies of the matches, and let processes send their moves, each process those of its own matches."""
    work: list[list[list[Recording]]] = [[[] for _ in nodes] for _ in range(drivers)]
    for node in nodes:
        node.ask("FLUSHALL")
        for script in ("create", "append"):
            node.ask("SCRIPT", "LOAD", (SCRIPTS / f"{script}.lua").read_text())
    for number, one in enumerate(_copies(known)):
        work[number % drivers][place(one.match)].append(one)
    for at, node in enumerate(nodes):
        matches = [one for lanes in work for one in lanes[at]]
        with _connected(node) as sock:
            for first in range(0, len(matches), WINDOW):
                creates = [one.create for one in matches[first : first + WINDOW]]
                sock.sendall(b"".join(creates))
                _answers(sock, len(creates), CREATED)
    before = sum(cpu_seconds(node.process.pid) for node in nodes)
    results: Any = FORK.Queue()
    begun = time.monotonic()
    processes = [FORK.Process(target=_drive, args=(nodes, lanes, results)) for lanes in work]
    for process in processes:
        process.start()
    try:
        sent = [results.get(timeout=SECONDS) for _ in processes]
    except Empty:
        raise LoadFailed("a driver does not end") from None
    finally:
        seconds = time.monotonic() - begun
        for process in processes:
            process.terminate()
            process.join()
    if failed := [what for what in sent if isinstance(what, str)]:
        raise LoadFailed(failed[0])
    servers = sum(cpu_seconds(node.process.pid) for node in nodes) - before
    moves = sum(number for number, _ in sent)
    if moves != sum(len(one.moves) for lanes in work for lane in lanes for one in lane):
        raise LoadFailed("not every move was kept")
    return Saturated(what, moves / seconds, servers / seconds, sum(cpu for _, cpu in sent) / seconds)


def _copies(known: Sequence[Recording]) -> Iterator[Recording]:
    """Yield copies of the recorded matches, whose ids are spread over the slots of a cluster."""
    numbers = random.Random("copies")
    for _ in range(COPIES):
        for one in known:
            yield one.copy(f"{numbers.getrandbits(4 * len(one.match)):0{len(one.match)}x}")


def _drive(nodes: Sequence[Server], lanes: Sequence[Sequence[Recording]], results: Any) -> None:
    """Send all moves; put their number and the processor time into ``results``, or why it failed."""
    try:
        results.put(_sent(nodes, lanes))
    except (LoadFailed, OSError) as error:
        results.put(str(error))


def _sent(nodes: Sequence[Server], lanes: Sequence[Sequence[Recording]]) -> tuple[int, float]:
    """Send the next move of many matches at once to each node, until all are kept."""
    sockets = [_connected(node) for node in nodes]
    begun, kept = time.process_time(), 0
    for batches in zip_longest(*map(_batches, lanes), fillvalue=()):
        sent = [(sock, batch) for sock, batch in zip(sockets, batches, strict=True) if batch]
        for sock, batch in sent:
            sock.sendall(b"".join(batch))
        kept += sum(_answers(sock, len(batch), KEPT) for sock, batch in sent)
    for sock in sockets:
        sock.close()
    return kept, time.process_time() - begun


def _batches(matches: Sequence[Recording]) -> Iterator[Sequence[bytes]]:
    """Yield the next move of each of up to `WINDOW` matches; a batch is sent when the one before is answered."""
    for first in range(0, len(matches), WINDOW):
        yield from zip(*(one.moves for one in matches[first : first + WINDOW]), strict=True)


def _answers(sock: socket.socket, commands: int, sign: bytes) -> int:
    """Wait for the answers to so many commands; return how many of them have the ``sign``."""
    answer = b"\n"
    while answer.count(sign) < commands:
        read = sock.recv(65536)
        answer += read
        if not read or any(bad in answer for bad in REFUSED):
            raise LoadFailed(f"the store answers {answer[-200:]!r}")
    return answer.count(sign)


def _connected(node: Server) -> socket.socket:
    if node.port:
        return socket.create_connection(("127.0.0.1", node.port), timeout=SECONDS)
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(SECONDS)
    sock.connect(node.url.removeprefix("unix://"))
    return sock
