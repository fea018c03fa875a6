"""A webhook from its creation to its deletion while workers run: each of them follows, and no message is lost."""

import time
from collections.abc import Iterator

import pytest

from chitarrella import v1
from chitarrella.transports.webhooks.messages import InvalidWebhooks, parse_webhooks, signed_headers
from tests.servers import until
from tests.webhooks.platforms import CLUB, PlatformWorker, StartWorker
from tests.webhooks.receiver import Endpoint

NOTICED_SECONDS = 2.0  # how soon every worker has noticed a change
BUSY_SECONDS = 2.0  # what a busy machine may take longer
SECONDS = 60


@pytest.fixture
def other_endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.close()


def threads_of(worker: PlatformWorker) -> set[str]:
    return set(worker.parts.webhooks._queues)


def known_at(worker: PlatformWorker) -> dict[str, str]:
    """The URLs of the webhooks of acme that a worker would enqueue messages for."""
    return {one.webhook_id: one.url for one in worker.parts.webhooks._registry.receivers("acme")}


def test_worker_notices_the_webhooks_of_another_one(start_worker: StartWorker, endpoint: Endpoint) -> None:
    """A webhook that was created, changed, disabled and deleted at one worker is so at the other within two seconds."""
    here, there = start_worker(), start_worker()
    assert {} == known_at(there)
    webhook_id = here.create(endpoint.url).webhook.webhook_id
    begun = time.monotonic()
    until(lambda: threads_of(there) == {webhook_id} == known_at(there).keys(), "it is noticed", SECONDS)
    assert time.monotonic() - begun < NOTICED_SECONDS + BUSY_SECONDS
    made = there.open_match()
    until(lambda: endpoint.names() == [f"{made.match.match_id}.1"], "it is told", SECONDS)
    here.call("UpdateWebhook", webhook_id=webhook_id, url=f"{endpoint.url}/new")
    until(lambda: known_at(there) == {webhook_id: f"{endpoint.url}/new"}, "the change is noticed", SECONDS)
    here.call("UpdateWebhook", webhook_id=webhook_id, disabled=True)
    until(lambda: not threads_of(there) and not known_at(there), "nothing is sent", SECONDS)
    there.open_match()
    here.call("UpdateWebhook", webhook_id=webhook_id, disabled=False)
    until(lambda: threads_of(there) == {webhook_id}, "it is enabled again", SECONDS)
    last = there.open_match()
    until(lambda: f"{last.match.match_id}.1" in endpoint.names(), "it is told", SECONDS)
    assert [f"{made.match.match_id}.1", f"{last.match.match_id}.1"] == endpoint.names()
    here.call("DeleteWebhook", webhook_id=webhook_id)
    until(lambda: not threads_of(there) and not known_at(there), "it is gone", SECONDS)
    there.open_match()
    assert 2 == len(endpoint.names())


def test_each_gets_every_message(start_worker: StartWorker, endpoint: Endpoint, other_endpoint: Endpoint) -> None:
    """Several webhooks of a platform each get every message of its matches, and one that hangs delays no other."""
    worker = start_worker()
    slow = worker.create(endpoint.url).webhook.webhook_id
    quick = worker.create(other_endpoint.url).webhook.webhook_id
    endpoint.answers += [-1]
    begun = time.monotonic()
    names = {f"{worker.open_match().match.match_id}.1" for _ in range(3)}
    worker.open_match(CLUB)
    until(lambda: set(other_endpoint.names()) == names, "the quick one has all", SECONDS)
    assert time.monotonic() - begun < 4, "it waited for the slow one"
    endpoint.go.set()
    until(lambda: set(endpoint.names()) == names, "the slow one has all", SECONDS)
    until(lambda: {one.state for one in worker.deliveries(slow)} == {v1.DELIVERY_STATE_SENT}, "all is sent", 30)
    until(lambda: names == {one.message_id for one in worker.deliveries(quick)}, "all is noted", SECONDS)
    assert {1} == {one.attempts for one in worker.deliveries(quick)}


