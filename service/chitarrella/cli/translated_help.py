"""A help text in the language that the command speaks: that of ``--language``, of the environment, or of the system."""

from __future__ import annotations

import os
from collections.abc import Sequence
from inspect import cleandoc
from itertools import pairwise
from typing import Final

import click

from chitarrella.cli.common import LANGUAGE_VARIABLE, system_language
from chitarrella.cli.help_examples import ExampleCommand
from chitarrella.i18n.help_texts import HELP_TEXTS, translate_help
from chitarrella.i18n.translator import ENGLISH, LANGUAGES, MissingCatalogueError, Translator, translator_for

OPTION: Final = "--language"
"""The option that chooses the language."""
TRANSLATOR: Final = "chitarrella.translator"
"""The key of the translator among the values of a context."""
DEFAULT: Final = "default: "
"""What click writes before the default of an option."""


class TranslatedCommand(ExampleCommand):
    """A command whose help is translated. Its texts are among `HELP_TEXTS`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the language before anything else, because the help is shown while the arguments are parsed."""
        ctx.meta[TRANSLATOR] = _translator(args)
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the line of usage."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{self._say(ctx, HELP_TEXTS['usage'])} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, paragraph by paragraph."""
        for paragraph in cleandoc(self.help or "").split("\n\n"):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(self._say(ctx, paragraph))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options with what they do and their defaults."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = [(option, option.get_help_record(ctx)) for option in options]
        rows = [(record[0], self._option_text(ctx, option, record[1])) for option, record in records if record]
        with formatter.section(self._say(ctx, HELP_TEXTS["options"])):
            formatter.write_dl(rows)

    def examples_heading(self, ctx: click.Context) -> str:
        """The heading of the examples."""
        return self._say(ctx, HELP_TEXTS["examples"])

    def _option_text(self, ctx: click.Context, option: click.Option, text: str) -> str:
        """Translate the text of an option, and of what stands in brackets behind it the names of its default."""
        said = option.help or ""
        extras = text.removeprefix(said).strip().removeprefix("[").removesuffix("]")
        parts = [self._extra(ctx, part) for part in extras.split("; ") if part]
        return "  ".join(filter(None, [self._say(ctx, said), f"[{'; '.join(parts)}]" if parts else ""]))

    def _extra(self, ctx: click.Context, part: str) -> str:
        if not part.startswith(DEFAULT):
            return part
        value = part.removeprefix(DEFAULT)
        if value.startswith("("):
            value = f"({self._say(ctx, value[1:-1])})"
        return f"{self._say(ctx, HELP_TEXTS['default'])}: {value}"

    def _say(self, ctx: click.Context, text: str) -> str:
        return translate_help(ctx.meta.get(TRANSLATOR, ENGLISH), text)


def _translator(args: Sequence[str]) -> Translator:
    """Return the translator that the arguments ask for, else that of the environment or the system."""
    chosen = [word.partition("=")[2] for word in args if word.startswith(f"{OPTION}=")]
    chosen += [word for before, word in pairwise(args) if before == OPTION]
    languages = [*chosen[:1], os.environ.get(LANGUAGE_VARIABLE, ""), system_language()]
    try:
        return translator_for(next(language for language in languages if language in LANGUAGES))
    except MissingCatalogueError:
        return ENGLISH
