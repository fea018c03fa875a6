"""The attacks as rows of one table, and how one is measured: by the calls of others, and by the memory of the service.

Each attack is an async function of a `Target`; it can be made at any service, and `attack` makes it at one of its own.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from chitarrella.server.process import raise_file_limit
from chitarrella.storage.embedded_valkey import binary
from chitarrella_client import Chitarrella
from lab.chaos import calls, frames
from lab.chaos.frames import Effect, Target
from tests.server.process import Service
from tests.servers import KEEPING, Server

GOAL_MS, GOAL_MB, GOAL_FLAT_MB = 1000, 100, 50
"""The longest wait of another caller, and the growth of the memory in one round, and from one round to the next."""
WARM_SECONDS: Final = 1.5  # seconds of ordinary calls before the memory is read: the first calls make it grow
SETTLE_SECONDS: Final = 1.0  # seconds after a round until the memory is read
RESET_PEAK: Final = "5"  # written to ``/proc/PID/clear_refs``, resets the peak of the resident memory


class Attack(NamedTuple):
    """An attack: its name on the page of proofs, how it is made, and how much has to be sent, else it was none.

    The function gets a scale, 1 for the full attack. ``suffers`` says that it is made at the store. Those ``at_edge``
    are withstood with `serve --edge` only.
    """

    name: str
    make: Callable[[Target, float], Coroutine[Any, Any, Effect]]
    least: int
    suffers: bool = False
    at_edge: bool = False


ATTACKS: Final[Mapping[str, Attack]] = {
    "bombs": Attack("request bombs", calls.bombs, 32),
    "no-memory": Attack("store without memory", calls.no_memory, 500, suffers=True),
    "hanging": Attack("hanging store", calls.hanging, 100, suffers=True),
    "resets-grpc": Attack("reset streams at the gRPC port", lambda at, scale: frames.resets(at.grpc, 6 * scale), 6000),
    "resets-http": Attack("reset streams at the HTTP port", lambda at, scale: frames.resets(at.http, 6 * scale), 6000),
    "slow": Attack("slow requests", frames.slow, 2100),
    "batches": Attack("costly batches", calls.batches, 80),
    "bots": Attack("matches of bots", calls.bots, 200),
    "watchers": Attack("SSE watchers", calls.watchers, 2000),
    "references": Attack("header references", frames.header_references, 100, at_edge=True),
    "headers": Attack("endless headers", frames.endless_headers, 100, at_edge=True),
    "pings": Attack("pings and settings", frames.pings, 10_000, at_edge=True),
    "windows": Attack("windows of zero", frames.no_window, 6000, at_edge=True),
    "unread": Attack("unread answers", frames.unread, 1200, at_edge=True),
    "pipelined": Attack("unread pipelines", frames.pipelined, 6000, at_edge=True),
    "unfinished": Attack("unfinished messages", frames.unfinished, 4200, at_edge=True),
    "idle": Attack("idle connections", frames.idle, 1000, at_edge=True),
    "gzip": Attack("gzip bombs", calls.gzip_bombs, 20, at_edge=True),
}


class Attacked(NamedTuple):
    sent: int  # what the attacker has sent: requests, frames or connections
    calls: int  # calls of others meanwhile
    failures: int  # those among them that failed
    longest_ms: int  # the longest wait of one of them
    memory_mb: float  # by how much the resident memory of all processes of the service rose in a round
    note: str = ""
    is_right: bool = True
    """Whether enough was sent, and the check of this attack passed, for example that no watcher missed an event."""
    later_mb: float = 0.0  # by how much more memory there was after the second round than after the first
    failure: str = ""  # what the first call of others that failed was told

    @property
    def summary(self) -> str:
        failed = f"{self.failures} of {self.calls:,} calls of others failed"
        return f"{self.sent:,} sent, {failed}, longest wait {self.longest_ms:,} ms, {self.memory_mb:,.0f} MB"

    def faults(self) -> Iterator[str]:
        if self.longest_ms >= GOAL_MS:
            yield f"another caller waited {self.longest_ms:,} ms"
        if self.failures:
            yield f"{self.failures:,} of {self.calls:,} calls of others failed, the first with {self.failure}"
        if self.memory_mb >= GOAL_MB:
            yield f"the memory rose by {self.memory_mb:,.0f} MB"
        if self.later_mb >= GOAL_FLAT_MB:
            yield f"the memory rose by another {self.later_mb:,.0f} MB when the attack was made again"
        if not self.is_right:
            yield self.note or "too little was sent"


@asynccontextmanager
async def probed(at: Target, match: str) -> Any:
    """Call the service from another process during the block; then the list holds what it measured of each kind."""
    found: list[dict[str, Any]] = []
    command = (sys.executable, "-m", "lab.chaos.probes", at.grpc, at.http, match)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    try:
        assert process.stdout is not None
        assert b"ready\n" == await process.stdout.readline()
        yield found
        output, _ = await asyncio.wait_for(process.communicate(b""), 60)
        found += json.loads(output)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Memory:
    """The resident memory of the processes of a service, in megabytes."""

    def __init__(self, processes: Callable[[], list[int]]) -> None:
        """Read it of these processes, whichever there are at the time."""
        self._processes = processes

    def now(self, field: str = "VmRSS") -> float:
        """The sum of a field of their status: ``VmHWM`` is the peak of each since it was reset."""
        texts = [Path(f"/proc/{pid}/status").read_text() for pid in self._processes()]
        lines = [line for text in texts for line in text.splitlines() if line.startswith(f"{field}:")]
        return sum(int(line.split()[1]) for line in lines) / 1024

    def reset_peak(self) -> None:
        for pid in self._processes():
            Path(f"/proc/{pid}/clear_refs").write_text(RESET_PEAK)


async def measure(row: Attack, at: Target, memory: Memory, match: str, scale: float = 1.0, rounds: int = 2) -> Attacked:
    """Make an attack while others call, in some rounds; ``match`` is asked for, if it can be."""
    effects, grown, left = [], [], []
    async with probed(at, match) as found:
        await asyncio.sleep(WARM_SECONDS)
        for _ in range(rounds):
            memory.reset_peak()
            before = memory.now()
            effects.append(await row.make(at, scale))
            grown.append(memory.now("VmHWM") - before)
            await asyncio.sleep(SETTLE_SECONDS)
            left.append(memory.now())
    return Attacked(
        sum(effect.sent for effect in effects),
        sum(one["calls"] for one in found),
        sum(len(one["failures"]) for one in found),
        round(max(one["longest"] for one in found) * 1e3),
        round(max(0.0, *grown), 1),
        effects[-1].note,
        all(effect.is_right and effect.sent >= int(row.least * scale) for effect in effects),
        round(left[-1] - left[0], 1),
        next((failure for one in found for failure in one["failures"]), ""),
    )


def attack(row: Attack, folder: Path, *flags: str, scale: float = 1.0, rounds: int = 2) -> Attacked:
    """Attack a service with default settings, but for the limits of callers without an API key, which are off."""
    raise_file_limit()
    with ExitStack() as stack:
        store = None
        if row.suffers:
            store = Server(binary(), folder / "store", *KEEPING)
            stack.callback(store.kill)
            stack.callback(store.resume)
        service = Service(folder / "service", *flags, *(("--redis-url", store.url) if store else ()))
        stack.callback(service.clear_away)
        if service.process.poll() is not None:
            raise RuntimeError(f"the service did not start: {service.log()[-1000:]}")
        at = Target(service.grpc, service.rest.removeprefix("http://"), store)
        with Chitarrella(at.grpc) as client:
            match = "" if row.suffers else client.create_match("briscola", players=2).id
        return asyncio.run(measure(row, at, Memory(lambda: [*service.family()]), match, scale, rounds))
