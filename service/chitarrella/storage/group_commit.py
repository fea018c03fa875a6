"""Writes that wait for replicas and disks, in groups: one wait for all that are sent together.

While one group waits, the next one gathers. So calls that wait do not wait for one another in turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from chitarrella.storage.pipelined_connection import Command, PipelinedConnection

Outcome = asyncio.Future[tuple[Any, Any]]
"""The reply of a write, and that of the command that waited for it."""


class GroupCommit:
    """A connection on which writes are sent in groups. Not thread-safe: it belongs to one loop."""

    def __init__(self, connection: PipelinedConnection, wait_command: Command) -> None:
        """Send over ``connection``, and ``wait_command`` behind each group."""
        self._connection = connection
        self._wait_command = wait_command
        self._loop = asyncio.get_running_loop()
        self._gathered: list[tuple[Command, Outcome]] = []
        self._is_waiting = False

    def send(self, command: Command) -> Outcome:
        """Send a write with the next group. The future raises an error of redis-py where the connection broke."""
        future: Outcome = self._loop.create_future()
        self._gathered.append((command, future))
        if not self._is_waiting:
            self._is_waiting = True
            self._loop.call_soon(self._send_group)
        return future

    def drop(self, error: Exception) -> None:
        """Close the connection; whoever waits gets ``error``. The next write opens another one."""
        self._connection.drop(error)

    def close(self) -> None:
        """Close the connection."""
        self._connection.drop()

    def _send_group(self) -> None:
        group, self._gathered = self._gathered, []
        replies = self._connection.send([*(command for command, _ in group), self._wait_command])
        replies.add_done_callback(lambda done: self._settle([future for _, future in group], done))

    def _settle(self, futures: Sequence[Outcome], done: asyncio.Future[list[Any]]) -> None:
        error = done.exception()
        replies = [] if error else done.result()
        for place, future in enumerate(futures):
            if future.done():
                continue
            if error:
                future.set_exception(error)
            else:
                future.set_result((replies[place], replies[-1]))
        self._is_waiting = bool(self._gathered)
        if self._is_waiting:
            self._send_group()
