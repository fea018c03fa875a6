"""Moves that the store has lost: how a match that went back is noticed, and who is told.

A server that is killed, or a failover, may lose moves that were acknowledged, where the settings of the store allow it.
A worker notices when the row of a match does not follow the row it has seen. It then adds a public entry to the log,
and the revision continues behind all that were lost: whoever names a revision from there on has read that entry.
Everybody else is refused once with ``moves_lost``, so that nobody plays on without knowing.
"""

from __future__ import annotations

from chitarrella import errors
from chitarrella.core.model import Seat
from chitarrella.matches.control import ControlState
from chitarrella.storage.rows import MatchRow


def follows(row: MatchRow, seen: MatchRow) -> bool:
    """Whether ``row`` surely is ``seen``, or was appended behind it not long ago."""
    if row.log_digest == seen.log_digest:
        return row.aborted or not seen.aborted
    return seen.log_digest in row.earlier


def moves_lost(revision: int, field: str = "", **details: str) -> errors.MovesLost:
    """The error for a caller that may have seen moves which the store has lost; the match is at ``revision`` now."""
    message = f"The match is at revision {revision}. It lost moves, or never reached what was named; read it again."
    return errors.MovesLost("moves_lost", message, field, revision=str(revision), **details)


def is_reported(control: ControlState, actor: Seat, expected: int | None, token: str) -> bool:
    """Whether a caller knows of the last loss at a match, if there was one.

    It does where the revision it expects lies behind the loss, or where another request of its seat was refused.
    ``token`` is that of the request: the very request that was refused is refused again, for its answer may be lost.
    """
    if not control.lost_at or (expected is not None and expected >= control.lost_at):
        return True
    refused = dict(control.reported)
    return actor in refused and refused[actor] != token
