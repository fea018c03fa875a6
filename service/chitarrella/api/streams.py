"""The responses of a streaming rpc: what its watcher receives, converted for every transport."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache

from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.converters import event_message
from chitarrella.matches.history import Update
from chitarrella.matches.watching import PlatformUpdate, PlatformWatcher, Watcher
from chitarrella.v1 import matches_pb2 as pb


class ResponseStream(ABC):
    """The responses of one streaming call, as they become ready; streams with the same view share their bytes."""

    def __init__(self, watcher: Watcher | PlatformWatcher) -> None:
        self._watcher = watcher
        self.on_close: Callable[[], None] = lambda: None  # called when the stream is closed, perhaps more than once

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
        return self._watcher.take()

    def take(self) -> list[Message]:
        return [_message(update) for update in self._updates()]

    def take_serialized(self) -> list[bytes]:
        return [_serialize(update) for update in self._updates()]

    def take_formatted(self, format_message: Callable[[Message], bytes]) -> list[bytes]:
        return [_format(update, format_message) for update in self._updates()]

    @abstractmethod
    def heartbeat(self) -> Message: ...

    def end(self, error: errors.ChitarrellaError) -> None:
        """End the stream because of ``error``, after the responses that are ready; unless it is finished."""
        self._watcher.finish(error)

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        self._watcher.close()
        self.on_close()


class MatchStream(ResponseStream):
    def __init__(self, watcher: Watcher, cursor: str) -> None:
        super().__init__(watcher)
        self._take, self._cursor = watcher.take, cursor

    def _updates(self) -> Sequence[Update]:
        updates = self._take()
        if updates:
            self._cursor = str(updates[-1].cursor)
        return updates

    def heartbeat(self) -> Message:
        """Build an update without events, with the cursor of the last one."""
        revision = self._cursor.partition(".")[0]
        return pb.WatchMatchResponse(revision=int(revision or 0), cursor=self._cursor)


class PlatformStream(ResponseStream):
    def heartbeat(self) -> Message:
        return pb.WatchMatchesResponse()


def update_message(update: Update) -> pb.WatchMatchResponse:
    return pb.WatchMatchResponse(
        revision=update.cursor.revision, cursor=str(update.cursor), events=map(event_message, update.events)
    )


def _message(update: Update | PlatformUpdate) -> Message:
    if isinstance(update, Update):
        return update_message(update)
    return pb.WatchMatchesResponse(
        match_id=update.match,
        update=update_message(update.update) if update.update else None,
        finished=update.is_finished,
        aborted=update.is_aborted,
    )


@lru_cache(maxsize=2048)
def _serialize(update: Update | PlatformUpdate) -> bytes:
    return _message(update).SerializeToString()


@lru_cache(maxsize=2048)
def _format(update: Update | PlatformUpdate, format_message: Callable[[Message], bytes]) -> bytes:
    return format_message(_message(update))
