"""What a match of a package has beside its moves: bots, takebacks, watchers, secrecy, pages and agents."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from chitarrella import v1
from chitarrella.bots import SLOW_BOTS
from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import replay
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella_client import Chitarrella
from chitarrella_testing import walks
from chitarrella_testing.expectations import NOTHING_MORE
from tests.agents.scripted_agent import ScriptedAgent, hand_of
from tests.cli.run_command import SERVICE, surroundings
from tests.example_packages import EXAMPLES, GAMES
from tests.game_packages.callers import SHORT, PlayedMatch
from tests.server.process import Service
from tests.servers import spawn, until
from tests.transports.all_transports import Transport
from tests.transports.conftest import valkey
from tests.transports.paired_matches import Pair, compare, find_twins, two_services
from tests.transports.rest_client import Rest

__all__ = ["valkey"]

PLAY_SECONDS = 60  # how long bots may take for a whole match, on a machine that may be busy


@pytest.mark.sampled
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("bot", ["easy", "normal", "strong"])
def test_bots_play_a_match_to_its_end(over: Transport, catalogue: Catalogue, key: str, bot: str) -> None:
    """Bots of every kind hold all seats, and nobody has to ask them to move."""
    players = catalogue.game(key).entry.players[0]
    time = timedelta(milliseconds=2 if bot in SLOW_BOTS else 0)
    bots = [v1.BotSeat(seat=seat, bot=bot, think_time=time) for seat in range(players)]
    match = PlayedMatch(over, key, players, bots=bots)
    until(lambda: match.state().view.HasField("outcome"), "the match is over", PLAY_SECONDS)
    assert max(match.state().view.scores) >= int(SHORT["target"])


@pytest.mark.parametrize("key", GAMES)
def test_a_stream_ends_with_the_match(over: Transport, key: str) -> None:
    """A watcher that comes late receives every event of the match over each transport, and then the stream ends."""
    match = PlayedMatch(over, key)
    *states, _ = match.play(12)
    match.ask("AbortMatch", match.referee)
    kinds = [event.kind for update in match.ask("WatchMatch", match.referee) for event in update.events]
    assert len(states) == sum(kind in ("card_played", "declared", "cards_chosen") for kind in kinds)


@pytest.fixture(scope="module")
def pair(valkey: EmbeddedValkey, catalogue: Catalogue) -> Iterator[Pair]:
    """Two services with the packages, and a caller who compares them."""
    with two_services(valkey.url, catalogue) as made:
        yield made


@pytest.mark.parametrize("key", GAMES)
def test_answers_do_not_depend_on_hidden_cards(pair: Pair, catalogue: Catalogue, key: str) -> None:
    """If what a role cannot see had been dealt otherwise, every answer of the service to it would be the same."""
    rng, players = Random(f"secrecy {key}"), catalogue.game(key).entry.players[0]
    played = walks.walk(catalogue, catalogue.normalize(RuleSet(key, players)), "secrecy", 2, 6, NOTHING_MORE)
    for viewer in (None, rng.randrange(players)):
        twins = find_twins(played, viewer, rng)
        assert twins is not None
        compare(pair, twins, [viewer], rng)


# ---------------------------------------------------------------------- transports


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_its_own_tests_pass(site: Path, key: str) -> None:
    """The tests of a package, the checks of the kit among them, pass with what is installed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "pyproject.toml", "tests"]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        command, cwd=EXAMPLES / key, env=environment, capture_output=True, text=True, timeout=110, check=False
    )
    assert 0 == done.returncode, done.stdout[-4000:]


@pytest.mark.parametrize("key", GAMES)
def test_the_catalogue_names_the_package(over: Transport, catalogue: Catalogue, key: str) -> None:
    """A game of a package is described as every other one, with its distribution, version and clauses."""
    assert () == catalogue.refused
    described = over("GetGame", v1.GetGameRequest(game_id=key))
    summary = described.summary
    assert (GAMES[key], "0.1.0") == (summary.distribution, summary.version)
    assert {clause.key for clause in catalogue.game(key).clauses} == {clause.key for clause in described.clauses}
    listed = over("ListGames", v1.ListGamesRequest(page_size=100))
    assert [game.key for game in catalogue] == [game.game_id for game in listed.games]


