"""Requests to the match service, and what it answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import Position
from chitarrella.core.model import CHANCE, Event, Move, Refusal, Seat
from chitarrella.matches.history import format_entry, is_public
from chitarrella.matches.metadata import (
    NO_CLOCK,
    BotAssignment,
    Clock,
    ControlState,
    Labels,
    PlayerNames,
    Snapshot,
    digest,
)
from chitarrella.storage.rows import Appended, Conflict, Duplicate

# Pack sources: the service shuffles; the referee supplies packs and lots; the service shuffles with client seeds
SERVICE_PACKS, REFEREE_PACKS, SHARED_PACKS = "service", "referee", "shared"

T = TypeVar("T")

DAY_SECONDS = 24 * 3600  # seconds of a day

# Fields of `CreateMatch` that older releases lack
ADDED_FIELDS = ("sandbox", "external_id", "labels", "player_names", "restrictions", "endings")


class MatchLimits(NamedTuple):
    """What matches may use.

    A match is kept ``ttl_seconds`` after its last move unless it was created with another time, and one without a
    platform ``anonymous_ttl_seconds`` at most, which are never more than ``ttl_seconds``. The bots of a match may
    search for ``search_seconds`` of processor time together; after that they are greedy. No match can be created with a
    time of more than ``max_ttl_seconds``. The caps on open matches, and on those with bots among them, are 0 for none.
    """

    ttl_seconds: int = 7 * DAY_SECONDS
    anonymous_ttl_seconds: int = DAY_SECONDS
    search_seconds: int = 3600
    max_ttl_seconds: int = 365 * DAY_SECONDS
    open_matches_per_platform: int = 0
    open_matches_per_address: int = 0
    bot_matches_per_platform: int = 0
    bot_matches_per_address: int = 0

    def ttl(self, platform: str, requested: int) -> int:
        """The time to live of a match; ``requested`` is 0 for the default. Raises `errors.BadRequest`."""
        if requested > self.max_ttl_seconds:
            message = f"This service keeps a match for {self.max_ttl_seconds} seconds without a move at most."
            raise errors.BadRequest("bad_request", message, "expire_after")
        wanted = requested or self.ttl_seconds
        return wanted if platform else min(wanted, self.anonymous_ttl_seconds, self.ttl_seconds)


DEFAULT_LIMITS = MatchLimits()  # the limits of matches unless the operator sets others


# Runs a call that may take long, such as the replay of a log, so that an event loop does not wait for it.
RunLong = Callable[[Callable[[], T]], T]


class Sandbox(NamedTuple):
    """Makes a match a test. ``seed`` names its shuffles; empty to shuffle by chance."""

    seed: str = ""


class CreateMatch(NamedTuple):
    """A request to create a match.

    ``pack`` is the first pack, dealt as it is; ``moves`` and ``endings`` come from a record and are played first.
    ``ttl_seconds`` 0 means the default of the service. ``request_id`` makes a repeated call the same match; it is
    unique within its ``platform``. ``sandbox`` makes the match a test; None for a real one. ``labels`` and
    ``player_names`` are sorted. ``address`` is the network of the caller, which the service keeps only as a keyed
    digest; the same request from another network is the same request.
    """

    rule_set: RuleSet
    position: str = ""
    pack: Hand = ()
    pack_source: str = SERVICE_PACKS
    private: bool = False
    ttl_seconds: int = 0
    moves: tuple[tuple[Seat, Move], ...] = ()
    clock: Clock = NO_CLOCK
    bots: tuple[BotAssignment, ...] = ()
    platform: str = ""
    request_id: str = ""
    sandbox: Sandbox | None = None
    external_id: str = ""
    labels: Labels = ()
    player_names: PlayerNames = ()
    address: str = ""
    restrictions: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    def fingerprint(self) -> str:
        fields = self._asdict() | {
            "rule_set": self.rule_set._asdict(),
            "moves": [format_entry(actor, move) for actor, move in self.moves],
        }
        del fields["address"]
        for name in ADDED_FIELDS:  # left out where empty, so that a request from before they were added is the same
            if not fields[name]:
                del fields[name]
        return digest(json.dumps(fields, sort_keys=True))


class CreatedMatch(NamedTuple):
    """A new match with its keys, which are shown only now: those of the seats, the referee's, and the spectators'."""

    match: str
    keys: tuple[tuple[Seat, str], ...]
    referee_key: str
    snapshot: Snapshot
    spectator_key: str = ""


class MoveRequest(NamedTuple):
    """A request to play a move; `CHANCE` for the referee. ``expected_revision`` is None for any."""

    actor: Seat
    move: Move
    expected_revision: int | None = None
    request_id: str = ""


class MoveResult(NamedTuple):
    """The result of a move: the clauses it breaks, or the events that it led to, as the actor may see them.

    ``repeated`` is set where an earlier call with the same request id was carried out.
    """

    accepted: bool
    refusals: tuple[Refusal, ...]
    revision: int
    events: tuple[Event, ...]
    snapshot: Snapshot
    repeated: bool = False


class ChanceOutcome(NamedTuple):
    """What chance supplied: log entries, the events of each, and the position and control state after them."""

    entries: tuple[str, ...]
    events: tuple[tuple[Event, ...], ...]
    position: Position
    control: ControlState

    @property
    def public_count(self) -> int:
        """How many of the entries everybody may know of."""
        return sum(is_public(events) for events in self.events)


class LogBatch(NamedTuple):
    """Log entries to append, the events of each, and whether they hold the decision that was waited for, or take one
    back. The ``talker`` is the seat whose quota of talk they count against, `CHANCE` for nobody's.
    """

    entries: tuple[str, ...]
    events: tuple[tuple[Event, ...], ...]
    is_decision: bool = False
    is_takeback: bool = False
    talker: Seat = CHANCE


class AppendOutcome(NamedTuple):
    """The result of an append, the match after it, and the events of every entry that was added."""

    result: Appended | Conflict | Duplicate
    snapshot: Snapshot
    events: tuple[tuple[Event, ...], ...]
