"""The commands of operators beside ``serve``: copies of all matches of a store, and keys of platforms."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import click

from chitarrella.api.api_keys import ALL_SCOPES, PLATFORM_SCOPES, SCOPES, digest_of, make_token_key
from chitarrella.cli.common import ExampleCommand
from chitarrella.matches.backup import NotRestored, Summary, backup_lines, restore
from chitarrella.server.settings import Settings
from chitarrella.storage.backup import BackupStore
from chitarrella.storage.embedded_valkey import EmbeddedStoreError, EmbeddedValkey, running_url
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_url import connect
from chitarrella.storage.rows import StoreError

DEFAULTS = Settings()  # the settings of `serve` without any option
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
    is_hidden = not sys.stderr.isatty()
    with click.progressbar(count(), total, label, show_pos=True, file=sys.stderr, hidden=is_hidden) as progress:
        yield lambda matches: progress.update(matches - progress.pos)


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
def export_command(output: Path, redis_url: str, data: Path, prefix: str) -> None:
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


@click.command(
    cls=ExampleCommand,
    examples=("chitarrella import matches.backup", "age -d -i backup.key matches.age | chitarrella import -"),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--replace", is_flag=True, help="Replace matches, webhooks and the secret that the store has.")
@store_options
def import_command(file: Path, replace: bool, redis_url: str, data: Path, prefix: str) -> None:
    """Restore the matches of FILE ('-' for the standard input), which 'chitarrella export' wrote, to a store.

    The file is read twice: nothing is written before all of it was checked.
    """
    with (
        opened_store(redis_url, data, prefix) as connection,
        seekable(file) as opened,
        progress_of_matches("importing") as progress,
    ):
        try:
            summary = restore(opened, BackupStore(connection), replace=replace, progress=progress)
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


API_KEY_BYTES = 24  # random bytes of an API key


@click.command(epilog="Put the second line into the file that CHITARRELLA_API_KEYS_FILE names, or into "
               "CHITARRELLA_API_KEYS, and restart the service. The key itself is not shown again.")  # fmt: skip
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, type=click.Choice([*SCOPES, ALL_SCOPES]), default=(ALL_SCOPES,),
              show_default=True, help="What the key may do; may be repeated.")  # fmt: skip
def key_command(name: str, scopes: tuple[str, ...]) -> None:
    """Create an API key for the platform NAME: prints the key, then its line for the configuration."""
    check_platform(name, "NAME")
    key = secrets.token_urlsafe(API_KEY_BYTES)
    good_for = ",".join(
        one for one in dict.fromkeys(scopes) if one not in (PLATFORM_SCOPES if ALL_SCOPES in scopes else ())
    )
    click.echo(key)
    click.echo(f"{name} {good_for} {digest_of(key)}")


def check_platform(name: str, argument: str) -> None:
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise click.BadParameter("letters, digits, dots, dashes and underscores only", param_hint=argument)


@click.command(epilog="Put the second line into the file that CHITARRELLA_TOKEN_KEYS_FILE names, or into "
               "CHITARRELLA_TOKEN_KEYS, and restart the service. The platform must have an API key. The private key "
               "is not shown again.")  # fmt: skip
@click.argument("platform")
def token_key_command(platform: str) -> None:
    """Make a key pair for the tokens of PLATFORM: prints the private key as a JSON Web Key, then the line for the
    configuration with the public key.
    """
    check_platform(platform, "PLATFORM")
    for line in make_token_key(platform):
        click.echo(line)
