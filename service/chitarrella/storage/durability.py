"""What a write waits for before it is answered."""

from __future__ import annotations

from typing import Any, NamedTuple

from chitarrella.matches.store import StoreError

WAIT_MS = 1500
"""How long a write waits for replicas and disks, in milliseconds: more than the second between two writes of a file."""


class Durability(NamedTuple):
    """What a write waits for before it is answered, beyond what the server itself waits for.

    ``replicas`` is the number of replicas that must have it. With ``disk`` it must also be in the append-only file on
    the disk of the master and of so many replicas (``WAITAOF``, Redis 7.2 or Valkey).
    """

    replicas: int = 0
    disk: bool = False

    @property
    def command(self) -> tuple[str | int, ...]:
        """The command that waits, empty where nothing is waited for."""
        if self.disk:
            return ("WAITAOF", 1, self.replicas, WAIT_MS)
        return ("WAIT", self.replicas, WAIT_MS) if self.replicas else ()

    def is_reached(self, answer: Any) -> bool:
        """Whether the answer to the command says that the write is where it must be."""
        if self.disk:
            return bool(answer[0] >= 1 and answer[1] >= self.replicas)
        return bool(answer >= self.replicas)


SERVER_DECIDES = Durability()
"""A write is answered when the server answers it; its own settings say what that means."""


class NotDurable(StoreError):
    """The write was made, but did not reach the replicas and disks that it must reach in time."""
