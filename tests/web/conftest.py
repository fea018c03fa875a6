"""The scenarios of ``clients/typescript/web/tests``, built, and a service at which they play."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
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
BUSY_SECONDS = 580  # hundreds of moves take a minute in a browser, and several on a machine that has other work

KEY = re.compile(r"[0-9a-f]{40}")  # the key of a seat or of the referee
MOVED_ON = "409"  # a bot may move in between: then the page says that the match has moved on


class Play:
    def __init__(self, browser: subprocess.Popen[str], service: str) -> None:
        self._browser, self._service = browser, service
        self.errors: list[str] = []
        self.urls: list[str] = []
        """The errors of the pages in the last scenario, and the addresses of their requests."""

    def __call__(self, scenario: str, tolerated: str = "(?!)", *, is_elsewhere: bool = False) -> Any:
        """What a scenario finds; other errors than those tolerated, and requests elsewhere or with a key, are none."""
        assert self._browser.stdin is not None
        assert self._browser.stdout is not None
        self._browser.stdin.write(f"{scenario}\n")
        self._browser.stdin.flush()
        answers: Iterator[dict[str, Any]] = map(json.loads, iter(self._browser.stdout.readline, ""))
        # A test that was given up has left its scenario running.
        seen = next(answer for answer in answers if answer["scenario"] == scenario)
        assert "failure" not in seen, seen["failure"]
        self.errors, self.urls = seen["errors"], seen["urls"]
        assert [] == [error for error in self.errors if not re.search(tolerated, error)]
        own = (f"{self._service}/", "data:", "http://127.0.0.1" if is_elsewhere else "data:")
        assert [] == [url for url in self.urls if KEY.search(url) or not url.startswith(own)]
        return seen["found"]


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
def play(browser: subprocess.Popen[str], service: str) -> Play:
    return Play(browser, service)
