"""The example requests of the REST paths: in the OpenAPI document, and in what ``chitarrella serve`` prints."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

EXAMPLES: Final[dict[str, Any]] = json.loads(
    (files("chitarrella.transports.rest.api_documents") / "examples.json").read_bytes()
)
"""Example requests by rpc name; the responses are computed by the service."""
