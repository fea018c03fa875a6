"""Provably fair shuffles by commit and reveal: nobody can steer the order, and everybody can check it afterwards.

Before a shuffle or a lot the service publishes a commitment: the SHA-256 of a nonce that it keeps secret. Each seat may
then add a client seed. The order follows from both:

1. The text is the line ``chitarrella shuffle 1``, the nonce (64 hexadecimal digits), the number of the shuffle, and a
   line ``SEAT CLIENT_SEED`` for each seat that added one, in the order of seats. Each line ends with a line feed.
2. The key is the SHA-256 of that text in UTF-8. Block i (from 0) is the SHA-256 of the key followed by i in 8 bytes,
   most significant first. A block gives four numbers of 8 bytes, most significant first.
3. The items start in canonical order (`chitarrella.core.cards.Pack`), copies side by side; lots in ascending order.
   For each index from the last down to 1: take the next number, and another one as long as it is not below the
   greatest multiple of ``index + 1`` in 2^64. Swap the item at the index with the item at ``number mod (index + 1)``.
4. The items in their new order are the pack, first card first. Of lots the first is drawn.

When the nonce can reveal nothing any more it is published; `verify` checks the shuffle against the commitment.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

TITLE = "chitarrella shuffle 1"
"""The first line of the hashed text; it names the version of the algorithm."""
NUMBER_RANGE = 2**64
"""The number of values of a 64-bit number."""

ClientSeeds = tuple[tuple[int, str], ...]
"""The client seeds with their seats, in the order of seats."""


def derive_nonce(seed: str, number: int) -> str:
    """Return the nonce of shuffle ``number`` in a match with this secret seed, as 64 hexadecimal digits."""
    return hmac.digest(seed.encode(), f"shuffle {number}".encode(), "sha256").hex()


def commit(nonce: str) -> str:
    """Return the commitment to a nonce, as 64 hexadecimal digits."""
    return sha256(nonce.encode()).hexdigest()


def shuffle(items: Sequence[T], nonce: str, number: int, client_seeds: ClientSeeds = ()) -> tuple[T, ...]:
    """Return ``items``, given in canonical order, in the order of this shuffle."""
    order = list(items)
    numbers = _random_numbers(nonce, number, client_seeds)
    for place in range(len(order) - 1, 0, -1):
        span = place + 1
        drawn = next(numbers)
        while drawn >= NUMBER_RANGE - NUMBER_RANGE % span:
            drawn = next(numbers)
        other = drawn % span
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def _random_numbers(nonce: str, number: int, client_seeds: ClientSeeds) -> Iterator[int]:
    """Yield 64-bit numbers without end."""
    lines = [TITLE, nonce, str(number), *(f"{seat} {client_seed}" for seat, client_seed in client_seeds)]
    key = sha256("".join(f"{line}\n" for line in lines).encode()).digest()
    block = 0
    while True:
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def verify(
    canonical: Sequence[T], order: Sequence[T], commitment: str, nonce: str, number: int, client_seeds: ClientSeeds = ()
) -> str:
    """Check a shuffle; return ``commitment_mismatch``, ``order_mismatch``, or an empty text where it is right.

    ``order`` is the whole pack; of a lot it holds one item.
    """
    if not hmac.compare_digest(commit(nonce).encode(), commitment.lower().encode()):
        return "commitment_mismatch"
    if list(shuffle(canonical, nonce, number, client_seeds)[: len(order)]) != list(order):
        return "order_mismatch"
    return ""
