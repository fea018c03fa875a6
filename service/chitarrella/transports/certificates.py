"""Certificates of the service for TLS, read from files that may be replaced while it runs.

All servers of a worker present what `CertificateFiles` has read and checked last.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509

POLL_SECONDS: Final = 1.0  # seconds between two looks at the files
LOG = logging.getLogger("chitarrella")

# The device, inode, time of change and size of a file, which change with its content; None if it cannot be read.
Stamp = tuple[int, int, int, int] | None


class CertificateError(ValueError):
    """Certificates that cannot be served; the message names what is wrong and holds nothing of a key."""


@dataclass(frozen=True)
class TlsFiles:
    """Files in PEM. With ``client_ca`` every client must present a certificate of one of these CAs (mTLS)."""

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def __iter__(self) -> Iterator[Path]:
        return iter([file for file in (self.certificate, self.key, self.client_ca) if file])


@dataclass(frozen=True)
class Certificates:
    certificate: bytes
    key: bytes
    client_ca: bytes | None = None

    def __repr__(self) -> str:
        return "Certificates()"

    @contextmanager
    def as_files(self) -> Iterator[TlsFiles]:
        """Provide the content under paths that, unlike the files of the operator, do not change after the check."""
        with ExitStack() as stack:
            certificate, key = (stack.enter_context(_file(content)) for content in (self.certificate, self.key))
            yield TlsFiles(certificate, key, stack.enter_context(_file(self.client_ca)) if self.client_ca else None)


class CertificateFiles:
    def __init__(self, files: TlsFiles, check: Callable[[Certificates], None]) -> None:
        """Read the files. ``check`` raises `CertificateError` for what cannot be served; so does this."""
        self._files = files
        self._check = check
        self._stamps = self._current_stamps()
        self.current = self._read()

    def refresh(self) -> bool:
        """Read files that have changed; return whether `current` is new. What cannot be served is logged."""
        stamps = self._current_stamps()
        if stamps == self._stamps:
            return False
        self._stamps = stamps
        try:
            found = self._read()
        except CertificateError as error:
            LOG.warning("new certificate rejected, still serving the previous one: %s", error)
            return False
        if found == self.current:
            return False
        self.current = found
        LOG.info("a new certificate is served")
        return True

    async def run(self, *on_change: Callable[[], Awaitable[None]]) -> None:
        """Look at the files once a second until cancelled, and await each of ``on_change`` after a change."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if await asyncio.to_thread(self.refresh):
                for changed in on_change:
                    await changed()

    def _current_stamps(self) -> list[Stamp]:
        return [_stamp(file) for file in self._files]

    def _read(self) -> Certificates:
        found = Certificates(*(_content(file) for file in self._files))
        self._check(found)
        return found


def certificate_name(certificate: bytes) -> str:
    """Return a name that a certificate (PEM) is valid for. Raises `ValueError` if it has none."""
    extensions = x509.load_pem_x509_certificate(certificate).extensions
    try:
        names = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound as error:
        raise ValueError("the certificate has no subject alternative name") from error
    hosts = names.get_values_for_type(x509.DNSName)
    addresses = [str(address) for address in names.get_values_for_type(x509.IPAddress)]
    return next(iter([*hosts, *addresses]), "").replace("*", "any")


def _stamp(file: Path) -> Stamp:
    """Stamp the file that a path leads to now: Kubernetes replaces a symbolic link on the way to it."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CertificateError(f"cannot read {file}: {error.strerror or error}") from error


@contextmanager
def _file(content: bytes) -> Iterator[Path]:
    """Provide content under a path: on Linux in memory, so that a private key does not come to a disk."""
    if sys.platform == "linux":
        with os.fdopen(os.memfd_create("tls"), "wb") as file:
            file.write(content)
            file.flush()
            yield Path(f"/proc/self/fd/{file.fileno()}")
    else:
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            yield Path(file.name)
