"""Transports with API keys: each asks for the platform's key before it answers an rpc of the contract."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import grpc
import httpx
import pytest

from chitarrella.api.api_keys import ApiKeys, digest_of, parse_api_keys
from chitarrella.api.page_tokens import write_page_token
from chitarrella.api.services import make_dispatcher
from chitarrella.catalogue.registry import Catalogue
from chitarrella.matches.bot_moves import choose_move
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchService
from chitarrella_client import Chitarrella, errors
from tests.transports.all_transports import grpc_opened
from tests.transports.conftest import WiredService, opened

KEY, CLUB, LONG, READER = "the-platform", "the-club", "the-long-list", "a-reader"
LINES = "\n".join(
    f"{name} {scope} {digest_of(key)}"
    for name, scope, key in (
        ("arcade", "all", KEY),
        ("club", "all", CLUB),
        ("long", "all", LONG),
        ("reader", "catalogue", READER),
    )
)


@pytest.fixture(scope="module")
def closed(wired: WiredService) -> WiredService:
    """The same service, for two platforms only."""
    catalogue = Catalogue()
    referee = MatchService(catalogue, wired.store)
    operations, api_keys = MatchOperations(referee, choose_move), ApiKeys(parse_api_keys(LINES))
    api = make_dispatcher(catalogue, referee, operations, wired.hub, wired.platform_hub, api_keys=api_keys)
    return wired._replace(api=api)


@pytest.fixture(scope="module")
def address(closed: WiredService) -> Iterator[str]:
    """Where gRPC listens."""
    with grpc_opened(closed) as listening:
        yield listening


def test_client_with_an_api_key_plays_and_watches(address: str) -> None:
    """A client that sends its platform's key creates a match, plays and watches."""
    with Chitarrella(address, api_key=KEY) as client:
        match = client.create_match("briscola", options={"rubber_games": 1})
        while moves := match.legal_moves().moves:
            assert match.as_seat(match.legal_moves().seat or 0).play(moves[0]).accepted
        assert match.get().over
        assert list(match.watch())


@pytest.mark.parametrize("key", ["", "guessed"])
def test_call_without_an_api_key_is_refused(address: str, key: str) -> None:
    """Catalogue, rules, matches and streams are closed to everybody else."""
    with Chitarrella(address, api_key=key) as client:
        attempts: tuple[Any, ...] = (
            lambda: list(client.games()),
            lambda: client.rules.start_game("briscola"),
            lambda: client.create_match("briscola"),
            lambda: client.match("nobody").get(),
            lambda: list(client.match("nobody").watch(give_up=1)),
        )
        for attempt in attempts:
            with pytest.raises(errors.NotAuthenticated):
                attempt()


def test_api_key_is_valid_for_its_scopes_only(address: str) -> None:
    """A key that is good for the catalogue opens that and nothing else."""
    with Chitarrella(address, api_key=READER) as client:
        assert list(client.games())
        with pytest.raises(errors.NotAllowed) as failed:
            client.rules.start_game("briscola")
        assert "out_of_scope" == failed.value.code


def test_rest_and_connect_need_the_api_key(closed: WiredService) -> None:
    """REST and Connect refuse with the same codes; docs, health and metrics are open."""
    body = {"ruleSet": {"gameId": "briscola"}}
    shown: tuple[tuple[dict[str, str], int, str], ...] = (
        ({}, 401, "api_key_needed"),
        ({"X-API-Key": "guessed"}, 401, "bad_api_key"),
        ({"X-API-Key": READER}, 403, "out_of_scope"),
    )
    with opened(closed) as rest:
        for path in ("/v1/rules:startGame", "/chitarrella.v1.RulesService/StartGame"):
            for headers, status, code in shown:
                answer = httpx.post(rest + path, json=body, headers=headers)
                assert status == answer.status_code, path
                assert code in answer.text or encoded(code) in answer.text
                assert "guessed" not in answer.text
            assert 200 == httpx.post(rest + path, json=body, headers={"x-api-key": KEY}).status_code
        for path in ("/docs/", "/openapi.json", "/healthz", "/metrics"):
            assert 200 == httpx.get(rest + path, follow_redirects=True).status_code, path


