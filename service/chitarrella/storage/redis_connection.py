"""A connection to Redis or Valkey: sends commands, again where the connection broke; those of version 7.0 alone.

Every write is one script, and so one round trip. A script that may have run can be sent again: an append carries a
request token and the id of its call, and the script knows those it has seen.
"""

from __future__ import annotations

import logging
import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from redis import RedisError
from redis.exceptions import AskError, ClusterDownError, NoScriptError, RedisClusterException, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError

from chitarrella.matches.store import StoreError
from chitarrella.storage.circuit_breaker import CircuitBreaker
from chitarrella.storage.redis_url import TIMEOUT_SECONDS, Client

SCRIPTS = Path(__file__).parent / "scripts"
LOG = logging.getLogger("chitarrella")
CODE = re.compile(r"[A-Z]{2,20}(?= )")
"""The code of an error of the server, which its text begins with."""
RETRY_PAUSES = (0.1, 0.2, 0.4, 0.5)
"""Seconds between the attempts of a command whose connection broke: enough for a restart, and for most failovers."""
WAIT_MS = 1500
"""How long a write waits for replicas and disks, in milliseconds: more than the second between two writes of a file."""


class Durability(NamedTuple):
    """What a write waits for before it is answered, beyond what the server itself waits for.

    ``replicas`` is the number of replicas that must have it. With ``disk`` it must also be in the append-only file on
    the disk of the master and of so many replicas (``WAITAOF``, Redis 7.2 or Valkey).
    """

    replicas: int = 0
    disk: bool = False

    @property
    def command(self) -> tuple[str | int, ...]:
        """The command that waits, empty where nothing is waited for."""
        if self.disk:
            return ("WAITAOF", 1, self.replicas, WAIT_MS)
        return ("WAIT", self.replicas, WAIT_MS) if self.replicas else ()

    def is_reached(self, answer: Any) -> bool:
        """Whether the answer to the command says that the write is where it must be."""
        if self.disk:
            return bool(answer[0] >= 1 and answer[1] >= self.replicas)
        return bool(answer >= self.replicas)


ObserveCommand = Callable[[str, float, str], None]
"""Called after every command with its name, the seconds it took with its repetitions, and the class of its error."""

SERVER_DECIDES = Durability()
"""A write is answered when the server answers it; its own settings say what that means."""


class NotDurable(StoreError):
    """The write was made, but did not reach the replicas and disks that it must reach in time."""


class RedisConnection:
    """A client, the prefix of every key, the retry of commands, and the circuit breaker of each node. Thread-safe."""

    def __init__(
        self,
        client: Client,
        prefix: str,
        durability: Durability = SERVER_DECIDES,
        observe: ObserveCommand = lambda *_: None,
    ) -> None:
        """Use ``client``; every key begins with ``prefix``, and writes wait for ``durability``. Nothing is sent yet."""
        self.client: Any = client
        self.prefix = prefix
        self.durability = durability
        self._observe = observe
        self._is_cluster = hasattr(client, "get_node_from_key")
        self._breakers: defaultdict[str, CircuitBreaker] = defaultdict(lambda: CircuitBreaker(TIMEOUT_SECONDS))

    def key(self, *parts: str) -> str:
        """The key of these parts."""
        return ":".join((self.prefix, *parts))

    def execute(self, command: Callable[[], Any], key: str = "", name: str = "other") -> Any:
        """Run a command, and again where the connection broke: no command does harm when it runs twice.

        ``name`` is that under which it is measured, ``key`` a key of the command: in a cluster each node has a circuit
        breaker of its own. A server that hangs is waited for only once, and not at all while its breaker is open.
        Raises `StoreError`. redis-py's own `Retry` is not used: in a cluster it repeats within its repetitions, and it
        has no limit to the whole time.
        """
        breaker = self._breakers[self._node(key)]
        if not breaker.may_call():
            self._observe(name, 0.0, "circuit_open")
            raise StoreError("the store has not answered for some time")
        start = time.monotonic()
        for pause in (*RETRY_PAUSES, 0.0):
            try:
                answer = command()
            except (RedisError, RedisClusterException, OSError) as error:
                if not (_is_broken(error) and pause) or time.monotonic() - start > TIMEOUT_SECONDS:
                    self._observe(name, time.monotonic() - start, type(error).__name__)
                    raise self._failure(breaker, error) from error
            else:
                self._observe(name, time.monotonic() - start, "")
                if breaker.succeeded():
                    LOG.warning("the store answers again")
                return answer
            time.sleep(pause)
        raise AssertionError

    def _node(self, key: str) -> str:
        """The name of the node that has a key; empty where there is only one, or it is not known."""
        if not (self._is_cluster and key):
            return ""
        with suppress(RedisError, RedisClusterException):
            return str(self.client.get_node_from_key(key).name)
        return ""

    def _failure(self, breaker: CircuitBreaker, error: Exception) -> StoreError:
        """Count and log a failed command; returns the error to raise."""
        if isinstance(error, ResponseError):
            breaker.succeeded()  # it does answer
            LOG.warning("the store refuses a command: %s", _cause(error))
        else:
            opens = breaker.failed()
            LOG.warning("the store does not answer: %s%s", _cause(error), "; calls fail at once now" if opens else "")
        return StoreError(type(error).__name__)

    def connection_of(self, key: str) -> Any:
        """The client of the server that has ``key``: in a cluster, of its node."""
        return self.client.get_redis_connection(self.client.get_node_from_key(key)) if self._is_cluster else self.client

    def masters(self) -> list[Any]:
        """A client for each server that has keys: of a cluster, every master as it is now. Raises `StoreError`."""
        if not self._is_cluster:
            return [self.client]
        self.execute(self.client.nodes_manager.initialize)
        return [self.client.get_redis_connection(node) for node in self.client.get_primaries()]

    def slots(self) -> list[str]:
        """The name of the master of each slot of a cluster, as it is known; empty for one server."""
        if not self._is_cluster:
            return []
        return [nodes[0].name for _, nodes in sorted(self.client.nodes_manager.slots_cache.items())]

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

    def script(self, name: str, *, is_durable: bool = False) -> Script:
        """The script ``name`` of the folder ``scripts``; one that ``is_durable`` waits for `durability`."""
        return Script(self, name, self.durability if is_durable else SERVER_DECIDES)

    def close(self) -> None:
        """Close every connection of the client."""
        with suppress(RedisError, OSError):
            self.client.close()


