"""The dispatcher composes a service of several servicers, each rpc implemented by exactly one of them."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import SERVICES, Dispatcher
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest


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
    parts: list[Any] = [Servicer("first", "ListGames"), Servicer("second", "GetGame", "CompareGames")]
    dispatcher = Dispatcher({**servicers(), "CatalogueService": parts})
    path = "/chitarrella.v1.CatalogueService"
    assert ("first", "ListGames") == dispatcher.answer(f"{path}/ListGames", ListGamesRequest(), Caller())
    request = GetGameRequest(game="briscola")
    assert ("second", "GetGame") == dispatcher.answer(f"{path}/GetGame", request, Caller())


def test_an_rpc_without_a_method_is_an_error() -> None:
    """A missing method is found at the start, not at the first call."""
    with pytest.raises(TypeError, match="ListGames is implemented by 0 servicers"):
        Dispatcher({**servicers(), "CatalogueService": [Servicer("empty")]})


def test_an_rpc_with_two_methods_is_an_error() -> None:
    """Nothing depends on the order of the servicers."""
    with pytest.raises(TypeError, match="GetGame is implemented by 2 servicers"):
        Dispatcher(servicers(CatalogueService=[Servicer("again", "GetGame")]))
