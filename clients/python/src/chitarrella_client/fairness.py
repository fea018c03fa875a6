"""Verification of a draw on the client: an independent implementation of the service's provable shuffle.

The commitment, published before the draw, is the SHA-256 of the nonce.  The order of the cards follows from the nonce,
the number of the draw and the contributions of the seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from chitarrella_client.draws import Draw


def is_fair(draw: Draw, pack: Sequence[str] = ()) -> bool:
    """Whether a draw follows from its commitment; ``pack`` is the pack of the game in the order of the catalogue.

    A lot needs no pack.  A draw that the referee supplied, or whose nonce is not published yet, is not proved.  The
    caller has to compare the commitment with the one that was published before the draw (``next_commitment``).
    """
    if not draw.nonce or sha256(draw.nonce.encode()).hexdigest() != draw.commitment:
        return False
    if draw.lots:
        return order(sorted(draw.lots), draw)[:1] == [draw.amount]
    return tuple(order(sorted(draw.cards, key=list(pack).index), draw)) == draw.cards


def order(items: Sequence[Any], draw: Draw) -> list[Any]:
    """Return the items, given in canonical order, in the order of the draw (a Fisher-Yates shuffle)."""
    shuffled, numbers = list(items), _numbers(draw)
    for place in range(len(shuffled) - 1, 0, -1):
        drawn = next(n for n in numbers if n < 2**64 - 2**64 % (place + 1)) % (place + 1)
        shuffled[place], shuffled[drawn] = shuffled[drawn], shuffled[place]
    return shuffled


def _numbers(draw: Draw) -> Iterator[int]:
    """Yield 64-bit numbers without end: blocks of SHA-256 over the key and a counter."""
    words = "".join(f"{word.seat} {word.word}\n" for word in draw.words)
    key = sha256(f"chitarrella draw 1\n{draw.nonce}\n{draw.number}\n{words}".encode()).digest()
    block = 0
    while True:
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1
