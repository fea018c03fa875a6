"""The messenger: tells the webhooks of platforms what happens at their matches, again and again until they have it.

Every worker has one. A message is sent at least once, and always under the same name; a webhook that hangs or fails is
tried again after pauses that grow, and holds up nobody else.
"""

from __future__ import annotations

import importlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from chitarrella import errors
from chitarrella.chronicle import Chronicle, Cursor, Ears, Told
from chitarrella.keeper import Announce
from chitarrella.memory import Memory
from chitarrella.post import ENDED, Parcel, Post
from chitarrella.referee import Referee
from chitarrella.rest.writing import Writer
from chitarrella.store import StoreAway
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.webhooks import Webhook, headers
from chitarrella.wire import told_message

SECONDS_TO_ANSWER = 5.0
LEASE = 10_000
"""Milliseconds after which a parcel that another worker has opened is taken to be forgotten."""
FIRST_PAUSE, LONGEST_PAUSE = 1_000, 3_600_000
"""Milliseconds before the second try, and at most between two; each pause is twice the one before."""
GONE = 410
MOST_TRIES = 24
"""Some twelve hours; then a message is given up, and the log says so."""
MOST_TRIES_UNSENT = 4
"""Some seven seconds: moves that were announced and are not there by then were never added."""
REMEMBERED = 1_000
"""Matches whose story goes on from where it was told, and not from the beginning."""
WAIT = 1_000
MOMENTS = (0.002, 0.005, 0.01, 0.03)
"""Seconds to wait for moves whose parcel was quicker."""
LOG = logging.getLogger("chitarrella")


class Outcome(NamedTuple):
    """What came of an attempt: is the parcel done with, and a word for the metrics."""

    done: bool
    word: str


def announcer(post: Post, hooks: Iterable[Webhook]) -> Announce:
    """Give what puts down a parcel for every line that is about to be added, where its platform wants to be told."""
    told = frozenset(hook.platform for hook in hooks)

    def announce(platform: str, match: str, start: int, stop: int) -> None:
        if platform in told:
            post.announce(platform, match, start, stop)

    return announce


