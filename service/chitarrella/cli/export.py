"""The command ``export``: writes all matches of a store to a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import click

from chitarrella.cli.help_examples import ExampleCommand
from chitarrella.cli.store_access import opened_store, progress_of_matches, store_options
from chitarrella.matches.backup import Summary, backup_lines
from chitarrella.storage.backup import BackupStore


@click.command(
    cls=ExampleCommand,
    examples=(
        "chitarrella export --output matches.backup",
        "chitarrella export --redis-url redis://localhost:6379 | age -R backup.pub > matches.age",
    ),
)
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), default=Path("-"),
              help="The file to write, which must not exist; '-' for the standard output, the default.")  # fmt: skip
@store_options
def command(output: Path, redis_url: str, data: Path, prefix: str) -> None:
    """Write all matches, webhooks and the secret of a store to a file, also while it is in use.

    The file holds all hands and secrets: pipe it through age or gpg, or keep it as safe as the store.
    'chitarrella import' reads it.
    """
    if output == Path("-") and sys.stdout.isatty():
        raise click.UsageError("name a file by --output: the backup is not for a terminal.")
    if not redis_url and not data.is_dir():
        raise click.ClickException(f"there is no data folder {data}; name it by --data, or a store by --redis-url")
    summary, now = Summary(), datetime.now(UTC).isoformat(timespec="seconds")
    with opened_store(redis_url, data, prefix) as connection, new_file(output) as file:
        store = BackupStore(connection)
        if not store.get_secret():
            raise click.ClickException(f"no service has served this store under the prefix {prefix!r}")
        with progress_of_matches("exporting", store.estimate()) as progress:
            file.writelines(backup_lines(store, prefix, now, summary, progress))
    click.echo(f"{summary.matches} matches and {summary.webhooks} webhooks exported", err=True)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Open a new file that only its owner may read; it has its name when it is whole. '-' is the standard output."""
    if path == Path("-"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if path.exists():
        raise click.ClickException(f"{path} exists already")
    part = path.with_name(f"{path.name}.part")
    try:
        with open(part, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
