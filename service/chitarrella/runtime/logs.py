"""The log: one JSON object a line on the standard error, with ``timestamp``, ``level`` and ``event``.

That holds for every line of the process: of libraries, of warnings, and of exceptions that nobody caught. Of an
exception the class and the place are logged, and not the text, which may name a card.
"""

from __future__ import annotations

import atexit
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, BinaryIO, Final

import orjson

BLOCK_BYTES: Final = 64 * 1024  # bytes that are written at once, without waiting for more
DELAY_SECONDS: Final = 0.05  # the longest time that a line waits


class BlockLogger:
    """Writes lines to a stream, in blocks. Thread-safe; nothing is lost at the exit of the process."""

    def __init__(self, stream: BinaryIO) -> None:
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
        with self._lock:
            self._waiting += (line, b"\n")
            self._write()

    def flush(self) -> None:
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


MAX_FRAMES = 30  # how many frames of a trace are logged, the innermost ones
OURS = "chitarrella"  # the name of the logger of the service; other names are those of libraries
# Libraries whose lines show what a stranger has sent: gRPC logs each metadata value that is not UTF-8, a key too. Only
# the name of the logger and the class of the exception are logged.
SILENCED = ("grpc", "aiohttp")
SILENCED_SECONDS = 10.0  # for so long no equal line of such a library is logged again: one request can cause hundreds
LEFT = "ExecuteBatchError"  # what gRPC raises where the caller has gone before its answer, which is no fault


def configure_logging(level: str) -> None:
    """Write every line of the log as JSON to the standard error; of libraries only warnings and errors."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logger = BlockLogger(sys.stderr.buffer)
    CALL_LOGS[:] = [logger.info] if number <= logging.INFO else []
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[JsonHandler(logger)], force=True)
    logging.getLogger(OURS).setLevel(number)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda args: _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)
    sys.unraisablehook = lambda args: _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)


CALL_LOGS: Final[list[Callable[[bytes], None]]] = []  # what writes the lines of calls, once the log is configured


def log_call(fields: dict[str, Any]) -> None:
    """Log a call. Without `logging`, which would cost more than the rest of its telemetry."""
    for write in CALL_LOGS:
        write(orjson.dumps({"timestamp": time_text(time.time()), "level": "info", "event": "request", **fields}))


def time_text(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class JsonHandler(logging.Handler):
    def __init__(self, logger: BlockLogger) -> None:
        super().__init__()
        self._logger = logger
        self._next: dict[tuple[str, str], float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if _exception_name(record) == LEFT or (is_silenced(record) and self._is_repeated(record)):
            return
        try:
            write = self._logger.warning if record.levelno >= logging.WARNING else self._logger.info
            write(orjson.dumps(fields_of(record), default=str))
        except Exception:  # a log that cannot be written must not stop the service
            self.handleError(record)

    def _is_repeated(self, record: logging.LogRecord) -> bool:
        """Whether an equal line was logged a short while ago."""
        key = (record.name, _exception_name(record))
        if record.created < self._next.get(key, 0):
            return True
        self._next[key] = record.created + SILENCED_SECONDS
        return False


def is_silenced(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in SILENCED


def _exception_name(record: logging.LogRecord) -> str:
    return record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "timestamp": time_text(record.created),
        "level": record.levelname.lower(),
        "event": "a library reports a fault",
    }
    if is_silenced(record):
        fields |= {"logger": record.name, **({"exception": name} if (name := _exception_name(record)) else {})}
        return fields
    message = record.getMessage()
    if record.name == "asyncio":  # further lines show tasks with exceptions, whose texts may name a card
        message = message.partition("\n")[0]
    fields["event"] = message
    if record.name != OURS:
        fields["logger"] = record.name
    if record.exc_info and record.exc_info[0]:
        frames = traceback.extract_tb(record.exc_info[2])[-MAX_FRAMES:]
        fields["exception"] = record.exc_info[0].__name__
        fields["trace"] = [f"{one.filename}:{one.lineno} {one.name}" for one in frames]
    return fields


def _log_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt | SystemExit):
        logging.getLogger(OURS).critical("uncaught exception", exc_info=(kind, error or kind(), trace))
