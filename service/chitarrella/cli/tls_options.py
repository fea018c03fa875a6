"""The options of ``serve`` for TLS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
"""The type of an option that names an existing file."""

OPTIONS: Final = (
    click.option("--tls-cert", envvar="CHITARRELLA_TLS_CERT_FILE", type=FILE,
                 help="Speak TLS with this certificate chain (PEM), on the ports of gRPC and REST."),
    click.option("--tls-key", envvar="CHITARRELLA_TLS_KEY_FILE", type=FILE,
                 help="The private key of the certificate (PEM, not encrypted)."),
    click.option("--tls-client-ca", envvar="CHITARRELLA_TLS_CLIENT_CA_FILE", type=FILE,
                 help="Serve only clients with a certificate of these CAs (mTLS)."),
)  # fmt: skip
"""The options of `serve` for TLS."""


def tls_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, in their order."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
