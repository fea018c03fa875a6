"""Chromium without a window: runs the script of a page, and returns what the page shows in the end, as JSON."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

SPARE_SECONDS = 80  # how much longer than its script the browser may take; the machine may be busy


def page_of(script: str, **constants: object) -> str:
    """A page that runs an asynchronous ``script``, which returns what the page then shows; it knows ``constants``."""
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    run = (
        f"(async () => {{ {script} }})().then(found => {{ document.body.textContent = JSON.stringify(found); }})"
        ".catch(error => { document.body.textContent = `failed: ${error}`; });"
    )
    return f"<!doctype html><meta charset=utf-8><body><script>{head}{run}</script></body>"


def shown(url: str, profile: Path, seconds: int) -> Any:
    """What the page of `page_of` at ``url`` shows after ``seconds`` of its own time at most, in a new ``profile``."""
    if not (chromium := shutil.which("chromium")):
        pytest.skip("chromium: there is no Chromium on the PATH; on Debian: apt-get install chromium")
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--hide-scrollbars",
               f"--user-data-dir={profile}", f"--virtual-time-budget={seconds * 1000}", "--dump-dom", url]  # fmt: skip
    timeout = seconds + SPARE_SECONDS
    result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=True)
    body = re.search(r"<body>(.*)</body>", result.stdout, re.DOTALL)
    assert body, result.stdout[-500:]
    return json.loads(unescape(body[1]))
