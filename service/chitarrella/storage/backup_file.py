"""Files of backups, plain or encrypted in the age format (https://age-encryption.org/v1).

age encrypts in chunks of 64 KiB, each authenticated with its number, the last one marked: whatever was cut, changed or
put into another order is refused. The tools ``age`` and ``age-keygen`` read and make the same files.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO, cast

import pyrage
from pyrage.x25519 import Identity, Recipient

from chitarrella.matches.backup import BackupReader, InvalidBackup

MAGIC = b"age-encryption.org/"
"""The first bytes of a file that is encrypted in the age format."""
SECRET_KEY = "AGE-SECRET-KEY-"
"""The beginning of the text of a secret key of age."""
PIECE = 1 << 20
"""Bytes that are read at once."""


class InvalidKeyFile(ValueError):
    """A file that holds no key of age; the text has nothing of it."""


def make_backup_key() -> tuple[str, str]:
    """A new secret key, which decrypts, and its public key, which encrypts."""
    identity = Identity.generate()
    return str(identity), str(identity.to_public())


def _keys(path: Path) -> list[str]:
    """The lines of a key file without its comments. Raises `InvalidKeyFile`."""
    lines = [line.strip() for line in path.read_text(errors="replace").splitlines()]
    if not (keys := [line for line in lines if line and not line.startswith("#")]):
        raise InvalidKeyFile(f"{path} holds no key")
    return keys


def load_recipients(path: Path) -> list[Recipient]:
    """Read the keys that a backup is encrypted for: public keys, or secret ones. Raises `InvalidKeyFile`."""
    try:
        return [
            Identity.from_str(key).to_public() if key.startswith(SECRET_KEY) else Recipient.from_str(key)
            for key in _keys(path)
        ]
    except (pyrage.IdentityError, pyrage.RecipientError) as error:
        raise InvalidKeyFile(f"{path} holds a line that is no key of age") from error


def load_identities(path: Path) -> list[Identity]:
    """Read the secret keys that decrypt a backup. Raises `InvalidKeyFile`."""
    try:
        return [Identity.from_str(key) for key in _keys(path)]
    except pyrage.IdentityError as error:
        raise InvalidKeyFile(f"{path} holds a line that is no secret key of age") from error


class _LineStream:
    """Lines as a file to read from. ``error`` is the one that ended the lines before their time."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._rest = b""
        self.error: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` bytes, none at the end."""
        try:
            self._rest = self._rest or next(self._lines, b"")
        except Exception as error:
            self.error = error
            raise
        piece, self._rest = (self._rest, b"") if size < 0 else (self._rest[:size], self._rest[size:])
        return piece


def write_backup(lines: Iterator[bytes], file: BinaryIO, recipients: list[Recipient]) -> None:
    """Write the lines of a backup, encrypted where there are ``recipients``. Raises what ``lines`` raises."""
    if not recipients:
        file.writelines(lines)
        return
    stream = _LineStream(lines)
    try:
        pyrage.encrypt_io(cast(BufferedIOBase, stream), cast(BufferedIOBase, file), recipients)
    except pyrage.EncryptError as error:
        raise stream.error or OSError(str(error)) from error


def read_backup(file: BinaryIO, reader: BackupReader, identities: list[Identity]) -> None:
    """Write the content of a file, from its start, to ``reader``, decrypted where there are ``identities``.

    Raises `InvalidBackup` for a wrong key and for a file that was cut or changed, and what the reader raises.
    """
    file.seek(0)
    is_encrypted = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    if is_encrypted != bool(identities):
        raise InvalidBackup("the backup is encrypted: a key is needed" if is_encrypted else "the file is not encrypted")
    if not is_encrypted:
        while piece := file.read(PIECE):
            reader.write(piece)
        return
    try:
        pyrage.decrypt_io(cast(BufferedIOBase, file), cast(BufferedIOBase, reader), identities)
    except pyrage.DecryptError as error:
        raise InvalidBackup(f"the backup cannot be decrypted: {str(error).lower()}") from error
    except OSError as error:
        raise InvalidBackup("the backup was cut or changed: its encryption does not fit") from error
