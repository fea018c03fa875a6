"""The packages as they are published: what wheels hold, one version everywhere, fresh generated code, the release."""

import json
import re
import shutil
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

from clients.release import build, interpreters
from clients.release.archive import write as write_archive
from clients.release.archive import write_proxy
from clients.release.build import PACKAGES
from clients.release.run import CHECKS, REGISTRY
from clients.release.scripts import HERE, function_of
from clients.release.versions import PLACES, ROOT, current, different, write
from tests.vectors.write import READABLE

HOMES = {
    "chitarrella": ROOT, "chitarrella_client": ROOT / "clients" / "python", "chitarrella_mcp": ROOT / "clients" / "mcp",
    "chitarrella_lab": ROOT / "lab", "chitarrella_cards": ROOT / "cards", "chitarrella_testing": ROOT / "kit",
    "chitarrella_terminal": ROOT / "terminal",
}  # fmt: skip
"""The folder of each distribution, by the name of its one package."""
EXTRAS = {"chitarrella": {"server", "edge", "embedded", "s3", "otel"}, "chitarrella_testing": {"mutants"}}
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
    (folder,) = (entry for entry in wheel.iterdir() if entry.name.endswith(".dist-info"))
    return PathDistribution(folder)


def names(requirements: list[str]) -> list[str]:
    return sorted(Requirement(one).name for one in requirements)


def project(package: str) -> dict[str, Any]:
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
    pages = {f"{page}.{kind}" for page in ("play", "ask", "records") for kind in ("js.gz", "css")}
    assert {"client.js.gz", "duel.js.gz", "home.js.gz", "icon.png", "record.js.gz", "shared.js.gz", *pages} == served
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


def test_wheel_has_the_licence(wheel: tuple[str, zipfile.Path]) -> None:
    """The wheel has the text of the licence, which lies at the root of the repository alone."""
    _, archive = wheel
    assert (ROOT / "LICENSE").read_text() == metadata(archive).read_text("licenses/LICENSE")


def test_wheel_has_the_translations(wheel: tuple[str, zipfile.Path]) -> None:
    """The wheel of the rules has a compiled translation for each source of one."""
    package, archive = wheel
    sources = {f"{path.stem}.mo" for path in HOMES[package].glob("service/chitarrella/i18n/locale/*.po")}
    assert sources == {Path(name).name for name in archive.root.namelist() if name.endswith(".mo")}


MANIFESTS = re.compile(
    r"(?:.*/)?(?:pyproject\.toml|package(?:-lock)?\.json|Cargo\.toml|pom\.xml|CMakeLists\.txt|.+\.csproj|Package\.swift"
    r"|pubspec\.yaml)"
)
"""The files in which a package has its name and version."""
NOT_PUBLISHED = {
    "clients/package.json", "clients/release/java/pom.xml", "clients/templates/cpp/CMakeLists.txt",
    "clients/templates/csharp/Chitarrella.csproj", "clients/templates/dart/pubspec.yaml",
    "clients/templates/kotlin/pom.xml", "clients/templates/rust/Cargo.toml", "clients/templates/swift/Package.swift",
    "examples/hearts/pyproject.toml", "examples/lobby/package.json", "examples/sueca/pyproject.toml",
    "lab/bench/boardgame/package.json",
}  # fmt: skip
"""Manifests of applications, tools and examples, whose version says nothing."""


def test_all_places_have_the_version() -> None:
    """Every manifest, and every page that names the version, has that of pyproject.toml."""
    assert [] == different()


def test_every_manifest_is_known() -> None:
    """A manifest that git has is one of a package, whose version is held, or named as not published."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    manifests = {path for path in listed.splitlines() if MANIFESTS.fullmatch(path)}
    assert manifests == NOT_PUBLISHED | {path for path in PLACES if MANIFESTS.fullmatch(path)}


def test_a_new_version_is_written_everywhere(tmp_path: Path) -> None:
    """All places are written; then no one differs, and one that is changed by hand is named."""
    for path in PLACES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    write("7.8.9", tmp_path)
    assert "7.8.9" == current(tmp_path)
    assert [] == different(tmp_path)
    assert '"chitarrella>=7.8.9,<8"' in (tmp_path / "clients/python/pyproject.toml").read_text()
    for path in PLACES:
        before, after = ((root / path).read_text() for root in (ROOT, tmp_path))
        assert before.count("\n") == after.count("\n")


def function(folder: str, name: str) -> str:
    """The text of the function for an application; empty if there is none."""
    script = (HERE / "packages.sh").read_text()
    found = re.search(rf"^{function_of(folder, name)}\(\) {{\n(.*?)^}}", script, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def test_every_played_client_is_checked() -> None:
    """Each client that plays the scenarios has an application, which names its steps; one check is of all templates."""
    clients = json.loads((ROOT / "clients/conformance/clients.json").read_text())
    folders = {name: Path(client.get("folder", name.partition("-")[0])) for name, client in clients.items()}
    played = {folder.parent.name if folder.parent.name == "templates" else folder.name for folder in folders.values()}
    assert played == {check.folder for check in CHECKS.values() if check.plays}
    for check in CHECKS.values():
        script = function(check.folder, check.function[0])
        assert "step registry\n" in script if check.function == REGISTRY else "step install\n" in script
        assert not check.plays or "\n    step play\n" in script


def test_every_package_is_built_and_checked() -> None:
    """Each package has a function that builds it, a check that needs it, and a place in the pages."""
    assert PACKAGES.keys() == {package for check in CHECKS.values() for package in check.packages}
    page = (HERE / "README.md").read_text()
    for name, package in PACKAGES.items():
        assert function(package.folder, "build")
        assert f"| `{name}/` |" in page
    assert [] == [name for name in CHECKS if f"`{name}`" not in page]


def test_digests_are_those_of_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SHA256SUMS names every file in build/release but itself, and sha256sum finds them unchanged."""
    monkeypatch.setattr(build, "RELEASE", tmp_path)
    (tmp_path / "go/v1").mkdir(parents=True)
    (tmp_path / "go/v1/tag").write_text("v1\n")
    (tmp_path / "a.tgz").write_bytes(b"\0")
    build.write_sums()
    build.write_sums()
    lines = (tmp_path / build.SUMS).read_text().splitlines()
    assert ["a.tgz", "go/v1/tag"] == [line.split("  ")[1] for line in lines]
    command = [shutil.which("sha256sum") or "sha256sum", "--check", "--quiet", build.SUMS]
    assert 0 == subprocess.run(command, cwd=tmp_path, check=False).returncode


def test_python_versions_are_those_of_the_metadata() -> None:
    """The versions of Python that are checked are those that the packages name."""
    for home in HOMES.values():
        text = (home / "pyproject.toml").read_text()
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
        write_archive(ROOT, path, list(READABLE), {ROOT / "README.md": "tests/vectors/perft/x.perft"})
        made.append(path.read_bytes())
    assert made[0] == made[1]
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    names = [member.name.removeprefix("vectors-1.0/") for member in members]
    assert {"LICENSE", "tests/vectors/README.md", "tests/vectors/briscola.txt", "tests/vectors/perft/x.perft"} < set(
        names
    )
    assert ["tests/vectors/plain.py"] == [name for name in names if name.endswith(".py")]
    assert {("root", 0)} == {(member.uname, member.uid) for member in members}
