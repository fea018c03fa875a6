"""What a match of a package has beside its moves: bots, shared shuffles, watchers, takebacks, webhooks, secrecy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from chitarrella.api.api_keys import digest_of
from chitarrella.bots import BOTS
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.testing import walks
from chitarrella.testing.expectations import NOTHING_MORE
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import webhooks_pb2
from chitarrella_client import Chitarrella, fairness
from tests.example_packages import GAMES
from tests.game_packages.callers import SHORT, PlayedMatch
from tests.server.process import Service, StartService
from tests.servers import until
from tests.transports.all_transports import Transport, caller_of
from tests.transports.compare_answers import compare
from tests.transports.conftest import valkey
from tests.transports.paired_matches import Pair, find_twins, two_services
from tests.transports.rest_client import Table, events
from tests.webhooks.conftest import endpoint
from tests.webhooks.receiver import Endpoint

__all__ = ["endpoint", "valkey"]

TABLES = [("scopa", 2), ("tressette", 4)]
PLAY_SECONDS = 60
"""How long bots may take for a whole match, on a machine that may be busy."""


@pytest.mark.parametrize(("key", "players"), TABLES)
@pytest.mark.parametrize("bot", BOTS)
def test_bots_play_a_match_to_its_end(over: Transport, key: str, players: int, bot: str) -> None:
    """Bots of every kind hold all seats, and nobody has to ask them to move."""
    bots = [pb.BotSeat(seat=seat, bot=bot, think_ms=2 if bot == "search" else 0) for seat in range(players)]
    match = PlayedMatch(over, key, players, bots=bots)
    until(lambda: match.state().view.HasField("outcome"), "the match is over", PLAY_SECONDS)
    assert max(match.state().view.scores) >= int(SHORT["target"])


@pytest.mark.parametrize("key", GAMES)
def test_a_shared_shuffle_is_proved_by_the_client(over: Transport, service: Service, key: str) -> None:
    """The first deal waits for a seed of every seat; when it is over, the client proves it by the first commitment."""
    match = PlayedMatch(over, key, pack_source=pb.PACK_SOURCE_SHARED)
    commitment = match.ask("ListShuffles").next_commitment
    for seat, own in match.keys.items():
        match.ask("ContributeSeed", own, client_seed=f"seed of {seat}")
    *_, last = match.play()
    assert last.view.HasField("outcome") or last.awaiting_seeds_from
    with Chitarrella(service.grpc) as client:
        (shuffle,) = (one for one in client.match(match.match_id, match.referee).shuffles() if one.nonce)
        assert commitment == shuffle.commitment
        assert [f"seed of {seat}" for seat in match.keys] == [one.seed for one in shuffle.client_seeds]
        pack = client.game(key).pack
        assert fairness.is_fair(shuffle, pack)
        assert not fairness.is_fair(replace(shuffle, cards=shuffle.cards[::-1]), pack)


@pytest.mark.parametrize("key", GAMES)
def test_a_move_is_taken_back_and_a_record_imported(over: Transport, key: str) -> None:
    """The others agree to take a move back; a record goes on as a match of its own."""
    match = PlayedMatch(over, key)
    *_, before, after = match.play(2)
    mover = before.view.turn
    asked = match.ask("TakeBack", match.keys[mover])
    assert isinstance(asked, pb.TakeBackResponse), asked
    answers = [match.ask("TakeBack", own) for seat, own in match.keys.items() if seat != mover]
    assert answers[-1].taken_back
    assert before.view == match.state().view != after.view
    record = match.ask("GetRecord", match.referee).record
    copy = over("ImportMatch", pb.ImportMatchRequest(record=record)).created
    found = over("GetMatch", pb.GetMatchRequest(match_id=copy.match_id), copy.referee_key)
    assert (before.rule_set, before.view.zones) == (found.rule_set, found.view.zones)


@pytest.mark.parametrize("key", GAMES)
def test_a_stream_ends_with_the_match(over: Transport, key: str) -> None:
    """A watcher that comes late receives every event of the match over each transport, and then the stream ends."""
    match = PlayedMatch(over, key)
    *states, _ = match.play(12)
    match.ask("AbortMatch", match.referee)
    kinds = [event.kind for update in match.ask("WatchMatch", match.referee) for event in update.events]
    assert len(states) == kinds.count("card_played") + kinds.count("declared")


@pytest.mark.parametrize("key", GAMES)
def test_server_sent_events_are_those_of_the_seat(service: Service, key: str) -> None:
    """A seat that watches receives the cards that are dealt to it alone, and each card that is played."""
    table = Table(service.rest, key, dict(SHORT))
    with table.seats[1].stream(f"{table.path}:watch") as response:
        moves = (event for event in events(response) if event.name == "move")
        dealt = [one for one in next(moves).data["events"] if one["kind"] == "dealt"]
        assert [1] == [one["seat"] for one in dealt if one["cards"]]
        seat, move = table.turn()
        assert 200 == table.play().status_code
        (shown, *_) = next(moves).data["events"]
    assert (seat, True) == (shown["seat"], set(shown["cards"]) <= set(move["cards"]))


def test_a_webhook_receives_every_update(site: Path, start_service: StartService, endpoint: Endpoint) -> None:
    """A platform's webhook is sent the deal, each move and the end of a match of each package."""
    keys = f"acme all {digest_of('the key')}"
    service = start_service("--api-keys", keys, "--webhooks-allow-private", packages=site)
    with closing(caller_of("grpc", service, "the key")) as over:
        over("CreateWebhook", webhooks_pb2.CreateWebhookRequest(url=endpoint.url))
        revisions = [list(PlayedMatch(over, key).play())[-1].revision for key in GAMES]
    until(lambda: len(endpoint.names()) >= sum(revisions), "every update is sent", PLAY_SECONDS)
    kinds = [event["kind"] for call in endpoint.calls for event in call.output["update"]["events"]]
    assert {"dealt", "card_played", "captured", "deal_counted", "deal_scored", "match_won"} <= set(kinds)


@pytest.fixture(scope="module")
def pair(valkey: EmbeddedValkey, catalogue: Catalogue) -> Iterator[Pair]:
    """Two services with the packages, and a caller who compares them."""
    with two_services(valkey.url, catalogue) as made:
        yield made


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_answers_do_not_depend_on_hidden_cards(pair: Pair, catalogue: Catalogue, key: str, players: int) -> None:
    """If what a role cannot see had been dealt otherwise, every answer of the service to it would be the same."""
    rng = Random(f"secrecy {key}")
    played = walks.walk(catalogue, catalogue.normalize(RuleSet(key, players)), "secrecy", 2, 6, NOTHING_MORE)
    for viewer in (None, rng.randrange(players)):
        twins = find_twins(played, viewer, rng)
        assert twins is not None
        compare(pair, twins, [viewer], rng)
