"""Webhooks in the settings: their lines, their signature, and a service that delivers to them."""

from __future__ import annotations

from base64 import b64encode

import pytest

from chitarrella.api.api_keys import digest_of
from chitarrella.transports.webhooks.config import InvalidWebhooks, parse_webhooks, signed_headers
from chitarrella_client import Chitarrella
from tests.server.process import StartService
from tests.servers import until
from tests.webhooks.receiver import NEW, Endpoint


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
    assert {
        "content-type": "application/json",
        "user-agent": "chitarrella",
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    } == headers


def test_service_delivers_and_counts_webhooks(start_service: StartService, endpoint: Endpoint) -> None:
    """A service delivers a platform's match as it is played, and the metrics count it."""
    key, folder = "a key of the platform", "settings"
    hook = f"acme {endpoint.url} whsec_{b64encode(NEW).decode()} # the only one"
    flags = ("--api-keys", f"acme all {digest_of(key)}", "--webhooks", hook, "--webhooks-allow-private")
    with Chitarrella(start_service(*flags, folder=folder).grpc, api_key=key) as client:
        match = client.create_match("briscola")
        for _ in range(4):
            moves = match.legal_moves()
            match.as_seat(moves.seat or 0).play(moves[0])
        until(lambda: len(endpoint.names()) == 5, "all was told", 10)
        match.abort()
        until(lambda: f"{match.id}.aborted" in endpoint.names(), "the end was told", 10)
    assert [f"{match.id}.{revision}" for revision in range(1, 6)] == sorted(endpoint.names())[:5]
