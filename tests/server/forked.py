"""The service as a fork of a process that has imported it: it begins a second of processor time sooner."""

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

import chitarrella.games
from chitarrella.storage.die_with_parent import signal_at_end_of_parent

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # as `chitarrella serve` sets them before it imports gRPC
_CONTEXT = multiprocessing.get_context("forkserver")
GAMES = [module.name for module in iter_modules(chitarrella.games.__path__, "chitarrella.games.")]
_CONTEXT.set_forkserver_preload(["chitarrella.cli.serve", *GAMES, __name__])


class Forked:
    """A running ``chitarrella``, with the methods of `subprocess.Popen` that the tests use."""

    def __init__(self, arguments: list[str], environment: dict[str, str], out: Path, err: Path) -> None:
        self.args = ["chitarrella", *arguments]
        self._process = _CONTEXT.Process(target=_run, args=(self.args, environment, out, err))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit status, None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process, and return its exit status."""
        self._process.join(timeout)
        if (status := self.poll()) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(arguments: list[str], environment: dict[str, str], out: Path, err: Path) -> None:
    """Become the command: with its own session, environment and output, and its end with the parent."""
    signal_at_end_of_parent(signal.SIGKILL)
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    for stream, path in ((sys.stdout, out), (sys.stderr, err)):
        with path.open("w") as file:
            os.dup2(file.fileno(), stream.fileno())
        stream.reconfigure(line_buffering=True, write_through=True)  # type: ignore[union-attr]  # no longer any stream
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = arguments
    from chitarrella.__main__ import main

    main(prog_name="chitarrella")
