"""The client as a package: what it carries, what it is typed like, and that its README tells the truth."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.client.conftest import Service

ROOT = Path(__file__).parents[2]
HOME = ROOT / "clients/python"


def python(*arguments: str) -> str:
    """Run Python in a process of its own, where every warning is an error; give what it prints."""
    command = [sys.executable, "-W", "error", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (0, "") == (done.returncode, done.stderr), done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("names", [("chitarrella", "chitarrella_client"), ("chitarrella_client", "chitarrella")])
def test_beside_the_service(names: tuple[str, str]) -> None:
    """One process can hold the service's messages and the client's, in whatever order they come."""
    modules = [f"{name}.v1.{part}_pb2" for name in names for part in ("matches", "rules", "catalogue", "table")]
    script = f"import {', '.join(modules)}; print(*(m.PlayMoveRequest(match='m') for m in ({', '.join(modules[::4])})))"
    assert 'match: "m"\n match: "m"\n\n' == python("-c", script)


def test_without_the_service() -> None:
    """The client needs nothing of the service's package."""
    script = "import sys, chitarrella_client; print([m for m in sys.modules if m.split('.')[0] == 'chitarrella'])"
    assert "[]\n" == python("-c", script)


def test_needs_no_more_than_it_says() -> None:
    """What the client imports comes from the distributions that it names."""
    named = {requirement.partition(">")[0] for requirement in _project()["dependencies"]}
    assert {"grpcio", "grpcio-status", "protobuf", "googleapis-common-protos"} == named
    imported = set()
    for path in (HOME / "src").rglob("*.py"):
        imported |= set(re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.MULTILINE))
    assert {"chitarrella_client", "google", "grpc", "grpc_status"} == imported - set(sys.stdlib_module_names)


def _project() -> dict[str, list[str]]:
    settings: dict[str, dict[str, list[str]]] = tomllib.loads((HOME / "pyproject.toml").read_text())
    return settings["project"]


def test_faces_differ_in_await_only() -> None:
    """The face for threads is the face for asyncio without "await": run clients/python/faces.py if it is not."""
    assert "" == python(str(HOME / "faces.py"), "--check")


def examples() -> list[str]:
    """Give the programs of the README."""
    blocks = re.findall(r"```python\n(.*?)```", (HOME / "README.md").read_text(), re.DOTALL)
    return [block for block in blocks if "127.0.0.1:50051" in block]


@pytest.mark.parametrize("example", examples(), ids=["threads", "asyncio"])
def test_readme(example: str, service: Service, tmp_path: Path) -> None:
    """The programs of the README run against a service, and play a whole match."""
    program = tmp_path / "example.py"
    program.write_text(example.replace("127.0.0.1:50051", service.address))
    assert "match_won" in python(str(program))


def test_types(tmp_path: Path) -> None:
    """The client and the programs of the README are strictly typed, and a wrong use is found."""
    for number, example in enumerate(examples()):
        (tmp_path / f"example_{number}.py").write_text(example)
    wrong = "import chitarrella_client as c\n\n\ndef f(m: c.Match) -> None:\n    m.play('x', card='Ab').accepted.code\n"
    (tmp_path / "wrong.py").write_text(wrong)
    package = HOME / "src/chitarrella_client"
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(package), str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout.splitlines()
    places = [line.rpartition("/")[2].partition(": ")[0] for line in said if ": error: " in line]
    assert ["wrong.py:5", "wrong.py:5"] == places, "\n".join(said)
