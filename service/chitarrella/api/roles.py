"""Who asks about a match: what a key opens, with whose eyes it looks, for which seat it speaks."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.game import waited_for
from chitarrella.header import Header
from chitarrella.kept import Seen
from chitarrella.wire import read_seat
from chitarrella.words import CHANCE, REFEREE, Eyes, Seat


class Role(NamedTuple):
    """What a key opens: a seat's eyes, the referee's, or the public's, and whether it is the referee's key."""

    eyes: Eyes
    referee: bool


class NamesSeat(Protocol):
    """A request that may name a seat."""

    seat: int

    def HasField(self, field_name: Literal["seat"], /) -> bool:
        """Tell whether it does."""


def asked_seat(request: NamesSeat) -> Seat | None:
    """Read the seat that a request names; seat 0 is a seat like the others."""
    return request.seat if request.HasField("seat") else None


def role_of(header: Header, caller: Caller) -> Role:
    """Say what the key opens.

    Raises `errors.NotAuthenticated` where it opens nothing, and at a private match, as if it were not there,
    `errors.MatchNotFound`.
    """
    seat = header.role(caller.key) if caller.key else None
    if seat is None and header.private:
        raise errors.MatchNotFound
    if not caller.key:
        return Role(None, referee=False)
    if seat is None:
        raise errors.NotAuthenticated("bad_key", "This key opens nothing at this match.")
    return Role(REFEREE, referee=True) if seat == CHANCE else Role(seat, referee=False)


def eyes_of(seen: Seen, caller: Caller, asked: Seat | None) -> Eyes:
    """Say with whose eyes to look."""
    role = role_of(seen.header, caller)
    if asked is None or asked == role.eyes:
        return role.eyes
    if not caller.key:
        raise errors.NotAuthenticated("key_needed", f"What seat {asked} sees is told to its key, or the referee's.")
    if not role.referee:
        raise errors.NotAllowed("not_your_seat", f"This key does not open seat {asked}.", "seat")
    return read_seat(seen.game, asked)


def seat_of(seen: Seen, caller: Caller, asked: Seat | None) -> Seat | None:
    """Say whose hand is in question: for the seat itself, or the referee, only; that of a dummy lies open to all."""
    if asked is not None and asked in range(seen.game.seats) and seen.game.controller(asked) != asked:
        role_of(seen.header, caller)
        return asked
    eyes = eyes_of(seen, caller, asked)
    if eyes is None:
        raise errors.NotAuthenticated("key_needed", "What a seat may do tells what it holds: show its key.")
    return waited_for(seen.game, seen.position) if eyes == REFEREE else eyes


def actor_of(seen: Seen, caller: Caller, asked: Seat | None) -> Seat:
    """Say who moves: the seat of the key, or whom the referee names, the table itself where nobody is named."""
    eyes = eyes_of(seen, caller, asked)
    if eyes is None:
        raise errors.NotAuthenticated("key_needed", "A move is made by who holds the key of the seat.")
    return CHANCE if eyes == REFEREE else eyes
