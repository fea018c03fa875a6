"""Fair deals: a shuffle that nobody can steer and that anybody can check afterwards.

Before a pack or a lot is drawn the service has published a commitment: the SHA-256 of a nonce that it keeps to itself.
Each seat may then add a word of its own. The order follows from both, step by step:

1. The text is the line ``chitarrella draw 1``, the nonce (64 hexadecimal digits), the number of the draw, and a line
   ``SEAT WORD`` for each seat that added one, in the order of seats; lines end with a line feed, the last one too.
2. The key is the SHA-256 of that text in UTF-8. Block i (from 0) is the SHA-256 of the key followed by i in 8 bytes,
   most significant first; a block gives four numbers of 8 bytes, most significant first.
3. Things begin in their canonical order (`chitarrella.cards.Pack`), copies side by side; lots in ascending order.
   For each place from the last down to the second: take the next number, and another one as long as it is not below
   the greatest multiple of ``place + 1`` (places from 0) in 2^64; exchange what lies there with what lies at the
   number modulo ``place + 1``.
4. The things in their new order are the pack, first card first; of lots the first is drawn.

When it can tell nobody anything any more the nonce is published too; `check` holds all of it against the commitment.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

TITLE = "chitarrella draw 1"
NUMBERS = 2**64

Words = tuple[tuple[int, str], ...]
"""The words that seats have added, in the order of seats."""


def nonce_of(seed: str, number: int) -> str:
    """Give the nonce of a draw of a match with this secret seed."""
    return hmac.new(seed.encode(), f"draw {number}".encode(), "sha256").hexdigest()


def commitment_to(nonce: str) -> str:
    """Give what is published of a nonce before it is used."""
    return sha256(nonce.encode()).hexdigest()


def ordered(things: Sequence[T], nonce: str, number: int, words: Words = ()) -> tuple[T, ...]:
    """Put things, given in their canonical order, into the order of this draw."""
    order = list(things)
    numbers = _numbers(nonce, number, words)
    for place in range(len(order) - 1, 0, -1):
        span = place + 1
        drawn = next(numbers)
        while drawn >= NUMBERS - NUMBERS % span:
            drawn = next(numbers)
        other = drawn % span
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def _numbers(nonce: str, number: int, words: Words) -> Iterator[int]:
    """Give numbers of 64 bits without end."""
    lines = [TITLE, nonce, str(number), *(f"{seat} {word}" for seat, word in words)]
    key = sha256("".join(f"{line}\n" for line in lines).encode()).digest()
    block = 0
    while True:
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def check(
    canonical: Sequence[T], drawn: Sequence[T], commitment: str, nonce: str, number: int, words: Words = ()
) -> str:
    """Say what is wrong with a draw, empty where nothing is; of a lot ``drawn`` holds one thing."""
    if not hmac.compare_digest(commitment_to(nonce).encode(), commitment.lower().encode()):
        return "commitment_mismatch"
    if list(ordered(canonical, nonce, number, words)[: len(drawn)]) != list(drawn):
        return "order_mismatch"
    return ""
