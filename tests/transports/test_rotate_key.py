"""RotateKey over every transport, and at two workers: a closed key opens nothing, whatever a worker has cached."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from tests.transports.all_transports import RPCS, Failed, Transport
from tests.transports.conftest import WiredService, wire_service

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
    with pytest.raises(errors.ChitarrellaError) as failed:
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
                except errors.NotAuthenticated:
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
