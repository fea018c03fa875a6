"""Shared by the commands: arguments and options, lookup of games, consoles, JSON output."""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem
from rich.console import Console
from rich.style import Style
from rich.text import Text

from chitarrella.bots import BOTS
from chitarrella.catalogue.registry import ALL, Catalogue, RuleSet, open_catalogue
from chitarrella.core.cards import Card, Hand, UnknownCard
from chitarrella.core.game import AnyGame
from chitarrella.core.options import InvalidOption, default_players
from chitarrella.i18n.narration import kind, names
from chitarrella.i18n.translator import (
    ENGLISH,
    LANGUAGES,
    MissingCatalogueError,
    Translator,
    add_texts,
    language_of_locale,
    translate_help,
    translator_for,
)

F = TypeVar("F", bound=Callable[..., Any])

PREFIX: Final = "CHITARRELLA_"  # the beginning of every variable of ours
GAME_PACKAGES: Final = f"{PREFIX}GAME_PACKAGES"  # the packages whose games are there; every command reads it
FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)

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
    known = {name.casefold(): game.key for game in catalogue() for name in (game.title, game.key)}
    if key := known.get(value.casefold()):
        return key
    close = dict.fromkeys(known[name] for name in get_close_matches(value.casefold(), known, n=3))
    hint = f"Did you mean {' or '.join(close)}?" if close else f"Games: {', '.join(g.key for g in catalogue())}."
    raise click.BadParameter(f"there is no game {value[:40]!r}. {hint}", ctx, param)


def game_completion(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(g.key, help=g.title) for g in catalogue() if g.key.startswith(incomplete.lower())]


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
        offered = [option.name for option in catalogue().game(key).options]
        message = error.message
        if error.field != name and name not in offered:
            close = get_close_matches(name, offered, n=3)
            message += f"; did you mean {' or '.join(close)}?" if close else f"; options: {', '.join(offered)}"
        raise click.UsageError(f"{name}: {message}\nSee 'chitarrella explain {key}'.") from None


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


class ExampleCommand(click.Command):
    """A command whose help ends with examples; ``{game}``, ``{other}``, ``{players}``, ``{option}`` are filled in."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each on a line of its own, however long."""
        words = example_words()
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line.format_map(words)}\n")


def example_words() -> dict[str, str]:
    games = [*catalogue()]
    game = games[0]
    return {"game": game.key, "other": games[-1].key, "players": str(default_players(game)), "option": _option(game)}


def _option(game: AnyGame) -> str:
    option = next(option for option in game.options if len(option.choices) > 1)
    return f"{option.name}={next(value for value in option.choices if value != option.default)}"


OPTION: Final = "--language"  # the option that chooses the language
TRANSLATOR: Final = "chitarrella.translator"  # the key of the translator among the values of a context
DEFAULT: Final = "default: "  # what click writes before the default of an option


class TranslatedFormatter(click.HelpFormatter):
    """Translates whatever click writes of a command. Its texts are among `HELP_TEXTS`."""

    translator = ENGLISH

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, f"{self._say(prefix or 'Usage:')} ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(self._say(heading))

    def write_text(self, text: str) -> None:
        super().write_text("\n\n".join(map(self._say, text.split("\n\n"))))

    def write_dl(self, rows: Iterable[tuple[str, str]], *widths: int, **named: int) -> None:
        super().write_dl([(name, self._option(text)) for name, text in rows], *widths, **named)

    def _option(self, text: str) -> str:
        """Translate the text of an option, and of what stands in brackets behind it the names of its default."""
        said, bracket, extras = text.partition("  [")
        more = f"  [{'; '.join(map(self._extra, extras.removesuffix(']').split('; ')))}]" if bracket else ""
        return self._say(said) + more

    def _extra(self, part: str) -> str:
        if not part.startswith(DEFAULT):
            return part
        value = part.removeprefix(DEFAULT)
        return f"{self._say('default')}: {f'({self._say(value[1:-1])})' if value.startswith('(') else value}"

    def _say(self, text: str) -> str:
        return translate_help(self.translator, text)


class TranslatedContext(click.Context):
    def make_formatter(self) -> click.HelpFormatter:
        formatter = TranslatedFormatter(width=self.terminal_width, max_width=self.max_content_width)
        formatter.translator = self.meta.get(TRANSLATOR, ENGLISH)
        return formatter


