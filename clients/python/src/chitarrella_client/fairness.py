"""Verification of a shuffle on the client: an independent implementation of the service's provable shuffle.

The commitment, published before the shuffle, is the SHA-256 of the nonce.  The order of the cards follows from the
nonce, the number of the shuffle and the seeds of the seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from chitarrella_client.shuffles import Shuffle


def is_fair(shuffle: Shuffle, pack: Sequence[str] = ()) -> bool:
    """Whether a shuffle follows from its commitment; ``pack`` is the pack of the game in the order of the catalogue.

    A lot needs no pack.  False for a shuffle that was supplied, or whose nonce is not published yet.  The caller has to
    compare the commitment with the one that was published before the shuffle (``next_commitment``).
    """
    if not shuffle.nonce or sha256(shuffle.nonce.encode()).hexdigest() != shuffle.commitment:
        return False
    if shuffle.lots:
        return order(sorted(shuffle.lots), shuffle)[:1] == [shuffle.amount]
    return tuple(order(sorted(shuffle.cards, key=list(pack).index), shuffle)) == shuffle.cards


def order(items: Sequence[Any], shuffle: Shuffle) -> list[Any]:
    """Return the items, given in canonical order, in the order of the shuffle (Fisher-Yates)."""
    shuffled, numbers = list(items), _numbers(shuffle)
    for last in range(len(shuffled) - 1, 0, -1):
        chosen = next(n for n in numbers if n < 2**64 - 2**64 % (last + 1)) % (last + 1)
        shuffled[last], shuffled[chosen] = shuffled[chosen], shuffled[last]
    return shuffled


def _numbers(shuffle: Shuffle) -> Iterator[int]:
    """Yield 64-bit numbers without end: blocks of SHA-256 over the key and a counter."""
    seeds = "".join(f"{one.seat} {one.seed}\n" for one in shuffle.client_seeds)
    # The first line is part of the algorithm: another one would give another order.
    key = sha256(f"chitarrella shuffle 1\n{shuffle.nonce}\n{shuffle.number}\n{seeds}".encode()).digest()
    block = 0
    while True:
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1
