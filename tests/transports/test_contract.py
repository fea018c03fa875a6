"""The contract names the failures of every rpc; the error family has one docstring, one table, one list of codes."""

import importlib
import inspect
import json
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

import chitarrella
from chitarrella import errors
from chitarrella.api.dispatcher import SERVICES
from chitarrella.api.retry_headers import retry_headers
from chitarrella.api.status import status_of
from chitarrella.transports.rest.problems import PROBLEM_TYPES, problem

ROOT = Path(__file__).parents[2]
COMMENTS: dict[str, str] = json.loads((ROOT / "service/chitarrella/v1/comments.json").read_text(encoding="utf-8"))
RPCS = {method.name: COMMENTS[method.full_name] for service in SERVICES for method in service.methods}
SAME = re.compile(r"Fails as (?:\w+\.)?(\w+) does")  # a comment that refers to the failures of another rpc
CODES = {problem_type.code for problem_type in PROBLEM_TYPES}


@pytest.mark.parametrize("rpc", RPCS)
def test_every_rpc_names_its_failures(rpc: str) -> None:
    """The comment of an rpc names its reason codes, perhaps with their causes, or another rpc that fails as it does."""
    text = RPCS[rpc]
    _, named, errors = text.partition("Errors: ")
    assert named or SAME.search(text)
    assert set(SAME.findall(text)) <= RPCS.keys()
    codes = re.findall(r"[a-z]+(?:_[a-z]+)+", re.sub(r"\([^)]*\)", "", errors))
    assert bool(named) == bool(codes)
    assert set(codes) <= CODES


def test_services_can_be_read_at_once() -> None:
    """The contract has at most 2,000 lines, a file 400, the service blocks together less than 500."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "proto/chitarrella").rglob("*.proto")]
    assert max(len(text.splitlines()) for text in texts) <= 400
    assert sum(len(path.read_text().splitlines()) for path in (ROOT / "proto/chitarrella/v1").iterdir()) <= 2000
    blocks = [block for text in texts for block in re.findall(r"^service \w+ \{.*?^\}", text, re.DOTALL | re.MULTILINE)]
    assert len(SERVICES) == len(blocks)
    assert sum(len(block.splitlines()) for block in blocks) < 500


def test_changelog_names_every_rpc() -> None:
    """The changelog of the contract names each rpc and each service, in the first form or as added since."""
    changelog = (ROOT / "proto/README.md").read_text(encoding="utf-8").partition("\n## Changelog\n")[2]
    named = set(re.findall(r"`([A-Z]\w+)`", changelog))
    assert set() == {method.name for service in SERVICES for method in service.methods} - named
    assert set() == {service.name for service in SERVICES} - named


# ---------------------------------------------------------------------- error family

NODE = re.compile(r"^ {4}(?P<depth>[ |]*)[|`]- (?P<name>\w+)")
SCREEN = 40  # lines that a terminal window shows


def family(kind: type[Exception] = errors.ChitarrellaError) -> Iterator[type[Exception]]:
    """Every subclass of an error that the package defines, wherever it stands."""
    for found in pkgutil.walk_packages(chitarrella.__path__, "chitarrella."):
        importlib.import_module(found.name)
    for child in kind.__subclasses__():
        if child.__module__.startswith("chitarrella."):
            yield from (child, *family(child))


def drawn() -> tuple[dict[str, str], dict[str, set[str]]]:
    """The tree in the docstring: the base of every class, and its reason codes."""
    root, *lines = (errors.__doc__ or "").partition("::")[2].partition("\n\nAn ")[0].split("\n")[2:]
    path, bases, codes = [root.strip()], dict[str, str](), defaultdict[str, set[str]](set)
    for line in lines:
        if node := NODE.match(line):
            del path[len(node["depth"]) // 4 + 1 :]
            bases[node["name"]] = path[-1]
            path.append(node["name"])
        codes[path[-1]] |= set(re.findall(r"\b[a-z_]{2,}\b", line))
    return bases, codes


def test_tree_in_the_docstring_is_the_class_tree() -> None:
    """The docstring draws every class of the family below its base, with its codes, and fits on one screen."""
    bases, codes = drawn()
    assert {kind.__name__: kind.__bases__[0].__name__ for kind in family()} == bases
    listed: defaultdict[str, set[str]] = defaultdict(set)
    for known in PROBLEM_TYPES:
        listed[known.kind.__name__].add(known.code)
    assert listed == codes
    assert len((errors.__doc__ or "").splitlines()) <= SCREEN


def test_every_error_has_its_statuses_in_the_table() -> None:
    """The table has every class of the family, wherever it is defined, and nothing else; each has a documented code."""
    assert set(family()) == errors.STATUSES.keys() == {known.kind for known in PROBLEM_TYPES}
    assert {"chitarrella.errors"} == {kind.__module__ for kind in errors.STATUSES}


def test_grpc_and_http_read_the_table() -> None:
    """Each error is answered over gRPC and over HTTP with the statuses that its row names."""
    for kind, (name, http) in errors.STATUSES.items():
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
