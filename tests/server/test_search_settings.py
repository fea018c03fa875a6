"""The settings of searches and of anonymous matches, and their metrics, at a running service."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.server.process import Service, StartService, fetched
from tests.servers import Server, until
from tests.transports.rest_client import Rest

FLOOD, ATTACKER, HONEST = 100, "198.51.100.7", "198.51.100.8"


def search_match(bots: str = "search", think_ms: int = 20) -> dict[str, Any]:
    """A request to create a match of two bots."""
    seats = [{"seat": seat, "bot": bots, "thinkMs": think_ms} for seat in range(2)]
    return {"ruleSet": {"gameId": "briscola", "options": {"rubber_games": "1"}}, "bots": seats}


def metric(service: Service, name: str) -> float:
    """The value of a metric by its name and labels, 0 where it has none yet."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", fetched(f"{service.rest}/metrics"), re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_service_shares_searches_by_address(start_service: StartService, server: Server) -> None:
    """Behind a proxy a flood from one address delays no other; metrics say what waits, and nothing has an address."""
    service = start_service("--redis-url", server.url, "--trusted-proxies", "1", "--anonymous-expires", "120")
    rest = Rest(service.rest)
    flood = {"requests": [search_match()] * FLOOD}
    for _ in range(2):
        rest.post("/v1/matches:batchCreate", flood, headers={"X-Forwarded-For": ATTACKER})
    until(lambda: metric(service, "chitarrella_bot_searches_waiting") > FLOOD, "searches wait")
    until(lambda: metric(service, "chitarrella_bot_searches_oldest_seconds") > 0, "the oldest has waited")
    honest = rest.post("/v1/matches", search_match(), headers={"X-Forwarded-For": HONEST}).json()
    path = f"/v1/matches/{honest['matchId']}"
    until(lambda: rest.get(path).json()["revision"] >= honest["revision"] + 10, "its bots have moved ten times")
    assert metric(service, "chitarrella_bot_searches_waiting") > FLOOD
    assert metric(service, 'chitarrella_bot_moves_total{bot="search",played="search"}') >= 10
    assert metric(service, 'chitarrella_bot_seconds_total{bot="search"}') > 0
    assert 0 < int(server.ask("TTL", f"chitarrella:{{{honest['matchId']}}}")) <= 120
    texts = (service.log(), fetched(f"{service.rest}/metrics"), json.dumps(rest.get(path).json()))
    assert not [address for address in (ATTACKER, HONEST) for text in texts if address in text]
    service.stop()


def test_service_without_a_budget_does_not_search(start_service: StartService) -> None:
    """With a budget of zero the bots play greedily, and the metrics say so."""
    service = start_service("--search-budget", "0")
    Rest(service.rest).post("/v1/matches", search_match(think_ms=2_000))
    played = 'chitarrella_bot_moves_total{bot="search",played="greedy"}'
    until(lambda: metric(service, played) >= 40, "the match is over")
    assert 0 == metric(service, 'chitarrella_bot_moves_total{bot="search",played="search"}')
    assert 0 == metric(service, "chitarrella_bot_searches_waiting")
    service.stop()
