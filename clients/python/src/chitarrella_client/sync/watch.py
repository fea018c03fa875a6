"""Following a match through cuts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import grpc

from chitarrella_client import reading
from chitarrella_client.answers import Seen, Told
from chitarrella_client.errors import ChitarrellaError
from chitarrella_client.requests import Holder
from chitarrella_client.retrying import Following
from chitarrella_client.sync.line import Line, wait
from chitarrella_client.v1.matches_pb2 import GetMatchRequest


class Watch(Iterator[Told]):
    """What happens in a match, as it happens, each thing once; ends when the match is over.

    When the connection is cut it comes back by itself and goes on where it was.  `cursor` is that place: kept
    somewhere, it lets another watch go on there.
    """

    def __init__(self, line: Line, holder: Holder, following: Following) -> None:
        """Listen over ``line`` with the eyes of ``holder``."""
        self._line = line
        self._holder = holder
        self._following = following
        self._closed = False
        self._begin()

    @property
    def cursor(self) -> str:
        """The place behind the last thing that was told."""
        return self._following.cursor

    def _done(self) -> bool:
        return self._closed or self._line.closed or self._following.over

    def _begin(self) -> None:
        self._stream = self._line.watch(self._holder, self.cursor)
        self._broken_off = False

    def __next__(self) -> Told:
        """Wait for the next thing to happen."""
        while not self._done():
            try:
                if told := self._listen():
                    self._following.cursor = told.cursor
                    return told
                if self._done():
                    break
                seen = self._look()
            except (grpc.RpcError, ChitarrellaError) as problem:
                delay = self._following.cut(problem)
            else:
                delay = self._following.ended(seen)
            if not self._following.over:
                self._stream.hang_up()
                wait(delay)
                self._begin()
        self.close()
        raise StopIteration

    def _listen(self) -> Told | None:
        """Wait until something is told; None where the stream ends first."""
        if self._broken_off:  # somebody lost patience in the midst of waiting, which was the end of the call
            self._begin()
        self._broken_off = True
        while (message := self._stream.hear()) is not None:
            self._following.heard()
            if message.events:
                self._broken_off = False
                return reading.told(message)
        return None

    def _look(self) -> Seen:
        """See how the match stands."""
        request = GetMatchRequest(match=self._holder.match, seat=self._holder.seat)
        return self._line.ask(self._line.matches.GetMatch, request, reading.seen, self._holder.key, retries=0)

    def close(self) -> None:
        """Stop watching; who is waiting for the next thing is told that there is none."""
        self._closed = True
        self._stream.hang_up()

    def __enter__(self) -> Self:
        """Watch until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop watching."""
        self.close()