def test_messages_of_several_matches_are_sent_at_once(start_worker: StartWorker, endpoint: Endpoint) -> None:
    """A message does not wait for the answer to that of another match."""
    worker = start_worker()
    worker.create(endpoint.url)
    endpoint.answers += [-1] * 8
    names = {f"{worker.open_match().match.match_id}.1" for _ in range(8)}
    until(lambda: endpoint.at_once == 8 or len(endpoint.calls) > 8, "all have come", SECONDS)
    assert 8 == endpoint.most_at_once
    assert names == set(endpoint.names())


def test_messages_of_a_match_are_sent_in_order(start_worker: StartWorker, endpoint: Endpoint) -> None:
    """A message waits until the one before it of its match is received, also after a failure and at several workers."""
    workers = [start_worker() for _ in range(3)]
    webhook_id = workers[0].create(endpoint.url).webhook.webhook_id
    until(lambda: all(threads_of(worker) == {webhook_id} for worker in workers), "all deliver", SECONDS)
    endpoint.answers += [-1]
    made = workers[0].open_match()
    for number in range(20):
        asked = {"key": made.referee_key, "match_id": made.match.match_id}
        legal = workers[number % 3].call("ListMatchMoves", **asked)
        assert workers[number % 3].call("PlayMove", **asked, seat=legal.seat, move=legal.moves[0]).accepted
    until(lambda: endpoint.calls, "the first has come", SECONDS)
    endpoint.answers += [204, 204, 503]
    endpoint.go.set()
    names = [f"{made.match.match_id}.{revision}" for revision in range(1, 22)]
    until(lambda: len(endpoint.names()) == 21, "all have come", 2 * SECONDS)
    until(lambda: not workers[0].deliveries(webhook_id, state=v1.DELIVERY_STATE_PENDING), "all is received", SECONDS)
    assert names == endpoint.names()
    assert names == list(dict.fromkeys([names[0], *endpoint.accepted]))
    assert 1 == endpoint.most_at_once


def test_messages_wait_for_a_webhook(start_worker: StartWorker, endpoint: Endpoint, other_endpoint: Endpoint) -> None:
    """A message that failed before its webhook was disabled is sent when that is enabled, to the URL of then."""
    worker = start_worker()
    webhook_id = worker.create(endpoint.url).webhook.webhook_id
    endpoint.answers += [500] * 20
    made = worker.open_match()
    until(lambda: worker.deliveries(webhook_id), "it has failed", SECONDS)
    (failing,) = worker.deliveries(webhook_id)
    assert (v1.DELIVERY_STATE_PENDING, "bad_status", 500) == (failing.state, failing.error, failing.status_code)
    worker.call("UpdateWebhook", webhook_id=webhook_id, disabled=True)
    until(lambda: not threads_of(worker), "nothing is sent", SECONDS)
    worker.call("UpdateWebhook", webhook_id=webhook_id, url=other_endpoint.url, disabled=False)
    until(lambda: other_endpoint.names() == [f"{made.match.match_id}.1"], "it is sent", 30)
    until(lambda: worker.deliveries(webhook_id)[0].state == v1.DELIVERY_STATE_SENT, "it is listed as sent", SECONDS)
    (delivery,) = worker.deliveries(webhook_id)
    assert (made.match.match_id, "match.moved", "", 204) == (
        delivery.match_id, delivery.type, delivery.error, delivery.status_code,
    )  # fmt: skip
    assert delivery.attempts > failing.attempts


