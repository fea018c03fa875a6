"""Browsers speak Connect and gRPC-Web to the port of REST; the service answers as over gRPC."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import httpx
import pytest
from connectrpc.client import ConnectClientSync
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.rpc import error_details_pb2

from chitarrella.api.dispatcher import rpcs
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest
from chitarrella.v1.matches_pb2 import CreateMatchRequest, GetMatchRequest, PlayMoveRequest, WatchMatchRequest
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.servers import until
from tests.transports.all_transports import error_from
from tests.transports.conftest import WiredService
from tests.transports.rest_client import PLAIN, Json, Rest, Table, failed

SERVICE = "/chitarrella.v1.CatalogueService"
MATCHES = "/chitarrella.v1.MatchService"

NO_MESSAGE = b"\x0a\xff"

both_protocols = pytest.mark.parametrize(
    "protocol", [ProtocolType.CONNECT, ProtocolType.GRPC_WEB], ids=lambda p: p.name
)


class ConnectClient:
    """A client of connectrpc, with one method for each rpc: ``client.GetGame(request)``."""

    def __init__(self, rest: str, protocol: ProtocolType = ProtocolType.CONNECT) -> None:
        self._client = ConnectClientSync(rest, protocol=protocol, codec=google_protobuf_binary_codec())

    def __getattr__(self, name: str) -> Callable[..., Any]:
        rpc = next(rpc for rpc in rpcs() if rpc.name == name)
        streams = rpc.method.server_streaming
        method: MethodInfo[Any, Any] = MethodInfo(
            name=name,
            service_name=rpc.method.containing_service.full_name,
            input=rpc.request,
            output=rpc.response,
            idempotency_level=IdempotencyLevel.UNKNOWN,
            stream_type=StreamType.SERVER_STREAM if streams else StreamType.UNARY,
        )
        execute = self._client.execute_server_stream if streams else self._client.execute_unary
        return lambda request, **how: execute(request=request, method=method, **how)


def bearer(key: str) -> dict[str, str]:
    """The header that shows a key."""
    return {"authorization": f"Bearer {key}"}


@both_protocols
def test_connect_client_plays_and_watches(rest: str, protocol: ProtocolType) -> None:
    """A client of connectrpc opens a match, is refused a move as an answer, makes one, and receives its event."""
    client = ConnectClient(rest, protocol)
    opened = client.CreateMatch(CreateMatchRequest(rule_set=RuleSet(game_id="briscola")))
    keys = {seat.seat: seat.key for seat in opened.seat_keys}
    turn = opened.view.turn
    snapshot = client.GetMatch(GetMatchRequest(match_id=opened.match_id), headers=bearer(keys[turn]))
    hand = next(zone.cards for zone in snapshot.view.zones if zone.name == "hand" and zone.seat == turn)
    other = next(card for card in ("Ab", "Ac", "Ad", "As") if card not in hand)
    request = {
        card: PlayMoveRequest(match_id=opened.match_id, move=Move(verb="play_card", cards=[card]))
        for card in (other, hand[0])
    }
    refused = client.PlayMove(request[other], headers=bearer(keys[turn]))
    assert (False, ["not_in_hand"]) == (refused.accepted, [refusal.code for refusal in refused.refusals])
    assert client.PlayMove(request[hand[0]], headers=bearer(keys[turn])).accepted
    answer: Any = client.WatchMatch(WatchMatchRequest(match_id=opened.match_id))
    assert ["1.0", "2.0"] == [message.cursor for message in islice(answer, 2)]
    answer.close()


@both_protocols
def test_connect_errors_carry_grpc_details(rest: str, protocol: ProtocolType) -> None:
    """The reason code and the fields at fault come as details, in the same messages as over gRPC."""
    client = ConnectClient(rest, protocol)
    with pytest.raises(ConnectError) as unknown:
        client.GetGame(GetGameRequest(game_id="nothing"))
    assert Code.NOT_FOUND == unknown.value.code
    info = error_details_pb2.ErrorInfo.FromString(unknown.value.details[0].message_bytes)
    assert ("unknown_game", "chitarrella", {"field": "game_id"}) == (info.reason, info.domain, dict(info.metadata))
    with pytest.raises(ConnectError) as bad:
        client.ListGames(ListGamesRequest(page_size=1000))
    assert Code.INVALID_ARGUMENT == bad.value.code
    assert ["google.rpc.ErrorInfo", "google.rpc.BadRequest"] == [detail.type_name for detail in bad.value.details]
    request = error_details_pb2.BadRequest.FromString(bad.value.details[1].message_bytes)
    assert ["page_size"] == [violation.field for violation in request.field_violations]


@both_protocols
def test_stream_of_an_unknown_match_is_an_error(rest: str, protocol: ProtocolType) -> None:
    """There is nothing to watch where there is no match, and a header that is no key opens no stream."""
    client = ConnectClient(rest, protocol)
    for headers, code in (({}, Code.NOT_FOUND), ({"authorization": "nonsense"}, Code.UNAUTHENTICATED)):
        with pytest.raises(ConnectError) as caught:
            list(client.WatchMatch(WatchMatchRequest(match_id="nobody"), headers=headers))
        assert code == caught.value.code


def test_closed_connect_stream_is_released(wired: WiredService, rest: str) -> None:
    """A Connect stream that is cut gives its place back."""
    until(lambda: wired.hub.count() == 0, "the watchers of the other tests have gone")
    opened = Table(rest).opened
    answer: Any = ConnectClient(rest).WatchMatch(WatchMatchRequest(match_id=opened["matchId"]))
    next(answer)
    assert 1 == wired.hub.count()
    answer.close()
    until(lambda: wired.hub.count() == 0, "the watcher has gone")


# ---------------------------------------------------------------------- by hand


def posted(url: str, body: Json, **headers: str) -> httpx.Response:
    """Send Connect JSON."""
    return httpx.post(url, json=body, headers={"Connect-Protocol-Version": "1", **headers}, **PLAIN)


def test_json_shows_zeros(rest: str) -> None:
    """The JSON of Connect is that of REST, zeros included."""
    table = Table(rest)
    answer = posted(f"{rest}{MATCHES}/GetMatch", {"matchId": table.opened["matchId"]})
    assert table.public.get(table.path).json() == answer.json()
    assert "application/json" == answer.headers["Content-Type"]


def test_unknown_fields_are_ignored(rest: str) -> None:
    """A field that this service does not know is passed over, as Connect wants."""
    assert 200 == posted(f"{rest}{SERVICE}/ListGames", {"colour": "red"}).status_code


@pytest.mark.parametrize("body", [{"pageSize": "x"}, {"pageSize": -1}, {"pageSize": []}])
def test_malformed_json_is_invalid_argument(rest: str, body: Any) -> None:
    """What is no message is INVALID_ARGUMENT and no fault of the service."""
    answer = posted(f"{rest}{SERVICE}/ListGames", body)
    assert (400, "invalid_argument") == (answer.status_code, answer.json()["code"])
    assert "bad_request" == error_from(answer.json()["details"]).code


def test_malformed_binary_is_invalid_argument(rest: str) -> None:
    """So it is in binary, of a call as of a stream."""
    for rpc, kind in (("GetMatch", "application/proto"), ("WatchMatch", "application/connect+proto")):
        body = NO_MESSAGE if rpc == "GetMatch" else struct.pack(">BI", 0, len(NO_MESSAGE)) + NO_MESSAGE
        answer = httpx.post(f"{rest}{MATCHES}/{rpc}", content=body, headers={"Content-Type": kind}, **PLAIN)
        error = answer.json() if rpc == "GetMatch" else json.loads(answer.content[5:])["error"]
        assert ("invalid_argument", "bad_request") == (error["code"], error_from(error["details"]).code)


@both_protocols
@pytest.mark.parametrize("timeout", ["soon", "-5", "1.5", "123456789S", "12345678901"])
@pytest.mark.parametrize("rpc", ["ListGames", "WatchMatch"])
def test_unreadable_deadline_is_named(rest: str, protocol: ProtocolType, timeout: str, rpc: str) -> None:
    """A deadline that cannot be read is an error with a reason code that names the header, of a call as of a stream."""
    header = "connect-timeout-ms" if protocol == ProtocolType.CONNECT else "grpc-timeout"
    client = ConnectClient(rest, protocol)
    request = {"ListGames": ListGamesRequest(), "WatchMatch": WatchMatchRequest(match_id="m" * 20)}[rpc]
    with pytest.raises(ConnectError) as unread:
        list(getattr(client, rpc)(request, headers={header: timeout}))
    assert Code.INVALID_ARGUMENT == unread.value.code
    info = error_details_pb2.ErrorInfo.FromString(unread.value.details[0].message_bytes)
    assert ("bad_request", header) == (info.reason, info.metadata["field"])


@pytest.mark.parametrize(
    ("kind", "header", "timeout"),
    [
        ("application/proto", "connect-timeout-ms", "9999999999"),
        ("application/proto", "grpc-timeout", "soon"),
        ("application/grpc-web+proto", "grpc-timeout", "99999999m"),
        ("application/grpc-web+proto", "grpc-timeout", "99999999H"),
        ("application/grpc-web+proto", "connect-timeout-ms", "soon"),
    ],
)
def test_readable_deadline_is_taken(rest: str, kind: str, header: str, timeout: str) -> None:
    """A deadline in the form of its protocol is taken, and the header of the other protocol is not read."""
    body = b"" if kind == "application/proto" else bytes(5)
    headers = {"Content-Type": kind, header: timeout}
    answer = httpx.post(f"{rest}{SERVICE}/ListGames", content=body, headers=headers, **PLAIN)
    assert 200 == answer.status_code
    assert "3" != answer.headers.get("grpc-status")
    assert b"briscola" in answer.content


def test_too_large_message_is_an_error(rest: str) -> None:
    """With the reason code of every transport."""
    answer = posted(f"{rest}{MATCHES}/ImportMatch", {"record": "x" * 2**20})
    assert ("resource_exhausted", "too_large") == (answer.json()["code"], error_from(answer.json()["details"]).code)


def test_safe_rpc_answers_get(rest: str) -> None:
    """A safe rpc answers GET, its message in the query; one that changes something does not."""
    query = {"connect": "v1", "encoding": "json", "message": '{"gameId":"coech"}'}
    assert "coech" == httpx.get(f"{rest}{SERVICE}/GetGame", params=query, **PLAIN).json()["summary"]["gameId"]
    binary = base64.urlsafe_b64encode(GetGameRequest(game_id="coech").SerializeToString()).decode().rstrip("=")
    query = {"connect": "v1", "encoding": "proto", "base64": "1", "message": binary}
    assert 200 == httpx.get(f"{rest}{SERVICE}/GetGame", params=query, **PLAIN).status_code
    failed(Rest(rest).get(f"{MATCHES}/CreateMatch"), 405, "wrong_method")


def test_illegal_move_is_logged_as_refused(rest: str) -> None:
    """A refusal is an ordinary answer, and is logged as a refusal, under the transport it came over."""
    table = Table(rest)
    seat, move = table.not_held()
    request = {"matchId": table.opened["matchId"], "move": move}
    answer = posted(f"{rest}{MATCHES}/PlayMove", request, **bearer(table.key(seat)))
    assert (200, False) == (answer.status_code, answer.json()["accepted"])
    line = 'chitarrella_requests_total{code="refused",rpc="/chitarrella.v1.MatchService/PlayMove",transport="connect"}'
    assert line in Rest(rest).get("/metrics").text


def test_grpc_web_frames(rest: str) -> None:
    """One frame in; a frame with the message and one with the status out."""
    message = GetGameRequest(game_id="coech").SerializeToString()
    headers = {"Content-Type": "application/grpc-web+proto", "X-Grpc-Web": "1"}
    body = struct.pack(">BI", 0, len(message)) + message
    answer = httpx.post(f"{rest}{SERVICE}/GetGame", content=body, headers=headers, **PLAIN)
    frames = list(framed(answer.content))
    assert [0, 0x80] == [flags for flags, _ in frames]
    assert b"grpc-status: 0" in frames[1][1].lower()
    assert answer.headers["X-Request-Id"]


def framed(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut an answer into its frames."""
    while content:
        flags, length = struct.unpack(">BI", content[:5])
        yield flags, content[5 : 5 + length]
        content = content[5 + length :]


def test_grpc_on_the_rest_port_is_refused(rest: str) -> None:
    """A caller that speaks gRPC to the port of REST gets an error that says so."""
    headers = {"Content-Type": "application/grpc"}
    failed(Rest(rest).post(f"{SERVICE}/ListGames", content=b"", headers=headers), 415, "wrong_media_type")


def test_compressed_messages_are_accepted(rest: str) -> None:
    """A client of connectrpc compresses what it sends, and reads what is compressed."""
    client = ConnectClient(rest)
    assert len(json.dumps(client.GetGame(GetGameRequest(game_id="briscola")).clauses[0].text)) > 2
