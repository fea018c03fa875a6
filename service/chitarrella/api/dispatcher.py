"""The dispatcher: authenticates, validates and routes every rpc of the contract by its full name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import protovalidate
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from chitarrella import errors
from chitarrella.admin.v1 import admin_pb2
from chitarrella.api.api_keys import (
    ADMIN_METHODS,
    ApiKeys,
    ClosedApiKeys,
    TokenVerifier,
    bad_api_key,
    digest_of,
    scope_of,
)
from chitarrella.api.authorization import key_of
from chitarrella.api.caller import Caller, StartSpan, TraceContext, network_of
from chitarrella.api.request_size import calls_in
from chitarrella.api.status import MAX_VIOLATIONS
from chitarrella.api.streams import ResponseStream
from chitarrella.matches.presence import Key
from chitarrella.runtime.limiter import RateLimiter, WatchCounter
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2, webhooks_pb2

SERVICES: tuple[ServiceDescriptor, ...] = tuple(
    module.DESCRIPTOR.services_by_name[name]
    for module, name in (
        (catalogue_pb2, "CatalogueService"),
        (rules_pb2, "RulesService"),
        (matches_pb2, "MatchService"),
        (webhooks_pb2, "WebhookService"),
        (admin_pb2, "AdminService"),
    )
)

# The services that keep nothing, whose answers everybody may share.
STATELESS = frozenset({"CatalogueService", "RulesService"})

# What is wrong with a text that does not fit the pattern of its field, by the pattern.
PATTERNS: Final = {
    r"^[a-z][a-z0-9_]{0,39}$": "is no verb, such as play_card; cards stand in a field of their own",
    r"^[a-z0-9][a-z0-9._-]{0,39}$": "is no key of a label: at most 40 of a to z, 0 to 9, dot, hyphen and underscore",
    r"^[a-z0-9][a-z0-9._-]{0,39}=[^\x00-\x1f\x7f-\x9f]{0,100}$": "must be written as KEY=VALUE, such as cup=spring",
    r"^[^\x00-\x1f\x7f-\x9f]*$": "must have no control characters",
    r"^[^\x00-\x1f\x7f-\x9f]{0,100}$": "must have at most 100 characters, and no control characters",
    r"^[^\r\n]*$": "must have no line breaks",
    r"^[0-9a-f]{64}$": "must be 64 hexadecimal digits",
    r"^[0-9a-fA-F]{64}$": "must be 64 hexadecimal digits",
    r"^https?://[!-~]+$": "must be a URL that begins with https:// or http://",
}

# The message of protovalidate for fields that exclude each other; such a violation has no field of its own.
ONEOF_FIELDS = re.compile(r"(?:only )?one of ([a-z_]+)")

# Of a request of so many bytes the first `MAX_VIOLATIONS` faults are reported, of a longer one the first alone.
DETAILED_BYTES = 4096


MAX_KEY_LENGTH = 100  # the key of a map comes from the caller, so its length in the path of a field is limited


class Rpc(NamedTuple):
    method: MethodDescriptor
    request: type[Message]
    response: type[Message]
    stateless: bool

    @property
    def name(self) -> str:
        """The name of the method; with its service before it where two services have a method of that name."""
        return self.method.input_type.name.removesuffix("Request")

    @property
    def path(self) -> str:
        return f"/{self.method.containing_service.full_name}/{self.method.name}"


def rpcs() -> Iterator[Rpc]:
    for service in SERVICES:
        for method in service.methods:
            request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
            yield Rpc(method, request, response, service.name in STATELESS)


class Dispatcher:
    """The single entry point for all transports. Thread-safe."""

    def __init__(
        self,
        servicers: Mapping[str, Iterable[object]],
        api_keys: ApiKeys | None = None,
        tokens: TokenVerifier | None = None,
        limiter: RateLimiter | None = None,
        watches: WatchCounter | None = None,
        start_span: StartSpan | None = None,
        closed_api_keys: ClosedApiKeys | None = None,
        on_key: Callable[[str, Key], None] = lambda *_: None,  # gets the match and the key of each call that succeeds
    ) -> None:
        """Collect the method of every rpc from its ``servicers``; raises `TypeError` unless each has just one."""
        self._limiter = limiter
        self._closed_api_keys = closed_api_keys
        self._on_key = on_key
        self._start_span = start_span
        self._watches = watches or WatchCounter()
        self._api_keys = api_keys or ApiKeys()
        self._tokens = tokens or TokenVerifier()
        self._scopes = {rpc.path: scope_of(rpc.method.containing_service.name, rpc.method.name) for rpc in rpcs()}
        self._admin_paths = {
            rpc.path
            for rpc in rpcs()
            if rpc.method.containing_service.name == "MatchService" and rpc.method.name in ADMIN_METHODS
        }
        self._methods = {
            rpc.path: _method(rpc.method.name, servicers[rpc.method.containing_service.name]) for rpc in rpcs()
        }
        self._validator = protovalidate.Validator()

    def call(self, path: str, request: Message, caller: Caller) -> Any:
        if self._start_span is None:
            return self.answer(path, request, self._admit(path, request, caller))
        with self._start_span(path, caller.trace or TraceContext()) as end:
            answer = self.answer(path, request, self._admit(path, request, caller))
            end(None)
        return answer

    def answer(self, path: str, request: Any, caller: Caller, *notify: Callable[[], None]) -> Any:
        """Answer a call that needs no API key: one of the service itself, or one already authenticated."""
        self._validate(request)
        answer = self._methods[path](request, caller, *notify)
        if (caller.key or caller.token) and (match := getattr(request, "match_id", "")):
            self._on_key(match, key_of(caller))
        return answer

    def watch(self, path: str, request: Message, caller: Caller, notify: Callable[[], None]) -> ResponseStream:
        """Answer a streaming call. ``notify`` is called, in any thread, when the stream has something to take."""
        if self._start_span is None:
            return self._open(path, request, caller, notify)
        with self._start_span(path, caller.trace or TraceContext()) as end:
            stream = self._open(path, request, caller, notify)
        release = stream.on_close

        def close() -> None:
            release()
            end(stream.error)

        stream.on_close = close
        return stream

    def _open(self, path: str, request: Message, caller: Caller, notify: Callable[[], None]) -> ResponseStream:
        caller = self._admit(path, request, caller)
        close = self._watches.open(caller.platform, network_of(caller.address))
        try:
            stream: ResponseStream = self.answer(path, request, caller, notify)
        except BaseException:
            close()
            raise
        forget = self._end_with_key(stream, caller)

        def release() -> None:
            forget()
            close()

        stream.on_close = release
        return stream

    def _end_with_key(self, stream: ResponseStream, caller: Caller) -> Callable[[], None]:
        """End a stream when the API key is closed that it was opened with; returns what is called when it is over."""
        if self._closed_api_keys is None or not caller.platform:
            return lambda: None
        return self._closed_api_keys.end_when_closed(digest_of(caller.api_key), lambda: stream.end(bad_api_key()))

    def _admit(self, path: str, request: Any, caller: Caller) -> Caller:
        """Authenticate a call, and count it for its platform; one without a platform, or refused, for its address."""
        if self._limiter is None:
            return self._authenticate(path, request, caller)
        try:
            caller = self._authenticate(path, request, caller)
        except errors.ChitarrellaError:
            self._count(self._limiter, caller)
            raise
        self._count(self._limiter, caller, calls_in(request))
        return caller

    def _count(self, limiter: RateLimiter, caller: Caller, calls: int = 1) -> None:
        left = limiter.spend(caller.platform, "" if caller.platform else network_of(caller.address), calls)
        if caller.rate is not None:
            caller.rate.left = left

    def _authenticate(self, path: str, request: Any, caller: Caller) -> Caller:
        """Authenticate the platform of a call, and verify a token for the match that it is about.

        A token stands for the API key of the platform that signed it, so that a player's app needs none; such a caller
        is not the platform itself, and may read no other matches without that key. Calls about no match do not look at
        the token, as they do not at keys.
        """
        is_about_one = "match_id" in request.DESCRIPTOR.fields_by_name
        matches = [request.match_id] if is_about_one else getattr(request, "match_ids", ())
        if caller.token_text and matches:
            caller = caller._replace(token=self._tokens.verify(caller.token_text, *matches))
            if is_about_one and not caller.api_key:
                return caller
        platform, is_admin = self._api_keys.identify(
            caller.api_key, self._scopes[path], or_admin=path in self._admin_paths
        )
        if caller.trace is not None:
            caller.trace.platform = platform
        return caller._replace(platform=platform, is_admin=is_admin) if platform or is_admin else caller

    def _validate(self, request: Message) -> None:
        """Check a request against the field rules of the contract; raises `errors.BadRequest`."""
        # Of a long request only the first fault is looked for; that a list is too long is found before its items.
        if violations := self._validator.collect_violations(request, fail_fast=True):
            if request.ByteSize() <= DETAILED_BYTES:
                violations = self._validator.collect_violations(request)
            found = tuple(_path_and_message(violation) for violation in violations[:MAX_VIOLATIONS])
            raise errors.BadRequest("bad_request", f"{found[0][0]}: {found[0][1]}", found[0][0], found)

    def warm_up(self) -> None:
        """Compile every field rule now, so that the first caller does not wait for it."""
        for rpc in rpcs():
            self._validator.collect_violations(rpc.request())


def _method(name: str, servicers: Iterable[object]) -> Callable[..., Any]:
    methods: list[Callable[..., Any]] = [getattr(servicer, name) for servicer in servicers if hasattr(servicer, name)]
    if len(methods) != 1:
        raise TypeError(f"{name} is implemented by {len(methods)} servicers")
    return methods[0]


def _path_and_message(violation: Any) -> tuple[str, str]:
    """Return the path of the invalid field and what is wrong with it; of fields that exclude each other, the first."""
    field, message = violation.proto.field, violation.proto.message
    if violation.proto.rule_id == "string.pattern":
        message = PATTERNS.get(violation.rule_value, "is malformed")
    elif (violation.proto.rule_id, violation.rule_value) == ("string.min_len", 1):
        message = "must not be empty"
    path = _path(field.elements) if field else ""
    if excluding := ONEOF_FIELDS.match(message):
        path = f"{path}.{excluding[1]}" if path else excluding[1]
    return path, message


def _path(elements: Iterable[Any]) -> str:
    """Return the path of a field, such as ``moves[3].move.amount`` or ``labels.cup``: a map has its key for a name."""
    parts = []
    for element in elements:
        parts.append(element.field_name)
        if (subscript := element.subscript) is not None:
            is_list = subscript.field == "index"
            parts.append(f"[{subscript.value}]" if is_list else str(subscript.value)[:MAX_KEY_LENGTH])
    return ".".join(parts).replace(".[", "[")
