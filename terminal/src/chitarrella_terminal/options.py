"""What the commands about games share: arguments and options, lookup of games, consoles, JSON output."""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem
from rich.console import Console

from chitarrella.bots import BOTS
from chitarrella.catalogue.registry import ALL, Catalogue, RuleSet, open_catalogue
from chitarrella.cli.common import PREFIX, ExampleCommand
from chitarrella.core.game import AnyGame
from chitarrella.core.options import InvalidOption
from chitarrella.i18n.translator import (
    ENGLISH,
    LANGUAGES,
    MissingCatalogueError,
    Translator,
    add_texts,
    translator_for,
)

F = TypeVar("F", bound=Callable[..., Any])

GAME_PACKAGES: Final = f"{PREFIX}GAME_PACKAGES"  # the packages whose games are there; every command reads it

PIPE_WIDTH: Final = 110  # the width of the output in columns if it is no terminal
MAX_LISTED: Final = 4  # a run of more numbers than this is shortened to its first and last
SEED_RANGE: Final = 10**9  # generated seeds are less than this, short enough to type


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Return the catalogue, loaded once; a package that is refused is named on the standard error."""
    opened = open_catalogue(os.environ.get(GAME_PACKAGES) or ALL)
    for refused in opened.refused:
        click.echo(f"Warning: {refused}", err=True)
    add_texts(opened)
    return opened


def console(*, stderr: bool = False) -> Console:
    """Return a console with colours on a terminal only; characters that the encoding lacks are replaced."""
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    created = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not created.is_terminal and "COLUMNS" not in os.environ:
        created.width = PIPE_WIDTH
    return created


def print_json(data: object) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def format_numbers(numbers: list[int], translator: Translator = ENGLISH) -> str:
    """Return ascending ``numbers`` as text: "2, 3, 4", or first to last for a long run."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) > MAX_LISTED and numbers == list(range(first, last + 1)):
        return translator.cli_text("span", first=first, last=last)
    return ", ".join(map(str, numbers))


def game_key(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return the key of the game with this key or title, ignoring case; fails with the most similar names."""
    known = {name.casefold(): game.key for game in catalogue() for name in (game.entry.title, game.key)}
    if key := known.get(value.casefold()):
        return key
    close = dict.fromkeys(known[name] for name in get_close_matches(value.casefold(), known, n=3))
    hint = f"Did you mean {' or '.join(close)}?" if close else f"Games: {', '.join(g.key for g in catalogue())}."
    raise click.BadParameter(f"there is no game {value[:40]!r}. {hint}", ctx, param)


def game_completion(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(g.key, help=g.entry.title) for g in catalogue() if g.key.startswith(incomplete.lower())]


def chosen_options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Parse ``NAME=VALUE`` pairs; fails for a word without ``=`` and for a name given twice."""
    pairs = []
    for value in values:
        name, equals, chosen = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value[:40]!r} should be name=value", ctx, param)
        pairs.append((name.strip(), chosen.strip()))
    if len({name for name, _ in pairs}) < len(pairs):
        raise click.BadParameter("an option is chosen twice", ctx, param)
    return tuple(sorted(pairs))


def configure_game(key: str, players: int | None, options: tuple[tuple[str, str], ...]) -> tuple[RuleSet, AnyGame]:
    """Return the normalized rule set and its game; raises `click.UsageError` with what the game offers instead."""
    try:
        rule_set = catalogue().normalize(RuleSet(key, players or 0, options))
        return rule_set, catalogue().game_for(rule_set)
    except InvalidOption as error:
        name = error.field.removeprefix("options.")
        raise click.UsageError(f"{name}: {error.message}\nSee 'chitarrella explain {key}'.") from None


game_argument = click.argument("game", callback=game_key, shell_complete=game_completion)
players_option = click.option("--players", "-p", type=click.IntRange(min=1), metavar="N",
                              show_default="the default of the game", help="Number of players.")  # fmt: skip
options_option = click.option("--option", "-o", "options", multiple=True, callback=chosen_options, metavar="NAME=VALUE",
                              help="An option of the game; may be repeated. 'chitarrella explain GAME' "
                              "lists them.")  # fmt: skip
seed_option = click.option("--seed", type=click.IntRange(min=0), metavar="N",
                           show_default="a new one, which is printed",
                           help="Seed of the shuffles and the bots; the same seed repeats a match.")  # fmt: skip

LANGUAGE_VARIABLE: Final = "CHITARRELLA_LANGUAGE"  # the environment variable with the language of the commands
LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables with the locale; the first one that is set counts."""


def language_of_locale(locale: str) -> str | None:
    """Return the language code of a system locale such as ``it_IT.UTF-8``, or None if it is not one of ours."""
    code = re.split(r"[_.@-]", locale, maxsplit=1)[0].lower()
    return code if code in LANGUAGES else None


def system_language() -> str:
    locale = next(filter(None, map(os.environ.get, LOCALES)), "")
    return language_of_locale(locale) or ENGLISH.code


def chosen_translator(ctx: click.Context, param: click.Parameter, value: str) -> Translator:
    catalogue()  # with the translations of its packages
    try:
        return translator_for(value)
    except MissingCatalogueError as error:
        raise click.ClickException(str(error)) from error


# The command gets a translator
language_option = click.option("--language", "translator", type=click.Choice(LANGUAGES), callback=chosen_translator,
                               envvar=LANGUAGE_VARIABLE, default=system_language, show_default="the system's, or en",
                               help="Language of the rules; also set by CHITARRELLA_LANGUAGE.")  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def bot_option(default: str) -> Callable[[F], F]:
    return click.option("--bot", type=click.Choice(tuple(BOTS)), default=default, show_default=True,
                        help="How the bots play: at random, greedily, or by a search.")  # fmt: skip


think_option = click.option("--think", type=click.IntRange(min=1, max=60_000), default=100, metavar="MS",
                            show_default=True, help="Milliseconds per move of the search bot. With a time limit its "
                            "moves may differ from run to run.")  # fmt: skip


def seed_or_new(seed: int | None) -> int:
    return secrets.randbelow(SEED_RANGE) if seed is None else seed


class GameCommand(ExampleCommand):
    """A command about games; ``{game}``, ``{other}``, ``{players}``, ``{option}`` are filled in its examples."""

    def example_lines(self) -> Iterable[str]:
        """Fill in the first game with what it offers, and the last one."""
        words = example_words()
        return [line.format_map(words) for line in self.examples]


def example_words() -> dict[str, str]:
    games = [*catalogue()]
    game = games[0]
    option = next(option for option in game.entry.options if len(option.choices) > 1)
    chosen = f"{option.name}={next(value for value in option.choices if value != option.default)}"
    return {"game": game.key, "other": games[-1].key, "players": str(game.entry.players[0]), "option": chosen}
