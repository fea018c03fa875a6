"""The client of Redis or Valkey for calls on an event loop: one shared connection to each server.

What the calls send in one turn of the loop goes out in one write, and replies are matched to commands by their order.
It is hand-made because a kept client costs eight times as much for each command (`docs/decisions/README.md`, 6). It
looks like a client of redis-py to its users. A command suspends the call that sends it (`run_on_loop`).
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

import hiredis
from greenlet import GreenletExit, getcurrent, greenlet
from redis import Redis
from redis.commands.core import CoreCommands
from redis.connection import DefaultParser, SSLConnection
from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.sentinel import SentinelConnectionPool

from chitarrella.storage.redis_url import TIMEOUT_SECONDS, Client

T = TypeVar("T")


class _LoopCall(greenlet):
    """Runs one call after another on an event loop. A new greenlet would map memory of its own for its frames."""

    asked: tuple[Callable[[], Any], asyncio.Future[Any]] | None = None  # as arguments a greenlet would keep them

    def run(self) -> None:
        while self.asked is not None:
            (call, done), self.asked = self.asked, None
            try:
                result = call()
            except GreenletExit:
                raise
            except BaseException as error:  # whatever it is, it belongs to the caller
                if not done.cancelled():
                    done.set_exception(error)
            else:
                if not done.cancelled():
                    done.set_result(result)
                del result
            del call, done  # with what they hold
            self.gr_context = None
            if len(IDLE.calls) >= MAX_IDLE:
                return
            IDLE.calls.append(self)
            parent: Any = self.parent
            parent.switch()


class _Idle(threading.local):
    def __init__(self) -> None:
        self.calls: list[_LoopCall] = []


IDLE: Final = _Idle()  # what has run its call, in this thread
MAX_IDLE: Final = 64


def run_on_loop(call: Callable[[], T]) -> asyncio.Future[T]:
    """Run ``call`` on this loop, which goes on where it waits by `wait_for`. A call whose future is cancelled runs on
    to its end, as it would in a thread.
    """
    done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    running = IDLE.calls.pop() if IDLE.calls else _LoopCall()
    running.gr_context, running.asked = copy_context(), (call, done)
    running.switch()
    return done


def is_on_loop() -> bool:
    return isinstance(getcurrent(), _LoopCall)


def wait_for(awaitable: Awaitable[T]) -> T:
    """Suspend the running call until ``awaitable`` is done, and return its result; only by `run_on_loop`."""
    call: Any = getcurrent()
    future = awaitable if isinstance(awaitable, asyncio.Future) else asyncio.ensure_future(awaitable)
    if not future.done():
        future.add_done_callback(call.switch)
        call.parent.switch()
    try:
        return future.result()
    finally:
        del future


def sleep(seconds: float) -> None:
    if is_on_loop():
        wait_for(asyncio.sleep(seconds))
    else:
        time.sleep(seconds)


def run_long(call: Callable[[], T], threads: Executor | None = None) -> T:
    """Run what takes long: of a call on a loop in ``threads``, else where it stands. Raises what the call raises."""
    return wait_for(asyncio.get_running_loop().run_in_executor(threads, call)) if is_on_loop() else call()


Command = Sequence[str | int | float | bytes]  # the name of a command, and its arguments
# Connects a protocol, as `asyncio.loop.create_connection` does; raises `OSError`, or an error of redis-py
OpenTransport = Callable[[Callable[[], asyncio.Protocol]], Awaitable[tuple[asyncio.BaseTransport, asyncio.Protocol]]]

MAX_REQUESTS: Final = 20_000  # requests that may wait for their replies; more are refused
_INCOMPLETE: Final = object()


@dataclass(slots=True, eq=False)
class _Request:
    """Commands sent together: the future of their replies, how many are missing, and those that are there."""

    future: asyncio.Future[list[Any]]
    missing: int
    deadline: float
    replies: list[Any] = field(default_factory=list)


class PipelinedConnection:
    """One connection, opened at the first command and again where it broke. Not thread-safe: it belongs to one loop."""

    def __init__(self, open_transport: OpenTransport, timeout: float, greeting: Sequence[Command] = ()) -> None:
        """``greeting`` is sent first, such as AUTH; ``timeout`` is in seconds, for a connection and for each reply."""
        self._open, self._timeout, self._greeting = open_transport, timeout, greeting
        self._loop = asyncio.get_running_loop()
        self._requests: deque[_Request] = deque()
        self._unsent: list[bytes] = []
        self._is_flushing = False
        self._protocol: _Protocol | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def send(self, commands: Sequence[Command]) -> asyncio.Future[list[Any]]:
        """Send commands; the future has the replies, errors among them, and raises one of the connection."""
        future: asyncio.Future[list[Any]] = self._loop.create_future()
        if len(self._requests) >= MAX_REQUESTS:
            future.set_exception(RedisConnectionError("too many requests wait for the store"))
            return future
        self._requests.append(_Request(future, len(commands), self._loop.time() + self._timeout))
        for command in commands:
            self._unsent.append(_packed(command))
        if not self._is_flushing:
            self._is_flushing = True
            self._loop.call_soon(self._flush)
        if self._timer is None:
            self._timer = self._loop.call_later(self._timeout, self._check_deadlines)
        return future

    def drop(self, error: Exception | None = None) -> None:
        if self._protocol is not None:
            self._protocol.abort()
        self._lost(error or RedisConnectionError("the connection was closed"))

    def _flush(self) -> None:
        self._is_flushing = False
        if self._protocol is not None:
            self._protocol.transport.write(b"".join(self._unsent))
            self._unsent.clear()
        elif self._connecting is None and self._requests:
            self._connecting = self._loop.create_task(self._connect())

    async def _connect(self) -> None:
        try:
            async with asyncio.timeout(self._timeout):
                _, protocol = await self._open(lambda: _Protocol(self._received, self._closed))
        except Exception as error:  # an error of a socket, of TLS, or of a Sentinel
            self._connecting = None
            self._lost(error if isinstance(error, RedisConnectionError) else RedisConnectionError(type(error).__name__))
            return
        self._connecting = None
        self._protocol = protocol  # type: ignore[assignment]  # it is what the factory made
        if self._greeting:
            greeting: asyncio.Future[list[Any]] = self._loop.create_future()
            greeting.add_done_callback(self._check_greeting)
            deadline = self._loop.time() + self._timeout
            self._requests.appendleft(_Request(greeting, len(self._greeting), deadline))
            self._unsent[:0] = [_packed(command) for command in self._greeting]
        self._flush()

    def _check_greeting(self, greeting: asyncio.Future[list[Any]]) -> None:
        if greeting.exception() is None:
            for reply in greeting.result():
                if isinstance(reply, Exception):
                    self.drop(reply)

    def _received(self, replies: Sequence[Any]) -> None:
        requests = self._requests
        for reply in replies:
            if not requests:  # out of step: nothing that follows can be assigned
                self.drop()
                return
            request = requests[0]
            request.replies.append(reply)
            request.missing -= 1
            if not request.missing:
                requests.popleft()
                if not request.future.done():
                    request.future.set_result(request.replies)

    def _closed(self, protocol: _Protocol) -> None:
        if protocol is self._protocol:
            self._lost(RedisConnectionError("the store has closed the connection"))

    def _lost(self, error: Exception) -> None:
        self._protocol = None
        self._unsent.clear()
        waiting, self._requests = self._requests, deque()
        for request in waiting:
            if not request.future.done():
                request.future.set_exception(error)

    def _check_deadlines(self) -> None:
        """Close a connection whose oldest reply is late. What has waited for half of the time fails with it, so that
        nobody waits much longer than the whole of it; what came later can be sent again.
        """
        self._timer = None
        if not self._requests:
            return
        now, oldest = self._loop.time(), self._requests[0].deadline
        if oldest > now:
            self._timer = self._loop.call_at(oldest, self._check_deadlines)
            return
        for request in self._requests:
            if request.deadline - now < self._timeout / 2 and not request.future.done():
                request.future.set_exception(RedisTimeoutError("the store has not answered in time"))
        self.drop()


def _packed(command: Command) -> bytes:
    packed: bytes = hiredis.pack_command(tuple(command))  # type: ignore[arg-type]  # its type hint wants just one argument
    return packed


class _Protocol(asyncio.Protocol):
    def __init__(self, received: Callable[[Sequence[Any]], None], closed: Callable[[_Protocol], None]) -> None:
        self._received, self._closed = received, closed
        self._reader = hiredis.Reader(replyError=DefaultParser.parse_error, encoding="utf-8", notEnoughData=_INCOMPLETE)
        self.transport: asyncio.Transport = NotImplemented

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # a stream has this kind of transport

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        replies = []
        while (reply := self._reader.gets()) is not _INCOMPLETE:
            replies.append(reply)
        self._received(replies)

    def connection_lost(self, _: Exception | None) -> None:
        self._closed(self)

    def abort(self) -> None:
        self._received = lambda _: None
        self.transport.abort()


Outcome = asyncio.Future[tuple[Any, Any]]  # the reply of a write, and that of the command that waited for it


class GroupCommit:
    """Sends writes in groups, with one wait for replicas and disks behind each; meanwhile the next one gathers. Not
    thread-safe: it belongs to one loop.
    """

    def __init__(self, connection: PipelinedConnection, wait_command: Command) -> None:
        self._connection, self._wait_command = connection, wait_command
        self._loop = asyncio.get_running_loop()
        self._gathered: list[tuple[Command, Outcome]] = []
        self._is_waiting = False

    def send(self, command: Command) -> Outcome:
        """Send a write with the next group. The future raises an error of redis-py where the connection broke."""
        future: Outcome = self._loop.create_future()
        self._gathered.append((command, future))
        if not self._is_waiting:
            self._is_waiting = True
            self._loop.call_soon(self._send_group)
        return future

    def drop(self, error: Exception | None = None) -> None:
        self._connection.drop(error)

    def _send_group(self) -> None:
        group, self._gathered = self._gathered, []
        replies = self._connection.send([*(command for command, _ in group), self._wait_command])
        replies.add_done_callback(lambda done: self._settle([future for _, future in group], done))

    def _settle(self, futures: Sequence[Outcome], done: asyncio.Future[list[Any]]) -> None:
        error = done.exception()
        replies = [] if error else done.result()
        for place, future in enumerate(futures):
            if future.done():
                continue
            if error:
                future.set_exception(error)
            else:
                future.set_result((replies[place], replies[-1]))
        self._is_waiting = bool(self._gathered)
        if self._is_waiting:
            self._send_group()


# How redis-py reads replies, by the name of the command as it sends it
CALLBACKS: Final[Mapping[Any, Callable[..., Any]]] = dict(Redis().response_callbacks)
COMMANDS: Final[Any] = CoreCommands  # the methods of redis-py, each of which calls ``execute_command``
SCRIPT_COMMANDS: Final = ("EVALSHA", "EVAL")  # commands whose keys stand behind their number


class PipelinedClient(COMMANDS):  # type: ignore[misc]  # mypy takes what redis-py leaves to its own clients for abstract
    """Sends the commands of calls on one event loop. Not thread-safe."""

    def __init__(self, client: Client, wait_command: Command = ()) -> None:
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
        return self.read(args, options, self.send([args])[0])

    def pipeline(self, transaction: bool = False) -> Pipeline:  # as redis-py has it
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
        for place, reply in enumerate(replies):
            if isinstance(reply, ResponseError):
                replies[place] = self._follow(commands[place], reply)
        return replies

    def send_durably(self, command: Command) -> tuple[Any, Any]:
        """Send a write, and return its reply and that of the command that waits for replicas and disks."""
        name = self._server(command)
        if name not in self._commits:
            # A connection of its own: the server answers nothing else on it while it waits.
            self._commits[name] = GroupCommit(self._open(name), self._wait_command)
        reply, waited = wait_for(self._commits[name].send(command))
        if isinstance(reply, AskError):
            self.refresh()
        return (self._demoted(name) or reply) if isinstance(reply, ReadOnlyError) else reply, waited

    def refresh(self) -> None:
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
        open_now: list[PipelinedConnection | GroupCommit] = [*self._connections.values(), *self._commits.values()]
        for connection in open_now:
            connection.drop()

    @staticmethod
    def read(args: Command, options: Mapping[str, Any], reply: Any) -> Any:
        if isinstance(reply, Exception):
            raise reply
        if (callback := CALLBACKS.get(args[0])) is None:
            return reply
        return callback(reply, **{name: value for name, value in options.items() if name != "keys"})

    def _server(self, command: Command) -> str:
        if not self._is_cluster:
            return ""
        key = command[3] if command[0] in SCRIPT_COMMANDS else command[1]
        return str(self._client.get_node_from_key(key).name)

    def _connection(self, name: str) -> PipelinedConnection:
        if name not in self._connections:
            self._connections[name] = self._open(name)
        return self._connections[name]

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
        for connection in (self._connections.get(name), self._commits.get(name)):
            if connection:
                connection.drop(error)
        return error


class Pipeline(COMMANDS):  # type: ignore[misc]  # mypy takes what redis-py leaves to its own clients for abstract
    def __init__(self, client: PipelinedClient) -> None:
        self._client = client
        self._commands: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def execute_command(self, *args: Any, **options: Any) -> Pipeline:
        self._commands.append((args, options))
        return self

    def execute(self) -> list[Any]:
        replies = self._client.send([args for args, _ in self._commands])
        read = self._client.read
        return [read(args, options, reply) for (args, options), reply in zip(self._commands, replies, strict=True)]


def _greeting(options: Mapping[str, Any]) -> list[Command]:
    greeting: list[Command] = []
    if password := options.get("password"):
        user = options.get("username")
        greeting.append(("AUTH", user, password) if user else ("AUTH", password))
    if database := options.get("db"):
        greeting.append(("SELECT", database))
    return greeting


def _tls_context(options: Mapping[str, Any]) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = options.get("ssl_check_hostname", True)
    if authority := options.get("ssl_ca_certs"):
        context.load_verify_locations(authority)
    if certificate := options.get("ssl_certfile"):
        context.load_cert_chain(certificate, options.get("ssl_keyfile"))
    return context
