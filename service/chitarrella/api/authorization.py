"""Authorization at a match: what a key gives access to, whose view it may ask for, for which seat it may act."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_seat
from chitarrella.core.model import CHANCE, Seat
from chitarrella.core.play import seat_to_move
from chitarrella.core.visibility import REFEREE, Viewer
from chitarrella.matches.metadata import MatchMetadata
from chitarrella.matches.model import Snapshot


class Role(NamedTuple):
    """What a key gives access to: the view of a seat, of the referee or of the public (None)."""

    viewer: Viewer
    referee: bool


class HasSeat(Protocol):
    """A request with an optional field ``seat``."""

    seat: int

    def HasField(self, field_name: Literal["seat"], /) -> bool:
        """Whether the field is set."""


def requested_seat(request: HasSeat) -> Seat | None:
    """Return the seat that a request names, None where it names none; 0 is a seat like any other."""
    return request.seat if request.HasField("seat") else None


def role_of(metadata: MatchMetadata, caller: Caller) -> Role:
    """Return the role of the caller's key.

    Raises `errors.NotAuthenticated` for a key of another match. At a private match a caller without a valid key gets
    `errors.MatchNotFound`, as if the match did not exist.
    """
    seat = metadata.role_of(caller.key) if caller.key else None
    if seat is None and metadata.private:
        raise errors.MatchNotFound
    if not caller.key:
        return Role(None, referee=False)
    if seat is None:
        raise errors.NotAuthenticated("bad_key", "This key is not one of this match.")
    return Role(REFEREE, referee=True) if seat == CHANCE else Role(seat, referee=False)


def viewer_of(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Viewer:
    """Return the viewer for a request: the role of the key, or any seat for the referee's key.

    Raises `errors.NotAuthenticated` without a key, `errors.NotAllowed` for the key of another seat.
    """
    role = role_of(snapshot.metadata, caller)
    if requested is None or requested == role.viewer:
        return role.viewer
    if not caller.key:
        raise errors.NotAuthenticated(
            "key_needed", f"The view of seat {requested} needs its key or that of the referee."
        )
    if not role.referee:
        raise errors.NotAllowed("not_your_seat", f"This key is not that of seat {requested}.", "seat")
    return read_seat(snapshot.game, requested)


def seat_of(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Seat | None:
    """Return the seat whose moves or hand are requested; None where the match waits for no seat.

    Only the seat itself and the referee have access, except that the hand of a dummy is public.
    """
    if (
        requested is not None
        and requested in range(snapshot.game.seats)
        and snapshot.game.controller(requested) != requested
    ):
        role_of(snapshot.metadata, caller)
        return requested
    viewer = viewer_of(snapshot, caller, requested)
    if viewer is None:
        raise errors.NotAuthenticated("key_needed", "The moves of a seat depend on its hand: show its key.")
    return seat_to_move(snapshot.game, snapshot.position) if viewer == REFEREE else viewer


def actor_of(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Seat:
    """Return the actor of a move: the seat of the key, or for the referee the seat it names, else `CHANCE`."""
    viewer = viewer_of(snapshot, caller, requested)
    if viewer is None:
        raise errors.NotAuthenticated("key_needed", "A move needs the key of its seat.")
    return CHANCE if viewer == REFEREE else viewer
