"""WebhookService: the webhooks of the calling platform."""

from __future__ import annotations

import re
from base64 import b64encode

from chitarrella.api.api_keys import platform_only
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_page_token, timestamp_message, write_page_token
from chitarrella.matches.webhooks import WebhookService
from chitarrella.storage.webhooks import SECRET_PREFIX, DeliveryRecord, DeliveryState, Webhook
from chitarrella.v1 import webhooks_pb2 as pb

DEFAULT_PAGE_SIZE = 50  # deliveries on a page if the caller names no size
DELIVERY_ID = re.compile("[0-9a-f]{24}")
STATES: dict[DeliveryState, pb.DeliveryState] = {
    "pending": pb.DELIVERY_STATE_PENDING,
    "sent": pb.DELIVERY_STATE_SENT,
    "failed": pb.DELIVERY_STATE_FAILED,
}
STATES_BY_VALUE = {value: state for state, value in STATES.items()}


class WebhookServicer:
    def __init__(self, webhooks: WebhookService | None) -> None:
        self._webhooks = webhooks

    def _of(self, caller: Caller) -> WebhookService:
        if self._webhooks is None or not caller.platform:
            raise platform_only()
        return self._webhooks

    def CreateWebhook(self, request: pb.CreateWebhookRequest, caller: Caller) -> pb.CreateWebhookResponse:
        webhook, secret = self._of(caller).create(caller.platform, request.url, request.request_id)
        return pb.CreateWebhookResponse(webhook=_webhook_message(webhook), secret=_secret_text(secret))

    def ListWebhooks(self, request: pb.ListWebhooksRequest, caller: Caller) -> pb.ListWebhooksResponse:
        return pb.ListWebhooksResponse(webhooks=map(_webhook_message, self._of(caller).all_of(caller.platform)))

    def UpdateWebhook(self, request: pb.UpdateWebhookRequest, caller: Caller) -> pb.UpdateWebhookResponse:
        url = request.url if request.HasField("url") else None
        disabled = request.disabled if request.HasField("disabled") else None
        webhook = self._of(caller).update(caller.platform, request.webhook_id, url, disabled)
        return pb.UpdateWebhookResponse(webhook=_webhook_message(webhook))

    def RotateWebhookSecret(
        self, request: pb.RotateWebhookSecretRequest, caller: Caller
    ) -> pb.RotateWebhookSecretResponse:
        secret = self._of(caller).rotate_secret(caller.platform, request.webhook_id)
        return pb.RotateWebhookSecretResponse(secret=_secret_text(secret))

    def DeleteWebhook(self, request: pb.DeleteWebhookRequest, caller: Caller) -> pb.DeleteWebhookResponse:
        self._of(caller).delete(caller.platform, request.webhook_id)
        return pb.DeleteWebhookResponse()

    def TestWebhook(self, request: pb.TestWebhookRequest, caller: Caller) -> pb.TestWebhookResponse:
        record = self._of(caller).test(caller.platform, request.webhook_id)
        return pb.TestWebhookResponse(delivery=_delivery_message(record))

    def ListDeliveries(self, request: pb.ListDeliveriesRequest, caller: Caller) -> pb.ListDeliveriesResponse:
        webhooks = self._of(caller)
        before = read_page_token("ListDeliveries", request.page_token, DELIVERY_ID.fullmatch)
        count, state = request.page_size or DEFAULT_PAGE_SIZE, STATES_BY_VALUE.get(request.state)
        page, following = webhooks.deliveries(caller.platform, request.webhook_id, before, count, state)
        return pb.ListDeliveriesResponse(
            deliveries=map(_delivery_message, page), next_page_token=write_page_token("ListDeliveries", following)
        )

    def ResendDelivery(self, request: pb.ResendDeliveryRequest, caller: Caller) -> pb.ResendDeliveryResponse:
        record = self._of(caller).resend(caller.platform, request.webhook_id, request.delivery_id)
        return pb.ResendDeliveryResponse(delivery=_delivery_message(record))


def _webhook_message(webhook: Webhook) -> pb.Webhook:
    return pb.Webhook(
        webhook_id=webhook.webhook_id,
        url=webhook.url,
        create_time=timestamp_message(webhook.create_time or None),
        disabled=webhook.disabled,
        configured=webhook.configured,
    )


def _delivery_message(record: DeliveryRecord) -> pb.Delivery:
    return pb.Delivery(
        delivery_id=record.delivery_id,
        message_id=record.message_id,
        type=record.type,
        match_id=record.match,
        state=STATES[record.state],
        attempts=record.attempts,
        last_attempt_time=timestamp_message(record.last_attempt_time or None),
        status_code=record.status_code,
        error=record.error,
    )


def _secret_text(secret: bytes) -> str:
    return f"{SECRET_PREFIX}{b64encode(secret).decode()}"
