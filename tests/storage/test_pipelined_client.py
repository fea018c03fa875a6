"""The connection that all calls on an event loop share."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from chitarrella.matches.model import CreateMatch
from chitarrella.matches.service import MatchService
from chitarrella.storage.pipelined_client import PipelinedConnection
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import StoreError
from tests.loop_stores import nothing_blocks, on_loop
from tests.matches.playing import CATALOGUE, SHORT, choice, unheld
from tests.servers import Server

Answer = Callable[[bytes], bytes | None]
"""What a server answers to what it has read; None closes the connection."""


@asynccontextmanager
async def server_that_says(answer: Answer) -> AsyncIterator[tuple[PipelinedConnection, list[bytes]]]:
    """A connection to a server that answers so, and what the server has read."""
    read: list[bytes] = []
    serving: set[asyncio.Task[Any] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                read.append(data)
                reply = answer(data)
                if reply is None:
                    break
                writer.write(reply)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    opener = partial(asyncio.get_running_loop().create_connection, host=host, port=port)
    connection = PipelinedConnection(opener, 0.4)
    yield connection, read
    connection.drop()
    server.close()
    await asyncio.gather(*filter(None, serving))  # each ends when its connection does


def test_commands_of_one_turn_go_out_in_one_write() -> None:
    """What is sent in one turn of the loop, with or without a connection, is one write; replies keep their order."""

    async def main() -> None:
        async with server_that_says(lambda data: b"".join(b":%d\r\n" % n for n in range(data.count(b"*2")))) as (
            connection,
            read,
        ):
            for _ in range(2):
                sent = [connection.send([("GET", str(number))]) for number in range(5)]
                assert [[0], [1], [2], [3], [4]] == await asyncio.gather(*sent)
            assert 2 == len(read)

    asyncio.run(main())


def test_late_reply_fails_and_what_came_later_can_be_sent_again() -> None:
    """Where no reply comes in time, the oldest fail by their time; a request that has hardly waited may be repeated."""

    async def main() -> None:
        async with server_that_says(lambda _: b"") as (connection, _):
            first = connection.send([("GET", "a")])
            await asyncio.sleep(0.3)
            second = connection.send([("GET", "b")])
            with pytest.raises(RedisTimeoutError):
                await first
            with pytest.raises(RedisConnectionError):
                await second

    asyncio.run(main())


def test_closed_connection_fails_what_waits_and_is_opened_again() -> None:
    """A connection that the server closes fails all that waits on it; the next command opens another one."""
    answers = iter([None, b":7\r\n"])

    async def main() -> None:
        async with server_that_says(lambda _: next(answers)) as (connection, _):
            with pytest.raises(RedisConnectionError):
                await connection.send([("GET", "a")])
            assert [7] == await connection.send([("GET", "a")])

    asyncio.run(main())


def test_reply_that_nobody_waits_for_closes_the_connection() -> None:
    """More replies than commands mean that the two are out of step: nothing after them is believed."""

    async def main() -> None:
        async with server_that_says(lambda _: b":1\r\n:2\r\n") as (connection, read):
            assert [1] == await connection.send([("GET", "a")])
            assert [1] == await connection.send([("GET", "b")])
            assert 2 == len(read)

    asyncio.run(main())


def test_refused_password_is_an_error_of_every_command(server: Server) -> None:
    """A store whose server wants another password refuses calls on a loop, as it does in threads."""
    server.ask("CONFIG", "SET", "requirepass", "right")
    store = RedisStore(connect(server.url.replace("unix://", "unix://:wrong@")))
    with pytest.raises(StoreError):
        on_loop(store.probe)
    store.close()


def test_match_on_a_loop_never_blocks(url: str) -> None:
    """A match is played on a loop, with repeated requests and a refusal, and nothing is sent that blocks the loop."""
    store = RedisStore(connect(url))
    service = MatchService(CATALOGUE, store)
    with nothing_blocks():
        match = on_loop(lambda: service.create(CreateMatch(SHORT))).match
        for number in range(12):
            snapshot = on_loop(lambda: service.repository.load(match))
            request = choice(snapshot)._replace(request_id=f"request {number}")
            for repeated in (False, True):
                played = on_loop(partial(service.play, match, request))
                assert (True, repeated) == (played.accepted, played.repeated)
        wrong = unheld(on_loop(lambda: service.repository.load(match)))
        assert not on_loop(lambda: service.play(match, wrong)).accepted
        on_loop(lambda: service.abort(match))
        on_loop(lambda: service.delete(match))
    store.close()
