"""The service process: its output, its start, and that no accepted move is lost however it ends."""

import json
import os
import re
import shlex
import signal
import socket
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from chitarrella.api.api_keys import make_token_key
from chitarrella_client import Chitarrella
from tests.cli.run_command import invoke
from tests.server.process import Player, StartService, failed, fetched, metric, reason, start_game
from tests.servers import Server, until
from tests.transports.rest_client import Rest

HEALTH = health_pb2.HealthCheckResponse


# ---------------------------------------------------------------------- beginning


def test_start_prints_addresses_and_a_working_example(start_service: StartService) -> None:
    """It prints its addresses, its data folder and a line to try; and that line works."""
    service = start_service()
    said = service.output()
    assert f"gRPC   {service.grpc}\nREST   {service.rest}\ndocs   {service.rest}/docs\n" in said
    start_game(service.grpc)
    words = shlex.split(said.partition("try ")[2].partition("\n\n")[0].replace("\\\n", " "))
    sent = ["-H", "content-type: application/json", "-d"]
    assert ["curl", "-s", f"{service.rest}/v1/rules:resolveTrick", *sent] == words[:6]
    answer = json.loads(fetched(words[2], words[6].encode(), content_type="application/json"))
    assert "2d" == answer["winningCard"]
    assert "its own, in" in said
    asked = ("health", "--grpc", service.grpc, "--timeout", "10")
    assert 0 == invoke(*asked).exit_code
    assert service.stop() < 5
    assert 1 == invoke(*asked).exit_code


PRIVATE_KEY, TOKEN_KEY = make_token_key("arcade")
WEBHOOK = f"arcade http://127.0.0.1:1/ whsec_{'A' * 32}\n"
PORT = "127.0.0.1:50999"
NOT_STARTED = [
    (1, "--redis-url nonsense", "", "the service ends: .*scheme"),
    (1, "--redis-url redis+cluster://127.0.0.1:1", "", "the service ends: .*127.0.0.1:1"),
    (1, "--redis-url redis+cluster://127.0.0.1:1 --workers 2", "", "the service ends: .*127.0.0.1:1"),
    (1, "--webhooks-file FILE", WEBHOOK, "Error: the webhooks name arcade, a platform without an API key$"),
    (1, "--token-keys-file FILE", TOKEN_KEY, "Error: the token keys name arcade, a platform without an API key$"),
    (1, "--token-keys-file FILE", PRIVATE_KEY, "Error: line 1 of the token keys is not PLATFORM KID PUBLIC_KEY$"),
    (1, "--expires 7200 --max-expires 3600", "", ".*--max-expires"),
    (1, "--game-packages nosuch", "", ".*nosuch"),
    (1, "--grpc 192.0.2.1:0", "", ".*cannot listen at 192.0.2.1:0"),
    (1, "--grpc TAKEN", "", "the service ends: .*cannot listen at 127.0.0.1:"),
    (1, "--rest TAKEN", "", "the service ends: .*cannot listen at 127.0.0.1:"),
    (1, "--http3", "", ".*--http3 needs --edge"),
    (1, "--edge --http3", "", ".*TLS needs both a certificate and its key"),
    (1, f"--grpc {PORT} --rest {PORT}", "", ".*is named for two ports"),
    (1, f"--edge --rest {PORT} --admin {PORT}", "", ".*is named for two ports"),
    (2, "--public-url https://cards.example/rules", "", "Error: Invalid value for '--public-url'"),
    (2, "--cors-allowed-origins https://cards.example,x", "", "Error: Invalid value for '--cors-allowed-origins'"),
    (2, "--cors-allowed-headers X-One;X-Two", "", "Error: Invalid value for '--cors-allowed-headers'"),
    (2, "--heartbeat nan", "", "Error: Invalid value for '--heartbeat'"),
    (2, f"--expires {'9' * 30}", "", "Error: Invalid value for '--expires'"),
]
"""Settings that cannot be used: the exit status, the flags, the content of FILE, and what the last line says.

At the port TAKEN somebody else listens.
"""


