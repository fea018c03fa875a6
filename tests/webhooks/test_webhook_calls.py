"""The calls of WebhookService: each over every transport, who may make them, and what they refuse."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from openapi_schema_validator import OAS31Validator
from standardwebhooks import Webhook as Verifier

from chitarrella import v1
from chitarrella.api.converters import write_page_token
from chitarrella.matches import service as match_service
from chitarrella.matches.webhooks import MAX_OLD_SECRETS, OLD_SECRET_MS
from chitarrella.storage.pipelined_client import is_on_loop
from chitarrella_client import Chitarrella, DeliveryState
from tests.loop_stores import nothing_blocks, on_loop
from tests.server.process import Service, fetched
from tests.servers import until
from tests.transports.all_transports import RPCS, TRANSPORTS, Failed, Transport, caller_of, served
from tests.transports.conftest import opened
from tests.webhooks.platforms import ACME, API_KEYS, CLUB, READER, SHORT, PlatformWorker, StartWorker
from tests.webhooks.receiver import NEW, Endpoint, ReceivedCall

REQUEST_ID = "an id of sixteen characters or more"
WEBHOOK_RPCS = [name for name, rpc in RPCS.items() if rpc.method.containing_service.name == "WebhookService"]


@pytest.fixture
def worker(start_worker: StartWorker) -> PlatformWorker:
    return start_worker()


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest, worker: PlatformWorker) -> Iterator[Transport]:
    with opened(worker.wired) as rest, served(worker.wired, rest) as addresses:
        made = caller_of(request.param, addresses, ACME)
        yield made
        made.close()


def test_every_webhook_call_over_every_transport(transport: Transport, endpoint: Endpoint) -> None:
    """A webhook is created, listed, changed, tested and deleted; its deliveries are listed and sent again."""
    created = transport("CreateWebhook", v1.CreateWebhookRequest(url=endpoint.url))
    webhook, webhook_id = created.webhook, created.webhook.webhook_id
    assert (endpoint.url, False, False) == (webhook.url, webhook.disabled, webhook.configured)
    assert webhook.create_time.seconds
    assert [webhook] == list(transport("ListWebhooks", v1.ListWebhooksRequest()).webhooks)
    tested = transport("TestWebhook", v1.TestWebhookRequest(webhook_id=webhook_id)).delivery
    assert ("webhook.test", "", v1.DELIVERY_STATE_SENT, 1) == (
        tested.type, tested.match_id, tested.state, tested.attempts,
    )  # fmt: skip
    assert (204, "", tested.message_id) == (tested.status_code, tested.error, endpoint.calls[0].name)
    Verifier(created.secret).verify(endpoint.calls[0].body, endpoint.calls[0].headers)
    deliveries = v1.ListDeliveriesRequest(webhook_id=webhook_id)
    assert [tested] == list(transport("ListDeliveries", deliveries).deliveries)
    again = v1.ResendDeliveryRequest(webhook_id=webhook_id, delivery_id=tested.delivery_id)
    pending = transport("ResendDelivery", again).delivery
    assert (tested.delivery_id, v1.DELIVERY_STATE_PENDING) == (pending.delivery_id, pending.state)
    until(lambda: transport("ListDeliveries", deliveries).deliveries[0].attempts == 2, "it was sent again", 10)
    assert [tested.message_id] * 2 == [call.name for call in endpoint.calls]
    rotated = transport("RotateWebhookSecret", v1.RotateWebhookSecretRequest(webhook_id=webhook_id)).secret
    assert rotated.startswith("whsec_")
    assert rotated != created.secret
    change = v1.UpdateWebhookRequest(webhook_id=webhook_id, url=f"{endpoint.url}/new", disabled=True)
    changed = transport("UpdateWebhook", change).webhook
    assert (f"{endpoint.url}/new", True, webhook.create_time) == (changed.url, changed.disabled, changed.create_time)
    assert changed == transport("UpdateWebhook", v1.UpdateWebhookRequest(webhook_id=webhook_id)).webhook
    delete = v1.DeleteWebhookRequest(webhook_id=webhook_id)
    assert v1.DeleteWebhookResponse() == transport("DeleteWebhook", delete)
    assert Failed("no_such_webhook", "webhook_id") == transport("DeleteWebhook", delete)
    assert not transport("ListWebhooks", v1.ListWebhooksRequest()).webhooks


def test_rest_answers_with_201_and_location(worker: PlatformWorker) -> None:
    """Over REST a new webhook is answered with 201 and its path, and a change is a PATCH."""
    with opened(worker.wired) as rest, httpx.Client(base_url=rest, headers={"X-API-Key": ACME}) as client:
        made = client.post("/v1/webhooks", json={"url": "https://cards.example/"})
        path = made.headers["Location"]
        assert (201, f"/v1/webhooks/{made.json()['webhook']['webhookId']}") == (made.status_code, path)
        assert "no-store" == made.headers["Cache-Control"]
        changed = client.patch(path, json={"disabled": True})
        assert (200, True) == (changed.status_code, changed.json()["webhook"]["disabled"])
        listed = client.get("/v1/webhooks")
        assert listed.headers["Cache-Control"].startswith("private")
        assert 200 == client.delete(path).status_code
        assert 404 == client.post(f"{path}:test").status_code


def test_webhooks_are_those_of_the_platform(worker: PlatformWorker) -> None:
    """Nobody but the platform itself, with a key of the scope, sees or changes its webhooks."""
    created = worker.create("https://cards.example/")
    known = {"webhook_id": created.webhook.webhook_id, "delivery_id": "0" * 24, "url": "https://cards.example/"}
    assert len(WEBHOOK_RPCS) > 6
    for rpc in WEBHOOK_RPCS:
        names = RPCS[rpc].request.DESCRIPTOR.fields_by_name
        fields: dict[str, Any] = {name: value for name, value in known.items() if name in names}
        assert Failed("out_of_scope", "x-api-key") == worker.call(rpc, READER, **fields)
        assert Failed("api_key_needed", "x-api-key") == worker.call(rpc, "", **fields)
        if rpc not in ("ListWebhooks", "CreateWebhook"):
            assert Failed("no_such_webhook", "webhook_id") == worker.call(rpc, CLUB, **fields)
    assert not worker.call("ListWebhooks", CLUB).webhooks
    assert [created.webhook] == list(worker.call("ListWebhooks").webhooks)


def test_create_is_idempotent_by_its_request_id(worker: PlatformWorker, start_worker: StartWorker) -> None:
    """A repeated request gets the same webhook and secret, at every worker; another one under its id is refused."""
    first = worker.create("https://cards.example/", request_id=REQUEST_ID)
    assert first == start_worker().create("https://cards.example/", request_id=REQUEST_ID)
    other = worker.call("CreateWebhook", url="https://other.example/", request_id=REQUEST_ID)
    assert Failed("request_reused", "") == other._replace(field="")
    assert first != worker.call("CreateWebhook", CLUB, url="https://cards.example/", request_id=REQUEST_ID)
    worker.call("UpdateWebhook", webhook_id=first.webhook.webhook_id, url="https://moved.example/")
    again = worker.create("https://cards.example/", request_id=REQUEST_ID)
    assert (first.secret, "https://moved.example/") == (again.secret, again.webhook.url)
    worker.call("DeleteWebhook", webhook_id=first.webhook.webhook_id)
    assert first.secret == worker.create("https://cards.example/", request_id=REQUEST_ID).secret
    assert 2 == len({worker.create("https://cards.example/").secret for _ in range(2)})


def test_platform_has_ten_webhooks_at_most(worker: PlatformWorker) -> None:
    """The eleventh webhook of a platform is refused, and another platform may still create one."""
    made = [worker.create(f"https://cards.example/{number}").webhook for number in range(10)]
    assert "too_many_webhooks" == worker.call("CreateWebhook", url="https://cards.example/").code
    listed = list(worker.call("ListWebhooks").webhooks)
    times = [one.create_time.ToMilliseconds() for one in listed]
    assert ({one.url for one in made}, sorted(times)) == ({one.url for one in listed}, times)
    assert worker.call("CreateWebhook", CLUB, url="https://cards.example/").secret


NO_URLS = (
    "", "ftp://cards.example/", "cards.example", "https://", "https://cards.example:port/", "https://cards.example/a b",
    "https://cards.example/é", "https://[::1", "https://user:word@x.example/", f"https://cards.example/{'x' * 2000}",
)  # fmt: skip
NOT_PUBLIC = (
    "localhost:8080", "LocalHost.", "cards.localhost", "127.0.0.1", "127.0.0.1.", "127.1", "2130706433:8080",
    "0x7f.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "[::1]", "[64:ff9b::a00:1]",
    "[::ffff:192.168.0.1]", "[2002:7f00:1::]", "[fe80::1]", "[fd00::1]", "[ff02::1]",
)  # fmt: skip


def test_url_that_no_webhook_may_have_is_refused(start_worker: StartWorker) -> None:
    """What is no http URL, holds a password or names an address that is not public is refused, and nothing changes."""
    worker = start_worker(allow_private=False)
    made = worker.create("https://[2606:4700::1111]:444/").webhook
    for given in (*NO_URLS, *(f"http://{host}/" for host in NOT_PUBLIC)):
        assert Failed("bad_request", "url") == worker.call("CreateWebhook", url=given), given
        changed = worker.call("UpdateWebhook", webhook_id=made.webhook_id, url=given)
        assert Failed("bad_request", "url") == changed, given
    assert [made] == list(worker.call("ListWebhooks").webhooks)


def test_configured_webhook_is_listed_and_not_changed(start_worker: StartWorker, endpoint: Endpoint) -> None:
    """The webhook in the settings is listed first and can be tested; a call that would change it is refused."""
    worker = start_worker(f"acme {endpoint.url} {b64encode(NEW).decode()}")
    created = worker.create("https://cards.example/").webhook
    first, second = worker.call("ListWebhooks").webhooks
    assert (True, endpoint.url, False) == (first.configured, first.url, first.HasField("create_time"))
    assert created == second
    changes: dict[str, Any] = {"UpdateWebhook": {"disabled": True}, "RotateWebhookSecret": {}, "DeleteWebhook": {}}
    for rpc, fields in changes.items():
        refused = worker.call(rpc, webhook_id=first.webhook_id, **fields)
        assert Failed("webhook_configured", "webhook_id") == refused
    until(lambda: worker.call("TestWebhook", webhook_id=first.webhook_id).delivery.state == v1.DELIVERY_STATE_SENT, "")
    assert ["webhook.test"] == [one.type for one in worker.deliveries(first.webhook_id)]
    assert not worker.call("ListWebhooks", CLUB).webhooks


def test_rotated_secrets_sign_side_by_side(worker: PlatformWorker, endpoint: Endpoint) -> None:
    """After a rotation a message verifies with the new and the old secret, and after a day with the new one only."""
    created = worker.create(endpoint.url)
    webhook_id = created.webhook.webhook_id
    texts = [created.secret]
    for _ in range(MAX_OLD_SECRETS + 1):
        texts.append(worker.call("RotateWebhookSecret", webhook_id=webhook_id).secret)
    worker.call("TestWebhook", webhook_id=webhook_id)
    (call,) = endpoint.calls
    for text in texts[1:]:
        Verifier(text).verify(call.body, call.headers)
    assert MAX_OLD_SECRETS + 1 == len(call.headers["webhook-signature"].split())
    (kept,) = worker.parts.webhooks._registry.of_platform("acme")
    later = kept.old_secrets[0].until
    assert 4 == len(kept.secrets_at(later - OLD_SECRET_MS))
    assert kept.secrets == kept.secrets_at(later)


def test_deliveries_are_paged_and_filtered(worker: PlatformWorker, endpoint: Endpoint) -> None:
    """The deliveries come latest first, in pages, of one state if it is asked for; another token is refused."""
    webhook_id = worker.create(endpoint.url).webhook.webhook_id
    endpoint.answers += [204, 500, 204, 410, 204]
    sent = [worker.call("TestWebhook", webhook_id=webhook_id).delivery for _ in range(5)]
    failed, done = v1.DELIVERY_STATE_FAILED, v1.DELIVERY_STATE_SENT
    assert [done, failed, done, failed, done] == [one.state for one in sent]
    assert [("bad_status", 500), ("gone", 410)] == [(one.error, one.status_code) for one in (sent[1], sent[3])]
    assert sent[::-1] == worker.deliveries(webhook_id)
    assert [sent[3], sent[1]] == worker.deliveries(webhook_id, state=failed)
    assert [] == worker.deliveries(webhook_id, state=v1.DELIVERY_STATE_PENDING)
    found: list[v1.Delivery] = []
    token = ""
    while len(found) < 5:
        page = worker.call("ListDeliveries", webhook_id=webhook_id, page_size=2, page_token=token)
        found, token = [*found, *page.deliveries], page.next_page_token
    assert (sent[::-1], "") == (found, token)
    page = worker.call("ListDeliveries", webhook_id=webhook_id, page_size=2, state=done)
    assert [sent[4], sent[2]] == list(page.deliveries)
    rest = {"page_token": page.next_page_token, "state": done}
    assert [sent[0]] == worker.deliveries(webhook_id, **rest)
    for wrong in ("x", write_page_token("ListMatches", "0" * 24), write_page_token("ListDeliveries", "+")):
        refused = worker.call("ListDeliveries", webhook_id=webhook_id, page_token=wrong)
        assert Failed("bad_request", "page_token") == refused


def test_delivery_that_is_not_kept_cannot_be_sent_again(worker: PlatformWorker, endpoint: Endpoint) -> None:
    """An unknown delivery, and one whose match was deleted, are not sent again."""
    webhook_id = worker.create(endpoint.url).webhook.webhook_id
    unknown = worker.call("ResendDelivery", webhook_id=webhook_id, delivery_id="nothing")
    assert Failed("no_such_delivery", "delivery_id") == unknown
    made = worker.open_match()
    until(lambda: worker.deliveries(webhook_id), "it was told", 10)
    worker.call("DeleteMatch", key=made.referee_key, match_id=made.match.match_id)
    (delivery,) = worker.deliveries(webhook_id)
    again = worker.call("ResendDelivery", webhook_id=webhook_id, delivery_id=delivery.delivery_id)
    assert Failed("no_such_match", "match_id") == again
    assert [delivery] == worker.deliveries(webhook_id)


# ---------------------------------------------------------------------- calls on a loop


Call = Callable[..., Any]


@pytest.fixture
def call(worker: PlatformWorker, endpoint: Endpoint) -> Call:
    worker.create(endpoint.url)
    return lambda rpc, key="", **fields: on_loop(lambda: worker.call(rpc, key=key, **fields))


def test_everything_that_a_move_can_need_waits_without_blocking(call: Call, endpoint: Endpoint) -> None:
    """A match with a platform, a clock, a bot, a webhook and replaced keys is played on a loop, and blocks nothing."""
    asked = {"external_id": "game 7", "labels": {"cup": "autumn"}, "request_id": REQUEST_ID}
    with nothing_blocks():
        minute = timedelta(minutes=1)
        created = call("CreateMatch", rule_set=SHORT, clock={"move_time": minute, "bank": minute}, **asked)
        match, referee = created.match.match_id, created.referee_key
        keys = {0: call("RotateKey", referee, match_id=match, seat=0).key, 1: created.seat_keys[1].key}
        assert "bad_key" == call("ListMatchMoves", created.seat_keys[0].key, match_id=match).code
        for number in range(6):
            listed = call("ListMatchMoves", referee, match_id=match)
            fields = {"match_id": match, "move": listed.moves[0], "request_id": f"request {number}"}
            for repeated in (False, True):
                played = call("PlayMove", keys[listed.seat], **fields, expected_revision=listed.revision)
                assert (True, repeated) == (played.accepted, played.repeated_request)
        late = call("PlayMove", keys[listed.seat], match_id=match, move=listed.moves[0], expected_revision=1)
        assert "stale_revision" == late.code
        call("AssignBot", referee, match_id=match, seat=1, bot="random")
        call("EnforceClock", referee, match_id=match)
        call("AbortMatch", referee, match_id=match)
        deleted = call("CreateMatch", rule_set=SHORT)
        call("DeleteMatch", deleted.referee_key, match_id=deleted.match.match_id)
    until(lambda: 6 <= len(endpoint.calls), "the moves were delivered")


def test_repeated_request_of_a_long_match_leaves_the_loop(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay of a log for a repeated request runs in a thread, not on the loop."""
    found = []
    monkeypatch.setattr(match_service, "check_repeated", lambda *_: found.append(is_on_loop()))
    created = call("CreateMatch", rule_set=SHORT)
    asked = {"key": created.referee_key, "match_id": created.match.match_id}
    listed = call("ListMatchMoves", **asked)
    for _ in range(2):
        call("PlayMove", **asked, seat=listed.seat, move=listed.moves[0], request_id=REQUEST_ID)
    assert [False] == found


