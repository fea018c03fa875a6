"""Transports with API keys: each asks for the platform's key before it answers an rpc of the contract."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import httpx
import pytest

from chitarrella import errors as errors_rotate_key
from chitarrella.api.api_keys import ApiKeys, digest_of, parse_api_keys
from chitarrella.api.caller import Caller
from chitarrella.api.converters import write_page_token
from chitarrella.api.dispatcher import make_dispatcher
from chitarrella.catalogue.registry import Catalogue
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchService
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella_client import AsyncChitarrella, Chitarrella, errors
from tests.transports.all_transports import RPCS, Failed, Transport, grpc_opened
from tests.transports.conftest import WiredService, opened, wire_service
from tests.transports.platforms import ACME, CLUB, platform_service

KEY, CLUB_API_KEYS, LONG, READER = "the-platform", "the-club", "the-long-list", "a-reader"
LINES = "\n".join(
    f"{name} {scope} {digest_of(key)}"
    for name, scope, key in (
        ("arcade", "all", KEY),
        ("club", "all", CLUB_API_KEYS),
        ("long", "all", LONG),
        ("reader", "catalogue", READER),
    )
)


@pytest.fixture(scope="module")
def closed_api_keys(wired: WiredService) -> WiredService:
    """The same service, for two platforms only."""
    catalogue = Catalogue()
    referee = MatchService(catalogue, wired.store)
    operations, api_keys = MatchOperations(referee, choose_move), ApiKeys(parse_api_keys(LINES))
    api = make_dispatcher(catalogue, referee, operations, wired.hub, wired.platform_hub, api_keys=api_keys)
    return wired._replace(api=api)


@pytest.fixture(scope="module")
def address(closed_api_keys: WiredService) -> Iterator[str]:
    """Where gRPC listens."""
    with grpc_opened(closed_api_keys) as listening:
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


def test_rest_and_connect_need_the_api_key(closed_api_keys: WiredService) -> None:
    """REST and Connect refuse with the same codes; docs, health and metrics are open."""
    body = {"ruleSet": {"gameId": "briscola"}}
    shown: tuple[tuple[dict[str, str], int, str], ...] = (
        ({}, 401, "api_key_needed"),
        ({"X-API-Key": "guessed"}, 401, "bad_api_key"),
        ({"X-API-Key": READER}, 403, "out_of_scope"),
    )
    with opened(closed_api_keys) as rest:
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
    with Chitarrella(address, api_key=CLUB_API_KEYS) as club, Chitarrella(address, api_key=KEY) as client:
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
def test_invalid_page_token_of_a_list_is_refused(closed_api_keys: WiredService, token: str) -> None:
    """What is no page_token is refused, and not taken for the end of the list."""
    with opened(closed_api_keys) as rest:
        asked = httpx.get(f"{rest}/v1/matches", params={"page_token": token}, headers={"x-api-key": KEY})
        assert (400, "bad_request", "page_token") == (asked.status_code, *map(asked.json().get, ("code", "field")))


def test_batch_create_reports_each_failure(closed_api_keys: WiredService) -> None:
    """Many matches are opened in one call; one that cannot be is refused for itself."""
    good = {"ruleSet": {"gameId": "briscola"}}
    body = {
        "requests": [good, {"ruleSet": {"gameId": "bridge"}}, good, {"ruleSet": {"gameId": "briscola"}, "pack": ["Ab"]}]
    }
    with opened(closed_api_keys) as rest:
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


# ---------------------------------------------------------------------- platform client


@pytest.fixture(scope="module")
def closed(valkey: EmbeddedValkey) -> Iterator[WiredService]:
    """A service for two platforms."""
    with platform_service(valkey.url, "client") as wired:
        yield wired


@pytest.fixture(scope="module")
def platforms(closed: WiredService) -> Iterator[str]:
    """Where gRPC of the service for two platforms listens."""
    with grpc_opened(closed) as listening:
        yield listening


def test_match_is_found_by_its_labels(platforms: str) -> None:
    """What a match was created with is returned, and `matches` finds the match by each of it."""
    with Chitarrella(platforms, api_key=ACME) as client:
        match = client.create_match(
            "briscola", external_id="game 7", labels={"cup": "spring"}, player_names={1: "Zoë", 0: "Ada"}
        )
        client.create_match("briscola", labels={"cup": "autumn"})
        state = match.get()
        assert ("game 7", {"cup": "spring"}) == (state.external_id, state.labels)
        assert [(0, "Ada"), (1, "Zoë")] == [(one.seat, one.name) for one in state.player_names]
        for found in (
            client.matches(external_id="game 7"),
            client.matches(labels={"cup": "spring"}),
            client.matches(player_name="Zoë"),
        ):
            (summary,) = found
            assert (match.id, "game 7", {"cup": "spring"}) == (summary.match_id, summary.external_id, summary.labels)
            assert state.player_names == summary.player_names
        assert "Ada" not in repr(state)
        record = client.match(match.id, match.key).record()
        imported = client.import_match(record, external_id="game 8", labels={"cup": "x"}, player_names={0: "Bob"})
        assert ("game 8", "Bob") == (imported.get().external_id, imported.get().player_names[0].name)


def test_many_matches_are_returned_at_once(platforms: str) -> None:
    """Each match is found or has its error; the key counts at its own match."""
    with Chitarrella(platforms, api_key=CLUB) as client:
        first, second = client.create_match("briscola"), client.create_match("briscola")
        own, other, unknown = client.get_matches([first.id, second.id, "nobody"], first.as_seat(1).key)
        assert (first.as_seat(1).get(), client.match(second.id).get()) == (own.match, other.match)
        assert (None, None, None) == (own.error, other.error, unknown.match)
        assert unknown.error is not None
        assert ("no_such_match", "match_id") == (unknown.error.code, unknown.error.field)


def test_all_matches_are_watched(platforms: str, closed: WiredService) -> None:
    """The stream begins with a heartbeat, has every update, and raises when it is cut off."""
    with Chitarrella(platforms, api_key=ACME) as client:
        updates = client.watch_matches()
        assert next(updates) is None
        match = client.create_match("briscola")
        dealt = next(one for one in updates if one)
        assert (match.id, False, False) == (dealt.match_id, dealt.finished, dealt.aborted)
        assert [dealt.update] == list(client.match(match.id).events())
        match.abort()
        aborted = next(one for one in updates if one)
        assert (match.id, None, True) == (aborted.match_id, aborted.update, aborted.aborted)
        (lost,) = closed.platform_hub._platforms
        closed.platform_hub._lose_all()
        assert "acme" == lost
        with pytest.raises(errors.Unavailable):
            list(updates)
    with Chitarrella(platforms, api_key="guessed") as stranger, pytest.raises(errors.NotAuthenticated):
        next(stranger.watch_matches())


def test_all_matches_are_watched_with_asyncio(platforms: str) -> None:
    """The asyncio client watches in the same way."""

    async def watch() -> tuple[str, str]:
        async with AsyncChitarrella(platforms, api_key=ACME) as client:
            updates = client.watch_matches()
            assert await anext(updates) is None
            match = await client.create_match("briscola")
            async for update in updates:
                if update:
                    return match.id, update.match_id
        raise AssertionError

    created, received = asyncio.run(watch())
    assert created == received


# ---------------------------------------------------------------------- rotate key


BRISCOLA = table_pb2.RuleSet(game_id="briscola")
DUMMY = table_pb2.RuleSet(game_id="coech", players=3)
LONG_ID = "0123456789abcdef"


def created(transport: Transport, rule_set: table_pb2.RuleSet = BRISCOLA, **how: Any) -> pb.CreateMatchResponse:
    """Create a match."""
    made = transport("CreateMatch", pb.CreateMatchRequest(rule_set=rule_set, **how))
    assert isinstance(made, pb.CreateMatchResponse)
    return made


def rotate(transport: Transport, match: str, key: str, **how: Any) -> Any:
    """Replace a key."""
    return transport("RotateKey", pb.RotateKeyRequest(match_id=match, **how), key)


def seat_of(transport: Transport, match: str, key: str) -> Any:
    """The seat that a key opens, -1 for the referee's, or the reason why it opens none."""
    answer = transport("GetMatch", pb.GetMatchRequest(match_id=match), key)
    if isinstance(answer, Failed):
        return answer.code
    return answer.seat if answer.HasField("seat") else -1


