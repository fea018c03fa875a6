"""The messages of webhooks are as the documents of the service describe them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from openapi_schema_validator import OAS31Validator

from chitarrella.api.api_keys import digest_of
from chitarrella_client import Chitarrella
from tests.server.process import StartService, fetched
from tests.servers import until
from tests.webhooks.receiver import Endpoint, ReceivedCall

KEY = "a key of the platform"
SECRET = "whsec_bm90IGEgc2VjcmV0IGJ1dCBhIHNhbXBsZSBvZiBvbmU="


def test_webhook_messages_are_as_documented(start_service: StartService, endpoint: Endpoint) -> None:
    """Each message of a service fits, in OpenAPI and in AsyncAPI, the webhook of its type and no other one."""
    flags = ("--api-keys", f"acme all {digest_of(KEY)}", "--webhooks", f"acme {endpoint.url} {SECRET}")
    service = start_service(*flags, "--webhooks-allow-private", folder="settings")
    with Chitarrella(service.grpc, api_key=KEY) as client:
        match = client.create_match("briscola")
        moves = match.legal_moves()
        match.as_seat(moves.seat or 0).play(moves[0])
        match.abort()
        (webhook,) = client.webhooks.all()
        assert "sent" == client.webhooks.test(webhook.webhook_id).state.name.lower()
    until(lambda: len(endpoint.names()) == 4, "all was told", 10)
    document = json.loads(fetched(f"{service.rest}/openapi.json"))
    for call in endpoint.calls:
        fitting = {name for name, item in document["webhooks"].items() if fits(document, item["post"], call.output)}
        assert {call.output["type"]} == fitting
        parameters = document["webhooks"][call.output["type"]]["post"]["parameters"]
        assert {"webhook-id", "webhook-timestamp", "webhook-signature"} == {one["name"] for one in parameters}
        assert all(fits(document, one, call.headers[one["name"]]) for one in parameters)
        assert {call.output["type"]} == set(
            fitting_messages(json.loads(fetched(f"{service.rest}/asyncapi.json")), call)
        )
    assert document["webhooks"].keys() == {call.output["type"] for call in endpoint.calls}


def fitting_messages(document: Any, call: ReceivedCall) -> Iterator[str]:
    """The messages of the webhooks in AsyncAPI whose headers and payload are those of a delivery."""
    for name in document["channels"]["webhooks"]["messages"]:
        message = document["components"]["messages"][name]
        parts = ((message["headers"], call.headers), (message["payload"], call.output))
        if all(
            OAS31Validator({**schema, "components": document["components"]}).is_valid(part) for schema, part in parts
        ):
            yield name


def fits(document: Any, described: Any, value: Any) -> bool:
    """Whether a value fits the schema of a parameter, or of the body of an operation."""
    content = described.get("requestBody", {}).get("content", {"application/json": described})
    schema = {**content["application/json"]["schema"], "components": document["components"]}
    return bool(OAS31Validator(schema).is_valid(value))
