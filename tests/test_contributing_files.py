"""The files for contributors agree with each other: README, CI, hooks and dev container call what is there."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def read_yaml(path: str) -> Any:
    """Parse a file of the repository."""
    return yaml.safe_load((ROOT / path).read_text())


def daily_commands() -> list[str]:
    """The commands that the README lists for daily work."""
    section = (ROOT / "README.md").read_text().partition("## Daily commands\n")[2].partition("\n## ")[0]
    return re.findall(r"^- `(make [a-z]+)` ", section, re.MULTILINE)


def test_readme_lists_the_four_verbs() -> None:
    """Install, check, test and run are one command each: targets that the Makefile has, and explains."""
    assert ["make install", "make check", "make test", "make run"] == daily_commands()
    explained = re.findall(r"^([a-z-]+):.* ## \S", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {command.partition(" ")[2] for command in daily_commands()} <= set(explained)


def test_ci_runs_the_verbs() -> None:
    """The CI script and the hosted workflow run the same: commands of the README, each one once, and nothing else."""
    script = re.findall(r"^ *(.*(?:\bmake\b|\.venv\b).*)$", (ROOT / ".ci/run").read_text().partition("\nset ")[2], re.M)
    job = read_yaml(".github/workflows/ci.yml")["jobs"]["ci"]
    (variable,) = [step["run"] for step in job["steps"] if "matrix.command" in step.get("run", "")]
    assert "${{ matrix.command }}" == variable
    steps = [step["run"] for step in job["steps"] if re.search(r"\bmake\b|\.venv\b", step.get("run", ""))]
    assert script == steps + job["strategy"]["matrix"]["command"]
    # `make run` does not return; the test of the README's blocks starts it.
    assert [command for command in daily_commands() if command != "make run"] == [
        " ".join(command.split()[:2]) for command in script
    ]
    section = (ROOT / "README.md").read_text().partition("## Daily commands\n")[2].partition("\n## ")[0]
    assert set(script) <= set(re.findall(r"`(make [^`]+)`", section))


def test_hosted_ci_has_what_tests_would_be_skipped_without() -> None:
    """The hosted workflow has the whole history, for the upgrade, and Go, for kustomize."""
    steps = {
        step["uses"].partition("@")[0]: step
        for step in read_yaml(".github/workflows/ci.yml")["jobs"]["ci"]["steps"]
        if "uses" in step
    }
    assert {"fetch-depth": 0} == steps["actions/checkout"]["with"]
    assert "if" not in steps["actions/setup-go"]


def test_the_full_test_checks_the_image() -> None:
    """`make test FULL=1` goes on with mutants, clients, examples, packages and the image; `make test` does not."""
    recipe = (ROOT / "Makefile").read_text().partition("\ntest: ")[2].partition("\n\n")[0]
    before, _, after = recipe.partition("\nifdef FULL\n")
    assert [] == re.findall(r"\$\(MAKE\)", before)
    expected = ["mutants", "test-clients", "examples", "release-check", "image-check"]
    assert expected == re.findall(r"\$\(MAKE\) ([a-z-]+)", after)


def test_make_run_honours_the_data_folder_of_the_environment() -> None:
    """The folder of `make run` is DATA, else the one that the environment names for the service."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("MAKE")
    }  # of a make around us
    for given, expected in (({}, "./data"), ({"CHITARRELLA_DATA": "/srv/a"}, "/srv/a"), ({"DATA": "/srv/b"}, "/srv/b")):
        env = {name: value for name, value in inherited.items() if name not in ("DATA", "CHITARRELLA_DATA")}
        printed = subprocess.run(
            ["make", "--dry-run", "run"], cwd=ROOT, env=env | given, capture_output=True, text=True, check=True
        ).stdout
        assert f"CHITARRELLA_DATA='{expected}'" in printed


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
