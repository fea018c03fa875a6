"""Rates of calls at a service of two workers: over every transport, and of several addresses behind a proxy."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from chitarrella.api.api_keys import digest_of
from chitarrella.api.request_limits import calls_in
from chitarrella.server.settings import Settings
from chitarrella.v1 import matches_pb2
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.rules_pb2 import ApplyMovesRequest, BatchRequest, Question, SeatMove, StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from tests.server.process import Player, Service, StartService, reason
from tests.servers import until
from tests.transports.all_transports import framed

CALLS, BURST = 400, 50
CONNECTIONS = 8
ASKED = StartGameRequest(rule_set=RuleSet(game_id="briscola"))
BODY = {"ruleSet": {"gameId": "briscola"}}
CONNECT = "/chitarrella.v1.RulesService/StartGame"
REST = "/v1/rules:startGame"
QUOTA = "calls_per_address"
POLICY = f'"{QUOTA}";q={BURST};w={BURST * 3600}'
PROTO, GRPC_WEB = "application/proto", "application/grpc-web+proto"


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


BRISCOLA = RuleSet(game_id="briscola")
MANY: dict[int, Message] = {
    1: ASKED,
    7: BatchRequest(questions=[Question(start_game=ASKED)] * 7),
    3: ApplyMovesRequest(moves=[SeatMove()] * 21),
    6: BatchRequest(questions=[Question(apply_moves=ApplyMovesRequest(moves=[SeatMove()] * 50)), Question()]),
    4: matches_pb2.BatchCreateMatchesRequest(requests=[matches_pb2.CreateMatchRequest(rule_set=BRISCOLA)] * 4),
    5: matches_pb2.BatchGetMatchesRequest(match_ids=["a" * 20] * 5),
    1000: BatchRequest(questions=[Question()] * 3000),
}
"""Requests by the number of calls that they stand for."""


@pytest.mark.parametrize("calls", MANY)
def test_request_counts_as_the_calls_that_it_stands_for(calls: int) -> None:
    """A question or a match of a list counts as one, ten moves as one; of an invalid list no more than is allowed."""
    assert calls == calls_in(MANY[calls])


def test_batch_is_charged_for_its_questions(start_service: StartService) -> None:
    """A batch that is larger than the burst uses up all of it; one more passes before the store has refused."""
    service = start_service("--rate-anonymous", f"1/h burst {BURST}")
    batch = BatchRequest(questions=[Question(start_game=ASKED)] * (BURST + 10))
    found: Counter[str] = Counter()
    with grpc.insecure_channel(service.grpc) as channel:
        stub = RulesServiceStub(channel)
        for _ in range(10):
            try:
                assert len(batch.questions) == len(stub.Batch(batch, timeout=60).answers)
                found["ok"] += 1
            except grpc.RpcError as error:
                found[reason(error)] += 1
    assert {"ok", "rate_limited"} == set(found)
    assert found["ok"] <= 2


def grpc_refusal(address: str) -> Any:
    """The error of a refused call."""
    with grpc.insecure_channel(address) as channel:
        stub = RulesServiceStub(channel)
        refused: Any = until(lambda: stub.StartGame.future(ASKED, timeout=10).exception(), "this worker refuses too")
    assert grpc.StatusCode.RESOURCE_EXHAUSTED == refused.code()
    return refused


def refused_over_grpc(address: str, kind: type[Message]) -> Any:
    """A detail of the error of a refused call."""
    refused = grpc_refusal(address)
    status = rpc_status.from_call(refused)
    assert status is not None
    return unpacked([(one.type_url, one.value) for one in status.details], kind)


def refused_over_http(url: str) -> httpx.Response:
    """The answer to a refused call."""
    return refused_answer(lambda: httpx.post(url, json=BODY))


def refused_answer(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """The answer to a refused call of some transport."""
    answers: list[httpx.Response] = []

    def is_refused() -> bool:
        answers.append(ask())
        return "retry-after" in answers[-1].headers

    until(is_refused, "this worker refuses too")
    return answers[-1]


def unpacked(details: list[tuple[str, bytes]], kind: type[Message]) -> Any:
    """The detail of a kind."""
    (value,) = [value for url, value in details if url.endswith(kind.DESCRIPTOR.full_name)]
    return kind.FromString(value)


def test_every_transport_says_what_is_used_up(exhausted: Service) -> None:
    """Over gRPC there are RetryInfo and QuotaFailure, REST has members, Connect the same details; none an address."""
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
    assert POLICY == rest.headers["RateLimit-Policy"]
    assert f'"{QUOTA}";r=0;t={seconds}' == rest.headers["RateLimit"]
    connect = refused_over_http(exhausted.rest + CONNECT)
    assert (429, "resource_exhausted") == (connect.status_code, connect.json()["code"])
    packed = [(one["type"], b64decode(one["value"] + "==")) for one in connect.json()["details"]]
    assert unpacked(packed, error_details_pb2.RetryInfo).retry_delay.seconds > 0
    assert "127.0.0.1" not in rest.text + connect.text + exhausted.log()


def test_every_transport_says_when_to_call_again(exhausted: Service) -> None:
    """The headers of a refusal are the same over REST, Connect and gRPC-Web, and trailing metadata over gRPC."""
    trailing = dict(grpc_refusal(exhausted.grpc).trailing_metadata())
    answers = [refused_answer(partial(ask, exhausted.rest)) for ask in OVER_HTTP.values()]
    assert [429] * 3 + [200] == [one.status_code for one in answers], "gRPC-Web has a status of its own"
    for headers in (trailing, *(one.headers for one in answers)):
        seconds = headers["retry-after"]
        assert int(seconds) > 0
        assert (POLICY, f'"{QUOTA}";r=0;t={seconds}') == (headers["ratelimit-policy"], headers["ratelimit"])


OVER_HTTP: dict[str, Callable[[str], httpx.Response]] = {
    "rest": lambda url: httpx.post(url + REST, json=BODY),
    "connect": lambda url: httpx.post(url + CONNECT, json=BODY),
    "connect binary": lambda url: posted(url + CONNECT, ASKED.SerializeToString(), PROTO),
    "grpc-web": lambda url: posted(url + CONNECT, framed(ASKED.SerializeToString()), GRPC_WEB),
}
"""A stateless call over each transport at the HTTP port."""


def posted(url: str, content: bytes, content_type: str) -> httpx.Response:
    """Make a call in binary."""
    return httpx.post(url, content=content, headers={"Content-Type": content_type})


def ask_over_grpc(address: str) -> Mapping[str, str]:
    """Make the call over gRPC; returns its trailing metadata."""
    with grpc.insecure_channel(address) as channel:
        call: Any = RulesServiceStub(channel).StartGame.with_call(ASKED, timeout=10)[1]
        return dict(call.trailing_metadata())


def stream_headers(service: Service, match: str) -> Iterator[Mapping[str, str]]:
    """The headers with which a watch of a match begins, over each transport."""
    watch = matches_pb2.WatchMatchRequest(match_id=match)
    with grpc.insecure_channel(service.grpc) as channel:
        call: Any = MatchServiceStub(channel).WatchMatch(watch)
        yield dict(call.initial_metadata())
        call.cancel()
    with httpx.stream("GET", f"{service.rest}/v1/matches/{match}:watch") as answer:
        yield answer.headers
    path = "/chitarrella.v1.MatchService/WatchMatch"
    for content_type in ("application/connect+proto", GRPC_WEB):
        headers = {"Content-Type": content_type}
        content = framed(watch.SerializeToString())
        with httpx.stream("POST", service.rest + path, content=content, headers=headers) as answer:
            yield answer.headers


def test_every_transport_says_what_is_left(start_service: StartService) -> None:
    """Each call has the rate and one call less than the one before; a failed call and a stream have them too."""
    service = start_service("--rate-anonymous", f"1/h burst {BURST}", "--workers", "1")
    made = httpx.post(f"{service.rest}/v1/matches", json=BODY)
    assert POLICY == made.headers["ratelimit-policy"]
    counted = [1]

    def left(headers: Mapping[str, str]) -> int:
        counted[0] += 1
        assert POLICY == headers["ratelimit-policy"]
        assert headers.keys().isdisjoint({"retry-after", "Retry-After"})
        return int(headers["ratelimit"].removeprefix(f'"{QUOTA}";r='))

    def is_known() -> bool:
        counted[0] += 1
        return "ratelimit" in ask_over_grpc(service.grpc)

    until(is_known, "the store has said what it would grant")
    for _ in range(2):
        assert BURST - counted[0] - 1 == left(ask_over_grpc(service.grpc))
        for name, ask in OVER_HTTP.items():
            answer = ask(service.rest)
            assert (200, BURST - counted[0] - 1) == (answer.status_code, left(answer.headers)), name
    for headers in stream_headers(service, made.json()["matchId"]):
        assert BURST - counted[0] - 1 == left(headers)
    failed = httpx.get(f"{service.rest}/v1/games/none")
    assert (404, BURST - counted[0] - 1) == (failed.status_code, left(failed.headers))


def test_service_without_a_rate_says_nothing_of_it(start_service: StartService) -> None:
    """Where calls are not counted there is no header."""
    service = start_service("--rate-anonymous", "0")
    for headers in (ask_over_grpc(service.grpc), *(ask(service.rest).headers for ask in OVER_HTTP.values())):
        assert headers.keys().isdisjoint({"ratelimit", "ratelimit-policy"})


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


# ---------------------------------------------------------------------- quotas over transports


REFUSED = "quota_exceeded"


def opened(stub: Any, match_id: str, calls: list[Any]) -> str:
    """Open a watch, and wait until it has begun; gives "ok" and adds the call to ``calls``, or the reason code."""
    call = stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id), timeout=60)
    try:
        next(call)
    except grpc.RpcError as error:
        return reason(error)
    calls.append(call)
    return "ok"


def test_open_matches_are_capped_over_every_transport(start_service: StartService) -> None:
    """The third match is refused with the name of the quota; of a batch each match fails on its own."""
    service = start_service("--open-matches-anonymous", "2")
    players = [Player(service.grpc), Player(service.grpc)]
    with pytest.raises(grpc.RpcError) as refused:
        Player(service.grpc)
    assert (REFUSED, grpc.StatusCode.RESOURCE_EXHAUSTED) == (reason(refused.value), refused.value.code())
    rest = httpx.post(f"{service.rest}/v1/matches", json=BODY)
    assert (429, REFUSED) == (rest.status_code, rest.json()["code"])
    assert {"quota": "open_matches_per_address", "limit": "2"} == rest.json()["details"]
    assert "Retry-After" not in rest.headers
    connect = httpx.post(f"{service.rest}/chitarrella.v1.MatchService/CreateMatch", json=BODY)
    assert "resource_exhausted" == connect.json()["code"]
    kinds = {one["type"]: b64decode(one["value"] + "==") for one in connect.json()["details"]}
    (violation,) = error_details_pb2.QuotaFailure.FromString(kinds["google.rpc.QuotaFailure"]).violations
    assert ("open_matches_per_address", 2) == (violation.subject, violation.quota_value)
    players[0].stub.AbortMatch(pb.AbortMatchRequest(match_id=players[0].match_id), metadata=players[0].key())
    batch = httpx.post(f"{service.rest}/v1/matches:batchCreate", json={"requests": [BODY] * 3}).json()["matches"]
    assert ["created", "error", "error"] == [next(iter(one)) for one in batch]
    assert {REFUSED} == {one["error"]["code"] for one in batch[1:]}
    for player in players:
        player.close()


def test_matches_with_bots_are_capped_over_every_transport(start_service: StartService) -> None:
    """A bot in one match more is refused with the name of the quota, whether at its creation or later."""
    service = start_service("--bot-matches-anonymous", "1")
    with_bot = {**BODY, "bots": [{"seat": 1, "bot": "greedy"}]}
    url = f"{service.rest}/v1/matches"
    assert httpx.post(url, json=with_bot).is_success
    rest = httpx.post(url, json=with_bot)
    assert (429, "bot_matches_per_address") == (rest.status_code, rest.json()["details"]["quota"])
    connect = httpx.post(f"{service.rest}/chitarrella.v1.MatchService/CreateMatch", json=with_bot)
    assert "resource_exhausted" == connect.json()["code"]
    player = Player(service.grpc)
    with pytest.raises(grpc.RpcError) as refused:
        player.stub.AssignBot(
            pb.AssignBotRequest(match_id=player.match_id, seat=1, bot="greedy"),
            metadata=player.key(),
        )
    assert (REFUSED, grpc.StatusCode.RESOURCE_EXHAUSTED) == (reason(refused.value), refused.value.code())
    player.close()


def test_live_watches_are_capped_and_make_room_when_they_end(start_service: StartService) -> None:
    """The third watch of an address is refused, by whichever transport; one that has ended counts no longer."""
    service = start_service("--watches-anonymous", "2", "--heartbeat", "0.3")
    player = Player(service.grpc)
    with grpc.insecure_channel(service.grpc) as channel:
        stub: Any = MatchServiceStub(channel)
        calls: list[Any] = []
        matches = [player.match_id, "a" * 20, player.match_id, player.match_id]
        assert ["ok", "no_such_match", "ok", REFUSED] == [opened(stub, match, calls) for match in matches]
        rest = httpx.get(f"{service.rest}/v1/matches/{player.match_id}:watch")
        assert (429, REFUSED) == (rest.status_code, rest.json()["code"])
        calls[0].cancel()
        until(lambda: "ok" == opened(stub, player.match_id, calls), "there is room again")
    player.close()
