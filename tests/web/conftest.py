"""The scenarios of ``clients/typescript/web/tests``, built, and a service at which they play."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.example_packages import install_examples
from tests.server.process import Service

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients/typescript"
BUILD_SECONDS, RUN_SECONDS = 240, 600
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
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build/web.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes wait for this one
        subprocess.run(["sh", "scripts/web_tests.sh"], cwd=PACKAGE, check=True, timeout=BUILD_SECONDS)
    return str(programs["node"])


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a service with bots that play, deals that can be repeated, and the games of ``examples/``."""
    folder = tmp_path_factory.mktemp("web")
    running = Service(folder, "--sandbox", "--fsync", "everysec", packages=install_examples(folder))
    yield running.rest
    running.clear_away()


@pytest.fixture
def play(node: str, service: str) -> Play:
    """Run a scenario of ``scenarios.ts`` against the service."""

    def run(scenario: str) -> dict[str, Any]:
        command = [node, "build/web/run.mjs", service, scenario]
        done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, timeout=RUN_SECONDS, check=False)
        assert 0 == done.returncode, done.stderr[-4000:]
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return run