def test_failed_delivery_is_sent_again(start_worker: StartWorker, endpoint: Endpoint) -> None:
    """A message that was not wanted is sent again on request, by any worker, with the same id and body."""
    worker = start_worker()
    webhook_id = worker.create(endpoint.url).webhook.webhook_id
    endpoint.answers += [204, 410]
    made = worker.open_match()
    until(lambda: len(worker.deliveries(webhook_id)) == 1, "the deal is told", SECONDS)
    worker.call("AbortMatch", key=made.referee_key, match_id=made.match.match_id)
    until(lambda: len(worker.deliveries(webhook_id)) == 2, "the end is told", SECONDS)
    failed, sent = worker.deliveries(webhook_id)
    assert (v1.DELIVERY_STATE_FAILED, "gone", "match.aborted") == (failed.state, failed.error, failed.type)
    for delivery in (failed, sent):
        before = next(call for call in endpoint.calls if call.name == delivery.message_id)
        pending = worker.call("ResendDelivery", webhook_id=webhook_id, delivery_id=delivery.delivery_id).delivery
        assert (delivery.delivery_id, v1.DELIVERY_STATE_PENDING) == (pending.delivery_id, pending.state)
        again = until(lambda: endpoint.calls[2:], "it is sent again", SECONDS)[-1]
        until(lambda: not worker.deliveries(webhook_id, state=v1.DELIVERY_STATE_PENDING), "it is listed", SECONDS)
        assert (before.name, before.body) == (again.name, again.body)
        endpoint.calls.remove(again)
    states = [(one.state, one.attempts, one.error) for one in worker.deliveries(webhook_id)]
    assert [(v1.DELIVERY_STATE_SENT, 2, "")] * 2 == states


def test_deleted_webhook_gets_nothing_of_what_waited(start_worker: StartWorker, endpoint: Endpoint) -> None:
    """What waits for a webhook is not sent after it was deleted, nor to one that is created with the same id."""
    worker = start_worker()
    request_id = "an id of sixteen characters or more"
    webhook_id = worker.create(endpoint.url, request_id=request_id).webhook.webhook_id
    worker.call("UpdateWebhook", webhook_id=webhook_id, disabled=True)
    until(lambda: not threads_of(worker), "nothing is sent", SECONDS)
    tested = worker.call("TestWebhook", webhook_id=webhook_id).delivery
    assert v1.DELIVERY_STATE_SENT == tested.state
    worker.call("ResendDelivery", webhook_id=webhook_id, delivery_id=tested.delivery_id)
    worker.call("DeleteWebhook", webhook_id=webhook_id)
    assert webhook_id == worker.create(endpoint.url, request_id=request_id).webhook.webhook_id
    made = worker.open_match()
    until(lambda: f"{made.match.match_id}.1" in endpoint.names(), "the new one is told", SECONDS)
    assert [tested.message_id, f"{made.match.match_id}.1"] == [call.name for call in endpoint.calls]


# ---------------------------------------------------------------------- webhook settings


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("acme http://x", "line 1 of the webhooks is not"),
        ("acme ftp://x whsec_" + "A" * 32, "no http or https URL"),
        ("acme http:// whsec_" + "A" * 32, "no http or https URL"),
        ("acme http://[::[1]/ whsec_" + "A" * 32, "line 1 of the webhooks names no http or https URL"),
        ("acme http://x whsec_AAAA", "base64 of 24 to 64 bytes"),
        ("acme http://x whsec_!!!", "base64 of 24 to 64 bytes"),
        (f"a http://x whsec_{'A' * 32}\na http://y whsec_{'A' * 32}", "two webhooks"),
    ],
)
def test_invalid_line_is_named_by_its_number(line: str, message: str) -> None:
    """An invalid line is named by its number, and its secret is not shown."""
    with pytest.raises(InvalidWebhooks, match=message) as failed:
        parse_webhooks(line)
    assert "AAAA" not in str(failed.value)
    assert "!!!" not in str(failed.value)


def test_signature_of_the_published_vector() -> None:
    """The signature is that of the test vector published with Standard Webhooks, which no library here computed."""
    (hook,) = parse_webhooks("acme http://x whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    headers = signed_headers(hook.secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" == headers["webhook-signature"]
