"""The error family: one table of its statuses and codes in `chitarrella.errors`."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import grpc

import chitarrella
from chitarrella import errors
from chitarrella.api.retry_headers import retry_headers
from chitarrella.api.status import status_of
from chitarrella.transports.rest.problems import PROBLEM_TYPES, problem


def family(kind: type[Exception] = errors.ChitarrellaError) -> Iterator[type[Exception]]:
    """Every subclass of an error that the package defines, wherever it stands."""
    for found in pkgutil.walk_packages(chitarrella.__path__, "chitarrella."):
        importlib.import_module(found.name)
    for child in kind.__subclasses__():
        if child.__module__.startswith("chitarrella."):
            yield from (child, *family(child))


def test_every_error_has_its_statuses_in_the_table() -> None:
    """The table has every class of the family, wherever it is defined, and nothing else; each has a documented code."""
    assert set(family()) == errors.STATUSES.keys() == {known.kind for known in PROBLEM_TYPES}
    assert {"chitarrella.errors"} == {kind.__module__ for kind in errors.STATUSES}


def test_grpc_and_http_read_the_table() -> None:
    """Each error is answered over gRPC and over HTTP with the statuses that its row names."""
    for kind, (name, http, _) in errors.STATUSES.items():
        assert grpc.StatusCode[name].value[0] == status_of(made(kind)).code
        assert HTTPStatus(http) == problem(made(kind), "/", "")["status"]


def made(kind: type[errors.ChitarrellaError]) -> errors.ChitarrellaError:
    """An error of a class; three have fixed texts."""
    return kind() if kind.__init__.__code__.co_argcount == 1 else kind("a_code", "Because.")  # type: ignore[call-arg]  # they take none


def test_what_passes_by_itself_says_when_to_call_again() -> None:
    """Who is refused because the service or its store is busy or away is told to wait for a second, and nobody else."""
    passing = {errors.TooMany, errors.StoreUnavailable, errors.Overloaded, errors.ShuttingDown}
    others = errors.STATUSES.keys() - passing - {errors.RateLimited}
    assert {"1"} == {retry_headers(made(kind))[0][1] for kind in passing}
    assert [] == [kind for kind in others if retry_headers(made(kind))]


def test_only_the_table_decides_statuses() -> None:
    """No other module of the transports and the API names a gRPC code of an error."""
    root = Path(inspect.getfile(chitarrella)).parent
    naming = re.compile(rf"[\"'.](?:{'|'.join({status.grpc for status in errors.STATUSES.values()})})\b")
    for path in [*(root / "api").rglob("*.py"), *(root / "transports").rglob("*.py")]:
        assert [] == naming.findall(path.read_text(encoding="utf-8")), path
