"""Webhooks: what happens at a platform's matches is told to it, at least once, whatever falls over meanwhile."""

import asyncio
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import trustme
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from chitarrella import v1
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.model import CHANCE, EVERYBODY, Move
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.matches.clock import now_ms
from chitarrella.matches.model import CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.matches.webhooks import WebhookRegistry, is_public
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import StoreError, index_entry
from chitarrella.storage.webhooks import (
    Attempt,
    Delivery,
    DeliveryRecord,
    Outbox,
    Webhook,
    WebhookStore,
    WebhookStores,
    delivery_id_of,
)
from chitarrella.transports.webhooks import delivery as delivering
from chitarrella.transports.webhooks.delivery import MAX_ATTEMPTS, Deliverer, backoff_ms, lease_ms, retry_after_ms
from chitarrella.transports.webhooks.messages import MessageReader
from tests.matches.playing import CATALOGUE, PARTNERS, SHORT, catalogue_of, go_on, play_first, play_out
from tests.webhooks.platforms import StartWorker
from tests.webhooks.receiver import NEW, OLD, Endpoint, ReceivedCall


class WebhookSender:
    """A referee whose matches are told of, and who delivers; the clock of the pauses is the test's."""

    def __init__(self, store: RedisStore, hook: Webhook, timeout: float = 30.0) -> None:
        webhooks = WebhookStore(store.connection)
        self.post, self.hook = Outbox(store.connection), hook
        self.stores = WebhookStores(webhooks, self.post)
        self.registry = WebhookRegistry(webhooks, [hook])
        self.service = MatchService(CATALOGUE, store, on_append=delivering.enqueue_updates(self.post, self.registry))
        self.counted: list[str] = []
        self.http = delivering.HttpSender(allow_private=True, timeout=timeout)
        self.deliverer = self.of(self.service)

    def of(self, service: MatchService) -> Deliverer:
        count = self.counted.append
        return Deliverer(MessageReader(service.repository), self.stores, self.http, lambda _, word: count(word))

    def open(self, platform: str = "acme", **how: Any) -> str:
        return self.service.create(CreateMatch(how.pop("rule_set", SHORT), platform=platform, **how)).match

    def deliver(self, *, patient: bool = False) -> list[str]:
        """Deliver what is there, and what waits for another try too where nobody is ``patient``."""
        begun = len(self.counted)
        self.attempt(*self.take(patient=patient))
        return self.counted[begun:]

    def take(self, *, patient: bool = False) -> list[Delivery]:
        """Lease what is there, at most ten new deliveries."""
        due = self.post.take_due(self.hook, 10, lease_ms if patient else lambda _: 0)
        return due + self.post.take_new(self.hook, 10, 1)

    def attempt(self, *deliveries: Delivery) -> None:
        """Attempt deliveries, one after the other, each with what has waited for it."""

        async def attempts() -> None:
            for delivery in deliveries:
                following: Delivery | None = delivery
                while following is not None:
                    following = await self.deliverer.deliver(self.hook, following)
            await self.http.close()

        asyncio.run(attempts())


@pytest.fixture
def sender(store: RedisStore, endpoint: Endpoint) -> WebhookSender:
    return WebhookSender(store, endpoint.hook)


def test_delivery_of_an_unknown_game_is_put_back(sender: WebhookSender, endpoint: Endpoint) -> None:
    """A worker that does not know the game puts the delivery back, for one that does."""
    match = sender.open()
    worker_b = MatchService(catalogue_of(BRISCOLONE), sender.service.store)
    sender.deliverer, deliverer = sender.of(worker_b), sender.deliverer
    assert ["edition_not_supported"] == sender.deliver()
    sender.deliverer = deliverer
    assert ["sent"] == sender.deliver()
    assert {match} == {call.name.partition(".")[0] for call in endpoint.calls}


