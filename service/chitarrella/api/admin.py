"""AdminService and WebhookService: what the operator of the service, and the platforms, set by calls."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from ctypes import c_bool
from multiprocessing.sharedctypes import RawValue

from chitarrella import errors
from chitarrella import v1 as pb
from chitarrella.admin.v1 import admin_pb2
from chitarrella.api.api_keys import ApiKeys, ClosedApiKeys, check_admin, platform_only
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_page_token, time_fields, write_page_token
from chitarrella.core.options import suggestion
from chitarrella.matches.webhooks import EVENT_TYPES, SECRET_PREFIX, WebhookService
from chitarrella.storage.webhooks import DeliveryRecord, DeliveryState, Webhook


def draining_flag() -> c_bool:
    """Whether a node is out of service. Its workers share the flag, so that a call at one of them drains all."""
    return RawValue(c_bool, False)


class AdminServicer:
    def __init__(self, api_keys: ApiKeys, closed: ClosedApiKeys | None, draining: c_bool) -> None:
        self._api_keys = api_keys
        self._closed = closed
        self._draining = draining

    def CloseApiKey(self, request: admin_pb2.CloseApiKeyRequest, caller: Caller) -> admin_pb2.CloseApiKeyResponse:
        closed = self._closed_keys(caller)
        if not self._api_keys.platform_of(request.digest):
            raise _no_such_api_key()
        return admin_pb2.CloseApiKeyResponse(api_key=self._message(request.digest, closed.add(request.digest)))

    def OpenApiKey(self, request: admin_pb2.OpenApiKeyRequest, caller: Caller) -> admin_pb2.OpenApiKeyResponse:
        was_closed = self._closed_keys(caller).remove(request.digest)
        if not was_closed and not self._api_keys.platform_of(request.digest):
            raise _no_such_api_key()
        return admin_pb2.OpenApiKeyResponse()

    def ListClosedApiKeys(
        self, request: admin_pb2.ListClosedApiKeysRequest, caller: Caller
    ) -> admin_pb2.ListClosedApiKeysResponse:
        found = self._closed_keys(caller).latest_first()
        return admin_pb2.ListClosedApiKeysResponse(api_keys=[self._message(*one) for one in found])

    def Drain(self, request: admin_pb2.DrainRequest, caller: Caller) -> admin_pb2.DrainResponse:
        check_admin(caller.is_admin)
        self._draining.value = True
        return admin_pb2.DrainResponse()

    def Undrain(self, request: admin_pb2.UndrainRequest, caller: Caller) -> admin_pb2.UndrainResponse:
        check_admin(caller.is_admin)
        self._draining.value = False
        return admin_pb2.UndrainResponse()

    def _closed_keys(self, caller: Caller) -> ClosedApiKeys:
        check_admin(caller.is_admin)
        if self._closed is None:
            raise errors.InternalError
        return self._closed

    def _message(self, digest: str, closed_at: int) -> admin_pb2.ClosedApiKey:
        platform = self._api_keys.platform_of(digest)
        return admin_pb2.ClosedApiKey(digest=digest, platform=platform, close_time=time_fields(closed_at))


def _no_such_api_key() -> errors.NotFound:
    return errors.NotFound("no_such_api_key", "The settings of the service have no such API key.", "digest")


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
        types = _read_types(request.event_types)
        webhook, secret = self._of(caller).create(caller.platform, request.url, request.request_id, types)
        return pb.CreateWebhookResponse(webhook=_webhook_message(webhook), secret=_secret_text(secret))

    def ListWebhooks(self, request: pb.ListWebhooksRequest, caller: Caller) -> pb.ListWebhooksResponse:
        return pb.ListWebhooksResponse(webhooks=map(_webhook_message, self._of(caller).all_of(caller.platform)))

    def UpdateWebhook(self, request: pb.UpdateWebhookRequest, caller: Caller) -> pb.UpdateWebhookResponse:
        url = request.url if request.HasField("url") else None
        disabled = request.disabled if request.HasField("disabled") else None
        types = _read_types(request.event_types)
        webhook = self._of(caller).update(caller.platform, request.webhook_id, url, disabled, types)
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


def _read_types(names: Sequence[str]) -> tuple[str, ...]:
    for place, name in enumerate(names[: len(EVENT_TYPES) + 1]):
        if name not in EVENT_TYPES:
            message = f"No message has this type; {suggestion(name, EVENT_TYPES, 'types')}"
            raise errors.BadRequest("bad_request", message, f"event_types[{place}]")
    return tuple(name for name in EVENT_TYPES if name in names)


def _webhook_message(webhook: Webhook) -> pb.Webhook:
    return pb.Webhook(
        webhook_id=webhook.webhook_id,
        url=webhook.url,
        create_time=time_fields(webhook.create_time or None),
        disabled=webhook.disabled,
        configured=webhook.configured,
        event_types=webhook.event_types,
    )


def _delivery_message(record: DeliveryRecord) -> pb.Delivery:
    return pb.Delivery(
        delivery_id=record.delivery_id,
        message_id=record.message_id,
        type=record.type,
        match_id=record.match,
        state=STATES[record.state],
        attempts=record.attempts,
        last_attempt_time=time_fields(record.last_attempt_time or None),
        status_code=record.status_code,
        error=record.error,
    )


def _secret_text(secret: bytes) -> str:
    return f"{SECRET_PREFIX}{b64encode(secret).decode()}"
