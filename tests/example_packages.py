"""The packages of games in ``examples/``, built and installed as their users install them."""

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from tests.servers import locked

EXAMPLES = Path(__file__).parents[1] / "examples"
GAMES = {path.parent.name: f"chitarrella-{path.parent.name}" for path in sorted(EXAMPLES.glob("*/pyproject.toml"))}
"""The game in each folder of `EXAMPLES`, and its distribution. The lists of games of other tests do not have them."""


def install_examples() -> Path:
    """Return where the packages are installed for Python to find; they are built once for all test processes."""
    files = sorted(path for name in GAMES for path in (EXAMPLES / name).rglob("*.*") if "__pycache__" not in path.parts)
    digest = sha256(b"".join(b"%s %s" % (path.name.encode(), path.read_bytes()) for path in files if path.is_file()))
    with locked("examples") as build:
        site = build / "examples" / f"{digest.hexdigest()[:16]}-{sys.version_info.minor}"
        if not site.exists():
            shutil.rmtree(site.parent, ignore_errors=True)
            _install(site.with_name("new"))
            site.with_name("new").rename(site)
    return site


def _install(site: Path) -> None:
    """Build the packages from copies of their sources and install them."""
    copies = [shutil.copytree(EXAMPLES / name, site.with_name("source") / name) for name in GAMES]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(site), *map(str, copies)], check=True, timeout=100)