@pytest.mark.parametrize("key", GAMES)
def test_a_match_is_played_to_its_end(over: Transport, catalogue: Catalogue, key: str) -> None:
    """Each seat plays with its key and sees its own hand only; the record replays, and every shuffle is proved."""
    match = PlayedMatch(over, key)
    for state in match.play():
        if state.view.waiting == v1.WAITING_SEAT:
            own = match.state(match.keys[state.view.turn]).view
            seen = {(zone.seat, zone.name) for zone in own.zones if zone.name in ("hand", "chosen") and zone.cards}
            assert {seat for seat, _ in seen} <= {state.view.turn}
            assert seen or any(zone.name == "turn_up" and zone.seat == state.view.turn for zone in own.zones)
    assert state.view.outcome.winners
    assert not [zone for zone in match.ask("GetMatch").view.zones if zone.name == "hand" and zone.cards]
    record = parse_record(catalogue, match.ask("GetRecord", match.referee).record)
    game = catalogue.game_for(record.rule_set)
    position = replay(game, record.moves)
    assert list(game.scores(position)) == list(state.view.scores)
    assert game.outcome(position) == frozenset(state.view.outcome.winners)
    shuffles = match.ask("ListShuffles").shuffles
    assert len(shuffles) == sum(move.verb == "start_deal" for _, move in record.moves) > 0
    for shuffle in shuffles:
        names = "commitment", "nonce", "number", "client_seeds", "cards"
        request = v1.VerifyShuffleRequest(game_id=key, **{name: getattr(shuffle, name) for name in names})
        assert over("VerifyShuffle", request).fair
        request.cards.reverse()
        assert not over("VerifyShuffle", request).fair


def test_the_rule_book_is_a_page(service: Service, catalogue: Catalogue) -> None:
    """The page of the rule book of each package has its clauses in every language, and the trick of its record."""
    for key in GAMES:
        pages = {code: Rest(service.rest).get(f"/docs/rules/{key}?language={code}") for code in ("en", "it", "de")}
        assert {200} == {page.status_code for page in pages.values()}
        assert 3 == len({page.text for page in pages.values()})
        for page in pages.values():
            assert all(f'id="{clause.key}"' in page.text for clause in catalogue.game(key).clauses)
            recorded = any((folder / f"{key}.txt").is_file() for folder in catalogue.records)
            assert recorded == ('class="events"' in page.text)


pytestmark = pytest.mark.timeout(240)  # a match has some hundred calls of tools, on a machine that may be busy


def environment(site: Path) -> dict[str, str]:
    return {**surroundings(), "PYTHONPATH": os.pathsep.join((str(SERVICE), str(site)))}


@contextmanager
def mcp_server(site: Path, folder: Path, *args: str) -> Iterator[str]:
    """Run ``chitarrella mcp`` over streamable HTTP for as long as the block lasts; yields the address."""
    command = [sys.executable, "-m", "chitarrella", "mcp", "--http", "127.0.0.1:0", *args]
    output = folder / "mcp.out"
    with output.open("w") as out:
        process = spawn(
            command, env=environment(site) | {"PYTHONUNBUFFERED": "1"}, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        until(lambda: "MCP " in output.read_text() and output.read_text().endswith("\n"), "it listens")
        yield output.read_text().split()[1]
    finally:
        process.terminate()
        process.wait(30)


async def play_alone(agent: ScriptedAgent, game: str, catalogue: Catalogue) -> Any:
    """Play a match against a bot, and return its last view; one move that breaks a clause is tried on the way."""
    players = catalogue.game(game).seats
    view = await agent.ask("create_match", game=game, players=players, options=dict(SHORT), seed="a match")
    card = next(card for card in catalogue.game(game).pack.cards if card not in hand_of(view, 0))
    refused = await agent.ask("play_move", move=f"play_card {card}", language="it")
    assert not refused["accepted"]
    clauses = {one["clause"]["key"] for one in refused["refusals"]}
    assert clauses <= {clause.key for clause in catalogue.game(game).clauses}
    while not view["over"]:
        assert [] == hand_of(view, 1)
        view = await agent.play_first(view) if view["your_turn"] else await agent.ask("wait_for_turn")
    return view


@pytest.mark.parametrize("game", GAMES)
async def test_an_agent_plays_a_match_over_stdio(site: Path, catalogue: Catalogue, game: str) -> None:
    """An agent finds the game, reads its rule book, is refused by its clauses, and plays a bot to the end."""
    args = ["-m", "chitarrella", "mcp", "--sandbox"]
    command = StdioServerParameters(command=sys.executable, args=args, env=environment(site))
    async with Client(command) as client:
        agent = ScriptedAgent(client)
        assert game in [one["game_id"] for one in (await agent.ask("list_games"))["games"]]
        (book,) = (await client.read_resource(f"chitarrella://rules/{game}?language=de")).contents
        assert all(f"**{clause.key}**" in getattr(book, "text", "") for clause in catalogue.game(game).clauses)
        view = await play_alone(agent, game, catalogue)
        assert max(view["scores"]) >= int(SHORT["target"])
        assert view["winners"]


async def test_an_agent_plays_at_a_running_service_over_http(
    site: Path, catalogue: Catalogue, service: Service, tmp_path: Path
) -> None:
    """An agent plays a bot at a live service, where a person may watch the match."""
    with mcp_server(site, tmp_path, "--grpc", service.grpc) as address:
        async with Client(address) as client:
            view = await play_alone(ScriptedAgent(client), next(iter(GAMES)), catalogue)
    with Chitarrella(service.grpc) as client:
        seen = client.match(view["match_id"]).get()
        assert (True, list(view["scores"])) == (seen.over, list(seen.view.scores))
