"""The command ``token-key``: makes the key pair by which a platform signs tokens for its own users."""

from __future__ import annotations

import click

from chitarrella.api.tokens import make_token_key
from chitarrella.cli.key import check_platform


@click.command(epilog="Put the second line into the file that CHITARRELLA_TOKEN_KEYS_FILE names, or into "
               "CHITARRELLA_TOKEN_KEYS, and restart the service. The platform must have an API key. The private key "
               "is not shown again.")  # fmt: skip
@click.argument("platform")
def command(platform: str) -> None:
    """Make a key pair for the tokens of PLATFORM: prints the private key as a JSON Web Key, then the line for the
    configuration with the public key.
    """
    check_platform(platform, "PLATFORM")
    for line in make_token_key(platform):
        click.echo(line)
