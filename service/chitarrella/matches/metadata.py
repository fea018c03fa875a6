"""Metadata of a match: what is fixed when it is created."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.model import Seat
from chitarrella.matches.newer_release import not_known

DIGEST_LENGTH = 32
"""Hexadecimal digits of a digest in the metadata."""


class Clock(NamedTuple):
    """Time control, in milliseconds: for each decision, and each seat's bank for the whole match beside that."""

    move_ms: int = 0
    bank_ms: int = 0

    @property
    def is_running(self) -> bool:
        """Whether the match has a clock at all."""
        return bool(self.move_ms or self.bank_ms)


NO_CLOCK = Clock()
"""The clock of a match without time limits."""

Labels = tuple[tuple[str, str], ...]
"""Keys with values, in the order of keys."""
PlayerNames = tuple[tuple[Seat, str], ...]
"""Seats with the names of their players, in the order of seats. Names are personal data: they belong in no log."""


class MatchMetadata(NamedTuple):
    """What is fixed when a match is created.

    ``position`` is where the match starts, empty for the start of the game. ``seats`` are those that a person or a bot
    holds; a dummy is none of them. ``key_hashes`` has the hash of the first key of each of ``seats``, then one for the
    referee; keys that replaced them are in the control state (`chitarrella.matches.keys`).
    ``request_hash`` stands for the whole request that created the match, so that another request under the same
    request id is noticed. ``seed`` is the secret from which every shuffle of the match is derived. A ``private`` match
    is hidden from whoever has no key of it. ``platform`` is the platform whose API key created it. ``created_at`` is
    in seconds since 1970, ``ttl_seconds`` counted from the last move. A ``sandbox`` match is a test of a platform: its
    time stands still (`matches.match_time`), and its bots choose by its seed. ``external_id``, ``labels`` and
    ``player_names`` are the platform's own; the service only stores them. ``address_digest`` stands for the network
    from which a match without a platform was created; it is keyed with the secret of the store, empty where unknown.
    """

    rule_set: RuleSet
    position: str
    pack_source: str
    ttl_seconds: int
    seats: tuple[Seat, ...]
    key_hashes: tuple[str, ...]
    request_hash: str
    seed: str
    private: bool = False
    platform: str = ""
    created_at: int = 0
    clock: Clock = NO_CLOCK
    sandbox: bool = False
    external_id: str = ""
    labels: Labels = ()
    player_names: PlayerNames = ()
    address_digest: str = ""

    @property
    def owner(self) -> str:
        """Whom the searches of its bots are charged to: the platform, or whoever created it without one."""
        return f"platform:{self.platform}" if self.platform else f"address:{self.address_digest}"


def digest(text: str) -> str:
    """SHA-256 of a text, cut to `DIGEST_LENGTH` hexadecimal digits."""
    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def encode_metadata(metadata: MatchMetadata) -> str:
    """Encode metadata as a JSON object without the optional fields that have their default.

    So a worker of the release before, which refuses unknown fields, can read a match that does not use the new ones.
    """
    defaults = MatchMetadata._field_defaults
    fields = {name: value for name, value in metadata._asdict().items() if value != defaults.get(name, NotImplemented)}
    fields |= {"rule_set": metadata.rule_set._asdict(), "clock": metadata.clock._asdict()}
    return json.dumps(fields, separators=(",", ":"))


def decode_metadata(text: str) -> MatchMetadata:
    """Decode what `encode_metadata` wrote. Raises `errors.NotPossibleNow` for what a newer release wrote."""
    fields: dict[str, Any] = json.loads(text)
    try:
        return _metadata_of(fields)
    except TypeError as error:  # a field that is not known
        raise not_known() from error


def _metadata_of(fields: dict[str, Any]) -> MatchMetadata:
    rule_set = fields["rule_set"]
    rule_set["options"] = tuple((name, value) for name, value in rule_set["options"])
    fields["rule_set"] = RuleSet(**rule_set)
    fields["clock"] = Clock(**fields["clock"])
    for name in ("seats", "key_hashes"):
        fields[name] = tuple(fields[name])
    for name in ("labels", "player_names"):  # rows of older releases have neither
        fields[name] = tuple((key, value) for key, value in fields.get(name, ()))
    return MatchMetadata(**fields)
