"""Rates of calls and quotas at services: over every transport, and of several addresses behind a proxy."""

from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from chitarrella import v1
from chitarrella.api.api_keys import digest_of
from chitarrella.api.request_size import calls_in
from chitarrella.server.settings import Settings
from chitarrella.storage.counters import parse_rate
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.position_pb2 import SeatMove
from chitarrella.v1.questions_pb2 import ApplyMovesRequest, BatchRequest, Question, StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from tests.server.process import Player, Service, StartService, reason
from tests.servers import until
from tests.transports.all_transports import framed

CALLS, BURST = 200, 50
CONNECTIONS = 8
ASKED = StartGameRequest(rule_set=RuleSet(game_id="briscola"))
BODY: dict[str, Any] = {"ruleSet": {"gameId": "briscola"}}
CONNECT = "/chitarrella.v1.RulesService/StartGame"
REST = "/v1/rules:startGame"
QUOTA = "calls_per_address"
POLICY = f'"{QUOTA}";q={BURST};w={BURST * 3600}'
PROTO, GRPC_WEB = "application/proto", "application/grpc-web+proto"
RATE = ("--rate-anonymous", f"1/h burst {BURST}")


def outcome(ask: Callable[[], Any]) -> str:
    """Make a call over gRPC; gives its reason code, or "ok"."""
    try:
        ask()
    except grpc.RpcError as error:
        return reason(error)
    return "ok"


