"""The repository of matches: reads them from the store through a cache.

A worker caches the snapshots of the matches that it served last. A cached snapshot may be out of date, and that does no
harm: entries are appended only behind the row that the move was checked on, and no request is refused before the row
has been read from the store.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from typing import Generic, TypeVar

from chitarrella import errors
from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import Catalogue, UnknownEdition, UnknownGame
from chitarrella.core.model import Seat
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import InvalidOption
from chitarrella.matches.chance import proof_of, shuffles_of
from chitarrella.matches.history import Checkpoint, Checkpoints, MatchHistory, Replay, resumed
from chitarrella.matches.metadata import (
    TAKE_BACK,
    ControlState,
    MatchMetadata,
    Snapshot,
    decode_control,
    decode_metadata,
    ending_lines,
)
from chitarrella.matches.presence import Presence
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import MatchRow, NoSuchMatch, StoreError, chain_digest


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


CACHE_SIZE = 5_000  # how many matches a worker caches


class translate_store_errors(AbstractContextManager[None]):  # noqa: N801 - it is called as a function is
    """Raise `errors.MatchNotFound` and `errors.StoreUnavailable` for the errors of the store in the block."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NoSuchMatch):
            raise errors.MatchNotFound from error
        if isinstance(error, StoreError):
            raise errors.StoreUnavailable from error


T = TypeVar("T")


class Cache(Generic[T]):
    """The values used last, by key. `cachetools.LRUCache` takes several times as long, for each move."""

    def __init__(self, size: int) -> None:
        """Create an empty cache of up to ``size`` values."""
        self._values, self._size = OrderedDict[str, T](), size
        self._lock = threading.Lock()

    def get(self, key: str) -> T | None:
        with self._lock:
            if (value := self._values.get(key)) is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: str, value: T) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)

    def remove(self, key: str) -> None:
        self.take(key)

    def take(self, key: str) -> T | None:
        with self._lock:
            return self._values.pop(key, None)


class MatchArchive:
    """The archive of a service that has none; `chitarrella.matches.archive.ArchivedMatches` has one."""

    def finishing(self, match: str) -> None:
        """Note a match that finishes, before and after the append that finishes it."""

    def restore(self, match: str) -> bool:
        """Store a match again that has expired; False where none is archived."""
        return False

    def delete(self, match: str, metadata: MatchMetadata) -> None:
        """Delete what is archived of a match."""


