"""The rotation of keys: a role gets a new key, and its old one is closed.

A new key is derived from the store's secret, the match, the role and the request id, so that a repeated request gets
the same key again although the store has no key. The log has only its hash.

The answer to a rotation may be lost, and with it the new key, while the old one is closed already. So whoever repeats
the request with the key that it replaced gets the same key, under three conditions: the rotation is the last one of
that role, it was requested with that key itself (and not by the referee for the seat), and its request id has at least
`MIN_RECOVERY_LENGTH` characters. A thief of the old key cannot guess such an id.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hmac import compare_digest

from chitarrella.core.model import Seat
from chitarrella.matches.control import ROTATE_KEY, ControlAction
from chitarrella.matches.idempotency import request_reused, request_token
from chitarrella.matches.keys import role_of_previous_key
from chitarrella.matches.metadata import digest
from chitarrella.matches.model import AppendOutcome, Snapshot
from chitarrella.matches.preconditions import match_aborted
from chitarrella.matches.service import MatchService
from chitarrella.storage.rows import Duplicate

MIN_RECOVERY_LENGTH = 16
"""Characters of a request id that cannot be guessed, as for `CreateMatch`."""

CheckAccess = Callable[[Snapshot], object]
"""Raises an error where the caller's key is not accepted by a snapshot."""


class KeyRotation:
    """Replaces the keys of matches. Thread-safe; all state is in the store."""

    def __init__(self, service: MatchService) -> None:
        """Replace keys of the matches of ``service``."""
        self._service = service

    def rotate(
        self, match: str, role: Seat, check_access: CheckAccess, *, by_referee: bool = False, request_id: str = ""
    ) -> tuple[str, Snapshot]:
        """Replace the key of ``role``, a seat or `CHANCE` for the referee; returns the new key. Idempotent.

        ``by_referee`` says that the referee replaces the key of a seat. ``check_access`` is called with every snapshot
        that a new key is to be appended to: of several requests with one old key, one succeeds. Raises what it raises,
        `errors.NotPossibleNow` where the match was aborted, and `errors.AlreadyExists` where the request id was used
        for another request, or for a key that was replaced since.
        """
        key = self._derive_key(match, role, by_referee=by_referee, request_id=request_id)
        action = ControlAction(role, ROTATE_KEY, digest(key))
        token = request_token(role, request_id)

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if _is_current(snapshot, role, key):
                return None
            check_access(snapshot)
            if snapshot.row.aborted:
                raise match_aborted()
            outcome = self._service.writer.append_actions(match, snapshot, (action,), token=token)
            if isinstance(outcome.result, Duplicate) and not _is_current(outcome.snapshot, role, key):
                raise request_reused()
            return outcome

        return key, self._service.writer.retry(match, attempt)[1]

    def recover(self, match: str, snapshot: Snapshot, old_key: str, request_id: str) -> tuple[Seat, str] | None:
        """The role and the key that a repeated request gave, by the key that it replaced; None where it is not one."""
        role = role_of_previous_key(snapshot.metadata, snapshot.control, old_key)
        if role is None or len(request_id) < MIN_RECOVERY_LENGTH:
            return None
        key = self._derive_key(match, role, by_referee=False, request_id=request_id)
        return (role, key) if _is_current(snapshot, role, key) else None

    def _derive_key(self, match: str, role: Seat, *, by_referee: bool, request_id: str) -> str:
        """Derive a key; a random one without a request id. No purpose of a first key begins like this one."""
        purpose = f"rotated key of {role} by {'referee' if by_referee else 'holder'}"
        return self._service.derive(f"{match} {request_id or secrets.token_hex(16)}", purpose)


def _is_current(snapshot: Snapshot, role: Seat, key: str) -> bool:
    """Whether ``key`` is the key that ``role`` was given last."""
    rotated = snapshot.control.rotated_key(role)
    return rotated is not None and compare_digest(rotated.key_hash, digest(key))
