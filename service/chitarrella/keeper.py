"""Reading kept matches: the last page, what was agreed, the story, the record.

A worker remembers the last page of matches it has served. That may be out of date, and it does not matter: a move is
added only behind the page it was judged on, and nothing is refused before the page has been read afresh.
"""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from chitarrella import errors
from chitarrella.affairs import read_affairs
from chitarrella.catalogue import Catalogue, EditionNotKept, UnknownGame
from chitarrella.chronicle import Chronicle
from chitarrella.drawing import draws_of, proof_of
from chitarrella.header import Header, read_header
from chitarrella.kept import Seen
from chitarrella.memory import Memory
from chitarrella.option import BadChoice
from chitarrella.record import Record, write_record
from chitarrella.sheet import BadPosition
from chitarrella.store import NoSuchMatch, Page, Store, StoreAway

REMEMBERED = 5_000
"""How many matches a worker remembers the last page of."""


Announce = Callable[[str, str, int, int], None]
"""Hears the platform, the match, and the numbers of the first line to be added and of the one after the last."""


@contextmanager
def store_errors(match: str = "") -> Iterator[None]:
    """Say in the service's words what the store says in its own."""
    try:
        yield
    except NoSuchMatch as error:
        raise errors.MatchNotFound from error
    except StoreAway as error:
        raise errors.StoreDown() from error


class Keeper:
    """Reads matches. Safe to be used by many threads; all state is in the store."""

    def __init__(
        self,
        catalogue: Catalogue,
        store: Store,
        expires: int = 7 * 24 * 3600,
        announce: Announce = lambda *_: None,
    ) -> None:
        """Judge by ``catalogue``, keep matches in ``store``, forget them ``expires`` seconds after a move.

        ``announce`` is told, before they are added, which lines of the log of which match of which platform come next.
        """
        self.catalogue = catalogue
        self.store = store
        self._expires = expires
        self._announce = announce
        self._memory: Memory[Seen] = Memory(REMEMBERED)
        self._secret = b""
        self.due = threading.Event()
        """Set when something is to be seen to at once at some match."""

    def see(self, match: str) -> Seen:
        """Read the last page of a match; raises `errors.NotFound`."""
        return self.read(match, "")[0]

    def read(self, match: str, request: str) -> tuple[Seen, int | None]:
        """Read the last page of a match, and the place in the log of what ``request`` did, if it did something."""
        with store_errors(match):
            page, number = self.store.last(match, request)
        return self._seen(match, page), number

    def _seen(self, match: str, page: Page) -> Seen:
        """Make sense of a page; what is remembered of it need not be read again."""
        known = self._memory.get(match)
        if known is not None and known.page == page:
            return known
        remembered = known is not None and known.page.header == page.header  # a match of that name may be a new one
        header = known.header if known is not None and remembered else read_header(page.header)
        try:
            game = self.catalogue.seat(header.agreement)
            position = game.read(page.position)
        except EditionNotKept as error:
            raise errors.NotPossibleNow("edition_not_kept", str(error)) from error
        except (UnknownGame, BadChoice, BadPosition) as error:  # the text of the last may name a card
            because = "This match was kept by a release of other rules, and cannot go on here."
            raise errors.NotPossibleNow("edition_not_kept", because) from error
        seen = Seen(page, header, game, position, read_affairs(page.affairs))
        self._memory.keep(match, seen)
        return seen

    def known(self, match: str) -> Seen:
        """Recall a match without asking the store, if it is remembered; what never changes about it is right."""
        return self._memory.get(match) or self.see(match)

    def header(self, match: str) -> Header:
        """Read what never changes about a match, also where its rules are not kept here; raises `errors.NotFound`."""
        with store_errors(match):
            return read_header(self.store.last(match)[0].header)

    def chronicle(self, match: str) -> tuple[Chronicle, list[str]]:
        """Give the beginning of a match's story and the lines that tell it."""
        seen = self.known(match)
        return Chronicle(seen.game, seen.header.position), self.moves(match)

    def moves(self, match: str, start: int = 0) -> list[str]:
        """Read the log of a match from move ``start`` on."""
        with store_errors(match):
            return self.store.moves(match, start)

    def record(self, match: str) -> str:
        """Write the record of a match; when it is over, with the proofs of its draws."""
        story, lines = self.chronicle(match)
        header = self.known(match).header
        fair = [draw for draw in draws_of(story, lines, header) if draw.fair]
        proofs = map(partial(proof_of, header), fair) if story.game.over(story.position) else ()
        record = Record(header.agreement, header.position, tuple(story.standing), tuple(proofs))
        return write_record(self.catalogue, record)

    def opened_by(self, platform: str, after: str, count: int) -> tuple[list[tuple[str, Seen]], str]:
        """List matches of a platform, the latest first, behind a place in the list; gives where the next page begins.

        What has been forgotten meanwhile is taken off the list; what is played by rules that are not kept here is
        passed over.
        """
        with store_errors():
            entries = self.store.listed(platform, after, count + 1)
        page, more = entries[:count], len(entries) > count
        found, gone = [], []
        for entry in page:
            match = entry.partition(".")[2]
            try:
                found.append((match, self.see(match)))
            except errors.NotFound:
                gone.append(entry)
            except errors.NotPossibleNow:
                continue
        with store_errors():
            self.store.strike(platform, gone)
        return found, page[-1] if more else ""

    def _derived(self, name: str, what: str) -> str:
        """Make a key or a name out of the store's secret, so that a repeated call makes the same."""
        if not self._secret:
            with store_errors():
                self._secret = self.store.secret()
        return hmac.new(self._secret, f"{what} of {name}".encode(), "sha256").hexdigest()[:40]
