"""Arguments of callers, checked against the annotations: a wrong one names itself and what it takes.

An annotation may have its own words: ``Annotated[Mapping[int, str], "bots by seat, such as {1: 'greedy'}"]``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

C = TypeVar("C", bound=Callable[..., Any])
T = TypeVar("T")

WORDS = {str: "text", int: "a whole number", bool: "True or False", float: "a number", NoneType: "None"}
SIGNED = frozenset({"amount", "options", "shares"})
"""The arguments whose numbers may lie below 0."""
SCHEME = re.compile(r"(dns|ipv4|ipv6|unix|unix-abstract|vsock|xds|google-c2p):")
"""How an address begins that names its kind to gRPC."""


class WrongArgument(TypeError):
    """An argument, or a field of one, has a value that it does not take."""

    def __init__(self, field: str, message: str) -> None:
        """``field`` is its name, and begins the message."""
        super().__init__(f"{field} {message}")
        self.field = field


def checked(target: type[T]) -> type[T]:
    """Check the arguments of the public methods of a class."""
    for name, method in list(vars(target).items()):
        if inspect.isfunction(method) and (name == "__init__" or not name.startswith("_")):
            setattr(target, name, check_arguments(method))
    return target


def check_arguments(function: C) -> C:
    """Return the function with a check of its arguments before it; a wrong one is a `WrongArgument`."""
    signature = inspect.signature(function)

    def check(values: tuple[Any, ...], named: dict[str, Any]) -> None:
        hints, more = _hints(function)
        try:
            given = signature.bind(*values, **named).arguments
        except TypeError as error:
            raise TypeError(f"{function.__name__}(): {error}") from None
        for name, value in (given | given.pop(more, {})).items():
            if name in hints:
                _check(name, value, hints[name])
            elif name != "self":
                close = get_close_matches(name, hints)
                known = f"did you mean {close[0]}?" if close else f"it takes {', '.join(hints)}"
                raise TypeError(f"{function.__name__}() has no argument {name!r}; {known}")

    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def call(*values: Any, **named: Any) -> Any:
            check(values, named)
            return await function(*values, **named)

    else:

        @wraps(function)
        def call(*values: Any, **named: Any) -> Any:
            check(values, named)
            return function(*values, **named)

    return cast(C, call)


def check_fields(value: Any) -> None:
    """Raise `WrongArgument` for a dataclass with a field of another type than it is annotated with."""
    hints = get_type_hints(type(value))
    for field in fields(value):
        _check(field.name, getattr(value, field.name), hints[field.name])


def check_address(target: object) -> None:
    """Raise `ValueError` for a text that is no "host:port", nor an address that names its kind to gRPC."""
    if not isinstance(target, str) or SCHEME.match(target):
        return
    if "/" in target:
        raise ValueError(f"the target {target!r} is no host:port; leave out http:// and any path")
    host, _, port = target.rpartition(":")
    if not host or (":" in host and not host.startswith("[")):
        raise ValueError(f"the target {target!r} has no port; gRPC is at 50051 unless the service says otherwise")
    if not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ValueError(f"the port of the target {target!r} is no number from 1 to 65535")


@cache
def _hints(function: Callable[..., Any]) -> tuple[dict[str, Any], str]:
    """Return the annotation of each argument, and the name of the argument that takes all other names."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    parameters = inspect.signature(function).parameters.values()
    more = next((one.name for one in parameters if one.kind is one.VAR_KEYWORD), "")
    if more:
        hints |= get_type_hints(get_args(hints.pop(more))[0], include_extras=True)
    return hints, more


def _check(name: str, value: Any, hint: Any) -> None:
    if not _fits(value, hint, 0 if name not in SIGNED else -(2**63)):
        # What a text says is not shown: it may be a key.
        is_shown = isinstance(value, int) or get_origin(hint) is Literal
        got = repr(value) if is_shown else WORDS.get(type(value), type(value).__name__)
        if isinstance(value, int) and _fits(0, hint, 0):
            got += ", which is out of range"
        raise WrongArgument(name, f"takes {_words(hint)}, not {got}")


def _fits(value: Any, hint: Any, least: int) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _fits(value, inner[0], least)
    if origin in (Union, UnionType):
        return any(_fits(value, one, least) for one in inner)
    if origin is Literal:
        return value in inner
    if hint in (int, float):
        kinds = (int, float) if hint is float else int
        number = (isinstance(value, kinds) or hasattr(value, "__index__")) and not isinstance(value, bool)
        return number and least <= value < (2**63 if least else 2**32)
    if origin is tuple and inner[-1] is not Ellipsis:
        is_pair = isinstance(value, tuple | list) and len(value) == len(inner)
        return is_pair and all(_fits(one, kind, least) for one, kind in zip(value, inner, strict=True))
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            _fits(key, inner[0], 0) and _fits(one, inner[1], least) for key, one in value.items()
        )
    if origin in (tuple, Iterable, Sequence):
        several = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
        return several and (not isinstance(value, Collection) or all(_fits(one, inner[0], least) for one in value))
    return isinstance(value, origin or hint)


def _words(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return str(inner[1])
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_words, inner)))
    if origin is Literal:
        return " or ".join(map(repr, inner))
    if origin is Mapping:
        return f"a mapping of {_words(inner[0])} to {_words(inner[1])}"
    if origin is tuple and inner[-1] is not Ellipsis:
        return f"a pair of {' and '.join(map(_words, inner))}"
    if origin in (tuple, Iterable, Sequence):
        return f"a list, of which each is {_words(inner[0])}"
    return WORDS.get(hint, f"a {(origin or hint).__name__}")
