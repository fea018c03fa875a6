"""Leave in the lock files the hashes of what CPython on Linux and macOS installs: `make lock` calls it (needs uv).

A lock names every file of a release, for each processor, system and version of Python; of four hashes three are of
files that nobody here can install. uv says which files the platforms need; left out are also those for musl, because
the store is not built for it, those for Python without its lock, and the sources of what has a wheel for every
platform. A package of other platforms alone keeps its hashes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, Final

LINUX, MACOS = "sys_platform == 'linux'", "sys_platform == 'darwin'"
CPYTHON: Final = "platform_python_implementation == 'CPython'"
PLATFORMS: Final = (
    f"{LINUX} and platform_machine == 'x86_64' and {CPYTHON}",
    f"{LINUX} and platform_machine == 'aarch64' and {CPYTHON}",
    f"{MACOS} and {CPYTHON}",
)
OTHERS: Final = re.compile(r"^(?!.*manylinux).*musllinux|-cp3\d+t-|-cp31[5-9]-cp31")
"""What the name of a file has that nobody needs: musl alone, no lock, a Python that is not supported yet."""
PIN: Final = re.compile(r"(?P<name>[\w.-]+)(?:\[.*?\])?==(?P<version>[^\s;\\]+)\s*(?:;\s*(?P<marker>[^\\]*))?")
HASH: Final = re.compile(r"--hash=(sha256:\w+)")


def pinned(locks: list[Path]) -> dict[str, set[str]]:
    """The markers under which each version of a package is pinned; "" for none."""
    found: dict[str, set[str]] = {}
    for lock in locks:
        for pin in filter(None, map(PIN.match, lock.read_text().splitlines())):
            found.setdefault(f"{pin['name']}=={pin['version']}", set()).add((pin["marker"] or "").strip())
    return found


def needed(pins: dict[str, set[str]]) -> set[str]:
    """The hashes of the files that the platforms install of these packages."""
    wanted = [
        pin if "" in markers else f"{pin} ; {' or '.join(f'({marker})' for marker in sorted(markers))}"
        for pin, markers in sorted(pins.items())
    ]
    with tempfile.TemporaryDirectory() as folder:
        settings = f"dependencies = {json.dumps(wanted)}\n[tool.uv]\nenvironments = {json.dumps(PLATFORMS)}\n"
        project = '[project]\nname = "locks"\nversion = "0"\nrequires-python = ">=3.11"\n'
        Path(folder, "pyproject.toml").write_text(project + settings)
        subprocess.run(["uv", "lock", "--quiet", "--project", folder], check=True)
        packages = tomllib.loads(Path(folder, "uv.lock").read_text())["package"]
    files = [file for package in packages for file in installed(package)]
    return {file["hash"] for file in files if not OTHERS.search(file["url"].rpartition("/")[2])}


def installed(package: dict[str, Any]) -> list[dict[str, str]]:
    """The files of a release that are installed: its wheels, and its sources unless there is a wheel for all."""
    wheels: list[dict[str, str]] = package.get("wheels", [])
    if any(wheel["url"].endswith("py3-none-any.whl") for wheel in wheels) or "sdist" not in package:
        return wheels
    return [*wheels, package["sdist"]]


def shortened(text: str, hashes: set[str]) -> str:
    """The text of a lock without the other hashes, where a package has one that is needed: a line for each package."""
    kept = []
    for block in filter(None, re.split(r"^(?=\S)", text, flags=re.MULTILINE)):
        head, *lines = [line.removesuffix("\\").strip() for line in block.splitlines()]
        own = [line for line in lines if (found := HASH.search(line)) and found[1] in hashes]
        kept.append(" ".join([head, *(own or lines)]))
    return "\n".join(kept) + "\n"


def main() -> None:
    """Shorten the lock files that the command line names."""
    locks = [Path(name) for name in sys.argv[1:]]
    hashes = needed(pinned(locks))
    for lock in locks:
        lock.write_text(shortened(lock.read_text(), hashes))


if __name__ == "__main__":
    main()