def test_every_public_move_is_delivered_once_in_order(sender: WebhookSender, endpoint: Endpoint) -> None:
    """Every public move is delivered once, in order, without hidden cards, signed as the standard has it."""
    match = sender.open()
    play_out(sender.service, match)
    moves = sender.service.repository.load(match).row.revision
    while sender.deliver():
        pass
    assert [f"{match}.{revision}" for revision in range(1, moves + 1)] == [call.name for call in endpoint.calls]
    history, lines = sender.service.repository.history(match)
    public = [[event.kind for event in step.events if event.known_to is EVERYBODY] for step in history.replay(lines)]
    assert public == [[event["kind"] for event in call.output["data"]["update"]["events"]] for call in endpoint.calls]
    states = [call.output["data"]["state"] for call in endpoint.calls]
    assert ["MATCH_STATE_OPEN"] * (moves - 1) + ["MATCH_STATE_FINISHED"] == states
    dealt = [event for event in endpoint.calls[0].output["data"]["update"]["events"] if event["kind"] == "dealt"]
    assert dealt
    assert all(event["hidden"] and not event["cards"] for event in dealt)
    for secret in (OLD, NEW):
        Verifier(b64encode(secret).decode()).verify(endpoint.calls[0].body, endpoint.calls[0].headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(b64encode(b"x" * 24).decode()).verify(endpoint.calls[0].body, endpoint.calls[0].headers)


def test_signal_is_not_delivered(sender: WebhookSender, endpoint: Endpoint) -> None:
    """Of a signal to the partner the webhook gets nothing, not even that something happened."""
    match = sender.open(rule_set=PARTNERS)
    assert sender.service.play(match, MoveRequest(0, Move("signal", choice="A"))).accepted
    go_on(sender.service, match, 1)
    while sender.deliver():
        pass
    assert "signal" not in " ".join(call.body.decode() for call in endpoint.calls)
    revision = sender.service.repository.load(match).row.revision
    assert revision == len(endpoint.calls) == len(sender.service.repository.read_log(match)) - 1


def test_webhook_gets_the_messages_that_it_wants(store: RedisStore, endpoint: Endpoint) -> None:
    """Without chosen types it gets all: that a match began, moved, that its deals and the match ended, was aborted."""
    sender = WebhookSender(store, replace(endpoint.hook, event_types=()))
    match = sender.open(external_id="cup-7", labels=(("round", "2"),))
    play_out(sender.service, match)
    aborted = sender.open()
    sender.service.abort(aborted)
    while sender.deliver():
        pass
    types = [call.output["type"] for call in endpoint.calls if call.output["data"]["matchId"] == match]
    assert "match.created" == types[0]
    assert ["match.moved", "deal.finished", "match.finished"] == types[-3:]
    deals = sum(event["kind"] == "deal_started" for call in endpoint.calls for event in events_in(call))
    assert deals - 1 == types.count("deal.finished")  # the aborted match has begun one too
    last = next(call.output for call in endpoint.calls if call.output["type"] == "match.finished")
    data = last["data"]
    assert ("cup-7", {"round": "2"}) == (data["externalId"], data["labels"])
    assert "ENDING_PLAYED" == data["outcome"]["ending"]
    assert last["timestamp"]
    assert ["match.created", "match.moved", "match.aborted"] == [
        call.output["type"] for call in endpoint.calls if call.output["data"]["matchId"] == aborted
    ]
    assert len(endpoint.calls) == len({call.name for call in endpoint.calls})


def test_match_finishes_once(store: RedisStore, endpoint: Endpoint) -> None:
    """What the referee does after the end, such as to seat the next game, is no second end of the match."""
    sender = WebhookSender(store, replace(endpoint.hook, event_types=()))
    match = sender.open(rule_set=RuleSet("cucu", 2, (("tokens", "1"), ("reentry", "false"))))
    play_first(sender.service, match)
    assert sender.service.play(match, MoveRequest(CHANCE, Move("start_next_game"))).accepted
    while sender.deliver():
        pass
    types = [call.output["type"] for call in endpoint.calls]
    assert ["deal.finished", "match.finished", "match.moved"] == types[-3:]
    assert 1 == types.count("match.finished")


def events_in(call: ReceivedCall) -> list[Any]:
    return list(call.output["data"].get("update", {}).get("events", ()))


def test_expired_match_is_reported(store: RedisStore, endpoint: Endpoint) -> None:
    """A match that is found to have expired is a message too."""
    sender = WebhookSender(store, replace(endpoint.hook, event_types=("match.expired",)))
    match = sender.open()
    sender.deliver()
    created_at = sender.service.repository.load(match).metadata.created_at
    store.matches.delete(match)
    store.index.expiries.set(f"acme {index_entry(match, created_at)}", 0)
    sender.service.lists.remove_expired(10)
    while sender.deliver():
        pass
    (call,) = endpoint.calls
    assert ("match.expired", {"matchId": match}) == (
        call.output["type"],
        {key: value for key, value in call.output["data"].items() if key == "matchId"},
    )


def test_receiver_says_when_to_come_again() -> None:
    """Retry-After is a number of seconds or a date, and counts for an hour at most; anything else is passed over."""
    assert [0, 30_000, 3_600_000] == [retry_after_ms(text) for text in ("", "30", "99999")]
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 80_000 < retry_after_ms(soon) <= 90_000
    assert [0, 0] == [retry_after_ms(text) for text in ("soon", "-5")]


def test_delivery_is_not_tried_before_its_receiver_wants_it(sender: WebhookSender, endpoint: Endpoint) -> None:
    """A delivery whose receiver has asked for a pause is put back until then, and its tries do not count."""
    endpoint.answers += [503]
    endpoint.retry_after = "1"
    sender.open()
    (delivery,) = sender.take()
    sender.attempt(delivery)
    assert 1 == len(endpoint.calls)
    for _ in range(3):
        assert ["bad_status"] == sender.deliver()
    assert 1 == len(endpoint.calls)
    time.sleep(1.1)
    assert ["sent"] == sender.deliver()
    (record,) = sender.stores.webhooks.page(sender.hook, "", 2)
    assert ("sent", 2) == (record.state, record.attempts)


def test_failed_delivery_is_retried(store: RedisStore, endpoint: Endpoint) -> None:
    """A delivery that fails or hangs is repeated later under the same id, before the next one of its match."""
    endpoint.answers += [500, 302, 404, -1, 204, 500]
    sender = WebhookSender(store, endpoint.hook, timeout=1.0)
    match = sender.open()
    assert ["bad_status"] == sender.deliver()
    assert [] == sender.deliver(patient=True)
    go_on(sender.service, match, 1)
    assert [["bad_status"], ["bad_status"], ["timed_out"]] == [sender.deliver() for _ in range(3)]
    assert ["sent", "bad_status"] == sender.deliver()
    assert [["sent"], []] == [sender.deliver() for _ in range(2)]
    assert [f"{match}.1"] * 5 + [f"{match}.2"] * 2 == [call.name for call in endpoint.calls]


def test_retry_pauses_double() -> None:
    """From a second on each pause is twice the one before, up to an hour; after half a day it has failed."""
    assert [1_000, 2_000, 4_000, 8_000] == [backoff_ms(tries) for tries in range(1, 5)]
    assert 3_600_000 == backoff_ms(MAX_ATTEMPTS)
    assert 11 < sum(map(backoff_ms, range(1, MAX_ATTEMPTS))) / 3_600_000 < 13
    assert [10_000, 10_000, 16_000] == [lease_ms(1), lease_ms(4), lease_ms(5)]


def test_delivery_fails_in_the_end(sender: WebhookSender, endpoint: Endpoint) -> None:
    """A delivery has failed after the last attempt, and at once when the receiver is gone for good."""
    endpoint.answers += [500, 410]
    match = sender.open()
    (delivery,) = sender.take()
    sender.attempt(delivery._replace(tries=MAX_ATTEMPTS))
    assert ["failed"] == sender.counted
    go_on(sender.service, match, 1)
    assert ["failed"] == sender.deliver()
    assert [] == sender.deliver()


def test_delivery_without_its_entries_is_dropped_later(sender: WebhookSender, endpoint: Endpoint) -> None:
    """A delivery whose entries were never appended is dropped, but not before they had time to come."""
    match = sender.open()
    sender.deliver()
    sender.post.enqueue([sender.hook], match, 1, 2)
    assert ["nothing_yet"] * 4 == [word for _ in range(6) for word in sender.deliver()]
    sender.post.enqueue([sender.hook], match, 1, 2)
    assert ["nothing_yet"] == sender.deliver()
    go_on(sender.service, match, 1)
    assert ["sent", "sent"] == sender.deliver()
    sender.post.enqueue([sender.hook], "no-such-match", 0, 1)
    assert ["nothing_yet"] * 4 == [word for _ in range(6) for word in sender.deliver()]
    assert [f"{match}.1", f"{match}.2"] == endpoint.names()


def test_delivery_sent_again_without_its_match_has_failed(sender: WebhookSender) -> None:
    """A delivery that is sent again and whose match is deleted meanwhile is listed as failed in the end."""
    record = DeliveryRecord("0" * 24, "no-such-match.1", "match.moved", "no-such-match", 3)
    record = record._replace(delivery_id=delivery_id_of(now_ms(), 0, 0))
    sender.stores.webhooks.put(sender.hook, record)
    sender.post.enqueue([sender.hook], "no-such-match", 3, 4, record.delivery_id)
    for _ in range(4):
        assert [record] == sender.stores.webhooks.page(sender.hook, "", 9)
        assert ["nothing_yet"] == sender.deliver()
    assert [record._replace(state="failed", error="no_such_match")] == sender.stores.webhooks.page(sender.hook, "", 9)


def test_delivery_that_failed_before_its_match_was_deleted_is_listed_so(store: RedisStore, endpoint: Endpoint) -> None:
    """Of a delivery that waits when its match is deleted, what was sent stays sent; the rest has failed in the end."""
    sender = WebhookSender(store, replace(endpoint.hook, event_types=()))
    match = sender.open()
    endpoint.answers += [204, 500]
    assert ["bad_status"] == sender.deliver()
    sender.service.delete(match)
    while sender.deliver():
        pass
    kept = sender.stores.webhooks.page(sender.hook, "", 9)
    wanted = [("match.moved", "failed", "no_such_match"), ("match.created", "sent", "")]
    assert wanted == [(one.type, one.state, one.error) for one in kept]


def test_retry_sends_only_what_was_not_sent(sender: WebhookSender, endpoint: Endpoint) -> None:
    """Of several messages in one delivery those that were received are not sent again, and each is listed."""
    match = sender.open()
    go_on(sender.service, match, 2)
    sender.deliver()
    endpoint.calls.clear()
    endpoint.answers += [204, 500]
    sender.post.enqueue([sender.hook], match, 1, 3)
    assert ["bad_status"] == sender.deliver()
    assert ["sent"] == sender.deliver()
    assert [f"{match}.2", f"{match}.3", f"{match}.3"] == [call.name for call in endpoint.calls]
    kept = sender.stores.webhooks.page(sender.hook, "", 2)
    wanted = [(f"{match}.3", "sent", 2), (f"{match}.2", "sent", 1)]
    assert wanted == [(one.message_id, one.state, one.attempts) for one in kept]


def test_lost_consumer_group_is_created_again(sender: WebhookSender, endpoint: Endpoint) -> None:
    """A consumer group that was lost with everything else is created again."""
    sender.open()
    sender.deliver()
    sender.service.store.connection.client.flushall()
    match = sender.open()
    with pytest.raises(StoreError):
        sender.deliver()
    assert ["sent"] == sender.deliver()
    assert f"{match}.1" == endpoint.names()[-1]


# ---------------------------------------------------------------------- webhook sender


PUBLIC = ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
NOT_PUBLIC = [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1",
    "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::", "::1", "fe80::1", "fec0::1", "fc00::1", "ff02::1",
    "ff0e::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::7f00:1",
]  # fmt: skip


def send(url: str, *, allow_private: bool = False, timeout: float = 5.0) -> Attempt:
    async def attempt() -> Attempt:
        sender = delivering.HttpSender(allow_private=allow_private, timeout=timeout)
        try:
            return await sender.send(url, {}, b"{}")
        finally:
            await sender.close()

    return asyncio.run(attempt())


def test_older_answer_does_not_hide_a_new_webhook(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A webhook is known from its creation on, though a list that was read before it arrives after it."""
    webhooks, old = WebhookStore(store.connection), Webhook("old", "acme", "https://old.example", (b"s" * 32,))
    was_read, goes_on, read_all = threading.Event(), threading.Event(), webhooks.all
    registry = WebhookRegistry(webhooks)
    webhooks.create(old, 9)

    def all_late() -> Any:
        found = read_all()
        if not was_read.is_set():
            was_read.set()
            assert goes_on.wait(60)
        return found

    monkeypatch.setattr(webhooks, "all", all_late)
    late = threading.Thread(target=registry.refresh)
    late.start()
    assert was_read.wait(60)
    webhooks.create(replace(old, webhook_id="new"), 9)
    registry.refresh()
    goes_on.set()
    late.join()
    assert {"old", "new"} == {one.webhook_id for one in registry.receivers("acme")}


def test_public_addresses_are_distinguished() -> None:
    """An address is public if packets to it leave for the internet, also where it stands for an IPv4 address."""
    assert PUBLIC == [address for address in (*NOT_PUBLIC, *PUBLIC) if is_public(ip_address(address))]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::ffff:7f00:1]"])
def test_private_address_is_not_called(endpoint: Endpoint, host: str) -> None:
    """A host that is, or resolves to, an address of this machine is not called unless the setting allows it."""
    url = f"http://{host}:{endpoint.server.server_address[1]}/hook?a=b"
    assert Attempt("address_not_allowed") == send(url)
    assert not endpoint.calls
    assert Attempt("", 204) == send(url, allow_private=True)
    assert url.split("/")[2] == endpoint.calls[0].headers["host"]


@pytest.mark.parametrize("is_configured", [True, False])
def test_own_network_is_not_called(start_worker: StartWorker, endpoint: Endpoint, *, is_configured: bool) -> None:
    """A webhook whose name leads to this machine, created or configured, is refused at each attempt, and says so."""
    url = f"http://localhost:{endpoint.server.server_address[1]}/hook"
    if not is_configured:
        start_worker().create(url)  # where it was allowed
    worker = start_worker(f"acme {url} {'A' * 32}" if is_configured else "", allow_private=False)
    (webhook,) = worker.call("ListWebhooks").webhooks
    delivery = worker.call("TestWebhook", webhook_id=webhook.webhook_id).delivery
    assert (v1.DELIVERY_STATE_FAILED, 0) == (delivery.state, delivery.status_code)
    assert "address_not_allowed" == delivery.error
    assert not endpoint.calls


@pytest.mark.parametrize("url", ["http://no-such-host.invalid/", "http://x:port/", "ftp://localhost/", "http://",
                                 "http://127.1/", "http://2130706433/"])  # fmt: skip
def test_url_that_leads_nowhere_is_unreachable(url: str) -> None:
    """A name without an address, or a URL that cannot be read, is unreachable and no fault of the service."""
    assert Attempt("unreachable") == send(url, allow_private=True)


@contextmanager
def answering(head: bytes, drip: bytes = b"") -> Iterator[str]:
    """The URL of a server that answers with this, and then with a byte every tenth of a second, if any."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.recv(65536)
                connection.sendall(head)
                connection.settimeout(0.1)
                while True:  # until the sender closes
                    with suppress(TimeoutError):
                        if not connection.recv(65536):
                            return
                    connection.sendall(drip)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


def test_head_of_the_answer_decides() -> None:
    """A body that is announced and never comes is not waited for."""
    with answering(b"HTTP/1.1 202 Accepted\r\ncontent-length: 1000000\r\n\r\n") as url:
        assert Attempt("", 202) == send(url, allow_private=True)


def test_slow_answer_is_cut_off() -> None:
    """An answer that comes byte by byte is cut off when the time of the attempt is over."""
    with answering(b"HTTP/1.1 200 OK\r\nx: ", drip=b"x") as url:
        begun = time.monotonic()
        assert Attempt("timed_out") == send(url, allow_private=True, timeout=0.5)
        assert 0.4 < time.monotonic() - begun < 5


def test_tls_verifies_the_name_of_the_host(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection goes to an address, and the certificate has to be for the name in the URL, and trusted."""
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    endpoint.server.socket = context.wrap_socket(endpoint.server.socket, server_side=True)
    port = endpoint.server.server_address[1]
    assert Attempt("unreachable") == send(f"https://localhost:{port}/hook", allow_private=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    assert Attempt("", 204) == send(f"https://localhost:{port}/hook", allow_private=True)
    assert Attempt("unreachable") == send(f"https://127.0.0.1:{port}/hook", allow_private=True)
    assert [f"localhost:{port}"] == [call.headers["host"] for call in endpoint.calls]
