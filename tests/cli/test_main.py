"""The command as a whole: what it lists, what it loads, how it fails, and its help in three languages."""

import json
import os
import shlex
import subprocess
import sys
from importlib.metadata import version
from inspect import cleandoc
from pathlib import Path
from typing import cast

import click
import pytest

from chitarrella.__main__ import COMMANDS, ELSEWHERE, main
from chitarrella.cli.common import ExampleCommand
from chitarrella.cli.serve import command, missing_packages, unread
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella_terminal.options import example_words
from chitarrella_terminal.translated_help import HELP_TEXTS, TranslatedCommand
from tests.cli.run_command import CATALOGUE, SERVICE, invoke, process
from tests.game_packages.callers import distribute, variant

OURS = ("games", "explain", "play", "replay", "perft", "simulate", "strength")


def test_version() -> None:
    """The command says its name and the version of the distribution."""
    assert invoke("--version").output == f"chitarrella {version('chitarrella')}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_every_command(flag: str) -> None:
    """The help says what the whole is for and names every command with what it does."""
    output = invoke(flag).output
    assert "One authority for the rules of regional card games." in output
    width = max(map(len, COMMANDS))
    for name, does in [*COMMANDS.items(), *((name, does) for name, (does, _) in ELSEWHERE.items())]:
        assert f"  {name:<{width}}  {does}" in output


@pytest.mark.parametrize("name", [*OURS, "export", "import"])
def test_examples_of_the_help_can_be_typed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The help shows examples, and the command accepts each, in a shell's words up to a pipe or a redirection."""
    assert f"Examples:\n  chitarrella {name}" in invoke(name, "-h").output
    monkeypatch.chdir(tmp_path)
    for file in ("match.txt", "matches.backup"):
        Path(file).touch()
    group = main
    command = cast(ExampleCommand, group.get_command(click.Context(group), name))
    for line in command.examples:
        typed = line.format_map(example_words()).partition(f"chitarrella {name}")[2]
        words = shlex.split(typed.partition(" | ")[0].partition(" > ")[0])
        with command.make_context(name, words, **group.context_settings) as context:
            assert context.command is command


def test_command_of_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command whose package is missing ends with status 1 and the name of the package."""
    monkeypatch.setattr("chitarrella.__main__.entry_points", lambda **_: ())
    result = invoke("mcp")
    assert result.exit_code == 1
    assert "pip install chitarrella-mcp" in result.output


def test_command_of_the_service_without_its_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the commands for a terminal are installed, one of the service says which extra it needs."""
    monkeypatch.delitem(sys.modules, "chitarrella.cli.health", raising=False)
    monkeypatch.setitem(sys.modules, "grpc", None)
    result = invoke("health")
    assert result.exit_code == 1
    assert "pip install 'chitarrella[server]'" in result.output


def test_listing_loads_no_server() -> None:
    """Listing the games loads none of the libraries that only the service needs."""
    script = (
        "import sys; from chitarrella.__main__ import main; main(['games'], standalone_mode=False);"
        "print(sorted({'grpc', 'flask', 'redis', 'google.protobuf'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True, cwd=SERVICE)
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_its_libraries() -> None:
    """Where only the rules are installed, the command says which extra it needs instead of failing with a traceback."""
    command = [sys.executable, "-S", "-m", "chitarrella", "games"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=SERVICE)
    assert done.returncode == 1
    assert done.stderr == "The command line belongs to the extra 'server': pip install 'chitarrella[server]'\n"


@pytest.mark.parametrize("name", ["Briscola", "BRISCOLA", "coech", "Cöch"])
def test_game_by_title(name: str) -> None:
    """A game is found by its key or its title, whatever the size of the letters."""
    assert invoke("explain", name).exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("plai", "Did you mean play?"),
        *(
            (f"{name} briscolla", "no game 'briscolla'. Did you mean briscola ")
            for name in ("explain", "play", "simulate")
        ),
        ("explain poker", f"Games: {', '.join(game.key for game in CATALOGUE)}."),
        ("explain briscola --language fr", "'en', 'it', 'de'"),
        ("play briscola --players 5", "players: 5 cannot play briscola; players: 2, 3, 4"),
        ("play briscola --seat 2", "there is no seat 2; seats are numbered 0 to 1."),
        ("play briscola --option signals=maybe", "signals: 'maybe' is not allowed; allowed: off, truthful, after_"),
        ("play briscola --option signal=off", "signal: briscola has no such option; did you mean signals?"),
        ("play briscola --option xyz=1", "xyz: briscola has no such option; options: removed_two, "),
        ("play briscola --option signals", "'signals' should be name=value"),
        ("play briscola --option signals=off --option signals=free", "an option is chosen twice"),
        ("play briscola --option first_dealer=3", "first_dealer: seat 3 does not deal here; seats that do: 0, 1"),
        ("replay nowhere.txt", "'nowhere.txt'"),
        *((f"replay README.md --as {viewer}", "'--as'") for viewer in ("-1", "me", "\u0661")),
    ],
)
def test_what_is_not_offered(words: str, says: str) -> None:
    """A command, game, seat, option, file or viewer that there is not ends with status 2 and says what there is."""
    result = invoke(*words.split())
    assert result.exit_code == 2
    assert 1 == " ".join(result.output.split()).count(says.partition("; ")[2] or says)
    assert says in " ".join(result.output.split())


