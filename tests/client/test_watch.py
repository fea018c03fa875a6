"""Watching: through cuts of the way and restarts of the service, each thing once and nothing lost."""

import threading
import time
from pathlib import Path
from random import Random

import pytest

from chitarrella_client import Chitarrella, Match, MatchUpdate, Unavailable, Watch
from tests.client.conftest import Opens, play_out, serve, step
from tests.client.proxy import Proxy
from tests.servers import until


class Watcher:
    def __init__(self, watch: Watch) -> None:
        self.updates: list[MatchUpdate] = []
        self.error: BaseException | None = None
        self.watch = watch
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        try:
            for update in self.watch:
                self.updates.append(update)
        except BaseException as error:  # shown to the test, in whose thread it belongs
            self.error = error

    def finish(self) -> list[MatchUpdate]:
        self._thread.join(30)
        assert not self._thread.is_alive()
        if self.error is not None:
            raise self.error
        return self.updates


def everything(match: Match, watcher: Watcher) -> bool:
    """Whether a watcher has received every event so far."""
    return watcher.watch.cursor == match.get().cursor


def test_watch_survives_broken_connections(client: Chitarrella, opens_through: Opens, proxy: Proxy) -> None:
    """One who watches a match while the way is cut again and again is told all of it, once and in order."""
    match = client.create_match("briscola", options={"rubber_games": 1})
    seat = opens_through().match(match.id, match.keys[0])
    watcher = Watcher(seat.watch())
    rng, made = Random(3), 0
    while step(match, rng) is not None:
        made += 1
        if made % 12 == 0:
            proxy.drop_connections()
        if made % 15 == 0:
            until(lambda: everything(seat, watcher), "the watcher has heard it all")
    assert list(match.as_seat(0).events()) == watcher.finish()
    assert 3 <= proxy.calls


def test_watch_resumes_after_the_end(client: Chitarrella, opens_through: Opens, proxy: Proxy) -> None:
    """One who is cut off while the match comes to its end is told the end when he is back."""
    match = client.create_match("coech", players=2)
    watcher = Watcher(opens_through().match(match.id).watch())
    until(lambda: everything(client.match(match.id), watcher), "the watcher has heard the beginning")
    proxy.refuse()
    play_out(match, Random(4))
    proxy.accept()
    assert list(client.match(match.id).events()) == watcher.finish()


def test_watch_survives_a_service_restart(opens: Opens, tmp_path: Path) -> None:
    """When the service is stopped and started anew, those who watch go on where they were."""
    service = serve(tmp_path)
    client = opens(service.grpc)
    match = client.create_match("briscola", options={"rubber_games": 1})
    watcher = Watcher(match.watch())
    for _ in range(5):
        step(match, Random(5))
    until(lambda: everything(match, watcher), "the watcher has heard it all")
    service.stop()
    service = serve(tmp_path, "--grpc", service.grpc)
    play_out(match, Random(6))
    assert list(match.events()) == watcher.finish()
    service.stop()


def test_watch_gives_up_after_its_patience(client: Chitarrella, opens_through: Opens, proxy: Proxy) -> None:
    """One who is cut off for longer than he has patience is told why."""
    match = client.create_match("briscola")
    watcher = Watcher(opens_through().match(match.id).watch(give_up=0.5))
    until(lambda: everything(client.match(match.id), watcher), "the watcher has heard the beginning")
    began = time.monotonic()
    proxy.refuse()
    with pytest.raises(Unavailable):
        watcher.finish()
    assert time.monotonic() - began < 5


def test_watch_resumes_at_a_cursor(client: Chitarrella) -> None:
    """A new watch goes on where another has stopped, and heartbeats between are no news."""
    match = client.create_match("briscola", options={"rubber_games": 1})
    with match.watch() as first:
        received = [next(first), next(first)] if len(list(match.events())) > 1 else [next(first)]
    assert [] == list(first)
    watcher = Watcher(match.watch(first.cursor))
    time.sleep(0.5)
    play_out(match, Random(7))
    assert list(match.events()) == received + watcher.finish()
    assert list(match.events(first.cursor)) == watcher.updates


@pytest.mark.parametrize("ended", ["watch", "client"])
def test_watch_ends_that_is_closed_elsewhere(opens: Opens, client: Chitarrella, ended: str) -> None:
    """A watch that another thread closes ends at once, and so does every watch of a client that hangs up."""
    other = opens()
    match = other.create_match("briscola")
    watcher = Watcher(match.watch())
    until(lambda: everything(match, watcher), "the watcher has heard the beginning")
    (watcher.watch if ended == "watch" else other).close()
    assert list(client.match(match.id, match.key).events()) == watcher.finish()
