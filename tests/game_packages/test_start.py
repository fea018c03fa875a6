"""The service with packages that are broken, that clash, and that were there before: as a process."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Protocol

import pytest

from chitarrella import v1
from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.translator import read_texts
from chitarrella_testing.texts import compile_translations
from tests.cli.run_command import ALWAYS_FIRST, SERVICE, process
from tests.example_packages import EXAMPLES, GAMES
from tests.game_packages.callers import PlayedMatch, distribute, variant
from tests.server.process import Service, StartService
from tests.servers import until
from tests.transports.all_transports import TRANSPORTS, Failed, caller_of

EXAMPLE = next(iter(GAMES))
BROKEN = {
    "a-fails-to-import": ("raise RuntimeError('no such file')", "RuntimeError: no such file"),
    "b-signs-nothing": ("GAMES = (object(),)", "is no GameEntry"),
    "c-has-no-title": (variant("tre").replace('title="tre"', "title=3"), "the protocol has str for title, not 3"),
    "d-has-a-house-game": (variant("briscola"), "there is a game briscola already"),
    "e-has-a-house-clause": (variant("cinque", "BR-3.1"), "there is another clause BR-3.1 already"),
    "z-has-an-example-too": (variant(EXAMPLE), f"there is a game {EXAMPLE} already"),
}
"""Modules of packages that are refused, and a part of the reason; the last clashes with an example."""
FAILING = (
    variant("sette")
    + """
from tests.matches.playing import with_rules
from chitarrella.tricks.rules import Rules

class Failing(Rules):
    def apply(self, p, seat, move, events):
        if seat >= 0:
            raise ZeroDivisionError("a fault of the rules")
        return super().apply(p, seat, move, events)

GAMES = (with_rules(GAMES[0], Failing),)
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
    return shutil.copytree(site, tmp_path / "packages")


def keys_at(service: Service) -> set[str]:
    with closing(caller_of("grpc", service)) as over:
        listed = over("ListGames", v1.ListGamesRequest(page_size=100))
        return {game.game_id for game in listed.games}


def test_broken_packages_stop_nobody(packages: Path, start_service: StartService) -> None:
    """The service starts, names each refused package with the reason in its log, and serves all others."""
    for name, (code, _) in BROKEN.items():
        distribute(packages, name, code)
    distribute(packages, "my-games", variant("eins"))
    service = start_service(packages=packages)
    assert {game.key for game in Catalogue()} | {*GAMES, "eins"} == keys_at(service)
    refused = {line["event"].split()[5]: line for line in service.events("no game of the package")}
    assert BROKEN.keys() == refused.keys()
    assert {"error"} == {line["level"] for line in refused.values()}
    for name, (_, reason) in BROKEN.items():
        assert reason in refused[name]["event"]
    with closing(caller_of("grpc", service)) as over:
        for key in (*GAMES, "eins", "briscola"):
            described = over("GetGame", v1.GetGameRequest(game_id=key))
            assert described.summary.game_id == key
            assert 4 == len(list(PlayedMatch(over, key, options={}).play(3)))


def test_a_game_that_fails_stops_no_other(packages: Path, start_service: StartService) -> None:
    """A fault of a game is an error of the calls about it; bots at other matches play on."""
    distribute(packages, "failing", FAILING)
    service = start_service(packages=packages)
    with closing(caller_of("grpc", service)) as over:
        bots = [v1.BotSeat(seat=seat, bot="random") for seat in range(4)]
        for _ in range(3):
            PlayedMatch(over, "sette", options={}, bots=bots[:2])
        match = PlayedMatch(over, "sette", options={})
        key = match.keys[match.state().view.turn]
        move = match.ask("ListMatchMoves", key).moves[0]
        assert "internal" == match.ask("PlayMove", key, move=move).code
        sound = PlayedMatch(over, EXAMPLE, 4, bots=bots)
        until(lambda: sound.state().view.HasField("outcome"), "the other match is over", 60)
        assert 1 == match.state().revision


