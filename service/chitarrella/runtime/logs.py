"""The log on the standard error: one JSON object a line, with ``timestamp``, ``level`` and ``event``.

On a terminal it is text of the same fields. It is every line of the process: of libraries, of warnings, and of
exceptions that nobody caught. Of an exception the class and the place are logged, and not the text, which may name a
card.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from types import TracebackType
from typing import Any, BinaryIO, Final

import orjson


def line_writer(stream: BinaryIO) -> Callable[[bytes], None]:
    """Return what writes whole lines to a stream. Thread-safe."""
    lock = threading.Lock()

    def write(lines: bytes) -> None:
        with lock:
            stream.write(lines)
            stream.flush()

    return write


MAX_FRAMES = 30  # how many frames of a trace are logged, the innermost ones
OURS = "chitarrella"  # the name of the logger of the service; other names are those of libraries
# Libraries whose lines show what a stranger has sent: gRPC logs each metadata value that is not UTF-8, a key too. Only
# the name of the logger and the class of the exception are logged.
SILENCED = ("grpc", "aiohttp")
SILENCED_SECONDS = 10.0  # for so long no equal line of such a library is logged again: one request can cause hundreds
LEFT = "ExecuteBatchError"  # what gRPC raises where the caller has gone before its answer, which is no fault


def configure_logging(level: str) -> None:
    """Write every line of the log to the standard error; of libraries only warnings and errors."""
    number = logging.getLevelNamesMapping()[level.upper()]
    write = line_writer(sys.stderr.buffer)
    CALL_LOGS[:] = [write] if number <= logging.INFO else []
    LINE_FORMAT[:] = [text_line if sys.stderr.isatty() else json_line]
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[LineHandler(write)], force=True)
    logging.getLogger(OURS).setLevel(number)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda args: _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)
    sys.unraisablehook = lambda args: _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)


CALL_LOGS: Final[list[Callable[[bytes], None]]] = []  # what writes the lines of calls, once the log is configured


def json_line(fields: Mapping[str, Any]) -> bytes:
    return orjson.dumps(fields, default=str, option=orjson.OPT_APPEND_NEWLINE)


def text_line(fields: Mapping[str, Any]) -> bytes:
    """Format a line for a reader at a terminal: the time of the day in UTC, the level, the event, and the rest."""
    timestamp, level, event, *rest = fields.items()
    more = "".join(f" {name}={_shown(str(value))}" for name, value in rest)
    return f"{timestamp[1][11:23]} {level[1]:7} {_shown(event[1])}{more}\n".encode()


def _shown(text: str) -> str:
    return text if text.isprintable() else repr(text)  # nothing that commands a terminal, and one line


LINE_FORMAT: Final[list[Callable[[Mapping[str, Any]], bytes]]] = [json_line]


def line_of(fields: Mapping[str, Any]) -> bytes:
    """Format a line, its end included; the first fields are ``timestamp``, ``level`` and ``event``."""
    return LINE_FORMAT[0](fields)


def time_text(at: float) -> str:
    seconds = int(at)
    return f"{_second_text(seconds)}.{int((at - seconds) * 1_000_000):06d}Z"


@lru_cache(maxsize=8)
def _second_text(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


class LineHandler(logging.Handler):
    def __init__(self, write: Callable[[bytes], None]) -> None:
        super().__init__()
        self._write = write
        self._next: dict[tuple[str, str], float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if _exception_name(record) == LEFT or (is_silenced(record) and self._is_repeated(record)):
            return
        try:
            self._write(line_of(fields_of(record)))
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
