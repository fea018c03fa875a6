"""``chitarrella key``: make an API key for a platform, and the line by which the service knows it."""

from __future__ import annotations

import secrets

import click

from chitarrella.platforms import EVERYTHING, SCOPES, digest_of

BYTES = 24


@click.command(epilog="Put the second line into the file that CHITARRELLA_API_KEYS_FILE names, or into "
               "CHITARRELLA_API_KEYS, and restart the service. The key itself is shown this once.")  # fmt: skip
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, type=click.Choice([*SCOPES, EVERYTHING]), default=(EVERYTHING,),
              show_default=True, help="What the key is good for; may be given several times.")  # fmt: skip
def command(name: str, scopes: tuple[str, ...]) -> None:
    """Make an API key for the platform NAME: prints the key, then the line by which the service knows it."""
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise click.BadParameter("letters, digits, dots, dashes and underscores only", param_hint="NAME")
    key = secrets.token_urlsafe(BYTES)
    good_for = EVERYTHING if EVERYTHING in scopes else ",".join(dict.fromkeys(scopes))
    click.echo(key)
    click.echo(f"{name} {good_for} {digest_of(key)}")