# ---------------------------------------------------------------------- named packages


def test_names_that_are_not_installed_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is compared as installers do; who chooses all packages, or none, misses nothing."""
    monkeypatch.syspath_prepend(tmp_path)
    distribute(tmp_path, "my-games", variant("eins"))
    assert ["missing"] == missing_packages("My_Games, missing,")
    assert [] == missing_packages("all") + missing_packages("none")


# ---------------------------------------------------------------------- game packages


def test_packages_are_listed_and_refused_by_name(tmp_path: Path) -> None:
    """A game is listed with its package, a broken one is named on the standard error; ``none`` loads neither."""
    distribute(tmp_path, "my-games", variant("eins"), "2.3")
    distribute(tmp_path, "broken", "raise RuntimeError('no such file')")
    where = {"PYTHONPATH": os.pathsep.join((str(SERVICE), str(tmp_path)))}
    table = process("games", COLUMNS="200", **where)
    rows = [line.split() for line in table.stdout.splitlines()]
    assert ["eins", "eins", "Italy", "2", "Italian", "S004", "1", "my-games", "2.3"] in rows
    (warning,) = table.stderr.splitlines()
    assert "no game of the package broken 1.0 is served" in warning
    assert "RuntimeError: no such file" in warning
    without = process("games", "--json", CHITARRELLA_GAME_PACKAGES="none", **where)
    assert "" == without.stderr
    assert {"chitarrella"} == {game["distribution"] for game in json.loads(without.stdout)}


# ---------------------------------------------------------------------- variables


def test_help_names_the_variable_of_each_option() -> None:
    """The help of serve shows beside each option the variable that sets it, whatever it is called."""
    shown = "".join(invoke("serve", "--help").output.split())
    variables = [option.envvar for option in command.params if not getattr(option, "hidden", False) and option.envvar]
    assert 30 < len(variables)
    assert [] == [name for name in variables if f"envvar:{name}" not in shown]


def test_variables_that_set_nothing_are_found() -> None:
    """A variable that begins like ours and is no option's is found; those that Kubernetes sets are not."""
    names = ["CHITARRELLA_PREFIX", "CHITARRELLA_PREFX", "CHITARRELLA_SERVICE_HOST", "CHITARRELLA_PORT_8080_TCP", "HOME"]
    assert ["CHITARRELLA_PREFX"] == list(unread(command, names))


def test_variable_that_may_be_meant_for_tls_ends_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service does not start in plain text where a variable with a wrong name may have been meant for TLS."""
    monkeypatch.setenv("CHITARRELLA_TLS_CERT", str(tmp_path / "cert.pem"))
    done = process("serve", "--data", str(tmp_path / "data"), "--rest", "127.0.0.1:0", "--grpc", "127.0.0.1:0")
    assert 1 == done.returncode
    assert "no option is set by CHITARRELLA_TLS_CERT" in done.stderr


# ---------------------------------------------------------------------- translated help

WITH_LANGUAGE = ("explain", "play", "replay")


def translated(name: str) -> TranslatedCommand:
    return cast(TranslatedCommand, main.get_command(click.Context(main), name))


def context_of(name: str) -> click.Context:
    return click.Context(translated(name), info_name=name, help_option_names=["-h", "--help"])


def texts(name: str) -> set[str]:
    found = [" ".join(paragraph.split()) for paragraph in cleandoc(translated(name).help or "").split("\n\n")]
    for option in translated(name).get_params(context_of(name)):
        if isinstance(option, click.Option):
            found += [option.help or "", option.show_default if isinstance(option.show_default, str) else ""]
    return set(filter(None, found))


def words(text: str) -> str:
    """A help on one line, so that it does not matter where lines break."""
    return " ".join(text.split())


def test_commands_with_a_language_have_a_translated_help() -> None:
    """Every command with the option ``--language`` translates its help, and no text is left over."""
    languages = [
        name
        for name in (*COMMANDS, *ELSEWHERE)
        if (found := main.get_command(click.Context(main), name))
        and any("--language" in param.opts for param in found.params)
    ]
    assert set(WITH_LANGUAGE) == set(languages)
    needed = set().union(*map(texts, languages))
    headings = {HELP_TEXTS[key] for key in ("usage", "options", "examples", "default")}
    assert needed | headings == set(HELP_TEXTS.values())


@pytest.mark.parametrize("name", WITH_LANGUAGE)
@pytest.mark.parametrize("code", LANGUAGES)
def test_help_is_in_the_language_of_the_option(name: str, code: str) -> None:
    """Every paragraph and heading is in the language, wherever the option stands, and is on the terminal as a whole."""
    shown = invoke(name, "--language", code, "--help").output
    translator = translator_for(code)
    keys = {text: key for key, text in HELP_TEXTS.items()}
    for text in (*texts(name), "Usage:", "Options", "Examples"):
        assert words(translator.text(f"help {keys[text]}", text)) in words(shown), text
    assert shown == invoke(name, "--help", f"--language={code}").output
    assert shown == invoke(name, "-h", CHITARRELLA_LANGUAGE=code).output
