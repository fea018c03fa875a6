"""The application: every rpc by its full name, validated, answered or refused in the service's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import protovalidate
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.catalogue import CatalogueApi
from chitarrella.api.matches import MatchApi
from chitarrella.api.rules import RulesApi
from chitarrella.hub import Watch
from chitarrella.platforms import Platforms, scope_of
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2

SERVICES: tuple[ServiceDescriptor, ...] = tuple(
    module.DESCRIPTOR.services_by_name[name]
    for module, name in (
        (catalogue_pb2, "CatalogueService"),
        (rules_pb2, "RulesService"),
        (matches_pb2, "MatchService"),
    )
)


WATCH = "/chitarrella.v1.MatchService/WatchMatch"


class Rpc(NamedTuple):
    """One method of the contract, with the classes of its messages."""

    method: MethodDescriptor
    request: type[Message]
    response: type[Message]
    stateless: bool

    @property
    def path(self) -> str:
        """The path under which gRPC and Connect know it."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"


def rpcs() -> Iterator[Rpc]:
    """Go through the contract."""
    for service in SERVICES:
        for method in service.methods:
            request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
            yield Rpc(method, request, response, service.name != "MatchService")


class Api:
    """What all doors call. Safe to be used by many threads."""

    def __init__(
        self, catalogue: CatalogueApi, rules: RulesApi, matches: MatchApi, platforms: Platforms | None = None
    ) -> None:
        """Put the three services together, for these platforms or for everybody."""
        self._matches = matches
        self._platforms = platforms or Platforms()
        self._scopes = {rpc.path: scope_of(rpc.method.containing_service.name, rpc.method.name) for rpc in rpcs()}
        parts = {"CatalogueService": catalogue, "RulesService": rules, "MatchService": matches}
        self._methods: dict[str, Callable[[Any, Caller], Any]] = {
            rpc.path: getattr(parts[rpc.method.containing_service.name], rpc.method.name)
            for rpc in rpcs()
            if not rpc.method.server_streaming
        }
        self._validator = protovalidate.Validator()

    def call(self, path: str, request: Message, caller: Caller) -> Any:
        """Answer one unary call; raises `errors.ChitarrellaError`."""
        platform = self._platforms.admit(caller.api_key, self._scopes[path])
        return self.answer(path, request, caller._replace(platform=platform))

    def answer(self, path: str, request: Message, caller: Caller) -> Any:
        """Answer a call whose caller was let in, or that the service makes itself."""
        self._check(request)
        return self._methods[path](request, caller)

    def watch(self, request: matches_pb2.WatchMatchRequest, caller: Caller, notify: Callable[[], None]) -> Watch:
        """Answer WatchMatch; ``notify`` is called when there is something to fetch."""
        self._platforms.admit(caller.api_key, self._scopes[WATCH])
        self._check(request)
        return self._matches.watch(request, caller, notify)

    def _check(self, request: Message) -> None:
        """Hold a request against the field rules of the contract."""
        if violations := self._validator.collect_violations(request):
            found = tuple(_violation(violation) for violation in violations)
            raise errors.BadRequest("bad_request", f"{found[0][0]}: {found[0][1]}", found[0][0], found)

    def warm_up(self) -> None:
        """Compile every field rule now, so that the first caller need not wait for it."""
        for rpc in rpcs():
            self._validator.collect_violations(rpc.request())


def _violation(violation: Any) -> tuple[str, str]:
    """Give the path of the field, as JSON readers write it, and what is wrong with it."""
    return _path(violation.proto.field.elements), violation.proto.message


def _path(elements: Iterable[Any]) -> str:
    words = []
    for element in elements:
        subscript = element.subscript
        words.append(element.field_name if subscript is None else f"{element.field_name}[{subscript.value}]")
    return ".".join(words)
