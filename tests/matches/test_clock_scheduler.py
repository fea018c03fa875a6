"""Clocks are enforced by schedulers, of several workers and beside bots."""

from __future__ import annotations

import threading
from random import Random

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move
from chitarrella.fair_pool import THREADS, FairPool
from chitarrella.matches.bot_moves import choose_move
from chitarrella.matches.control import BotAssignment
from chitarrella.matches.metadata import Clock
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella_client import Chitarrella
from tests.matches.playing import SHORT, operations
from tests.server.process import StartService
from tests.servers import until


def test_one_of_several_schedulers_enforces_a_timeout(
    service: MatchService, other: MatchService, clock_ms: list[int]
) -> None:
    """A clock is enforced once by one of several schedulers; a finished match is not looked at again."""
    matches = [service.create(CreateMatch(SHORT, clock=Clock(1_000, 0))).match for _ in range(3)]
    service.create(CreateMatch(SHORT))
    schedulers = [
        Scheduler(operations(service), service.store),
        Scheduler(operations(other), other.store),
    ]
    assert [0, 0] == [scheduler.run_once() for scheduler in schedulers]
    clock_ms[0] += 2_000
    assert [3, 0] == [scheduler.run_once() for scheduler in schedulers]
    assert [3, 3, 3] == [service.repository.load(match).row.revision for match in matches]
    service.abort(matches[0])
    service.delete(matches[1])
    clock_ms[0] += 2_000
    assert [1, 0] == [scheduler.run_once() for scheduler in reversed(schedulers)]
    clock_ms[0] += 60_000
    assert 1 == schedulers[0].run_once()


def test_timeouts_are_enforced_while_bots_search(service: MatchService, clock_ms: list[int]) -> None:
    """A bot that searches for long does not delay a timeout."""
    free = threading.Event()

    def brood(game: AnyGame, p: Position, bot: BotAssignment, rng: Random) -> Move:
        assert free.wait(10)
        return choose_move(game, p, bot, rng)

    searching = tuple(BotAssignment(seat, "search", 5) for seat in range(2))
    owners = [f"192.0.2.{number}" for number in range(THREADS + 3)]
    brooding = [service.create(CreateMatch(SHORT, bots=searching, address=owner)) for owner in owners]
    late = service.create(CreateMatch(SHORT, clock=Clock(1_000, 0)))
    clock_ms[0] += 2_000
    scheduler = Scheduler(MatchOperations(service, brood), service.store, FairPool("bot"))
    assert THREADS + 1 == scheduler.run_once()
    assert 3 == service.repository.load(late.match).row.revision
    assert 0 == scheduler.run_once()
    free.set()
    revisions = [3] * 3 + [4] * THREADS
    until(
        lambda: revisions == sorted(service.repository.load(one.match).row.revision for one in brooding),
        "as many as there are threads have moved",
    )
    scheduler.close()


def test_instant_bots_do_not_wait_for_a_search(service: MatchService) -> None:
    """However many bots choose without searching, none of them waits for a thread."""
    opened = [
        service.create(CreateMatch(SHORT, bots=(BotAssignment(0, "greedy"), BotAssignment(1, "random"))))
        for _ in range(8 * THREADS)
    ]
    scheduler = Scheduler(operations(service), service.store, FairPool("bot"))
    assert len(opened) == scheduler.run_once()
    assert {4} == {service.repository.load(one.match).row.revision for one in opened}
    scheduler.close()


def test_running_service_enforces_timeouts(start_service: StartService) -> None:
    """A running service plays the default move soon after the time is over, without being asked."""
    with Chitarrella(start_service().grpc) as client:
        match = client.create_match("zifuli", clock=(1, 0))
        events = []
        for step in match.watch():
            events += [event.kind for event in step.events]
            if "bid_passed" in events:
                break
        assert ["time_over", "bid_passed"] == events[-2:]
