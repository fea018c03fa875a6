"""Moves that a store has lost: every client of their matches is informed before it goes on."""

import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from chitarrella import v1
from chitarrella.api.converters import move_fields
from chitarrella_client import Chitarrella
from chitarrella_client.errors import ChitarrellaError
from lab.bench.plans import Plan, plans
from lab.chaos.deployment import Deployment, Setup, alone
from tests.servers import Server

MATCHES: Final = 25
KEPT, LOST = 6, 4  # moves of each match before and after the store has written through for the last time
CODE: Final = "moves_lost"
WATCH_SECONDS: Final = 30.0
RETRIES: Final = 8


class Noticed(NamedTuple):
    """How many moves were lost, and how many clients of these matches were informed."""

    moves: int  # moves that were acknowledged and then lost
    clients: int
    informed: int
    silent: tuple[str, ...]  # the kinds of clients that were not informed, and what they got

    @property
    def is_right(self) -> bool:
        """Whether moves were lost and every client was informed."""
        return self.informed == self.clients > 0 < self.moves


class WatchedMatch:
    def __init__(self, client: Chitarrella, plan: Plan) -> None:
        self._plan = plan
        self._match = client.create_match("briscola", players=2, pack=list(plan.pack), options={"rubber_games": 1})
        self._revision = 1
        self.cursor = ""
        self._seen = "the stream did not end"
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        try:
            for update in self._match.watch():
                self.cursor = update.cursor
                if any(event.kind == CODE for event in update.events):
                    self._seen = CODE  # it had not received what was lost, and goes on
                    return
        except ChitarrellaError as error:
            self._seen = error.code

    def play(self, *places: int) -> None:
        for place in places:
            actor, move = self._plan.moves[place]
            seat = self._match.as_seat(actor)
            self._revision = seat.play_or_raise(v1.Move(**move_fields(move)), self._revision).revision

    def codes(self, place: int, cursor: str) -> Iterator[tuple[str, str]]:
        """What each client gets when it goes on, by its kind; empty if it was not stopped.

        ``cursor`` is where the reader of events had come before the loss.
        """
        yield "a player who names the revision", self._code(place, self._revision)
        yield "a player who names none", self._code(place + 1, None)
        self._watcher.join(WATCH_SECONDS)
        yield "a watcher", self._seen
        yield "a reader of events", self._read(cursor)

    def _code(self, place: int, expected: int | None) -> str:
        actor, move = self._plan.moves[place]
        try:
            self._match.as_seat(actor).play(v1.Move(**move_fields(move)), expected)
        except ChitarrellaError as error:
            return error.code
        return ""

    def _read(self, cursor: str) -> str:
        """The code of the error, or of the event that tells of the loss where the match has passed the cursor."""
        try:
            kinds = [event.kind for update in self._match.events(cursor) for event in update.events]
        except ChitarrellaError as error:
            return error.code
        return CODE if CODE in kinds else ""


def run_losses(folder: Path, *flags: str, matches: int = MATCHES) -> Noticed:
    """Lose moves of so many matches, and let every client go on."""
    setup = Setup(partial(alone, fsync="everysec"))
    with closing(Deployment(folder, setup, *flags)) as there, Chitarrella(there.grpc[0], retries=RETRIES) as client:
        assert isinstance(there.store, Server)
        briscola = (plan for plan in plans("losses") if plan.rule_set.game == "briscola")
        played = [WatchedMatch(client, plan) for plan in islice(briscola, matches)]
        for one in played:
            one.play(*range(KEPT))
        written = {path: path.stat().st_size for path in folder.rglob("*.aof")}
        for one in played:
            one.play(*range(KEPT, KEPT + LOST))
        cursors = [one.cursor for one in played]
        there.store.kill()  # it loses power: its files end where they were written through
        for path, size in written.items():
            with suppress(FileNotFoundError), path.open("r+b") as file:
                file.truncate(size)
        there.store.start()
        codes = [code for one, cursor in zip(played, cursors, strict=True) for code in one.codes(KEPT + LOST, cursor)]
    informed = sum(code == CODE for _, code in codes)
    silent = sorted({f"{kind}: {code or 'no error'}" for kind, code in codes if code != CODE})
    return Noticed(LOST * matches, len(codes), informed, tuple(silent))
