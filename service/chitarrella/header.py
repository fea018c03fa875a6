"""What never changes about a match, as one short line of JSON in the store."""

from __future__ import annotations

import json
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from chitarrella.catalogue import Agreement
from chitarrella.words import CHANCE, Seat

KEY_DIGITS = 32


class Clock(NamedTuple):
    """How long a decision may take, and what each seat has beside that for the whole match, in milliseconds."""

    move: int = 0
    bank: int = 0

    @property
    def runs(self) -> bool:
        """Tell whether there is a clock at all."""
        return bool(self.move or self.bank)


NO_CLOCK = Clock()


class Header(NamedTuple):
    """The agreement, the position the match began from, who deals, how long it is kept, and the keys' hashes.

    ``keys`` hold a hash for every person's seat, in the order of ``seats``, then one for the referee. ``asked`` stands
    for the whole request that made the match, so that another one under the same name is noticed. ``seed`` is the
    secret that every draw of the match follows from. Into a ``private`` match nobody looks without a key. ``platform``
    is the one that opened it, if it showed its key, ``opened_at`` in seconds since 1970. ``clock`` says how
    long a seat may think.
    """

    agreement: Agreement
    position: str
    packs: str
    expires: int
    seats: tuple[Seat, ...]
    keys: tuple[str, ...]
    asked: str
    seed: str
    private: bool = False
    platform: str = ""
    opened_at: int = 0
    clock: Clock = NO_CLOCK

    def role(self, key: str) -> Seat | None:
        """Say which seat ``key`` opens, `CHANCE` for the referee's; None where it opens nothing."""
        given = hashed(key)
        found: Seat | None = None
        for seat, kept in zip((*self.seats, CHANCE), self.keys, strict=True):
            if compare_digest(given, kept):
                found = seat
        return found


def hashed(text: str) -> str:
    """Hash a key, or anything else that need not be kept as it is."""
    return sha256(text.encode()).hexdigest()[:KEY_DIGITS]


def write_header(header: Header) -> str:
    """Put a header into one line."""
    agreement = header.agreement
    row = [list(agreement[:2]), dict(agreement.options), agreement.edition, *header[1:]]
    return json.dumps(row, separators=(",", ":"))


def read_header(text: str) -> Header:
    """Read that line; it was written by this service, so it is not doubted."""
    (game, players), options, edition, position, packs, expires, seats, keys, *rest, clock = json.loads(text)
    agreement = Agreement(game, players, tuple(sorted(options.items())), edition)
    asked, seed, private, platform, opened_at = rest
    return Header(
        agreement, position, packs, expires, tuple(seats), tuple(keys), asked, seed, private, platform, opened_at,
        Clock(*clock),
    )  # fmt: skip
