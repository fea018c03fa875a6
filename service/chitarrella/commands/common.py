"""What the commands share: games by name, agreed options, seeds, and the two consoles."""

from __future__ import annotations

import io
import json
import os
import secrets
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem
from rich.console import Console

from chitarrella.bots import BOTS
from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.game import AnyGame
from chitarrella.option import BadChoice
from chitarrella.tongues import ENGLISH, LANGUAGES, Tongue, language_of, tongue

F = TypeVar("F", bound=Callable[..., Any])

PIPE_WIDTH: Final = 110
"""Columns where there is no terminal to ask."""
MANY: Final = 4
"""So many numbers are still named one by one."""
SEEDS: Final = 10**9
"""Seeds that are made up lie below this, short enough to be typed again."""


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Load the games, once."""
    return Catalogue()


# ---------------------------------------------------------------------- output


def console(*, stderr: bool = False) -> Console:
    """Open a console: colours on a terminal only, and no letter that the encoding lacks ends the program."""
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    made = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = PIPE_WIDTH
    return made


def print_json(data: object) -> None:
    """Print data for other programs."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def examples(*lines: str) -> str:
    """Put examples under a help text, each on a line of its own."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def spans(numbers: list[int], tongue: Tongue = ENGLISH) -> str:
    """Say numbers that stand in order: "2, 3, 4", and of many in a row only the first and the last."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) > MANY and numbers == list(range(first, last + 1)):
        return tongue.phrase("span", first=first, last=last)
    return ", ".join(map(str, numbers))


# ---------------------------------------------------------------------- what is agreed


def game_key(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Find the key of a game by its key or title, in small or capital letters; fails with the most similar names."""
    known = {name.casefold(): game.key for game in catalogue() for name in (game.title, game.key)}
    if key := known.get(value.casefold()):
        return key
    close = dict.fromkeys(known[name] for name in get_close_matches(value.casefold(), known, n=3))
    hint = f"Did you mean {' or '.join(close)}?" if close else f"Games: {', '.join(g.key for g in catalogue())}."
    raise click.BadParameter(f"there is no game {value[:40]!r}. {hint}", ctx, param)


def game_completion(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the games that begin so to the shell."""
    return [CompletionItem(g.key, help=g.title) for g in catalogue() if g.key.startswith(incomplete.lower())]


def chosen_options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Take ``name=value`` apart; fails for a word without ``=`` and for a name given twice."""
    pairs = []
    for value in values:
        name, equals, chosen = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value[:40]!r} should be name=value", ctx, param)
        pairs.append((name.strip(), chosen.strip()))
    if len({name for name, _ in pairs}) < len(pairs):
        raise click.BadParameter("an option is chosen twice", ctx, param)
    return tuple(sorted(pairs))


def agree(key: str, players: int | None, options: tuple[tuple[str, str], ...]) -> tuple[Agreement, AnyGame]:
    """Seat the game; a choice that it does not offer ends the command with what it does offer."""
    try:
        agreement = catalogue().settle(Agreement(key, players or 0, options))
        return agreement, catalogue().seat(agreement)
    except BadChoice as error:
        name = error.field.removeprefix("options.")
        offered = [option.name for option in catalogue().game(key).options]
        because = error.because
        if error.field != name and name not in offered:
            close = get_close_matches(name, offered, n=3)
            because += f"; did you mean {' or '.join(close)}?" if close else f"; options: {', '.join(offered)}"
        raise click.UsageError(f"{name}: {because}\nSee 'chitarrella explain {key}'.") from None


game_argument = click.argument("game", callback=game_key, shell_complete=game_completion)
players_option = click.option(
    "--players",
    "-p",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="the number it is best for",
    help="How many play.",
)
options_option = click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    callback=chosen_options,
    metavar="NAME=VALUE",
    help="Something the table agrees on; may be repeated. 'chitarrella explain GAME' lists them.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    show_default="a new one, which is printed",
    help="Shuffle, and let the bots choose, as with this seed before.",
)
LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the system says in which language it speaks; the first that says anything counts."""


def system_language() -> str:
    """Give the language of the system, if it is one of ours, and else English."""
    said = next(filter(None, map(os.environ.get, LOCALES)), "")
    return language_of(said) or ENGLISH.code


def chosen_tongue(ctx: click.Context, param: click.Parameter, value: str) -> Tongue:
    """Take up the language."""
    return tongue(value)


language_option = click.option(
    "--language",
    "tongue",
    type=click.Choice(LANGUAGES),
    callback=chosen_tongue,
    envvar="CHITARRELLA_LANGUAGE",
    default=system_language,
    show_default="the system's, or en",
    help="Say the rules in this language; also by CHITARRELLA_LANGUAGE.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for other programs.")


def bot_option(default: str) -> Callable[[F], F]:
    """Let the caller choose the bots."""
    return click.option(
        "--bot",
        type=click.Choice(tuple(BOTS)),
        default=default,
        show_default=True,
        help="How the bots play: any card, the one that brings most at once, or with a look ahead.",
    )


think_option = click.option(
    "--think",
    type=click.IntRange(min=1, max=60_000),
    default=100,
    metavar="MS",
    show_default=True,
    help="Milliseconds that a bot which looks ahead takes over a move; by the clock it may choose otherwise next time.",
)


def seed_or_new(seed: int | None) -> int:
    """Give the seed that was asked for, or make one up."""
    return secrets.randbelow(SEEDS) if seed is None else seed
