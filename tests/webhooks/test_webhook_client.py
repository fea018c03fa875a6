"""The Python client manages webhooks, with and without asyncio; a service of several workers keeps its secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chitarrella.api.api_keys import digest_of
from chitarrella.transports.inprocess import channel
from chitarrella_client import AsyncChitarrella, Chitarrella, DeliveryState, errors
from tests.client.aio_as_blocking import Blocking, Loop
from tests.server.process import Service, StartService, fetched
from tests.servers import until
from tests.webhooks.receiver import Endpoint

KEY = "a key of the platform"


@pytest.fixture
def service(start_service: StartService) -> Service:
    """A service of two workers that logs all it can."""
    settings = ("--log-level", "debug", "--webhooks-allow-private", "--workers", "2")
    return start_service("--api-keys", f"acme all {digest_of(KEY)}", *settings)


@pytest.fixture(params=["sync", "aio"])
def client(request: pytest.FixtureRequest, service: Service) -> Iterator[Any]:
    """The client, without asyncio and with it."""
    if request.param == "sync":
        with Chitarrella(service.grpc, api_key=KEY) as made:
            yield made
        return
    loop = Loop()
    wrapped = Blocking(loop.call(AsyncChitarrella, service.grpc, api_key=KEY), loop)
    yield wrapped
    wrapped.close()
    loop.stop()


def test_client_manages_webhooks(client: Any, service: Service, endpoint: Endpoint) -> None:
    """Every call of WebhookService is a method of the client, and no secret comes into the log or the metrics."""
    created = client.webhooks.create(endpoint.url)
    webhook_id = created.webhook.webhook_id
    assert (created.webhook,) == client.webhooks.all()
    secrets = [created.secret, client.webhooks.rotate_secret(webhook_id)]
    assert created.secret not in repr(created)
    endpoint.answers += [500]
    tested = client.webhooks.test(webhook_id)
    assert (DeliveryState.FAILED, "bad_status", 500) == (tested.state, tested.error, tested.status_code)
    assert DeliveryState.PENDING == client.webhooks.resend(webhook_id, tested.delivery_id).state
    until(lambda: list(client.webhooks.deliveries(webhook_id, DeliveryState.SENT)), "it was sent again", 20)
    assert [] == list(client.webhooks.deliveries(webhook_id, DeliveryState.FAILED))
    (sent,) = client.webhooks.deliveries(webhook_id)
    assert (tested.message_id, 2) == (sent.message_id, sent.attempts)
    assert client.webhooks.update(webhook_id, disabled=True).disabled
    client.webhooks.delete(webhook_id)
    assert () == client.webhooks.all()
    with pytest.raises(errors.ChitarrellaError) as failed:
        client.webhooks.test(webhook_id)
    assert "no_such_webhook" == failed.value.code
    for text in (service.log(), fetched(f"{service.rest}/metrics")):
        assert not [secret for secret in secrets if secret in text or secret.removeprefix("whsec_") in text]
        assert endpoint.url not in text


def test_service_in_the_process_has_no_webhooks() -> None:
    """A service inside a process serves no platforms, and so nobody has webhooks there."""
    with Chitarrella(channel()) as client, pytest.raises(errors.NotAllowed) as failed:
        client.webhooks.create("https://cards.example/")
    assert "platform_only" == failed.value.code
