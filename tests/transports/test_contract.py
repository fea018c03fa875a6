"""The contract tells its callers what can go wrong: the comment of every rpc names its failures."""

import gzip
import json
import re
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from chitarrella.api.dispatcher import SERVICES
from chitarrella.transports.rest.problems import PROBLEM_TYPES

ROOT = Path(__file__).parents[2]
COMMENTS: dict[str, str] = json.loads((ROOT / "service/chitarrella/v1/comments.json").read_text(encoding="utf-8"))
RPCS = {method.name: COMMENTS[method.full_name] for service in SERVICES for method in service.methods}
SAME = re.compile(r"Fails as (?:\w+\.)?(\w+) does")  # a comment that refers to the failures of another rpc
CODES = {problem_type.code for problem_type in PROBLEM_TYPES}


@pytest.mark.parametrize("rpc", RPCS)
def test_every_rpc_names_its_failures(rpc: str) -> None:
    """The comment of an rpc names its reason codes, perhaps with their causes, or another rpc that fails as it does."""
    text = RPCS[rpc]
    _, named, errors = text.partition("Errors: ")
    assert named or SAME.search(text)
    assert set(SAME.findall(text)) <= RPCS.keys()
    codes = re.findall(r"[a-z]+(?:_[a-z]+)+", re.sub(r"\([^)]*\)", "", errors))
    assert bool(named) == bool(codes)
    assert set(codes) <= CODES


def test_services_can_be_read_at_once() -> None:
    """The contract for clients has at most 2,000 lines, any file 400, the blocks of all services less than 500."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "proto/chitarrella").rglob("*.proto")]
    assert max(len(text.splitlines()) for text in texts) <= 400
    assert sum(len(path.read_text().splitlines()) for path in (ROOT / "proto/chitarrella/v1").iterdir()) <= 2000
    blocks = [block for text in texts for block in re.findall(r"^service \w+ \{.*?^\}", text, re.DOTALL | re.MULTILINE)]
    assert len(SERVICES) == len(blocks)
    assert sum(len(block.splitlines()) for block in blocks) < 500


def test_changelog_names_what_was_added() -> None:
    """The changelog of the contract names each service and rpc that its released form lacks."""
    changelog = (ROOT / "proto/README.md").read_text(encoding="utf-8").partition("\n## Changelog\n")[2]
    image = gzip.decompress((ROOT / "proto/released/v1.binpb.gz").read_bytes())
    released = {service.name: service for file in FileDescriptorSet.FromString(image).file for service in file.service}
    known = released.keys() | {rpc.name for service in released.values() for rpc in service.method}
    assert known >= {"MatchService", "PlayMove"}
    now = {service.name for service in SERVICES} | {rpc.name for service in SERVICES for rpc in service.methods}
    assert now - known <= set(re.findall(r"`([A-Z]\w+)`", changelog))
