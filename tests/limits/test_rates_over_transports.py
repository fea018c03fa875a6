"""Rates of calls at a service of two workers: over every transport, and of several addresses behind a proxy."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from chitarrella.api.api_keys import digest_of
from chitarrella.server.settings import Settings
from chitarrella.v1.rules_pb2 import StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from tests.server.process import Service, StartService, reason
from tests.servers import until

CALLS, BURST = 400, 50
CONNECTIONS = 8
ASKED = StartGameRequest(rule_set=RuleSet(game_id="briscola"))
BODY = {"ruleSet": {"gameId": "briscola"}}
CONNECT = "/chitarrella.v1.RulesService/StartGame"
REST = "/v1/rules:startGame"
QUOTA = "calls_per_address"


def grpc_outcomes(address: str, calls: int, api_key: str = "") -> Counter[str]:
    """Make a stateless call many times, over several connections; counts the reason codes."""
    metadata = (("x-api-key", api_key),) if api_key else ()
    found: Counter[str] = Counter()
    for _ in range(CONNECTIONS):
        with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            stub = RulesServiceStub(channel)
            for _ in range(calls // CONNECTIONS):
                try:
                    stub.StartGame(ASKED, timeout=10, metadata=metadata)
                    found["ok"] += 1
                except grpc.RpcError as error:
                    found[reason(error)] += 1
    return found


def rest_outcomes(url: str, calls: int, **headers: str) -> Counter[str]:
    """Make the same call over REST."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx.Client(headers=named) as client:
        answers = [client.post(url + REST, json=BODY).json() for _ in range(calls)]
    return Counter(answer.get("code", "ok") for answer in answers)


@pytest.fixture
def exhausted(start_service: StartService) -> Service:
    """A service of two workers whose anonymous callers of this address have used up their burst."""
    service = start_service("--workers", "2", "--rate-anonymous", f"1/h burst {BURST}")
    found = grpc_outcomes(service.grpc, CALLS // 2) + rest_outcomes(service.rest, CALLS // 2)
    assert {"ok", "rate_limited"} == set(found)
    assert BURST <= found["ok"] <= CALLS // 2, "one burst for both workers, and what came while blocks were fetched"
    return service


def refused_over_grpc(address: str, kind: type[Message]) -> Any:
    """A detail of the error of a refused call."""
    with grpc.insecure_channel(address) as channel:
        stub = RulesServiceStub(channel)
        refused: Any = until(lambda: stub.StartGame.future(ASKED, timeout=10).exception(), "this worker refuses too")
    assert grpc.StatusCode.RESOURCE_EXHAUSTED == refused.code()
    status = rpc_status.from_call(refused)
    assert status is not None
    return unpacked([(one.type_url, one.value) for one in status.details], kind)


def refused_over_http(url: str) -> httpx.Response:
    """The answer to a refused call."""
    answers: list[httpx.Response] = []

    def is_refused() -> bool:
        answers.append(httpx.post(url, json=BODY))
        return answers[-1].is_error

    until(is_refused, "this worker refuses too")
    return answers[-1]


def unpacked(details: list[tuple[str, bytes]], kind: type[Message]) -> Any:
    """The detail of a kind."""
    (value,) = [value for url, value in details if url.endswith(kind.DESCRIPTOR.full_name)]
    return kind.FromString(value)


def test_every_transport_says_what_is_used_up(exhausted: Service) -> None:
    """Over gRPC there are RetryInfo and QuotaFailure, REST has headers, Connect the same details; none an address."""
    retry = refused_over_grpc(exhausted.grpc, error_details_pb2.RetryInfo)
    assert retry.retry_delay.ToMilliseconds() > 0
    (violation,) = refused_over_grpc(exhausted.grpc, error_details_pb2.QuotaFailure).violations
    assert (QUOTA, BURST) == (violation.subject, violation.quota_value)
    rest = refused_over_http(exhausted.rest + REST)
    assert (429, "rate_limited", QUOTA) == (
        rest.status_code,
        rest.json()["code"],
        rest.json()["details"]["quota"],
    )
    seconds = rest.headers["Retry-After"]
    assert int(seconds) > 0
    assert f'"{QUOTA}";q={BURST};w={BURST * 3600}' == rest.headers["RateLimit-Policy"]
    assert f'"{QUOTA}";r=0;t={seconds}' == rest.headers["RateLimit"]
    connect = refused_over_http(exhausted.rest + CONNECT)
    assert (429, "resource_exhausted") == (connect.status_code, connect.json()["code"])
    packed = [(one["type"], b64decode(one["value"] + "==")) for one in connect.json()["details"]]
    assert unpacked(packed, error_details_pb2.RetryInfo).retry_delay.seconds > 0
    assert "127.0.0.1" not in rest.text + connect.text + exhausted.log()


def test_probes_and_pages_have_no_rate(exhausted: Service) -> None:
    """Health, metrics and documents are no calls of the contract."""
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json"):
        assert {200} == {httpx.get(exhausted.rest + path).status_code for _ in range(3)}


def test_platform_is_counted_apart_from_its_address(start_service: StartService) -> None:
    """A platform has its rate, whatever others do from the same address; guessing at keys counts for the address."""
    flags = ("--rate-anonymous", f"1/h burst {BURST}", "--rate-platform", "1/h burst 1000")
    service = start_service(*flags, "--api-keys", f"arcade all {digest_of('the-key')}")
    guessed = rest_outcomes(service.rest, CALLS, x_api_key="guessed")
    assert {"bad_api_key", "rate_limited"} == set(guessed)
    assert Counter(ok=CALLS) == grpc_outcomes(service.grpc, CALLS, "the-key")
    assert guessed["bad_api_key"] <= CALLS // 2


def test_addresses_behind_a_proxy_are_distinguished(start_service: StartService) -> None:
    """The address that the trusted proxy adds counts, not what the caller wrote before it; IPv6 counts by /64."""
    service = start_service("--rate-anonymous", f"1/h burst {BURST}", "--trusted-proxies", "1")
    invented = rest_outcomes(service.rest, CALLS, x_forwarded_for="198.51.100.7, 2001:db8:1:1::1")
    assert {"ok", "rate_limited"} == set(invented)
    assert "rate_limited" in rest_outcomes(service.rest, 3, x_forwarded_for="2001:db8:1:1:ffff::2")
    assert {"ok"} == set(rest_outcomes(service.rest, 3, x_forwarded_for="198.51.100.7"))


def test_defaults_limit_no_ordinary_caller(start_service: StartService) -> None:
    """With the settings as they come, a thousand calls in a row pass."""
    service = start_service("--rate-anonymous", Settings().rate_anonymous)
    assert Counter(ok=CALLS) == rest_outcomes(service.rest, CALLS)
