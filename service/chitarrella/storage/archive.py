"""The archive of finished matches: a folder or a bucket of an S3-compatible store, the queue, and copies of matches.

The queue is a sorted set by the time at which matches are due. Beside it a sorted set has the matches that were
claimed, by the time of the first claim: a lease moves the time at which a match is due, and how long it has waited
would be lost. The two may be on different servers of a cluster. So a match is removed from the second set first: one
that is left there alone would seem to wait for ever.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from chitarrella.storage.redis_connection import RedisConnection, Script
from chitarrella.storage.rows import Backlog, MatchCopy

if TYPE_CHECKING:
    from obstore.store import S3Store

T = TypeVar("T")

TIMEOUT = timedelta(seconds=10)  # how long one request to a bucket may take
RETRIES = 2  # how often a request to a bucket is sent again
BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")  # the name of a bucket


class ArchiveError(Exception):
    """The archive did not take a record; the text names the cause, and neither a match nor a key."""


class Archive(Protocol):
    """Where finished matches are kept for good, as texts with names. Every method may raise `ArchiveError`."""

    def put(self, name: str, text: str) -> None:
        """Write a text in place of the one with the same name."""

    def get(self, name: str) -> str | None:
        """Read a text; None where there is none."""

    def delete(self, name: str) -> None:
        """Delete a text, if there is one."""


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
        try:
            return (self._folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _archive_error(error) from error

    def delete(self, name: str) -> None:
        try:
            (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise _archive_error(error) from error


def _archive_error(error: OSError) -> ArchiveError:
    return ArchiveError(f"{type(error).__name__}: {error.strerror}")


class BucketArchive:
    """Texts as objects of a bucket; the variables of the AWS tools say how to reach it."""

    def __init__(self, store: S3Store) -> None:
        self._store = store

    def put(self, name: str, text: str) -> None:
        self._request(lambda: self._store.put(name, text.encode(), use_multipart=False))

    def get(self, name: str) -> str | None:
        text: bytes | None = self._request(lambda: bytes(self._store.get(name).bytes()))
        return None if text is None else text.decode()

    def delete(self, name: str) -> None:
        self._request(lambda: self._store.delete(name))

    @staticmethod
    def _request(send: Callable[[], T]) -> T | None:
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


ARCHIVE = "archive"  # the last part of the key
CLAIMS = "archive_claims"  # the last part of the key of the claimed matches


class ArchiveQueue:
    """Matches whose records are to be written. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._key, self._claims_key = connection.key(ARCHIVE), connection.key(CLAIMS)
        self._claim, self._settle = Script(connection, "claim"), Script(connection, "settle")

    def add(self, match: str, when: int) -> None:
        self._connection.execute(lambda: self._connection.client.zadd(self._key, {match: when}))

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        claimed = list(self._claim([self._key], [now, now + lease, count]))
        if claimed:
            scores = dict.fromkeys(claimed, now)
            self._connection.execute(lambda: self._connection.client.zadd(self._claims_key, scores, nx=True))
        return claimed

    def remove(self, match: str, until: int) -> None:
        """Remove a match whose lease ends at ``until``, unless it was queued anew since it was claimed."""
        self._forget_claim(match)
        self._settle([self._key], [match, until])

    def _forget_claim(self, match: str) -> None:
        self._connection.execute(lambda: self._connection.client.zrem(self._claims_key, match))

    def backlog(self) -> Backlog:
        """Count the matches in the queue; one waits since it was due, however often it was claimed meanwhile."""

        def read(pipeline: Any) -> None:
            pipeline.zcard(self._key)
            pipeline.zrange(self._key, 0, 0, withscores=True)
            pipeline.zrange(self._claims_key, 0, 0, withscores=True)

        waiting, due, claimed = self._connection.send_together(read)
        if claimed:
            match = claimed[0][0]
            if self._connection.execute(lambda: self._connection.client.zscore(self._key, match)) is None:
                self._forget_claim(match)  # a worker has claimed it and was late to note it
                claimed = []
        return Backlog(waiting, min((int(when) for _, when in (*due, *claimed)), default=0))


class MatchCopyStore:
    """Copies single matches as the store has them, and decides how long they are kept. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._copy, self._restore = Script(connection, "copy_match"), Script(connection, "restore_match")
        self._expire = Script(connection, "expire")

    def copy(self, match: str) -> MatchCopy | None:
        row, log, tokens, ttl_ms = self._copy(self._connection.match_keys(match), [])
        return MatchCopy(match, dict(zip(row[::2], row[1::2], strict=True)), log, tokens, ttl_ms) if row else None

    def restore(self, copy: MatchCopy, seconds: int) -> None:
        self.put(copy._replace(ttl_ms=seconds * 1000), replace=False)

    def put(self, copy: MatchCopy, *, replace: bool) -> bool:
        """Store a match as it was copied; False where it exists and may not be replaced."""
        keys = self._connection.match_keys(copy.match)
        head: list[str | int] = [int(replace), copy.ttl_ms, keys[0], len(copy.row), len(copy.log)]
        fields = [text for pair in copy.row.items() for text in pair]
        return bool(self._restore(keys, [*head, *fields, *copy.log, *copy.tokens]))

    def keep(self, match: str, seconds: int) -> None:
        self._expire(self._connection.match_keys_with_mark(match), [seconds * 1000, "GT"])

    def shorten(self, match: str, seconds: int) -> bool:
        return bool(self._expire(self._connection.match_keys_with_mark(match), [seconds * 1000, "LT"]))