class TranslatedCommand(ExampleCommand):
    """A command whose help is translated."""

    context_class = TranslatedContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the language before anything else, because the help is shown while the arguments are parsed."""
        ctx.meta[TRANSLATOR] = _translator(args)
        return super().parse_args(ctx, args)


def _translator(args: Sequence[str]) -> Translator:
    """Return the translator that the arguments ask for, else that of the environment or the system."""
    chosen = [word.partition("=")[2] for word in args if word.startswith(f"{OPTION}=")]
    chosen += [word for before, word in pairwise(args) if before == OPTION]
    languages = [*chosen[:1], os.environ.get(LANGUAGE_VARIABLE, ""), system_language()]
    try:
        return translator_for(next(language for language in languages if language in LANGUAGES))
    except MissingCatalogueError:
        return ENGLISH


COLOURS: Final = {  # the colour of each suit on a terminal
    "batons": "green",
    "cups": "red",
    "coins": "yellow",
    "swords": "cyan",
    "clubs": "green",
    "diamonds": "yellow",
    "hearts": "red",
    "spades": "cyan",
    "numbers": "cyan",
    "pictures": "magenta",
}
LATIN_SYMBOLS: Final = {"b": "⚚", "c": "⚱", "d": "◉", "s": "⚔"}  # symbols of batons, cups, coins and swords
SYMBOLS: Final = {  # symbols of suits, by the kind of the pack; all are one column wide
    "Italian": LATIN_SYMBOLS,
    "Spanish": LATIN_SYMBOLS,
    "French": {"c": "♣", "d": "♦", "h": "♥", "s": "♠"},
}
BACK: Final = "▮"  # a card that lies face down
LABEL: Final = 16  # the width in columns of the label before a row of cards


class CardStyle:
    """Prints and parses the cards of one game."""

    def __init__(self, game: AnyGame, translator: Translator = ENGLISH, *, symbols: bool = False) -> None:
        """Use the pack of ``game``, and the suits that its cards count as.

        ``translator`` names what cards count. With ``symbols`` a card is followed by the symbol of its suit.
        """
        self.game = game
        self.translator = translator
        self.symbols = SYMBOLS.get(kind(game.pack), {}) if symbols else {}
        self.pack = game.pack
        self.suit_of = {} if game.trick_rules is None else game.trick_rules.suit_of
        self.places = {card: place for place, card in enumerate(game.pack.faces.values())}

    def style(self, card: Card) -> Style:
        suit = self.suit_of.get(card, card.suit)
        colour = COLOURS.get(names(self.pack).get(suit, suit))
        return Style(color=colour, bold=True)

    def card(self, card: Card, *, dimmed: bool = False, copies: int = 1) -> Text:
        text = Text(" ".join([f"{card}{self.symbols.get(card.suit, '')}"] * copies))
        text.stylize(Style(dim=True) if dimmed else self.style(card))
        return text

    def grouped(self, hand: Hand) -> list[tuple[Card, int]]:
        """Return the faces of a hand in the order of the pack, each with the number of its copies."""
        ordered = sorted(hand, key=self.places.__getitem__)
        return [(card, len(list(copies))) for card, copies in groupby(ordered)]

    def count_text(self, cards: Hand, trump: str) -> str:
        """Return what ``cards`` count together, such as "11 points"; empty if nothing."""
        tricks = self.game.trick_rules
        if tricks is None:
            return ""
        counted = [(self.translator.noun(count), number) for count, number in tricks.count(cards, trump) if number]
        is_english = self.translator.code == ENGLISH.code
        return self.translator.cli_text("and").join(
            f"{number} {count.removesuffix('s') if number == 1 and is_english else count}" for count, number in counted
        )

    def text(self, sentence: str, style: str = "") -> Text:
        text = Text(sentence, style=style)
        for found in self._words.finditer(sentence):
            text.stylize(self.style(self.pack.faces[found[0]]), *found.span())
        return text

    @cached_property
    def _words(self) -> re.Pattern[str]:
        every = sorted(self.pack.faces, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, every))})(?!\w)")

    @cached_property
    def _typed(self) -> dict[str, Card]:
        return {card.casefold(): card for card in self.pack.faces.values()}

    def parse_card(self, word: str) -> Card:
        """Parse a card, ignoring case; raises `UnknownCard`."""
        card = self._typed.get(word.casefold())
        if card is None:
            raise UnknownCard(word, self.pack.name)
        return card
