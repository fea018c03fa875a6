"""Build step: make the synchronous client, ``sync``, from the asyncio one, ``aio``.

The two differ only in "async" and "await", so only ``aio`` is written by hand. The exception is ``transport.py``, which
uses gRPC's two different APIs and is written twice. Hatch calls this for packages and editable installs;
``python clients/python/generate_sync.py`` does the same by hand, and with ``--check`` only names what is stale.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE: Final = Path("src", "chitarrella_client")
HANDWRITTEN: Final = "transport.py"
REPLACEMENTS: Final = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\bchitarrella_client\.aio\b", "chitarrella_client.sync"),
    (r"\bgrpc\.aio\.Channel\b", "grpc.Channel"),
    (r"\bThe asyncio client\b", "The synchronous client"),
)
"""Patterns of asyncio code, and what replaces them."""


class SynchronousClient(BuildHookInterface[Any]):
    """The hook named ``custom`` in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the modules before the files of the package are collected."""
        write_synchronous(Path(self.root) / PACKAGE)


def synchronous(package: Path) -> dict[Path, str]:
    """Return the text of every generated module by its path."""
    made = {}
    for source in sorted((package / "aio").glob("*.py")):
        if source.name != HANDWRITTEN:
            text = source.read_text(encoding="utf-8")
            for pattern, replacement in REPLACEMENTS:
                text = re.sub(pattern, replacement, text)
            made[package / "sync" / source.name] = text
    return made


def write_synchronous(package: Path, *, check: bool = False) -> list[str]:
    """Write every generated module that is not up to date, unless it is only a check; return their names."""
    stale = []
    for path, text in synchronous(package).items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(f"sync/{path.name}")
            if not check:
                path.write_text(text, encoding="utf-8")
    return stale


def main() -> int:
    """Write the modules, or check them; the exit status of a check is 1 if one is stale."""
    check = sys.argv[1:] == ["--check"]
    stale = write_synchronous(Path(__file__).resolve().parent / PACKAGE, check=check)
    for name in stale:
        print(f"{'not up to date' if check else 'brought up to date'}: {name}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
