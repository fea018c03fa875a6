"""The Python packages as they are published: what the wheels hold, and what their metadata says."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
HOMES = {
    "chitarrella": ROOT,
    "chitarrella_client": ROOT / "clients" / "python",
    "chitarrella_mcp": ROOT / "clients" / "mcp",
    "chitarrella_lab": ROOT / "lab",
}
"""The folder of each distribution, by the name of its one package."""
EXTRAS = {"chitarrella": {"server", "embedded", "s3", "otel"}}
LABELS = {"Homepage", "Documentation", "Source", "Issues", "Changelog"}


def hatchling(home: Path, target: str, folder: Path) -> Path:
    """The file that the build backend makes of a project."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module", params=HOMES)
def wheel(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, zipfile.Path]]:
    """The name of a package, and its wheel, which is built from its source distribution, as `python -m build` does."""
    folder = tmp_path_factory.mktemp(request.param)
    with tarfile.open(hatchling(HOMES[request.param], "sdist", folder / "sdist")) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)  # not before 3.11.4
        archive.extractall(folder)
    (home,) = folder.glob("chitarrella*")
    with zipfile.ZipFile(hatchling(home, "wheel", folder / "wheel")) as archive:
        yield request.param, zipfile.Path(archive)


def metadata(wheel: zipfile.Path) -> PathDistribution:
    """The metadata of a wheel."""
    (folder,) = (entry for entry in wheel.iterdir() if entry.name.endswith(".dist-info"))
    return PathDistribution(folder)


def names(requirements: list[str]) -> list[str]:
    """The names of the required distributions, in order."""
    return sorted(Requirement(one).name for one in requirements)


def project(package: str) -> dict[str, Any]:
    """The table `project` of the distribution's pyproject.toml."""
    settings: dict[str, dict[str, Any]] = tomllib.loads((HOMES[package] / "pyproject.toml").read_text(encoding="utf-8"))
    return settings["project"]


def test_wheel_has_one_package(wheel: tuple[str, zipfile.Path]) -> None:
    """A wheel installs our package, typed, and no other top-level name."""
    package, archive = wheel
    assert {package} == {entry.name for entry in archive.iterdir() if not entry.name.endswith(".dist-info")}
    assert (archive / package / "py.typed").is_file()
    assert "Typing :: Typed" in metadata(archive).metadata.get_all("Classifier", [])


def test_wheel_has_the_scripts_for_browsers(wheel: tuple[str, zipfile.Path]) -> None:
    """The wheel of the service holds what it serves to browsers, so that nobody who runs it builds anything."""
    package, archive = wheel
    static = "transports/rest/website/static"
    served = {path.name for path in (ROOT / "service/chitarrella" / static).iterdir()}
    pages = {f"{page}.{kind}" for page in ("play", "ask", "records", "duel") for kind in ("js", "css")}
    assert {"client.js", "record.js", "shared.js", "records", *pages} == served
    carried = {entry.name for entry in (archive / package / static).iterdir()} if package == "chitarrella" else served
    assert served == carried


def test_wheel_has_the_guides(wheel: tuple[str, zipfile.Path]) -> None:
    """The wheel of the service holds the guides that it shows as pages."""
    package, archive = wheel
    if package == "chitarrella":
        carried = {entry.name for entry in (archive / package / "transports/rest/website/guides").iterdir()}
        assert {path.name for path in (ROOT / "docs").glob("*.md")} == carried


def test_wheel_publishes_no_group(wheel: tuple[str, zipfile.Path]) -> None:
    """The metadata has the extras for users, and no requirement of the dependency groups."""
    package, archive = wheel
    found = metadata(archive)
    assert EXTRAS.get(package, set()) == set(found.metadata.get_all("Provides-Extra", []))
    extras: dict[str, list[str]] = project(package).get("optional-dependencies", {})
    # `server` brings the extra `embedded`, whose requirements the metadata then names with both.
    included = extras.get("embedded", [])
    declared = project(package)["dependencies"] + [one for required in extras.values() for one in required]
    declared = [one for one in declared if one != "chitarrella[embedded]"] + included
    assert names(declared) == names(found.requires or [])


def test_wheel_has_the_addresses_of_the_project(wheel: tuple[str, zipfile.Path]) -> None:
    """The metadata links the pages of the project, and those in the repository exist."""
    _, archive = wheel
    urls = dict(line.split(", ", 1) for line in metadata(archive).metadata.get_all("Project-URL", []))
    assert urls.keys() == LABELS
    assert {"https://github.com/chitarrella/chitarrella"} == {"/".join(url.split("/")[:5]) for url in urls.values()}
    paths = [url.split("/main/")[1] for url in urls.values() if "/main/" in url]
    assert paths
    assert [] == [path for path in paths if not (ROOT / path).exists()]


def test_wheel_has_the_translations(wheel: tuple[str, zipfile.Path]) -> None:
    """The wheel of the rules has a compiled translation for each source of one."""
    package, archive = wheel
    sources = {f"{path.stem}.mo" for path in HOMES[package].glob("service/chitarrella/i18n/locale/*.po")}
    assert sources == {Path(name).name for name in archive.root.namelist() if name.endswith(".mo")}
