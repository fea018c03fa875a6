"""The lists of a platform's matches: all of them, and those with an external id, a label, or a player of a name.

Each such term has a list of its own in the store, named by a keyed digest: no name of a person stands in a key there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from chitarrella import errors
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.metadata import Labels, MatchMetadata
from chitarrella.matches.model import Snapshot
from chitarrella.matches.repository import MatchRepository, translate_store_errors
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import ANONYMOUS, index_entry

TERM_DIGEST_LENGTH = 32
"""Hexadecimal digits of the digest that stands for a term."""
READ_SIZE = 100
"""How many entries are read at once where several filters hold."""
MAX_READS = 10
"""How often one call reads entries; a page that is not full by then is returned as it is."""

CHECK_LEASE_MS = 30_000
"""Milliseconds after which another worker takes over matches whose expiry is being looked at."""

Derive = Callable[[str, str], str]
"""Derives a text of hexadecimal digits from the secret of the store, by a name and a purpose."""


class MatchFilter(NamedTuple):
    """Which matches are listed: those that have all of these; empty fields allow any."""

    external_id: str = ""
    labels: Labels = ()
    player_name: str = ""

    def terms(self) -> tuple[str, ...]:
        """The terms that a match must have; the one that is likely to be the rarest comes first."""
        return _terms(self.external_id, (self.player_name,), self.labels)


NO_FILTER = MatchFilter()
"""The filter that all matches pass."""


class MatchLists:
    """The lists of matches of all platforms. Thread-safe; all state is in the store."""

    def __init__(self, repository: MatchRepository, store: RedisStore, derive: Derive) -> None:
        """List the matches of ``repository``, which are in ``store``; ``derive`` makes digests."""
        self._repository = repository
        self._store = store
        self._derive = derive
        self.on_expiry: Callable[[str], None] = lambda _: None
        """Called with a match that is found to have expired."""

    def add(self, match: str, metadata: MatchMetadata) -> None:
        """Add a match to the lists of its platform. Idempotent."""
        platform = _platform_of(metadata)
        terms = tuple(self._digest(platform, term) for term in _terms_of(metadata))
        with translate_store_errors():
            entry = index_entry(match, metadata.created_at)
            self._store.index.expiries.set(f"{platform} {entry}", _expiry_ms(metadata))
            self._store.index.add(platform, match, metadata.created_at, terms)

    def remove(self, match: str, metadata: MatchMetadata) -> None:
        """Remove a match from every list of its platform. Idempotent."""
        with translate_store_errors():
            self._remove(_platform_of(metadata), index_entry(match, metadata.created_at))

    def _remove(self, platform: str, entry: str) -> None:
        self._store.index.remove(platform, (entry,))
        self._store.index.expiries.set(f"{platform} {entry}", None)

    def remove_expired(self, count: int) -> int:
        """Look at ``count`` matches that may have expired, and remove those that have from every list.

        Returns how many were looked at. A match that is still there is looked at again when it may have expired.
        """
        with translate_store_errors():
            found = self._store.index.expiries.claim(now_ms(), CHECK_LEASE_MS, count)
            for name in found:
                platform, _, entry = name.partition(" ")
                try:
                    metadata, _ = self._repository.load_without_rules(_match_of(entry))
                except errors.NotFound:
                    self._remove(platform, entry)
                    self.on_expiry(_match_of(entry))
                else:
                    self._store.index.expiries.set(name, _expiry_ms(metadata))
        return len(found)

    def filter_digest(self, platform: str, wanted: MatchFilter) -> str:
        """A digest of a filter, the same for the same terms in any order; empty for a filter that allows any match."""
        terms = sorted(set(wanted.terms()))
        return self._digest(platform, "\n".join(terms)) if terms else ""

    def page(
        self, platform: str, after: str, count: int, wanted: MatchFilter = NO_FILTER
    ) -> tuple[list[tuple[str, Snapshot]], str]:
        """One page of the matches of a platform, the latest first, and the index entry to go on from.

        The list of the first term is read, and filtered by the others: a page may have fewer than ``count`` matches
        though more follow. Matches that have expired are removed from the lists; those whose rules are unknown here
        are left out.
        """
        terms = wanted.terms()
        term = self._digest(platform, terms[0]) if terms else ""
        size = READ_SIZE if len(terms) > 1 else count
        found: list[tuple[str, Snapshot]] = []
        for _ in range(MAX_READS):
            with translate_store_errors():
                entries = self._store.index.page(platform, after, size + 1, term)
            for place, (entry, snapshot) in enumerate(self._load(platform, entries[:size]), 1):
                after = entry
                if snapshot is not None and set(terms) <= set(_terms_of(snapshot.metadata)):
                    found.append((_match_of(entry), snapshot))
                if len(found) == count:
                    return found, entry if place < len(entries) else ""
            if len(entries) <= size:
                return found, ""
        return found, after

    def _load(self, platform: str, entries: list[str]) -> list[tuple[str, Snapshot | None]]:
        """Read the matches of entries, None for those that cannot be listed, and remove the expired from all lists."""
        outcomes = self._repository.load_many([_match_of(entry) for entry in entries])
        read = list(zip(entries, outcomes, strict=True))
        with translate_store_errors():
            self._store.index.remove(platform, [entry for entry, one in read if isinstance(one, errors.NotFound)])
        return [(entry, one if isinstance(one, Snapshot) else None) for entry, one in read]

    def _digest(self, platform: str, term: str) -> str:
        return self._derive(f"{platform} {term}", "list")[:TERM_DIGEST_LENGTH]


def _expiry_ms(metadata: MatchMetadata) -> int:
    """When a match expires at the earliest if nothing happens at it from now on, in milliseconds since 1970."""
    return now_ms() + metadata.ttl_seconds * 1000


def _platform_of(metadata: MatchMetadata) -> str:
    """The platform under which a match is listed."""
    return metadata.platform or ANONYMOUS


def _terms_of(metadata: MatchMetadata) -> tuple[str, ...]:
    """The terms by which a match is found."""
    return _terms(metadata.external_id, tuple(name for _, name in metadata.player_names), metadata.labels)


def _terms(external_id: str, names: tuple[str, ...], labels: Labels) -> tuple[str, ...]:
    terms = [f"external_id={external_id}"] if external_id else []
    terms += [f"player_name={name}" for name in dict.fromkeys(names) if name]
    terms += [f"label={key}={value}" for key, value in labels]
    return tuple(terms)


def _match_of(entry: str) -> str:
    """The match of an index entry."""
    return entry.partition(".")[2]
