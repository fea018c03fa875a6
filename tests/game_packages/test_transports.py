"""The games of the packages in ``examples/``: built, installed, and played over every transport."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from chitarrella.api.converters import move_message
from chitarrella.api.worked_examples import WorkedExamples
from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import Catalogue, open_catalogue
from chitarrella.core.notation import parse_move
from chitarrella.core.play import replay
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2, table_pb2
from tests.example_packages import EXAMPLES, GAMES, install_examples
from tests.transports.all_transports import TRANSPORTS, Transport, through
from tests.transports.conftest import opened, wire_service
from tests.transports.rest_client import Rest


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the packages are installed."""
    return install_examples(tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="module")
def catalogue(site: Path) -> Iterator[Catalogue]:
    """The catalogue with the installed packages."""
    sys.path.insert(0, str(site))
    yield open_catalogue(",".join(GAMES.values()))
    sys.path.remove(str(site))


@pytest.fixture(scope="module", params=TRANSPORTS)
def over(request: pytest.FixtureRequest, valkey: EmbeddedValkey, catalogue: Catalogue) -> Iterator[Transport]:
    """Each transport of a service with these games."""
    wired = wire_service(valkey.url, "examples", catalogue=catalogue)
    with opened(wired) as url, through(request.param, wired, url) as transport:
        yield transport
    wired.hub.close()
    wired.store.close()


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
    described = over("GetGame", catalogue_pb2.GetGameRequest(game_id=key))
    summary = described.summary
    assert (GAMES[key], "0.1.0") == (summary.distribution, summary.version)
    assert {clause.key for clause in catalogue.game(key).clauses} == {clause.key for clause in described.clauses}
    listed = over("ListGames", catalogue_pb2.ListGamesRequest())
    assert len(list(Catalogue())) + len(GAMES) == len(listed.games)


@pytest.mark.parametrize("key", GAMES)
def test_a_deal_is_played_as_a_match(over: Transport, catalogue: Catalogue, key: str) -> None:
    """Each seat plays with its key and sees its own hand only; the record replays, and the shuffle is proved."""
    rule_set, rng = table_pb2.RuleSet(game_id=key), Random(key)
    opened_match = over("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=rule_set))
    match_id, keys = opened_match.match_id, {one.seat: one.key for one in opened_match.seat_keys}
    referee, moves = opened_match.referee_key, 0
    while True:
        state = over("GetMatch", matches_pb2.GetMatchRequest(match_id=match_id), referee)
        if state.view.turn not in keys or moves == 60 or state.view.HasField("outcome"):
            break
        seat = state.view.turn
        listed = over("ListMatchMoves", matches_pb2.ListMatchMovesRequest(match_id=match_id), keys[seat])
        request = matches_pb2.PlayMoveRequest(
            match_id=match_id, move=rng.choice(listed.moves), request_id=f"{key}-{moves}"
        )
        played = over("PlayMove", request, keys[seat])
        assert played.accepted
        moves += 1
        own = over("GetMatch", matches_pb2.GetMatchRequest(match_id=match_id), keys[seat]).view
        seen = {zone.seat for zone in own.zones if zone.name == "hand" and zone.cards}
        assert seen <= {seat}
    assert moves > 20
    text = over("GetRecord", matches_pb2.GetRecordRequest(match_id=match_id), referee).record
    record = parse_record(catalogue, text)
    game = catalogue.game_for(record.rule_set)
    assert list(game.scores(replay(game, record.moves))) == list(
        over("GetMatch", matches_pb2.GetMatchRequest(match_id=match_id), referee).view.scores
    )


@pytest.mark.parametrize("key", GAMES)
def test_a_refusal_names_the_clause_in_the_language_of_the_package(
    over: Transport, catalogue: Catalogue, key: str
) -> None:
    """A move that a clause of the package forbids is refused with this clause, also without a match."""
    position = over("StartGame", rules_pb2.StartGameRequest(rule_set=table_pb2.RuleSet(game_id=key))).position
    game = catalogue.game(key)
    pack = table_pb2.Move(verb="start_deal", cards=game.pack.cards)
    dealt = over("ApplyMoves", rules_pb2.ApplyMovesRequest(position=position, moves=[rules_pb2.SeatMove(move=pack)]))
    card = next(card for card in game.pack.cards if card not in _hand(dealt.view, dealt.view.turn))
    move = move_message(parse_move(game, f"play_card {card}"))
    request = rules_pb2.ValidateMoveRequest(position=dealt.position, move=move, seat=dealt.view.turn)
    answer = over("ValidateMove", request)
    assert "not_in_hand" in [refusal.code for refusal in answer.refusals]


def test_the_rule_book_is_a_page(valkey: EmbeddedValkey, catalogue: Catalogue) -> None:
    """The page of the rule book of each package has its clauses, and that of a trick game a trick by its rules."""
    wired = wire_service(valkey.url, "examples", catalogue=catalogue)
    with opened(wired, examples=WorkedExamples(catalogue)) as url:
        for key in GAMES:
            page = Rest(url).get(f"/docs/rules/{key}")
            assert 200 == page.status_code
            assert all(f'id="{clause.key}"' in page.text for clause in catalogue.game(key).clauses)
            assert (catalogue.game(key).trick_rules is not None) == ('class="events"' in page.text)
    wired.hub.close()
    wired.store.close()


def _hand(view: table_pb2.View, seat: int) -> list[str]:
    return [card for zone in view.zones if zone.name == "hand" and zone.seat == seat for card in zone.cards]
