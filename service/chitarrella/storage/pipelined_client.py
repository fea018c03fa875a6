"""The client of a Redis or Valkey installation for calls on an event loop: the commands of redis-py, over one shared
connection to each server.

It looks like a client of redis-py to its users. A command suspends the call that sends it (`storage.loop_calls`).
"""

from __future__ import annotations

import asyncio
import ssl
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from redis import Redis
from redis.commands.core import CoreCommands
from redis.connection import SSLConnection
from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.sentinel import SentinelConnectionPool

from chitarrella.storage.group_commit import GroupCommit
from chitarrella.storage.loop_calls import wait_for
from chitarrella.storage.pipelined_connection import Command, OpenTransport, PipelinedConnection
from chitarrella.storage.redis_url import TIMEOUT_SECONDS, Client

CALLBACKS: Final[Mapping[str, Callable[..., Any]]] = Redis().response_callbacks
"""How redis-py reads the replies of commands, by name."""
COMMANDS: Final[Any] = CoreCommands
"""The methods of redis-py, each of which calls ``execute_command``."""
SCRIPT_COMMANDS: Final = ("EVALSHA", "EVAL")
"""Commands whose keys stand behind their number."""


class PipelinedClient(COMMANDS):  # type: ignore[misc]  # mypy takes what redis-py leaves to its own clients for abstract
    """Sends the commands of calls on one event loop. Not thread-safe."""

    def __init__(self, client: Client, wait_command: Command = ()) -> None:
        """Reach the servers that ``client`` knows; `send_durably` sends ``wait_command`` behind writes."""
        self._client: Any = client
        self._is_cluster = hasattr(client, "get_node_from_key")
        self._pool: Any = getattr(client, "connection_pool", None)
        self._has_sentinels = isinstance(self._pool, SentinelConnectionPool)
        self._wait_command = wait_command
        self._connections: dict[str, PipelinedConnection] = {}
        self._commits: dict[str, GroupCommit] = {}
        self._closing = self._close_with_the_loop()
        self._waiting = asyncio.get_running_loop().create_task(self._wait_for_the_end())

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command and return its reply; raises what redis-py raises."""
        return self.read(args, options, self.send([args])[0])

    def pipeline(self, transaction: bool = False) -> Pipeline:  # as redis-py has it
        """Collect commands that are sent together."""
        if transaction:
            raise NotImplementedError("transactions need a connection of their own; writes are scripts")
        return Pipeline(self)

    def send(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands, those for one server together, and return the replies, errors among them."""
        if not commands:  # there is no reply to wait for
            return []
        if not self._is_cluster:
            return self._checked(commands, wait_for(self._connection("").send(commands)))
        servers: defaultdict[str, list[int]] = defaultdict(list)
        for place, command in enumerate(commands):
            servers[self._server(command)].append(place)
        sent = [self._connection(name).send([commands[place] for place in places]) for name, places in servers.items()]
        replies: list[Any] = [None] * len(commands)
        for places, received in zip(servers.values(), wait_for(asyncio.gather(*sent)), strict=True):
            for place, reply in zip(places, received, strict=True):
                replies[place] = reply
        return self._checked(commands, replies)

    def _checked(self, commands: Sequence[Command], replies: list[Any]) -> list[Any]:
        """Follow the errors that point to another server."""
        for place, reply in enumerate(replies):
            if isinstance(reply, ResponseError):
                replies[place] = self._follow(commands[place], reply)
        return replies

    def send_durably(self, command: Command) -> tuple[Any, Any]:
        """Send a write, and return its reply and that of the command that waits for replicas and disks."""
        name = self._server(command)
        commit = self._commits.get(name)
        if commit is None:
            # A connection of its own: the server answers nothing else on it while it waits.
            commit = self._commits[name] = GroupCommit(self._open(name), self._wait_command)
        reply, waited = wait_for(commit.send(command))
        if isinstance(reply, AskError):
            self.refresh()
        return (self._demoted(name) or reply) if isinstance(reply, ReadOnlyError) else reply, waited

    def refresh(self) -> None:
        """Ask a cluster which server has which keys."""
        if self._is_cluster:
            loop = asyncio.get_running_loop()
            wait_for(loop.run_in_executor(None, self._client.nodes_manager.initialize))

    async def _wait_for_the_end(self) -> None:
        """Begin a generator that `asyncio.loop.shutdown_asyncgens` closes at the end of the loop."""
        await anext(self._closing)

    async def _close_with_the_loop(self) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            self.close()

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections.values():
            connection.drop()
        for commit in self._commits.values():
            commit.close()

    @staticmethod
    def read(args: Command, options: Mapping[str, Any], reply: Any) -> Any:
        """Convert a reply as redis-py does; raises one that is an error."""
        if isinstance(reply, Exception):
            raise reply
        callback = CALLBACKS.get(str(args[0]))
        known = {name: value for name, value in options.items() if name != "keys"}
        return callback(reply, **known) if callback else reply

    def _server(self, command: Command) -> str:
        """The name of the server that has the key of a command, ``host:port``; empty where there is only one."""
        if not self._is_cluster:
            return ""
        key = command[3] if command[0] in SCRIPT_COMMANDS else command[1]
        return str(self._client.get_node_from_key(key).name)

    def _connection(self, name: str) -> PipelinedConnection:
        connection = self._connections.get(name)
        if connection is None:
            connection = self._connections[name] = self._open(name)
        return connection

    def _open(self, name: str) -> PipelinedConnection:
        options = self._client.get_connection_kwargs() if self._is_cluster else self._pool.connection_kwargs
        return PipelinedConnection(self._opener(name, options), TIMEOUT_SECONDS, _greeting(options))

    def _opener(self, name: str, options: Mapping[str, Any]) -> OpenTransport:
        loop = asyncio.get_running_loop()
        if "path" in options:
            return partial(loop.create_unix_connection, path=options["path"])
        is_secure = options.get("ssl") if self._is_cluster else issubclass(self._pool.connection_class, SSLConnection)
        secure = _tls_context(options) if is_secure else None

        async def open_transport(factory: Callable[[], asyncio.Protocol]) -> Any:
            host, port = await self._address(name, options)
            return await loop.create_connection(factory, host, port, ssl=secure)

        return open_transport

    async def _address(self, name: str, options: Mapping[str, Any]) -> tuple[str, int]:
        """Where a server listens now; of a Sentinel's service, its master."""
        if name:
            host, _, port = name.rpartition(":")
            return host, int(port)
        if self._has_sentinels:
            address = await asyncio.get_running_loop().run_in_executor(None, self._pool.get_master_address)
            return str(address[0]), int(address[1])
        return options["host"], options["port"]

    def _follow(self, command: Command, error: ResponseError) -> Any:
        """Return the reply of the server that an error points to, or the error; learn what it says about servers."""
        if isinstance(error, MovedError | ClusterDownError):
            self.refresh()
        elif isinstance(error, AskError):
            asking = self._connection(f"{error.host}:{error.port}").send([("ASKING",), command])
            return wait_for(asking)[1]
        elif isinstance(error, ReadOnlyError):
            return self._demoted("") or error
        return error

    def _demoted(self, name: str) -> RedisConnectionError | None:
        """Leave a master that has become a replica, so that the Sentinels are asked for the new one."""
        if not self._has_sentinels:
            return None
        error = RedisConnectionError("the master has become a replica")
        if name in self._connections:
            self._connections[name].drop(error)
        if name in self._commits:
            self._commits[name].drop(error)
        return error


