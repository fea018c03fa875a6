"""Two releases on one store, as while a service is upgraded: this one, and the one before it.

Both have the same API keys, webhooks and archive, as a platform has them.
"""

import secrets
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest
from standardwebhooks import Webhook as Verifier

from chitarrella.api.api_keys import digest_of
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1 import match_pb2, match_play_pb2, match_requests_pb2, webhooks_pb2
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from chitarrella.v1.webhooks_pb2_grpc import WebhookServiceStub
from tests.server.process import Player, Service, reason
from tests.servers import locked, until
from tests.transports.rest_client import Rest
from tests.transports.rest_client import events as read_events
from tests.webhooks.receiver import Endpoint

ROOT = Path(__file__).parents[2]
COMMIT = "3f481809240e51efdfdd0b5228e081967ab75afa"  # of the release before
FOLDER = ROOT / "build" / "upgrade"  # where releases are built; what is there is not built again


def previous_python() -> Path:
    """The Python of an environment in which the previous release is installed; skips the test without its commit."""
    home = FOLDER / COMMIT
    python = home / "venv" / "bin" / "python"
    with locked("upgrade"):
        if not (home / "installed").exists():
            _extract(home / "source")
            _install(home)
            (home / "installed").touch()
    return python


def _extract(source: Path) -> None:
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", COMMIT], capture_output=True, check=False)
    if archive.returncode:
        pytest.skip("release before: the commit is not in this clone, which may be a shallow one")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)  # not before 3.11.4
        files.extractall(source)


def _install(home: Path) -> None:
    """Build the wheel of the commit, and install it with what its lock file names."""
    source, venv = home / "source", home / "venv"
    pip = (sys.executable, "-m", "pip", "--python", str(venv), "install", "--quiet")
    for command in (
        (sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)),
        (*pip, "--require-hashes", "-r", str(source / "deploy" / "requirements.lock")),
    ):
        subprocess.run(command, check=True, capture_output=True)
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(home))
    for project in filter(Path.is_dir, (source, source / "cards")):
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    subprocess.run((*pip, "--no-deps", *map(str, home.glob("*.whl"))), check=True, capture_output=True)


OLD, NEW = 0, 1  # the places of the release before this one, and of this one
FROM_EITHER = pytest.mark.parametrize("first", [OLD, NEW], ids=["old", "new"])
"""Runs a test for what the one release begins and the other goes on with, and the other way round."""


class Releases:
    """A store with a service of each release on it."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self._folder = folder
        self._pythons = previous_python(), Path(sys.executable)
        self.embedded = EmbeddedValkey(folder / "store")
        self._flags = ("--redis-url", self.embedded.url, *flags)
        self.services = [self._start(OLD), self._start(NEW)]
        self.store = RedisStore(connect(self.embedded.url))

    def _start(self, place: int) -> Service:
        return Service(self._folder / str(place), *self._flags, python=self._pythons[place])

    @property
    def client(self) -> Any:
        return self.store.connection.client

    def row(self, match: str) -> str:
        return self.store.connection.key(f"{{{match}}}")

    @contextmanager
    def stopped(self, place: int) -> Iterator[None]:
        """End a service by SIGTERM, and start it again after the block, on other ports."""
        self.services[place].stop()
        try:
            yield
        finally:
            self.services[place] = self._start(place)

    @contextmanager
    def paused(self, place: int) -> Iterator[None]:
        """Stop the process of a service at once by SIGSTOP, and continue it after the block."""
        process = self.services[place].process
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self.store.close()
        for service in self.services:
            service.clear_away()
        self.embedded.stop()


pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # the previous release is built first

API_KEY = secrets.token_urlsafe()
METADATA = (("x-api-key", API_KEY),)  # what a call of the platform carries
SENT = webhooks_pb2.DELIVERY_STATE_SENT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("u")


@pytest.fixture(scope="module")
def releases(folder: Path) -> Iterator[Releases]:
    (folder / "api-keys").write_text(f"acme all {digest_of(API_KEY)}")
    made = Releases(
        folder,
        *("--api-keys-file", str(folder / "api-keys")),
        *("--archive", f"file://{folder}/archive", "--archived-expires", "1", "--webhooks-allow-private"),
    )
    yield made
    made.close()


class PlatformPlayer(Player):
    def key(self, key: str = "") -> tuple[tuple[str, str], ...]:
        """The metadata that hold a key of the match, by default the referee's, and that of the platform."""
        return (*super().key(key), *METADATA)


def both(releases: Releases, first: int, **how: Any) -> tuple[Player, Player]:
    """A client of each release at one match, which begins at the ``first``; that of the old release first."""
    agreed = RuleSet(game_id="briscola", players=2, options={"rubber_games": "1"})
    with grpc.insecure_channel(releases.services[first].grpc) as channel:
        stub: Any = MatchServiceStub(channel)
        created = stub.CreateMatch(
            match_requests_pb2.CreateMatchRequest(rule_set=agreed, **how), metadata=METADATA, timeout=10
        )
    old, new = (PlatformPlayer(service.grpc, created) for service in releases.services)
    return old, new


def close(*players: Player) -> None:
    for player in players:
        player.close()


def history(player: Player) -> list[match_pb2.MatchUpdate]:
    asked = match_play_pb2.ListEventsRequest(match_id=player.match_id)
    return list(player.stub.ListEvents(asked, metadata=player.key(), timeout=10).updates)


