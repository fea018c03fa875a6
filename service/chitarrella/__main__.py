"""The command ``chitarrella``: one word for each thing it can do.

A command is imported when it is called, so that none waits for the libraries of another.
"""

from __future__ import annotations

import importlib
import os
import sys
from difflib import get_close_matches
from importlib.metadata import entry_points

try:
    import click
except ModuleNotFoundError:
    sys.exit("The command line belongs to the extra 'server': pip install 'chitarrella[server]'")

COMMANDS = {
    "serve": "Serve the games over gRPC and REST.",
    "edge-config": "Write the configuration of an Envoy in front of the service.",
    "key": "Make an API key for a platform.",
    "token-key": "Make the key pair by which a platform signs tokens.",
    "export": "Write all matches of a store to a file.",
    "import": "Restore the matches of a file to a store.",
    "health": "Ask a running service whether it is well.",
}
"""Every command with what it does. Its module in `chitarrella.cli` has its name, and calls it ``command``."""
BESIDE = {
    "edge-config": "edge:command",
    "key": "operate:key_command",
    "token-key": "operate:token_key_command",
    "export": "operate:export_command",
    "import": "operate:import_command",
}
"""The module and the name of those commands that stand beside another one."""
ELSEWHERE = {
    "games": ("List the games.", "chitarrella-terminal"),
    "explain": ("Explain a game, with its whole rule book.", "chitarrella-terminal"),
    "play": ("Play a match in the terminal, against bots.", "chitarrella-terminal"),
    "replay": ("Play a recorded match again, move by move.", "chitarrella-terminal"),
    "mcp": ("Serve tools to agents, over the Model Context Protocol.", "chitarrella-mcp"),
    "blocks": ("List the parts that a game of tricks is made of.", "chitarrella-testing"),
    "new-game": ("Begin a package with a game of your own.", "chitarrella-testing"),
    "perft": ("Count the ways a deal can go, to check the rules.", "chitarrella-lab"),
    "simulate": ("Simulate thousands of deals with bots.", "chitarrella-lab"),
    "strength": ("Measure which of two bots or agents plays better.", "chitarrella-lab"),
}
"""Commands of other packages that we publish: what each does, and the package. Any package may add commands, by entry
points of the group `GROUP`.
"""
GROUP = "chitarrella.commands"


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and not to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List our commands, in their order, then those of other packages."""
        return list(dict.fromkeys([*COMMANDS, *ELSEWHERE, *entry_points(group=GROUP).names]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command, importing its module; fails if its package is not installed."""
        if cmd_name in ("serve", "mcp"):  # the C core of gRPC reads it when it is imported
            os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its log is not JSON
        command = None
        if cmd_name in COMMANDS:
            module, _, name = BESIDE.get(cmd_name, f"{cmd_name}:command").partition(":")
            try:
                command = getattr(importlib.import_module(f"chitarrella.cli.{module}"), name)
            except ModuleNotFoundError as error:
                raise click.ClickException(f"{error}; try pip install 'chitarrella[server]'") from error
        elif found := entry_points(group=GROUP, name=cmd_name):
            command = next(iter(found)).load()
        elif cmd_name in ELSEWHERE:
            package = ELSEWHERE[cmd_name][1]
            raise click.ClickException(f"'{cmd_name}' belongs to the package '{package}': pip install {package}")
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that ``args`` begin with; fails with the most similar one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            close = get_close_matches(args[0], self.list_commands(ctx), n=1)
            raise click.UsageError(f"{error.message} Did you mean {close[0]}?", ctx) if close else error from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        with formatter.section("Commands"):
            does = {**COMMANDS, **{name: text for name, (text, _) in ELSEWHERE.items()}}
            formatter.write_dl([(name, does.get(name, "")) for name in self.list_commands(ctx)])


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog="Try 'chitarrella COMMAND --help'."
)
@click.version_option(package_name="chitarrella", message="%(prog)s %(version)s")
def main() -> None:
    """One authority for the rules of regional card games."""


if __name__ == "__main__":
    main(prog_name="chitarrella")
