"""The environment variables of options: shown in the help, and those that no option reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import click

PREFIX: Final = "CHITARRELLA_"
"""The beginning of every variable of ours."""
GAME_PACKAGES: Final = f"{PREFIX}GAME_PACKAGES"
"""The packages whose games are there, see `chitarrella.catalogue.packages.load_packages`; every command reads it."""
_KUBERNETES: Final = re.compile(r"CHITARRELLA_(\w+_)?(SERVICE|PORT)(_\w+)?")
"""Variables that Kubernetes sets for services whose names begin so."""


def show_variables(command: click.Command) -> click.Command:
    """Show in the help of each option the variable that sets it."""
    for option in command.params:
        if isinstance(option, click.Option) and option.envvar:
            option.show_envvar = True
    return command


def unread(command: click.Command, names: Iterable[str]) -> Iterator[str]:
    """Yield those of the variables ``names`` that begin like ours and set no option of ``command``."""
    known = {option.envvar for option in command.params}
    for name in names:
        if name.startswith(PREFIX) and name not in known and not _KUBERNETES.fullmatch(name):
            yield name
