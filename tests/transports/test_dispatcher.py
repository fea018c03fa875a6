"""The dispatcher composes a service of several servicers, each rpc implemented by exactly one of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import chitarrella
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import SERVICES, Dispatcher
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest

TRANSPORTS = Path(chitarrella.__file__).parent / "transports"
MOST_LINES = 100
MAPS_REQUESTS = re.compile(
    r"\bcaller_(of|from_headers)\(|\badd_(url_rule|registered_method_handlers)\(|\bdef find\(|\bdef _?answer\("
)
"""What only a module does that maps requests to handlers: it registers or finds them, or reads who calls."""


class Servicer:
    """Answers rpcs with its own name and that of the rpc."""

    def __init__(self, name: str, *methods: str) -> None:
        for method in methods:
            setattr(self, method, lambda *_, method=method: (name, method))


def servicers(**more: list[object]) -> dict[str, list[object]]:
    """One servicer for every service, and those of ``more`` beside them."""
    return {
        service.name: [Servicer(service.name, *(one.name for one in service.methods)), *more.get(service.name, [])]
        for service in SERVICES
    }


def test_methods_of_one_service_come_from_several_servicers() -> None:
    """A call reaches the servicer that has the method of its name."""
    parts: list[Any] = [Servicer("first", "ListGames"), Servicer("second", "GetGame")]
    dispatcher = Dispatcher({**servicers(), "CatalogueService": parts})
    path = "/chitarrella.v1.CatalogueService"
    assert ("first", "ListGames") == dispatcher.answer(f"{path}/ListGames", ListGamesRequest(), Caller())
    request = GetGameRequest(game_id="briscola")
    assert ("second", "GetGame") == dispatcher.answer(f"{path}/GetGame", request, Caller())


def test_an_rpc_without_a_method_is_an_error() -> None:
    """A missing method is found at the start, not at the first call."""
    with pytest.raises(TypeError, match="ListGames is implemented by 0 servicers"):
        Dispatcher({**servicers(), "CatalogueService": [Servicer("empty")]})


def test_an_rpc_with_two_methods_is_an_error() -> None:
    """Nothing depends on the order of the servicers."""
    with pytest.raises(TypeError, match="GetGame is implemented by 2 servicers"):
        Dispatcher(servicers(CatalogueService=[Servicer("again", "GetGame")]))


def test_modules_that_map_requests_to_handlers_are_short() -> None:
    """A module of gRPC or REST that registers or finds handlers, or reads who calls, has less than 100 lines."""
    texts = {
        str(path.relative_to(TRANSPORTS).with_suffix("")): path.read_text(encoding="utf-8")
        for folder in ("grpc_server", "rest")
        for path in (TRANSPORTS / folder).rglob("*.py")
    }
    mapping = {name: len(text.splitlines()) for name, text in texts.items() if MAPS_REQUESTS.search(text)}
    for name in ("core_server", "handlers", "streams"):
        assert f"grpc_server/{name}" in mapping
    for name in ("asgi", "app", "views", "streams/watch_view", "connect/endpoints"):
        assert f"rest/{name}" in mapping
    for name in ("connect/requests", "flask_requests", "loop_routes", "streams/watch_routes"):
        assert f"rest/{name}" in mapping
    assert {} == {name: lines for name, lines in mapping.items() if lines >= MOST_LINES}
