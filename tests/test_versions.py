"""pyproject.toml has the version, and every package and every page that names it has the same."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from clients.release.versions import PLACES, ROOT, current, different, end_of_range, main, write

MANIFESTS = re.compile(
    r"(?:.*/)?(?:pyproject\.toml|package(?:-lock)?\.json|Cargo\.toml|pom\.xml|CMakeLists\.txt|.+\.csproj|Package\.swift"
    r"|pubspec\.yaml)"
)
"""The files in which a package has its name and version."""
NOT_PUBLISHED = {
    "clients/cpp/tests/package/CMakeLists.txt",
    "clients/release/cpp/CMakeLists.txt",
    "clients/release/java/pom.xml",
    "clients/release/kotlin/pom.xml",
    "clients/release/rust/Cargo.toml",
    "clients/release/typescript-rules/package.json",
    "clients/release/typescript/package.json",
    "clients/rust/generator/Cargo.toml",
    "examples/lobby/package.json",
    "examples/scopa/pyproject.toml",
    "examples/tressette/pyproject.toml",
    "proto/package-lock.json",
    "proto/package.json",
    "lab/bench/boardgame/package-lock.json",
    "lab/bench/boardgame/package.json",
}
"""Manifests of applications, tools and examples, whose version says nothing."""


def test_all_places_have_the_version() -> None:
    """Every manifest, and every page that names the version, has that of pyproject.toml."""
    assert [] == different()


def test_every_manifest_is_known() -> None:
    """A manifest that git has is one of a package, whose version is held, or named as not published."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    manifests = {path for path in listed.splitlines() if MANIFESTS.fullmatch(path)}
    assert manifests == NOT_PUBLISHED | {path for path in PLACES if MANIFESTS.fullmatch(path)}


@pytest.mark.parametrize(("version", "end"), [("0.1.0", "0.2"), ("0.12.3", "0.13"), ("1.0.0", "2"), ("10.2.1", "11")])
def test_range_ends_at_what_may_break(version: str, end: str) -> None:
    """By Semantic Versioning the next major version may break, and before 1.0 the next minor one."""
    assert end == end_of_range(version)


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
    (tmp_path / "Dockerfile").write_text("ARG VERSION=7.8.8\n")
    (tmp_path / "clients/rust/Cargo.toml").write_text("")
    wrong = different(tmp_path)
    assert ["Dockerfile: 7.8.8 instead of 7.8.9"] == wrong[:1]
    assert wrong[1].startswith("clients/rust/Cargo.toml: nothing matches")


def test_a_word_is_no_version(capsys: pytest.CaptureFixture[str]) -> None:
    """What is no version is refused, and nothing is written."""
    assert 2 == main(["1.0"])
    assert "1.0 is no version" in capsys.readouterr().err
    assert [] == different()
