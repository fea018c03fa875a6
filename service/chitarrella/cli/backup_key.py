"""The command ``backup-key``: makes the key pair that encrypts backups."""

from __future__ import annotations

import click

from chitarrella.storage.backup_file import make_backup_key


@click.command(
    epilog="Put the first line into a file that is kept away from the service, for 'chitarrella import', and the "
    "second one into the file that 'chitarrella export --key-file' names. 'age-keygen' makes the same keys."
)
def command() -> None:
    """Make a key pair for backups: prints the secret key, which decrypts, then the public key, which encrypts."""
    for line in make_backup_key():
        click.echo(line)
