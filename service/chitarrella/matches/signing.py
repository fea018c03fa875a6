"""Signatures of records, and the verification of a record's proofs.

The last line of a signed record is ``signature ed25519 PUBLIC_KEY SIGNATURE``, both in hexadecimal digits. What is
signed is all the text before that line, in UTF-8. Whose key it is the reader has to know from elsewhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from chitarrella.catalogue.record import SIGNATURE, Record
from chitarrella.core.game import AnyGame, play
from chitarrella.core.provable_shuffle import verify
from chitarrella.matches.history import is_chance_move

KIND: Final = "ed25519"
"""The kind of signature that a record names."""


class InvalidRecordSignature(ValueError):
    """A signature that cannot be read, or is that of another text."""


class Signer:
    """Signs records with a private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        """Sign with ``key``."""
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()
        """The public key, in 64 hexadecimal digits."""

    def sign(self, record: str) -> str:
        """The record with its signature line."""
        return f"{record}{SIGNATURE} {KIND} {self.public_key} {self._key.sign(record.encode()).hex()}\n"


def load_signer(path: Path) -> Signer:
    """Load a private key in PEM, as ``openssl genpkey -algorithm ed25519`` writes it. Raises `ValueError`."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} holds no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 key")
    return Signer(key)


def parse_signer(text: str) -> str:
    """The public key that a record is signed with, empty where it is unsigned. Raises `InvalidRecordSignature`."""
    before, line, said = text.rpartition(f"\n{SIGNATURE} ")
    if not line:
        return ""
    parts = said.split()
    try:
        kind, public, signature = parts
        if kind != KIND:
            raise InvalidRecordSignature(f"the signature is of the kind {kind[:20]!r}, not {KIND}")
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), f"{before}\n".encode()
        )
    except (ValueError, InvalidSignature) as error:
        raise InvalidRecordSignature(
            f"the signature does not fit the record{f': {error}' if str(error) else ''}"
        ) from error
    return public


def invalid_proofs(game: AnyGame, record: Record) -> str:
    """What is wrong with the first proof of a record that does not hold; empty where all hold.

    Raises `chitarrella.core.game.IllegalMove` at the first illegal move.
    """
    proofs = {proof.number: proof for proof in record.proofs}
    p, number = game.decode(record.position) if record.position else game.start(), 0
    for actor, move in record.moves:
        if is_chance_move(game, actor, move):
            number += 1
            if proof := proofs.pop(number, None):
                request = game.chance_request(p)
                things = sorted(request.amounts) or game.pack.in_order(request.cards)
                order = (move.amount,) if request.amounts else move.cards
                mismatch = verify(things, order, proof.commitment, proof.nonce, number, proof.client_seeds)
                if mismatch:
                    return f"shuffle {number}: {mismatch}"
        p, _ = play(game, p, actor, move)
    return f"shuffle {min(proofs)}: there is no such shuffle" if proofs else ""
