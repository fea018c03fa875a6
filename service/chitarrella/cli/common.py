"""Shared by the commands, also those of other packages: the names of variables, files, examples in the help."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click

PREFIX: Final = "CHITARRELLA_"  # the beginning of every variable of ours
FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


class ExampleCommand(click.Command):
    """A command whose help ends with examples."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.examples = examples

    def example_lines(self) -> Iterable[str]:
        return self.examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each on a line of its own, however long."""
        with formatter.section("Examples"):
            for line in self.example_lines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
