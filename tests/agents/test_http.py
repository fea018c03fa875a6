"""Agents at one table over streamable HTTP: each sees its own hand, and nobody learns a key."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client

from chitarrella.transports.inprocess import Service, channel
from chitarrella_client import Chitarrella
from chitarrella_mcp.match_tools import SeatHolder
from chitarrella_mcp.server import PATH, make_http_server, make_server, offer_seat
from tests.agents.scripted_agent import ScriptedAgent, hand_of

SEED = "a deal of two agents"


@pytest.fixture
def service() -> Iterator[Service]:
    wired = Service(sandbox=True)
    yield wired
    wired.close()


@asynccontextmanager
async def serving(service: Service, seats: SeatHolder | None = None) -> AsyncIterator[str]:
    """Serve the tools over HTTP for as long as the block lasts; yields the address."""

    def connect(language: str) -> Chitarrella:
        return Chitarrella(channel(service), language=language)

    listener = socket.create_server(("127.0.0.1", 0))
    running = make_http_server(make_server(connect, seats or SeatHolder(), "0"), "127.0.0.1")
    task = asyncio.create_task(running.serve([listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}{PATH}"
    finally:
        running.should_exit = True
        await task


async def test_two_agents_see_their_own_hands(service: Service) -> None:
    """Over a whole deal no result of one agent names a card that the other holds unseen, whatever it asks."""
    async with serving(service) as url, Client(url) as one, Client(url) as two:
        agents = [ScriptedAgent(one), ScriptedAgent(two)]
        view = await agents[0].ask("create_match", game="briscola", players=2, bots={}, seed=SEED)
        assert (0, [1], True) == (view["seat"], view["open_seats"], view["sandbox"])
        assert "already_seated" == await agents[0].fail("take_seat", match_id=view["match_id"], seat=1)
        views = [view, await agents[1].ask("take_seat")]
        (waiting,) = (seat for seat in (0, 1) if not views[seat]["your_turn"])
        assert not (await agents[waiting].ask("wait_for_turn", seconds=0))["your_turn"]
        seen, options = set[str](), set(view["rule_set"]["options"].values())  # a card may be the value of an option
        while views[0]["facts"][0]["value"] == 1:  # the number of the deal
            for zone in views[0]["zones"]:
                seen |= set(zone["cards"]) if zone["name"] != "hand" else set()
            for mine, agent in enumerate(agents):
                assert [] == hand_of(views[mine], 1 - mine)
                hidden = set(hand_of(views[1 - mine], 1 - mine)) - seen - options
                assert set() == hidden & agent.shown
            (turn,) = (seat for seat in (0, 1) if views[seat]["your_turn"])
            views[turn] = await agents[turn].play_first(views[turn])
            views[1 - turn] = await agents[1 - turn].ask("wait_for_turn", seconds=0)
        assert 39 == len(seen)  # the last card of the deal lies nowhere once the next deal has begun


async def test_other_sessions_have_no_seat(service: Service) -> None:
    """A session without a seat sees no hand, also if it names the match; a seat is taken once, and left for good."""
    async with serving(service) as url, Client(url) as one, Client(url) as two, Client(url) as three:
        agents = [ScriptedAgent(one), ScriptedAgent(two), ScriptedAgent(three)]
        match = (await agents[0].ask("create_match", game="briscola", players=2, bots={}))["match_id"]
        for tool in ("get_view", "explain_match_hand", "leave_match"):
            assert "not_seated" == await agents[1].fail(tool, match_id=match)
        assert "not_seated" == await agents[1].fail("play_move", match_id=match, move="play_card Ab")
        assert "seat_not_open" == await agents[1].fail("take_seat", match_id=match, seat=0)
        assert 1 == (await agents[1].ask("take_seat", match_id=match, seat=1))["seat"]
        assert "seat_not_open" == await agents[2].fail("take_seat", match_id=match, seat=1)
        assert "no_such_bot" == await agents[0].fail("leave_match", bot="clever")
        assert {"match_id": match, "seat": 0, "bot": "greedy"} == await agents[0].ask("leave_match")
        assert "already_seated" == await agents[0].fail("take_seat", match_id=match)
        assert "not_seated" == await agents[0].fail("get_view", match_id=match)


async def test_key_of_a_seat_is_never_shown(service: Service) -> None:
    """An agent plays a seat whose key the server was started with, and no result has the key."""
    with Chitarrella(channel(service)) as client:
        match = client.create_match("briscola", players=2, bots={1: "greedy"})
        seats = SeatHolder()
        assert 0 == offer_seat(client, seats, match.id, match.keys[0])
    async with serving(service, seats) as url, Client(url) as one:
        agent = ScriptedAgent(one)
        await agent.ask("take_seat")
        for _ in range(3):
            await agent.play_first(await agent.ask("wait_for_turn", seconds=300))
        await agent.ask("explain_match_hand")
        assert match.id in agent.shown
        assert set() == agent.shown & set(re.findall(r"\w+", f"{match.keys[0]} {match.key}"))


async def test_requests_without_sessions_or_of_web_pages_are_refused(service: Service) -> None:
    """A version of the protocol without sessions is refused, and the name of another host, as a web page can cause."""
    async with serving(service) as url, httpx2.AsyncClient() as http:
        version = "2026-07-28"
        meta = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "list_games", "arguments": {}, "_meta": meta}}  # fmt: skip
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": version,
                   "mcp-method": "tools/call", "mcp-name": "list_games", "mcp-session-id": "guessed"}  # fmt: skip
        answer = (await http.post(url, json=call, headers=headers)).json()
        assert version == answer["error"]["data"]["requested"]
        assert version not in answer["error"]["data"]["supported"]
        assert 421 == (await http.post(url, json={}, headers={"host": "example.org"})).status_code
