"""Authorization at a match: what a key or token gives access to, whose view may be asked for, which seat may act."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from chitarrella import errors
from chitarrella.api.api_keys import Token, bad_token
from chitarrella.api.caller import Caller
from chitarrella.core.game import seat_to_move
from chitarrella.core.model import CHANCE, REFEREE, Seat, Viewer
from chitarrella.matches.metadata import SPECTATOR, ControlState, MatchMetadata, Snapshot, digest, role_of_key
from chitarrella.matches.presence import Key
from chitarrella.matches.repository import MatchRepository
from chitarrella.matches.watching import PUBLIC, WatchAccess
from chitarrella.questions import read_seat


class Role(NamedTuple):
    """What a key or token gives access to: the view of a seat, of the referee or of the public (None)."""

    viewer: Viewer
    referee: bool


class HasSeat(Protocol):
    """A request about a match that may name a seat, such as `GetMatchRequest` or `PlayMoveRequest`."""

    seat: int

    def HasField(self, field_name: Literal["seat"], /) -> bool: ...


def check_referee(role: Role, action: str, who: str = "the referee") -> None:
    if not role.referee:
        raise errors.NotAllowed("referee_only", f"Only {who} may {action}.")


def requested_seat(request: HasSeat) -> Seat | None:
    return request.seat if request.HasField("seat") else None


def role_of(snapshot: Snapshot, caller: Caller) -> Role:
    return role_at(snapshot.metadata, snapshot.control, caller)


def role_at(metadata: MatchMetadata, control: ControlState, caller: Caller) -> Role:
    """Return the role of the caller's key or token, at a match whose rules may be unknown here.

    Raises `errors.NotAuthenticated` for a key of another match or a closed one, and for the token of a platform that
    did not create the match. At a private match such a caller, and one without a key, gets `errors.MatchNotFound`, as
    if the match did not exist; the platform that created it, without a key, is the public there.
    """
    seat = _seat_of_caller(metadata, control, caller)
    if seat is None and metadata.private and (caller.key or not is_own_match(metadata, caller)):
        raise errors.MatchNotFound
    if seat is None and caller.key:
        raise errors.NotAuthenticated("bad_key", "This key is not one of this match.")
    if seat == SPECTATOR:
        return Role(None, referee=False)
    return Role(REFEREE, referee=True) if seat == CHANCE else Role(seat, referee=False)


def _seat_of_caller(metadata: MatchMetadata, control: ControlState, caller: Caller) -> Seat | None:
    """Return the seat of the caller's key or token, `CHANCE` for the referee; None without one of this match."""
    if caller.token is not None:
        return _seat_of_token(metadata, caller.token)
    return role_of_key(metadata, control, caller.key) if caller.key else None


def _seat_of_token(metadata: MatchMetadata, token: Token) -> Seat:
    if token.platform != metadata.platform:
        if metadata.private:
            raise errors.MatchNotFound
        raise bad_token("The platform of this token did not create this match.", "iss")
    if token.role not in (*metadata.seats, CHANCE):
        raise bad_token("The match has no such seat, or no person plays it.", "seat")
    return token.role


def key_of(caller: Caller) -> Key:
    return caller.key if caller.token is None else caller.token.role


def sees_labels(snapshot: Snapshot, caller: Caller) -> bool:
    metadata = snapshot.metadata
    has_labels = bool(metadata.labels or metadata.external_id)
    is_own = is_own_match(metadata, caller)
    return has_labels and (is_own or _seat_of_caller(metadata, snapshot.control, caller) == CHANCE)


def viewer_in_batch(snapshot: Snapshot, caller: Caller) -> Viewer:
    """Return the viewer where a call is about many matches: that of the key at its own match, else the public."""
    seat = _seat_of_caller(snapshot.metadata, snapshot.control, caller)
    if seat is None and snapshot.metadata.private and not is_own_match(snapshot.metadata, caller):
        raise errors.MatchNotFound
    return REFEREE if seat == CHANCE else None if seat == SPECTATOR else seat


def is_manager(snapshot: Snapshot, caller: Caller) -> bool:
    """Whether the caller is the referee, or without a key the platform that created the match."""
    if caller.key or caller.token is not None or not is_own_match(snapshot.metadata, caller):
        return role_of(snapshot, caller).referee
    return True


def check_manager(snapshot: Snapshot, caller: Caller, action: str) -> None:
    check_referee(Role(None, is_manager(snapshot, caller)), action, "the referee or the platform of the match")


def is_own_match(metadata: MatchMetadata, caller: Caller) -> bool:
    return bool(metadata.platform) and metadata.platform == caller.platform


def viewer_of(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Viewer:
    """Return the viewer for a request: the role of the key, or any seat for the referee's key."""
    role = role_of(snapshot, caller)
    if requested is None or requested == role.viewer:
        return role.viewer
    if role.viewer is None:
        raise errors.NotAuthenticated("key_needed", f"This needs the key of seat {requested} or of the referee.")
    if not role.referee:
        raise errors.NotAllowed("not_your_seat", f"This key is not that of seat {requested}.", "seat")
    return read_seat(snapshot.game, requested)


def seat_of(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Seat | None:
    """Return the seat whose moves or hand are requested, if any; the hand of a dummy is public."""
    game = snapshot.game
    if requested is not None and requested in range(game.seats) and game.controller(requested) != requested:
        role_of(snapshot, caller)
        return requested
    viewer = viewer_of(snapshot, caller, requested)
    if viewer is None:
        raise errors.NotAuthenticated("key_needed", "The moves of a seat depend on its hand: show its key.")
    return seat_to_move(game, snapshot.position) if viewer == REFEREE else viewer


def actor_of(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Seat:
    """Return the actor of a move: the seat of the key, or for the referee the seat it names, else `CHANCE`."""
    viewer = viewer_of(snapshot, caller, requested)
    if viewer is None:
        raise errors.NotAuthenticated("key_needed", "This needs the key of a seat or of the referee.")
    return CHANCE if viewer == REFEREE else viewer


def cached_actor_of(repository: MatchRepository, match: str, caller: Caller, request: HasSeat) -> tuple[Snapshot, Seat]:
    """Return a match that may be out of date, and the actor there.

    Whoever acts on it has to look at the key again where the match has moved on. Nobody is refused because of the
    cache: a key that it does not know may be new, and one that it knows may be closed, which is reported first.
    """
    snapshot, requested = repository.cached(match), requested_seat(request)
    try:
        return snapshot, actor_of(snapshot, caller, requested)
    except errors.ChitarrellaError:
        snapshot = repository.load(match)
        return snapshot, actor_of(snapshot, caller, requested)


def watch_access(snapshot: Snapshot, caller: Caller) -> WatchAccess:
    seat = _seat_of_caller(snapshot.metadata, snapshot.control, caller)
    if caller.token is not None:
        return WatchAccess(expires_at=caller.token.expires_at, seat=seat)
    return WatchAccess(digest(caller.key), snapshot.row.length, seat=seat) if caller.key else PUBLIC
