"""The stream of the log, which writes lines in blocks: one write for each line would cost more than many an answer.

A line waits for a twentieth of a second at the most; a warning or an error is written at once, with what waits.
"""

from __future__ import annotations

import atexit
import threading
import time
from typing import BinaryIO, Final

BLOCK_BYTES: Final = 64 * 1024
"""Bytes that are written at once, without waiting for more."""
DELAY_SECONDS: Final = 0.05
"""The longest time that a line waits."""


class BlockLogger:
    """Writes lines to a stream, as a logger of structlog. Thread-safe; nothing is lost at the exit of the process."""

    def __init__(self, stream: BinaryIO) -> None:
        """Write to ``stream``."""
        self._stream = stream
        self._lock = threading.Lock()
        self._waiting: list[bytes] = []
        self._size = 0
        self._has_lines = threading.Event()
        threading.Thread(target=self._run, name="log", daemon=True).start()
        atexit.register(self.flush)

    def info(self, line: bytes) -> None:
        """Write a line with the next block."""
        with self._lock:
            self._waiting += (line, b"\n")
            self._size += len(line)
            if self._size >= BLOCK_BYTES:
                self._write()
            elif len(self._waiting) == 2:  # the first line, and the end of it
                self._has_lines.set()

    def warning(self, line: bytes) -> None:
        """Write a line at once, behind those that wait."""
        with self._lock:
            self._waiting += (line, b"\n")
            self._write()

    debug = info
    error = critical = warning

    def flush(self) -> None:
        """Write what waits."""
        with self._lock:
            self._write()

    def _write(self) -> None:
        self._has_lines.clear()
        if self._waiting:
            block, self._waiting, self._size = b"".join(self._waiting), [], 0
            self._stream.write(block)
            self._stream.flush()

    def _run(self) -> None:
        while True:
            self._has_lines.wait()
            time.sleep(DELAY_SECONDS)
            self.flush()
