"""Files of backups: what is encrypted is read with its key alone, and only whole."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from chitarrella.matches.backup import BackupReader, InvalidBackup
from chitarrella.matches.store import StoreError
from chitarrella.storage.backup_file import (
    InvalidKeyFile,
    load_identities,
    load_recipients,
    make_backup_key,
    read_backup,
    write_backup,
)


class Keys:
    """The files of a key pair."""

    def __init__(self, folder: Path, name: str) -> None:
        self.secret, self.public = folder / f"{name}.key", folder / f"{name}.pub"
        secret, public = make_backup_key()
        self.secret.write_text(f"# made for a test\n{secret}\n")
        self.public.write_text(public)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    """A key pair."""
    return Keys(tmp_path, "mine")


LINES = [b"a secret line " * 1000 + b"\n"] * 40
"""More than a chunk of age."""


class Sink(BackupReader):
    """Takes everything that is decrypted."""

    def __init__(self) -> None:
        super().__init__(lambda item: None)
        self.data = b""

    def write(self, data: bytes) -> int:
        """Keep it."""
        self.data += data
        return len(data)


def encrypted(keys: Path) -> bytes:
    """The lines, encrypted."""
    file = BytesIO()
    write_backup(iter(LINES), file, load_recipients(keys))
    return file.getvalue()


def test_public_key_encrypts_and_secret_key_decrypts(keys: Keys) -> None:
    """What is encrypted for a public key, or for that of a secret one, is read with the secret key alone."""
    for path in (keys.public, keys.secret):
        data, sink = encrypted(path), Sink()
        assert b"secret line" not in data
        read_backup(BytesIO(data), sink, load_identities(keys.secret))
        assert b"".join(LINES) == sink.data


def test_other_key_cut_and_change_are_refused(keys: Keys, tmp_path: Path) -> None:
    """Another key, a file that was cut anywhere, a changed byte and exchanged chunks are refused."""
    data, mine = encrypted(keys.public), load_identities(keys.secret)
    with pytest.raises(InvalidBackup, match="no matching keys"):
        read_backup(BytesIO(data), Sink(), load_identities(Keys(tmp_path, "other").secret))
    start = data.index(b"\n--- ") + 48 + 16
    chunk = 65536 + 16
    first, second = data[start : start + chunk], data[start + chunk : start + 2 * chunk]
    assert start + 2 * chunk < len(data)
    bad = [
        *(data[:size] for size in (len(data) - 1, start + chunk, start + 2 * chunk, start, 100, 30)),
        data[:-5] + bytes([data[-5] ^ 1]) + data[-4:],
        data[:start] + second + first + data[start + 2 * chunk :],
        data + b"more",
    ]
    for one in bad:
        with pytest.raises(InvalidBackup, match=r"cut or changed|cannot be decrypted"):
            read_backup(BytesIO(one), Sink(), mine)


def test_key_is_needed_exactly_where_the_file_is_encrypted(keys: Keys) -> None:
    """An encrypted file without a key is refused, and so is a plain one with a key: it may be somebody else's."""
    with pytest.raises(InvalidBackup, match="a key is needed"):
        read_backup(BytesIO(encrypted(keys.public)), Sink(), [])
    with pytest.raises(InvalidBackup, match="not encrypted"):
        read_backup(BytesIO(b"".join(LINES)), Sink(), load_identities(keys.secret))


def test_key_file_without_a_key_is_refused(keys: Keys, tmp_path: Path) -> None:
    """A file that holds no key, or no secret one to decrypt, is refused without a word of it in the message."""
    bad = tmp_path / "bad"
    for text, read in (("", load_recipients), ("hello", load_recipients), ("hello", load_identities)):
        bad.write_text(text)
        with pytest.raises(InvalidKeyFile, match="holds") as wrong:
            read(bad)
        assert "hello" not in str(wrong.value)
    with pytest.raises(InvalidKeyFile, match="no secret key"):
        load_identities(keys.public)


def test_error_of_the_store_ends_an_encrypted_backup(keys: Keys) -> None:
    """Where the store fails meanwhile, writing a backup fails with the error of the store."""

    def lines() -> Iterator[bytes]:
        yield LINES[0]
        raise StoreError("away")

    with pytest.raises(StoreError, match="away"):
        write_backup(lines(), BytesIO(), load_recipients(keys.public))