def test_platform_lists_its_own_matches(address: str) -> None:
    """Each platform lists its own matches, the latest first, without deleted ones."""
    with Chitarrella(address, api_key=CLUB) as club, Chitarrella(address, api_key=KEY) as client:
        assert [] == list(club.matches())
        opened_ = [club.create_match("briscola", private=True), club.create_match("coech", players=2)]
        client.create_match("briscola")
        listed = list(club.matches())
        assert {match.id for match in opened_} == {one.match_id for one in listed}
        assert {("briscola", True, False), ("coech", False, False)} == {
            (one.rule_set.game_id, one.private, one.finished) for one in listed
        }
        assert not {one.match_id for one in listed} & {one.match_id for one in client.matches()}
        opened_[0].delete()
        assert [opened_[1].id] == [one.match_id for one in club.matches()]
        with pytest.raises(errors.NoSuchMatch):
            opened_[0].get()
        with pytest.raises(errors.NotAllowed):
            opened_[1].as_seat(0).delete()


def test_list_is_paged_without_repetition(address: str) -> None:
    """A long list comes a page at a time, each match once."""
    with Chitarrella(address, api_key=LONG) as client:
        ids = {client.create_match("briscola").id for _ in range(60)}
        listed = [one.match_id for one in client.matches()]
        assert (60, ids) == (len(listed), set(listed))


@pytest.mark.parametrize(
    "token", ["nonsense", "(", "1.2", "0000000000.zzzzzzzzzzzzzzzzzzzz", write_page_token("ListMatches", "1.2")]
)
def test_invalid_page_token_of_a_list_is_refused(closed: WiredService, token: str) -> None:
    """What is no page_token is refused, and not taken for the end of the list."""
    with opened(closed) as rest:
        asked = httpx.get(f"{rest}/v1/matches", params={"page_token": token}, headers={"x-api-key": KEY})
        assert (400, "bad_request", "page_token") == (asked.status_code, *map(asked.json().get, ("code", "field")))


def test_batch_create_reports_each_failure(closed: WiredService) -> None:
    """Many matches are opened in one call; one that cannot be is refused for itself."""
    good = {"ruleSet": {"gameId": "briscola"}}
    body = {
        "requests": [good, {"ruleSet": {"gameId": "bridge"}}, good, {"ruleSet": {"gameId": "briscola"}, "pack": ["Ab"]}]
    }
    with opened(closed) as rest:
        answer = httpx.post(f"{rest}/v1/matches:batchCreate", json=body, headers={"x-api-key": KEY})
        assert 200 == answer.status_code
        made = answer.json()["matches"]
        assert [False, True, False, True] == ["error" in one for one in made]
        assert ["unknown_game", "bad_pack"] == [made[1]["error"]["code"], made[3]["error"]["code"]]
        assert 2 == len({made[place]["created"]["matchId"] for place in (0, 2)})
        empty = httpx.post(f"{rest}/v1/matches:batchCreate", json={"requests": []}, headers={"x-api-key": KEY})
        assert 400 == empty.status_code


def test_list_without_platforms_is_refused(rest: str) -> None:
    """Where no platform is known there is no list."""
    answer = httpx.get(f"{rest}/v1/matches")
    assert (403, "platform_only") == (answer.status_code, answer.json()["code"])


def encoded(code: str) -> str:
    """Write a code as it stands in the detail of a Connect error, whose first field it is."""
    return b64encode(bytes([10, len(code)]) + code.encode())[:12].decode()


def test_wrong_key_is_not_echoed(address: str) -> None:
    """What is answered to a wrong key does not hold it."""
    with grpc.insecure_channel(address) as channel:
        ask: Any = channel.unary_unary("/chitarrella.v1.CatalogueService/ListGames")
        with pytest.raises(grpc.RpcError) as failed:
            ask(b"", metadata=(("x-api-key", "guessed"),))
        assert "guessed" not in str(failed.value)
