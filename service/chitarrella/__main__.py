"""The command ``chitarrella``: one word for each thing it can do.

A command is imported when it is called, so that none waits for the libraries of another.
"""

from __future__ import annotations

import importlib
import sys

try:
    import click
except ModuleNotFoundError:
    sys.exit("The command line belongs to the extra 'server': pip install 'chitarrella[server]'")

COMMANDS = {
    "serve": "chitarrella.commands.serve",
    "health": "chitarrella.commands.health",
    "games": "chitarrella.commands.games",
    "explain": "chitarrella.commands.explain",
    "play": "chitarrella.commands.play",
    "replay": "chitarrella.commands.replay",
    "perft": "chitarrella.commands.perft",
    "simulate": "chitarrella.commands.simulate",
}
"""The module of each command, which calls it ``command``."""


class Commands(click.Group):
    """A group that imports a command when it is wanted, and lists them in the order of `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command: those of other modules first, then the ones that are defined here."""
        return [*COMMANDS, *(name for name in super().list_commands(ctx) if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command, importing its module."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command = importlib.import_module(COMMANDS[cmd_name]).command
        return command if isinstance(command, click.Command) else None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try 'chitarrella play briscola', or 'chitarrella COMMAND --help'.",
)
@click.version_option(package_name="chitarrella", message="%(prog)s %(version)s")
def main() -> None:
    """One authority for the rules of Italian card games."""


if __name__ == "__main__":
    main(prog_name="chitarrella")
