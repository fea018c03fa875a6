"""`make image-check` names what it cannot do, and its checks find what they look for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.image import MAX_MEGABYTES, check_config, disk_usage, packages_of, unwanted, version

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_machine_that_cannot_build_fails_with_the_reason(tmp_path: Path) -> None:
    """Without the programs, or without root, the check fails and says what is missing."""
    command = [sys.executable, "-m", "tests.deploy.image"]
    done = subprocess.run(command, cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert 1 == done.returncode
    assert re.fullmatch(r"The image is not checked: .*(buildah|root).*\.\n", done.stderr)


def test_version_of_the_label_is_that_of_the_package() -> None:
    """The Dockerfile's default for the label is the version in pyproject.toml."""
    assert [version()] == re.findall(r"^ARG VERSION=(.+)$", DOCKERFILE, re.MULTILINE)


def test_every_copied_file_reaches_the_builder() -> None:
    """What the Dockerfile copies from the repository is excepted from .dockerignore."""
    sources = [path for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M) for path in line.split()]
    assert "deploy/sbom.lock" in sources
    assert {f"!{path}" for path in sources} <= set((ROOT / ".dockerignore").read_text().splitlines())


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("opt/chitarrella/lib/python3.11/site-packages/babel/core.py", {"babel"}),
        ("usr/local/lib/python3.13/site-packages/pip/__init__.py", {"pip"}),
        ("usr/lib/python3.11/ensurepip/__init__.py", {"ensurepip"}),
        ("usr/share/python-wheels/pip-23.0.1-py3-none-any.whl", {"pip-23.0.1-py3-none-any.whl"}),
        ("usr/local/bin/pip3", {"pip3"}),
        ("usr/bin/gcc", {"gcc"}),
        ("opt/chitarrella/lib/python3.11/site-packages/flask/app.py", set()),
    ],
)
def test_tools_of_a_build_are_found(tmp_path: Path, path: str, found: set[str]) -> None:
    """Each package and program that only a build needs is found in the files of an image, and no other one."""
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).touch()
    assert found == unwanted(tmp_path)


def test_hard_links_count_once(tmp_path: Path) -> None:
    """The size of an image counts the bytes of a file once for all its names."""
    (tmp_path / "a").write_bytes(bytes(MAX_MEGABYTES))
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    assert MAX_MEGABYTES == disk_usage(tmp_path)


def test_packages_are_read_from_a_bill_of_materials() -> None:
    """The packages are the components with the program itself, by their normalized names."""
    sbom = {
        "metadata": {"component": {"name": "chitarrella", "version": "0.1.0"}},
        "components": [{"name": "typing_extensions", "version": "4.16.0"}],
    }
    assert {"chitarrella": "0.1.0", "typing-extensions": "4.16.0"} == packages_of(sbom)


def test_image_without_labels_or_with_root_is_refused() -> None:
    """An image that lacks a label, or runs as root, does not pass."""
    with pytest.raises(AssertionError, match="'revision': ''"):
        check_config({"Labels": {"org.opencontainers.image.version": version()}}, "abc", "base")
    names = ("title", "description", "source", "documentation")
    labels = {f"org.opencontainers.image.{name}": "text" for name in names} | {
        "org.opencontainers.image.licenses": "Apache-2.0 AND CC0-1.0",
        "org.opencontainers.image.version": version(),
        "org.opencontainers.image.revision": "abc",
        "org.opencontainers.image.base.name": "base",
    }
    config = {"Labels": labels, "User": "0", "Healthcheck": {"Test": ["CMD", "chitarrella", "health"]}}
    with pytest.raises(AssertionError):
        check_config(config, "abc", "base")
    check_config({**config, "User": "10001"}, "abc", "base")