class Pipeline(COMMANDS):  # type: ignore[misc]  # mypy takes what redis-py leaves to its own clients for abstract
    """Commands that are sent together."""

    def __init__(self, client: PipelinedClient) -> None:
        """Send by ``client``."""
        self._client = client
        self._commands: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def execute_command(self, *args: Any, **options: Any) -> Pipeline:
        """Add a command."""
        self._commands.append((args, options))
        return self

    def execute(self) -> list[Any]:
        """Send all, and return the replies; raises the first that is an error."""
        replies = self._client.send([args for args, _ in self._commands])
        read = self._client.read
        return [read(args, options, reply) for (args, options), reply in zip(self._commands, replies, strict=True)]


def _greeting(options: Mapping[str, Any]) -> list[Command]:
    """The commands that log in and choose a database."""
    greeting: list[Command] = []
    if password := options.get("password"):
        user = options.get("username")
        greeting.append(("AUTH", user, password) if user else ("AUTH", password))
    if database := options.get("db"):
        greeting.append(("SELECT", database))
    return greeting


def _tls_context(options: Mapping[str, Any]) -> ssl.SSLContext:
    """Return the TLS settings of a connection, the same as redis-py makes of these options."""
    context = ssl.create_default_context()
    context.check_hostname = options.get("ssl_check_hostname", True)
    if authority := options.get("ssl_ca_certs"):
        context.load_verify_locations(authority)
    if certificate := options.get("ssl_certfile"):
        context.load_cert_chain(certificate, options.get("ssl_keyfile"))
    return context
