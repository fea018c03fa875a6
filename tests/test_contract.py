"""The contract tells its callers what can go wrong: the comment of every rpc names its failures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import grpc
import pytest

from chitarrella.api.dispatcher import SERVICES
from chitarrella.transports.rest.problems import PROBLEM_TYPES

COMMENTS: dict[str, str] = json.loads(
    (Path(__file__).parent.parent / "service/chitarrella/v1/comments.json").read_text(encoding="utf-8")
)
RPCS = {method.name: COMMENTS[method.full_name] for service in SERVICES for method in service.methods}
NAMED = re.compile(r"\b([A-Z_]{5,}) \(([^)]*)\)")
"""A status, and its reason codes in brackets, perhaps with the circumstances."""
SAME = re.compile(r"Fails as (?:\w+\.)?(\w+) does")
"""A comment that refers to the failures of another rpc."""
CODES = {problem_type.code for problem_type in PROBLEM_TYPES}


@pytest.mark.parametrize("rpc", RPCS)
def test_every_rpc_names_its_failures(rpc: str) -> None:
    """The comment of an rpc names a status with its reason codes, or another rpc that fails in the same way."""
    text = RPCS[rpc]
    statuses = NAMED.findall(text)
    assert statuses or SAME.search(text)
    assert set(SAME.findall(text)) <= RPCS.keys()
    assert {status for status, _ in statuses} <= {code.name for code in grpc.StatusCode}
    for status, brackets in statuses:
        codes = set(re.findall(r"[a-z]+(?:_[a-z]+)+", brackets))
        assert codes, f"{status} without a reason code"
        assert codes <= CODES
