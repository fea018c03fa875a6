"""The scenarios of ``clients/typescript/web/tests``, built, and a service at which they play."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.example_packages import install_examples
from tests.server.process import Service
from tests.servers import locked, spawn

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients/typescript"
BUILD_SECONDS = 240
PIPES: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
BUSY_SECONDS = 580
"""Hundreds of moves take a minute in a browser, and several on a machine that has other work."""

Play = Callable[[str], dict[str, Any]]
"""Runs a scenario; gives what it found, the URLs of all requests, and the errors of the page."""


@pytest.fixture(scope="session")
def node() -> str:
    """Node.js, with the packages of the client installed and the scenarios built."""
    programs = {name: shutil.which(name) for name in ("node", "npm", "chromium")}
    if missing := [name for name, path in programs.items() if path is None]:
        pytest.skip(f"browser: not on the PATH: {', '.join(missing)}")
    with locked("web"):
        subprocess.run(["make", "-s", "clients/node_modules"], cwd=ROOT, check=True, timeout=BUILD_SECONDS)
        subprocess.run(["node", "scripts/web.mjs", "--tests"], cwd=PACKAGE, check=True, timeout=BUILD_SECONDS)
    return str(programs["node"])


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a service with bots that play, deals that can be repeated, and the games of ``examples/``."""
    flags = ("--sandbox", "--fsync", "everysec")
    running = Service(tmp_path_factory.mktemp("web"), *flags, packages=install_examples(), forked=True)
    yield running.rest
    running.clear_away()


@pytest.fixture(scope="session")
def browser(node: str, service: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """A browser that runs scenarios of ``scenarios.ts`` against the service, and the log of what drives it."""
    with (tmp_path_factory.mktemp("browser") / "log").open("w") as log:
        running = spawn([node, "build/web/run.mjs", service], cwd=PACKAGE, stderr=log, **PIPES)
    with running:
        yield running


@pytest.fixture
def play(browser: subprocess.Popen[str]) -> Play:
    """Run a scenario in a new context of the browser."""

    def run(scenario: str) -> dict[str, Any]:
        assert browser.stdin is not None
        assert browser.stdout is not None
        browser.stdin.write(f"{scenario}\n")
        browser.stdin.flush()
        found: dict[str, Any] = json.loads(browser.stdout.readline())
        assert "failure" not in found, found["failure"]
        return found

    return run