def test_matches_wait_for_their_package(packages: Path, start_service: StartService) -> None:
    """A match whose game or edition is not installed answers with a code of its own, and goes on when it is again."""
    distribute(packages, "my-games", variant("eins") + EDITION)
    service = start_service(packages=packages)
    with closing(caller_of("grpc", service)) as over:
        kept = {key: PlayedMatch(over, key, options={}) for key in (*GAMES, "eins", "briscola")}
        before = {key: list(match.play(5))[-1] for key, match in kept.items()}
    assert 2 == before["eins"].rule_set.edition
    service.stop()
    without = packages.with_name("without")
    without.mkdir()
    distribute(without, "my-games", variant("eins"))
    service = start_service(packages=without)
    codes = {**dict.fromkeys(GAMES, "game_not_installed"), "eins": "edition_not_supported"}
    for transport in TRANSPORTS:
        with closing(caller_of(transport, service)) as over:
            for key, code in codes.items():
                match = kept[key].through(over)
                move = v1.Move(verb="play_card", cards=["Ab"])
                assert {Failed(code, "")} == {
                    match.ask("GetMatch", match.referee), match.ask("ListMatchMoves", match.keys[0]),
                    match.ask("PlayMove", match.keys[0], move=move), match.ask("GetRecord", match.referee),
                    match.ask("ListShuffles"), match.ask("WatchMatch", match.referee),
                    match.ask("TakeBack", match.keys[0]), match.ask("AbortMatch", match.referee),
                }  # fmt: skip
            created = over("CreateMatch", v1.CreateMatchRequest(rule_set=v1.RuleSet(game_id=EXAMPLE)))
            assert "unknown_game" == created.code
            assert before["briscola"].view == kept["briscola"].through(over).state().view
    service.stop()
    service = start_service(packages=packages)
    with closing(caller_of("grpc", service)) as over:
        for key, match in kept.items():
            again = match.through(over)
            assert before[key].view == again.state().view
            assert 3 == len(list(again.play(2)))


# ---------------------------------------------------------------------- command line


FIRST_LEGAL = "import json, sys\nfor line in sys.stdin: print(json.loads(line)['legal_moves'][0], flush=True)"
"""An agent that makes the first legal move."""


class Run(Protocol):
    """Runs ``chitarrella ARGS`` where the packages are installed; it must succeed without a warning."""

    def __call__(self, *args: str, stdin: str = "") -> str:
        """Return the standard output."""


@pytest.fixture
def run_command(site: Path) -> Run:
    command = partial(process, PYTHONPATH=os.pathsep.join((str(SERVICE), str(site))), COLUMNS="200")

    def checked(*args: str, stdin: str = "") -> str:
        done: CompletedProcess[str] = command(*args, stdin=stdin)
        assert (0, "") == (done.returncode, done.stderr), args
        return done.stdout

    return checked


@pytest.mark.parametrize("key", GAMES)
def test_a_match_is_played_at_a_terminal(run_command: Run, tmp_path: Path, key: str) -> None:
    """Who always types 1 plays a whole match against greedy bots in Italian; its record is replayed to the same end."""
    record = tmp_path / "match.txt"
    match = ("--seed", "2", "--record", str(record), "--option", "target=11")
    shown = run_command("play", key, *match, "--bot", "greedy", "--language", "it", stdin=ALWAYS_FIRST)
    assert "Punti della mano: " in shown
    assert " la partita." in shown
    assert " the match." in run_command("replay", str(record))


@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_explained_and_counted(run_command: Run, catalogue: Catalogue, key: str) -> None:
    """The rule book has every clause; deals are simulated, and moves are counted."""
    book = run_command("explain", key, "--language", "de")
    assert all(clause.key in book for clause in catalogue.game(key).clauses)
    assert 5 == json.loads(run_command("simulate", key, "-n", "5", "--seed", "1", "--bot", "greedy", "--json"))["deals"]
    assert json.loads(run_command("perft", key, "--depth", "2", "--json"))


@pytest.mark.parametrize("key", GAMES)
def test_bots_and_agents_are_measured(run_command: Run, key: str) -> None:
    """The same deals are played with seats swapped by a bot that searches and by an agent from outside."""
    agent = shlex.join([sys.executable, "-c", FIRST_LEGAL])
    measured = ("--bots", "search", "--agent", f"first={agent}", "--playouts", "2", "--seed", "7", "-n", "2", "--json")
    (pair,) = json.loads(run_command("strength", key, *measured))["pairs"]
    assert (2, [0, 0], [0, 0]) == (pair["deals"], pair["refused"], pair["forfeits"])
    assert 0 <= pair["ahead"]["mean"] <= 1