def test_holder_and_referee_replace_keys(transport: Transport) -> None:
    """A seat replaces its own key, the referee that of a seat and its own; each old key is closed at once."""
    made = created(transport)
    match, referee, first = made.match_id, made.referee_key, made.seat_keys[0].key
    second = rotate(transport, match, first).key
    third = rotate(transport, match, referee, seat=0).key
    answer = rotate(transport, match, referee)
    assert made.revision == answer.revision
    assert ["bad_key"] * 3 == [seat_of(transport, match, key) for key in (first, second, referee)]
    assert [0, 1, -1] == [seat_of(transport, match, key) for key in (third, made.seat_keys[1].key, answer.key)]
    assert "bad_key" == transport("AbortMatch", pb.AbortMatchRequest(match_id=match), referee).code
    assert "bad_key" == transport("DeleteMatch", pb.DeleteMatchRequest(match_id=match), referee).code
    assert "bad_key" == rotate(transport, match, first).code


def test_failures_have_codes(transport: Transport) -> None:
    """The public, other seats, seats that there are not, other requests and aborted matches have their codes."""
    made = created(transport)
    match, key = made.match_id, made.seat_keys[0].key
    assert "key_needed" == rotate(transport, match, "").code
    assert "key_needed" == rotate(transport, match, "", seat=0).code
    assert "not_your_seat" == rotate(transport, match, key, seat=1).code
    unknown = rotate(transport, match, made.referee_key, seat=7)
    assert ("no_such_seat", "seat") == (unknown.code, unknown.field)
    assert "request_id" == rotate(transport, match, key, request_id="x" * 65).field
    assert "no_such_match" == rotate(transport, "nobody", key).code
    new = rotate(transport, match, key, request_id="once").key
    last = rotate(transport, match, new).key
    assert "request_reused" == rotate(transport, match, last, request_id="once").code
    assert 0 == seat_of(transport, match, last)
    transport("AbortMatch", pb.AbortMatchRequest(match_id=match), made.referee_key)
    assert "match_aborted" == rotate(transport, match, last).code


