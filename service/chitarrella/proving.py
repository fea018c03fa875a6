"""Holding a record against what it promises: each draw against its commitment, the whole text against its signature.

The last line of a signed record is ``signature ed25519 PUBLIC SIGNATURE``, both in hexadecimal digits; what is signed
is all the text before that line, in UTF-8. Whose key it is the reader has to know from elsewhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from chitarrella.chronicle import is_draw
from chitarrella.fairness import check
from chitarrella.game import AnyGame, play
from chitarrella.record import SIGNATURE, Record

KIND: Final = "ed25519"


class BadSignature(ValueError):
    """A signature that is none, or of another text."""


class Signer:
    """A key to sign records with."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        """Sign with ``key``."""
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()
        """What signatures are checked with, in 64 hexadecimal digits."""

    def signed(self, record: str) -> str:
        """Give a record with its signature."""
        return f"{record}{SIGNATURE} {KIND} {self.public_key} {self._key.sign(record.encode()).hex()}\n"


def read_signer(path: Path) -> Signer:
    """Read a private key in PEM, as ``openssl genpkey -algorithm ed25519`` writes it; raises `ValueError`."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} holds no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 key")
    return Signer(key)


def signer_of(text: str) -> str:
    """Give the public key that a record is signed with, empty where it is not; raises `BadSignature`."""
    before, line, said = text.rpartition(f"\n{SIGNATURE} ")
    if not line:
        return ""
    parts = said.split()
    try:
        kind, public, signature = parts
        if kind != KIND:
            raise BadSignature(f"the signature is of the kind {kind[:20]!r}, not {KIND}")
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), f"{before}\n".encode()
        )
    except (ValueError, InvalidSignature) as error:
        raise BadSignature(f"the signature does not fit the record{f': {error}' if str(error) else ''}") from error
    return public


def unproved(game: AnyGame, record: Record) -> str:
    """Say which draw of a record did not come out as was promised, empty where all did.

    The moves must be legal: raises `chitarrella.game.Refused` at the first that is not.
    """
    proofs = {proof.number: proof for proof in record.proofs}
    p, number = game.read(record.position) if record.position else game.start(), 0
    for actor, move in record.moves:
        if is_draw(game, actor, move):
            number += 1
            if proof := proofs.pop(number, None):
                wanted = game.chance(p)
                things = sorted(wanted.amounts) or game.pack.in_order(wanted.cards)
                drawn = (move.amount,) if wanted.amounts else move.cards
                fault = check(things, drawn, proof.commitment, proof.nonce, number, proof.words)
                if fault:
                    return f"draw {number}: {fault}"
        p, _ = play(game, p, actor, move)
    return f"draw {min(proofs)}: there is no such draw" if proofs else ""
