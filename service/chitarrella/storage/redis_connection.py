"""The connection to Redis or Valkey: sends commands and scripts, again where the connection broke.

Every write is one script, and so one round trip. A script that may have run can be sent again: an append carries a
request token and the id of its call, and the script knows those it has seen.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from redis import RedisError
from redis.exceptions import (
    AskError,
    ClusterDownError,
    NoScriptError,
    RedisClusterException,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError

from chitarrella.storage.pipelined_client import PipelinedClient, is_on_loop, sleep
from chitarrella.storage.redis_url import TIMEOUT_SECONDS, Client
from chitarrella.storage.rows import StoreError

WAIT_MS = 1500  # how long a write waits for replicas and disks: more than the second between two writes of a file


class Durability(NamedTuple):
    """What a write waits for: so many ``replicas``; with ``disk`` also the append-only file of the master and of these
    replicas (``WAITAOF``, Redis 7.2 or Valkey).
    """

    replicas: int = 0
    disk: bool = False

    @property
    def command(self) -> tuple[str | int, ...]:
        if self.disk:
            return ("WAITAOF", 1, self.replicas, WAIT_MS)
        return ("WAIT", self.replicas, WAIT_MS) if self.replicas else ()

    def is_reached(self, answer: Any) -> bool:
        if self.disk:
            return bool(answer[0] >= 1 and answer[1] >= self.replicas)
        return bool(answer >= self.replicas)


SERVER_DECIDES = Durability()  # a write is answered when the server answers it; its own settings say what that means


class NotDurable(StoreError):
    """The write was made, but did not reach the replicas and disks that it must reach in time."""


FAILURES = 5  # after so many failures without a success between them the breaker opens
PAUSE_SECONDS = 0.5  # how long an open breaker waits before one call may try again


class CircuitBreaker:
    """Counts failures of a server; while it does not answer, calls fail at once. Thread-safe."""

    # Two maintained libraries were tried. pybreaker holds its lock during a call, and so would send the commands of all
    # threads one by one. circuitbreaker lets every caller through as soon as the pause is over, so that all threads
    # wait for a server that still hangs; here one call tries it, and the others fail until that one is answered.

    def __init__(self, trial_seconds: float) -> None:
        self._trial_seconds = trial_seconds
        self._lock = threading.Lock()
        self._failures = 0
        self._next_trial = 0.0

    @property
    def is_open(self) -> bool:
        return self._failures >= FAILURES

    def may_call(self) -> bool:
        if self._failures < FAILURES:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._next_trial:
                return False
            self._next_trial = now + self._trial_seconds
            return True

    def succeeded(self) -> bool:
        if not self._failures:
            return False
        with self._lock:
            closes, self._failures = self.is_open, 0
            return closes

    def failed(self) -> bool:
        with self._lock:
            self._failures += 1
            self._next_trial = time.monotonic() + PAUSE_SECONDS
            return self._failures == FAILURES


LOG = logging.getLogger("chitarrella")
CODE = re.compile(r"[A-Z]{2,20}(?= )")  # the code of an error of the server, which its text begins with
DENIED_COMMAND = re.compile(r"(?<=run the ')[a-z|]+(?=' command)")  # in the text of an error
DENIED_IN_SCRIPT = "The user executing the script can't"  # the begin of an error of Redis 7.0, which has no code
SCRIPT_NAME = re.compile(r"^--- (\w+)\n", re.MULTILINE)  # the line before a script, among those of its file
RETRY_PAUSES = (0.1, 0.2, 0.4, 0.5)  # between attempts: enough for a restart, and for most failovers
# After these a command may be sent again: the connection broke, or the key has moved to another node
BROKEN = (RedisConnectionError, ClusterDownError, RedisClusterException, AskError, TryAgainError, OSError)

# Called after every command with its name, the seconds it took with its repetitions, and the class of its error
ObserveCommand = Callable[[str, float, str], None]


class RedisConnection:
    """A client, the prefix of every key, the retry of commands, and the circuit breaker of each node. Thread-safe."""

    def __init__(
        self,
        client: Client,
        prefix: str,
        durability: Durability = SERVER_DECIDES,
        observe: ObserveCommand = lambda *_: None,
    ) -> None:
        self._client: Any = client
        self._loop_clients: dict[asyncio.AbstractEventLoop, PipelinedClient] = {}
        self.prefix, self.durability, self._observe = prefix, durability, observe
        self.is_cluster = hasattr(client, "get_node_from_key")  # whether the store is a cluster
        self._breakers: defaultdict[str, CircuitBreaker] = defaultdict(lambda: CircuitBreaker(TIMEOUT_SECONDS))

    @property
    def client(self) -> Any:
        """The client of redis-py; of a call on an event loop, the one of its loop, which does not block."""
        return self.loop_client() if is_on_loop() else self._client

    def loop_client(self) -> PipelinedClient:
        loop = asyncio.get_running_loop()
        if (client := self._loop_clients.get(loop)) is None:
            client = self._loop_clients[loop] = PipelinedClient(self._client, self.durability.command)
        return client

    def key(self, *parts: str) -> str:
        return ":".join((self.prefix, *parts))

    def match_keys(self, match: str) -> list[str]:
        """The keys of the row, the log and the tokens of a match; the first is also the channel of its changes."""
        row = self.key(f"{{{match}}}")
        return [row, f"{row}:log", f"{row}:tokens"]

    def match_keys_with_mark(self, match: str) -> list[str]:
        """The same, and the key of the mark by which the id of an archived match stays taken."""
        return [*self.match_keys(match), self.key(f"{{{match}}}", "archived")]

    def execute(self, command: Callable[[], Any], key: str = "", name: str = "other") -> Any:
        """Run a command, and again where the connection broke: no command does harm when it runs twice. It is measured
        under ``name``; in a cluster the node of ``key`` has a circuit breaker of its own. Raises `StoreError`. redis-
        py's own `Retry` repeats within its repetitions in a cluster, without limit to the whole time.
        """
        breaker = self._breakers[self._node(key) if self.is_cluster and key else ""]
        if not breaker.may_call():
            self._observe(name, 0.0, "circuit_open")
            raise StoreError("the store has not answered for some time")
        start = time.monotonic()
        for pause in (*RETRY_PAUSES, 0.0):
            try:
                answer = command()
            except (RedisError, RedisClusterException, OSError) as error:
                if not (isinstance(error, BROKEN) and pause) or time.monotonic() - start > TIMEOUT_SECONDS:
                    self._observe(name, time.monotonic() - start, type(error).__name__)
                    raise self._failure(breaker, error) from error
            else:
                self._observe(name, time.monotonic() - start, "")
                if breaker.succeeded():
                    LOG.warning("the store answers again")
                return answer
            sleep(pause)
            if self.is_cluster and is_on_loop():  # redis-py does so by itself
                with suppress(RedisError, RedisClusterException, OSError):  # the command that follows fails, too
                    self.loop_client().refresh()
        raise AssertionError

    def send_together(self, fill: Callable[[Any], object], key: str = "", name: str = "other") -> Any:
        """Send the commands that ``fill`` adds to a pipeline, and return the replies. Raises `StoreError`."""

        def send() -> Any:
            pipeline = self.client.pipeline(transaction=False)
            fill(pipeline)
            return pipeline.execute()

        return self.execute(send, key, name)

    def _node(self, key: str) -> str:
        with suppress(RedisError, RedisClusterException):
            return str(self._client.get_node_from_key(key).name)
        return ""

    def _failure(self, breaker: CircuitBreaker, error: Exception) -> StoreError:
        if isinstance(error, ResponseError):
            breaker.succeeded()  # it does answer
            LOG.warning("the store refuses a command: %s", _cause(error))
        else:
            opens = breaker.failed()
            LOG.warning("the store does not answer: %s%s", _cause(error), "; calls fail at once now" if opens else "")
        return StoreError(type(error).__name__)

    def connection_of(self, key: str) -> Any:
        return (
            self._client.get_redis_connection(self._client.get_node_from_key(key)) if self.is_cluster else self._client
        )

    def masters(self) -> list[Any]:
        """A client for each server that has keys: of a cluster, every master as it is now. Raises `StoreError`."""
        if not self.is_cluster:
            return [self._client]
        self.execute(self._client.nodes_manager.initialize)
        return [self._client.get_redis_connection(node) for node in self._client.get_primaries()]

    def slots(self) -> list[str]:
        if not self.is_cluster:
            return []
        return [nodes[0].name for _, nodes in sorted(self._client.nodes_manager.slots_cache.items())]

    def check_durability(self) -> None:
        """Check that the server can wait as `durability` says. Raises `ValueError` where it cannot, `StoreError`."""
        command = self.durability.command
        if not command:
            return
        # No write was made on this connection, so that nothing is waited for.
        try:
            self.connection_of(self.key("{probe}")).execute_command(*command)
        except ResponseError as error:
            raise ValueError(f"the store cannot wait for a write as it was set: {error}") from error
        except (RedisError, RedisClusterException, OSError) as error:
            raise StoreError(type(error).__name__) from error

    def close(self) -> None:
        for loop, client in self._loop_clients.items():
            if loop.is_running():
                loop.call_soon_threadsafe(client.close)
        self._loop_clients.clear()
        with suppress(RedisError, OSError):
            self._client.close()


def _cause(error: Exception) -> str:
    """The class of an error, its code, and the refused command; the rest of its text may name a match."""
    text = str(error)
    code, command = CODE.match(text), DENIED_COMMAND.search(text)
    acl = "ACL" if text.startswith(DENIED_IN_SCRIPT) else ""
    return " ".join(filter(None, (type(error).__name__, code[0] if code else acl, command[0] if command else "")))


@cache
def scripts() -> Mapping[str, str]:
    """The text of each script by its name, from the files that hold them by subject."""
    files = sorted((Path(__file__).parent / "scripts").glob("*.lua"))
    parts = [SCRIPT_NAME.split(path.read_text()) for path in files]
    return {name: text for _, *found in parts for name, text in zip(found[::2], found[1::2], strict=True)}


class Script:
    """A Lua script, sent by its digest, and in full to the server that does not know it; redis-py would send it to
    every node of a cluster, and so to none where one of them is down.
    """

    def __init__(self, connection: RedisConnection, name: str, *, is_durable: bool = False) -> None:
        self._connection, self._name = connection, name
        self._durability = connection.durability if is_durable else SERVER_DECIDES
        self._send_write = self._send_and_wait if self._durability.command else self._send
        self.text = scripts()[name]
        self._sha = sha1(self.text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: list[str], args: Sequence[str | int]) -> Any:
        """Run the script. Raises `StoreError`; `NotDurable` where its write has not reached what it must reach."""
        send = self._send_write
        return self._run(lambda command, script: send((command, script, len(keys), *keys, *args), keys[0]), keys[0])

    def with_commands(self, keys: list[str], args: Sequence[str | int], fill: Callable[[Any], object]) -> Any:
        """Run the script, and the commands that ``fill`` adds to a pipeline in the same round trip; returns what the
        script does. In a cluster, and where its write waits, they follow it: other servers would be faster.
        """
        if self._durability.command or self._connection.is_cluster:
            answer = self(keys, args)
            self._connection.send_together(fill, name=self._name)
            return answer

        def send(command: str, script: str) -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            pipeline.execute_command(command, script, len(keys), *keys, *args)
            fill(pipeline)
            return pipeline.execute()[0]

        return self._run(send, keys[0])

    def _run(self, send: Callable[[str, str], Any], key: str) -> Any:
        def run() -> Any:
            try:
                return send("EVALSHA", self._sha)
            except NoScriptError:
                return send("EVAL", self.text)

        return self._connection.execute(run, key, self._name)

    def _send(self, command: Sequence[str | int], key: str) -> Any:
        return self._connection.client.execute_command(*command)  # past redis-py's methods, which cost as much again

    def _send_and_wait(self, write: Sequence[str | int], key: str) -> Any:
        """Send a write and wait, in one round trip; on another connection it would not be waited for."""
        if is_on_loop():
            answer, waited = self._connection.loop_client().send_durably(write)
        else:
            answer, waited = self._send_in_pipeline(write, key)
        for one in (answer, waited):
            if isinstance(one, Exception):
                raise one
        if not self._durability.is_reached(waited):
            LOG.warning("a write has not reached its replicas and disks in time")
            raise NotDurable("not durable")
        return answer

    def _send_in_pipeline(self, write: Sequence[str | int], key: str) -> Sequence[Any]:
        pipeline = self._connection.connection_of(key).pipeline(transaction=False)
        pipeline.execute_command(*write)
        pipeline.execute_command(*self._durability.command)
        answers: list[Any] = pipeline.execute(raise_on_error=False)
        if isinstance(answers[0], AskError):
            self._connection.client.nodes_manager.initialize()  # the key has moved: ask where it is now
        return answers
