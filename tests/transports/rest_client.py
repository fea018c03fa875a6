"""A caller of REST, over plain HTTP and JSON as curl would, and the HTTP server of a worker in this process."""

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx

from chitarrella.runtime.logs import CALL_LOGS
from chitarrella.runtime.telemetry import UNWRITTEN
from chitarrella.server.process import bind, event_loop
from chitarrella.transports.http_server import HttpServer
from chitarrella.transports.rest.problems import MALFORMED
from tests.servers import until

Json = dict[str, Any]

PLAIN: Any = {"timeout": 60, "trust_env": False, "verify": False}
"""No proxy of the machine, and no certificates to load: REST is plain HTTP on the loopback."""


class Rest:
    def __init__(self, url: str, key: str = "") -> None:
        self.url = url
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def __call__(self, method: str, path: str, **how: Any) -> httpx.Response:
        """Send one request; whoever names headers adds them to the key's."""
        headers = {**self._headers, **how.pop("headers", {})}
        return httpx.request(method, self.url + path, headers=headers, **PLAIN, **how)

    def get(self, path: str, **how: Any) -> httpx.Response:
        return self("GET", path, **how)

    def post(self, path: str, data: Any = None, **how: Any) -> httpx.Response:
        return self("POST", path, **({} if data is None else {"json": data}), **how)

    @contextmanager
    def stream(self, path: str, **headers: str) -> Iterator[httpx.Response]:
        asked = {**self._headers, **headers}
        with httpx.stream("GET", self.url + path, headers=asked, **PLAIN) as response:
            yield response


def failed(response: Any, status: int, code: str, field: str = "") -> None:
    assert (status, code, field) == (response.status_code, response.json()["code"], response.json()["field"])
    assert "application/problem+json" == response.headers["Content-Type"]


@contextmanager
def logged_calls() -> Iterator[list[Json]]:
    """What the log says of the calls that end within the block."""
    lines: list[Json] = []

    def write(block: bytes) -> None:
        lines.extend(map(json.loads, block.splitlines()))

    until(lambda: not UNWRITTEN, "every call before is logged")
    CALL_LOGS.append(write)
    try:
        yield lines
        until(lambda: not UNWRITTEN, "every call is logged")
    finally:
        CALL_LOGS.remove(write)


class Event(NamedTuple):
    name: str
    id: str
    data: Json


def events(response: httpx.Response) -> Iterator[Event]:
    """Read server-sent events as a browser does; comments, which are heartbeats, are events without a name."""
    name, identity, data = "", "", ""
    for line in response.iter_lines():
        word, _, value = line.partition(": ")
        if word == "event":
            name = value
        elif word == "id":
            identity = value
        elif word == "data":
            data = value
        elif line.startswith(":"):
            yield Event("", "", {})
        elif not line and name:
            yield Event(name, identity, json.loads(data))
            name = data = ""


class Table:
    def __init__(self, url: str, game: str = "briscola", options: Json | None = None, **more: Any) -> None:
        rule_set = {"gameId": game, "options": options or {}}
        response = Rest(url).post("/v1/matches", {"ruleSet": rule_set, **more})
        assert 201 == response.status_code, response.text
        self.opened: Json = response.json()
        self.match_id = str(self.opened["match"]["matchId"])
        self.path = f"/v1/matches/{self.match_id}"
        self.public = Rest(url)
        self.referee = Rest(url, self.opened["refereeKey"])
        self.seats = {seat["seat"]: Rest(url, seat["key"]) for seat in self.opened["seatKeys"]}

    @property
    def keys(self) -> list[str]:
        return [*(seat["key"] for seat in self.opened["seatKeys"]), self.opened["refereeKey"]]

    def key(self, seat: int) -> str:
        return str(next(entry["key"] for entry in self.opened["seatKeys"] if entry["seat"] == seat))

    def turn(self) -> tuple[int, Json]:
        answer = self.referee.get(f"{self.path}/legalMoves").json()
        return answer["seat"], sent(answer["moves"][0])

    def not_held(self) -> tuple[int, Json]:
        """The seat to move, and a move with a card that it does not hold."""
        seat, _ = self.turn()
        hand = self.seats[seat].get(f"{self.path}/hand").json()["moves"]
        held = {card for explained in hand for card in explained["move"]["cards"]}
        other = next(card for card in ("Ab", "Ac", "Ad", "As") if card not in held)
        return seat, {"verb": "play_card", "cards": [other]}

    def play(self, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        seat, move = self.turn()
        return self.seats[seat].post(f"{self.path}/moves", {"move": move, **more}, headers=headers or {})


def one_deal(url: str) -> Table:
    """Open a match of Briscola that ends with its first deal, always with the same cards."""
    pack = Rest(url).get("/v1/games/briscola").json()["pack"]
    mixed = [pack[place * 7 % len(pack)] for place in range(len(pack))]
    return Table(url, options={"rubber_games": "1"}, pack=mixed)


def sent(move: Json) -> Json:
    """Leave out what a caller would not write."""
    return {name: value for name, value in move.items() if value not in ("", [])}


START_SECONDS = 10.0


@contextmanager
def running_http(app: Any, **how: Any) -> Iterator[str]:
    """Serve an ASGI application for as long as the block lasts; yields its URL. It is closed if it can be."""
    started: Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        server, stop = HttpServer(app, bind("127.0.0.1:0", share=False), malformed=MALFORMED, **how), asyncio.Event()
        await server.start()
        started.set_result((f"http://127.0.0.1:{server.port}", asyncio.get_running_loop(), stop))
        await stop.wait()
        await server.stop()

    def run() -> None:
        with asyncio.Runner(loop_factory=event_loop()) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run, name="http")
    thread.start()
    url, loop, stop = started.result(START_SECONDS)
    try:
        yield url
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        if hasattr(app, "close"):
            app.close()
