"""Calls of rpcs that there are not: each protocol of the HTTP port has its own answer."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from connectrpc.client import ConnectClientSync
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.rpc import error_details_pb2

from chitarrella.v1.matches_pb2 import GetMatchRequest
from tests.transports.rest_client import Rest, failed

PATH = "/chitarrella.v1.MatchService/DealMeAnAce"


@pytest.mark.parametrize("protocol", [ProtocolType.CONNECT, ProtocolType.GRPC_WEB], ids=lambda p: p.name)
@pytest.mark.parametrize("kind", [StreamType.UNARY, StreamType.SERVER_STREAM], ids=lambda k: k.name)
def test_unknown_rpc_is_unimplemented_in_the_protocol_of_the_caller(
    rest: str, protocol: ProtocolType, kind: StreamType
) -> None:
    """A client of Connect or gRPC-Web reads UNIMPLEMENTED with the reason code, whatever kind of rpc it calls."""
    method: MethodInfo[Any, Any] = MethodInfo(
        name="DealMeAnAce",
        service_name="chitarrella.v1.MatchService",
        input=GetMatchRequest,
        output=GetMatchRequest,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kind,
    )
    client = ConnectClientSync(rest, protocol=protocol, codec=google_protobuf_binary_codec())
    call = client.execute_unary if kind == StreamType.UNARY else client.execute_server_stream
    with pytest.raises(ConnectError) as refused:
        list(call(request=GetMatchRequest(), method=method))
    info = error_details_pb2.ErrorInfo.FromString(refused.value.details[0].message_bytes)
    assert (Code.UNIMPLEMENTED, "no_such_route") == (refused.value.code, info.reason)


def test_content_type_decides_between_the_protocols(rest: str) -> None:
    """Connect has JSON with a code, gRPC-Web the status 12, and everything else the problem of REST."""
    connect = Rest(rest).post(PATH, {})
    assert (501, "application/json") == (connect.status_code, connect.headers["Content-Type"])
    assert "unimplemented" == connect.json()["code"]
    web_type = {"Content-Type": "application/grpc-web+proto"}
    web = Rest(rest).post(PATH, content=struct.pack(">BI", 0, 0), headers=web_type)
    assert (200, "application/grpc-web+proto") == (web.status_code, web.headers["Content-Type"])
    assert b"grpc-status: 12" in web.content
    for path in ("/v1/nothing", "/v1/games/briscola/nothing", "/nothing"):
        failed(Rest(rest).post(path, {}), 404, "no_such_route")
    failed(Rest(rest).get(PATH), 404, "no_such_route")
    failed(Rest(rest).post(PATH, content=b"", headers={"Content-Type": "text/plain"}), 404, "no_such_route")