# ---------------------------------------------------------------------- a service and its clients


@pytest.fixture(scope="module")
def receiver() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, receiver: Endpoint) -> Iterator[Service]:
    hook = f"acme {receiver.url} whsec_{b64encode(NEW).decode()} # the only one"
    settings = ("--api-keys", API_KEYS, "--webhooks", hook, "--webhooks-allow-private")
    made = Service(tmp_path_factory.mktemp("w"), *settings, "--log-level", "debug", "--workers", "2", forked=True)
    yield made
    made.clear_away()


def test_service_delivers_messages_as_documented(service: Service, receiver: Endpoint) -> None:
    """A service delivers a match as it is played, each message as both API documents have it; no secret is written."""
    with Chitarrella(service.grpc, api_key=ACME) as client:
        match, aborted = (client.create_match("briscola", options={"rubber_games": 1}) for _ in range(2))
        aborted.abort()
        while (moves := match.legal_moves()).seat is not None:
            match.as_seat(moves.seat).play(moves[0])
        ends = ("match.created", *range(1, 42), "41.deal.finished", "41.match.finished")
        names = [f"{match.id}.{name}" for name in ends]
        others = {f"{aborted.id}.{name}" for name in ("match.created", "1", "match.aborted")}
        until(lambda: {*names, *others} == set(receiver.names()), "all was told", 120)
        assert names == [name for name in receiver.names() if name not in others]
        (webhook,) = client.webhooks.all()
        assert DeliveryState.SENT is client.webhooks.test(webhook.webhook_id).state
        created = client.webhooks.create(receiver.url)
        secrets = [created.secret, client.webhooks.rotate_secret(created.webhook.webhook_id)]
        client.webhooks.delete(created.webhook.webhook_id)
        assert created.secret not in repr(created)
    document, other = (json.loads(fetched(f"{service.rest}/{name}.json")) for name in ("openapi", "asyncapi"))
    types = {call.output["type"]: call for call in receiver.calls}
    for call in types.values():
        fitting = {name for name, item in document["webhooks"].items() if fits(document, item["post"], call.output)}
        assert {call.output["type"]} == fitting == set(fitting_messages(other, call))
        parameters = document["webhooks"][call.output["type"]]["post"]["parameters"]
        assert {"webhook-id", "webhook-timestamp", "webhook-signature"} == {one["name"] for one in parameters}
        assert all(fits(document, one, call.headers[one["name"]]) for one in parameters)
    assert document["webhooks"].keys() == {"match.expired", *types}
    for text in (service.log(), fetched(f"{service.rest}/metrics")):
        for hidden in (receiver.url, b64encode(NEW).decode(), *secrets):
            assert hidden.removeprefix("whsec_") not in text


def fitting_messages(document: Any, call: ReceivedCall) -> Iterator[str]:
    """The messages of the webhooks in AsyncAPI whose headers and payload are those of a delivery."""
    for name in document["channels"]["webhooks"]["messages"]:
        message = document["components"]["messages"][name]
        parts = ((message["headers"], call.headers), (message["payload"], call.output))
        if all(
            OAS31Validator({**schema, "components": document["components"]}).is_valid(part) for schema, part in parts
        ):
            yield name


def fits(document: Any, described: Any, value: Any) -> bool:
    """Whether a value fits the schema of a parameter, or of the body of an operation."""
    content = described.get("requestBody", {}).get("content", {"application/json": described})
    schema = {**content["application/json"]["schema"], "components": document["components"]}
    return bool(OAS31Validator(schema).is_valid(value))
