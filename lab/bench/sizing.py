"""Measures what a deployment needs: processor time of a move, memory of a worker, bytes of the store.

``python -m lab.bench.sizing`` prints the figures of docs/sizing.md, and with ``--event-streams`` that of a watch over
server-sent events alone. Processor time is read from the kernel, so that other processes on the machine change it
little.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import connect
from lab.bench.watching import EventStreamCrowd
from tests.server.process import Player, Service

MATCHES = 2_000
WATCHES = 500
PLAYERS = 16
MOVES = 36
TICKS = os.sysconf("SC_CLK_TCK")


class Usage(NamedTuple):
    """What a process has used: seconds of processor time, and bytes of memory now."""

    seconds: float
    memory: int


def usage(process: int) -> Usage:
    """Read the usage of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    memory = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Usage((int(fields[11]) + int(fields[12])) / TICKS, memory)


class Bench:
    """A worker and its store."""

    def __init__(self, folder: Path) -> None:
        self.embedded = EmbeddedValkey(folder / "store")
        self.service = Service(folder / "service", "--redis-url", self.embedded.url, "--log-level", "error")
        self.client: Any = connect(self.embedded.url)
        self.store_process = int(self.client.info("server")["process_id"])

    def worker(self) -> Usage:
        """The usage of the worker."""
        return usage(self.service.process.pid)

    def store(self) -> Usage:
        """The processor time of the store, and the memory that its keys use."""
        return Usage(usage(self.store_process).seconds, int(self.client.info("memory")["used_memory_dataset"]))

    def disk(self) -> int:
        """The bytes of the append-only file."""
        return sum(file.stat().st_size for file in (self.embedded.folder / "appendonlydir").iterdir())

    def close(self) -> None:
        """Stop everything."""
        self.client.close()
        self.service.clear_away()
        self.embedded.stop()


def create(bench: Bench) -> list[Player]:
    """Create matches, and print what one costs."""
    Player(bench.service.grpc).close()
    worker, store, disk = bench.worker(), bench.store(), bench.disk()
    players = [Player(bench.service.grpc) for _ in range(MATCHES)]
    print(f"match created, processor of worker: {(bench.worker().seconds - worker.seconds) / MATCHES * 1e3:.2f} ms")
    print(f"match created, memory of store: {(bench.store().memory - store.memory) / MATCHES:.0f} bytes")
    print(f"match created, file of store: {(bench.disk() - disk) / MATCHES:.0f} bytes")
    print(f"match cached, memory of worker: {(bench.worker().memory - worker.memory) / MATCHES / 1024:.1f} KiB")
    return players


def play(bench: Bench, players: list[Player]) -> None:
    """Play a deal at each of some matches, several at once, and print what a move costs."""
    playing = players[: PLAYERS * 6]
    worker, store, disk, begun = bench.worker(), bench.store(), bench.disk(), time.monotonic()
    with ThreadPoolExecutor(PLAYERS) as pool:
        moves = sum(pool.map(play_deal, playing))
    seconds = time.monotonic() - begun
    print(f"moves: {moves}, at once {PLAYERS}, {moves / seconds:.0f} a second with the clients on the same machine")
    print(f"move, processor of worker: {(bench.worker().seconds - worker.seconds) / moves * 1e3:.2f} ms")
    print(f"move, processor of store: {(bench.store().seconds - store.seconds) / moves * 1e3:.2f} ms")
    print(f"move, memory of store: {(bench.store().memory - store.memory) / moves:.0f} bytes")
    print(f"move, file of store: {(bench.disk() - disk) / moves:.0f} bytes")


def play_deal(player: Player) -> int:
    """Play a deal with a call for the legal moves before each, as a simple client does."""
    player.play(MOVES)
    return MOVES


def watch(bench: Bench, players: list[Player]) -> None:
    """Watch matches, one watcher each, and print what a watch costs."""
    before = bench.worker()
    watches = [player.watch() for player in players[:WATCHES]]
    for one in watches:
        next(one)
    print(f"watch over gRPC, memory of worker: {(bench.worker().memory - before.memory) / WATCHES / 1024:.1f} KiB")
    for one in watches:
        one.cancel()


def watch_event_streams(bench: Bench, players: list[Player]) -> None:
    """Watch matches over server-sent events, one watcher each, and print what a watch costs."""
    watched = [player.match_id for player in players[:WATCHES]]
    with closing(EventStreamCrowd(bench.service.rest, [players[-1].match_id])) as first:
        first.wait_for(1)
    before = bench.worker()
    with closing(EventStreamCrowd(bench.service.rest, watched)) as crowd:
        crowd.wait_for(1)
        print(f"watch over SSE, memory of worker: {(bench.worker().memory - before.memory) / WATCHES / 1024:.1f} KiB")


@contextmanager
def running_bench() -> Iterator[Bench]:
    """A worker and a store that have done nothing yet."""
    with tempfile.TemporaryDirectory() as folder, closing(Bench(Path(folder))) as bench:
        yield bench


def measure_all() -> None:
    """Print every figure of one worker."""
    with running_bench() as bench:
        print(f"worker at rest: {bench.worker().memory / 2**20:.0f} MiB")
        players = create(bench)
        play(bench, players)
        watch(bench, players)
        print(f"worker at the end: {bench.worker().memory / 2**20:.0f} MiB")
        for player in players:
            player.close()


def measure_event_streams() -> None:
    """Print what a watch over server-sent events costs, at a worker of its own: no memory is left of other watches."""
    with running_bench() as bench:
        players = [Player(bench.service.grpc) for _ in range(WATCHES + 1)]
        watch_event_streams(bench, players)
        for player in players:
            player.close()


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--event-streams", action="store_true", help="only what a watch over SSE costs")
    if not parser.parse_args().event_streams:
        measure_all()
    measure_event_streams()


if __name__ == "__main__":
    main()
