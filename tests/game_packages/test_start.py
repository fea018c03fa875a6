"""The service with packages that are broken, that clash, and that were there before: as a process."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.v1 import catalogue_pb2, matches_pb2, table_pb2
from tests.game_packages.callers import PlayedMatch
from tests.games.support.distributions import distribute, variant
from tests.server.process import Service, StartService
from tests.servers import until
from tests.transports.all_transports import TRANSPORTS, Failed, caller_of

BROKEN = {
    "a-fails-to-import": ("raise RuntimeError('no such file')", "RuntimeError: no such file"),
    "b-signs-nothing": ("GAMES = (object(),)", "lacks "),
    "c-has-no-title": (variant("tre").replace('title="tre"', "title=3"), "the protocol has str for title, not 3"),
    "d-has-a-house-game": (variant("briscola"), "there is a game briscola already"),
    "e-has-a-house-clause": (variant("cinque", "BR-3.1"), "there is another clause BR-3.1 already"),
    "z-has-scopa-too": (variant("scopa"), "there is a game scopa already"),
}
"""Modules of packages that are refused, and a part of the reason; the last clashes with an example."""
FAILING = (
    variant("sette")
    + """
from chitarrella.tricks.game import TrickGame

class Failing(TrickGame):
    def apply(self, p, seat, move, events):
        if seat >= 0:
            raise ZeroDivisionError("a fault of the rules")
        return super().apply(p, seat, move, events)

GAMES = (Failing(**{name: getattr(GAMES[0], name) for name in GAMES[0].__dataclass_fields__}),)
"""
)
"""A game that signs the protocol, and fails with the first card that is played."""
EDITION = """
from chitarrella.core.model import Edition
GAMES = (replace(GAMES[0], editions=(*GAMES[0].editions, Edition(2, "Another game."))),)
"""
"""What makes the game of a module its second edition."""


@pytest.fixture
def packages(site: Path, tmp_path: Path) -> Path:
    """A copy of the folder in which the examples are installed."""
    return shutil.copytree(site, tmp_path / "packages")


def keys_at(service: Service) -> set[str]:
    """The keys of the games that a service has."""
    with closing(caller_of("grpc", service)) as over:
        listed = over("ListGames", catalogue_pb2.ListGamesRequest(page_size=100))
        return {game.game_id for game in listed.games}


def test_broken_packages_stop_nobody(packages: Path, start_service: StartService) -> None:
    """The service starts, names each refused package with the reason in its log, and serves all others."""
    for name, (code, _) in BROKEN.items():
        distribute(packages, name, code)
    distribute(packages, "my-games", variant("eins"))
    service = start_service(packages=packages)
    assert {game.key for game in Catalogue()} | {"scopa", "tressette", "eins"} == keys_at(service)
    refused = {line["event"].split()[5]: line for line in service.events("no game of the package")}
    assert BROKEN.keys() == refused.keys()
    assert {"error"} == {line["level"] for line in refused.values()}
    for name, (_, reason) in BROKEN.items():
        assert reason in refused[name]["event"]
    with closing(caller_of("grpc", service)) as over:
        for key in ("scopa", "tressette", "eins", "briscola"):
            described = over("GetGame", catalogue_pb2.GetGameRequest(game_id=key))
            assert described.summary.game_id == key
            assert 4 == len(list(PlayedMatch(over, key, options={}).play(3)))


def test_a_game_that_fails_stops_no_other(packages: Path, start_service: StartService) -> None:
    """A fault of a game is an error of the calls about it; bots at other matches play on."""
    distribute(packages, "failing", FAILING)
    service = start_service(packages=packages)
    with closing(caller_of("grpc", service)) as over:
        bots = [matches_pb2.BotSeat(seat=seat, bot="random") for seat in range(2)]
        for _ in range(3):
            PlayedMatch(over, "sette", options={}, bots=bots)
        match = PlayedMatch(over, "sette", options={})
        key = match.keys[match.state().view.turn]
        move = match.ask("ListMatchMoves", key).moves[0]
        assert "internal" == match.ask("PlayMove", key, move=move).code
        sound = PlayedMatch(over, "scopa", bots=bots)
        until(lambda: sound.state().view.HasField("outcome"), "the other match is over", 60)
        assert 1 == match.state().revision


def test_matches_wait_for_their_package(packages: Path, start_service: StartService) -> None:
    """A match whose game or edition is not installed answers with a code of its own, and goes on when it is again."""
    distribute(packages, "my-games", variant("eins") + EDITION)
    service = start_service(packages=packages)
    with closing(caller_of("grpc", service)) as over:
        kept = {key: PlayedMatch(over, key, options={}) for key in ("scopa", "tressette", "eins", "briscola")}
        before = {key: list(match.play(5))[-1] for key, match in kept.items()}
    assert 2 == before["eins"].rule_set.edition
    service.stop()
    without = packages.with_name("without")
    distribute_into(without, "my-games", variant("eins"))
    service = start_service(packages=without)
    codes = {"scopa": "game_not_installed", "tressette": "game_not_installed", "eins": "edition_not_supported"}
    for transport in TRANSPORTS:
        with closing(caller_of(transport, service)) as over:
            for key, code in codes.items():
                match = kept[key].through(over)
                move = table_pb2.Move(verb="play_card", cards=["Ab"])
                assert {Failed(code, "")} == {
                    match.ask("GetMatch", match.referee),
                    match.ask("ListMatchMoves", match.keys[0]),
                    match.ask("PlayMove", match.keys[0], move=move),
                    match.ask("GetRecord", match.referee),
                    match.ask("ListShuffles"),
                    match.ask("WatchMatch", match.referee),
                    match.ask("TakeBack", match.keys[0]),
                    match.ask("AbortMatch", match.referee),
                }
            created = over("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=table_pb2.RuleSet(game_id="scopa")))
            assert "unknown_game" == created.code
            assert before["briscola"].view == kept["briscola"].through(over).state().view
    service.stop()
    service = start_service(packages=packages)
    with closing(caller_of("grpc", service)) as over:
        for key, match in kept.items():
            again = match.through(over)
            assert before[key].view == again.state().view
            assert 3 == len(list(again.play(2)))


def distribute_into(folder: Path, name: str, code: str) -> None:
    """Install a distribution into a new folder."""
    folder.mkdir()
    distribute(folder, name, code)