def test_a_dummy_has_no_key(transport: Transport) -> None:
    """The referee cannot give a dummy a key."""
    made = created(transport, DUMMY)
    dummy = min(set(range(4)) - {one.seat for one in made.seat_keys})
    failed = rotate(transport, made.match_id, made.referee_key, seat=dummy)
    assert ("no_such_seat", "seat") == (failed.code, failed.field)


def test_lost_answer_is_repeated_with_the_old_key(transport: Transport) -> None:
    """A call repeated with the same id gets the same key, with the old key as with the new one."""
    made = created(transport)
    for seat, key in ((0, made.seat_keys[0].key), (None, made.referee_key)):
        request_id = f"{LONG_ID} {seat}"
        new = rotate(transport, made.match_id, key, request_id=request_id).key
        assert [new] * 2 == [rotate(transport, made.match_id, one, request_id=request_id).key for one in (key, new)]
        assert "bad_key" == rotate(transport, made.match_id, key, request_id=f"{LONG_ID} guessed").code
        other = 1 if seat == 0 else 0
        assert "bad_key" == rotate(transport, made.match_id, key, seat=other, request_id=request_id).code
    again = transport("CreateMatch", pb.CreateMatchRequest(rule_set=BRISCOLA, request_id=LONG_ID * 2))
    rotate(transport, again.match_id, again.seat_keys[0].key)
    repeated = transport("CreateMatch", pb.CreateMatchRequest(rule_set=BRISCOLA, request_id=LONG_ID * 2))
    assert "bad_key" == seat_of(transport, repeated.match_id, repeated.seat_keys[0].key), "the first keys stay closed"


def test_closed_key_of_a_private_match_is_unknown(transport: Transport) -> None:
    """At a private match a closed key is answered as if there were no match."""
    made = created(transport, private=True)
    old = made.seat_keys[1].key
    new = rotate(transport, made.match_id, old).key
    nobody = rotate(transport, "nobody", old)
    assert nobody == rotate(transport, made.match_id, old)
    assert ("no_such_match", 1) == (seat_of(transport, made.match_id, old), seat_of(transport, made.match_id, new))
    move = pb.PlayMoveRequest(match_id=made.match_id, move=table_pb2.Move(verb="play_card", cards=["Ab"]))
    assert nobody == transport("PlayMove", move, old)


# ---------------------------------------------------------------------- two workers


@pytest.fixture
def workers(valkey: EmbeddedValkey) -> Iterator[tuple[WiredService, WiredService]]:
    """Two workers on one store, each with its own cache."""
    made = wire_service(valkey.url), wire_service(valkey.url)
    yield made
    for one in made:
        one.hub.close()
        one.store.close()


