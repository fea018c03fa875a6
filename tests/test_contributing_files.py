"""The files for contributors agree with each other: hooks, hosted CI and dev container call what is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def read_yaml(path: str) -> Any:
    """Parse a file of the repository."""
    return yaml.safe_load((ROOT / path).read_text())


def commands(script: str) -> set[str]:
    """Return the commands of a script that call make or something of the virtual environment."""
    return set(re.findall(r"^ *((?:make|\.venv/bin/).*)$", script, re.MULTILINE))


def test_hosted_ci_runs_what_the_ci_script_runs() -> None:
    """The jobs of the workflow together run the commands of .ci/run, each once."""
    script = (
        (ROOT / ".ci/run")
        .read_text()
        .replace("$report", "build/tests.xml")
        .replace('"build/tests.xml"', "build/tests.xml")
    )
    jobs = read_yaml(".github/workflows/ci.yml")["jobs"]["ci"]["strategy"]["matrix"]["include"]
    found = [command for job in jobs for command in sorted(commands(job["run"]))]
    assert commands(script) == set(found)
    assert len(found) == len(set(found))


def test_hooks_are_local() -> None:
    """Every hook runs a program of the virtual environment or a target of make; none is fetched."""
    (repository,) = read_yaml(".pre-commit-config.yaml")["repos"]
    assert "local" == repository["repo"]
    for hook in repository["hooks"]:
        program, *arguments = hook["entry"].split()
        assert "system" == hook["language"]
        assert program.startswith(".venv/bin/") or arguments[-1] in TARGETS, hook["entry"]


def test_the_dev_container_is_a_stage_of_the_dockerfile() -> None:
    """The dev container is built from a stage that exists, and runs as a user that exists there."""
    settings = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    build = settings["build"]
    dockerfile = (ROOT / ".devcontainer" / build["dockerfile"]).resolve()
    assert ROOT / "Dockerfile" == dockerfile
    stages = re.split(r"^FROM ", dockerfile.read_text(), flags=re.MULTILINE)[1:]
    (stage,) = (text for text in stages if text.partition("\n")[0].endswith(f" AS {build['target']}"))
    assert re.search(rf"\buseradd .*\b{settings['remoteUser']}$", stage, re.MULTILINE)
    assert settings["postCreateCommand"].split()[1] in TARGETS
    assert " AS " not in stages[-1].partition("\n")[0], "the image of the service is the last stage"
