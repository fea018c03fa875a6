"""Caps on open matches and live watches, over every transport."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import grpc
import httpx
import pytest
from google.rpc import error_details_pb2

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.server.process import Player, StartService, reason
from tests.servers import until

BODY = {"ruleSet": {"gameId": "briscola"}}
REFUSED = "quota_exceeded"


def opened(stub: Any, match_id: str, calls: list[Any]) -> str:
    """Open a watch, and wait until it has begun; gives "ok" and adds the call to ``calls``, or the reason code."""
    call = stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id), timeout=60)
    try:
        next(call)
    except grpc.RpcError as error:
        return reason(error)
    calls.append(call)
    return "ok"


def test_open_matches_are_capped_over_every_transport(start_service: StartService) -> None:
    """The third match is refused with the name of the quota; of a batch each match fails on its own."""
    service = start_service("--open-matches-anonymous", "2")
    players = [Player(service.grpc), Player(service.grpc)]
    with pytest.raises(grpc.RpcError) as refused:
        Player(service.grpc)
    assert (REFUSED, grpc.StatusCode.RESOURCE_EXHAUSTED) == (reason(refused.value), refused.value.code())
    rest = httpx.post(f"{service.rest}/v1/matches", json=BODY)
    assert (429, REFUSED) == (rest.status_code, rest.json()["code"])
    assert {"quota": "open_matches_per_address", "limit": "2"} == rest.json()["details"]
    assert "Retry-After" not in rest.headers
    connect = httpx.post(f"{service.rest}/chitarrella.v1.MatchService/CreateMatch", json=BODY)
    assert "resource_exhausted" == connect.json()["code"]
    kinds = {one["type"]: b64decode(one["value"] + "==") for one in connect.json()["details"]}
    (violation,) = error_details_pb2.QuotaFailure.FromString(kinds["google.rpc.QuotaFailure"]).violations
    assert ("open_matches_per_address", 2) == (violation.subject, violation.quota_value)
    players[0].stub.AbortMatch(pb.AbortMatchRequest(match_id=players[0].match_id), metadata=players[0].key())
    batch = httpx.post(f"{service.rest}/v1/matches:batchCreate", json={"requests": [BODY] * 3}).json()["matches"]
    assert ["created", "error", "error"] == [next(iter(one)) for one in batch]
    assert {REFUSED} == {one["error"]["code"] for one in batch[1:]}
    for player in players:
        player.close()


def test_matches_with_bots_are_capped_over_every_transport(start_service: StartService) -> None:
    """A bot in one match more is refused with the name of the quota, whether at its creation or later."""
    service = start_service("--bot-matches-anonymous", "1")
    with_bot = {**BODY, "bots": [{"seat": 1, "bot": "greedy"}]}
    url = f"{service.rest}/v1/matches"
    assert httpx.post(url, json=with_bot).is_success
    rest = httpx.post(url, json=with_bot)
    assert (429, "bot_matches_per_address") == (rest.status_code, rest.json()["details"]["quota"])
    connect = httpx.post(f"{service.rest}/chitarrella.v1.MatchService/CreateMatch", json=with_bot)
    assert "resource_exhausted" == connect.json()["code"]
    player = Player(service.grpc)
    with pytest.raises(grpc.RpcError) as refused:
        player.stub.AssignBot(
            pb.AssignBotRequest(match_id=player.match_id, seat=1, bot="greedy"),
            metadata=player.key(),
        )
    assert (REFUSED, grpc.StatusCode.RESOURCE_EXHAUSTED) == (reason(refused.value), refused.value.code())
    player.close()


def test_live_watches_are_capped_and_make_room_when_they_end(start_service: StartService) -> None:
    """The third watch of an address is refused, by whichever transport; one that has ended counts no longer."""
    service = start_service("--watches-anonymous", "2", "--heartbeat", "0.3")
    player = Player(service.grpc)
    with grpc.insecure_channel(service.grpc) as channel:
        stub: Any = MatchServiceStub(channel)
        calls: list[Any] = []
        matches = [player.match_id, "a" * 20, player.match_id, player.match_id]
        assert ["ok", "no_such_match", "ok", REFUSED] == [opened(stub, match, calls) for match in matches]
        rest = httpx.get(f"{service.rest}/v1/matches/{player.match_id}:watch")
        assert (429, REFUSED) == (rest.status_code, rest.json()["code"])
        calls[0].cancel()
        until(lambda: "ok" == opened(stub, player.match_id, calls), "there is room again")
    player.close()
