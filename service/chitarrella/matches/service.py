"""The match service: the use cases of a kept match. Create, play, abort, delete."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

from chitarrella import errors
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame, CheckedMove, check_move, validate_move
from chitarrella.core.model import CHANCE, Seat
from chitarrella.core.notation import CHANCE_NAME
from chitarrella.matches.chance import replay_record, sandbox_seed, supply
from chitarrella.matches.clock import match_time, now_ms, start_clock, ttl_seconds
from chitarrella.matches.history import apply_at_match, format_entry, seen_events
from chitarrella.matches.log_writer import (
    MAX_ATTEMPTS,
    Count,
    LogWriter,
    OnAppend,
    check_repeated,
    request_reused,
    request_token,
    too_many_conflicts,
)
from chitarrella.matches.metadata import (
    CONTRIBUTE_SEED,
    NO_CLOCK,
    NO_SPECTATORS,
    OPEN,
    ControlAction,
    Labels,
    MatchDetails,
    MatchMetadata,
    Snapshot,
    apply_action,
    bot_action,
    digest,
    encode_control,
    encode_details,
    encode_metadata,
    ending,
    ending_actions,
    format_action,
    is_over,
    parse_action,
)
from chitarrella.matches.model import (
    DEFAULT_LIMITS,
    REFEREE_PACKS,
    SHARED_PACKS,
    CreatedMatch,
    CreateMatch,
    LogBatch,
    MatchLimits,
    MoveRequest,
    MoveResult,
    RunLong,
    T,
)
from chitarrella.matches.open_matches import Derive, OpenMatches
from chitarrella.matches.repository import MatchArchive, MatchRepository, moves_lost, translate_store_errors
from chitarrella.storage import rows
from chitarrella.storage.counters import OpenMatchStore
from chitarrella.storage.redis_store import RedisStore

SEED_BYTES = 32  # random bytes of the secret seed of a match


def seed_of(request: CreateMatch) -> str:
    if request.sandbox and request.sandbox.seed:
        return sandbox_seed(request.sandbox.seed)
    return secrets.token_hex(SEED_BYTES)


def first_snapshot(metadata: MatchMetadata, game: AnyGame, request: CreateMatch) -> tuple[Snapshot, tuple[str, ...]]:
    """The first snapshot of a match and its log: the moves of a record, the bots, then what chance supplies."""
    start = game.decode(metadata.position) if metadata.position else game.start()
    played = replay_record(game, start, request.moves)
    control = start_clock(metadata.clock, game, played.control, match_time(metadata, played.control))
    actions = (*map(bot_action, request.bots), *ending_actions(request.endings))
    for action in actions:
        control = apply_action(control, action)
    chance = supply(game, played.position, metadata, control, request.pack)
    text, now = encode_metadata(metadata), now_ms()
    control = chance.control._replace(ended_at=now if is_over(game, chance.position, chance.control) else 0)
    entries = rows.timed((*played.entries, *map(format_action, actions), *chance.entries), now)
    row = rows.MatchRow(
        text,
        len(entries),
        rows.chain_digest("", (text, *entries)),  # the metadata too, so that no other match has the same digest
        game.encode(chance.position),
        played.public_count + len(actions) + chance.public_count,
        control=encode_control(control),
        updated_at=now,
        turn_since=now if played.entries or chance.entries else 0,
    )
    return Snapshot(row, metadata, game, chance.position, control), entries


MAX_ADVANCED_SECONDS = 100 * 365 * 24 * 3600  # by how many seconds the clock of a test can be advanced in all its life


def check_preconditions(snapshot: Snapshot, request: MoveRequest) -> CheckedMove | errors.ChitarrellaError:
    """The move with what the rules say about it, or the error for which it is not played even where the rules allow it.

    The error is returned and not raised: a snapshot from the cache may be out of date, and then it does not count.
    """
    if snapshot.row.aborted or snapshot.is_decided:
        return check_in_progress(snapshot) or match_aborted()
    checked = check_move(snapshot.game, snapshot.position, request.actor, request.move)
    if checked.spec.out_of_turn and (error := check_talk(snapshot, request.actor)):
        return error
    still_legal = "true" if checked.is_accepted else "false"
    return check_revision(snapshot, request.expected_revision, still_legal=still_legal) or checked


def check_revision(snapshot: Snapshot, expected: int | None, **details: str) -> errors.Stale | None:
    """The error for a caller that has not seen the last change of the table; None where it has, or it does not matter.

    What is said meanwhile, such as the request for a takeback, outdates no move. A revision that is to come was lost if
    the match has lost any.
    """
    revision = snapshot.row.revision
    if expected is None or expected == revision:
        return None
    if revision - sum(count for seat, count in snapshot.control.talk if seat >= CHANCE) <= expected < revision:
        return None
    if expected > revision and snapshot.control.lost_at:
        return moves_lost(revision, "expected_revision", **details)
    message = f"The table is at revision {revision}, not {expected}."
    return errors.Stale("stale_revision", message, "expected_revision", revision=str(revision), **details)


TOO_MUCH_TALK = "A seat may say so much until a card is played, and no more."
MOST_TALK = 20  # how often a seat may say something, seat a bot, or replace its key until the table changes


def check_talk(snapshot: Snapshot, actor: Seat) -> errors.ChitarrellaError | None:
    if actor == CHANCE or snapshot.control.talk_of(actor) < MOST_TALK:
        return None
    return errors.QuotaExceeded("quota_exceeded", TOO_MUCH_TALK, quota="talk", limit=str(MOST_TALK))


def check_in_progress(snapshot: Snapshot) -> errors.ChitarrellaError | None:
    if snapshot.row.aborted:
        return match_aborted()
    if snapshot.is_over:
        return errors.NotPossibleNow("match_finished", "The match is finished.")
    return None


def check_clock(snapshot: Snapshot) -> errors.ChitarrellaError | None:
    if error := check_in_progress(snapshot):
        return error
    return errors.NotPossibleNow("no_clock", "The match has no clock.") if snapshot.metadata.clock == NO_CLOCK else None


def match_aborted() -> errors.NotPossibleNow:
    return errors.NotPossibleNow("match_aborted", "The match was aborted.")


def check_advance(snapshot: Snapshot, seconds: int) -> errors.ChitarrellaError | None:
    if not snapshot.metadata.sandbox:
        return errors.NotPossibleNow("not_a_sandbox", "Only the clock of a sandbox match can be advanced.")
    if error := check_clock(snapshot):
        return error
    if snapshot.control.advanced_ms // 1000 + seconds > MAX_ADVANCED_SECONDS:
        message = f"The clock of a match can be advanced by {MAX_ADVANCED_SECONDS} seconds altogether."
        return errors.BadRequest("bad_request", message, "duration")
    return None


def check_client_seed(snapshot: Snapshot, action: ControlAction) -> errors.ChitarrellaError | None:
    if snapshot.row.aborted or snapshot.is_decided:
        return check_in_progress(snapshot)
    is_chance_due = snapshot.game.turn(snapshot.position) == CHANCE
    if not is_chance_due or snapshot.metadata.pack_source != SHARED_PACKS:
        return errors.NotPossibleNow("no_shuffle_pending", "No shuffle is waiting for seeds.")
    if action.kind == CONTRIBUTE_SEED and action.actor in dict(snapshot.control.client_seeds):
        message = f"Seat {action.actor} has added another seed to this shuffle."
        return errors.NotPossibleNow("already_contributed", message)
    return None


TERM_DIGEST_LENGTH = 32  # hexadecimal digits of the digest that stands for a term
READ_SIZE = 100  # how many entries are read at once where several filters hold
MAX_READS = 10  # how often one call reads entries; a page that is not full by then is returned as it is

CHECK_LEASE_MS = 30_000  # milliseconds after which another worker takes over matches whose expiry is being looked at


class MatchFilter(NamedTuple):
    """Which matches are listed, and in which order: those that have all of these; empty fields allow any.

    Times are in milliseconds since 1970.
    """

    external_id: str = ""
    labels: Labels = ()
    player_name: str = ""
    state: str = ""
    game: str = ""
    created_after: int = 0
    ended_after: int = 0
    winner_name: str = ""
    ascending: bool = False

    def terms(self) -> tuple[str, ...]:
        return _terms(self.external_id, dict.fromkeys((self.player_name, self.winner_name)), self.labels)

    @property
    def is_indexed(self) -> bool:
        """Whether one list of the store has exactly these matches."""
        return len(self.terms()) < 2 and self == NO_FILTER._replace(
            external_id=self.external_id,
            labels=self.labels,
            player_name=self.player_name,
            created_after=self.created_after,
            ascending=self.ascending,
        )

    def allows(self, snapshot: Snapshot) -> bool:
        metadata, control, row = snapshot.metadata, snapshot.control, snapshot.row
        if not set(self.terms()) <= set(_terms_of(metadata)) or self.game not in ("", metadata.rule_set.game):
            return False
        ended_at = row.updated_at if row.aborted else control.ended_at
        if self.state not in ("", snapshot.state) or ended_at < self.ended_after:
            return False
        end = ending(snapshot.game, snapshot.position, control) if self.winner_name else None
        names = dict(metadata.player_names)
        return not self.winner_name or self.winner_name in (names.get(seat) for seat in (end.winners if end else ()))


NO_FILTER = MatchFilter()  # the filter that all matches pass


class MatchLists:
    """The lists of matches of all platforms. Thread-safe; all state is in the store."""

    def __init__(
        self,
        repository: MatchRepository,
        store: RedisStore,
        derive: Derive,
        on_expiry: Callable[[str], None],
        announce_expiry: Callable[[str, str], None],
    ) -> None:
        """Both are called with a match that is found to have expired, ``announce_expiry`` with its platform too."""
        self._repository, self._store, self._derive = repository, store, derive
        self._on_expiry, self._announce_expiry = on_expiry, announce_expiry

    def replace(self, match: str, added: MatchMetadata, stored: MatchMetadata) -> None:
        """Correct the lists for a match that was added with other metadata than it has."""
        if self._listed(match, added)[:3] != self._listed(match, stored)[:3]:
            self.remove(match, added)
        with translate_store_errors():
            self._store.index.add(*self._listed(match, stored))

    def add_to(self, pipeline: Any, match: str, metadata: MatchMetadata) -> None:
        """Add a new match to the lists, in the pipeline that stores it."""
        self._store.index.add_to(pipeline, *self._listed(match, metadata))

    def _listed(self, match: str, metadata: MatchMetadata) -> tuple[str, str, tuple[str, ...], int]:
        platform = _platform_of(metadata)
        terms = tuple(self._digest(platform, term) for term in _terms_of(metadata))
        return platform, rows.index_entry(match, metadata.created_at), terms, _expiry_ms(metadata)

    def remove(self, match: str, metadata: MatchMetadata) -> None:
        with translate_store_errors():
            self._remove(_platform_of(metadata), rows.index_entry(match, metadata.created_at))

    def _remove(self, platform: str, entry: str) -> None:
        self._store.index.remove(platform, (entry,))
        self._store.index.expiries.set(f"{platform} {entry}", None)

    def remove_expired(self, count: int) -> int:
        """Remove those of ``count`` matches that have expired from every list; returns how many were looked at."""
        with translate_store_errors():
            found = self._store.index.expiries.claim(now_ms(), CHECK_LEASE_MS, count)
            for name in found:
                platform, _, entry = name.partition(" ")
                try:
                    metadata, _ = self._repository.load_without_rules(_match_of(entry))
                except errors.NotFound:
                    self._remove(platform, entry)
                    self._on_expiry(_match_of(entry))
                    self._announce_expiry(platform, _match_of(entry))
                else:
                    self._store.index.expiries.set(name, _expiry_ms(metadata))
        return len(found)

    def filter_digest(self, platform: str, wanted: MatchFilter) -> str:
        """A digest of a filter, the same for the same labels in any order; empty for a filter that allows any match."""
        text = repr(wanted._replace(labels=tuple(sorted(set(wanted.labels)))))
        return self._digest(platform, text) if wanted != NO_FILTER else ""

    def page(
        self, platform: str, after: str, count: int, wanted: MatchFilter = NO_FILTER
    ) -> tuple[list[tuple[str, Snapshot]], str]:
        """One page of the matches of a platform, and the index entry to go on from. The list of the first term is read
        and filtered by the rest: a page may have fewer than ``count`` matches though more follow.
        """
        terms = wanted.terms()
        term = self._digest(platform, terms[0]) if terms else ""
        size = count if wanted.is_indexed else READ_SIZE
        since = rows.index_entry("", -(-wanted.created_after // 1000)) if wanted.created_after else ""
        read = partial(self._store.index.page, platform, term=term, since=since, ascending=wanted.ascending)
        found: list[tuple[str, Snapshot]] = []
        for _ in range(MAX_READS):
            with translate_store_errors():
                entries = read(after, size + 1)
            for place, (entry, snapshot) in enumerate(self._load(platform, entries[:size]), 1):
                after = entry
                if snapshot is not None and wanted.allows(snapshot):
                    found.append((_match_of(entry), snapshot))
                if len(found) == count:
                    return found, entry if place < len(entries) else ""
            if len(entries) <= size:
                return found, ""
        return found, after

    def _load(self, platform: str, entries: list[str]) -> list[tuple[str, Snapshot | None]]:
        outcomes = self._repository.load_many([_match_of(entry) for entry in entries])
        read = list(zip(entries, outcomes, strict=True))
        with translate_store_errors():
            self._store.index.remove(platform, [entry for entry, one in read if isinstance(one, errors.NotFound)])
        return [(entry, one if isinstance(one, Snapshot) else None) for entry, one in read]

    def _digest(self, platform: str, term: str) -> str:
        return self._derive(f"{platform} {term}", "list")[:TERM_DIGEST_LENGTH]


def _expiry_ms(metadata: MatchMetadata) -> int:
    return now_ms() + metadata.ttl_seconds * 1000


def _platform_of(metadata: MatchMetadata) -> str:
    return metadata.platform or rows.ANONYMOUS


def _terms_of(metadata: MatchMetadata) -> tuple[str, ...]:
    return _terms(metadata.external_id, tuple(name for _, name in metadata.player_names), metadata.labels)


def _terms(external_id: str, names: Iterable[str], labels: Labels) -> tuple[str, ...]:
    terms = [f"external_id={external_id}"] if external_id else []
    terms += [f"player_name={name}" for name in dict.fromkeys(names) if name]
    terms += [f"label={key}={value}" for key, value in labels]
    return tuple(terms)


def _match_of(entry: str) -> str:
    return entry.partition(".")[2]


MATCH_ID_LENGTH = 20  # the length of the id of a match, in hexadecimal digits
ADDRESS_DIGEST_LENGTH = 16  # the length of what is kept of an address, in hexadecimal digits


class MatchService:
    """Creates, plays, aborts and deletes matches. Thread-safe; all state is in the store."""

    def __init__(
        self,
        catalogue: Catalogue,
        store: RedisStore,
        limits: MatchLimits = DEFAULT_LIMITS,
        on_append: OnAppend = lambda *_: None,
        count: Count = lambda *_, **__: None,
        open_matches: OpenMatchStore | None = None,
        run_long: RunLong[Any] = lambda call: call(),
        archived: MatchArchive | None = None,
    ) -> None:
        """``on_append`` is called before appends to matches of platforms; ``run_long`` holds up no event loop."""
        self._count = count
        self.repository = MatchRepository(catalogue, store, archived or MatchArchive())
        self.open_matches = OpenMatches(open_matches, store.matches, self.derive, limits)
        search_ms, on_end = limits.search_seconds * 1000, self.open_matches.close
        self.writer = LogWriter(self.repository, store, on_append, search_ms, count, on_end)
        self.lists = MatchLists(
            self.repository,
            store,
            self.derive,
            self.open_matches.note_closed,
            lambda platform, match: on_append(platform, match, rows.EXPIRED, rows.EXPIRED),
        )
        self.store, self._limits, self._secret = store, limits, b""
        self.run_long: Callable[[Callable[[], T]], T] = run_long

    def create(self, request: CreateMatch) -> CreatedMatch:
        """Create a match, play the moves of a record, and deal. Raises what the catalogue and the position codec raise,
        `errors.BadRequest`, and `errors.AlreadyExists` for a request id that was used otherwise.
        """
        catalogue = self.repository.catalogue
        request = request._replace(rule_set=catalogue.normalize(request.rule_set))
        game = catalogue.game_for(request.rule_set)
        name = self._name_of(request)
        match = self.derive(name, "match")[:MATCH_ID_LENGTH]
        seats = tuple(seat for seat in range(game.seats) if game.controller(seat) == seat)
        keys = tuple((seat, self.derive(name, f"seat {seat}")) for seat in seats)
        referee_key = self.derive(name, "referee")
        has_spectators = request.private and NO_SPECTATORS not in request.restrictions
        spectator_key = self.derive(name, "spectators") if has_spectators else ""
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
            imported=bool(request.moves),
            restrictions=request.restrictions,
            spectator_hash=digest(spectator_key) if has_spectators else "",
        )
        snapshot = self._store_new(match, *first_snapshot(metadata, game, request))
        self.writer.schedule_if_due(match, snapshot)
        self.repository.remember(match, snapshot)
        return CreatedMatch(match, keys, referee_key, snapshot, spectator_key)

    def _store_new(self, match: str, snapshot: Snapshot, entries: tuple[str, ...]) -> Snapshot:
        with translate_store_errors():
            self.writer.announce(match, snapshot.metadata.platform, 0, len(entries))
            is_finished = snapshot.is_over
            if is_finished:
                self.repository.archived.finishing(match)
            else:
                self.open_matches.add(match, snapshot)

            def add_beside(pipeline: Any) -> None:
                self.lists.add_to(pipeline, match, snapshot.metadata)
                if not is_finished:
                    self.open_matches.include(pipeline, match)

            row, platform = snapshot.row, snapshot.metadata.platform
            is_new = self.store.matches.create(match, row, entries, ttl_seconds(snapshot), platform, add_beside)
        if not is_new:
            return self._existing(match, snapshot.metadata)
        self._count("matches_created", snapshot.metadata.rule_set.game)
        return snapshot

    def _existing(self, match: str, metadata: MatchMetadata) -> Snapshot:
        """The match that an earlier call with the same request id has created. The lists forget ``metadata``, the one
        of this call. Raises `errors.AlreadyExists` where the match was deleted, or that call asked for another one.
        """
        try:
            found = self.repository.load(match)
        except errors.MatchNotFound:
            self.lists.remove(match, metadata)
            self.open_matches.close(match, metadata)
            message = "The match of this request id was deleted: take a new request id for a new match."
            raise errors.AlreadyExists("request_reused", message, "request_id") from None
        self.lists.replace(match, metadata, found.metadata)
        if found.row.aborted or found.is_over:
            self.open_matches.close(match, metadata)
        if found.metadata.request_hash != metadata.request_hash:
            raise request_reused()
        return found

    def _address_digest(self, request: CreateMatch) -> str:
        known = request.address and not request.platform
        return self.derive(request.address, "address")[:ADDRESS_DIGEST_LENGTH] if known else ""

    def _name_of(self, request: CreateMatch) -> str:
        if not request.request_id:
            return secrets.token_hex(16)
        return f"{request.platform} {request.request_id}" if request.platform else request.request_id

    def derive(self, name: str, purpose: str) -> str:
        """Derive an id or a key from the store's secret, so that a repeated request gets the same."""
        if not self._secret:
            with translate_store_errors():
                self._secret = self.store.secret()
        return hmac.digest(self._secret, f"{purpose} of {name}".encode(), "sha256").hex()[:40]

    def update(self, match: str, change: Callable[[MatchDetails], MatchDetails]) -> Snapshot:
        """Change what a platform attaches to a match, and how long it is kept."""
        while True:
            before = self.repository.load(match)
            details = change(before.metadata.details)
            if details == before.metadata.details:
                return before
            text = encode_details(details)
            metadata = before.metadata.with_details(text)
            now, is_kept_otherwise = now_ms(), details.ttl_seconds != before.metadata.ttl_seconds
            ttl = ttl_seconds(before._replace(metadata=metadata), now) if is_kept_otherwise else 0
            if before.is_over:  # the archive has its details too
                self.repository.archived.finishing(match)
            with translate_store_errors():
                if self.store.matches.update(match, before.row.details, text, ttl, now):
                    break
        self.lists.replace(match, before.metadata, metadata)
        return self.repository.load(match)

    def read_ttl(self, metadata: MatchMetadata, seconds: int) -> int:
        return self._limits.ttl(metadata.platform, seconds)

    def abort(self, match: str, reason: str = "") -> Snapshot:
        """Abort a match; one that is finished or aborted stays as it is."""
        while (before := self.repository.load(match)).state == OPEN:
            ttl, platform = before.metadata.ttl_seconds, before.metadata.platform
            with translate_store_errors():
                self.writer.announce(match, platform, rows.ABORTED, rows.ABORTED)
                if self.store.matches.abort(match, before.row, ttl, platform, now=now_ms(), reason=reason):
                    self._count("matches_aborted", before.metadata.rule_set.game)
        self.open_matches.close(match, before.metadata)
        return before

    def delete(self, match: str) -> None:
        metadata, _ = self.repository.load_without_rules(match)
        self.repository.forget(match)
        with translate_store_errors():
            self.store.matches.delete(match)
        self.lists.remove(match, metadata)
        self.open_matches.close(match, metadata)
        self.repository.archived.delete(match, metadata)

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
        snapshot, checked = cached, check_preconditions(cached, request) if cached else None
        if snapshot is None or not isinstance(checked, CheckedMove) or not checked.is_accepted:
            snapshot, position = self.writer.read(match, token if request.request_id else "")
            check_access(snapshot)
            if position is not None:
                return self.run_long(partial(self._replay_duplicate, match, snapshot, request, position))
            checked = check_preconditions(snapshot, request)
        for _ in range(MAX_ATTEMPTS):
            self.writer.check_reported(match, snapshot, request.actor, request.expected_revision, token)
            if isinstance(checked, errors.ChitarrellaError):
                raise checked
            if not checked.is_accepted:
                for refusal in checked.refusals:
                    self._count("move_refusals", snapshot.metadata.rule_set.game, refusal.code)
                return MoveResult(False, checked.refusals, snapshot.row.revision, (), snapshot)
            step = apply_at_match(snapshot.game, snapshot.position, snapshot.control, checked)
            batch = LogBatch((step.entry,), (step.events,), step.is_decision, talker=request.actor)
            outcome = self.writer.append(match, snapshot, step.position, step.control, batch, token)
            if isinstance(outcome.result, rows.Appended):
                events = seen_events(request.actor, outcome.events)
                return MoveResult(True, checked.refusals, outcome.snapshot.row.revision, events, outcome.snapshot)
            check_access(outcome.snapshot)
            if isinstance(outcome.result, rows.Duplicate):
                found = outcome.result.position
                return self.run_long(partial(self._replay_duplicate, match, outcome.snapshot, request, found))
            snapshot = outcome.snapshot
            checked = check_preconditions(snapshot, request)
        raise too_many_conflicts()

    def _replay_duplicate(self, match: str, snapshot: Snapshot, request: MoveRequest, position: int) -> MoveResult:
        """Return the result of the first request to a repeated one; its entry is at ``position`` of the log."""
        entry, end = format_entry(request.actor, request.move), position + 1
        replay = self.repository.replay(match, snapshot, lambda one: one.length <= position)
        check_repeated(replay.entries, position - replay.start, entry.__eq__)
        history = replay.run(position)
        refusals = validate_move(history.game, history.position, request.actor, request.move)
        if snapshot.metadata.pack_source != REFEREE_PACKS:
            is_behind = partial(_is_chance_entry, at=rows.untimed(replay.entries[position - replay.start])[1])
            end += len(list(takewhile(is_behind, replay.entries[end - replay.start :])))
        events = seen_events(request.actor, [step.events for step in replay.steps(end)])
        row = snapshot.row._replace(revision=history.revision)
        after = Snapshot(row, snapshot.metadata, history.game, history.position, history.control)
        return MoveResult(True, refusals, history.revision, events, after, repeated=True)


def _is_chance_entry(entry: str, at: int) -> bool:
    return entry.startswith(f"{CHANCE_NAME} ") and rows.untimed(entry)[1] == at and not parse_action(entry)