def ask(worker: WiredService, rpc: str, key: str = "", **fields: Any) -> Any:
    """Ask a worker without a transport."""
    return worker.api.call(RPCS[rpc].path, RPCS[rpc].request(**fields), Caller(key))


def code(worker: WiredService, rpc: str, key: str, **fields: Any) -> str:
    """The reason code of a call that fails."""
    with pytest.raises(errors_rotate_key.ChitarrellaError) as failed:
        ask(worker, rpc, key, **fields)
    return failed.value.code


@pytest.mark.parametrize("private", [False, True])
def test_cached_snapshot_lets_no_closed_key_play(workers: tuple[WiredService, WiredService], *, private: bool) -> None:
    """A worker whose cache is older than a rotation accepts no move, legal or not, and no repetition by the old key."""
    here, there = workers
    made = ask(here, "CreateMatch", rule_set=BRISCOLA, private=private)
    match, keys = made.match_id, {one.seat: one.key for one in made.seat_keys}
    listed = ask(there, "ListMatchMoves", made.referee_key, match_id=match)
    old, move, expected = keys[listed.seat], listed.moves[0], "no_such_match" if private else "bad_key"
    assert ask(there, "PlayMove", old, match_id=match, move=move, request_id="played").accepted
    other = ask(there, "ListMatchMoves", made.referee_key, match_id=match)
    new = ask(here, "RotateKey", keys[other.seat], match_id=match).key
    assert expected == code(there, "PlayMove", keys[other.seat], match_id=match, move=other.moves[0])
    new_first = ask(here, "RotateKey", old, match_id=match).key
    for fields in ({"seat": other.seat, "move": move}, {"move": table_pb2.Move(verb="castle")}):
        assert expected == code(there, "PlayMove", old, match_id=match, **fields), "whatever else is wrong"
    ask(there, "PlayMove", new, match_id=match, move=other.moves[0])
    ask(here, "RotateKey", new_first, match_id=match)
    assert expected == code(there, "PlayMove", new_first, match_id=match, move=move, request_id="played")
    assert expected == code(there, "PlayMove", old, match_id=match, move=move), "not legal any more"
    for rpc in ("TakeBack", "AssignBot", "RotateKey", "GetMatch"):
        assert expected == code(there, rpc, old, match_id=match)


def test_new_key_is_accepted_where_the_cache_is_older(workers: tuple[WiredService, WiredService]) -> None:
    """A worker whose cache does not know a new key yet asks the store before it refuses it."""
    here, there = workers
    made = ask(here, "CreateMatch", rule_set=BRISCOLA, private=True)
    match, keys = made.match_id, {one.seat: one.key for one in made.seat_keys}
    for _ in range(4):
        listed = ask(there, "ListMatchMoves", made.referee_key, match_id=match)
        keys[listed.seat] = ask(here, "RotateKey", keys[listed.seat], match_id=match).key
        assert ask(there, "PlayMove", keys[listed.seat], match_id=match, move=listed.moves[0]).accepted


def test_moves_with_a_key_end_with_its_rotation(workers: tuple[WiredService, WiredService]) -> None:
    """While one worker plays with a key, the other replaces it: no move of a call that begins after that is played."""
    here, there = workers
    rubber = table_pb2.RuleSet(game_id="briscola", options={"rubber_games": "5"})
    for _ in range(5):
        made = ask(here, "CreateMatch", rule_set=rubber)
        match, referee = made.match_id, made.referee_key

        def play_until_closed(match: str = match, referee: str = referee) -> int:
            """Play with the referee's key until it is refused; gives the revision then."""
            for _ in range(500):
                try:
                    listed = ask(there, "ListMatchMoves", referee, match_id=match)
                    ask(there, "PlayMove", referee, match_id=match, seat=listed.seat, move=listed.moves[0])
                except errors_rotate_key.NotAuthenticated:
                    return int(ask(there, "GetMatch", match_id=match).revision)
            raise AssertionError("the key was never closed")

        with ThreadPoolExecutor(1) as thread:
            playing = thread.submit(play_until_closed)
            rotated = ask(here, "RotateKey", referee, match_id=match)
            assert playing.result() == ask(here, "GetMatch", match_id=match).revision
        assert rotated.revision == ask(here, "GetMatch", match_id=match).revision
        entries = here.store.matches.read_log(match)
        place = next(number for number, entry in enumerate(entries) if "!rotate_key" in entry)
        assert [] == entries[place + 1 :], "a move was played with a closed key"
