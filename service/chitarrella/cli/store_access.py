"""Shared by the commands that read or write a store: their options, and the store itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.progress import Progress, TextColumn

from chitarrella.cli.common import console
from chitarrella.server.settings import Settings
from chitarrella.storage.embedded_valkey import EmbeddedStoreError, EmbeddedValkey, running_url
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_url import connect
from chitarrella.storage.rows import StoreError

DEFAULTS = Settings()
"""The settings of `serve` without any option."""
F = TypeVar("F", bound=Callable[..., Any])


def store_options(command: F) -> F:
    """Add the options that name a store, the same as those of ``serve``."""
    for option in (
        click.option("--prefix", envvar="CHITARRELLA_PREFIX", default=DEFAULTS.prefix, show_default=True,
                     help="Prefix of every key in the store."),
        click.option("--data", envvar="CHITARRELLA_DATA", type=click.Path(file_okay=False, path_type=Path),
                     default=DEFAULTS.data, show_default=True,
                     help="Data folder of an embedded Valkey, whether it runs or not."),
        click.option("--redis-url", envvar="CHITARRELLA_REDIS_URL", default="",
                     help="The Redis or Valkey that stores the matches; by default the embedded one."),
    ):  # fmt: skip
        command = option(command)
    return command


@contextmanager
def opened_store(redis_url: str, data: Path, prefix: str) -> Iterator[RedisConnection]:
    """Open the store, starting its server where it is embedded and does not run; errors end the command."""
    with ExitStack() as stack:
        try:
            url = redis_url or running_url(data)
            if not url:
                embedded = EmbeddedValkey(data)
                stack.callback(embedded.stop)
                url = embedded.url
            connection = RedisConnection(connect(url), prefix)
            stack.callback(connection.close)
            yield connection
        except (EmbeddedStoreError, StoreError, ValueError, OSError) as error:
            raise click.ClickException(f"{error}") from error


@contextmanager
def progress_of_matches(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal; yields what sets the number of matches so far."""
    columns = (*Progress.get_default_columns(), TextColumn("{task.completed:.0f} matches"))
    screen = console(stderr=True)
    with Progress(*columns, console=screen, disable=not screen.is_terminal, transient=True) as progress:
        task = progress.add_task(label, total=total)
        yield lambda count: progress.update(task, completed=count)
