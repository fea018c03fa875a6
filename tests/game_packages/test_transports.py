"""The games of the packages in ``examples/``: built, installed, and played over every transport."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chitarrella.api.converters import move_message
from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import replay
from chitarrella.core.notation import parse_move
from chitarrella.v1 import catalogue_pb2, rules_pb2, table_pb2
from tests.example_packages import EXAMPLES, GAMES
from tests.game_packages.callers import PlayedMatch
from tests.server.process import Service
from tests.transports.all_transports import Transport
from tests.transports.rest_client import Rest


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
    described = over("GetGame", catalogue_pb2.GetGameRequest(game_id=key))
    summary = described.summary
    assert (GAMES[key], "0.1.0") == (summary.distribution, summary.version)
    assert {clause.key for clause in catalogue.game(key).clauses} == {clause.key for clause in described.clauses}
    listed = over("ListGames", catalogue_pb2.ListGamesRequest(page_size=100))
    assert [game.key for game in catalogue] == [game.game_id for game in listed.games]


@pytest.mark.parametrize("key", GAMES)
def test_a_match_is_played_to_its_end(over: Transport, catalogue: Catalogue, key: str) -> None:
    """Each seat plays with its key and sees its own hand only; the record replays, and every shuffle is proved."""
    match = PlayedMatch(over, key)
    for state in match.play():
        if state.view.waiting == table_pb2.WAITING_SEAT:
            own = match.state(match.keys[state.view.turn]).view
            assert {state.view.turn} == {zone.seat for zone in own.zones if zone.name == "hand" and zone.cards}
    assert state.view.outcome.winners
    assert not [zone for zone in match.ask("GetMatch").view.zones if zone.name == "hand" and zone.cards]
    record = parse_record(catalogue, match.ask("GetRecord", match.referee).record)
    game = catalogue.game_for(record.rule_set)
    position = replay(game, record.moves)
    assert (list(game.scores(position)), game.outcome(position)) == (
        list(state.view.scores),
        frozenset(state.view.outcome.winners),
    )
    shuffles = match.ask("ListShuffles").shuffles
    assert len(shuffles) == sum(move.verb == "start_deal" for _, move in record.moves) > 0
    for shuffle in shuffles:
        request = rules_pb2.VerifyShuffleRequest(
            game_id=key,
            commitment=shuffle.commitment,
            nonce=shuffle.nonce,
            number=shuffle.number,
            client_seeds=shuffle.client_seeds,
            cards=shuffle.cards,
        )
        assert over("VerifyShuffle", request).fair
        request.cards.reverse()
        assert not over("VerifyShuffle", request).fair


@pytest.mark.parametrize("key", GAMES)
def test_a_refusal_names_the_clause(over: Transport, catalogue: Catalogue, key: str) -> None:
    """A move that a clause of the package forbids is refused with this clause, also without a match."""
    position = over("StartGame", rules_pb2.StartGameRequest(rule_set=table_pb2.RuleSet(game_id=key))).position
    game = catalogue.game(key)
    pack = table_pb2.Move(verb="start_deal", cards=game.pack.cards)
    dealt = over("ApplyMoves", rules_pb2.ApplyMovesRequest(position=position, moves=[rules_pb2.SeatMove(move=pack)]))
    card = next(card for card in game.pack.cards if card not in _hand(dealt.view, dealt.view.turn))
    move = move_message(parse_move(game, f"play_card {card}"))
    request = rules_pb2.ValidateMoveRequest(position=dealt.position, move=move, seat=dealt.view.turn)
    answer = over("ValidateMove", request)
    assert ["not_in_hand"] == [refusal.code for refusal in answer.refusals]
    request.seat = (dealt.view.turn + 1) % game.seats
    refused = {refusal.code: refusal for refusal in over("ValidateMove", request).refusals}
    assert game.reason_clauses["not_your_turn"].key == refused["not_your_turn"].clause.key


def test_the_rule_book_is_a_page(service: Service, catalogue: Catalogue) -> None:
    """The page of the rule book of each package has its clauses in every language, and a trick where there are any."""
    for key in GAMES:
        pages = {
            language: Rest(service.rest).get(f"/docs/rules/{key}?language={language}")
            for language in ["en", "it", "de"]
        }
        assert {200} == {page.status_code for page in pages.values()}
        assert 3 == len({page.text for page in pages.values()})
        for page in pages.values():
            assert all(f'id="{clause.key}"' in page.text for clause in catalogue.game(key).clauses)
            assert (catalogue.game(key).trick_rules is not None) == ('class="events"' in page.text)


def _hand(view: table_pb2.View, seat: int) -> list[str]:
    return [card for zone in view.zones if zone.name == "hand" and zone.seat == seat for card in zone.cards]
