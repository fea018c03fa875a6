"""The match service: the use cases of a kept match. Create, play, abort, delete."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from functools import partial
from itertools import takewhile

from chitarrella import errors
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import apply_move, is_accepted, seat_to_move, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Event, Seat, Viewer
from chitarrella.core.notation import CHANCE_NAME
from chitarrella.matches.clock import ttl_seconds
from chitarrella.matches.control import after_move, parse_action
from chitarrella.matches.creation import first_snapshot, seed_of
from chitarrella.matches.history import (
    Cursor,
    MatchHistory,
    Update,
    ViewerFeed,
    format_entry,
    is_chance_move,
    is_public,
)
from chitarrella.matches.idempotency import check_repeated, request_reused, request_token
from chitarrella.matches.log_writer import MAX_ATTEMPTS, LogWriter, OnAppend, too_many_conflicts
from chitarrella.matches.match_lists import MatchLists
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.metadata import MatchMetadata, digest
from chitarrella.matches.model import (
    DEFAULT_LIMITS,
    REFEREE_PACKS,
    AppendOutcome,
    CreatedMatch,
    CreateMatch,
    LogBatch,
    MatchLimits,
    MoveRequest,
    MoveResult,
    RunLong,
    Snapshot,
)
from chitarrella.matches.observer import MatchObserver
from chitarrella.matches.open_match_count import OpenMatchCount
from chitarrella.matches.open_matches import OpenMatches
from chitarrella.matches.preconditions import check_preconditions
from chitarrella.matches.repository import MatchRepository, translate_store_errors
from chitarrella.storage.counters import OpenMatchStore
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import ABORTED, Appended, Duplicate

MATCH_ID_LENGTH = 20
"""The length of the id of a match, in hexadecimal digits."""
ADDRESS_DIGEST_LENGTH = 16
"""The length of what is kept of an address, in hexadecimal digits."""


class MatchService:
    """Creates, plays, aborts and deletes matches. Thread-safe; all state is in the store."""

    def __init__(
        self,
        catalogue: Catalogue,
        store: RedisStore,
        limits: MatchLimits = DEFAULT_LIMITS,
        on_append: OnAppend = lambda *_: None,
        observer: MatchObserver | None = None,
        open_matches: OpenMatchStore | None = None,
        run_long: RunLong = lambda call: call(),
    ) -> None:
        """Play by the rules of ``catalogue`` and keep matches in ``store``, within ``limits``.

        ``on_append`` is called before entries are appended to a match of a platform. ``observer`` counts what happens.
        ``run_long`` runs what may take long, such as the replay of a log, and does not hold up an event loop meanwhile.
        """
        self._observer = observer or MatchObserver()
        self.repository = MatchRepository(catalogue, store)
        search_ms = limits.search_seconds * 1000
        self.writer = LogWriter(self.repository, store, on_append, search_ms, self._observer)
        self.lists = MatchLists(self.repository, store, self.derive)
        self.open_matches = OpenMatches(open_matches, store.matches, self.derive, limits)
        self.open_match_count = OpenMatchCount()
        self.writer.on_end = self._close
        self.lists.on_expiry = self.open_match_count.exclude
        self.on_delete: Callable[[str, MatchMetadata], None] = lambda *_: None
        """Called with a match that was deleted, and its metadata."""
        self.store = store
        self._limits = limits
        self._run_long = run_long
        self._secret = b""

    # ------------------------------------------------------------------ create, abort, delete

    def create(self, request: CreateMatch) -> CreatedMatch:
        """Create a match, play the moves of a record, and deal.

        Raises what the catalogue and the position codec raise, `errors.BadRequest` for an illegal move, and
        `errors.AlreadyExists` where the request id was used for another request.
        """
        catalogue = self.repository.catalogue
        request = request._replace(rule_set=catalogue.normalize(request.rule_set))
        game = catalogue.game_for(request.rule_set)
        name = self._name_of(request)
        match = self.derive(name, "match")[:MATCH_ID_LENGTH]
        seats = tuple(seat for seat in range(game.seats) if game.controller(seat) == seat)
        keys = tuple((seat, self.derive(name, f"seat {seat}")) for seat in seats)
        referee_key = self.derive(name, "referee")
        metadata = MatchMetadata(
            rule_set=request.rule_set,
            position=request.position,
            pack_source=request.pack_source,
            ttl_seconds=self._limits.ttl(request.platform, request.ttl_seconds),
            seats=seats,
            key_hashes=tuple(digest(key) for key in (*(key for _, key in keys), referee_key)),
            request_hash=request.fingerprint(),
            seed=seed_of(request),
            private=request.private,
            platform=request.platform,
            created_at=int(time.time()),
            clock=request.clock,
            sandbox=request.sandbox is not None,
            external_id=request.external_id,
            labels=request.labels,
            player_names=request.player_names,
            address_digest=self._address_digest(request),
        )
        snapshot = self._store_new(match, *first_snapshot(metadata, game, request))
        if snapshot.metadata.request_hash != metadata.request_hash:
            raise request_reused()
        self.writer.schedule_if_due(match, snapshot)
        self.lists.add(match, snapshot.metadata)
        if not (snapshot.row.aborted or snapshot.game.is_finished(snapshot.position)):
            self.open_match_count.include(match)
        self.repository.remember(match, snapshot)
        return CreatedMatch(match, keys, referee_key, snapshot)

    def _store_new(self, match: str, snapshot: Snapshot, entries: tuple[str, ...]) -> Snapshot:
        """Store a new match; the one that is there already, where the same request was carried out before."""
        with translate_store_errors():
            self.writer.announce(match, snapshot.metadata.platform, 0, len(entries))
            self.writer.announce_finish(match, snapshot)
            ttl = ttl_seconds(snapshot, now_ms())
            if not snapshot.game.is_finished(snapshot.position):
                has_bots = bool(snapshot.control.bots)
                self.open_matches.add(match, snapshot.metadata, now_ms() + ttl * 1000, has_bots=has_bots)
            is_new = self.store.matches.create(match, snapshot.row, entries, ttl, snapshot.metadata.platform)
        if not is_new:
            return self.repository.load(match)
        self._observer.match_created(snapshot.metadata.rule_set.game)
        return snapshot

    def _address_digest(self, request: CreateMatch) -> str:
        """What is kept of the network of a caller without a platform."""
        known = request.address and not request.platform
        return self.derive(request.address, "address")[:ADDRESS_DIGEST_LENGTH] if known else ""

    def _name_of(self, request: CreateMatch) -> str:
        """What the id and the keys are derived from: the platform and the request id, or chance."""
        if not request.request_id:
            return secrets.token_hex(16)
        return f"{request.platform} {request.request_id}" if request.platform else request.request_id

    def derive(self, name: str, purpose: str) -> str:
        """Derive an id or a key from the store's secret, so that a repeated request gets the same."""
        if not self._secret:
            with translate_store_errors():
                self._secret = self.store.secret()
        return hmac.new(self._secret, f"{purpose} of {name}".encode(), "sha256").hexdigest()[:40]

    def abort(self, match: str) -> Snapshot:
        """End a match before it is decided. Idempotent."""
        before = self.repository.cached(match)
        platform = before.metadata.platform
        with translate_store_errors():
            self.writer.announce(match, platform, ABORTED, ABORTED)
            self.store.matches.abort(match, platform)
        if not before.row.aborted:
            self._observer.match_aborted(before.metadata.rule_set.game)
        snapshot = self.repository.load(match)
        self._close(match, snapshot.metadata)
        return snapshot

    def delete(self, match: str) -> None:
        """Delete a match, and remove it from every list of its platform. Raises `errors.NotFound`."""
        metadata, _ = self.repository.load_without_rules(match)
        self.repository.forget(match)
        with translate_store_errors():
            self.store.matches.delete(match)
        self.lists.remove(match, metadata)
        self._close(match, metadata)
        self.on_delete(match, metadata)

    def _close(self, match: str, metadata: MatchMetadata) -> None:
        """Count a match as open no longer."""
        self.open_matches.remove(match, metadata)
        self.open_match_count.exclude(match)

    # ------------------------------------------------------------------ play

    def play(
        self,
        match: str,
        request: MoveRequest,
        cached: Snapshot | None = None,
        check_access: Callable[[Snapshot], object] = lambda _: None,
    ) -> MoveResult:
        """Check a move, apply it, make the shuffles that follow, append it all, and show the result to the actor.

        One request id is carried out once, and a move is appended only behind the row that it was checked on.
        ``cached`` is a snapshot that may be out of date: a move that is legal there is tried without reading the
        store; no move is refused because of it. ``check_access`` raises an error where the caller's key is not accepted
        by a snapshot. It is called with every snapshot but ``cached``, by which the caller was let in: where that one
        was old, the key may have been closed since.

        Raises `errors.Stale` where the table has moved on from the expected revision, `errors.MovesLost` where the
        store has lost moves that the actor may have seen, `errors.NotPossibleNow` where the match was aborted,
        `errors.AlreadyExists` where the request id was used for another move.
        """
        token = request_token(request.actor, request.request_id)
        snapshot, refusals = cached, check_preconditions(cached, request) if cached else None
        if snapshot is None or not isinstance(refusals, tuple) or not is_accepted(refusals):
            snapshot, position = self.writer.read(match, token if request.request_id else "")
            check_access(snapshot)
            if position is not None:
                return self._run_long(partial(self._replay_duplicate, match, snapshot, request, position))
            refusals = check_preconditions(snapshot, request)
        for _ in range(MAX_ATTEMPTS):
            self.writer.check_reported(match, snapshot, request.actor, request.expected_revision, token)
            if isinstance(refusals, errors.ChitarrellaError):
                raise refusals
            if not is_accepted(refusals):
                self._observer.move_refused(snapshot.metadata.rule_set.game, tuple(one.code for one in refusals))
                return MoveResult(False, refusals, snapshot.row.revision, (), snapshot)
            outcome = self._append_move(match, snapshot, request, token)
            if isinstance(outcome.result, Appended):
                updates = _updates_for(request.actor, snapshot.row.revision, outcome.events)
                return MoveResult(True, refusals, outcome.snapshot.row.revision, updates, outcome.snapshot)
            check_access(outcome.snapshot)
            if isinstance(outcome.result, Duplicate):
                found = outcome.result.position
                return self._run_long(partial(self._replay_duplicate, match, outcome.snapshot, request, found))
            snapshot = outcome.snapshot
            refusals = check_preconditions(snapshot, request)
        raise too_many_conflicts()

    def _append_move(self, match: str, snapshot: Snapshot, request: MoveRequest, token: str) -> AppendOutcome:
        """Apply a legal move and append it, with what chance supplies after it."""
        game, actor, move = snapshot.game, request.actor, request.move
        position, events = apply_move(game, snapshot.position, actor, move)
        is_chance = is_chance_move(game, actor, move)
        control = after_move(snapshot.control, is_public=is_public(events), is_chance=is_chance)
        is_decision = actor == seat_to_move(game, snapshot.position) and not game.move_specs[move.verb].out_of_turn
        batch = LogBatch((format_entry(actor, move),), (events,), is_decision)
        return self.writer.append(match, snapshot, position, control, batch, token)

    def _replay_duplicate(self, match: str, snapshot: Snapshot, request: MoveRequest, position: int) -> MoveResult:
        """Return the result of the first request to a repeated one; its entry is at ``position`` of the log."""
        entry = format_entry(request.actor, request.move)
        replay = self.repository.replay(match, snapshot, lambda one: one.length <= position)
        check_repeated(replay.entries, position - replay.start, entry.__eq__)
        for _ in replay.steps(position):
            pass
        history = replay.history
        revision = history.revision
        refusals = validate_move(history.game, history.position, request.actor, request.move)
        end = position + 1
        following = replay.entries[end - replay.start :]
        if snapshot.metadata.pack_source != REFEREE_PACKS:
            end += len(list(takewhile(_is_chance_entry, following)))
        events = tuple(events for _, events in replay.steps(end))
        after = _snapshot_at(snapshot, history)
        updates = _updates_for(request.actor, revision, events)
        return MoveResult(True, refusals, history.revision, updates, after, repeated=True)


def _snapshot_at(snapshot: Snapshot, history: MatchHistory) -> Snapshot:
    """The match as it was at the place its history has come to."""
    row = snapshot.row._replace(revision=history.revision)
    return Snapshot(row, snapshot.metadata, history.game, history.position, history.control)


def _is_chance_entry(entry: str) -> bool:
    """Whether a log entry is a pack or a lot."""
    return entry.startswith(f"{CHANCE_NAME} ") and not parse_action(entry)


def _updates_for(actor: Seat, revision: int, events: tuple[tuple[Event, ...], ...]) -> tuple[Update, ...]:
    """The updates of log entries behind ``revision``, as the actor may see them."""
    viewer: Viewer = REFEREE if actor == CHANCE else actor
    feed = ViewerFeed(viewer, Cursor())
    updates = []
    for entry_events in events:
        revision += is_public(entry_events)
        if (update := feed.next_update(revision, entry_events)) is not None:
            updates.append(update)
    return tuple(updates)