def grpc_outcomes(address: str, calls: int, api_key: str = "") -> Counter[str]:
    """Make a stateless call many times, over several connections; counts the reason codes."""
    metadata = (("x-api-key", api_key),) if api_key else ()
    found: Counter[str] = Counter()
    for _ in range(CONNECTIONS):
        with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            start = RulesServiceStub(channel).StartGame
            found.update(
                outcome(lambda: start(ASKED, timeout=10, metadata=metadata))  # noqa: B023  # called at once
                for _ in range(calls // CONNECTIONS)
            )
    return found


def rest_outcomes(url: str, calls: int, **headers: str) -> Counter[str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx.Client(headers=named) as client:
        return Counter(client.post(url + REST, json=BODY).json().get("code", "ok") for _ in range(calls))


BRISCOLA = RuleSet(game_id="briscola")
MANY: dict[int, Message] = {
    1: ASKED,
    7: BatchRequest(questions=[Question(start_game=ASKED)] * 7),
    3: ApplyMovesRequest(moves=[SeatMove()] * 21),
    6: BatchRequest(questions=[Question(apply_moves=ApplyMovesRequest(moves=[SeatMove()] * 50)), Question()]),
    4: v1.BatchCreateMatchesRequest(requests=[v1.CreateMatchRequest(rule_set=BRISCOLA)] * 4),
    5: v1.BatchGetMatchesRequest(match_ids=["a" * 20] * 5),
    1000: BatchRequest(questions=[Question()] * 3000),
}
"""Requests by the number of calls that they stand for."""


@pytest.mark.parametrize("calls", MANY)
def test_request_counts_as_the_calls_that_it_stands_for(calls: int) -> None:
    """A question or a match of a list counts as one, ten moves as one; of an invalid list no more than is allowed."""
    assert calls == calls_in(MANY[calls])


def test_defaults_limit_no_ordinary_caller() -> None:
    """With the settings as they come, hundreds of calls in a row pass."""
    rate = parse_rate(Settings().rate_anonymous)
    assert rate is not None
    assert rate.burst > 2 * CALLS


def grpc_refusal(address: str) -> Any:
    with grpc.insecure_channel(address) as channel:
        stub = RulesServiceStub(channel)
        return until(lambda: stub.StartGame.future(ASKED, timeout=10).exception(), "this worker refuses too")


def http_refusal(ask: Callable[[str], httpx.Response], url: str) -> httpx.Response:
    """The answer to a refused call of some transport at the HTTP port."""
    answers: list[httpx.Response] = []

    def is_refused() -> bool:
        answers.append(ask(url))
        return "retry-after" in answers[-1].headers

    until(is_refused, "this worker refuses too")
    return answers[-1]


def unpacked(details: list[tuple[str, bytes]], kind: type[Message]) -> Any:
    (value,) = [value for url, value in details if url.endswith(kind.DESCRIPTOR.full_name)]
    return kind.FromString(value)


OVER_HTTP: dict[str, Callable[[str], httpx.Response]] = {
    "rest": lambda url: httpx.post(url + REST, json=BODY),
    "connect": lambda url: httpx.post(url + CONNECT, json=BODY),
    "connect binary": lambda url: posted(url + CONNECT, ASKED.SerializeToString(), PROTO),
    "grpc-web": lambda url: posted(url + CONNECT, framed(ASKED.SerializeToString()), GRPC_WEB),
}
"""A stateless call over each transport at the HTTP port."""


def posted(url: str, content: bytes, content_type: str) -> httpx.Response:
    return httpx.post(url, content=content, headers={"Content-Type": content_type})


def test_every_transport_says_what_is_used_up_and_until_when(start_service: StartService) -> None:
    """Over gRPC and Connect there are details, REST has members, all have the same headers, and none an address."""
    exhausted = start_service("--workers", "2", *RATE)
    found = grpc_outcomes(exhausted.grpc, CALLS) + rest_outcomes(exhausted.rest, CALLS)
    assert {"ok", "rate_limited"} == set(found)
    assert BURST <= found["ok"] <= CALLS, "one burst for both workers, and what came while blocks were fetched"
    over_grpc = grpc_refusal(exhausted.grpc)
    assert grpc.StatusCode.RESOURCE_EXHAUSTED == over_grpc.code()
    answers = {name: http_refusal(ask, exhausted.rest) for name, ask in OVER_HTTP.items()}
    statuses = [429] * 3 + [200]
    assert statuses == [one.status_code for one in answers.values()], "gRPC-Web has a status of its own"
    for headers in (dict(over_grpc.trailing_metadata()), *(one.headers for one in answers.values())):
        seconds = headers["retry-after"]
        assert int(seconds) > 0
        assert (POLICY, f'"{QUOTA}";r=0;t={seconds}') == (headers["ratelimit-policy"], headers["ratelimit"])
    rest, connect = answers["rest"].json(), answers["connect"].json()
    assert ("rate_limited", QUOTA, "resource_exhausted") == (rest["code"], rest["details"]["quota"], connect["code"])
    status = rpc_status.from_call(over_grpc)
    assert status is not None
    for details in (
        [(one.type_url, one.value) for one in status.details],
        [(one["type"], b64decode(one["value"] + "==")) for one in connect["details"]],
    ):
        assert unpacked(details, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() > 0
        (violation,) = unpacked(details, error_details_pb2.QuotaFailure).violations
        assert (QUOTA, BURST) == (violation.subject, violation.quota_value)
    assert "127.0.0.1" not in f"{rest} {connect} {exhausted.log()}"
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json"):
        assert {200} == {httpx.get(exhausted.rest + path).status_code for _ in range(3)}, "no calls of the contract"


def ask_over_grpc(address: str) -> Mapping[str, str]:
    """Make the call over gRPC; returns its trailing metadata."""
    with grpc.insecure_channel(address) as channel:
        call: Any = RulesServiceStub(channel).StartGame.with_call(ASKED, timeout=10)[1]
        return dict(call.trailing_metadata())


def stream_headers(service: Service, match: str) -> Iterator[Mapping[str, str]]:
    """The headers with which a watch of a match begins, over each transport."""
    watch = v1.WatchMatchRequest(match_id=match)
    with grpc.insecure_channel(service.grpc) as channel:
        call: Any = MatchServiceStub(channel).WatchMatch(watch)
        yield dict(call.initial_metadata())
        call.cancel()
    path, content = "/chitarrella.v1.MatchService/WatchMatch", framed(watch.SerializeToString())
    for method, url, more in (
        ("GET", f"/v1/matches/{match}:watch", {}),
        ("POST", path, {"content": content, "headers": {"Content-Type": "application/connect+proto"}}),
        ("POST", path, {"content": content, "headers": {"Content-Type": GRPC_WEB}}),
    ):
        with httpx.stream(method, service.rest + url, **more) as answer:  # type: ignore[arg-type]  # of several kinds
            yield answer.headers


def test_every_transport_says_what_is_left(start_service: StartService) -> None:
    """Each call has the rate and one call less than the one before; a failed call and a stream have them too."""
    service = start_service(*RATE, "--workers", "1")
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
    for headers in stream_headers(service, made.json()["match"]["matchId"]):
        assert BURST - counted[0] - 1 == left(headers)
    batch = {"questions": [{"startGame": BODY}] * 7}
    answer = httpx.post(f"{service.rest}/v1/rules:batch", json=batch)
    counted[0] += 6  # each of its questions is a call
    assert (200, BURST - counted[0] - 1) == (answer.status_code, left(answer.headers))
    failed = httpx.get(f"{service.rest}/v1/games/none")
    assert (404, BURST - counted[0] - 1) == (failed.status_code, left(failed.headers))


def test_platforms_and_addresses_are_counted_apart(start_service: StartService) -> None:
    """A platform has its rate, guessing at keys counts for the address, behind a proxy for the one that it adds."""
    flags = ("--rate-platform", "1/h burst 1000", "--trusted-proxies", "1")
    service = start_service(*RATE, *flags, "--api-keys", f"arcade all {digest_of('the-key')}")

    def guessed(calls: int, *, of: str = "") -> set[str]:
        return set(rest_outcomes(service.rest, calls, x_api_key="guessed", **({"x_forwarded_for": of} if of else {})))

    assert {"bad_api_key", "rate_limited"} == guessed(CALLS)
    assert Counter(ok=CALLS) == grpc_outcomes(service.grpc, CALLS, "the-key")
    assert {"bad_api_key", "rate_limited"} == guessed(CALLS, of="198.51.100.7, 2001:db8:1:1::1")
    assert "rate_limited" in guessed(3, of="2001:db8:1:1:ffff::2"), "IPv6 counts by /64"
    assert {"bad_api_key"} == guessed(3, of="198.51.100.7"), "what the caller wrote before does not count"


# ---------------------------------------------------------------------- quotas over transports


REFUSED = "quota_exceeded"


@pytest.fixture(scope="module")
def capped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service without rates, with small quotas for matches, bots and watches, of which each test leaves nothing."""
    caps = ("--open-matches-anonymous", "2", "--bot-matches-anonymous", "1", "--watches-anonymous", "2")
    flags = ("--heartbeat", "0.3", "--rate-anonymous", "0")
    service = Service(tmp_path_factory.mktemp("quotas"), *caps, *flags, forked=True)
    yield service
    service.clear_away()


def abort(player: Player) -> None:
    player.stub.AbortMatch(v1.AbortMatchRequest(match_id=player.match_id), metadata=player.key())
    player.close()


def test_open_matches_are_capped_over_every_transport(capped: Service) -> None:
    """The second match with a bot and the third match are refused by name; of a batch each match fails on its own."""
    with_bot = {**BODY, "bots": [{"seat": 1, "bot": "greedy"}]}
    made, refused = (httpx.post(f"{capped.rest}/v1/matches", json=with_bot) for _ in range(2))
    assert (201, 429) == (made.status_code, refused.status_code)
    assert {"quota": "bot_matches_per_address", "limit": "1"} == refused.json()["details"]
    player = Player(capped.grpc)
    with pytest.raises(grpc.RpcError) as refused_over_grpc:
        Player(capped.grpc)
    error = refused_over_grpc.value
    assert (REFUSED, grpc.StatusCode.RESOURCE_EXHAUSTED) == (reason(error), error.code())
    rest = httpx.post(f"{capped.rest}/v1/matches", json=BODY)
    assert (429, REFUSED) == (rest.status_code, rest.json()["code"])
    assert {"quota": "open_matches_per_address", "limit": "2"} == rest.json()["details"]
    assert rest.headers.keys().isdisjoint({"retry-after", "ratelimit", "ratelimit-policy"})
    connect = httpx.post(f"{capped.rest}/chitarrella.v1.MatchService/CreateMatch", json=BODY)
    assert "resource_exhausted" == connect.json()["code"]
    details = [(one["type"], b64decode(one["value"] + "==")) for one in connect.json()["details"]]
    (violation,) = unpacked(details, error_details_pb2.QuotaFailure).violations
    assert ("open_matches_per_address", 2) == (violation.subject, violation.quota_value)
    aborted(capped, made.json())
    batch = httpx.post(f"{capped.rest}/v1/matches:batchCreate", json={"requests": [BODY] * 3}).json()["results"]
    assert ["created", "error", "error"] == [next(iter(one)) for one in batch]
    assert {REFUSED} == {one["error"]["details"][0]["reason"] for one in batch[1:]}
    assert ask_over_grpc(capped.grpc).keys().isdisjoint({"ratelimit", "ratelimit-policy"}), "there is no rate"
    aborted(capped, batch[0]["created"])
    abort(player)


def aborted(service: Service, created: dict[str, Any]) -> None:
    key = {"Authorization": f"Bearer {created['refereeKey']}"}
    assert httpx.post(f"{service.rest}/v1/matches/{created['match']['matchId']}:abort", headers=key).is_success


def test_live_watches_are_capped_and_make_room_when_they_end(capped: Service) -> None:
    """The third watch of an address is refused, by whichever transport; one that has ended counts no longer."""
    player = Player(capped.grpc)
    with grpc.insecure_channel(capped.grpc) as channel, ExitStack() as stack:

        def opened(match: str) -> tuple[str, Any]:
            """Open a watch, and wait until it has begun; gives "ok" or the reason code, and the call."""
            call = MatchServiceStub(channel).WatchMatch(v1.WatchMatchRequest(match_id=match), timeout=60)
            stack.callback(call.cancel)
            return outcome(lambda: next(call)), call

        calls = [opened(match) for match in (player.match_id, "a" * 20, player.match_id, player.match_id)]
        assert ["ok", "no_such_match", "ok", REFUSED] == [code for code, _ in calls]
        rest = httpx.get(f"{capped.rest}/v1/matches/{player.match_id}:watch")
        assert (429, REFUSED) == (rest.status_code, rest.json()["code"])
        calls[0][1].cancel()
        until(lambda: "ok" == opened(player.match_id)[0], "there is room again")
    abort(player)
