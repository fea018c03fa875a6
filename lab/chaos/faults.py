"""Moves under faults: a load plays while faults are injected, and the history that it wrote is checked."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from chitarrella.storage.embedded_valkey import binary
from lab.chaos.deployment import Deployment, GuardedPair, ReplicatedCluster, ServiceOnPorts, Setup, ports_of
from lab.chaos.history import Checked, check, is_available
from lab.chaos.load import Load
from tests.fault_proxy import Fault
from tests.servers import Server

POLL_SECONDS: Final = 0.05
END_SECONDS: Final = 90.0  # seconds for the load to play its matches to the end when no more faults come
FAULT_SECONDS: Final = 20.0  # seconds for a fault that waits for a move; other faults follow if none comes
MATCHES: Final = 40  # matches that are played at once


def kill_workers(there: Deployment, rng: Random) -> int:
    """Kill one worker, or all in one of four cases; the service replaces them."""
    (service,) = there.services
    pids = service.workers()
    return service.kill(pids if rng.random() < 0.25 else [rng.choice(pids)])


def kill_store(there: Deployment, rng: Random) -> int:
    """Kill the store and start it again on its files."""
    assert isinstance(there.store, Server)
    there.store.kill()
    there.store.start()
    return 1


def kill_at_append(there: Deployment, rng: Random) -> int:
    """Kill the service that makes the next move before its append, and then one after an append."""
    killed, number = list[tuple[ServiceOnPorts, int]](), 0

    def kill(port: int) -> None:
        holders = ((service, pid) for service in there.services for pid in service.workers() if port in ports_of(pid))
        service, pid = next(holders)
        os.kill(pid, signal.SIGKILL)
        killed.append((service, pid))

    for after in (False, True):
        at_append(there, Fault(after, kill))
        while killed:
            service, pid = killed.pop()
            service.recover([pid])
            number += 1
    return number


def at_append(there: Deployment, fault: Fault) -> int:
    """Arm a fault until it fires."""
    for proxy in there.to_stores:
        proxy.arm(fault)
    fired = fault.fired.wait(FAULT_SECONDS)
    for proxy in there.to_stores:
        proxy.arm(None)
    return int(fired)


def fail_over(there: Deployment, rng: Random) -> int:
    """Kill a master, and wait until its replica has taken over."""
    assert isinstance(there.store, GuardedPair | ReplicatedCluster)
    there.store.fail_over(rng)
    return 1


Faults = Mapping[str, Callable[[Deployment, Random], int]]
"""What is injected, in the words of the page of proofs; each waits until what was killed is back, and is counted."""


class Run(NamedTuple):
    name: str
    setup: Setup
    faults: Faults
    share: float  # its share of all moves
    time: float  # its share of the time
    between: int  # moves between the end of one fault and the next, on average; more where a restart takes long
    is_watched: bool = True
    """Whether its matches are watched: not where a failover may undo a move that nobody was answered."""


CUTS: Final[Faults] = {
    "connections of clients cut": lambda there, rng: rng.choice(there.to_services).drop_connections(),
    "connections to the store cut": lambda there, rng: rng.choice(there.to_stores).drop_connections(),
    "requests lost": lambda there, _: at_append(there, Fault(after_append=False)),
    "replies lost": lambda there, _: at_append(there, Fault(after_append=True)),
    "services killed": kill_at_append,
}
EMBEDDED: Final[Faults] = {  # the service ends with its store, and the store with its service
    "embedded stores killed": lambda there, _: there.services[0].kill(there.services[0].stores()),
    "services killed": lambda there, _: there.services[0].kill([there.services[0].process]),
}
GUARDED = Setup(partial(GuardedPair, binary()), flags=("--wait-replicas", "1"))
CLUSTER = Setup(ReplicatedCluster, flags=("--wait-replicas", "1"))
RUNS: Final = (
    Run("workers killed", Setup(workers=2), {"workers killed": kill_workers}, 0.2, 0.18, 800),
    Run("store killed", Setup(), {"stores killed": kill_store}, 0.4, 0.28, 400),
    Run("service with its store killed", Setup(None), EMBEDDED, 0.08, 0.15, 1500),
    Run("connections cut", Setup(services=2, is_proxied=True), CUTS, 0.16, 0.17, 200),
    Run("Sentinel failover", GUARDED, {"Sentinel failovers": fail_over}, 0.08, 0.11, 1000, is_watched=False),
    Run("cluster failover", CLUSTER, {"cluster failovers": fail_over}, 0.08, 0.11, 1000, is_watched=False),
)


class Withstood(NamedTuple):
    name: str
    faults: dict[str, int]
    accepted: int  # moves that were acknowledged
    unknown: int  # moves without an answer
    repeated: int  # moves whose answer was lost and that were acknowledged when they were sent again
    longest_ms: int  # the longest time from the first attempt of a move to its answer
    seconds: float
    checked: Checked | None  # the result of the checker; None without Go
    wrong: tuple[str, ...] = ()  # what players and watchers received that is not in the record of their match
    interruptions: int = 0  # interruptions of watchers

    @property
    def is_right(self) -> bool:
        """Whether every match is linearizable, every acknowledged move was checked, and everybody received it."""
        checked = self.checked
        is_checked = checked is not None and checked.is_linearizable and checked.accepted == self.accepted > 0
        return is_checked and not self.wrong


def withstand(
    run: Run,
    folder: Path,
    moves: int,
    seconds: float,
    *flags: str,
    seed: int = 0,
    matches: int = MATCHES,
    watched_every: int = MATCHES,
    forked: bool = False,
    report: Callable[[int], None] = lambda moves: None,
) -> Withstood:
    """Play ``moves`` under each fault in turn, but not longer than ``seconds``; ``report`` gets the moves so far.

    So many ``matches`` are played at once, and of these every so many-th is watched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng, begun, faults = Random(f"{seed} {run.name}"), time.monotonic(), Counter[str]()
    path = folder / "history.jsonl"
    with closing(Deployment(folder, run.setup, *flags, forked=forked)) as there, ThreadPoolExecutor(1) as thread:
        load = Load(there.grpc, there.rest, path, seed, watched_every if run.is_watched else 0)
        playing = thread.submit(load.run, matches)
        next_faults, between = cycle(rng.sample([*run.faults], len(run.faults))), min(run.between, moves // 4)
        next_fault = rng.randint(between // 2, between * 3 // 2)
        try:
            while time.monotonic() < begun + seconds and not playing.done():
                report(load.counts["accepted"])
                if load.counts["accepted"] >= moves and all(faults[fault] for fault in run.faults):
                    break
                if load.counts["accepted"] >= next_fault:
                    fault = next(next_faults)
                    faults[fault] += run.faults[fault](there, rng)
                    next_fault = load.counts["accepted"] + rng.randint(between // 2, between * 3 // 2)
                time.sleep(POLL_SECONDS)
            load.is_over = True
            playing.result(END_SECONDS)
        finally:
            load.cancel()
    counts = load.counts
    return Withstood(
        run.name, dict(faults), counts["accepted"], counts["unknown"], counts["repeated"], round(load.longest * 1e3),
        time.monotonic() - begun, check([path]) if is_available() else None, tuple(load.wrong), counts["interruptions"],
    )  # fmt: skip
