"""The AsyncAPI document: whole, and true of the streams that the service sends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator

from chitarrella.transports.rest.routes import routes
from tests.transports.conftest import opened, wire_service
from tests.transports.rest_client import Event, Rest, Table, events, failed, one_deal

Document = dict[str, Any]


@pytest.fixture
def document(rest: str) -> Document:
    """The document, as the service gives it."""
    found: Document = Rest(rest).get("/asyncapi.json").json()
    return found


def references(part: Any) -> Iterator[str]:
    """Every reference in a part of the document."""
    if isinstance(part, dict):
        if isinstance(target := part.get("$ref"), str):
            yield target
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from references(one)


def at(document: Document, reference: str) -> Any:
    """What a reference leads to."""
    found: Any = document
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return found


def test_document_is_linked_from_the_docs(rest: str) -> None:
    """The page of the contract links to the document, by the description that it shows."""
    assert "](/asyncapi.json)" in Rest(rest).get("/openapi.json").json()["info"]["description"]


def test_document_has_the_structure_of_asyncapi_3(document: Document) -> None:
    """Its root has the fields of AsyncAPI 3, and every reference leads to something in it."""
    assert "3.0.0" == document["asyncapi"]
    assert {"title", "version"} <= document["info"].keys()
    assert {"info", "channels", "operations", "components", "asyncapi", "defaultContentType"} == document.keys()
    found = set(references(document))
    assert all(reference.startswith("#/") and at(document, reference) for reference in found)
    assert {f"#/components/schemas/{name}" for name in document["components"]["schemas"]} <= found
    assert {f"#/components/messages/{name}" for name in document["components"]["messages"]} <= found


def test_every_message_is_sent_by_an_operation(document: Document) -> None:
    """Each operation sends, and only messages of its channel; each message is sent by one of them."""
    sent = []
    for operation in document["operations"].values():
        assert "send" == operation["action"]
        for message in operation["messages"]:
            assert message["$ref"].startswith(f"{operation['channel']['$ref']}/messages/")
            sent.append(message["$ref"].rpartition("/")[2])
    assert document["components"]["messages"].keys() == set(sent)
    for message in document["components"]["messages"].values():
        assert message["summary"]
        for schema in (message["headers"], message["payload"]):
            OAS31Validator.check_schema(schema)


def test_the_channel_is_the_route_of_the_stream(document: Document, rest: str) -> None:
    """The address, the parameters and the query are those that the service has."""
    (route,) = (route for route in routes() if route.rpc.method.name == "WatchMatch")
    channel, operation = document["channels"]["matchEvents"], document["operations"]["matchEvents"]
    assert (route.path, set(route.variables)) == (channel["address"], channel["parameters"].keys())
    binding = operation["bindings"]["http"]
    assert route.method == binding["method"]
    assert {"cursor", "seat"} == binding["query"]["properties"].keys()
    described = dict.fromkeys(binding["query"]["properties"], "1")
    failed(Rest(rest).get("/v1/matches/nobody:watch", params=described), 404, "no_such_match", "match_id")
    failed(Rest(rest).get("/v1/matches/nobody:watch", params={"other": "1"}), 400, "bad_request", "other")


def fitting(document: Document, event: Event) -> set[str]:
    """The messages of the stream that an event fits."""
    head = {"event": event.name, **({"id": event.id} if event.id else {})}
    names = [reference["$ref"].rpartition("/")[2] for reference in document["operations"]["matchEvents"]["messages"]]
    messages = {name: document["components"]["messages"][name] for name in names}
    return {
        name
        for name, message in messages.items()
        if all(
            OAS31Validator({**schema, "components": document["components"]}).is_valid(part)
            for schema, part in ((message["headers"], head), (message["payload"], event.data))
        )
    }


def test_events_of_a_stream_are_as_described(document: Document, rest: str) -> None:
    """Each event of a whole match, to the public and to a seat, fits the message of its name and no other one."""
    table = one_deal(rest)
    while table.referee.get(f"{table.path}/moves").json()["moves"]:
        assert 200 == table.play().status_code
    for reader in (table.public, table.seats[0]):
        with reader.stream(f"{table.path}:watch") as response:
            received = [event for event in events(response) if event.name]
        assert {"move", "end"} == {event.name for event in received}
        for event in received:
            assert {event.name} == fitting(document, event), event


def test_the_error_of_a_stream_is_as_described(document: Document, valkey: Any) -> None:
    """The event of a stream that is cut off fits the message of errors."""
    wired = wire_service(valkey.url, "cut")
    with opened(wired) as url:
        table = Table(url)
        with table.public.stream(f"{table.path}:watch") as response:
            incoming = events(response)
            next(incoming)
            wired.hub.close()
            last = list(incoming)[-1]
    wired.store.close()
    assert "error" == last.name
    assert {"error"} == fitting(document, last._replace(id=""))