@pytest.mark.parametrize(
    ("status", "flags", "content", "said"),
    NOT_STARTED,
    ids=[f"{row[1]} {place}" for place, row in enumerate(NOT_STARTED)],
)
def test_settings_that_cannot_be_used_stop_the_start(
    start_service: StartService, tmp_path: Path, status: int, flags: str, content: str, said: str
) -> None:
    """The service does not start, says why in one line, and shows no value of REST and no key."""
    file = tmp_path / "file"
    file.write_text(content)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        flags = flags.replace("FILE", str(file)).replace("TAKEN", f"127.0.0.1:{taken.getsockname()[1]}")
        service = start_service(*flags.split())
        assert re.match(said, failed(service, status))
    assert not re.search(r"cards\.example|X-One", service.log())


# ---------------------------------------------------------------------- ending


def test_killed_service_loses_no_accepted_move(start_service: StartService) -> None:
    """A killed service loses no accepted move: started again, the match goes on with its keys."""
    service = start_service()
    created, revision, record = None, 1, ""
    for _ in range(2):
        player = Player(service.grpc, created)
        created = player.created
        assert revision == player.get_match().revision
        assert record == "" or record == player.record()
        revision, record = player.play(5), player.record()
        service.kill()
        before, service = service, start_service()
        before.all_gone()
    player = Player(service.grpc, created)
    assert (11, 11) == (revision, player.get_match().revision)
    player.play(25)
    assert service.stop() < 5


def test_stop_ends_streams_before_the_service(start_service: StartService) -> None:
    """On a stop it ends every stream as unavailable, reports not serving, and exits soon."""
    service = start_service()
    player = Player(service.grpc)
    watches = [player.watch(key=key) for key in ("", *(one.key for one in player.created.seat_keys))]
    for watch in watches:
        assert 1 == next(watch).revision
    events = urllib.request.urlopen(f"{service.rest}/v1/matches/{player.match_id}:watch", timeout=10)
    health: Any = health_pb2_grpc.HealthStub(player.channel)
    states = health.Watch(health_pb2.HealthCheckRequest())
    assert HEALTH.SERVING == next(states).status
    with ThreadPoolExecutor(1) as threads:
        stopping = threads.submit(service.stop)
        for watch in watches:
            with pytest.raises(grpc.RpcError) as ended:
                next(watch)
            assert (grpc.StatusCode.UNAVAILABLE, "shutting_down") == (ended.value.code(), reason(ended.value))
        assert HEALTH.NOT_SERVING == next(states).status
        assert "shutting_down" in events.read().decode()
        assert stopping.result() < 5
    events.close()


def test_stop_finishes_moves_in_progress(start_service: StartService) -> None:
    """A stop in the middle of play loses no accepted move, and accepts none that is lost."""
    service = start_service()
    player = Player(service.grpc)
    accepted = [1]

    def play() -> None:
        while True:
            try:
                accepted.append(player.play())
            except (grpc.RpcError, IndexError):
                return

    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play)
        until(lambda: len(accepted) > 1, "a move was accepted")
        assert service.stop(signal.SIGINT) < 5
        playing.result()
    again = start_service()
    other = Player(again.grpc, player.created)
    assert other.get_match().revision - accepted[-1] in (0, 1)  # the answer to the last one may have been cut off
    again.stop()


def test_stop_ends_despite_a_hanging_store(start_service: StartService, server: Server) -> None:
    """A stop while the store hangs and clients watch takes seconds all the same."""
    service = start_service("--redis-url", server.url)
    player = Player(service.grpc)
    watch = player.watch()
    next(watch)
    server.pause()
    assert service.stop() < 9
    server.resume()


@pytest.mark.parametrize("count", ["1", "2"])
def test_service_ends_with_its_embedded_store(start_service: StartService, count: str) -> None:
    """A service whose embedded Valkey has ended ends too, with a message."""
    service = start_service("--workers", count)
    os.kill(next(number for number, command in service.family().items() if "valkey-server" in command), signal.SIGKILL)
    assert "the embedded Valkey has ended" in failed(service)


# ---------------------------------------------------------------------- search settings


FLOOD, ATTACKER, HONEST = 100, "198.51.100.7", "198.51.100.8"


def search_match(think_time: str = "0.02s") -> dict[str, Any]:
    seats = [{"seat": seat, "bot": "search", "thinkTime": think_time} for seat in range(2)]
    return {"ruleSet": {"gameId": "briscola", "options": {"rubber_games": "1"}}, "bots": seats}