def next_move(player: Player, request_id: str = "") -> match_play_pb2.PlayMoveRequest:
    asked = match_play_pb2.ListMatchMovesRequest(match_id=player.match_id)
    may = player.stub.ListMatchMoves(asked, metadata=player.key(), timeout=10)
    return match_play_pb2.PlayMoveRequest(
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
    for number in range(38):
        revision = players[number % 2].play()
        assert [revision] * 2 == [player.get_match().revision for player in players]
    assert 1 == len({player.record() for player in players})
    seen = [[next(watch).cursor for _ in range(30)] for watch in watches]
    assert seen[0] == seen[1]
    assert history(players[0]) == history(players[1])
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
    rotated = new.stub.RotateKey(
        match_requests_pb2.RotateKeyRequest(match_id=new.match_id, seat=0), metadata=new.key(), timeout=10
    )
    for player in (old, new):
        asked = match_requests_pb2.GetMatchRequest(match_id=player.match_id)
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
            asked = match_play_pb2.AssignBotRequest(
                match_id=players[0].match_id, seat=seat, bot=bot, think_time=timedelta(milliseconds=5)
            )
            players[seat].stub.AssignBot(asked, metadata=players[seat].key(), timeout=10)
        watch = players[0].watch()
        next(update for update in watch if update.revision > 30)
        watch.cancel()
        close(*players)


@FROM_EITHER
def test_clock_runs_out_at_the_other(releases: Releases, first: int) -> None:
    """The time of a match whose release is stopped is over at the other, and both record each timeout once."""
    players = both(releases, first, clock=match_pb2.Clock(move_time=timedelta(seconds=2)))
    other = players[1 - first]
    with releases.paused(first):
        assert 1 == other.get_match().revision, "the time was over before the service was stopped"
        until(lambda: other.get_match().revision > 2, "the other release makes the move that is due")
    until(lambda: other.get_match().revision > 4, "the next move is due, and both releases serve it")
    other.stub.AbortMatch(
        match_requests_pb2.AbortMatchRequest(match_id=other.match_id), metadata=other.key(), timeout=10
    )
    former, moves = history(players[OLD]), history(players[NEW])
    for event in (event for move in former for event in move.events if event.kind == "time_over"):
        event.kind = "timed_out"  # as it is called since
    assert moves == former
    assert list(range(1, len(moves) + 1)) == [move.revision for move in moves]
    timeouts = [[event.kind for event in move.events] == ["timed_out"] for move in moves]
    assert [move.revision % 2 == 0 for move in moves] == timeouts
    close(*players)


@FROM_EITHER
def test_watch_goes_on_at_the_other(releases: Releases, first: int) -> None:
    """A watch or event stream that is cut at one release goes on at the other: nothing is missed or sent twice."""
    players = both(releases, NEW)
    here, there = players[first], players[1 - first]
    here.play(4)
    key = here.created.seat_keys[0].key
    watch = here.watch(key=key)
    seen = list(islice(watch, 3))
    watch.cancel()
    there.play(3)
    again = there.watch(seen[-1].cursor, key)
    seen += islice(again, 5)
    here.play(2)
    seen += islice((move for move in again if move.events), 2)
    again.cancel()
    assert list(range(1, 11)) == [move.revision for move in seen]
    assert seen == list(islice(here.watch(key=key), 10))
    stream = Rest(releases.services[1 - first].rest, key).stream(
        f"/v1/matches/{here.match_id}:watch", **{"Last-Event-ID": seen[2].cursor, "X-API-Key": API_KEY}
    )
    with stream as response:
        moves = (event for event in read_events(response) if event.name == "move")
        assert [move.cursor for move in seen[3:]] == [event.id for event in islice(moves, 7)]
    close(*players)


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
        asked = match_requests_pb2.GetMatchRequest(match_id=player.match_id)
        for call, request in ((player.stub.GetMatch, asked), (player.stub.PlayMove, move)):
            with pytest.raises(grpc.RpcError) as wrong:
                call(request, metadata=player.key(), timeout=10)
            codes.append(reason(wrong.value))
    assert ["edition_not_supported"] * 4 == codes
    assert before == releases.store.matches.load(new.match_id)
    close(old, new)


# ---------------------------------------------------------------------- a platform


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.close()


def ask(releases: Releases, place: int, rpc: str, request: Any) -> Any:
    with grpc.insecure_channel(releases.services[place].grpc) as channel:
        return getattr(WebhookServiceStub(channel), rpc)(request, metadata=METADATA, timeout=10)


def deliveries(releases: Releases, place: int, webhook_id: str) -> dict[str, int]:
    """The state of each delivery of a webhook, by the id of its message, as one release lists them."""
    asked = webhooks_pb2.ListDeliveriesRequest(webhook_id=webhook_id)
    return {one.message_id: one.state for one in ask(releases, place, "ListDeliveries", asked).deliveries}


@FROM_EITHER
def test_delivery_of_a_stopped_release_is_sent_by_the_other(releases: Releases, first: int, endpoint: Endpoint) -> None:
    """What waits for a webhook when a release is stopped is sent by the other: in order, once, rightly signed."""
    endpoint.answers += [503] * 1000
    made = ask(releases, first, "CreateWebhook", webhooks_pb2.CreateWebhookRequest(url=endpoint.url))
    webhook_id = made.webhook.webhook_id
    players = both(releases, first)
    players[first].play(2)
    names = [f"{players[0].match_id}.{what}" for what in ("match.created", 1, 2, 3)]
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
    players = both(releases, first)
    here, there = players[first], players[1 - first]
    asked = match_play_pb2.ListMatchMovesRequest(match_id=here.match_id)
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
