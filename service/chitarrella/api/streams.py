"""The responses of a streaming rpc: what its watcher receives, converted for every transport."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache

from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.converters import event_message
from chitarrella.matches.history import Update
from chitarrella.matches.watching import PlatformUpdate, PlatformWatcher, Watcher
from chitarrella.v1 import matches_pb2 as pb


class ResponseStream(ABC):
    """The responses of one streaming call, as they become ready."""

    def __init__(self, watcher: Watcher | PlatformWatcher) -> None:
        self._source = watcher
        self.on_close: Callable[[], None] = lambda: None  # called when the stream is closed, perhaps more than once

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will come; read it before the last take."""
        return self._source.is_finished

    @property
    def is_empty(self) -> bool:
        return self._source.is_empty

    @property
    def error(self) -> errors.ChitarrellaError | None:
        """Why the stream is finished; None if the match is."""
        return self._source.error

    @abstractmethod
    def take(self) -> list[Message]: ...

    @abstractmethod
    def take_serialized(self) -> list[bytes]:
        """Take the responses that are ready, serialised; streams with the same view share the bytes."""

    @abstractmethod
    def take_formatted(self, format_message: Callable[[Message], bytes]) -> list[bytes]:
        """Take the responses that are ready, each as ``format_message`` writes it."""

    @abstractmethod
    def heartbeat(self) -> Message: ...

    def end(self, error: errors.ChitarrellaError) -> None:
        """End the stream because of ``error``, after the responses that are ready; unless it is finished."""
        self._source.finish(error)

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        self._source.close()
        self.on_close()


class MatchStream(ResponseStream):
    def __init__(self, watcher: Watcher, cursor: str) -> None:
        super().__init__(watcher)
        self._watcher = watcher
        self._cursor = cursor

    def take(self) -> list[Message]:
        messages = [update_message(update) for update in self._watcher.take()]
        self._cursor = messages[-1].cursor if messages else self._cursor
        return [*messages]

    def take_serialized(self) -> list[bytes]:
        updates = self._watcher.take()
        self._cursor = str(updates[-1].cursor) if updates else self._cursor
        return [serialize_update(update) for update in updates]

    def take_formatted(self, format_message: Callable[[Message], bytes]) -> list[bytes]:
        updates = self._watcher.take()
        self._cursor = str(updates[-1].cursor) if updates else self._cursor
        return [_format_update(update, format_message) for update in updates]

    def heartbeat(self) -> Message:
        return heartbeat_message(self._cursor)


class PlatformStream(ResponseStream):
    def __init__(self, watcher: PlatformWatcher) -> None:
        super().__init__(watcher)
        self._watcher = watcher

    def take(self) -> list[Message]:
        return [platform_update_message(update) for update in self._watcher.take()]

    def take_serialized(self) -> list[bytes]:
        return [serialize_platform_update(update) for update in self._watcher.take()]

    def take_formatted(self, format_message: Callable[[Message], bytes]) -> list[bytes]:
        return [_format_platform_update(update, format_message) for update in self._watcher.take()]

    def heartbeat(self) -> Message:
        return pb.WatchMatchesResponse()


def update_message(update: Update) -> pb.WatchMatchResponse:
    return pb.WatchMatchResponse(
        revision=update.cursor.revision, cursor=str(update.cursor), events=map(event_message, update.events)
    )


@lru_cache(maxsize=1024)
def serialize_update(update: Update) -> bytes:
    """Serialise an update once; watchers with the same view share the bytes."""
    return update_message(update).SerializeToString()


def heartbeat_message(cursor: str) -> pb.WatchMatchResponse:
    """Build a heartbeat: an update without events that carries only the cursor."""
    revision = cursor.partition(".")[0]
    return pb.WatchMatchResponse(revision=int(revision or 0), cursor=cursor)


@lru_cache(maxsize=1024)
def _format_update(update: Update, format_message: Callable[[Message], bytes]) -> bytes:
    return format_message(update_message(update))


@lru_cache(maxsize=1024)
def _format_platform_update(update: PlatformUpdate, format_message: Callable[[Message], bytes]) -> bytes:
    return format_message(platform_update_message(update))


def platform_update_message(update: PlatformUpdate) -> pb.WatchMatchesResponse:
    return pb.WatchMatchesResponse(
        match_id=update.match,
        update=update_message(update.update) if update.update else None,
        finished=update.is_finished,
        aborted=update.is_aborted,
    )


@lru_cache(maxsize=1024)
def serialize_platform_update(update: PlatformUpdate) -> bytes:
    """Serialise an update once; the watchers of a platform share the bytes."""
    return platform_update_message(update).SerializeToString()
