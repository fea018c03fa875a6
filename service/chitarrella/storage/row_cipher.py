"""Encryption of what the store keeps of a match: seeds, hands, names and moves cannot be read from its memory or files.

Each text is encrypted by AES-SIV (RFC 5297) for its place, the match and the field or log entry, so that it cannot be
moved elsewhere. It is deterministic, because the store compares digests. What stays in clear text are ids, numbers,
times, request tokens and webhooks.
"""

from __future__ import annotations

import logging
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from chitarrella.matches.store import StoreError

SEALED_FIELDS: Final = ("metadata", "digest", "position", "control", "earlier")
"""The fields of a row that are encrypted."""
KEY_BYTES: Final = 64
"""Length of a key: two of AES-256."""
_LOG = logging.getLogger("chitarrella")
_MARK: Final = "sealed:"
"""The beginning of every encrypted text; no clear text of a row or log begins so."""
_ID_DIGITS: Final = 8


class InvalidStoreKey(ValueError):
    """A file that holds no key. Its text says nothing of what the file holds."""


class MissingStoreKey(StoreError):
    """A match is encrypted with a key that is not configured, or its text was changed."""

    def __init__(self) -> None:
        """The text is fixed: it names no match."""
        super().__init__("a match is encrypted with a key that is not given, or was changed")


class RowCipher:
    """Encrypts with the first of its keys, and decrypts with any; without a key it leaves texts as they are."""

    def __init__(self, *keys: bytes) -> None:
        """Use ``keys`` of `KEY_BYTES` each."""
        self._keys = {sha256(key).hexdigest()[:_ID_DIGITS]: AESSIV(key) for key in keys}
        self._first = next(iter(self._keys), "")

    def seal(self, match: str, field: str, text: str) -> str:
        """Encrypt the text of a field; an empty one stays empty."""
        if not (self._first and text):
            return text
        sealed = self._keys[self._first].encrypt(text.encode(), [match.encode(), field.encode()])
        return f"{_MARK}{self._first}:{b64encode(sealed).decode()}"

    def open(self, match: str, field: str, text: str) -> str:
        """Decrypt the text of a field; one that is in clear text stays. Raises `MissingStoreKey`."""
        if not text.startswith(_MARK):
            return text
        name, _, sealed = text.removeprefix(_MARK).partition(":")
        try:
            return self._keys[name].decrypt(b64decode(sealed), [match.encode(), field.encode()]).decode()
        except (KeyError, ValueError, InvalidTag) as error:
            _LOG.error("a match is encrypted with a key that is not configured, or was changed")
            raise MissingStoreKey from error

    def seal_row(self, match: str, row: Mapping[str, str]) -> dict[str, str]:
        """Encrypt the fields of a row."""
        return {name: self.seal(match, name, text) if name in SEALED_FIELDS else text for name, text in row.items()}

    def open_row(self, match: str, row: Mapping[str, str]) -> dict[str, str]:
        """Decrypt the fields of a row. Raises `StoreError`."""
        return {name: self.open(match, name, text) if name in SEALED_FIELDS else text for name, text in row.items()}

    def seal_log(self, match: str, entries: tuple[str, ...], start: int) -> list[str]:
        """Encrypt log entries, the first of which has the number ``start``."""
        return [self.seal(match, f"log {number}", entry) for number, entry in enumerate(entries, start)]

    def open_log(self, match: str, entries: list[str], start: int = 0) -> list[str]:
        """Decrypt log entries, the first of which has the number ``start``. Raises `StoreError`."""
        return [self.open(match, f"log {number}", entry) for number, entry in enumerate(entries, start)]


CLEAR_TEXT: Final = RowCipher()
"""Encrypts nothing."""


def load_cipher(path: Path | None) -> RowCipher:
    """Read the keys of a file, a hexadecimal number on each line; without a file nothing is encrypted.

    Raises `InvalidStoreKey`, `OSError`.
    """
    if path is None:
        return CLEAR_TEXT
    try:
        keys = [bytes.fromhex(line) for line in path.read_text(encoding="ascii").split()]
    except ValueError as error:
        raise InvalidStoreKey(f"{path}: a key of the store is a hexadecimal number") from error
    if not keys or any(len(key) != KEY_BYTES for key in keys):
        raise InvalidStoreKey(
            f"{path}: a key of the store has {2 * KEY_BYTES} hexadecimal digits: openssl rand -hex 64"
        )
    return RowCipher(*keys)
