"""The help of the commands that have a language, in that language."""

from inspect import cleandoc
from typing import cast

import click
import pytest

from chitarrella.__main__ import COMMANDS, ELSEWHERE, main
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella_terminal.translated_help import HELP_TEXTS, TranslatedCommand
from tests.cli.run_command import invoke

GROUP = main
WITH_LANGUAGE = ("explain", "play", "replay")


def command(name: str) -> TranslatedCommand:
    return cast(TranslatedCommand, GROUP.get_command(click.Context(GROUP), name))


def context_of(name: str) -> click.Context:
    return click.Context(command(name), info_name=name, help_option_names=["-h", "--help"])


def texts(name: str) -> set[str]:
    found = [" ".join(paragraph.split()) for paragraph in cleandoc(command(name).help or "").split("\n\n")]
    for option in command(name).get_params(context_of(name)):
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
        if (found := GROUP.get_command(click.Context(GROUP), name))
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
