"""The webhooks of the platform of the API key, and what was delivered to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from chitarrella.v1 import webhooks_pb2
from chitarrella_client import decoders, requests
from chitarrella_client.aio.transport import AsyncTransport
from chitarrella_client.arguments import checked
from chitarrella_client.connection import Secret
from chitarrella_client.responses import CreatedWebhook, Delivery, DeliveryState, Webhook


@checked
class AsyncWebhooks:
    """The webhooks of a platform: where the service sends messages about its matches."""

    def __init__(self, transport: AsyncTransport) -> None:
        """Call over ``transport``."""
        self._transport = transport

    async def create(self, url: str, *, event_types: Iterable[str] = (), request_id: str = "") -> CreatedWebhook:
        """Create a webhook. The result holds its secret, which no other call returns.

        ``event_types``: the types of messages that it receives, such as ``["match.finished"]``; none for all.
        ``request_id``: for repeating the call later or from another process; it must be one that nobody can guess.
        """
        request_id = request_id or requests.new_request_id()
        request = webhooks_pb2.CreateWebhookRequest(url=url, request_id=request_id, event_types=event_types)
        return await self._transport.call(self._transport.webhooks.CreateWebhook, request, decoders.created_webhook)

    async def all(self) -> tuple[Webhook, ...]:
        """Return the webhooks of the platform, the one in the settings of the service first."""
        request = webhooks_pb2.ListWebhooksRequest()
        return await self._transport.call(self._transport.webhooks.ListWebhooks, request, decoders.webhook_list)

    async def update(
        self, webhook_id: str, *, url: str | None = None, disabled: bool | None = None, event_types: Iterable[str] = ()
    ) -> Webhook:
        """Change a webhook: its URL, whether it is disabled, the types of its messages; what is left out stays."""
        request = webhooks_pb2.UpdateWebhookRequest(
            webhook_id=webhook_id, url=url, disabled=disabled, event_types=event_types
        )
        return await self._transport.call(self._transport.webhooks.UpdateWebhook, request, decoders.updated_webhook)

    async def rotate_secret(self, webhook_id: str) -> Secret:
        """Replace the secret of a webhook, and return the new one; the old one signs beside it for 24 hours."""
        request = webhooks_pb2.RotateWebhookSecretRequest(webhook_id=webhook_id)
        rotate = self._transport.webhooks.RotateWebhookSecret
        return await self._transport.call(rotate, request, lambda response: Secret(response.secret))

    async def delete(self, webhook_id: str) -> None:
        """Delete a webhook with its deliveries."""
        request = webhooks_pb2.DeleteWebhookRequest(webhook_id=webhook_id)
        await self._transport.call(self._transport.webhooks.DeleteWebhook, request, lambda response: None)

    async def test(self, webhook_id: str) -> Delivery:
        """Send a test message now, and return its delivery, sent or failed."""
        request = webhooks_pb2.TestWebhookRequest(webhook_id=webhook_id)
        return await self._transport.call(self._transport.webhooks.TestWebhook, request, decoders.tested_webhook)

    async def deliveries(self, webhook_id: str, state: DeliveryState | None = None) -> AsyncIterator[Delivery]:
        """Iterate over the deliveries to a webhook, the latest first; with a ``state`` over those in it."""
        token, more = "", True
        while more:
            value = webhooks_pb2.DeliveryState.Name(state.value if state else 0)
            request = webhooks_pb2.ListDeliveriesRequest(webhook_id=webhook_id, page_token=token, state=value)
            list_deliveries = self._transport.webhooks.ListDeliveries
            page = await self._transport.call(list_deliveries, request, lambda response: response)
            for delivery in page.deliveries:
                yield decoders.delivery(delivery)
            token = page.next_page_token
            more = bool(token)

    async def resend(self, webhook_id: str, delivery_id: str) -> Delivery:
        """Send the message of a delivery again, and return the delivery, which is pending then."""
        request = webhooks_pb2.ResendDeliveryRequest(webhook_id=webhook_id, delivery_id=delivery_id)
        return await self._transport.call(self._transport.webhooks.ResendDelivery, request, decoders.resent_delivery)
