"""Who sits where: the keys of seats, held for the sessions of agents and never returned to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from cachetools import LRUCache

from chitarrella_client import ChitarrellaError

MAX_SESSIONS: Final = 10_000
"""How many sessions are remembered; beyond that the one that was idle for longest loses its seats."""


@dataclass(slots=True)
class HeldSeat:
    """The seat of a session at a match."""

    match_id: str
    seat: int
    key: str = field(repr=False)
    """Empty once the seat was left."""
    cursor: str = field(default="", repr=False)
    """Up to here the session has received events."""


class SeatHolder:
    """The seats of all sessions, and those that are open to any session. Thread-safe.

    A session has one seat at a match for good: whoever has seen one hand takes no other.
    """

    def __init__(self) -> None:
        """Begin without seats."""
        self._lock = Lock()
        self._seats: LRUCache[str, dict[str, HeldSeat]] = LRUCache(MAX_SESSIONS)
        self._open: dict[str, dict[int, str]] = {}

    def offer(self, match_id: str, keys: Mapping[int, str]) -> None:
        """Open the seats of ``keys`` to any session but one that has sat at this match before."""
        with self._lock:
            self._open.setdefault(match_id, {}).update(keys)

    def hold(self, session: str, held: HeldSeat) -> HeldSeat:
        """Record the seat of a session; it must have had none at that match."""
        with self._lock:
            return self._seats_of(session).setdefault(held.match_id, held)

    def take(self, session: str, match_id: str, seat: int | None) -> HeldSeat:
        """Seat a session at an open seat, the first one for None; raises `ChitarrellaError`."""
        with self._lock:
            if not match_id and len(self._open) == 1:
                match_id = next(iter(self._open))
            mine = self._seats_of(session).get(match_id)
            if mine is not None:
                message = f"You have had seat {mine.seat} of this match; nobody sees two hands."
                raise ChitarrellaError("already_seated", message, "match_id")
            free = self._open.get(match_id, {})
            chosen = min(free, default=None) if seat is None else seat
            if chosen is None or chosen not in free:
                seats = ", ".join(map(str, sorted(free))) or "none"
                raise ChitarrellaError("seat_not_open", f"That seat is not open here. Open seats: {seats}.", "seat")
            held = HeldSeat(match_id, chosen, free.pop(chosen))
            if not free:
                del self._open[match_id]
            self._seats_of(session)[match_id] = held
            return held

    def find(self, session: str, match_id: str) -> HeldSeat:
        """Return the seat of a session at a match; the latest one it sits at if no match is named."""
        with self._lock:
            mine = [held for held in self._seats_of(session).values() if held.key and match_id in ("", held.match_id)]
        if not mine:
            message = "You have no seat at a match: create_match and take_seat give you one."
            raise ChitarrellaError("not_seated", message, "match_id")
        return mine[-1]

    def open_seats(self, match_id: str) -> tuple[int, ...]:
        """Return the open seats of a match."""
        with self._lock:
            return tuple(sorted(self._open.get(match_id, ())))

    def _seats_of(self, session: str) -> dict[str, HeldSeat]:
        seats: dict[str, HeldSeat] = self._seats.setdefault(session, {})
        return seats
