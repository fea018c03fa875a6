"""Two releases on one store, as while a service is upgraded: this one, and the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1 import matches_pb2 as pb
from tests.server.process import Player, Service, reason
from tests.upgrade.previous_release import previous_python

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
"""The previous release is built first."""


class Releases:
    """A store with a service of each release on it."""

    def __init__(self, folder: Path) -> None:
        python = previous_python()
        self.embedded = EmbeddedValkey(folder / "store")
        flags = ("--redis-url", self.embedded.url)
        self.services = [Service(folder / "old", *flags, python=python), Service(folder / "new", *flags)]
        self.old, self.new = (service.grpc for service in self.services)
        self.store = RedisStore(connect(self.embedded.url))

    def close(self) -> None:
        """Stop everything."""
        self.store.close()
        for service in self.services:
            service.clear_away()
        self.embedded.stop()


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Releases]:
    """Both releases on one store."""
    made = Releases(tmp_path_factory.mktemp("u"))
    yield made
    made.close()


def both(releases: Releases, begin: str, **rule_set: Any) -> tuple[Player, Player]:
    """A client of each release at one match, which begins at ``begin``; that of the old release first."""
    created = Player(getattr(releases, begin), **rule_set)
    joined = Player(releases.new if begin == "old" else releases.old, created.created)
    return (created, joined) if begin == "old" else (joined, created)


def close(*players: Player) -> None:
    """Close the channels."""
    for player in players:
        player.close()


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


@pytest.mark.parametrize("begin", ["old", "new"])
def test_match_is_played_alternately(releases: Releases, begin: str) -> None:
    """A match that begins at either release is played move by move by both, and both show and record the same."""
    players = both(releases, begin)
    watches = [player.watch() for player in players]
    for number in range(38):
        revision = players[number % 2].play()
        assert [revision] * 2 == [player.get_match().revision for player in players]
    records = {player.record() for player in players}
    assert 1 == len(records)
    seen = [[next(watch).cursor for _ in range(30)] for watch in watches]
    assert seen[0] == seen[1]
    for watch in watches:
        watch.cancel()
    close(*players)
    assert not any("lost moves" in service.log() for service in releases.services)


@pytest.mark.parametrize("first", [0, 1], ids=["old", "new"])
def test_request_is_repeated_at_the_other(releases: Releases, first: int) -> None:
    """A request that one release has carried out is answered by the other as the same one."""
    players = both(releases, "new")
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
    old, new = both(releases, "old")
    rotated = new.stub.RotateKey(pb.RotateKeyRequest(match_id=new.match_id, seat=0), metadata=new.key(), timeout=10)
    for player in (old, new):
        asked = pb.GetMatchRequest(match_id=player.match_id)
        assert player.stub.GetMatch(asked, metadata=player.key(rotated.key), timeout=10).match_id == player.match_id
        with pytest.raises(grpc.RpcError) as wrong:
            player.stub.GetMatch(asked, metadata=player.key(old.created.seat_keys[0].key), timeout=10)
        assert "bad_key" == reason(wrong.value)
    close(old, new)


def test_bots_go_on(releases: Releases) -> None:
    """Bots that both releases have assigned play on, whichever scheduler claims the match."""
    for begin in ("old", "new"):
        players = both(releases, begin)
        for seat in (0, 1):
            asked = pb.AssignBotRequest(match_id=players[0].match_id, seat=seat, bot="random")
            players[seat].stub.AssignBot(asked, metadata=players[seat].key(), timeout=10)
        watch = players[0].watch()
        next(update for update in watch if update.revision > 30)
        watch.cancel()
        close(*players)


def test_unknown_state_is_changed_by_neither(releases: Releases) -> None:
    """A match with something that only a later release knows is refused by this release, and neither changes it."""
    old, new = both(releases, "old")
    move = next_move(new)
    row = releases.store.connection.key(f"{{{new.match_id}}}")
    client: Any = releases.store.connection.client
    digest = client.hget(row, "digest")
    client.hset(
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
