"""Help of commands in the language of the option ``--language``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import click

from chitarrella.i18n.narration import TEXTS
from chitarrella.i18n.translator import ENGLISH, LANGUAGES, MissingCatalogueError, Translator, translator_for
from chitarrella_terminal.options import LANGUAGE_VARIABLE, GameCommand, system_language

HELP_TEXTS: Final[Mapping[str, str]] = TEXTS["help"]  # of the commands that have a language
HELP_KEYS: Final = {text: key for key, text in HELP_TEXTS.items()}
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


class TranslatedCommand(GameCommand):
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


def translate_help(translator: Translator, text: str) -> str:
    words = " ".join(text.split())
    return translator.text(f"help {HELP_KEYS[words]}", words) if words in HELP_KEYS else words
