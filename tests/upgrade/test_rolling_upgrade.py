"""Two releases on one store, as while a service is upgraded: this one, and the one before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeVar

import grpc
import pytest

from chitarrella.v1 import matches_pb2 as pb
from tests.server.process import Player, reason
from tests.servers import until
from tests.transports.rest_client import Event, Rest
from tests.transports.rest_client import events as read_events
from tests.upgrade.releases import FROM_EITHER, NEW, OLD, Releases, close, history, play_alternately

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
"""The previous release is built first."""


T = TypeVar("T")


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Releases]:
    """Both releases on one store."""
    made = Releases(tmp_path_factory.mktemp("u"))
    yield made
    made.close()


def both(releases: Releases, first: int, **rule_set: Any) -> tuple[Player, Player]:
    """A client of each release at one match, which begins at the ``first``; that of the old release first."""
    addresses = [service.grpc for service in releases.services]
    created = Player(addresses[first], **rule_set)
    joined = Player(addresses[1 - first], created.created)
    return (created, joined) if first == OLD else (joined, created)


def next_move(player: Player, request_id: str = "") -> pb.PlayMoveRequest:
    """The first legal move of the seat on turn."""
    may = player.stub.ListMatchMoves(
        pb.ListMatchMovesRequest(match_id=player.match_id), metadata=player.key(), timeout=10
    )
    return pb.PlayMoveRequest(
        match_id=player.match_id,
        seat=may.seat,
        move=may.moves[0],
        expected_revision=may.revision,
        request_id=request_id,
    )


@FROM_EITHER
def test_match_is_played_alternately(releases: Releases, first: int) -> None:
    """A match that begins at either release is played move by move by both, and both show and record the same."""
    players = both(releases, first)
    watches = [player.watch() for player in players]
    play_alternately(players, 38)
    records = {player.record() for player in players}
    assert 1 == len(records)
    seen = [[next(watch).cursor for _ in range(30)] for watch in watches]
    assert seen[0] == seen[1]
    for watch in watches:
        watch.cancel()
    close(*players)
    assert not any("lost moves" in service.log() for service in releases.services)


@FROM_EITHER
def test_request_is_repeated_at_the_other(releases: Releases, first: int) -> None:
    """A request that one release has carried out is answered by the other as the same one."""
    players = both(releases, NEW)
    for number in range(6):
        move = next_move(players[first], f"request {number}")
        answers = [
            players[place].stub.PlayMove(move, metadata=players[place].key(), timeout=10)
            for place in (first, 1 - first)
        ]
        assert answers[0].revision == answers[1].revision
        assert [False, True] == [answer.repeated_request for answer in answers]
        assert list(answers[0].events) == list(answers[1].events)
        assert answers[0].revision == players[0].get_match().revision
    close(*players)


def test_replaced_key_counts_at_both(releases: Releases) -> None:
    """A key that one release replaces is closed at the other too, and the new one is accepted there."""
    old, new = both(releases, OLD)
    rotated = new.stub.RotateKey(pb.RotateKeyRequest(match_id=new.match_id, seat=0), metadata=new.key(), timeout=10)
    for player in (old, new):
        asked = pb.GetMatchRequest(match_id=player.match_id)
        assert player.stub.GetMatch(asked, metadata=player.key(rotated.key), timeout=10).match_id == player.match_id
        with pytest.raises(grpc.RpcError) as wrong:
            player.stub.GetMatch(asked, metadata=player.key(old.created.seat_keys[0].key), timeout=10)
        assert "bad_key" == reason(wrong.value)
    close(old, new)


@pytest.mark.parametrize("bot", ["random", "search"])
def test_bots_go_on(releases: Releases, bot: str) -> None:
    """Bots that both releases have assigned play on, whichever scheduler claims the match."""
    for first in (OLD, NEW):
        players = both(releases, first)
        for seat in (0, 1):
            asked = pb.AssignBotRequest(match_id=players[0].match_id, seat=seat, bot=bot, think_ms=5)
            players[seat].stub.AssignBot(asked, metadata=players[seat].key(), timeout=10)
        watch = players[0].watch()
        next(update for update in watch if update.revision > 30)
        watch.cancel()
        close(*players)


@FROM_EITHER
def test_clock_runs_out_at_the_other(releases: Releases, first: int) -> None:
    """The time of a match whose release is stopped is over at the other, and both record each timeout once."""
    players = both(releases, first, clock=pb.Clock(move_seconds=2))
    other = players[1 - first]
    with releases.paused(first):
        assert 1 == other.get_match().revision, "the time was over before the service was stopped"
        until(lambda: other.get_match().revision > 2, "the other release makes the move that is due")
    until(lambda: other.get_match().revision > 4, "the next move is due, and both releases serve it")
    other.stub.AbortMatch(pb.AbortMatchRequest(match_id=other.match_id), metadata=other.key(), timeout=10)
    moves = history(other)
    assert moves == history(players[first])
    assert list(range(1, len(moves) + 1)) == [move.revision for move in moves]
    timeouts = [[event.kind for event in move.events] == ["time_over"] for move in moves]
    assert [move.revision % 2 == 0 for move in moves] == timeouts
    close(*players)


@FROM_EITHER
def test_watch_goes_on_at_the_other(releases: Releases, first: int) -> None:
    """A watch that is cut at one release goes on at the other from its last cursor: nothing is missed or sent twice."""
    players = both(releases, NEW)
    here, there = players[first], players[1 - first]
    here.play(4)
    key = here.created.seat_keys[0].key
    watch = here.watch(key=key)
    seen = list(islice(watch, 3))
    watch.cancel()
    there.play(3)
    again = there.watch(seen[-1].cursor, key)
    seen += up_to(8, again, lambda move: move.revision)
    here.play(2)
    seen += up_to(10, (move for move in again if move.events), lambda move: move.revision)
    again.cancel()
    assert list(range(1, 11)) == [move.revision for move in seen]
    assert seen == list(islice(here.watch(key=key), 10))
    close(*players)


@FROM_EITHER
def test_event_stream_goes_on_at_the_other(releases: Releases, first: int) -> None:
    """Server-sent events go on at the other release behind the last id that came from the one before."""
    players = both(releases, NEW)
    key = players[0].created.seat_keys[1].key
    here, there = (Rest(releases.services[place].rest, key) for place in (first, 1 - first))
    players[first].play(4)
    seen = streamed(here, players[0].match_id, 3)
    players[1 - first].play(5)
    seen += streamed(there, players[0].match_id, 10, **{"Last-Event-ID": seen[-1].id})
    assert list(range(1, 11)) == [event.data["revision"] for event in seen]
    assert seen == streamed(here, players[0].match_id, 10)
    close(*players)


def streamed(rest: Rest, match: str, last: int, **headers: str) -> list[Event]:
    """The moves of a new stream of server-sent events, up to a revision."""
    with rest.stream(f"/v1/matches/{match}:watch", **headers) as response:
        moves = (event for event in read_events(response) if event.name == "move")
        return up_to(last, moves, lambda event: event.data["revision"])


def up_to(last: int, moves: Iterator[T], revision: Callable[[T], int]) -> list[T]:
    """Read a stream until a revision has come, with whatever came before."""
    seen = [next(moves)]
    while revision(seen[-1]) < last:
        seen.append(next(moves))
    return seen


def test_unknown_state_is_changed_by_neither(releases: Releases) -> None:
    """A match with something that only a later release knows is refused by this release, and neither changes it."""
    old, new = both(releases, OLD)
    move = next_move(new)
    row = releases.row(new.match_id)
    digest = releases.client.hget(row, "digest")
    releases.client.hset(
        row, mapping={"control": '{"of_a_later_release":1}', "digest": "0" * 16, "earlier": f" {digest}", "length": 9}
    )
    before = releases.store.matches.load(new.match_id)
    codes = []
    for player in (old, new):
        asked = pb.GetMatchRequest(match_id=player.match_id)
        for call, request in ((player.stub.GetMatch, asked), (player.stub.PlayMove, move)):
            with pytest.raises(grpc.RpcError) as wrong:
                call(request, metadata=player.key(), timeout=10)
            codes.append(reason(wrong.value))
    assert ["edition_not_supported"] * 4 == codes
    assert before == releases.store.matches.load(new.match_id)
    close(old, new)
