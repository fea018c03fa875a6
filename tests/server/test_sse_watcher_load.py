"""Two thousand watchers at one worker over server-sent events: each gets every move."""

from __future__ import annotations

from contextlib import closing

import pytest

from chitarrella.server.process import raise_file_limit
from lab.bench.watching import EventStreamCrowd
from tests.server.process import Player, StartService, watchers
from tests.servers import until

WATCHERS = 2000
MOVES = 3


@pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
def test_two_thousand_event_streams_get_each_move_once(start_service: StartService, accept: str) -> None:
    """Each of two thousand watchers over HTTP gets each move once, and all are let go when they disconnect."""
    raise_file_limit()
    service = start_service("--heartbeat", "3600")
    player = Player(service.grpc)
    try:
        with closing(EventStreamCrowd(service.rest, [player.match_id] * WATCHERS, accept)) as crowd:
            crowd.wait_for(1)
            assert WATCHERS == watchers(service)
            for number in range(MOVES):
                player.play()
                crowd.wait_for(number + 2)
            assert {MOVES + 1} == {len(received) for received in crowd.received}
            assert 1 == len(set(map(tuple, crowd.received)))
        until(lambda: not watchers(service), "all of them have gone")
    finally:
        player.close()