class MatchRepository:
    """Reads matches. Thread-safe; all state is in the store."""

    def __init__(self, catalogue: Catalogue, store: RedisStore, archived: MatchArchive) -> None:
        self.catalogue, self._store, self.archived = catalogue, store, archived
        self._cache: Cache[Snapshot] = Cache(CACHE_SIZE)
        self.checkpoints = Checkpoints()
        self.presence = Presence(store.matches, self.cached)
        # Records that revisions of a match, up to a number, are not in the store any more; returns the match then
        self.on_loss: Callable[[str, Snapshot, int], Snapshot] = lambda match, snapshot, lost: snapshot

    def load(self, match: str) -> Snapshot:
        return self.read(match, "")[0]

    def read(self, match: str, token: str) -> tuple[Snapshot, int | None]:
        """Read a match, and the place in its log of what the request ``token`` added. Raises `errors.NotFound`."""
        while True:
            row, position = self._load_row(match, token)
            snapshot = self.snapshot(match, row)
            if snapshot.row == row or not token:
                return snapshot, position
            # The row was out of date, and so may be what was read of the token.

    def _load_row(self, match: str, token: str = "") -> tuple[MatchRow, int | None]:
        """Read the row of a match, of an archived one too. Raises `errors.NotFound`."""
        with translate_store_errors():
            try:
                return self._store.matches.load(match, token)
            except NoSuchMatch:
                if not self.archived.restore(match):
                    raise
                return self._store.matches.load(match, token)

    def load_many(self, matches: Sequence[str]) -> list[Snapshot | errors.ChitarrellaError]:
        """Read several matches, not archived ones, in one round trip; an error in place of one that cannot be read."""
        with translate_store_errors():
            rows = self._store.matches.load_many(matches)
        return [
            _or_error(partial(self.snapshot, match, row)) if row else errors.MatchNotFound()
            for match, row in zip(matches, rows, strict=True)
        ]

    def load_each(self, matches: Sequence[str]) -> list[Snapshot | errors.ChitarrellaError]:
        return [
            _or_error(partial(self.load, match)) if isinstance(outcome, errors.MatchNotFound) else outcome
            for match, outcome in zip(matches, self.load_many(matches), strict=True)
        ]

    def snapshot(self, match: str, row: MatchRow) -> Snapshot:
        """Decode a row; what is cached is not decoded again. Raises `errors.NotPossibleNow` for unknown rules."""
        cached = self._cache.get(match)
        if cached is None or cached.row.metadata != row.metadata:  # the id may be that of a new match
            return self._decode(match, row, _metadata_of(row))
        if cached.row == row:
            return cached
        if follows(row, cached.row):
            return self._decode(match, row, _metadata_of(row, cached))
        return self._check_loss(match, cached)

    def _check_loss(self, match: str, seen: Snapshot) -> Snapshot:
        """Read a match again whose row does not seem to follow the row of ``seen``; where it does not, record the loss.

        It may follow: the row may have been read before ``seen`` was, or more was appended than the row can tell.
        """
        with translate_store_errors():
            row, _ = self._store.matches.load(match)
        if row.metadata != seen.row.metadata:
            return self._decode(match, row, _metadata_of(row))
        if follows(row, seen.row) or self._continues(match, row, seen.row):
            return self._decode(match, row, _metadata_of(row, seen))
        # Until the loss is recorded ``seen`` stays in the cache: another call would not know of it.
        found = self.on_loss(match, self._decoded(row, seen.metadata), seen.row.revision)
        self.remember(match, found)
        return found

    def _continues(self, match: str, row: MatchRow, seen: MatchRow) -> bool:
        if row.length <= seen.length or (seen.aborted and not row.aborted):
            return False
        entries = self.read_log(match, seen.length)[: row.length - seen.length]
        return chain_digest(seen.log_digest, tuple(entries)) == row.log_digest

    def check_log(self, match: str, row: MatchRow) -> None:
        if chain_digest("", (row.metadata, *self.read_log(match)[: row.length])) != row.log_digest:
            raise ValueError("the log of the match does not lead to its row")

    def _decode(self, match: str, row: MatchRow, metadata: MatchMetadata) -> Snapshot:
        snapshot = self._decoded(row, metadata)
        self.remember(match, snapshot)
        return snapshot

    def _decoded(self, row: MatchRow, metadata: MatchMetadata) -> Snapshot:
        try:
            game = self.catalogue.game_for(metadata.rule_set)
            position = game.decode(row.position)
        except UnknownEdition as error:
            raise errors.NotPossibleNow("edition_not_supported", str(error)) from error
        except UnknownGame as error:
            message = f"The game {metadata.rule_set.game} of this match is not installed here; the match is kept."
            raise errors.NotPossibleNow("game_not_installed", message) from error
        except (InvalidOption, InvalidPosition) as error:  # the text of the last may name a card
            message = "This match was stored by a release with other rules, and cannot be continued by this one."
            raise errors.NotPossibleNow("edition_not_supported", message) from error
        return Snapshot(row, metadata, game, position, decode_control(row.control))

    def remember(self, match: str, snapshot: Snapshot) -> None:
        self._cache.put(match, snapshot)

    def forget(self, match: str) -> None:
        self._cache.remove(match)

    def cached(self, match: str) -> Snapshot:
        """A match that may be out of date, and so may its keys; its metadata is right. Raises `errors.NotFound`."""
        return self._cache.get(match) or self.load(match)

    def load_without_rules(self, match: str) -> tuple[MatchMetadata, ControlState]:
        """Read what is independent of the rules, which may be unknown here. Raises `errors.NotFound`."""
        row, _ = self._load_row(match)
        return _metadata_of(row), decode_control(row.control)

    def read_log(self, match: str, start: int = 0) -> list[str]:
        with translate_store_errors():
            return self._store.matches.read_log(match, start)

    def history(self, match: str) -> tuple[MatchHistory, list[str]]:
        snapshot = self.cached(match)
        return MatchHistory(snapshot.game, snapshot.metadata.position), self.read_log(match)

    def replay(
        self, match: str, snapshot: Snapshot, is_before: Callable[[Checkpoint], bool] = lambda _: True
    ) -> Replay:
        """The log that leads to ``snapshot``, and what was appended since, to be replayed.

        It begins at the last checkpoint that ``is_before`` what is wanted, and at the beginning where there is none, or
        where the entries behind it do not lead to the row.
        """
        row, keep = snapshot.row, partial(self.checkpoints.add, match)
        for one in self.checkpoints.nearest(match, lambda one: one.length <= row.length and is_before(one)):
            entries = self.read_log(match, one.length)
            if not one.leads_to(row, entries):
                self.checkpoints.forget(match)
                break
            if one.is_closed or not any(TAKE_BACK in entry for entry in entries):
                return Replay(resumed(snapshot.game, one), entries, one.log_digest, keep)
        history = MatchHistory(snapshot.game, snapshot.metadata.position)
        return Replay(history, self.read_log(match), chain_digest("", (row.metadata,)), keep)

    def format_record(self, match: str) -> str:
        """Write the record of a match; of a finished one with the proofs of its shuffles."""
        history, entries = self.history(match)
        metadata = self.cached(match).metadata
        provable = [shuffle for shuffle in shuffles_of(history, entries, metadata) if shuffle.is_provable]
        is_finished = history.is_over
        proofs = tuple(map(partial(proof_of, metadata), provable)) if is_finished else ()
        record = Record(metadata.rule_set, metadata.position, tuple(history.effective_moves), proofs, metadata.sandbox)
        times, endings = tuple(map(time_text, history.effective_times)), ending_lines(entries)
        return format_record(self.catalogue, record._replace(times=times, endings=endings))


def _metadata_of(row: MatchRow, known: Snapshot | None = None) -> MatchMetadata:
    """Decode the metadata of a row; that of a ``known`` row of the same match is taken where nothing has changed."""
    if known is not None and known.row.details == row.details:
        return known.metadata
    return decode_metadata(row.metadata).with_details(row.details)


def time_text(at: int) -> str:
    """The time ``at``, in milliseconds since 1970, as RFC 3339 has it; empty for 0."""
    if not at:
        return ""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _or_error(load: Callable[[], Snapshot]) -> Snapshot | errors.ChitarrellaError:
    try:
        return load()
    except (errors.MatchNotFound, errors.NotPossibleNow) as error:
        return error
