"""The message Match of the contract: a kept match as one reader sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from chitarrella import v1 as pb
from chitarrella.api import authorization, converters
from chitarrella.api.caller import Caller
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import View, Viewer
from chitarrella.core.visibility import view_for
from chitarrella.matches.chance import awaiting_seeds_from, next_commitment
from chitarrella.matches.clock import deadline, now_ms, ttl_seconds
from chitarrella.matches.history import Cursor
from chitarrella.matches.metadata import (
    ABORTED,
    DECIDED,
    FINISHED,
    NO_BOTS,
    NO_CLOCK,
    NO_SPECTATORS,
    NO_TAKEBACKS,
    OPEN,
    PLAYED,
    RESIGNED,
    ControlState,
    Snapshot,
    ending,
)
from chitarrella.matches.model import REFEREE_PACKS, SERVICE_PACKS, SHARED_PACKS
from chitarrella.matches.operations import awaiting_answers_from
from chitarrella.matches.presence import PRESENT_MS
from chitarrella.matches.service import MatchService

PACK_SOURCES: Final = {
    pb.PACK_SOURCE_SERVICE: SERVICE_PACKS,
    pb.PACK_SOURCE_REFEREE: REFEREE_PACKS,
    pb.PACK_SOURCE_SHARED: SHARED_PACKS,
}
RESTRICTIONS: Final = {
    pb.RESTRICTION_NO_TAKEBACKS: NO_TAKEBACKS,
    pb.RESTRICTION_NO_BOTS: NO_BOTS,
    pb.RESTRICTION_NO_SPECTATORS: NO_SPECTATORS,
}
STATES: Final = {OPEN: pb.MATCH_STATE_OPEN, FINISHED: pb.MATCH_STATE_FINISHED, ABORTED: pb.MATCH_STATE_ABORTED}
ENDINGS: Final = {PLAYED: pb.ENDING_PLAYED, RESIGNED: pb.ENDING_RESIGNED, DECIDED: pb.ENDING_DECIDED}
SOURCES_OF_PACKS: Final = {source: number for number, source in PACK_SOURCES.items()}


def match_fields(
    match: str, snapshot: Snapshot, caller: Caller, viewer: Viewer = None, cursor: Callable[[], str] | None = None
) -> converters.Fields:
    """The match as ``viewer`` sees it; without ``cursor``, which gives its last cursor, it is one of a list."""
    metadata, control, row = snapshot.metadata, snapshot.control, snapshot.row
    is_labelled = authorization.sees_labels(snapshot, caller)
    view = view_for(snapshot.game, snapshot.position, viewer)
    outcome = outcome_fields(snapshot.game, snapshot.position, control)
    ended_at = row.updated_at if row.aborted else control.ended_at
    clock, is_open = metadata.clock, snapshot.state == OPEN
    return {
        "match_id": match,
        "rule_set": _rule_set_fields(snapshot),
        "state": STATES[snapshot.state],
        "revision": row.revision,
        "create_time": converters.time_fields(metadata.created_at * 1000),
        "update_time": converters.time_fields(row.updated_at or None),
        "expire_time": converters.time_fields(row.updated_at + ttl_seconds(snapshot) * 1000),
        "private": metadata.private,
        "sandbox": metadata.sandbox,
        "imported": metadata.imported,
        "pack_source": SOURCES_OF_PACKS[metadata.pack_source],
        "clock": {
            "move_time": converters.time_fields(clock.move_ms or None),
            "bank": converters.time_fields(clock.bank_ms or None),
            "increment": converters.time_fields(clock.increment_ms or None),
            "starts_when_joined": clock.starts_when_joined,
        }
        if clock != NO_CLOCK
        else None,
        "deadline": converters.time_fields(deadline(snapshot)),
        "seats": seat_fields(snapshot),
        "scores": view.scores,
        "outcome": outcome,
        "end_time": converters.time_fields(ended_at or None),
        "end_reason": row.reason or control.reason,
        "restrictions": [number for number, name in RESTRICTIONS.items() if name in metadata.restrictions],
        "clock_paused": is_open and bool(control.paused_at),
        "pause_requested_by": control.pause_request if is_open else (),
        "external_id": metadata.external_id if is_labelled else "",
        "labels": dict(metadata.labels) if is_labelled else None,
        "next_commitment": next_commitment(metadata, control),
        "awaiting_seeds_from": awaiting_seeds_from(snapshot),
        "takeback_request": _takeback_fields(snapshot) if is_open else None,
        "view": _view_fields(view, outcome, is_open=is_open) if cursor else None,
        "viewer": viewer if viewer is not None and viewer >= 0 else None,
        "cursor": cursor() if cursor else "",
    }


def outcome_fields(game: AnyGame, p: Position, control: ControlState) -> converters.Fields | None:
    end = ending(game, p, control)
    return end and {"winners": sorted(end.winners), "ending": ENDINGS[end.kind]}


def whole_match(
    matches: MatchService, match: str, snapshot: Snapshot, viewer: Viewer, caller: Caller
) -> converters.Fields:
    cursor = partial(current_cursor, matches, match, snapshot, viewer)
    snapshot = matches.repository.presence.added(match, snapshot, authorization.key_of(caller))
    return match_fields(match, snapshot, caller, viewer, cursor)


def _view_fields(view: View, outcome: converters.Fields | None, *, is_open: bool) -> converters.Fields:
    """The fields of a view; nobody has to move where the match is over, or was aborted."""
    closed = {} if is_open else {"waiting": pb.WAITING_NOBODY, "turn": None, "turns": ()}
    return {**converters.view_fields(view), **closed, "outcome": outcome}


def read_restrictions(numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(sorted({name for number, name in RESTRICTIONS.items() if number in numbers}))


def current_cursor(matches: MatchService, match: str, snapshot: Snapshot, viewer: Viewer) -> str:
    """Return the cursor of the last update for ``viewer``; it equals the revision if all moves were public."""
    if snapshot.row.length == snapshot.row.revision:
        return str(Cursor(snapshot.row.revision))

    def replay() -> str:
        replay = matches.repository.replay(match, snapshot)
        feed = replay.feed(viewer, Cursor())
        for step in replay.steps(snapshot.row.length):
            feed.next_update(step)
        return str(feed.cursor)

    return matches.run_long(replay)


def _rule_set_fields(snapshot: Snapshot) -> converters.Fields:
    fields = converters.rule_set_fields(snapshot.metadata.rule_set)
    for option in snapshot.game.entry.options:
        fields["options"].setdefault(option.name, option.default)
    return fields


def seat_fields(snapshot: Snapshot) -> list[converters.Fields]:
    names, bots, banks = dict(snapshot.metadata.player_names), snapshot.control.bots, snapshot.control.banks
    played, control = {bot.seat: bot for bot in bots}, snapshot.control
    seen, found = snapshot.row.seen_times(), []
    for seat in range(snapshot.game.seats):
        person, bot = snapshot.game.controller(seat), played.get(seat)
        last_seen = None if bot or person != seat else seen.get(seat)
        present = last_seen is not None and last_seen > now_ms() - PRESENT_MS
        found.append(
            {
                "seat": seat,
                "player_name": names.get(seat, ""),
                "bot": bot
                and {
                    "seat": seat,
                    "bot": bot.bot,
                    "think_time": converters.time_fields(bot.think_ms or None),
                    "delay": converters.time_fields(bot.delay_ms or None),
                },
                "played_by": person if person != seat else None,
                "bank": converters.time_fields(banks[seat]) if banks and person == seat else None,
                "joined": seat in control.joined,
                "resigned": seat in control.resigned,
                "present": present,
                "last_seen_time": None if present else converters.time_fields(last_seen),
            }
        )
    return found


def _takeback_fields(snapshot: Snapshot) -> converters.Fields | None:
    if not (takeback := snapshot.control.takeback_request):
        return None
    return {"seat": takeback[0], "awaiting_answers_from": awaiting_answers_from(snapshot)}
