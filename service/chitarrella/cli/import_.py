"""The command ``import``: restores the matches of a file to a store."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import click

from chitarrella.cli.help_examples import ExampleCommand
from chitarrella.cli.store_access import opened_store, progress_of_matches, store_options
from chitarrella.matches.backup import BackupReader, NotRestored
from chitarrella.matches.restore import restore
from chitarrella.storage.backup import BackupStore


@click.command(
    cls=ExampleCommand,
    examples=("chitarrella import matches.backup", "age -d -i backup.key matches.age | chitarrella import -"),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--replace", is_flag=True, help="Replace matches, webhooks and the secret that the store has.")
@store_options
def command(file: Path, replace: bool, redis_url: str, data: Path, prefix: str) -> None:
    """Restore the matches of FILE ('-' for the standard input), which 'chitarrella export' wrote, to a store.

    The file is read twice: nothing is written before all of it was checked.
    """
    with opened_store(redis_url, data, prefix) as connection, seekable(file) as opened:

        def feed(reader: BackupReader) -> None:
            opened.seek(0)
            shutil.copyfileobj(opened, reader)

        with progress_of_matches("importing") as progress:
            try:
                summary = restore(feed, BackupStore(connection), replace=replace, progress=progress)
            except NotRestored as error:
                raise click.ClickException(f"{error}; --replace replaces what is there") from error
    click.echo(f"{summary.matches} matches and {summary.webhooks} webhooks of {summary.time} imported", err=True)


@contextmanager
def seekable(path: Path) -> Iterator[BinaryIO]:
    """Open a file that can be read twice; the standard input is copied to one without a name, as it is."""
    if path != Path("-"):
        with path.open("rb") as file:
            yield file
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        yield cast(BinaryIO, copy)
