"""`make release` and `make release-check` cover everything that is published, and notice what fails."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from clients.release import interpreters, packages, run
from clients.release.archive import write as write_archive
from clients.release.checks import CHECKS, REGISTRY
from clients.release.go.module_proxy import write_proxy
from clients.release.packages import PACKAGES
from clients.release.scripts import HERE, call, last_step

ROOT = Path(__file__).parent.parent


def test_every_played_client_is_checked() -> None:
    """Each client that plays the scenarios has an application, which names its steps."""
    clients = json.loads((ROOT / "clients/conformance/clients.json").read_text())
    played = {Path(client.get("folder", name.partition("-")[0])).name for name, client in clients.items()}
    assert played == {check.folder for check in CHECKS.values() if check.plays}
    for check in CHECKS.values():
        script = (HERE / check.folder / check.script[0]).read_text()
        assert "step registry\n" in script if check.script == REGISTRY else "step install\n" in script
        assert not check.plays or "\nstep play\n" in script


def test_every_package_is_built_and_checked() -> None:
    """Each package has the script that builds it, a check that needs it, and a place in the pages."""
    assert PACKAGES.keys() == {package for check in CHECKS.values() for package in check.packages}
    page = (HERE / "README.md").read_text()
    for name, package in PACKAGES.items():
        assert (HERE / package.folder / "build.sh").is_file()
        assert f"| `{name}/` |" in page
    assert [] == [name for name in CHECKS if f"`{name}`" not in page]


def test_each_registry_is_asked() -> None:
    """What goes to a registry of packages is checked as this would."""
    assert {"python", "npm", "crates", "maven", "go"} == {
        package for check in CHECKS.values() if check.script == REGISTRY for package in check.packages
    }


def test_failed_step_is_reported(tmp_path: Path) -> None:
    """A script ends at the first command that fails, with its status, and the log has the step of the command."""
    (tmp_path / "check.sh").write_text('test "$2" = wheel\nstep install\n(exit 7)\nstep play\n')
    log = tmp_path / "log"
    assert 7 == call(("check.sh", "wheel"), tmp_path, {"APPLICATION": str(tmp_path)}, log)
    assert "install" == last_step(log)
    assert 1 == call(("check.sh", "sdist"), tmp_path, {"APPLICATION": str(tmp_path)}, log)
    assert "begin" == last_step(log)


def test_digests_are_those_of_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SHA256SUMS names every file in build/release but itself, and sha256sum finds them unchanged."""
    monkeypatch.setattr(packages, "RELEASE", tmp_path)
    (tmp_path / "go/v1").mkdir(parents=True)
    (tmp_path / "go/v1/tag").write_text("v1\n")
    (tmp_path / "a.tgz").write_bytes(b"\0")
    packages.write_sums()
    packages.write_sums()
    lines = (tmp_path / packages.SUMS).read_text().splitlines()
    assert ["a.tgz", "go/v1/tag"] == [line.split("  ")[1] for line in lines]
    command = [shutil.which("sha256sum") or "sha256sum", "--check", "--quiet", packages.SUMS]
    assert 0 == subprocess.run(command, cwd=tmp_path, check=False).returncode
    (tmp_path / "a.tgz").write_bytes(b"\1")
    assert 1 == subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode


def test_missing_python_is_named() -> None:
    """A version of Python that is nowhere is named and runs nothing; the one that runs this is found."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    script, variables, note = run.how(CHECKS["python-serve"]._replace(python=here))
    assert ("serve.sh",) == script
    assert note == f"played with {variables['PYTHON']}"
    script, _, note = run.how(CHECKS["python-serve"]._replace(python="3.99"))
    assert () == script
    assert run.is_absent(note)
    assert "Python 3.99" in note


def test_python_versions_are_those_of_the_metadata() -> None:
    """The versions of Python that are checked are those that the packages name."""
    for pyproject in (
        "pyproject.toml",
        "clients/python/pyproject.toml",
        "clients/mcp/pyproject.toml",
        "lab/pyproject.toml",
    ):
        text = (ROOT / pyproject).read_text()
        named = [version for version in map("3.{}".format, range(30)) if f':: Python :: {version}"' in text]
        assert list(interpreters.VERSIONS) == named
        assert f'requires-python = ">={named[0]}"' in text


def test_go_module_has_no_other_module(tmp_path: Path) -> None:
    """The zip of the Go module has its generated code and its license, and nothing of the module of its tools."""
    write_proxy(ROOT / "clients/go", "v0.1.0", tmp_path)
    (path,) = tmp_path.rglob("*.zip")
    module = "github.com/chitarrella/chitarrella/clients/go"
    assert tmp_path / module / "@v" / "v0.1.0.zip" == path
    with zipfile.ZipFile(path) as archive:
        names = {name.removeprefix(f"{module}@v0.1.0/") for name in archive.namelist()}
    assert {"go.mod", "LICENSE", "client.go", "gen/chitarrella/v1/matches.pb.go"} <= names
    assert [] == [name for name in names if name.startswith(("tools/", module))]


def test_archive_has_committed_files_alone_and_is_the_same_again(tmp_path: Path) -> None:
    """An archive has one folder with the named files that git does not ignore; equal files make equal bytes."""
    made = []
    for folder in ("first", "second"):
        path = tmp_path / folder / "vectors-1.0.tar.gz"
        path.parent.mkdir()
        write_archive(ROOT, path, ["LICENSE", "tests/vectors/*", ":(exclude,glob)tests/vectors/[!p]*.py"])
        made.append(path.read_bytes())
    assert made[0] == made[1]
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    names = [member.name.removeprefix("vectors-1.0/") for member in members]
    assert {"LICENSE", "tests/vectors/README.md", "tests/vectors/perft/briscola.perft"} < set(names)
    assert ["tests/vectors/plain.py"] == [name for name in names if name.endswith(".py")]
    assert {("root", 0)} == {(member.uname, member.uid) for member in members}
