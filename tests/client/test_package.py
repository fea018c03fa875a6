"""The client as a package: what it carries, what it is typed like, and that its README tells the truth."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.server.process import Service

ROOT = Path(__file__).parents[2]
HOME = ROOT / "clients/python"


def python(*arguments: str) -> str:
    """Run Python in a process of its own, where every warning is an error; give what it prints."""
    command = [sys.executable, "-W", "error", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (0, "") == (done.returncode, done.stderr), done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "names", ["chitarrella.server.worker, chitarrella_client", "chitarrella_client, chitarrella.server.worker"]
)
def test_beside_the_service(names: str) -> None:
    """One process can hold the service and the client, imported in either order."""
    script = f"import {names}; from chitarrella.v1.match_play_pb2 import PlayMoveRequest as P; print(P(match_id='m'))"
    assert 'match_id: "m"\n\n' == python("-c", script)


def test_one_generated_package() -> None:
    """Server and client share `chitarrella.v1`: the client has no copy, and no other top-level package is installed."""
    assert [] == [*HOME.rglob("*_pb2*"), *HOME.rglob("*.proto")]
    assert {"chitarrella"} == {path.relative_to(ROOT / "service").parts[0] for path in ROOT.glob("service/**/*.py")}


def test_without_the_service() -> None:
    """Of the package `chitarrella` the client loads the generated code and nothing else."""
    script = "import sys, chitarrella_client; print(*(m for m in sys.modules if m.split('.')[0] == 'chitarrella'))"
    loaded = set(python("-c", script).split())
    assert {"chitarrella", "chitarrella.v1", "chitarrella.v1.match_pb2"} <= loaded
    assert {"chitarrella"} == {name for name in loaded if not re.match(r"chitarrella\.v1\b", name)}


def test_needs_no_more_than_it_says() -> None:
    """What the client and the generated code import comes from the distributions that the client names."""
    named = {re.split(r"[<>=]", requirement)[0] for requirement in _project()["dependencies"]}
    assert {"chitarrella", "grpcio", "grpcio-status", "protobuf", "googleapis-common-protos"} == named
    assert {"chitarrella", "chitarrella_client", "google", "grpc", "grpc_status"} == _imported(HOME.glob("src/**/*.py"))
    assert {"chitarrella", "google", "grpc"} == _imported(ROOT.glob("service/chitarrella/v1/*_pb2*.py"))


def _imported(modules: Iterable[Path]) -> set[str]:
    """Return the top-level packages that the modules import, without the standard library."""
    found: set[str] = set()
    for path in modules:
        found |= set(re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.MULTILINE))
    return found - set(sys.stdlib_module_names)


def _project() -> dict[str, list[str]]:
    settings: dict[str, dict[str, list[str]]] = tomllib.loads((HOME / "pyproject.toml").read_text())
    return settings["project"]


def test_sync_client_is_up_to_date() -> None:
    """The synchronous client is generated from the asyncio one: run clients/python/generate_sync.py if it is stale."""
    assert "" == python(str(HOME / "generate_sync.py"), "--check")


def programs(page: Path) -> list[str]:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    return [block for block in blocks if "from chitarrella_client import" in block]


PRINTED = ("match_won", "match_won", "play_card Kh\nmust_follow_suit ")
"""What each program of the README prints, among other things."""


@pytest.mark.parametrize(
    ("example", "printed"),
    list(zip(programs(HOME / "README.md"), PRINTED, strict=True)),
    ids=["threads", "asyncio", "partial_position"],
)
def test_readme(example: str, printed: str, service: Service, tmp_path: Path) -> None:
    """The programs of the README run against a service: two play a whole match, one asks about a hand."""
    program = tmp_path / "example.py"
    program.write_text(example.replace("127.0.0.1:50051", service.grpc))
    assert printed in python(str(program))


@pytest.mark.slow
def test_types(tmp_path: Path) -> None:
    """The client and the programs of all pages are strictly typed, and a wrong use is found."""
    pages = [HOME / "README.md", ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
    for page in pages:
        for number, program in enumerate(programs(page)):
            (tmp_path / f"{page.parent.name}_{page.stem}_{number}.py").write_text(program)
    wrong = "import chitarrella_client as c\n\n\ndef f(m: c.Match) -> None:\n    m.play('x', card='Ab').accepted.code\n"
    (tmp_path / "wrong.py").write_text(wrong)
    package = HOME / "src/chitarrella_client"
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(package), str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout.splitlines()
    places = [line.rpartition("/")[2].partition(": ")[0] for line in said if ": error: " in line]
    assert ["wrong.py:5", "wrong.py:5"] == places, "\n".join(said)
