"""The provable shuffle without a match: published vectors, its description, and wrong proofs."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from chitarrella.core.cards import ITALIAN
from chitarrella.core.provable_shuffle import commit, shuffle, verify

VECTORS = [line.split("\t") for line in (Path(__file__).parent / "shuffle_vectors.txt").read_text().splitlines()[3:]]


def read_seeds(text: str) -> tuple[tuple[int, str], ...]:
    """Read ``SEAT WORD`` joined by commas; nothing is ``-``."""
    pairs = [] if text == "-" else [pair.split(" ", 1) for pair in text.split(",")]
    return tuple((int(seat), seed) for seat, seed in pairs)


# ---------------------------------------------------------------------- the shuffle


@pytest.mark.measured
@pytest.mark.parametrize(("nonce", "number", "seeds", "commitment", "order"), VECTORS)
def test_shuffle_vectors(nonce: str, number: str, seeds: str, commitment: str, order: str) -> None:
    """The shuffle gives what the published vectors say."""
    assert commitment == commit(nonce)
    shuffled = shuffle(ITALIAN.cards, nonce, int(number), read_seeds(seeds))
    assert order.split() == list(shuffled)
    assert not verify(ITALIAN.cards, shuffled, commitment, nonce, int(number), read_seeds(seeds))


@pytest.mark.measured
def test_shuffle_follows_its_description() -> None:
    """An independent implementation of the described steps gives the same order."""
    nonce, number, seeds = "ab" * 32, 7, ((0, "first"), (3, "señora è qui"))
    text = f"chitarrella shuffle 1\n{nonce}\n{number}\n0 first\n3 señora è qui\n"
    key, stream = sha256(text.encode()).digest(), b""
    for block in range(30):
        stream += sha256(key + block.to_bytes(8, "big")).digest()
    numbers = [int.from_bytes(stream[at : at + 8], "big") for at in range(0, len(stream), 8)]
    cards = list(ITALIAN.cards)
    for place in range(39, 0, -1):
        while numbers[0] >= 2**64 // (place + 1) * (place + 1):
            numbers.pop(0)
        other = numbers.pop(0) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    assert tuple(cards) == shuffle(ITALIAN.cards, nonce, number, seeds)


@pytest.mark.measured
def test_shuffle_is_uniform() -> None:
    """Over many shuffles each thing lies equally often in each place, within the bounds of chance."""
    shuffles, things = 12_000, 6
    lying = Counter(
        (place, thing) for number in range(shuffles) for place, thing in enumerate(shuffle(range(things), "n", number))
    )
    expected = shuffles / things
    square = sum((lying[place, thing] - expected) ** 2 / expected for place in range(things) for thing in range(things))
    assert things * things == len(lying)
    assert square < 60  # 25 degrees of freedom: beyond 60 in one of ten thousand runs, and this one is always the same


@pytest.mark.measured
@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"nonce": "cd" * 32}, "commitment_mismatch"),
        ({"commitment": commit("cd" * 32)}, "commitment_mismatch"),
        ({"number": 2}, "order_mismatch"),
        ({"client_seeds": ((0, "other"),)}, "order_mismatch"),
        ({"client_seeds": ()}, "order_mismatch"),
    ],
)
def test_wrong_proof_names_its_fault(changed: dict[str, object], code: str) -> None:
    """Another nonce, number or seed is found, and the fault is named."""
    nonce = "ab" * 32
    proof: Any = {"commitment": commit(nonce), "nonce": nonce, "number": 1, "client_seeds": ((0, "mine"),)}
    order = shuffle(ITALIAN.cards, nonce, 1, ((0, "mine"),))
    assert not verify(ITALIAN.cards, order, **proof)
    assert code == verify(ITALIAN.cards, order, **{**proof, **changed})
    swapped = (order[1], order[0], *order[2:])
    assert "order_mismatch" == verify(ITALIAN.cards, swapped, **proof)
