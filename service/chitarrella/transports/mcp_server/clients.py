"""The service as the tools ask it: a Python client for each language, and errors as results."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Annotated, Literal, ParamSpec, TypeAlias, TypeVar, cast

from pydantic import Field

from chitarrella.transports.mcp_server.results import error_result, success_result
from chitarrella_client import Chitarrella, ChitarrellaError

_P = ParamSpec("_P")
T = TypeVar("T")

Connect: TypeAlias = Callable[[str], Chitarrella]
"""Returns a client whose texts are in a language: "en", "it" or "de"."""

Language: TypeAlias = Annotated[Literal["en", "it", "de"], Field(description="The language of texts.")]
"""The parameter of every tool that returns sentences."""

GameKey: TypeAlias = Annotated[str, Field(description="The key of the game, as list_games has it.")]
"""The parameter that names a game."""

Players: TypeAlias = Annotated[int, Field(description="Number of players; 0 for the default of the game.", ge=0)]
"""The parameter for the number of players."""

Options: TypeAlias = Annotated[
    dict[str, str] | None, Field(description="Options of the game by name; get_game lists them.")
]
"""The parameter for the options of a rule set."""


def by_language(connect: Connect) -> Connect:
    """Return a function that connects once for each language."""
    return lru_cache(maxsize=None)(connect)


def answered(tool: Callable[_P, T]) -> Callable[_P, T]:
    """Return a tool that answers in the form of the protocol, also where it fails: then with a reason code.

    Its declared type stays, because the schema of its output is made of that.
    """

    @wraps(tool)
    def call(*args: _P.args, **keywords: _P.kwargs) -> T:
        try:
            return cast(T, success_result(tool(*args, **keywords)))
        except ChitarrellaError as error:
            return cast(T, error_result(error))

    return call
