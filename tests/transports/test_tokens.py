"""Tokens of platforms over every transport: they give what a key gives, at matches of the platform, for a time."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import jwt
import pytest

from chitarrella import errors, v1
from chitarrella.api.api_keys import ApiKeys, TokenVerifier, digest_of, make_token_key, parse_api_keys, parse_token_keys
from chitarrella.api.caller import Caller
from chitarrella.api.hosting import MatchHost
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.model import CreatedMatch, CreateMatch
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchService
from tests.servers import until
from tests.transports.all_transports import RPCS, SECONDS, Failed, InTurn, Transport, callers, grpc_opened, served
from tests.transports.conftest import WiredService, opened
from tests.transports.raw_transports import STREAMS, Asked, Line, written

BRISCOLA = RuleSet("briscola")
ARCADE, CLUB = make_token_key("arcade"), make_token_key("club")


@pytest.fixture(scope="module")
def matches(wired: WiredService) -> MatchService:
    return MatchService(Catalogue(), wired.store)


@pytest.fixture(scope="module")
def trusting(wired: WiredService, matches: MatchService) -> WiredService:
    tokens = TokenVerifier(parse_token_keys(f"{ARCADE[1]};{CLUB[1]}"))
    host = MatchHost(matches)
    return wired._replace(hub=host.hub, platform_hub=host.platform_hub, api=host.dispatcher(tokens=tokens))


@pytest.fixture(scope="module")
def address(trusting: WiredService) -> Iterator[str]:
    with opened(trusting) as url:
        yield url


@pytest.fixture(scope="module")
def ask(trusting: WiredService, address: str) -> Iterator[InTurn]:
    with served(trusting, address) as addresses, callers(addresses) as (made,):
        yield made


def created(matches: MatchService, platform: str = "arcade", *, private: bool = False) -> CreatedMatch:
    return matches.create(CreateMatch(BRISCOLA, platform=platform, private=private))


def token(match: str, private_key: str = ARCADE[0], **other: Any) -> str:
    """Sign a token, by default for the next minute."""
    jwk = json.loads(private_key)
    claims = {"iss": "arcade", "aud": "chitarrella", "exp": time.time() + 60, "match_id": match, **other}
    return jwt.encode(claims, jwt.PyJWK(jwk).key, "EdDSA", {"kid": jwk["kid"]})


@pytest.mark.parametrize("private", [False, True])
def test_token_gives_what_a_key_gives(ask: Transport, matches: MatchService, *, private: bool) -> None:
    """By tokens alone a match is played: a seat sees its hand, moves and rotates its key, the referee aborts."""
    made = created(matches, private=private)
    match = made.match
    seats = {seat: token(match, seat=seat) for seat in (0, 1)}
    referee = token(match, role="referee")
    for _ in range(4):
        listed = ask("ListMatchMoves", match_id=match, key=referee)
        assert list(listed.moves) == list(ask("ListMatchMoves", match_id=match, key=seats[listed.seat]).moves)
        play = v1.PlayMoveRequest(match_id=match, move=listed.moves[0])
        assert ask("PlayMove", play, seats[listed.seat]).accepted
    other = created(matches).match
    for one in (*seats.values(), referee):
        own, public = ask("BatchGetMatches", match_ids=[match, other], key=one).results
        assert ask("GetMatch", match_id=match, key=one) == own.match
        assert ask("GetMatch", match_id=other) == public.match
    assert "bad_token" == ask("BatchGetMatches", match_ids=[other], key=referee).code
    assert 1 == ask("GetMatch", match_id=match, key=seats[1]).viewer
    key, again = (ask("RotateKey", match_id=match, request_id="mine", key=seats[1]).key for _ in range(2))
    assert key == again
    replaced = ask("GetMatch", match_id=match, key=dict(made.keys)[1]).code
    assert ("no_such_match" if private else "bad_key") == replaced
    assert [1, 1] == [ask("GetMatch", match_id=match, key=one).viewer for one in (key, seats[1])]
    assert "not_your_seat" == ask("GetMatch", match_id=match, seat=0, key=seats[1]).code
    assert "referee_only" == ask("AbortMatch", match_id=match, key=seats[0]).code
    ask("AbortMatch", match_id=match, key=referee)
    assert 5 == len(ask("WatchMatch", match_id=match, key=seats[1]))
    assert v1.DeleteMatchResponse() == ask("DeleteMatch", match_id=match, key=referee)


def test_invalid_token_has_one_code_and_field(ask: InTurn, matches: MatchService) -> None:
    """A token that is not valid is refused with its code and the claim at fault, over every transport."""
    match, other = created(matches).match, created(matches).match
    for bad, code, field in (
        (token(match, seat=0, exp=time.time() - 1), "token_expired", "exp"),
        (token(match, seat=0, nbf=time.time() + 60), "token_not_yet_valid", "nbf"),
        (token(match, seat=0, aud="elsewhere"), "bad_audience", "aud"),
        (token(match, CLUB[0], seat=0), "bad_token", "iss"),
        (token(other, seat=0), "bad_token", "match_id"),
        (token(match, seat=2), "bad_token", "seat"),
        ("a.b.c", "bad_token", "authorization"),
        ("a.b." + "c" * 3000, "bad_token", "authorization"),
    ):
        assert {Failed(code, field)} == {each("GetMatch", match_id=match, key=bad) for each in ask.each}
    for each in ask.each:
        started = each("StartGame", rule_set={"game_id": "briscola"}, key="a.b.c")
        assert not isinstance(started, Failed), "a question about the rules is answered whatever key comes with it"
    verifier = TokenVerifier(parse_token_keys(ARCADE[1]), "https://cards.example")
    with pytest.raises(errors.NotAuthenticated) as raised:
        verifier.verify(token("m", seat=0, aud="elsewhere"), "m")
    assert ("'https://cards.example'" in raised.value.message, "elsewhere" in raised.value.message) == (True, False)


def test_token_is_valid_at_matches_of_its_platform_only(ask: Transport, matches: MatchService) -> None:
    """At the match of another platform, or of none, it is no token; if that is private, there is no match."""
    for platform in ("", "club"):
        match = created(matches, platform).match
        assert Failed("bad_token", "iss") == ask("GetMatch", match_id=match, key=token(match, seat=0))
        hidden = created(matches, platform, private=True).match
        nobody = ask("GetMatch", match_id="nobody", key=token("nobody", seat=0))
        assert "no_such_match" == nobody.code
        for role in ({"seat": 0}, {"role": "referee"}, {"seat": 19}):
            assert nobody == ask("GetMatch", match_id=hidden, key=token(hidden, **role))
    of_club = created(matches, "club").match
    assert 0 == ask("GetMatch", match_id=of_club, key=token(of_club, CLUB[0], iss="club", seat=0)).viewer


# ---------------------------------------------------------------------- watches


def test_watches_end_with_token_and_key(trusting: WiredService, address: str, matches: MatchService) -> None:
    """Over each transport a watch ends with an error when its token expires, and when its key is replaced."""
    until(lambda: trusting.hub.count() == 0, "the watchers of the other tests have gone")
    made, begun = created(matches), time.monotonic()
    key, expiring = dict(made.keys)[0], token(made.match, seat=1, exp=time.time() + 2)
    with grpc_opened(trusting) as listening, closing(Line(listening, address)) as line:
        shown = (key, "bad_key"), (expiring, "token_expired")
        asked = [(Asked("WatchMatch", v1.WatchMatchRequest(match_id=made.match), one), code) for one, code in shown]
        ends = [(code, line.watch(transport, one)) for one, code in asked for transport in STREAMS]
        until(lambda: trusting.hub.count() == len(ends), "all watch")
        MatchOperations(matches, choose_move).rotate_key(made.match, 0, lambda _: None)
        for code, end in ends:
            answer = end()
            assert code in written(answer)
            assert b"1.0" in answer.body, "it has shown the deal before"
    assert time.monotonic() - begun < SECONDS


# ---------------------------------------------------------------------- API keys


def test_token_stands_for_the_api_key_of_its_platform(wired: WiredService, matches: MatchService) -> None:
    """A player's app needs no API key in calls about its match; other calls, and other callers, do."""
    keys = ApiKeys(parse_api_keys(f"arcade all {digest_of('key-of-arcade')}"))
    tokens = TokenVerifier(parse_token_keys(ARCADE[1]))
    api = MatchHost(matches).dispatcher(api_keys=keys, tokens=tokens)
    match = created(matches).match
    caller = Caller(token_text=token(match, seat=0))

    def code(rpc: str, caller: Caller, **fields: Any) -> str:
        with pytest.raises(errors.NotAuthenticated) as failed:
            api.call(RPCS[rpc].path, RPCS[rpc].request(**fields), caller)
        return failed.value.code

    assert 0 == api.call(RPCS["GetMatch"].path, v1.GetMatchRequest(match_id=match), caller).viewer
    watcher = api.watch(RPCS["WatchMatch"].path, v1.WatchMatchRequest(match_id=match), caller, lambda: None)
    assert 1 == len(watcher.take())
    watcher.close()
    assert "api_key_needed" == code("ListMatches", caller) == code("GetMatch", Caller(), match_id=match)
    assert "bad_api_key" == code("GetMatch", caller._replace(api_key="wrong"), match_id=match)
