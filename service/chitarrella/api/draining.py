"""Whether a node is out of service: it reports that it is not ready, and still answers every call."""

from __future__ import annotations

from ctypes import c_bool
from multiprocessing.sharedctypes import RawValue
from typing import Protocol


class Flag(Protocol):
    """A truth value that processes may share."""

    value: bool


class Draining:
    """The state of a node. Its workers share the flag, so that a call at one of them drains all."""

    def __init__(self, flag: Flag | None = None) -> None:
        """Share ``flag``; without one the node has a single worker."""
        self._flag: Flag = RawValue(c_bool, False) if flag is None else flag

    @property
    def is_on(self) -> bool:
        """Whether the node is out of service."""
        return self._flag.value

    def begin(self) -> None:
        """Take the node out of service."""
        self._flag.value = True

    def end(self) -> None:
        """Take the node back into service."""
        self._flag.value = False
