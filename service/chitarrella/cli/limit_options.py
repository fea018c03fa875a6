"""The options of ``serve`` that limit callers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from chitarrella.server.settings import Settings
from chitarrella.storage.redis_rates import parse_rate

DEFAULTS: Final = Settings()


def _rate(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        parse_rate(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


OPTIONS: Final = (
    click.option("--rate-platform", envvar="CHITARRELLA_RATE_PLATFORM", default=DEFAULTS.rate_platform, callback=_rate,
                 show_default=True, help="Calls of a platform; 0 for no limit."),
    click.option("--rate-anonymous", envvar="CHITARRELLA_RATE_ANONYMOUS", default=DEFAULTS.rate_anonymous,
                 callback=_rate, show_default=True, help="Calls of an address without an API key; 0 for no limit."),
)  # fmt: skip


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, in their order."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