class Messenger:
    """Delivers parcels, each platform's in a thread of its own."""

    def __init__(
        self, referee: Referee, post: Post, hooks: Iterable[Webhook], count: Callable[[str, str], None]
    ) -> None:
        """Tell of the matches of ``referee``; ``count`` hears the platform and what came of each attempt."""
        self._referee = referee
        self._post = post
        self._count = count
        self._library = importlib.import_module("urllib3")  # not before it is needed: it tries out a socket at once
        self._http = self._library.PoolManager(timeout=SECONDS_TO_ANSWER, retries=False, maxsize=1)
        self._write = Writer()
        self._stories: Memory[tuple[Chronicle, Ears]] = Memory(REMEMBERED)
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(hook,), name=f"messenger-{hook.platform}", daemon=True)
            for hook in hooks
        ]

    def start(self) -> None:
        """Begin to deliver."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop; what is not delivered another worker delivers."""
        self._closed.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(SECONDS_TO_ANSWER + 1)
        self._http.clear()

    def _run(self, hook: Webhook) -> None:
        while not self._closed.is_set():
            try:
                for parcel in self._post.collect(hook.platform, WAIT, pause):
                    self.deliver(hook, parcel)
            except (StoreAway, errors.StoreDown):
                self._closed.wait(WAIT / 1000)
            except Exception as error:
                LOG.error("a webhook could not be told: %s", type(error).__name__)  # its text may name a match
                self._closed.wait(WAIT / 1000)

    def deliver(self, hook: Webhook, parcel: Parcel) -> Outcome:
        """Open a parcel and send what is in it; what cannot be sent now is put back."""
        outcome = self._tried(hook, parcel)
        if outcome.done:
            self._post.done(hook.platform, parcel)
        else:
            self._post.hold(hook.platform, parcel, max(0, LEASE - wait_after(parcel.tries)))
        self._count(hook.platform, outcome.word)
        return outcome

    def _tried(self, hook: Webhook, parcel: Parcel) -> Outcome:
        try:
            messages = self._awaited(parcel)
        except errors.NotPossibleNow:  # a worker of another release may know its rules
            return Outcome(parcel.tries >= MOST_TRIES, "edition_not_kept")
        if messages is None:
            return Outcome(parcel.tries >= MOST_TRIES_UNSENT, "nothing_yet")
        for name, message in messages:
            word = self._sent(hook, name, self._write.json(message))
            if word == "gone" or (word != "sent" and parcel.tries >= MOST_TRIES):
                LOG.error("a message to the webhook of %s is given up: %s", hook.platform, word)
                return Outcome(True, "given_up")
            if word != "sent":
                return Outcome(False, word)
        return Outcome(True, "sent")

    def _awaited(self, parcel: Parcel) -> Iterator[tuple[str, pb.WebhookMessage]] | None:
        """Open a parcel; its moves, or even its match, may be a moment behind it."""
        for seconds in (*MOMENTS, 0.0):
            with suppress(errors.NotFound):
                if (messages := self._messages(parcel)) is not None:
                    return messages
            self._closed.wait(seconds)
        return None

    def _messages(self, parcel: Parcel) -> Iterator[tuple[str, pb.WebhookMessage]] | None:
        """Give what is in a parcel, each message with its name; None where nothing was added yet."""
        if parcel.start == ENDED:
            message = pb.WebhookMessage(type="match.ended", match=parcel.match, over=True)
            return iter([(f"{parcel.match}.ended", message)]) if self._referee.see(parcel.match).page.ended else None
        story, ears = self._told_before(parcel)
        first = story.number
        lines = self._referee.moves(parcel.match, first)[: parcel.stop - first]
        if first + len(lines) < parcel.stop:
            return None
        heard = [
            (number, told, story.game.over(story.position))
            for number, (revision, events) in enumerate(story.go_on(lines), first)
            if (told := ears.hear(revision, events)) is not None
        ]
        return (_message(parcel.match, told, over) for number, told, over in heard if number >= parcel.start)

    def _told_before(self, parcel: Parcel) -> tuple[Chronicle, Ears]:
        """Recall a match as far as it was told; from the beginning for a parcel that comes late or once more."""
        known = self._stories.get(parcel.match)
        if known is None or known[0].number > parcel.start:
            seen = self._referee.known(parcel.match)
            known = Chronicle(seen.game, seen.header.position), Ears(None, Cursor())
            self._stories.keep(parcel.match, known)
        return known

    def _sent(self, hook: Webhook, name: str, body: bytes) -> str:
        """Send a message; gives a word for what came of it. What the webhook answers is not read."""
        told = headers(hook.secrets, name, int(time.time()), body)
        failures = self._library.exceptions
        try:
            answer = self._http.request(
                "POST", hook.url, body=body, headers=told, redirect=False, preload_content=False
            )
        except failures.TimeoutError:
            return "timed_out"
        except failures.HTTPError:
            return "unreachable"
        answer.close()
        if answer.status == GONE:
            return "gone"
        return "sent" if 200 <= answer.status < 300 else "failed"


def _message(match: str, told: Told, over: bool) -> tuple[str, pb.WebhookMessage]:
    name = f"{match}.{told.cursor.revision}"
    return name, pb.WebhookMessage(type="match.moved", match=match, moved=told_message(told), over=over)


def wait_after(tries: int) -> int:
    """Say how long to wait after so many tries, in milliseconds."""
    return min(LONGEST_PAUSE, FIRST_PAUSE << (tries - 1))


def pause(tries: int) -> int:
    """Say after how long a parcel may be opened again; short pauses are counted as part of a lease."""
    return max(LEASE, wait_after(tries))
