"""Measure what a pod needs: `python -m tests.deploy.resources [--seconds 60] [--matches 6000] [--watchers 1000]`.

Players play whole matches of random moves over gRPC, in processes of their own, at a service with an embedded Valkey.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue.registry import Catalogue
from chitarrella_client import Chitarrella
from tests.server.process import Service

CLIENT_PROCESSES = 2


class Usage(NamedTuple):
    """What a process has used: seconds of processor time, and its largest memory in MiB."""

    processor: float
    memory: float


def usage(process: int) -> Usage:
    """Read the usage of a process."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    ticks = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return Usage(sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), int(status["VmHWM"].split()[0]) / 1024)


def play(address: str, seconds: float, players: int, seed: int) -> int:
    """Play with several threads for a time; returns the number of moves."""
    moves = [0] * players
    games = [game.key for game in Catalogue()]

    def run(number: int) -> None:
        chance = random.Random(f"{seed} {number}")
        with Chitarrella(address) as client:
            while time.monotonic() < end:
                match = client.create_match(chance.choice(games))
                while time.monotonic() < end and (legal := match.legal_moves()) and legal.seat is not None:
                    match.as_seat(legal.seat).play_or_raise(chance.choice(list(legal)))
                    moves[number] += 1

    end = time.monotonic() + seconds
    threads = [threading.Thread(target=run, args=(number,)) for number in range(players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(moves)


def begin(address: str, matches: int, seed: int) -> int:
    """Create matches, each with one move, so that the worker caches them; returns their number."""
    chance = random.Random(seed)
    games = [game.key for game in Catalogue()]
    with Chitarrella(address) as client:
        for _ in range(matches):
            match = client.create_match(chance.choice(games))
            legal = match.legal_moves()
            match.as_seat(legal.seat).play_or_raise(legal[0])
    return matches


def watch(address: str, watchers: int, matches: int = 20) -> list[threading.Thread]:
    """Open watches of some matches over one channel; they end with the process or the service."""
    client = Chitarrella(address)
    watched = [client.create_match("briscola") for _ in range(matches)]
    opened = threading.Semaphore(0)

    def run(number: int) -> None:
        for _ in watched[number % matches].watch(give_up=1):
            opened.release()

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(watchers)]
    for thread in threads:
        thread.start()
    for _ in threads:
        opened.acquire(timeout=60)
    return threads


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="resources", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long the players play")
    parser.add_argument("--players", type=int, default=16, help="matches at the same time")
    parser.add_argument("--matches", type=int, default=6000, help="matches that are then begun")
    parser.add_argument("--watchers", type=int, default=1000, help="watches that are then opened")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(CLIENT_PROCESSES, mp_context=get_context("spawn")) as clients,
    ):
        service = Service(Path(folder))
        try:
            measure(service, clients, given)
        finally:
            service.clear_away()


def measure(service: Service, clients: ProcessPoolExecutor, given: argparse.Namespace) -> None:
    """Play, watch, and print the usage of the worker and of its store after each."""
    worker = service.process.pid
    (store,) = (number for number, command in service.family().items() if "valkey" in command)
    print(f"started: worker {usage(worker).memory:.0f} MiB, store {usage(store).memory:.0f} MiB")
    before = usage(worker), usage(store)
    players = given.players // CLIENT_PROCESSES
    played = [clients.submit(play, service.grpc, given.seconds, players, seed) for seed in range(CLIENT_PROCESSES)]
    moves = sum(one.result() for one in played)
    after = usage(worker), usage(store)
    spent = [1000 * (late.processor - early.processor) / moves for early, late in zip(before, after, strict=True)]
    print(f"{moves} moves in {given.seconds:.0f} s by {given.players} players:")
    print(f"worker {after[0].memory:.0f} MiB, {spent[0]:.2f} ms of processor time a move")
    print(f"store {after[1].memory:.0f} MiB, {spent[1]:.2f} ms of processor time a move")
    begun = [
        clients.submit(begin, service.grpc, given.matches // CLIENT_PROCESSES, seed) for seed in range(CLIENT_PROCESSES)
    ]
    count = sum(one.result() for one in begun)
    print(f"{count} more matches: worker {usage(worker).memory:.0f} MiB, store {usage(store).memory:.0f} MiB")
    watch(service.grpc, given.watchers)
    print(f"{given.watchers} watchers: worker {usage(worker).memory:.0f} MiB")


if __name__ == "__main__":
    main()
