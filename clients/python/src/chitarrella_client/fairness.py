"""Checking a draw without asking anybody: the shuffle of the service, said once more in a few lines.

The commitment was published before the draw and is the SHA-256 of the nonce; the order follows from the nonce, the
number of the draw and the words that the seats had added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from chitarrella_client.draws import Draw


def is_fair(draw: Draw, pack: Sequence[str] = ()) -> bool:
    """Tell whether a draw came out as its commitment promised; ``pack`` is that of the game, as the catalogue has it.

    A lot needs no pack. A draw that was handed in, or whose nonce is not told yet, is not proved. That it is what was
    promised before the draw (``next_commitment``) only they can see who have kept the promise.
    """
    if not draw.nonce or sha256(draw.nonce.encode()).hexdigest() != draw.commitment:
        return False
    if draw.lots:
        return order(sorted(draw.lots), draw)[:1] == [draw.amount]
    return tuple(order(sorted(draw.cards, key=list(pack).index), draw)) == draw.cards


def order(things: Sequence[Any], draw: Draw) -> list[Any]:
    """Shuffle things, given in their canonical order, as the draw did."""
    shuffled, numbers = list(things), _numbers(draw)
    for place in range(len(shuffled) - 1, 0, -1):
        drawn = next(n for n in numbers if n < 2**64 - 2**64 % (place + 1)) % (place + 1)
        shuffled[place], shuffled[drawn] = shuffled[drawn], shuffled[place]
    return shuffled


def _numbers(draw: Draw) -> Iterator[int]:
    """Give 64-bit numbers without end: blocks of SHA-256 over the key and a counter."""
    words = "".join(f"{word.seat} {word.word}\n" for word in draw.words)
    key = sha256(f"chitarrella draw 1\n{draw.nonce}\n{draw.number}\n{words}".encode()).digest()
    block = 0
    while True:
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1
