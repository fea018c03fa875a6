"""The command ``key``: creates an API key for a platform, and its line for the configuration of the service."""

from __future__ import annotations

import secrets

import click

from chitarrella.api.api_keys import ALL_SCOPES, PLATFORM_SCOPES, SCOPES, digest_of, make_token_key

BYTES = 24  # random bytes of an API key


@click.command(epilog="Put the second line into the file that CHITARRELLA_API_KEYS_FILE names, or into "
               "CHITARRELLA_API_KEYS, and restart the service. The key itself is not shown again.")  # fmt: skip
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, type=click.Choice([*SCOPES, ALL_SCOPES]), default=(ALL_SCOPES,),
              show_default=True, help="What the key may do; may be repeated.")  # fmt: skip
def command(name: str, scopes: tuple[str, ...]) -> None:
    """Create an API key for the platform NAME: prints the key, then its line for the configuration."""
    check_platform(name, "NAME")
    key = secrets.token_urlsafe(BYTES)
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
