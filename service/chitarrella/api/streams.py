"""The responses of a streaming rpc: what its watcher receives, converted for every transport."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import lru_cache

from google.protobuf.message import Message

from chitarrella import errors
from chitarrella import v1 as pb
from chitarrella.api.converters import event_fields, time_fields
from chitarrella.api.match_message import STATES
from chitarrella.matches.history import Update
from chitarrella.matches.watching import PlatformUpdate, PlatformWatcher, Watcher


class ResponseStream:
    """The responses of one streaming call, as they become ready; streams with the same view share their bytes."""

    def __init__(self, watcher: Watcher | PlatformWatcher, cursor: str = "") -> None:
        """Stream what ``watcher`` gets; a watcher of a match has read up to ``cursor``."""
        self._watcher, self._cursor = watcher, cursor
        self.on_close: Callable[[], None] = lambda: None  # called when the stream is closed, perhaps more than once
        # End the stream because of an error, after the responses that are ready; unless it is finished.
        self.end = watcher.finish

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will come; read it before the last take."""
        return self._watcher.is_finished

    @property
    def is_empty(self) -> bool:
        return self._watcher.is_empty

    @property
    def error(self) -> errors.ChitarrellaError | None:
        """Why the stream is finished; None if the match is."""
        return self._watcher.error

    def _updates(self) -> Sequence[Update | PlatformUpdate]:
        updates = self._watcher.take()
        if updates and isinstance(last := updates[-1], Update):
            self._cursor = str(last.cursor)
        return updates

    def take(self) -> list[Message]:
        return [_message(update) for update in self._updates()]

    def take_serialized(self) -> list[bytes]:
        return [_serialize(update) for update in self._updates()]

    def take_formatted(self, format_message: Callable[[Message], bytes]) -> list[bytes]:
        return [_format(update, format_message) for update in self._updates()]

    def heartbeat(self) -> Message:
        """Build an update without events; for a match, with the cursor of the last one."""
        if isinstance(self._watcher, PlatformWatcher):
            return pb.PlatformUpdate()
        revision = self._cursor.partition(".")[0]
        return pb.MatchUpdate(revision=int(revision or 0), cursor=self._cursor)

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        self._watcher.close()
        self.on_close()


def update_message(update: Update) -> pb.MatchUpdate:
    return pb.MatchUpdate(
        revision=update.cursor.revision,
        cursor=str(update.cursor),
        events=map(event_fields, update.events),
        time=time_fields(update.at or None),
        think_time=time_fields(update.think_ms or None),
        deadline=time_fields(update.clock.deadline) if update.clock else None,
        banks=[timedelta(milliseconds=left) for left in update.clock.banks] if update.clock else None,
    )


def _message(update: Update | PlatformUpdate) -> Message:
    if isinstance(update, Update):
        return update_message(update)
    return pb.PlatformUpdate(
        match_id=update.match,
        update=update_message(update.update) if update.update else None,
        state=STATES.get(update.state, pb.MATCH_STATE_UNSPECIFIED),
    )


@lru_cache(maxsize=2048)
def _serialize(update: Update | PlatformUpdate) -> bytes:
    return _message(update).SerializeToString()


@lru_cache(maxsize=2048)
def _format(update: Update | PlatformUpdate, format_message: Callable[[Message], bytes]) -> bytes:
    return format_message(_message(update))
