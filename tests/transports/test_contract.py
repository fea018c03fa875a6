"""The contract tells its callers what can go wrong: the comment of every rpc names its failures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import grpc
import pytest

from chitarrella.api.dispatcher import SERVICES
from chitarrella.transports.rest.problems import PROBLEM_TYPES

ROOT = Path(__file__).parents[2]
COMMENTS: dict[str, str] = json.loads((ROOT / "service/chitarrella/v1/comments.json").read_text(encoding="utf-8"))
RPCS = {method.name: COMMENTS[method.full_name] for service in SERVICES for method in service.methods}
NAMED = re.compile(r"\b([A-Z_]{5,}) \(([^)]*)\)")
"""A status, and its reason codes in brackets, perhaps with the circumstances."""
SAME = re.compile(r"Fails as (?:\w+\.)?(\w+) does")  # a comment that refers to the failures of another rpc
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


def test_services_can_be_read_at_once() -> None:
    """The service blocks of the contract have less than 500 lines together, and no file has more than 400."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "proto/chitarrella").rglob("*.proto")]
    assert max(len(text.splitlines()) for text in texts) <= 400
    blocks = [block for text in texts for block in re.findall(r"^service \w+ \{.*?^\}", text, re.DOTALL | re.MULTILINE)]
    assert len(SERVICES) == len(blocks)
    assert sum(len(block.splitlines()) for block in blocks) < 500


def test_changelog_names_every_rpc() -> None:
    """The changelog of the contract names each rpc and each service, in the first form or as added since."""
    changelog = (ROOT / "proto/README.md").read_text(encoding="utf-8").partition("\n## Changelog\n")[2]
    named = set(re.findall(r"`([A-Z]\w+)`", changelog))
    assert set() == {method.name for service in SERVICES for method in service.methods} - named
    assert set() == {service.name for service in SERVICES} - named
