"""The options of ``serve`` that limit callers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from chitarrella.server.settings import Settings
from chitarrella.storage.counters import parse_rate

DEFAULTS: Final = Settings()
"""The settings without any option."""
MAX_SECONDS: Final = 100 * 365 * 24 * 3600
"""The longest duration of an option, a hundred years; stores do not take one without a bound."""


def _rate(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        parse_rate(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


OPTIONS: Final = (
    click.option("--trusted-proxies", envvar="CHITARRELLA_TRUSTED_PROXIES", type=click.IntRange(0, 10),
                 default=DEFAULTS.trusted_proxies, help="Proxies before REST that add to X-Forwarded-For."),
    click.option("--rate-platform", envvar="CHITARRELLA_RATE_PLATFORM", default=DEFAULTS.rate_platform, callback=_rate,
                 show_default=True, help="Calls of a platform; 0 for no limit."),
    click.option("--rate-anonymous", envvar="CHITARRELLA_RATE_ANONYMOUS", default=DEFAULTS.rate_anonymous,
                 callback=_rate, show_default=True, help="Calls of an address without an API key; 0 for no limit."),
    click.option("--open-matches-platform", envvar="CHITARRELLA_OPEN_MATCHES_PLATFORM", type=click.IntRange(0),
                 default=DEFAULTS.open_matches_platform, show_default=True,
                 help="Open matches of a platform; 0 for no cap."),
    click.option("--open-matches-anonymous", envvar="CHITARRELLA_OPEN_MATCHES_ANONYMOUS", type=click.IntRange(0),
                 default=DEFAULTS.open_matches_anonymous, show_default=True,
                 help="Open matches of an address without an API key; 0 for no cap."),
    click.option("--bot-matches-platform", envvar="CHITARRELLA_BOT_MATCHES_PLATFORM", type=click.IntRange(0),
                 default=DEFAULTS.bot_matches_platform, show_default=True,
                 help="Open matches of a platform in which bots play; 0 for no cap."),
    click.option("--bot-matches-anonymous", envvar="CHITARRELLA_BOT_MATCHES_ANONYMOUS", type=click.IntRange(0),
                 default=DEFAULTS.bot_matches_anonymous, show_default=True,
                 help="The same of an address without an API key; 0 for no cap."),
    click.option("--watches-platform", envvar="CHITARRELLA_WATCHES_PLATFORM", type=click.IntRange(0),
                 default=DEFAULTS.watches_platform, show_default=True,
                 help="Live watches of a platform at a worker; 0 for no cap."),
    click.option("--watches-anonymous", envvar="CHITARRELLA_WATCHES_ANONYMOUS", type=click.IntRange(0),
                 default=DEFAULTS.watches_anonymous, show_default=True,
                 help="Live watches of an address without an API key at a worker; 0 for no cap."),
    click.option("--max-expires", envvar="CHITARRELLA_MAX_EXPIRES", type=click.IntRange(60, MAX_SECONDS),
                 default=DEFAULTS.max_expires, show_default=True,
                 help="The most seconds from a move to deletion that a call may ask for."),
)  # fmt: skip
"""The options of `serve` that limit callers."""


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, in their order."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
