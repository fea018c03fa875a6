"""Archives of finished matches: a folder, or a bucket of an S3-compatible store."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urlsplit

from chitarrella.matches.archive import Archive, ArchiveError

if TYPE_CHECKING:
    from obstore.store import S3Store

T = TypeVar("T")

TIMEOUT = timedelta(seconds=10)
"""How long one request to a bucket may take."""
RETRIES = 2
"""How often a request to a bucket is sent again."""
BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
"""The name of a bucket."""


class FolderArchive:
    """Texts as files of a folder."""

    def __init__(self, folder: Path) -> None:
        """Write below ``folder``, and create it. Raises `ValueError` where nothing can be written there."""
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise ValueError(f"the archive {folder} cannot be written: {error.strerror}") from error

    def put(self, name: str, text: str) -> None:
        """Write a file, which is whole and on the disk when it has its name."""
        path = self._folder / name
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise _archive_error(error) from error

    def get(self, name: str) -> str | None:
        """Read a file."""
        try:
            return (self._folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _archive_error(error) from error

    def delete(self, name: str) -> None:
        """Delete a file."""
        try:
            (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise _archive_error(error) from error


def _archive_error(error: OSError) -> ArchiveError:
    """An error without the name of the file."""
    return ArchiveError(f"{type(error).__name__}: {error.strerror}")


class BucketArchive:
    """Texts as objects of a bucket; the variables of the AWS tools say how to reach it."""

    def __init__(self, store: S3Store) -> None:
        """Write to ``store``."""
        self._store = store

    def put(self, name: str, text: str) -> None:
        """Write an object."""
        self._request(lambda: self._store.put(name, text.encode(), use_multipart=False))

    def get(self, name: str) -> str | None:
        """Read an object."""
        text: bytes | None = self._request(lambda: bytes(self._store.get(name).bytes()))
        return None if text is None else text.decode()

    def delete(self, name: str) -> None:
        """Delete an object."""
        self._request(lambda: self._store.delete(name))

    @staticmethod
    def _request(send: Callable[[], T]) -> T | None:
        """Send a request; None where there is no such object."""
        from obstore.exceptions import BaseError  # noqa: PLC0415 - of the extra `s3`

        try:
            return send()
        except FileNotFoundError:
            return None
        except (BaseError, OSError) as error:  # its text may name the object
            raise ArchiveError(type(error).__name__) from error


def parse_archive(url: str) -> tuple[str, str]:
    """The bucket and the path of an archive; the bucket is empty for a folder. Raises `ValueError`."""
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("the URL of an archive has no options, user or password")
    if parts.scheme == "file" and not parts.netloc and len(path) > 1:
        return "", path
    if parts.scheme == "s3" and BUCKET.fullmatch(parts.netloc):
        return parts.netloc, path.strip("/")
    raise ValueError("the URL of an archive is file:///FOLDER or s3://BUCKET/PREFIX")


def check_archive(url: str) -> None:
    """Check the URL of an archive, empty for none, and that it can be opened. Raises `ValueError`."""
    if url:
        open_archive(url)


def open_archive(url: str) -> Archive:
    """Open an archive; nothing is sent yet. Raises `ValueError`."""
    bucket, path = parse_archive(url)
    if not bucket:
        return FolderArchive(Path(path))
    try:
        from obstore.exceptions import BaseError  # noqa: PLC0415 - of the extra `s3`
        from obstore.store import S3Store  # noqa: PLC0415 - as above
    except ImportError as error:
        raise ValueError("an archive in a bucket needs the extra 's3': pip install 'chitarrella[s3]'") from error
    allow_http = os.environ.get("AWS_ALLOW_HTTP", "").lower() == "true"  # options given here hide the variable
    try:
        store = S3Store(
            bucket,
            prefix=path or None,
            client_options={"timeout": TIMEOUT, "allow_http": allow_http},
            retry_config={"max_retries": RETRIES, "retry_timeout": TIMEOUT},
        )
    except BaseError as error:
        raise ValueError("the variables of the AWS tools do not say how to reach the bucket") from error
    return BucketArchive(store)
