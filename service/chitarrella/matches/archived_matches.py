"""Answers about matches that have expired in the store: from the archive, into the store, and from there as ever.

A match that is asked for and not found is looked up in the archive. If it is there, it is stored again for a while, so
that one path serves views, records, shuffle proofs and watchers of all matches. Ids that are in neither are remembered
for a minute: a caller who tries ids costs the archive one look each.
"""

from __future__ import annotations

import logging
import re
from threading import Lock

from cachetools import TTLCache

from chitarrella import errors
from chitarrella.matches.archive import KEEP_SECONDS, copy_name, names_of, parse_copy
from chitarrella.matches.metadata import MatchMetadata
from chitarrella.matches.model import RunLong
from chitarrella.matches.repository import translate_store_errors
from chitarrella.matches.service import MATCH_ID_LENGTH
from chitarrella.storage.archive import Archive, ArchiveError, MatchCopyStore

UNKNOWN_SECONDS = 60.0
"""For so long an id that the archive does not know is not looked up again."""
UNKNOWN_IDS = 10_000
"""How many such ids are remembered."""
MATCH_ID = re.compile(rf"[0-9a-f]{{{MATCH_ID_LENGTH}}}")
"""The id of a match; nothing else is looked up."""
LOG = logging.getLogger("chitarrella")


class ArchivedMatches:
    """The matches of an archive. Thread-safe."""

    def __init__(
        self,
        archive: Archive,
        copies: MatchCopyStore,
        run_long: RunLong = lambda call: call(),
        keep_seconds: int = KEEP_SECONDS,
    ) -> None:
        """Restore matches of ``archive`` for ``keep_seconds``; ``run_long`` runs what must not hold up a loop."""
        self._archive, self._copies, self._run_long, self._keep_seconds = archive, copies, run_long, keep_seconds
        self._unknown: TTLCache[str, bool] = TTLCache(UNKNOWN_IDS, UNKNOWN_SECONDS)
        self._lock = Lock()

    def restore(self, match: str) -> bool:
        """Store a match again that the store does not have; False where the archive has none either.

        Raises `errors.StoreUnavailable` where the archive does not answer: the match may be there.
        """
        if not MATCH_ID.fullmatch(match):
            return False
        with self._lock:
            if match in self._unknown:
                return False
        return self._run_long(lambda: self._restore(match))

    def _restore(self, match: str) -> bool:
        try:
            text = self._archive.get(copy_name(match))
            copy = None if text is None else parse_copy(text)
        except ArchiveError as error:
            LOG.warning("the archive does not answer: %s", error)
            raise errors.StoreUnavailable from error
        except ValueError as error:  # its text may hold a card
            LOG.error("the archive has a match that cannot be read")
            raise errors.StoreUnavailable from error
        if copy is None:
            with self._lock:
                self._unknown[match] = True
            return False
        with translate_store_errors():
            self._copies.restore(copy, self._keep_seconds)
        return True

    def delete(self, match: str, metadata: MatchMetadata) -> None:
        """Delete a match from the archive, if it is there, once it was deleted from the store.

        Raises `errors.StoreUnavailable` where the archive does not answer: the caller repeats the deletion then, which
        finds the match here.
        """
        try:
            for name in names_of(match, metadata.created_at):
                self._archive.delete(name)
        except ArchiveError as error:
            LOG.warning("the archive does not delete a match: %s", error)
            raise errors.StoreUnavailable from error