# ---------------------------------------------------------------------- own package


PAGE = (Path(__file__).parents[2] / "docs/adding-a-game.md").read_text()


def block(start: str) -> str:
    """The block of Python of the page that begins so."""
    return start + PAGE.partition(f"```python\n{start}")[2].partition("```")[0]


TAUGHT, SCORES = block('"""Sueca'), block("import pytest")


@pytest.fixture(scope="module", params=["begun", "taught"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the package that the page begins, as begun or with the game of the page; it is installed."""
    made = tmp_path_factory.mktemp("own") / "chitarrella-sueca"
    started = run(made, "chitarrella", "new-game", "sueca", "--folder", str(made), cwd=made.parent)
    assert 0 == started.returncode, started.stderr
    if request.param == "taught":
        (module,) = (made / "src/chitarrella_sueca").iterdir()
        module.write_text(TAUGHT)
        (made / "tests/test_scores.py").write_text(SCORES)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(made.with_name("site")), str(made)], check=True, timeout=60)
    shutil.rmtree(made / "src")  # what is installed is tested
    return made


def run(folder: Path, *command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    paths = [str(folder.with_name("site")), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=cwd or folder, env=environment, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip


def test_the_game_of_the_page_is_the_example() -> None:
    """The page teaches the example Sueca to the letter, which the kit checks with its tests."""
    assert (EXAMPLES / "sueca/src/chitarrella_sueca/__init__.py").read_text() == TAUGHT


def test_commands_of_the_page(folder: Path) -> None:
    """The report passes every check, and so do the tests; deals are played for seconds here, and not for a minute."""
    *_, report, tests = PAGE.partition("chitarrella new-game")[2].partition("```")[0].splitlines()
    module = folder / "tests/test_sueca.py"
    module.write_text(module.read_text().replace("seconds=20", "seconds=2"))
    done = run(folder, *report.split()[2:], "--seconds", "2")
    assert 0 == done.returncode, done.stdout
    assert "from chitarrella-sueca 0.1.0" in done.stdout
    assert "every check passed" in done.stdout
    done = run(folder, *tests.split(), "-p", "no:cacheprovider", "-c", "pyproject.toml")
    assert 0 == done.returncode, done.stdout
    assert re.search(r"\b\d\d+ passed", done.stdout), done.stdout


def test_a_marker_names_a_clause(folder: Path, tmp_path: Path) -> None:
    """A test that claims to prove a clause which no rule book has is an error."""
    module = folder / "tests/test_sueca.py"
    (tmp_path / module.name).write_text(module.read_text().replace("SUE-1.1", "SUE-1.11"))
    done = run(folder, "pytest", str(tmp_path), "-p", "chitarrella_testing.pytest_plugin", "--collect-only")
    assert pytest.ExitCode.USAGE_ERROR == done.returncode, done.stdout
    assert "there is no clause SUE-1.11" in done.stderr


def test_texts_are_written_for_translators(folder: Path, tmp_path: Path) -> None:
    """The texts that none here says are written to files for translators, which are kept when they are there."""
    for _ in range(2):
        done = run(folder, "chitarrella_testing.extract", "sueca", str(tmp_path))
        assert (0, "") == (done.returncode, done.stderr)
        texts = (tmp_path / "it.po").read_text()
        written = {"title sueca", "SUE-1.1", "SUE-2.1", "SUE-3.1"}
        assert written <= set(re.findall(r'msgctxt "(.*)"', texts))
        (tmp_path / "it.po").write_text(re.sub('(?<="title sueca"\\n)(.*)\nmsgstr ""', r'\1\nmsgstr "B."', texts))
    assert 'msgstr "B."' in (tmp_path / "it.po").read_text()
    compile_translations(tmp_path)
    assert "B." == read_texts("it", [tmp_path]).pgettext("title sueca", "Sueca")
