"""The first snapshot of a new match: its position, its log, and the seed of its shuffles."""

from __future__ import annotations

import secrets

from chitarrella.core.game import AnyGame
from chitarrella.matches.chance import replay_record, sandbox_seed, supply
from chitarrella.matches.clock import start_clock
from chitarrella.matches.control import apply_action, bot_action, encode_control, format_action
from chitarrella.matches.match_time import match_time
from chitarrella.matches.metadata import MatchMetadata, encode_metadata
from chitarrella.matches.model import CreateMatch, Snapshot
from chitarrella.storage.rows import MatchRow, chain_digest

SEED_BYTES = 32
"""Random bytes of the secret seed of a match."""


def seed_of(request: CreateMatch) -> str:
    """The secret from which every shuffle of a new match is derived."""
    if request.sandbox and request.sandbox.seed:
        return sandbox_seed(request.sandbox.seed)
    return secrets.token_hex(SEED_BYTES)


def first_snapshot(metadata: MatchMetadata, game: AnyGame, request: CreateMatch) -> tuple[Snapshot, tuple[str, ...]]:
    """The first snapshot of a match and its log: the moves of a record, the bots, then what chance supplies."""
    start = game.decode(metadata.position) if metadata.position else game.start()
    played = replay_record(game, start, request.moves)
    control = start_clock(metadata.clock, game, played.control, match_time(metadata, played.control))
    for bot in request.bots:
        control = apply_action(control, bot_action(bot))
    chance = supply(game, played.position, metadata, control, request.pack)
    entries = played.entries + tuple(format_action(bot_action(bot)) for bot in request.bots) + chance.entries
    text = encode_metadata(metadata)
    row = MatchRow(
        text,
        len(entries),
        chain_digest("", (text, *entries)),  # the metadata too, so that no other match has the same digest
        game.encode(chance.position),
        played.public_count + len(request.bots) + chance.public_count,
        control=encode_control(chance.control),
    )
    return Snapshot(row, metadata, game, chance.position, chance.control), entries
