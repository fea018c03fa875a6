"""AdminService and WebhookService: what the operator of the service, and the platforms, set by calls."""

from __future__ import annotations

import re
from base64 import b64encode
from ctypes import c_bool
from multiprocessing.sharedctypes import RawValue

from chitarrella import errors
from chitarrella.api.api_keys import ApiKeys, ClosedApiKeys, check_admin, platform_only
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_page_token, timestamp_message, write_page_token
from chitarrella.matches.webhooks import WebhookService
from chitarrella.storage.webhooks import SECRET_PREFIX, DeliveryRecord, DeliveryState, Webhook
from chitarrella.v1 import admin_pb2 as pb
from chitarrella.v1 import webhooks_pb2 as hooks


def draining_flag() -> c_bool:
    """Whether a node is out of service. Its workers share the flag, so that a call at one of them drains all."""
    return RawValue(c_bool, False)


class AdminServicer:
    def __init__(self, api_keys: ApiKeys, closed: ClosedApiKeys | None, draining: c_bool) -> None:
        self._api_keys = api_keys
        self._closed = closed
        self._draining = draining

    def CloseApiKey(self, request: pb.CloseApiKeyRequest, caller: Caller) -> pb.CloseApiKeyResponse:
        closed = self._closed_keys(caller)
        if not self._api_keys.platform_of(request.digest):
            raise _no_such_api_key()
        return pb.CloseApiKeyResponse(api_key=self._message(request.digest, closed.add(request.digest)))

    def OpenApiKey(self, request: pb.OpenApiKeyRequest, caller: Caller) -> pb.OpenApiKeyResponse:
        was_closed = self._closed_keys(caller).remove(request.digest)
        if not was_closed and not self._api_keys.platform_of(request.digest):
            raise _no_such_api_key()
        return pb.OpenApiKeyResponse()

    def ListClosedApiKeys(self, request: pb.ListClosedApiKeysRequest, caller: Caller) -> pb.ListClosedApiKeysResponse:
        found = self._closed_keys(caller).latest_first()
        return pb.ListClosedApiKeysResponse(api_keys=[self._message(*one) for one in found])

    def Drain(self, request: pb.DrainRequest, caller: Caller) -> pb.DrainResponse:
        check_admin(caller.is_admin)
        self._draining.value = True
        return pb.DrainResponse()

    def Undrain(self, request: pb.UndrainRequest, caller: Caller) -> pb.UndrainResponse:
        check_admin(caller.is_admin)
        self._draining.value = False
        return pb.UndrainResponse()

    def _closed_keys(self, caller: Caller) -> ClosedApiKeys:
        check_admin(caller.is_admin)
        if self._closed is None:
            raise errors.InternalError
        return self._closed

    def _message(self, digest: str, closed_at: int) -> pb.ClosedApiKey:
        platform = self._api_keys.platform_of(digest)
        return pb.ClosedApiKey(digest=digest, platform=platform, close_time=timestamp_message(closed_at))


def _no_such_api_key() -> errors.NotFound:
    return errors.NotFound("no_such_api_key", "The settings of the service have no such API key.", "digest")


DEFAULT_PAGE_SIZE = 50  # deliveries on a page if the caller names no size
DELIVERY_ID = re.compile("[0-9a-f]{24}")
STATES: dict[DeliveryState, hooks.DeliveryState] = {
    "pending": hooks.DELIVERY_STATE_PENDING,
    "sent": hooks.DELIVERY_STATE_SENT,
    "failed": hooks.DELIVERY_STATE_FAILED,
}
STATES_BY_VALUE = {value: state for state, value in STATES.items()}


class WebhookServicer:
    def __init__(self, webhooks: WebhookService | None) -> None:
        self._webhooks = webhooks

    def _of(self, caller: Caller) -> WebhookService:
        if self._webhooks is None or not caller.platform:
            raise platform_only()
        return self._webhooks

    def CreateWebhook(self, request: hooks.CreateWebhookRequest, caller: Caller) -> hooks.CreateWebhookResponse:
        webhook, secret = self._of(caller).create(caller.platform, request.url, request.request_id)
        return hooks.CreateWebhookResponse(webhook=_webhook_message(webhook), secret=_secret_text(secret))

    def ListWebhooks(self, request: hooks.ListWebhooksRequest, caller: Caller) -> hooks.ListWebhooksResponse:
        return hooks.ListWebhooksResponse(webhooks=map(_webhook_message, self._of(caller).all_of(caller.platform)))

    def UpdateWebhook(self, request: hooks.UpdateWebhookRequest, caller: Caller) -> hooks.UpdateWebhookResponse:
        url = request.url if request.HasField("url") else None
        disabled = request.disabled if request.HasField("disabled") else None
        webhook = self._of(caller).update(caller.platform, request.webhook_id, url, disabled)
        return hooks.UpdateWebhookResponse(webhook=_webhook_message(webhook))

    def RotateWebhookSecret(
        self, request: hooks.RotateWebhookSecretRequest, caller: Caller
    ) -> hooks.RotateWebhookSecretResponse:
        secret = self._of(caller).rotate_secret(caller.platform, request.webhook_id)
        return hooks.RotateWebhookSecretResponse(secret=_secret_text(secret))

    def DeleteWebhook(self, request: hooks.DeleteWebhookRequest, caller: Caller) -> hooks.DeleteWebhookResponse:
        self._of(caller).delete(caller.platform, request.webhook_id)
        return hooks.DeleteWebhookResponse()

    def TestWebhook(self, request: hooks.TestWebhookRequest, caller: Caller) -> hooks.TestWebhookResponse:
        record = self._of(caller).test(caller.platform, request.webhook_id)
        return hooks.TestWebhookResponse(delivery=_delivery_message(record))

    def ListDeliveries(self, request: hooks.ListDeliveriesRequest, caller: Caller) -> hooks.ListDeliveriesResponse:
        webhooks = self._of(caller)
        before = read_page_token("ListDeliveries", request.page_token, DELIVERY_ID.fullmatch)
        count, state = request.page_size or DEFAULT_PAGE_SIZE, STATES_BY_VALUE.get(request.state)
        page, following = webhooks.deliveries(caller.platform, request.webhook_id, before, count, state)
        return hooks.ListDeliveriesResponse(
            deliveries=map(_delivery_message, page), next_page_token=write_page_token("ListDeliveries", following)
        )

    def ResendDelivery(self, request: hooks.ResendDeliveryRequest, caller: Caller) -> hooks.ResendDeliveryResponse:
        record = self._of(caller).resend(caller.platform, request.webhook_id, request.delivery_id)
        return hooks.ResendDeliveryResponse(delivery=_delivery_message(record))


def _webhook_message(webhook: Webhook) -> hooks.Webhook:
    return hooks.Webhook(
        webhook_id=webhook.webhook_id,
        url=webhook.url,
        create_time=timestamp_message(webhook.create_time or None),
        disabled=webhook.disabled,
        configured=webhook.configured,
    )


def _delivery_message(record: DeliveryRecord) -> hooks.Delivery:
    return hooks.Delivery(
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
