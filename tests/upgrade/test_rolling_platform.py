"""Two releases on one store, with webhooks and an archive, as a platform has them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from standardwebhooks import Webhook as Verifier

from chitarrella.api.api_keys import digest_of
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import webhooks_pb2
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from chitarrella.v1.webhooks_pb2_grpc import WebhookServiceStub
from tests.server.process import Player
from tests.servers import until
from tests.upgrade.releases import FROM_EITHER, Releases, close, history, play_alternately
from tests.webhooks.receiver import Endpoint

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
"""The previous release is built first."""

API_KEY = secrets.token_urlsafe()
METADATA = (("x-api-key", API_KEY),)
"""What a call of the platform carries."""
SENT = webhooks_pb2.DELIVERY_STATE_SENT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the store, the archive and the keys."""
    return tmp_path_factory.mktemp("p")


@pytest.fixture(scope="module")
def releases(folder: Path) -> Iterator[Releases]:
    """Both releases, with the same keys and the same archive."""
    (folder / "api-keys").write_text(f"acme all {digest_of(API_KEY)}")
    made = Releases(
        folder,
        *("--api-keys-file", str(folder / "api-keys")),
        *("--archive", f"file://{folder}/archive", "--archived-expires", "1", "--webhooks-allow-private"),
    )
    yield made
    made.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A webhook that receives."""
    made = Endpoint()
    yield made
    made.close()


class PlatformPlayer(Player):
    """A client of the platform, with all keys of a match."""

    def key(self, key: str = "") -> tuple[tuple[str, str], ...]:
        """The metadata that hold a key of the match, by default the referee's, and that of the platform."""
        return (*super().key(key), *METADATA)


def players_of(releases: Releases, first: int) -> tuple[Player, Player]:
    """A client of each release at a match of the platform which one creates; that of the old release first."""
    agreed = RuleSet(game_id="briscola", players=2, options={"rubber_games": "1"})
    with grpc.insecure_channel(releases.services[first].grpc) as channel:
        stub: Any = MatchServiceStub(channel)
        created = stub.CreateMatch(pb.CreateMatchRequest(rule_set=agreed), metadata=METADATA, timeout=10)
    return PlatformPlayer(releases.old, created), PlatformPlayer(releases.new, created)


def ask(releases: Releases, place: int, rpc: str, request: Any) -> Any:
    """Call an rpc about webhooks at one release."""
    with grpc.insecure_channel(releases.services[place].grpc) as channel:
        return getattr(WebhookServiceStub(channel), rpc)(request, metadata=METADATA, timeout=10)


def deliveries(releases: Releases, place: int, webhook_id: str) -> dict[str, int]:
    """The state of each delivery of a webhook, by the id of its message, as one release lists them."""
    asked = webhooks_pb2.ListDeliveriesRequest(webhook_id=webhook_id)
    return {one.message_id: one.state for one in ask(releases, place, "ListDeliveries", asked).deliveries}


@FROM_EITHER
def test_match_of_a_platform_is_played_alternately(releases: Releases, first: int) -> None:
    """A match of a platform that either release has created is read and played by both."""
    players = players_of(releases, first)
    play_alternately(players, 20)
    assert history(players[0]) == history(players[1])
    close(*players)


@FROM_EITHER
def test_delivery_of_a_stopped_release_is_sent_by_the_other(releases: Releases, first: int, endpoint: Endpoint) -> None:
    """What waits for a webhook when a release is stopped is sent by the other: in order, once, rightly signed."""
    endpoint.answers += [503] * 1000
    made = ask(releases, first, "CreateWebhook", webhooks_pb2.CreateWebhookRequest(url=endpoint.url))
    webhook_id = made.webhook.webhook_id
    players = players_of(releases, first)
    players[first].play(2)
    names = [f"{players[0].match_id}.{revision}" for revision in (1, 2, 3)]
    until(lambda: endpoint.calls, "a message has come, and was refused")
    with releases.stopped(first):
        endpoint.answers.clear()
        sent = dict.fromkeys(names, SENT)
        until(lambda: deliveries(releases, 1 - first, webhook_id) == sent, "all is sent")
        players[1 - first].play()
    names += [f"{players[0].match_id}.4"]
    until(lambda: deliveries(releases, first, webhook_id) == dict.fromkeys(names, SENT), "all is listed as sent")
    assert names == endpoint.accepted
    for call in endpoint.calls:
        Verifier(made.secret).verify(call.body, call.headers)
    ask(releases, 1 - first, "DeleteWebhook", webhooks_pb2.DeleteWebhookRequest(webhook_id=webhook_id))
    close(*players)


@FROM_EITHER
def test_archived_match_is_answered_by_the_other(releases: Releases, first: int, folder: Path) -> None:
    """A match that one release has archived, and the store has forgotten, is shown by the other as it was."""
    players = players_of(releases, first)
    here, there = players[first], players[1 - first]
    asked = pb.ListMatchMovesRequest(match_id=here.match_id)
    while here.stub.ListMatchMoves(asked, metadata=here.key(), timeout=10).moves:
        here.play()
    before = here.get_match(), history(here), here.record()
    with releases.paused(1 - first):
        queue = releases.store.connection.key("archive")
        assert releases.client.zscore(queue, here.match_id)
        releases.client.zadd(queue, {here.match_id: 0}, xx=True)  # it is due now, not in twenty seconds
        until(lambda: list(folder.glob(f"archive/matches/*/{here.match_id}.json")), "the match is archived")
        until(lambda: not releases.client.exists(releases.row(here.match_id)), "the store has forgotten it")
    assert before == (there.get_match(), history(there), there.record())
    assert releases.client.exists(releases.row(here.match_id)), "the store has it again"
    assert before == (here.get_match(), history(here), here.record())
    close(*players)
