"""The keys of a match: which role a key gives, now and before it was replaced.

The store holds hashes of keys only. The first ones are in the metadata, which never change; a key that replaced
another one is in the control state, which is asked first.
"""

from __future__ import annotations

from hmac import compare_digest

from chitarrella.core.model import CHANCE, Seat
from chitarrella.matches.control import ControlState
from chitarrella.matches.metadata import MatchMetadata, digest


def key_hashes(metadata: MatchMetadata, control: ControlState) -> dict[Seat, str]:
    """The hashes of the keys that are accepted: one for each seat of a person or bot, and the referee's (`CHANCE`)."""
    first = dict(zip((*metadata.seats, CHANCE), metadata.key_hashes, strict=True))
    return first | {key.role: key.key_hash for key in control.rotated_keys}


def role_of_key(metadata: MatchMetadata, control: ControlState, key: str) -> Seat | None:
    """The seat whose key ``key`` is, `CHANCE` for the referee's key, None for any other key and for a closed one."""
    return _role_of_hash(key_hashes(metadata, control), key)


def role_of_previous_key(metadata: MatchMetadata, control: ControlState, key: str) -> Seat | None:
    """The seat whose key ``key`` was until its last rotation, `CHANCE` for the referee; None for any other key."""
    first = dict(zip((*metadata.seats, CHANCE), metadata.key_hashes, strict=True))
    previous = {rotated.role: rotated.previous_hash or first[rotated.role] for rotated in control.rotated_keys}
    return _role_of_hash(previous, key)


def _role_of_hash(hashes: dict[Seat, str], key: str) -> Seat | None:
    """The role with the hash of ``key``. All are compared, so that the time does not depend on which one matches."""
    given = digest(key)
    found: Seat | None = None
    for role, stored in hashes.items():
        if compare_digest(given, stored):
            found = role
    return found
