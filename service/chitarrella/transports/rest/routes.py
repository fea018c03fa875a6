"""The REST routes: method and path of each rpc, as its google.api.http annotation in the contract gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from google.api import annotations_pb2
from werkzeug.routing import BaseConverter

from chitarrella.api.dispatcher import Rpc, rpcs

VARIABLE: Final = re.compile(r"\{([a-z_]+)\}")
"""A variable in the path of a route, with its name as the group."""
METHODS: Final = ("get", "post", "patch", "delete")
"""The HTTP methods that the contract may use."""
EXPECTED_REVISION: Final = "expected_revision"
"""The field that the header `If-Match` fills."""
REQUEST_ID: Final = "request_id"
"""The field that the header `Idempotency-Key` fills."""


class Route(NamedTuple):
    """The route of an rpc: HTTP method, path with ``{variables}``, and whether the request message is the body."""

    rpc: Rpc
    method: str
    path: str
    has_body: bool

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the request fields in the path."""
        return tuple(VARIABLE.findall(self.path))

    @property
    def rule(self) -> str:
        """The path in the syntax of Werkzeug."""
        return VARIABLE.sub(r"<segment:\1>", self.path)

    def has_field(self, field: str) -> bool:
        """Whether the request message has a field of that name."""
        return field in self.rpc.method.input_type.fields_by_name


class Segment(BaseConverter):
    """A variable in a path: no slash, and no colon, which begins a custom method such as ``:validateMove``."""

    regex = "[^/:]+"
    part_isolating = True  # it never contains a slash


def routes() -> Iterator[Route]:
    """Iterate over the routes of all rpcs; raises `TypeError` for an annotation that is not supported."""
    for rpc in rpcs():
        rule = rpc.method.GetOptions().Extensions[annotations_pb2.http]
        method = rule.WhichOneof("pattern")
        if method not in METHODS or rule.body not in {"", "*"} or rule.additional_bindings:
            raise TypeError(f"{rpc.path}: this annotation is not supported")
        yield Route(rpc, method.upper(), getattr(rule, method), rule.body == "*")