def _is_broken(error: Exception) -> bool:
    """Whether a command may be sent again: the connection broke, or the key has moved to another node."""
    return isinstance(error, RedisConnectionError | ClusterDownError | RedisClusterException | AskError | OSError)


def _cause(error: Exception) -> str:
    """The class of an error, and its code if it has one, such as NOREPLICAS; not its text, which may name a match."""
    code = CODE.match(str(error))
    return f"{type(error).__name__} {code[0]}" if code else type(error).__name__


class Script:
    """A Lua script, sent by its digest, and in full to a server that does not know it.

    redis-py would send it to every node of a cluster then, and so to none where one of them is down.
    """

    def __init__(self, connection: RedisConnection, name: str, durability: Durability) -> None:
        """Read the script ``name``."""
        self._connection = connection
        self._name = name
        self._durability = durability
        self._text = (SCRIPTS / f"{name}.lua").read_text()
        self._sha = sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: list[str], args: Sequence[str | int]) -> Any:
        """Run the script. Raises `StoreError`; `NotDurable` where its write has not reached what it must reach."""
        run = self._run_and_wait if self._durability.command else self._run
        return self._connection.execute(lambda: run(keys, args), keys[0], self._name)

    def _run(self, keys: list[str], args: Sequence[str | int]) -> Any:
        client = self._connection.client
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.eval(self._text, len(keys), *keys, *args)

    def _run_and_wait(self, keys: list[str], args: Sequence[str | int]) -> Any:
        """Run the script and wait, in one round trip; on another connection it would not be waited for."""
        try:
            return self._send("EVALSHA", self._sha, keys, args)
        except NoScriptError:
            return self._send("EVAL", self._text, keys, args)

    def _send(self, command: str, script: str, keys: list[str], args: Sequence[str | int]) -> Any:
        pipeline = self._connection.connection_of(keys[0]).pipeline(transaction=False)
        pipeline.execute_command(command, script, len(keys), *keys, *args)
        pipeline.execute_command(*self._durability.command)
        answer, waited = pipeline.execute(raise_on_error=False)
        if isinstance(answer, AskError):
            self._connection.client.nodes_manager.initialize()  # the key has moved: ask where it is now
        for one in (answer, waited):
            if isinstance(one, Exception):
                raise one
        if not self._durability.is_reached(waited):
            LOG.warning("a write has not reached its replicas and disks in time")
            raise NotDurable("not durable")
        return answer
