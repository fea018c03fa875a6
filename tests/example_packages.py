"""The packages of games in ``examples/``, built and installed into a folder as their users install them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"
GAMES = {"scopa": "chitarrella-scopa", "tressette": "chitarrella-tressette"}
"""The game in each folder of `EXAMPLES`, and its distribution. The lists of games of other tests do not have them."""


def install_examples(folder: Path) -> Path:
    """Build the packages from copies of their sources and install them; returns where Python finds them."""
    site = folder / "site"
    for name in GAMES:
        copy = shutil.copytree(EXAMPLES / name, folder / name)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
        subprocess.run([*command, "--target", str(site), str(copy)], check=True, timeout=60)
    return site
