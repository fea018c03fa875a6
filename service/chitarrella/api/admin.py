"""Implements AdminService: what the operator of the service does by calls."""

from __future__ import annotations

from ctypes import c_bool
from multiprocessing.sharedctypes import RawValue
from typing import Protocol

from chitarrella import errors
from chitarrella.api.api_keys import ApiKeys, ClosedApiKeys, check_admin
from chitarrella.api.caller import Caller
from chitarrella.api.converters import timestamp_message
from chitarrella.v1 import admin_pb2 as pb


class Flag(Protocol):
    value: bool


class Draining:
    """The state of a node. Its workers share the flag, so that a call at one of them drains all."""

    def __init__(self, flag: Flag | None = None) -> None:
        self._flag: Flag = RawValue(c_bool, False) if flag is None else flag

    @property
    def is_on(self) -> bool:
        return self._flag.value

    def begin(self) -> None:
        self._flag.value = True

    def end(self) -> None:
        self._flag.value = False


class AdminServicer:
    def __init__(self, api_keys: ApiKeys, closed: ClosedApiKeys | None, draining: Draining) -> None:
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
        self._draining.begin()
        return pb.DrainResponse()

    def Undrain(self, request: pb.UndrainRequest, caller: Caller) -> pb.UndrainResponse:
        check_admin(caller.is_admin)
        self._draining.end()
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
