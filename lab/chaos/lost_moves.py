"""Moves that a store loses under a weaker setting: every client is informed before it goes on.

The store writes through every second and its host loses power: it is killed, and its file ends where it was written
through last. The worker lives on. Each match has a player who names the revision, one who does not, a watcher, and a
reader of the events after its cursor.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from chitarrella.api.converters import move_message
from chitarrella.storage.embedded_valkey import binary
from chitarrella_client import Chitarrella
from chitarrella_client.errors import ChitarrellaError
from lab.bench.plans import Plan, plans
from lab.chaos.deployments import ServiceOnPorts
from tests.servers import KEEPING, Server

MATCHES = 25
KEPT, LOST = 6, 4
"""Moves of each match before and after the store has written through for the last time."""
CODE = "moves_lost"
WATCH_SECONDS = 30.0
RETRIES = 8


class Noticed(NamedTuple):
    """How many moves were lost, and how many clients of these matches were informed."""

    moves: int
    """Moves that were acknowledged and then lost."""
    clients: int
    informed: int
    silent: tuple[str, ...]
    """The kinds of clients that were not informed, and what they got."""

    @property
    def is_right(self) -> bool:
        """Whether moves were lost and every client was informed."""
        return self.informed == self.clients > 0 < self.moves


class PlannedMatch:
    """A match with its clients."""

    def __init__(self, client: Chitarrella, plan: Plan) -> None:
        """Create it and begin to watch."""
        self.plan = plan
        self.match = client.create_match("briscola", players=2, pack=list(plan.pack), options={"rubber_games": 1})
        self.revision = 1
        self.cursor = ""
        self.watch_code = "the stream did not end"
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        try:
            for update in self.match.watch():
                self.cursor = update.cursor
                if any(event.kind == CODE for event in update.events):
                    self.watch_code = CODE  # it had not received what was lost, and goes on
                    return
        except ChitarrellaError as error:
            self.watch_code = error.code

    def play(self, place: int) -> None:
        """Play a move of the plan."""
        actor, move = self.plan.moves[place]
        self.revision = self.match.as_seat(actor).play_or_raise(move_message(move), self.revision).revision

    def codes(self, place: int, cursor: str) -> Iterator[tuple[str, str]]:
        """What each client gets when it goes on, by its kind; empty if it was not stopped.

        ``cursor`` is where the reader of events had come before the loss.
        """
        yield "a player who names the revision", self._code(place, self.revision)
        yield "a player who names none", self._code(place + 1, None)
        self._watcher.join(WATCH_SECONDS)
        yield "a watcher", self.watch_code
        yield "a reader of events", self._read(cursor)

    def _code(self, place: int, expected: int | None) -> str:
        actor, move = self.plan.moves[place]
        try:
            self.match.as_seat(actor).play(move_message(move), expected)
        except ChitarrellaError as error:
            return error.code
        return ""

    def _read(self, cursor: str) -> str:
        """The code of the error, or of the event that tells of the loss where the match has passed the cursor."""
        try:
            kinds = [event.kind for update in self.match.events(cursor) for event in update.events]
        except ChitarrellaError as error:
            return error.code
        return CODE if CODE in kinds else ""


def run_losses(folder: Path, matches: int = MATCHES) -> Noticed:
    """Lose moves of so many matches, and let every client go on."""
    store_folder = folder / "store"
    with ExitStack() as stack:
        store = Server(binary(), store_folder, *KEEPING, "--appendfsync", "everysec")
        stack.callback(store.kill)
        service = stack.enter_context(closing(ServiceOnPorts(folder / "service", "--redis-url", store.url)))
        client = stack.enter_context(Chitarrella(service.grpc, retries=RETRIES))
        briscola = (plan for plan in plans("losses") if plan.rule_set.game == "briscola")
        played = [PlannedMatch(client, plan) for plan in islice(briscola, matches)]
        for one in played:
            for place in range(KEPT):
                one.play(place)
        written = {path: path.stat().st_size for path in store_folder.rglob("*.aof")}
        for one in played:
            for place in range(KEPT, KEPT + LOST):
                one.play(place)
        cursors = [one.cursor for one in played]
        _lose(store, written)
        codes = [code for one, cursor in zip(played, cursors, strict=True) for code in one.codes(KEPT + LOST, cursor)]
    informed = sum(code == CODE for _, code in codes)
    silent = sorted({f"{kind}: {code or 'no error'}" for kind, code in codes if code != CODE})
    return Noticed(LOST * matches, len(codes), informed, tuple(silent))


def _lose(store: Server, written: dict[Path, int]) -> None:
    """Kill the store, cut its files off where they were written through, and start it again."""
    store.kill()
    for path, size in written.items():
        with suppress(FileNotFoundError), path.open("r+b") as file:
            file.truncate(size)
    store.start()