def test_service_shares_searches_by_address(start_service: StartService, server: Server) -> None:
    """Behind a proxy a flood from one address delays no other; metrics say what waits, and nothing has an address."""
    service = start_service("--redis-url", server.url, "--trusted-proxies", "1", "--anonymous-expires", "120")
    rest = Rest(service.rest)
    flood = {"requests": [search_match()] * FLOOD}
    for _ in range(2):
        rest.post("/v1/matches:batchCreate", flood, headers={"X-Forwarded-For": ATTACKER})
    until(lambda: metric(service, "bot_searches_waiting") > FLOOD, "searches wait")
    until(lambda: metric(service, "bot_searches_oldest_seconds") > 0, "the oldest has waited")
    honest = rest.post("/v1/matches", search_match(), headers={"X-Forwarded-For": HONEST}).json()["match"]
    path = f"/v1/matches/{honest['matchId']}"
    until(lambda: rest.get(path).json()["revision"] >= honest["revision"] + 10, "its bots have moved ten times")
    assert metric(service, "bot_searches_waiting") > FLOOD
    assert metric(service, 'bot_moves_total{bot="search",played="search"}') >= 10
    assert metric(service, 'bot_seconds_total{bot="search"}') > 0
    assert 0 < int(server.ask("TTL", f"chitarrella:{{{honest['matchId']}}}")) <= 120
    texts = (service.log(), fetched(f"{service.rest}/metrics"), json.dumps(rest.get(path).json()))
    assert not [address for address in (ATTACKER, HONEST) for text in texts if address in text]


def test_service_without_a_budget_does_not_search(start_service: StartService) -> None:
    """With a budget of zero the bots play greedily, and the metrics say so."""
    service = start_service("--search-budget", "0")
    Rest(service.rest).post("/v1/matches", search_match("2s"))
    played = 'bot_moves_total{bot="search",played="greedy"}'
    until(lambda: metric(service, played) >= 40, "the match is over")
    assert 0 == metric(service, 'bot_moves_total{bot="search",played="search"}')
    assert 0 == metric(service, "bot_searches_waiting")


# ---------------------------------------------------------------------- sandbox


BOTS = {0: "random", 1: "greedy"}


def played_alike(client: Chitarrella) -> tuple[list[str], list[str]]:
    """Play a match of one seed by the first legal moves, and let bots play one: the packs dealt, and the record."""
    match = client.create_match("madrasso", options={"min_deals": 2, "target": 1}, sandbox="everywhere")
    while moves := match.legal_moves():
        match.as_seat(moves.seat).play(moves[0])
    assert all(client.rules.verify_shuffle("madrasso", shuffle).fair for shuffle in match.shuffles())
    packs = [line for line in untimed(match.record()) if line.startswith("table ")]
    against = client.create_match("briscola", options={"rubber_games": 1}, bots=BOTS, sandbox="everywhere")
    assert list(against.watch())
    return packs, untimed(against.record().partition("\nshuffle ")[0])


def untimed(record: str) -> list[str]:
    """The lines of a record without comments, which have times."""
    return [line.partition("|")[0].rstrip() for line in record.splitlines()]


def test_test_goes_on_and_comes_again_after_a_restart(start_service: StartService) -> None:
    """The time of a test goes on where it stood, and another process deals and plays one seed alike."""
    service = start_service("--sandbox")
    with Chitarrella(service.grpc) as client:
        played = played_alike(client)
        match = client.create_match("briscola", clock=(30, 60), sandbox="restart")
        (match_id, key), began = (match.id, match.key), match.get().deadline
        assert began is not None
        first = match.advance_clock(80, request_id="first")
        assert (False, began - timedelta(seconds=10)) == (first.timed_out, first.time)
    service.stop()
    service = start_service("--sandbox")
    with Chitarrella(service.grpc) as client:
        match = client.match(match_id, key)
        assert first == match.advance_clock(80, request_id="first")
        late = match.advance_clock(11)
        assert (True, began + timedelta(seconds=1)) == (late.timed_out, late.time)
        assert match.get().sandbox
        assert played == played_alike(client)
        assert len(played[0]) > 1
